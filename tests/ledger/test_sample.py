"""Code samples: which codes are one, under which licence, and whom an outcome blames."""

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import commands as orders
from ledger import events as ev
from ledger.errors import BadValue, Conflict, NotFound
from ledger.importing.records import RecordsRefused
from ledger.sample import (
    blamed,
    completed_by,
    decide,
    parse_code,
    resolved,
    sample_id,
    samples_among,
    shorter,
    stem,
)
from ledger.subject import address_of, subject_in
from ledger.values import Digest, Slug
from ledger.vocabulary import POINTER_ONLY, RUN_OUTCOMES
from tests.shelf import CODES, FULL, RECORD, TWIN, Shelf, events, run, sample

READ_AT = datetime(2026, 9, 24, tzinfo=UTC)
CITED: dict[str, Any] = {"source": Slug("s"), "reading": Digest("a" * 64), "read_at": READ_AT}
HARVEST = ev.SampleHarvested(code=CODES[0], repository=Slug("r"), **CITED)


# --- which code is meant ----------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "abc", "A" * 16, "g" * 16, "a" * 15, "a" * 65, " " * 16])
def test_a_code_has_sixteen_digits_at_least(text: str) -> None:
    """A shorter prefix could mean too many samples; other letters are no digest."""
    with pytest.raises(BadValue, match="16 or more"):
        parse_code(text)


def test_a_prefix_is_completed_by_its_full_digest() -> None:
    """INC-63: the digits that a page shows and the whole digest are one sample."""
    assert resolved([CODES[0], FULL]) == {CODES[0]: FULL, FULL: FULL}
    assert samples_among([CODES[0], FULL]) == [FULL]


def test_a_digest_that_does_not_begin_so_is_another_sample() -> None:
    """Nothing is completed by what differs in one digit."""
    other = CODES[0][:-1] + "0" + FULL[16:]
    assert resolved([CODES[0], other]) == {CODES[0]: CODES[0], other: other}


def test_two_digests_that_begin_alike_are_two_samples_and_the_prefix_is_neither() -> None:
    """Such a pair can be made on purpose, so a second one is not refused, and nothing guessed."""
    codes = [FULL, CODES[0], TWIN]
    assert samples_among(codes) == [FULL, TWIN]
    assert resolved(codes) == {FULL: FULL, TWIN: TWIN, CODES[0]: CODES[0]}
    assert completed_by(CODES[0], [FULL, TWIN]) == [FULL, TWIN]


digits = st.text("ab", min_size=1, max_size=5).map(lambda end: "0" * 16 + end)


@given(st.lists(digits, max_size=8))
def test_which_codes_are_one_does_not_depend_on_their_order(codes: list[str]) -> None:
    """A pure function of all codes: each is one sample or itself, and completing only adds."""
    found = resolved(codes)
    assert found == resolved(reversed(codes))
    assert set(found) == set(codes)
    samples = samples_among(codes)
    for code, meant in found.items():
        assert meant.startswith(code)
        extending = [one for one in samples if one.startswith(code)]
        assert (meant in samples) == (len(extending) == 1)


def test_all_shorter_codes_of_a_code_can_be_looked_up() -> None:
    """From the stem on; so what was stated of a prefix is found from the full digest."""
    found = shorter(FULL)
    assert (found[0], found[-1], len(found)) == (stem(FULL), FULL[:-1], 48)
    assert shorter(CODES[0]) == []


def test_a_target_and_an_id_lead_to_each_other() -> None:
    """Reports name the page, decisions the id; a part of the page does not matter."""
    assert subject_in(f"samples/{CODES[0]}#run") == sample_id(CODES[0])
    assert address_of(sample_id(CODES[0])) == f"samples/{CODES[0]}"


# --- outcomes and blame -----------------------------------------------------------------------


def test_every_outcome_has_its_blame_and_it_is_stored_nowhere() -> None:
    """CR-06: a wrong draft and a fixture that could not drive it blame the instrument."""
    assert {outcome: blamed(outcome) for outcome in RUN_OUTCOMES} == {
        "honoured": None,
        "violated": "code",
        "draft-wrong": "instrument",
        "fixture-failed": "instrument",
        "no-run": None,
    }
    assert blamed(None) is None
    fields = {field for event in (ev.SampleRunRead, ev.SampleHarvested) for field in dir(event)}
    assert not {field for field in fields if "blame" in field}


@pytest.mark.parametrize(
    ("outcome", "blames"),
    [
        ("draft-wrong", "code"),
        ("fixture-failed", "code"),
        ("fixture-failed", "nobody"),
        ("violated", "instrument"),
        ("honoured", "code"),
        ("no-run", "instrument"),
    ],
)
def test_blame_cannot_be_swapped(shelf: Shelf, outcome: str, blames: str) -> None:
    """A line that blames another than the outcome does is refused, whatever the outcome."""
    before = shelf.head
    with pytest.raises(RecordsRefused, match=f"The outcome {outcome} blames"):
        shelf.read(RECORD, "2026-09-24", sample(), run(outcome=outcome, blames=blames))
    assert shelf.head == before


def test_a_line_may_say_the_blame_that_follows(shelf: Shelf) -> None:
    """It is read, and nothing of it is stored."""
    line = run(outcome="draft-wrong", blames="instrument")
    shelf.read(RECORD, "2026-09-24", sample(), line)
    assert shelf.sample(CODES[0]).tale.state is not None


