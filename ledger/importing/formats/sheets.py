"""A sheet of any format as a board that can be compared: one reading of one source, one benchmark.

All sheets of a file share its bytes, which are kept once. Whoever imports goes before what the file
says; what nobody says is left open.
"""

import hashlib
from collections.abc import Iterable

import attrs

from ledger.importing.board import BoardFile, Target
from ledger.importing.book import EVERYTHING_ELSE
from ledger.importing.formats.format import Asked, Candidate, Sheet
from ledger.importing.formats.rows import Metrics, Rows
from ledger.importing.formats.turns import instant_in
from ledger.importing.large import TOO_LARGE_TO_HOLD, LargeFile
from ledger.importing.limits import check_metrics
from ledger.values import Digest, Instant, Slug, parse_slug

DEFAULT_KIND = "official-leaderboard"

MEDIA_TYPES = {
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "json": "application/json",
    "jsonl": "application/jsonl",
    "yaml": "application/yaml",
    "yml": "application/yaml",
    "md": "text/markdown",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "gz": "application/gzip",
    "zip": "application/zip",
    "eval": "application/zip",
}


@attrs.frozen(kw_only=True)
class Kept:
    """The bytes of a file, or where they are when there are too many to hold; and their digest."""

    data: bytes | LargeFile = attrs.field(repr=False)
    digest: Digest


def kept_of(file: Candidate) -> Kept:
    """The bytes of a file by their SHA-256; a large one is read once, piece by piece."""
    path = file.path
    if file.held is None and path is not None and path.stat().st_size > TOO_LARGE_TO_HOLD:
        large = LargeFile.at(path)
        return Kept(data=large, digest=large.digest)
    data = file.data()
    return Kept(data=data, digest=Digest(hashlib.sha256(data).hexdigest()))


def media_type(file: Candidate) -> str:
    """What a file is, by the ending of its name."""
    return MEDIA_TYPES.get(file.ending, "application/octet-stream")


def target_of(sheet: Sheet, asked: Asked) -> Target:
    """Where a sheet belongs, and what to call things that are not registered yet."""
    return Target(
        source=parse_slug(asked.source or sheet.source, "source"),
        benchmark=parse_slug(asked.benchmark or sheet.benchmark, "benchmark"),
        kind=asked.kind or sheet.kind or DEFAULT_KIND,
        source_name=asked.source_name or (None if asked.source else sheet.source_name),
        benchmark_name=asked.benchmark_name or (None if asked.benchmark else sheet.benchmark_name),
        unit=asked.unit,
        units=asked.units,
        lower_is_better=sheet.lower_is_better,
    )


def board_of(
    sheet: Sheet,
    file: Candidate,
    asked: Asked,
    metrics: Metrics,
    kept: Kept | None = None,
    *,
    form: str,
) -> tuple[BoardFile, Target]:
    """What a sheet of a file states, and where it belongs.

    ``metrics`` are those that its benchmark knows, ``kept`` the file's bytes where they were looked
    at already.
    """
    target = target_of(sheet, asked)
    kept = kept or kept_of(file)
    return board_for(sheet, file, asked, kept, target=target, metrics=metrics, form=form), target


def board_for(
    sheet: Sheet,
    file: Candidate,
    asked: Asked,
    kept: Kept,
    *,
    target: Target,
    metrics: Metrics,
    form: str,
) -> BoardFile:
    """The same for a target that is known."""
    read_at, order = read_when(file, sheet, asked)
    rows = Rows(target, metrics, asked.now)
    for raw in sheet.rows:
        rows.add(raw)
    check_metrics(file.name, len(rows.metrics))
    rows.settle()
    refused = (*sheet.refused, *rows.refused)
    return BoardFile(
        file=file.name,
        format=form,
        data=kept.data,
        digest=kept.digest,
        media_type=media_type(file),
        read_at=read_at,
        order=order,
        rows=len(sheet.rows),
        statements=rows.statements(),
        metrics=_covered(sheet.covers, rows),
        metric_names=_names(sheet, rows),
        refused=tuple(sorted(refused, key=lambda one: one.row)),
        unread=_unread(sheet, rows),
        entries_stated=sheet.entries_stated,
        released=dict(sheet.released),
    )


def read_when(file: Candidate, sheet: Sheet, asked: Asked) -> tuple[Instant, str]:
    """When a sheet was read, and its order within that instant.

    The instant in the file's name counts, else what whoever imports says, else what the file says
    of itself, else when the same bytes were brought in before, else now.
    """
    said = asked.read_at or sheet.read_at or asked.read_before or asked.now
    return instant_in(file.name) or (said, "")


def _covered(covers: Iterable[str | None], rows: Rows) -> tuple[Slug, ...]:
    """The metrics that a sheet speaks about, those that no row bears too."""
    found = dict.fromkeys(rows.metrics)
    for written in covers:
        found.setdefault(rows.known.slug(written))
    return tuple(found)


def _names(sheet: Sheet, rows: Rows) -> dict[Slug, str]:
    """What to call each metric: as its format says, else as its rows write it."""
    said = {rows.known.slug(written): name for written, name in sheet.metric_names}
    return rows.metric_names | said


def _unread(sheet: Sheet, rows: Rows) -> tuple[str, ...]:
    """What is left as it was: what could not be read, and all else where a sheet is no whole."""
    unread = rows.unread | {one.key or EVERYTHING_ELSE for one in sheet.refused}
    return tuple(sorted(unread if sheet.whole else unread | {EVERYTHING_ELSE}))
