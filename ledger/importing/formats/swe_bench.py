"""SWE-bench: ``leaderboards.json``, several boards in one file.

It is an object with the list ``leaderboards``; each has a ``name``, such as Verified, and
``results``, and is a benchmark of its own (``swe-bench-verified``), of which it is the whole. With
``--benchmark`` only the board of that slug is taken. An entry has ``folder`` (its lasting key),
``name``, ``resolved``, ``date`` and ``site``, and by version ``logs``, ``trajs``, ``tags``,
``cost``, ``oss`` and ``verified``, or ``os_model``, ``os_system`` and ``checked``. ``date`` is the
day of the submission, which the board prints beside it.

The outcome of every single instance (``per_instance_details``) is more than is kept beside.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from ledger.importing.formats.beside import Beside
from ledger.importing.formats.documents import Document, json_document, kind_of
from ledger.importing.formats.fitting import address_or_none, cell
from ledger.importing.formats.format import Asked, Candidate, Placing, Sheet
from ledger.importing.formats.tables import RawRow
from ledger.importing.limits import check_rows, decode_utf8
from ledger.model import slug_for

SOURCE = ("swe-bench", "SWE-bench leaderboards")
METRIC = ("resolved", "% Resolved")
PLACED = {"name", "folder", "resolved", "date", "site"}

_BEGINS = re.compile(r'\A\ufeff?\s*\{\s*"leaderboards"\s*:\s*\[')
_SPACES = re.compile(r"[\s_]+")

_PLACING = Placing(
    published_on="date, the day of the submission, which the board prints beside an entry",
    read_at="--read-at, or the instant that the file’s name begins with, else now",
    setting="nowhere; tags and the like are kept beside",
    split="nowhere; every board in the file is a benchmark of its own",
    identity="folder, else the entry’s name",
    unit="percent: resolved is the board’s “% Resolved”",
)


@attrs.frozen
class SweBench:
    """The file of all boards."""

    name: str = "swe-bench"
    title: str = "SWE-bench leaderboards.json, all versions"
    endings: tuple[str, ...] = (".json",)
    placing: Placing = _PLACING

    def known_by(self, file: Candidate) -> str | None:
        """An object that begins with ``leaderboards``."""
        if _BEGINS.match(file.start.decode("utf-8", "replace")):
            return "it is an object with the list leaderboards"
        return None

    def sheets(self, file: Candidate, asked: Asked) -> Iterator[Sheet]:
        """A board each; with ``--benchmark`` only the one of that slug, or the only one."""
        document = json_document(file.name, decode_utf8(file.name, file.data()))
        content = document.objects(document.content, "")
        boards = document.listed(content.get("leaderboards"), "leaderboards")
        read = [
            _sheet(document, f"leaderboards[{at}]", board, asked) for at, board in enumerate(boards)
        ]
        if not read:
            document.refuse("leaderboards", "it is empty")
        check_rows(file.name, sum(len(sheet.rows) for sheet in read))
        yield from _asked_for(document, read, asked)


SWE_BENCH = SweBench()


def _asked_for(document: Document, read: list[Sheet], asked: Asked) -> list[Sheet]:
    """The boards that are wanted; no two of them are one benchmark."""
    slugs = [sheet.benchmark for sheet in read]
    for at, slug in enumerate(slugs):
        if slug in slugs[:at]:
            document.refuse(f"leaderboards[{at}].name", "two boards are called so")
    if asked.benchmark is None or len(read) == 1:
        return read
    wanted = [sheet for sheet in read if sheet.benchmark == asked.benchmark]
    if not wanted:
        why = f"it holds the boards {', '.join(slugs)}; leave --benchmark out, or say one of these"
        document.refuse("leaderboards", why)
    return wanted


def _sheet(document: Document, path: str, content: object, asked: Asked) -> Sheet:
    board = document.objects(content, path)
    name = document.name(board, "name", path)
    results = document.listed(board.get("results"), f"{path}.results")
    beside = Beside()
    return Sheet(
        source=asked.source or SOURCE[0],
        source_name=SOURCE[1],
        kind="official-leaderboard",
        benchmark=slug_for(f"swe-bench-{_SPACES.sub('-', name.lower())}"),
        benchmark_name=f"SWE-bench {name}",
        metric_names=(METRIC,),
        rows=tuple(_row(number, one, beside) for number, one in enumerate(results, 1)),
        whole=True,
        notes=beside.notes(),
        covers=(METRIC[0],),
    )


def _row(number: int, content: object, beside: Beside) -> RawRow:
    if not isinstance(content, dict):
        return RawRow(number, {}, f"it is {kind_of(content)} where an object belongs")
    url = address_or_none(content.get("site"))
    placed = PLACED if url else PLACED - {"site"}
    return RawRow(number, {**_rest(content, placed, beside), **_cells(content), "url": url})


def _rest(content: Mapping[str, Any], placed: set[str], beside: Beside) -> dict[str, str]:
    """What has no place, short things first, so that they are kept before there are too many."""
    rest = {name: value for name, value in content.items() if name not in placed}
    plain = {name: value for name, value in rest.items() if not isinstance(value, dict)}
    return beside.keep({**plain, **rest}, {})


def _cells(content: Mapping[str, Any]) -> dict[str, str | None]:
    return {
        "key": cell(content.get("folder")),
        "model": cell(content.get("name")),
        "metric": METRIC[0],
        "score": cell(content.get("resolved")),
        "unit": "%",
        "date": cell(content.get("date")),
    }
