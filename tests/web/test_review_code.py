"""Reports on labels and samples on the review page: as good as on claims, and by the same way.

The made-up paper has a sample that ran as honoured and one whose draft was wrong; the archive calls
Wren/grafts the official repository. Somebody says that this is not so.
"""

import attrs
import orjson
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as Chromium
from werkzeug.test import TestResponse

from ledger import commands as orders
from ledger.events import Change
from ledger.sample import sample_id
from ledger.subject import address_of
from ledger.vocabulary import RUN_OUTCOMES
from tests.shelf import CODES, LABEL, PAPER, RECORD, run
from tests.web.people import Person, signed_in
from tests.web.sent import Fields, opened
from tests.web.served import overflow, served, unfold
from tests.web.shelved import GRAFTS, Shelved, shelved
from tests.web.test_pages import Page
from web.cookies import SESSION
from web.reporting.filing import file_numbered
from web.wiring import Workspace

__all__ = ["shelved"]

SAMPLE = sample_id(CODES[0])
BLAMED = Change("outcome", "honoured", "violated")
RELABELLED = Change("label", "official", "named-in-paper")


@attrs.frozen
class Case:
    """What is reported, what is asked for, and how people read it before and after."""

    subject: str
    asks: Change
    before: str
    after: str

    @property
    def target(self) -> str:
        """What names it."""
        return address_of(self.subject)


CASES = (
    Case(SAMPLE, BLAMED, "ran · honoured", "ran · violated contract"),
    Case(LABEL, RELABELLED, "official repository", "named in the paper"),
)


@attrs.frozen
class Office:
    """The paper's pages, and who reviews."""

    shelved: Shelved

    @property
    def workspace(self) -> Workspace:
        """The open ledger."""
        return self.shelved.shelf.desk.workspace

    def reviewer(self, handle: str = "boris") -> Person:
        """Somebody who is logged in as a reviewer."""
        return signed_in(self.shelved.pages.app, self.workspace, handle, "reviewer")

    def file(self, case: Case, by: str = "dana") -> int:
        """Report what a case asks for."""
        return file_numbered(
            self.workspace,
            by,
            lambda number: orders.FileReport(
                number=number,
                target=case.target,
                reason="wrong-value",
                proposes=(case.asks,),
                received_at=self.shelved.shelf.desk.clock.now,
            ),
        )

    def snapshot(self, case: Case) -> str:
        """The reading that a case rests on."""
        of_sample = case.subject.startswith("s")
        return str(self.shelved.record if of_sample else self.shelved.archive)

    def ready(self, person: Person, number: int, case: Case, **said: str | list[str]) -> Fields:
        """The form of a report with all that a decision needs."""
        fields = opened(person, f"/review/{number}")
        told: dict[str, str | list[str]] = {
            "outcome": "accepted",
            "applies": "start",
            "snapshot": self.snapshot(case),
            "statement": "The record says so.",
            "type": "correction",
        }
        for name, value in (told | said).items():
            fields[name.replace("__", "-")] = [value] if isinstance(value, str) else value
        return fields

    def accept(self, case: Case, handle: str = "boris", **said: str | list[str]) -> int:
        """Report it and accept it on the page; the number of the report."""
        number, person = self.file(case), self.reviewer(handle)
        answer = press(person, number, "decide", self.ready(person, number, case, **said))
        assert answer.status_code == 303, Page.of(answer.text).text
        return number

    def text(self, path: str) -> str:
        """A public page as it is read."""
        return Page.of(self.shelved.pages.page(path)).text


def press(person: Person, number: int, do: str, fields: Fields) -> TestResponse:
    """Press a button of a report's page."""
    return person.post(f"/review/{number}", {**fields, "do": do})


@pytest.fixture
def office(shelved: Shelved) -> Office:
    """The paper's pages with a desk behind them."""
    return Office(shelved)


# --- what a reviewer sees ---------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.asks.field)
def test_the_fact_stands_beside_the_frozen_source_that_it_rests_on(
    office: Office, case: Case
) -> None:
    """With its story in its own words, what is asked for by name, and the passage marked."""
    number, boris = office.file(case), office.reviewer()
    page = Page.of(boris.get(f"/review/{number}").text)
    kind = "sample" if case.asks.field == "outcome" else "label"
    assert f"The {kind}" in page.text
    assert f"{case.before}" in page.text
    assert case.after in page.text
    assert f"From the {kind}’s first reading" in page.text
    assert "are marked" in page.text
    assert "score:" not in page.text.lower()
    assert "board" not in page.text.partition("What happens to the")[2].partition("Statement")[0]
    assert page.tags["mark"] >= 2


