"""Demo on real data: two boards as a reader found them, one error in them, its correction, and a
paper on four days.

The records in ``web/demo`` are loaded into a home of their own; a reader reports a number that was
read under the wrong metric, another person decides, a third approves it (a board gets another
number one), and the boards are shown before, after, and as read before. What is recorded already
is shown and not recorded twice.
"""

import shlex
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import attrs
import click
from rich.console import Console

from ledger import commands as orders
from ledger.claim import claim_id, stream_of
from ledger.errors import Refused
from ledger.events import Change
from ledger.importing.records import import_records, parse_records
from ledger.report import stream_of as stream_of_report
from ledger.values import Digest
from projections.board.boards import Board, board_at
from projections.board.history import posts, status
from projections.code.papers import paper_at
from projections.decisions.corrections import corrections
from projections.review.queue import WaitingReport
from projections.review.queue import reports as reports_of
from projections.story import story_of
from reports.bundle import board_bundle
from reports.pdf import Failed, pdf_of
from web.cli import show
from web.cli.output import console
from web.cli.reports import filed, one_report
from web.cli.serve import check_free, run
from web.cli.session import Session, pass_session
from web.cli.show_papers import paper as show_paper
from web.cli.show_reports import report as show_report
from web.cli.show_stories import correction
from web.cli.users import make_demo_reviewer
from web.exports import records_of
from web.reviewing.deciding import decide
from web.settings import DEFAULT_HOME
from web.wiring import Workspace, make_home, make_key

CURATOR, READER, REVIEWER = "demo-curator", "demo-reader", "demo-reviewer"
SECOND = "demo-second-reviewer"
ADDRESSES = (
    ("All benchmarks", "/"),
    ("Code Interpreter", "/benchmarks/code-interpreter"),
    ("Every correction", "/corrections"),
    ("Report a problem", "/report"),
    ("Review (needs a login)", "/review"),
)
READ_ON = "2026-11-12"
ON_PAPER = f"code-interpreter-as-read-on-{READ_ON}.pdf"
BIG, SMALL = "bigcodebench", "code-interpreter"
METRIC, ACCURACY = "executable-code-rate", "accuracy"
PAPER = "2402.14658"
PAPER_DAYS = ("2025-08-01", "2026-09-17", "2026-09-20", "2026-09-24")
CLAIM = claim_id("qwen1.5-72b-launch-post", SMALL, "Qwen1.5-72B", METRIC, "All")
REASON = "wrong-metric-or-split"
WANTED = {"metric": (METRIC, ACCURACY), "split": ("All", "Math")}
STATEMENT = (
    "The launch post gives 73.1 as the accuracy of code execution results on Math. It was read as"
    " the executable code rate over all tasks, which the post does not state."
)


class NotTheDemo(Refused):
    """{home} holds a ledger that is not the demo's, and the demo would mix its data into it; give
    the demo a home of its own: corrigenda --home DIR demo."""


@click.command()
@click.option("--no-serve", is_flag=True, help="Tell the story and stop there.")
@click.option("--port", type=click.IntRange(1, 65_535), default=8000, show_default=True)
@pass_session
def demo(session: Session, no_serve: bool, port: int) -> None:
    """Load the sample data, correct one error in it, show the boards, and serve the pages."""
    host = "127.0.0.1"
    if not no_serve:
        check_free(host, port)
    make_home(session.settings)
    make_key(session.workspace)
    demonstration = Demonstration(session.workspace, console())
    demonstration.load()
    demonstration.tell()
    demonstration.hand_over()
    demonstration.invite(f"http://{host}:{port}", served=not no_serve)
    if not no_serve:
        run(session, host, port)