@pytest.mark.parametrize(
    "bad",
    [
        run(outcome="crashed"),
        run(code="abc"),
        run(outcome="no-run", ran_on="2026-09"),
        sample(pointer_only="secret"),
        sample(commit="not-a-commit"),
        sample(path=""),
    ],
)
def test_what_a_record_cannot_say_is_refused(shelf: Shelf, bad: dict[str, Any]) -> None:
    """An unknown outcome or reason, a code that is none, a run without a run that has a date."""
    with pytest.raises(RecordsRefused, match="line 3"):
        shelf.read(RECORD, "2026-09-24", bad)


# --- licences ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reason", "licence", "fits"),
    [
        ("no-licence-file", None, True),
        ("no-licence-file", "MIT", False),
        ("not-identified", None, True),
        ("not-identified", "GPL-3.0", False),
        ("not-cleared", "MIT", True),
        ("not-cleared", None, False),
        ("not-permissive", "WTFPL", True),
        ("not-permissive", "GPL-3.0", True),
        ("not-permissive", "MIT", False),
        ("not-permissive", None, False),
    ],
)
def test_each_of_the_four_reasons_fits_its_licence(
    reason: str, licence: str | None, *, fits: bool
) -> None:
    """LI-04: a reason that contradicts the licence as recorded at harvest is refused."""
    assert len(POINTER_ONLY) == 4
    fact = orders.revised(HARVEST, pointer_only=reason, licence=licence)
    if fits:
        assert decide([], fact) == [fact]
    else:
        with pytest.raises(BadValue, match="the licence is recorded as"):
            decide([], fact)


def test_the_same_harvest_again_is_recorded_once() -> None:
    """Another reading of the same is a fact of its own, so a late one can land before it."""
    assert decide([HARVEST], HARVEST) == []
    later = orders.revised(HARVEST, read_at=datetime(2026, 10, 1, tzinfo=UTC))
    assert decide([HARVEST], later) == [later]


# --- a decision on a sample -------------------------------------------------------------------


def test_an_outcome_is_corrected_by_a_decision(shelf: Shelf) -> None:
    """Like a claim: from what the record says to what holds, with the snapshot checked."""
    frozen = shelf.read(RECORD, "2026-09-24", sample(), run(outcome="violated"))
    shelf.correct(sample_id(CODES[0]), f"samples/{CODES[0]}", frozen, outcome="draft-wrong")
    state = shelf.sample(CODES[0]).tale.state
    assert state is not None
    assert (state.says.outcome, state.shows.outcome) == ("violated", "draft-wrong")
    (corrected,) = [one for one in events(shelf) if isinstance(one, ev.ClaimCorrected)]
    assert corrected.changes == (ev.Change("outcome", "violated", "draft-wrong"),)


def test_what_a_record_only_counts_can_be_told_by_a_decision_alone(shelf: Shelf) -> None:
    """Nothing is made of counts; a person who looked may say which sample it was."""
    frozen = shelf.read(RECORD, "2026-09-24", sample())
    shelf.correct(sample_id(CODES[0]), f"samples/{CODES[0]}", frozen, outcome="violated")
    state = shelf.sample(CODES[0]).tale.state
    assert state is not None
    assert (state.says.outcome, state.shows.outcome) == (None, "violated")


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_decision_on_a_prefix_holds_for_the_sample_that_completes_it(
    shelf: Shelf, order: tuple[int, ...]
) -> None:
    """Whatever is read in which order after it: the codes are one sample, and so is its story."""
    first = shelf.read(RECORD, "2026-09-01", sample(), run(outcome="violated"))
    steps: list[Callable[[], object]] = [
        lambda: shelf.read(RECORD, "2026-09-24", sample(FULL)),
        lambda: shelf.read(RECORD, "2026-09-25", run(FULL[:20], "violated")),
        lambda: shelf.correct(
            sample_id(CODES[0]), f"samples/{CODES[0]}", first, outcome="fixture-failed"
        ),
    ]
    for place in order:
        steps[place]()
    found = shelf.sample(CODES[0])
    assert (found.code, found.complete) == (FULL, True)
    assert found.codes == (CODES[0], FULL[:20], FULL)
    assert found.tale.state is not None
    assert found.tale.state.shows.outcome == "fixture-failed"


def test_a_decision_is_refused_when_the_sample_has_moved_on(shelf: Shelf) -> None:
    """The reviewer saw it at a version; a run that was read since has to be looked at."""
    frozen = shelf.read(RECORD, "2026-09-01", sample())
    number = shelf.report(f"samples/{CODES[0]}")
    seen = shelf.desk.workspace.ledger.told(sample_id(CODES[0])).version
    shelf.read(RECORD, "2026-09-24", run(outcome="honoured"))
    wish = orders.Correct(
        claim=sample_id(CODES[0]), version=seen, applies_from="start", to=(("outcome", "violated"),)
    )
    with pytest.raises(Conflict):
        shelf.desk.decide(number, wish, snapshot=frozen)


@pytest.mark.parametrize("name", [CODES[1], "abc", "../../etc"])
def test_a_report_on_no_sample_is_refused(shelf: Shelf, name: str) -> None:
    """Nobody is asked to look at what is not there."""
    with pytest.raises(NotFound, match="sample"):
        shelf.report(f"samples/{name}")