def test_an_outcome_is_chosen_with_its_blame_which_nobody_can_swap(office: Office) -> None:
    """There is one field for both: each choice says whom it blames, as the vocabulary has it."""
    number, boris = office.file(CASES[0]), office.reviewer()
    html = boris.get(f"/review/{number}").text
    for name, (words, blames, _) in RUN_OUTCOMES.items():
        assert f'<option value="{name}"' in html
        assert f"{words} (blames {f'the {blames}' if blames else 'nobody'})" in html
    assert 'name="set-blames"' not in html
    fields = office.ready(boris, number, CASES[0], set__outcome="crashed")
    answer = press(boris, number, "decide", fields)
    assert answer.status_code == 400
    assert "known are honoured" in answer.text


@pytest.mark.parametrize("does", ["reidentify", "hold-out", "readmit"])
def test_what_does_not_rank_is_not_offered_to_be_ranked(office: Office, does: str) -> None:
    """Neither on the page, nor to whoever sends it all the same."""
    number, boris = office.file(CASES[1]), office.reviewer()
    assert f'value="{does}"' not in boris.get(f"/review/{number}").text
    fields = office.ready(boris, number, CASES[1], does=[does], model="x")
    assert press(boris, number, "decide", fields).status_code in (400, 404)
    assert office.text("/corrections").count("Correction 1") == 0


# --- what it would do -------------------------------------------------------------------------


def test_a_preview_shows_the_counts_of_the_paper_before_and_after(office: Office) -> None:
    """Sample and counts move as its page will show; nothing is recorded by looking."""
    number, boris = office.file(CASES[0]), office.reviewer()
    head = office.workspace.ledger.store.head()
    answer = press(boris, number, "preview", office.ready(boris, number, CASES[0]))
    text = Page.of(answer.text).text
    assert "Sample 1f0c7a5b2d9e4836 ran · honoured → ran · violated contract" in text
    assert "Samples: ran · honoured 1 → 0" in text
    assert "It takes no second person." in text
    assert office.workspace.ledger.store.head() == head
    accepted = press(boris, number, "decide", office.ready(boris, number, CASES[0]))
    assert accepted.status_code == 303
    shown = office.shelved.shelf.outcomes()
    assert (shown["honoured"], shown["violated"]) == (0, 1)


def test_a_preview_of_a_label_shows_the_label_and_the_parts(office: Office) -> None:
    """What a page says of samples by label follows the label."""
    number, boris = office.file(CASES[1]), office.reviewer()
    answer = press(boris, number, "preview", office.ready(boris, number, CASES[1]))
    text = Page.of(answer.text).text
    assert "Label of Wren/grafts official repository → named in the paper" in text
    assert "Samples from repositories: named in the paper none → 1" in text


def test_taking_a_sample_back_takes_two_people_and_says_so_of_a_sample(office: Office) -> None:
    """The same rule as for a claim, in words that fit; the preview shows what counts no more."""
    number, boris = office.file(CASES[0]), office.reviewer()
    fields = office.ready(boris, number, CASES[0], does=["retract"], type="retraction")
    text = Page.of(press(boris, number, "preview", fields).text).text
    assert "It takes a second person: it takes a sample back." in text
    assert "ran · honoured → not told sample by sample" in text
    assert "how it stands as its source has it → retracted" in text
    assert press(boris, number, "decide", fields).status_code == 303
    assert office.shelved.shelf.outcomes()["honoured"] == 1


def test_a_preview_refuses_what_deciding_would_refuse(office: Office) -> None:
    """What changes nothing says so before it is sent."""
    number, boris = office.file(CASES[0]), office.reviewer()
    fields = office.ready(boris, number, CASES[0], does=["clear"])
    answer = press(boris, number, "preview", fields)
    assert answer.status_code == 400
    assert "not disputed" in answer.text


