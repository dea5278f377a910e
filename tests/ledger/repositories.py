"""Git repositories made up by tests, commit by commit, in one stroke."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

BARE = ("git", "-c", "safe.directory=*")


@attrs.frozen(kw_only=True)
class Commit:
    """A commit on ``branch``: when, which files it writes, moves and takes away.

    ``merges`` names a branch that it merges.
    """

    at: int
    files: Mapping[str, bytes] = attrs.field(factory=dict)
    moves: Mapping[str, str] = attrs.field(factory=dict)
    gone: Sequence[str] = ()
    branch: str = "main"
    starts_from: str | None = None
    merges: str | None = None
    offset: str = "+0000"


def repository(folder: Path, commits: Sequence[Commit], *settings: str) -> Path:
    """A repository with these commits; ``settings`` are lines of its own configuration."""
    folder.mkdir(parents=True)
    run(folder, "init", "-q", "--bare", "-b", "main", ".")
    stream = b"".join(_written(one) for one in commits)
    subprocess.run([*BARE, "fast-import", "--quiet"], cwd=folder, input=stream, check=True)
    with (folder / "config").open("a", encoding="utf-8") as config:
        config.writelines(f"{line}\n" for line in settings)
    return folder


def run(folder: Path, *words: str) -> str:
    """A command of git in a folder."""
    done = subprocess.run([*BARE, *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


def _written(one: Commit) -> bytes:
    lines = [f"commit refs/heads/{one.branch}"]
    lines.append(f"committer A Heron <heron@example.org> {one.at} {one.offset}")
    lines.append("data 1\nx")
    if one.starts_from is not None:
        lines.append(f"from refs/heads/{one.starts_from}")
    if one.merges is not None:
        lines.append(f"merge refs/heads/{one.merges}")
    lines += [f'R "{old}" "{new}"' for old, new in one.moves.items()]
    lines += [f'D "{path}"' for path in one.gone]
    found = "\n".join(lines).encode() + b"\n"
    for path, data in one.files.items():
        found += f'M 100644 inline "{path}"\ndata {len(data)}\n'.encode() + data + b"\n"
    return found + b"\n"
