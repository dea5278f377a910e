"""The whole story in one walk through a real browser: from a wrong number on a board to its
correction, and to the undoing of that, by a reporter and two reviewers at browsers of their own.

With scripts, without them, on a narrow screen, and with nothing but a keyboard.
"""

import re
import xml.etree.ElementTree as ET

import attrs
import pytest
from playwright.sync_api import Browser, Locator, expect

from ledger.events import Change
from tests.web.desk import IBIS, LOON, Office
from tests.web.test_browser_review import address
from tests.web.walker import Walker, walking
from web.passwords import hashed
from web.private.accounts import add_account

__all__ = ["address"]

BOARD, CLAIM = "/benchmarks/kitebench?view=independent", f"/claims/{IBIS}"
PASSWORD = "five kites above the pond"
ATOM = {"a": "http://www.w3.org/2005/Atom"}

WAYS = {
    "with scripts": {"scripts": True, "width": 1280, "keyboard": False},
    "without scripts": {"scripts": False, "width": 1280, "keyboard": False},
    "on a narrow screen": {"scripts": True, "width": 360, "keyboard": False},
    "by keyboard alone": {"scripts": True, "width": 1280, "keyboard": True},
}


@attrs.frozen
class Story:
    """Who is in it: a reader, and two reviewers with accounts of their own."""

    office: Office
    robin: Walker
    boris: Walker
    clara: Walker

    # --- what a public page says --------------------------------------------------------------

    def board(self, score: str, *marks: str) -> None:
        """What the row of Ibis-13B says to everybody."""
        self.robin.visit(BOARD)
        expect(row_of(self.robin)).to_contain_text(score)
        shown = row_of(self.robin).locator(".marks li")
        expect(shown).to_have_text([re.compile(mark) for mark in marks])

    def claim(self, score: str) -> None:
        """What the page of the claim says to everybody."""
        self.robin.visit(CLAIM)
        expect(heading(self.robin)).to_have_text(f"Ibis-13B: {score}")

    def log(self, *entries: str) -> None:
        """The headings of the public log, newest first."""
        self.robin.visit("/corrections")
        expect(self.robin.page.locator(".correction h3")).to_have_text(
            [re.compile(entry) for entry in entries]
        )

    def feed(self) -> list[str]:
        """What the entries of the Atom feed say, the newest first."""
        response = self.robin.page.request.get(f"{self.robin.base}/corrections.atom")
        entries = ET.fromstring(response.body()).findall("a:entry", ATOM)  # noqa: S314 -- our own
        return [entry.findtext("a:content", "", ATOM) for entry in entries]

    def steps(self, secret: str, *steps: str) -> None:
        """What the reporter's own page tells."""
        self.robin.visit(secret)
        expect(self.robin.page.locator(".steps li")).to_have_text(
            [re.compile(step) for step in steps]
        )


@pytest.mark.timeout(900)
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_from_a_wrong_number_to_its_correction_and_back(
    browser: Browser, office: Office, address: str, way: dict[str, bool]
) -> None:
    """Report, screen, review, preview, propose, approve; it shows; and all of that undone."""
    for handle in ("boris", "clara"):
        account = (handle, ("reviewer",), hashed(PASSWORD))
        add_account(office.desk.workspace.private, *account, one_time=False)
    with (
        walking(browser, address, **way) as robin,
        walking(browser, address, **way) as boris,
        walking(browser, address, **way) as clara,
    ):
        story = Story(office, robin, boris, clara)
        secret = report(story)
        screen(story)
        propose(story)
        nothing_shows_yet(story, secret)
        approve(story)
        it_shows_everywhere(story, secret)
        undo(story)
        it_is_undone_everywhere(story, secret)


# --- what happens -----------------------------------------------------------------------------