# --- what comes of it -------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.asks.field)
def test_what_was_decided_shows_on_its_page_on_the_paper_and_in_the_log(
    office: Office, case: Case
) -> None:
    """One decision, the same everywhere, with its snapshot and who took it."""
    office.accept(case)
    for path in (GRAFTS, f"/{case.target}", "/corrections", "/corrections/1"):
        text = office.text(path)
        assert case.after in text, path
    notice = office.text("/corrections/1")
    assert office.snapshot(case) in notice
    assert f"{case.before} → {case.after}" in notice


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.asks.field)
def test_a_proposal_shows_its_effect_to_the_second_person(office: Office, case: Case) -> None:
    """Until then nothing shows anywhere; the one who proposed cannot approve."""
    number, boris = office.file(case), office.reviewer()
    fields = office.ready(boris, number, case, propose="yes")
    assert press(boris, number, "decide", fields).status_code == 303
    assert "proposed" not in office.text("/corrections")
    clara = office.reviewer("clara")
    page = Page.of(clara.get(f"/review/{number}").text).text
    assert f"{case.before} → {case.after}" in page
    assert "moved on" not in page
    own = opened(boris, f"/review/{number}")
    assert press(boris, number, "approve", own).status_code in (403, 409)
    assert press(clara, number, "approve", opened(clara, f"/review/{number}")).status_code == 303
    assert case.after in office.text("/corrections/1")


def test_a_proposal_cannot_be_approved_after_its_sample_moved_on(office: Office) -> None:
    """It says so on the page, and so does the refusal."""
    case = CASES[0]
    number, boris = office.file(case), office.reviewer()
    press(boris, number, "decide", office.ready(boris, number, case, propose="yes"))
    office.shelved.shelf.read(RECORD, "2026-10-01", run(CODES[0], "fixture-failed"))
    clara = office.reviewer("clara")
    fields = opened(clara, f"/review/{number}")
    assert "1 sample moved on since it was proposed" in clara.get(f"/review/{number}").text
    assert press(clara, number, "approve", fields).status_code == 409


def test_what_moved_on_meanwhile_is_told_with_all_that_was_typed(office: Office) -> None:
    """A reading came in between: 409, what it was, and nothing is recorded."""
    case = CASES[0]
    number, boris = office.file(case), office.reviewer()
    fields = office.ready(boris, number, case, statement="Kept as it was typed.")
    office.shelved.shelf.read(RECORD, "2026-10-01", run(CODES[0], "fixture-failed"))
    answer = press(boris, number, "decide", fields)
    text = Page.of(answer.text).text
    assert answer.status_code == 409
    assert f"Sample s{CODES[0]}: {RECORD} was read for it again" in text
    assert "Kept as it was typed." in answer.text
    assert office.shelved.shelf.outcomes()["violated"] == 0


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.asks.field)
def test_undoing_is_previewed_and_brings_back_what_was_there(office: Office, case: Case) -> None:
    """With a statement of its own; the log has both."""
    number, clara = office.accept(case), office.reviewer("clara")
    fields = opened(clara, f"/review/{number}")
    fields |= {"undo": [f"{number}.1"], "undo_statement": ["We read the wrong line."]}
    preview = Page.of(press(clara, number, "preview-undo", fields).text).text
    assert f"{case.after}" in preview.partition("Undo a decision")[2].partition("Undo it")[0]
    assert press(clara, number, "undo", fields).status_code == 303
    assert case.before in office.text(GRAFTS)
    assert "undoes correction 1" in office.text("/corrections")


def test_a_correction_of_a_correction_names_what_it_replaces(office: Office) -> None:
    """As for a claim: it follows from what it does, and the chain is public."""
    case = CASES[0]
    office.accept(case)
    again = Case(SAMPLE, Change("outcome", "violated", "fixture-failed"), case.after, "fixture")
    office.accept(again)
    assert "in the place of correction 1" in office.text("/corrections")
    assert "no longer in force" in office.text("/corrections/1")


def test_what_rests_on_the_same_snapshot_can_be_corrected_along(office: Office) -> None:
    """The other sample of the record is listed with its version; both stand in one decision."""
    case = CASES[0]
    number, boris = office.file(case), office.reviewer()
    other = sample_id(CODES[1])
    assert f'value="{other}"' in boris.get(f"/review/{number}").text
    fields = office.ready(boris, number, case, claim=[SAMPLE, other])
    assert press(boris, number, "decide", fields).status_code == 303
    shown = office.shelved.shelf.outcomes()
    assert (shown["honoured"], shown["draft-wrong"], shown["violated"]) == (0, 0, 2)