@attrs.frozen
class Demonstration:
    """The story, told on one ledger; every command that it names shows the same."""

    workspace: Workspace
    out: Console

    # --- recording, unless it is recorded already ---------------------------------------------

    def load(self) -> None:
        """The sample records; refused in a ledger that is somebody's own."""
        ledger = self.workspace.ledger
        first = ledger.store.after(0, 1)
        is_ours = not first or first[0].envelope.recorded_by == CURATOR
        if not is_ours and not ledger.store.stream(stream_of(CLAIM)):
            raise NotTheDemo(home=self.workspace.settings.home)
        for name, data in sample_records():
            records = parse_records(name, data, ledger.clock())
            import_records(ledger, self.workspace.known(), records, CURATOR)
        self.workspace.catch_up()

    def report(self) -> WaitingReport:
        """The reader's report, filed now if it was not before."""
        if self._filed() is None:
            proposes = tuple(Change(field, *both) for field, both in WANTED.items())
            filed(self.workspace, READER, f"claims/{CLAIM}", REASON, proposes)
            self.workspace.catch_up()
        found = self._filed()
        if found is None:
            raise NotTheDemo(home=self.workspace.settings.home)
        return found

    def _filed(self) -> WaitingReport | None:
        with self.workspace.views.read() as reader:
            return next(
                (
                    one
                    for one in reports_of(reader)
                    if (one.filed_by, one.target) == (READER, f"claims/{CLAIM}")
                ),
                None,
            )

    def decide(self, report: WaitingReport) -> None:
        """The reviewer's decision and its approval, taken now as far as they were not before."""
        if report.state == "open" and report.awaiting is None:
            decide(self.workspace, self.order(report), REVIEWER)
        waiting = self.report()
        if waiting.awaiting is not None:
            approval = orders.ApproveDecision(number=report.number, decision=waiting.awaiting)
            decide(self.workspace, approval, SECOND)

    def order(self, report: WaitingReport) -> orders.Decide:
        """What the reviewer decides."""
        correct = orders.Correct(
            claim=CLAIM,
            applies_from="start",
            to=tuple((field, to) for field, (_, to) in WANTED.items()),
        )
        return orders.Decide(
            number=report.number,
            outcome="accepted",
            type="correction",
            reason=REASON,
            statement=STATEMENT,
            snapshot=self.snapshot(),
            effects=(correct,),
        )

    def snapshot(self) -> Digest:
        """The reading that the claim rests on: what the reviewer looks at."""
        with self.workspace.views.read() as reader:
            moment = self.workspace.moment(as_read_on=READ_ON)
            story = story_of(reader, self.workspace.ledger.store, CLAIM, moment)
        return Digest(story.readings[-1].digest)

    # --- telling ------------------------------------------------------------------------------

    def tell(self) -> None:
        """The whole story, from the boards as they were found to the corrected ones."""
        self.say("Two benchmarks, as their sources were read on 2026-11-12.")
        for view in ("labs", "independent", "all"):
            self.board(BIG, "--view", view, "--as-read-on", READ_ON)
        self.say(
            "The second board ranks two things together: the share of code that runs, and, in the"
            " row of Qwen1.5-72B, how often the result is right."
        )
        before = self.board(SMALL, "--as-read-on", READ_ON)
        report = self.report()
        self.decide(report)
        self.reported(report.number)
        self._after(len(before.rows))
        self.paper()

    def _after(self, rows_before: int) -> None:
        now = self.board(SMALL)
        self.say(f"{len(now.rows)} rows rank now. The number stands where it belongs:")
        self.board(SMALL, "--metric", ACCURACY)
        self.say(
            f"Nothing was overwritten: as read on {READ_ON}, the board still has the"
            f" {rows_before} rows that were read then."
        )
        self.board(SMALL, "--as-read-on", READ_ON)
        self.say("And this is that day as we know it today, with what was corrected since:")
        self.board(SMALL, "--as-read-on", READ_ON, "--corrected", "since")

    def hand_over(self) -> None:
        """The board as read before its correction, on paper, and how whoever gets it checks it."""
        workspace, file = self.workspace, self.workspace.settings.home / ON_PAPER
        moment = workspace.moment(as_read_on=READ_ON)
        bundle = board_bundle(records_of(workspace), moment, SMALL)
        self.say("The board as read before, to be handed on, with all that it was worked out from:")
        self.command("export", "board", SMALL, "--as-read-on", READ_ON, "--pdf", str(file))
        try:
            file.write_bytes(pdf_of(bundle.data))
        except Failed as why:
            self.say(str(why))
            return
        self.say(f"It is in {file}. Whoever has it checks it, byte for byte, with:")
        key = str(workspace.seals.keys()[0])
        self.command("verify", "--key", key, str(file))
        self.out.print()

    def invite(self, base: str, *, served: bool) -> None:
        """Where all of it can be read and done, and how to log in."""
        self.say("The same as pages" + (":" if served else ", once corrigenda serve shows them:"))
        for what, path in ADDRESSES:
            self.out.print(f"  {what:<24} {base}{path}")
        self.out.print()
        self.say("Two reviewers, as some decisions take both; each password is for one login:")
        for handle in (REVIEWER, SECOND):
            _, password = make_demo_reviewer(self.workspace, handle)
            self.out.print(f"  {handle:<24} {password}")
        self.out.print()

    def say(self, words: str) -> None:
        """A sentence between the tables."""
        self.out.print(words)
        self.out.print()

    def command(self, *words: str) -> None:
        """The command that shows the same."""
        home = self.workspace.settings.home
        where = [] if home == Path(DEFAULT_HOME) else ["--home", str(home)]
        self.out.print(
            f"  $ corrigenda {shlex.join([*where, *words])}", style="dim", soft_wrap=True
        )

    def board(self, slug: str, *options: str) -> Board:
        """A board, after the command that shows it."""
        asked = dict(zip(options[::2], options[1::2], strict=True))
        moment = self.workspace.moment(
            as_read_on=asked.get("--as-read-on"), corrected=asked.get("--corrected")
        )
        view, metric = asked.get("--view"), asked.get("--metric")
        with self.workspace.views.read() as reader:
            found = board_at(reader, slug, moment, view=view, metric=metric)
            how = status(found, posts(reader, slug, moment))
        self.command("board", slug, *options)
        show.board(self.out, found, how, brief=True)
        self.out.print()
        return found

    def paper(self) -> None:
        """The third page, as read on four days."""
        self.say(
            "And a paper. What could be found, reached and run of its code was read on different"
            " days, and shows from then on:"
        )
        store = self.workspace.ledger.store
        for day in PAPER_DAYS:
            moment = self.workspace.moment(as_read_on=day)
            with self.workspace.views.read() as reader:
                found = paper_at(reader, store, PAPER, moment)
            self.command("paper", PAPER, "--as-read-on", day)
            show_paper(self.out, found, brief=True)
            self.out.print()

    def reported(self, number: int) -> None:
        """The report, and what the public log says about it."""
        store = self.workspace.ledger.store
        with self.workspace.views.read() as reader:
            report = one_report(reader, number)
            log = [one for one in corrections(reader, store) if one.report == number]
        self.say(
            f"A reader ({READER}) reported it: 73.1 is the accuracy of code execution results on"
            " Math and not the executable code rate over all tasks."
        )
        self.command("report", "show", str(number))
        show_report(self.out, report, store.stream(stream_of_report(number)))
        self.say(
            f"Another person ({REVIEWER}) checked it against the frozen snapshot and decided; as a"
            f" board gets another number one by it, a third ({SECOND}) approved it. The decision is"
            " public, with all that it does."
        )
        self.command("corrections")
        for entry in log:
            correction(self.out, entry)


def sample_records() -> Iterator[tuple[str, bytes]]:
    """The sample files, by name."""
    folder = files("web") / "demo"
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        if file.name.endswith(".jsonl"):
            yield file.name, file.read_bytes()
