"""Reports on labels and samples on the review page: as good as on claims, and by the same way."""

import pytest

from ledger.events import Change
from ledger.sample import sample_id
from ledger.vocabulary import RUN_OUTCOMES
from tests.shelf import CODES, RECORD, run
from tests.web.flat_page import Page
from tests.web.reported_code import CASES, SAMPLE, Case, Office, office
from tests.web.reviewing import press
from tests.web.sent import opened
from tests.web.shelved import GRAFTS, shelved

__all__ = ["office", "shelved"]


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
