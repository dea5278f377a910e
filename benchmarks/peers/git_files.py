"""A JSON file a board in git, a commit a version: what many leaderboards are kept in."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from benchmarks.peers.asking import Latency, Version, asked, end_of, versions

READS = 100
"""Each starts two processes, so fewer are enough."""


def in_git(folder: Path, benchmarks: int) -> Latency:
    """What a board costs that is looked up by its last commit before the day's end."""
    place = folder / "boards.git"
    _git(place.parent, "init", "--quiet", "--bare", str(place))
    taken_in = subprocess.Popen(
        ["git", "-C", str(place), "fast-import", "--quiet"], stdin=subprocess.PIPE
    )
    assert taken_in.stdin is not None
    for part in _commits(benchmarks):
        taken_in.stdin.write(part)
    taken_in.stdin.close()
    assert taken_in.wait() == 0

    def read(slug: str, day: str) -> Sequence[Any]:
        before = f"--before={end_of(day).isoformat()}"
        commit = _git(place, "rev-list", "-1", before, "main", "--", f"{slug}.json").strip()
        rows = json.loads(_git(place, "show", f"{commit}:{slug}.json"), parse_float=str)
        ranked = sorted(rows, key=lambda row: (-Decimal(row["score"]), row["day"], row["model"]))
        return [{"rank": rank, **row} for rank, row in enumerate(ranked, 1)]

    return asked(benchmarks, read, READS)


def _commits(benchmarks: int) -> Iterator[bytes]:
    """Every version as a commit, in the order of time, as history has them."""
    ordered = sorted(versions(benchmarks), key=lambda one: (one.read_at, one.slug))
    for version in ordered:
        content = _content(version)
        at = int(version.read_at.timestamp())
        yield b"commit refs/heads/main\n"
        yield f"committer Board <board@example.org> {at} +0000\ndata 1\nv\n".encode()
        yield f"M 644 inline {version.slug}.json\ndata {len(content)}\n".encode()
        yield content + b"\n"


def _content(version: Version) -> bytes:
    rows = [{"model": model, "score": score, "day": day} for model, score, day in version.rows]
    return json.dumps(rows, indent=1).encode()


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout
