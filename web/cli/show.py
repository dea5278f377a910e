"""Boards, changes and leaders as text that people read in a terminal."""

from collections.abc import Collection, Iterable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from ledger.claim import Plane
from ledger.values import short_instant, with_unit
from projections.board.boards import Board
from projections.board.history import Leader, Status, headline
from projections.board.rows import Row
from projections.moment import Moment
from projections.over_time.changes import Step
from web.cli.output import visible

VIEWS = {"labs": "labs' own numbers", "independent": "independent runs", "all": "all claims"}


def table(*columns: str, numbers: Sequence[str] = ()) -> Table:
    """An empty table; columns named in ``numbers`` are set flush right."""
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        made.add_column(column, justify="right" if column in numbers else "left")
    return made


def add(made: Table, *cells: object) -> None:
    """One row; what is not said stays empty."""
    made.add_row(*("" if cell is None else visible(str(cell)) for cell in cells))


def when(moment: Moment) -> str:
    """The moment in words, as far as a reader has to know it."""
    day = moment.as_read_on
    words = [f"As read on {day}" + (", end of that day UTC" if len(day) == 10 else "")]
    if moment.plane is Plane.SINCE:
        words.append("with corrections decided since")
    if moment.published_by is not None:
        words.append(f"counting what was out by {moment.published_by}")
    recorded = f" ({short_instant(moment.recorded_at)})" if moment.recorded_at else ""
    words.append(f"recorded through position {moment.position}{recorded}")
    return "; ".join(words) + "."


def board(out: Console, found: Board, status: Status, *, brief: bool = False) -> None:
    """A board: who leads, its status and time, the rows, and what does not rank.

    ``brief`` says only how many do not rank, and leaves the notes out.
    """
    metric = f", {found.rule.name}" if found.rule else ""
    out.print(visible(f"{found.benchmark.name}: {VIEWS[found.view]}{metric}"), style="bold")
    out.print(visible(headline(found).rstrip(".") + "."))
    out.print(when(found.moment))
    out.print(status_line(status))
    if found.rows:
        _rows(out, found.rows)
    if found.unranked and brief:
        out.print(f"Claims that do not rank: {len(found.unranked)}; the command lists them.")
    elif found.unranked:
        out.print("Not ranked:", style="bold")
        out.print(unranked_table(found.unranked))
    if found.untracked:
        out.print(f"Entries of its sources whose models are not tracked here: {found.untracked}.")
    for caveat in () if brief else found.benchmark.caveats:
        out.print(visible(f"Note: {caveat}"))


def status_line(status: Status) -> str:
    """The status with the counts that it follows from."""
    if status.word is None:
        return "Status: none yet, since no launch post is known to list it."
    return (
        f"Status: {status.word}. Launch posts that list it: {status.posts_in_year} in the last 12"
        f" months, {status.posts_in_year_before} in the 12 before, the last {status.last_listed}."
    )


def _rows(out: Console, rows: Sequence[Row]) -> None:
    """The rows that rank; a mark that every one of them bears is said once, below."""
    shared = set.intersection(*({mark["text"] for mark in row.marks} for row in rows))
    out.print(rows_table(rows, shared))
    for text in sorted(shared):
        out.print(visible(f"Every row: {text}."))


def rows_table(rows: Iterable[Row], shared: Collection[str] = ()) -> Table:
    """The rows that rank, each with its marks but for those that all share."""
    made = table(
        "#",
        "Model",
        "Score",
        "Split",
        "Setting",
        "Date",
        "Source",
        "Marks",
        numbers=("#", "Score"),
    )
    for row in rows:
        cells = (row.split, row.setting, row.published_on, row.source.name, marks(row, shared))
        add(made, row.rank, row.name, score(row), *cells)
    return made


def unranked_table(rows: Iterable[Row]) -> Table:
    """The rows beside the board, each with its reason."""
    made = table("Model", "Score", "Split", "Setting", "Source", "Why", numbers=("Score",))
    for row in rows:
        cells = (row.split, row.setting, row.source.name, row.why_unranked)
        add(made, row.name, score(row), *cells)
    return made


def score(row: Row) -> str | None:
    """A score with its unit, its digits as written."""
    return None if row.score is None else with_unit(str(row.score), row.unit)


def marks(row: Row, shared: Collection[str]) -> str:
    """What a reader has to be told beside the number."""
    own = [mark["text"] for mark in row.marks if mark["text"] not in shared]
    return "; ".join([*(["tied"] if row.tied else []), *own])


def changes(out: Console, name: str, since: str, until: str, steps: Sequence[Step]) -> None:
    """Every step between two days."""
    out.print(visible(f"{name}: changes from {since} to {until}, both included"), style="bold")
    if not steps:
        out.print("Nothing changed.")
        return
    out.print(steps_table(steps))


def steps_table(steps: Iterable[Step]) -> Table:
    """Steps, oldest first."""
    made = table("When", "What", "Model", "Metric", "Old", "New", "By", numbers=("Old", "New"))
    for one in steps:
        by = f"decision {one.decision}" if one.decision else f"reading at position {one.position}"
        add(made, short_instant(one.read_at), one.kind, one.name, one.metric, one.old, one.new, by)
    return made


def leaders(out: Console, found: Board, held: Sequence[Leader]) -> None:
    """Number one over time."""
    out.print(
        visible(f"{found.benchmark.name}: number one over time in {VIEWS[found.view]}"),
        style="bold",
    )
    out.print(when(found.moment))
    if not held:
        why = found.empty_because or "No row that ranks bears a date that it could count from."
        out.print(visible(why))
        return
    made = table("Since", "Model", "Score", "Claim", numbers=("Score",))
    for one in held:
        shown = with_unit(one.score, one.unit)
        add(made, one.since, one.model.full_name, shown, one.claim_id)
    out.print(made)
