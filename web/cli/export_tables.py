"""What an export writes beside bundles: tables and lines for other programs, of the same moment."""

from collections.abc import Callable, Mapping
from datetime import date

import click

from projections.board.boards import board_at
from projections.board.shown import shown_on
from projections.decisions.log import LogPage, Wanted, all_of_log
from projections.keeping.views import Reader
from projections.moment import Moment
from projections.over_time.compared import Compared
from projections.story import Story, story_of
from reports.exports.every_eval_ever import every_eval_ever
from reports.exports.lines import board_lines, changes_lines, claim_lines, corrections_lines
from web.changes_csv import changes_csv
from web.claim_csv import claim_csv
from web.cli.options import Command
from web.csv_forms import board_csv, corrections_csv
from web.retractions_csv import retractions_csv
from web.wiring import Workspace

HELP = {
    "csv": "A table, safe to open in a spreadsheet.",
    "jsonl": "JSON Lines.",
    "every-eval-ever": "Every Eval Ever records, one a line.",
    "retractions": "A table with the columns of the Retraction Watch data.",
}
OUT = click.Path(dir_okay=False, allow_dash=True)

Form = Callable[[], bytes]
Forms = Mapping[str, Form]
"""Option → what makes the bytes to be written where it says."""


def table_outputs(*forms: str) -> Callable[[Command], Command]:
    """Options for the files to write, by their names."""

    def decorate(command: Command) -> Command:
        for form in reversed(forms):
            name = f"to_{form.replace('-', '_')}"
            option = click.option(f"--{form}", name, metavar="OUT", type=OUT, help=HELP[form])
            command = option(command)
        return command

    return decorate


def board_forms(
    workspace: Workspace,
    moment: Callable[[], Moment],
    slug: str,
    *,
    view: str | None,
    metric: str | None,
    every_claim: bool,
) -> Forms:
    """The forms of a board."""
    store = workspace.ledger.store

    def made(form: Callable[[Reader, Moment], bytes]) -> Form:
        def make() -> bytes:
            at = moment()
            with workspace.views.read() as reader:
                return form(reader, at)

        return make

    def lines(reader: Reader, at: Moment) -> bytes:
        board = board_at(reader, slug, at, view=view, metric=metric, every_claim=every_claim)
        return b"".join(board_lines(board))

    def table(reader: Reader, at: Moment) -> bytes:
        board = board_at(reader, slug, at, view=view, metric=metric, every_claim=every_claim)
        return board_csv(board, shown_on(reader, store, board)).encode()

    def records(reader: Reader, at: Moment) -> bytes:
        board = board_at(reader, slug, at, view=view, metric=metric, every_claim=every_claim)
        return b"".join(every_eval_ever(board, shown_on(reader, store, board)))

    return {"to_csv": made(table), "to_jsonl": made(lines), "to_every_eval_ever": made(records)}


def claim_forms(workspace: Workspace, moment: Callable[[], Moment], claim: str) -> Forms:
    """The forms of a claim's story."""

    def story() -> Story:
        at = moment()
        with workspace.views.read() as reader:
            return story_of(reader, workspace.ledger.store, claim, at)

    return {
        "to_csv": lambda: claim_csv(story()).encode(),
        "to_jsonl": lambda: b"".join(claim_lines(story())),
    }


def corrections_forms(
    workspace: Workspace, moment: Callable[[], Moment], start: date, end: date
) -> Forms:
    """The forms of the log between two days."""
    store, wanted = workspace.ledger.store, Wanted(start=start, end=end)

    def pages() -> list[LogPage]:
        at = moment()
        with workspace.views.read() as reader:
            return list(all_of_log(reader, store, wanted, at))

    def address(path: str) -> str:
        return f"{workspace.settings.address or ''}{path}"

    return {
        "to_csv": lambda: corrections_csv(pages()).encode(),
        "to_jsonl": lambda: b"".join(
            corrections_lines(entry for page in pages() for entry in page.entries)
        ),
        "to_retractions": lambda: retractions_csv(pages(), store, address).encode(),
    }


def changes_forms(found: Callable[[], Compared]) -> Forms:
    """The forms of what changed on a benchmark."""
    return {
        "to_csv": lambda: changes_csv(found()).encode(),
        "to_jsonl": lambda: b"".join(changes_lines(found())),
    }
