"""Our own snapshot format: a board as a table, one row a number.

Columns: ``key, model, score, metric, split, setting, unit, date, lab, url, passed, completed,
total``; only ``model`` and ``score`` are needed. The key defaults to the model's name, the metric
to the benchmark's headline metric (or ``score``). An empty score states nothing. Other columns are
kept with the claim. ``published_on`` comes from ``date``; ``read_at`` from the instant that the
file's name begins with, else from who imports it.
"""

from collections.abc import Iterator

import attrs

from ledger.errors import FileRefused
from ledger.importing.board import BoardFile, Target
from ledger.importing.formats.format import Asked, Candidate, Placing, Sheet
from ledger.importing.formats.our_board import is_our_board
from ledger.importing.formats.rows import COLUMNS, NEEDED, Metrics
from ledger.importing.formats.sheets import board_for, kept_of
from ledger.importing.formats.tables import columns_at_start, read_table
from ledger.importing.formats.turns import instant_in
from ledger.values import Instant

__all__ = ["SNAPSHOT", "Metrics", "Snapshot", "instant_in", "read_snapshot"]


_PLACING = Placing(
    published_on="the column date",
    read_at="the instant that the file’s name begins with, else --read-at, else now",
    setting="the column setting",
    split="the column split",
    identity="the column key, else model; with metric and split",
    unit="the column unit, else --unit, else the metric’s registered one",
)


@attrs.frozen
class Snapshot:
    """Our own tables."""

    name: str = "snapshot"
    title: str = "Snapshot, our own tables: CSV, JSON or YAML with the columns model and score"
    endings: tuple[str, ...] = (".csv", ".json", ".yaml", ".yml")
    placing: Placing = _PLACING

    def known_by(self, file: Candidate) -> str | None:
        """Its columns, as far as they stand at the beginning."""
        if f".{file.ending}" not in self.endings:
            return None
        columns = columns_at_start(file.ending, file.start)
        if set(NEEDED) <= set(columns) and not is_our_board(columns):
            return "it is a table with the columns model and score"
        return None

    def sheets(self, file: Candidate, asked: Asked) -> Iterator[Sheet]:
        """The one board in the file; what it is about has to be asked for."""
        if asked.source is None or asked.benchmark is None:
            missing = "source" if asked.source is None else "benchmark"
            raise FileRefused(file=file.name, why=f"a snapshot needs --{missing} SLUG")
        table = read_table(file.name, file.data())
        missing_columns = [column for column in NEEDED if column not in table.columns]
        if missing_columns and table.columns:
            why = f"it lacks the column {missing_columns[0]}; known are {', '.join(COLUMNS)}"
            raise FileRefused(file=file.name, why=why)
        yield Sheet(
            source=asked.source,
            benchmark=asked.benchmark,
            rows=table.rows,
            whole=True,
            covers=() if "metric" in table.columns else (None,),
        )


SNAPSHOT = Snapshot()


def read_snapshot(
    name: str,
    data: bytes,
    *,
    target: Target,
    metrics: Metrics,
    now: Instant,
    read_at: Instant | None = None,
) -> BoardFile:
    """The board in a snapshot file called ``name``.

    ``read_at`` applies when the name tells no instant; without either it is ``now``. Raises
    :class:`~ledger.errors.FileRefused` when the file as a whole cannot be read; rows that cannot
    be read are listed in the result and the others go on.
    """
    file = Candidate.of(name, data)
    asked = Asked(
        source=target.source,
        benchmark=target.benchmark,
        unit=target.unit,
        read_at=read_at,
        now=now,
    )
    (sheet,) = SNAPSHOT.sheets(file, asked)
    kept = kept_of(file)
    return board_for(sheet, file, asked, kept, target=target, metrics=metrics, form=SNAPSHOT.name)