# --- the queue --------------------------------------------------------------------------------


def test_the_queue_says_what_each_is_about_and_can_be_narrowed(office: Office) -> None:
    """By kind and by paper; each line leads to the paper."""
    for case in CASES:
        office.file(case)
    boris = office.reviewer()
    whole = Page.of(boris.get("/review").text).text
    assert "Report 1: Sample 1f0c7a5b2d9e4836, ran · honoured" in whole
    assert "Report 2: Label of Wren/grafts, official repository" in whole
    assert f"paper {PAPER}" in whole
    narrowed = Page.of(boris.get("/review?about=labels").text).text
    assert "Report 2" in narrowed
    assert "Report 1:" not in narrowed
    assert "1 report, oldest first" in narrowed
    assert "2 reports, oldest first" in boris.get(f"/review?paper={PAPER}").text
    assert boris.get("/review?about=Nope!").status_code == 400


def test_labels_and_samples_are_decided_together(office: Office) -> None:
    """As they are asked for, each in a decision of its own, checked against its latest reading."""
    for case in CASES:
        office.file(case)
    boris = office.reviewer()
    html = boris.get("/review").text
    lines = [part.partition('"')[0] for part in html.split('name="chosen" value="')[1:]]
    fields = {
        "chosen": lines,
        "outcome": "accepted",
        "checked": "yes",
        "applies": "start",
        "reason": "wrong-value",
        "statement": "Both are so.",
        "do": "decide",
    }
    answer = boris.post("/review", fields)
    assert answer.status_code == 303, Page.of(answer.text).text
    log = office.text("/corrections")
    assert "2 entries" in log
    assert office.shelved.shelf.label() == "named-in-paper"


def test_the_interface_gives_what_a_decision_has_to_name(office: Office) -> None:
    """Which kind it is, its version, and the snapshots to check."""
    number, boris = office.file(CASES[0]), office.reviewer()
    told = boris.get(f"/api/reports/{number}").get_json()["claim"]
    assert (told["kind"], told["claim_id"]) == ("sample", SAMPLE)
    assert told["snapshots"] == [str(office.shelved.record)]
    assert told["version"] == office.workspace.ledger.told(SAMPLE).version


# --- the public log ---------------------------------------------------------------------------


def test_the_log_can_be_narrowed_to_labels_to_samples_and_to_a_paper(office: Office) -> None:
    """As page, JSON, CSV and feed; what was declined belongs to what it was about, too."""
    office.accept(CASES[0])
    office.accept(CASES[1])
    number, boris = office.file(CASES[1]), office.reviewer()
    fields = office.ready(boris, number, CASES[1], outcome="declined", does=[], type="")
    assert press(boris, number, "decide", fields).status_code == 303
    pages = office.shelved.pages

    def numbers(query: str) -> list[int]:
        return [one["number"] for one in pages.json(f"/corrections.json?{query}")["corrections"]]

    assert numbers("about=samples") == [1]
    assert numbers("about=labels") == [3, 2]
    assert numbers("about=claims") == []
    assert numbers(f"paper={PAPER}") == [3, 2, 1]
    assert numbers("paper=1234.56789") == []
    assert numbers("q=Wren/grafts") == [3, 2, 1]
    assert numbers("q=wren--grafts+named") == []
    assert numbers(f"q={CODES[0]}") == [1]
    page = Page.of(pages.page("/corrections?about=labels"))
    assert "About the label of Wren/grafts for paper 2603.01234; nothing was changed." in page.text
    assert f"/labels/{LABEL}" in page.values("href")
    assert "code samples" in page.text
    assert "Grafting" in page.text
    feed = pages.get("/corrections.atom?about=samples").text
    assert feed.count("<entry>") == 1
    assert "sample 1f0c7a5b2d9e4836" in feed
    rows = pages.get(f"/corrections.csv?paper={PAPER}").text.splitlines()
    assert sum(f",samples/{CODES[0]}" in one and ",outcome," in one for one in rows) == 1
    assert sum(one.endswith(f",labels/{LABEL}") for one in rows) == 2
    assert pages.get("/corrections?about=nothing").status_code == 400