def report(story: Story) -> str:
    """From the row of the board to the secret page; its address."""
    robin = story.robin
    robin.visit(BOARD)
    robin.follow("Report a problem or propose a change", within=row_of(robin))
    expect(robin.page.get_by_role("link", name="Ibis-13B on KiteBench v1: 80.0%")).to_be_visible()
    expect(robin.page.get_by_label("Change what it says")).to_be_checked()
    expect(robin.page.locator("#hint-set-score")).to_have_text("Now: 80.0")
    robin.choose("What is wrong", "The number is wrong")
    robin.write("Score", "70")
    robin.write("In your words", "Table 3 says 70.")
    robin.write("Addresses", "https://kites.example/table-3")
    robin.write("E-mail address", "robin@kites.example")
    robin.write("Name to thank", "Robin Reed")
    robin.press("Send")
    expect(robin.page).to_have_url(re.compile(r"/reports/[A-Za-z0-9_-]{43}$"))
    expect(robin.page.get_by_role("main")).to_contain_text("It has come in as report 1")
    story.steps(robin.path, "Received")
    return robin.path


def screen(story: Story) -> None:
    """Log in, set apart what is rubbish, take what is none, and open it."""
    rubbish = story.office.desk.file(LOON, (Change("score", "40", "100"),), by="spammer")
    boris = story.boris
    log_in(boris, "boris", "/review")
    expect(boris.page.locator(".queue li")).to_have_count(2)
    boris.pick(f"Report {rubbish}: Loon-3B")
    boris.tick(f"Choose report {rubbish}")
    boris.unfold("Set apart all that are ticked")
    boris.press("Set them apart")
    expect(boris.page.get_by_role("status")).to_have_text("1 set apart.")
    boris.take("Report 1: Ibis-13B, 80.0%")
    expect(boris.page.locator(".queue li")).to_have_count(1)
    expect(boris.page.locator(".queue li")).to_contain_text("held by you")
    boris.open("Report 1: Ibis-13B, 80.0%")
    assert boris.path == "/review/1"


def propose(story: Story) -> None:
    """The frozen source stands beside the report; look at the boards first, then decide."""
    boris = story.boris
    main = boris.page.get_by_role("main")
    for said in ("Table 3 says 70.", "https://kites.example/table-3", "wants to be named Robin"):
        expect(main).to_contain_text(said)
    source = boris.page.locator("section").filter(has=boris.page.locator("#source"))
    expect(source.locator("mark")).to_have_text(["Ibis-13B", "80.0"])
    expect(source).to_contain_text("The name and the number are marked.")
    expect(boris.page.locator(".diff").first).to_have_text("80.0 → 70")
    stands_beside(boris, source)
    boris.tick("read 1 Jul 2025, 08:00:00 UTC")
    boris.tick("Accepted, as asked")
    boris.tick("It is the right row")
    boris.tick("From the claim’s first reading")
    boris.choose("Kind of update", "Correction")
    boris.write("Statement what readers are told", "Table 3 of the source says 70.")
    boris.press("Preview")
    preview = boris.page.locator("#preview")
    expect(preview).to_contain_text("It takes a second person: ")
    expect(preview.get_by_text("Number one: Ibis-13B → Heron-7B").first).to_be_visible()
    boris.press("Decide")
    told = "The decision is proposed; it does nothing until a second person approves it."
    expect(boris.page.get_by_role("status")).to_have_text(told)


def nothing_shows_yet(story: Story, secret: str) -> None:
    """What is proposed is nobody's business, but for the reporter's."""
    story.board("80.0%")
    story.claim("80.0%")
    story.log()
    expect(story.robin.page.get_by_role("main")).to_contain_text("1 report waits for a decision.")
    assert story.feed() == []
    before = ("Received", "In review", "A reviewer took it on")
    story.steps(secret, *before, "A decision is proposed and waits for a second person")


def approve(story: Story) -> None:
    """A second reviewer finds it in the queue and approves it."""
    clara = story.clara
    log_in(clara, "clara", "/review")
    clara.follow("await a second person")
    clara.pick("Report 1: Ibis-13B, 80.0%")
    clara.open("Report 1: Ibis-13B, 80.0%")
    proposal = clara.page.locator("section.proposal")
    expect(proposal).to_contain_text("proposed by boris")
    expect(proposal.get_by_text("Number one: Ibis-13B → Heron-7B").first).to_be_visible()
    clara.press("Approve")
    expect(clara.page.get_by_role("status")).to_have_text("The decision is recorded.")


def it_shows_everywhere(story: Story, secret: str) -> None:
    """Board, claim, log, notice, feed, and the reporter's page."""
    story.board("70%", "corrected")
    story.robin.follow("corrected", within=row_of(story.robin))
    assert story.robin.path == "/corrections/1"
    expect(heading(story.robin)).to_have_text("Correction 1: Ibis-13B on KiteBench v1")
    notice = story.robin.page.get_by_role("main")
    for said in ("Table 3 of the source says 70.", "as boris had proposed", "Robin Reed"):
        expect(notice).to_contain_text(said)
    expect(notice.get_by_text("Number one: Ibis-13B → Heron-7B").first).to_be_visible()
    story.claim("70%")
    expect(story.robin.page.get_by_role("main")).to_contain_text("corrected; it was read as 80.0")
    story.log("Correction 1: accepted")
    (told,) = story.feed()
    assert "score 80.0 → 70" in told
    story.robin.visit(secret)
    expect(story.robin.page.locator(".steps li").last).to_contain_text("Decided: accepted")
    story.robin.follow("correction 1")
    assert story.robin.path == "/corrections/1"


def undo(story: Story) -> None:
    """The second reviewer finds that it was wrong; undoing it takes two as well."""
    clara, boris = story.clara, story.boris
    clara.unfold("Undo a decision")
    clara.tick("(correction 1)")
    clara.write("Statement", "Table 3 is about the smaller model.", exact=True)
    clara.press("Preview")
    expect(clara.page.locator("#preview")).to_contain_text("Number one: Heron-7B → Ibis-13B")
    clara.press("Undo it")
    expect(clara.page.get_by_role("status")).to_contain_text("The decision is proposed")
    boris.follow("Queue")
    boris.pick("Report 1: Ibis-13B, 70%")
    boris.open("Report 1: Ibis-13B, 70%")
    expect(boris.page.locator("section.proposal")).to_contain_text("undo decision 1.")
    boris.press("Approve")
    expect(boris.page.get_by_role("status")).to_have_text("The decision is recorded.")


def it_is_undone_everywhere(story: Story, secret: str) -> None:
    """The board is back, and both decisions stand, each saying what became of it."""
    story.board("80.0%")
    story.claim("80.0%")
    story.log("Correction 2: undoes correction 1", "Correction 1: accepted")
    story.robin.follow("Correction 2")
    chain = story.robin.page.locator(".chain li")
    expect(chain).to_have_text([re.compile("^Correction 1: "), re.compile("^Correction 2, this")])
    story.robin.follow("Correction 1", within=chain.first)
    expect(story.robin.page.get_by_role("note").first).to_have_text(
        "This decision is no longer in force: correction 2 came in its place. See correction 2"
    )
    undone, done = story.feed()
    assert "score 70 → 80.0" in undone
    assert "No longer in force: correction 2 came in its place." in done
    story.robin.visit(secret)
    expect(story.robin.page.locator(".steps li").last).to_contain_text("The decision was undone")


# --- parts of it ------------------------------------------------------------------------------


def log_in(walker: Walker, handle: str, path: str) -> None:
    """By the page that asks for it."""
    walker.visit(path)
    assert walker.path.startswith("/login")
    walker.write("Handle", handle)
    walker.write("Password", PASSWORD)
    walker.press("Log in")
    assert walker.path == path


def row_of(walker: Walker) -> Locator:
    """The row of Ibis-13B on the board."""
    rows = walker.page.get_by_role("table", name="Independent runs: score").get_by_role("row")
    return rows.filter(has_text="Ibis-13B")


def heading(walker: Walker) -> Locator:
    """The one heading of a page."""
    return walker.page.get_by_role("heading", level=1)


def stands_beside(walker: Walker, source: Locator) -> None:
    """On a wide screen the source is right of the report, on a narrow one below it."""
    left = walker.page.locator("section").filter(has=walker.page.locator("#reported"))
    one, other = left.bounding_box(), source.bounding_box()
    size = walker.page.viewport_size
    assert one
    assert other
    assert size
    if size["width"] > 1000:
        assert other["x"] >= one["x"] + one["width"]
        assert abs(other["y"] - one["y"]) < 50
    else:
        assert other["y"] >= one["y"] + one["height"]