def test_a_notice_says_what_it_moved_on_the_paper_for_good(office: Office) -> None:
    """Just before and just after, whatever is decided later; its JSON and JSON-LD say it too."""
    number = office.accept(CASES[0])
    pages = office.shelved.pages
    first = pages.json("/corrections/1.json")["papers"]
    assert first[0]["paper"] == PAPER
    moved = {(one["of"], one["what"]): one["after"] for one in first[0]["differs"]}
    assert moved["count", "honoured"] == "0"
    assert moved["count", "violated"] == "1"
    clara = office.reviewer("clara")
    fields = opened(clara, f"/review/{number}")
    fields |= {"undo": [f"{number}.1"], "undo_statement": ["We read the wrong line."]}
    assert press(clara, number, "undo", fields).status_code == 303
    assert pages.json("/corrections/1.json")["papers"] == first
    assert pages.json("/corrections/2.json")["papers"][0]["differs"][0]["after"] == "honoured"
    about = orjson.loads(pages.get("/corrections/1.jsonld").data)["about"]
    assert f"/samples/{CODES[0]}" in str(about)


# --- in a browser -----------------------------------------------------------------------------


def test_the_whole_way_of_a_report_on_a_sample_without_scripts(
    browser: Browser, office: Office
) -> None:
    """Filed on its page, decided on the review page, and seen by everybody; at 360 pixels."""
    boris = office.reviewer()
    with served(office.shelved.pages.app) as address:
        context = browser.new_context(
            java_script_enabled=False, viewport={"width": 360, "height": 900}
        )
        page = context.new_page()
        page.goto(f"{address}/samples/{CODES[0]}")
        page.get_by_role("link", name="Report a problem or propose a change").click()
        file_it(page)
        page.context.add_cookies([{"name": SESSION, "value": boris.secret, "url": address}])
        page.goto(f"{address}/review?about=samples")
        page.get_by_role("link", name="Report 1: Sample").click()
        decide_it(page)
        for path in (GRAFTS, f"/samples/{CODES[0]}", "/corrections"):
            page.goto(f"{address}{path}")
            expect(page.get_by_role("main")).to_contain_text("ran · violated contract")
            assert overflow(page) == 0, path
        context.close()


def file_it(page: Chromium) -> None:
    """Say on the public form what should be different."""
    page.get_by_label("What is wrong").select_option("wrong-value")
    page.get_by_label("Change what it says").check()
    page.get_by_label("What it should say").fill("ran · violated contract")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("main")).to_contain_text("report 1")


def decide_it(page: Chromium) -> None:
    """Look, preview and decide as a reviewer does."""
    assert overflow(page) == 0
    page.get_by_label("read 24 Sep 2026").check()
    page.get_by_label("Accepted, as asked").check()
    page.get_by_label("Correct it, to the values below").check()
    page.get_by_label("Outcome", exact=True).select_option("violated")
    page.get_by_label("From the sample’s first reading").check()
    page.get_by_label("Statement what readers are told").fill("The record says so.")
    page.get_by_role("button", name="Preview", exact=True).last.click()
    expect(page.locator("#preview")).to_contain_text("Samples: ran · honoured")
    assert overflow(page) == 0
    page.get_by_role("button", name="Decide", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("The decision is recorded.")


def test_axe_finds_nothing_where_labels_and_samples_are_reviewed(
    page: Chromium, office: Office
) -> None:
    """The queue, an open report on each, one that waits for a second person, one decided."""
    opened_one, boris = office.file(CASES[0]), office.reviewer()
    waiting = office.file(CASES[1])
    press(boris, waiting, "decide", office.ready(boris, waiting, CASES[1], propose="yes"))
    office.accept(CASES[0])
    paths = [
        "/review",
        f"/review/{opened_one}",
        f"/review/{waiting}",
        "/review/3",
        "/corrections/1",
    ]
    clara = office.reviewer("clara")
    with served(office.shelved.pages.app) as address:
        page.context.add_cookies([{"name": SESSION, "value": clara.secret, "url": address}])
        for width, scheme in ((1280, "light"), (360, "dark")):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            for path in paths:
                page.goto(address + path)
                unfold(page)
                found = Axe().run(page)
                assert not found.violations_count, f"{path}\n{found.generate_report()}"
                assert overflow(page) == 0, path
