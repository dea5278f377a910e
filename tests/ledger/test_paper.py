"""Papers, repositories and labels: what may be recorded, and what a decision lays over a label."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from ledger import commands as orders
from ledger import events as ev
from ledger.counts import all_outcomes, check_counts
from ledger.errors import (
    BadValue,
    CountsDisagree,
    NoSnapshotChecked,
    NotAReading,
    NotFound,
    Refused,
)
from ledger.importing.records import RecordsRefused
from ledger.label import label_id
from ledger.paper import decide, decide_repository
from ledger.values import Digest, Slug
from tests.shelf import ARCHIVE, LABEL, OWN, RECORD, Shelf, counts, events, label, line

READ_AT = datetime(2026, 9, 24, tzinfo=UTC)
PAPER = ev.PaperRegistered(slug=Slug("p"), title="Grafting", read_at=READ_AT)
CITED: dict[str, Any] = {"source": Slug("s"), "reading": Digest("a" * 64), "read_at": READ_AT}
COUNTS = ev.RunCountsRead(harvested=3, ran=3, no_run=0, outcomes={"violated": 1}, **CITED)


# --- a paper ----------------------------------------------------------------------------------


def test_a_paper_is_registered_once_and_described_ever_after() -> None:
    """The same registration again records nothing; another one is refused."""
    assert decide([], PAPER) == [PAPER]
    assert decide([PAPER], PAPER) == []
    with pytest.raises(Refused, match="describe or rename"):
        decide([PAPER], orders.revised(PAPER, title="Budding"))
    described = ev.PaperDescribed(facts={"venue": "Orchards"}, read_at=READ_AT, why="its page")
    assert decide([PAPER], described) == [described]


def test_nothing_is_said_of_a_paper_that_is_not_registered() -> None:
    """An abstract of nothing is refused, with what to do."""
    with pytest.raises(NotFound, match="register it first"):
        decide([], ev.AbstractQuoted(text="We graft.", **CITED))


@pytest.mark.parametrize(
    "facts", [{"title": None}, {"authors": "Ada"}, {"arxiv_id": "240214658"}, {"source": "A b"}]
)
def test_facts_that_are_calculated_with_are_checked(facts: dict[str, str | None]) -> None:
    """A title stays, authors keep their order, an arXiv number has its form."""
    with pytest.raises(BadValue):
        decide([PAPER], ev.PaperDescribed(facts=facts, read_at=READ_AT, why="typed"))


@pytest.mark.parametrize("name", ["grafts", "a/b/c/d/e", "a b/c", "/b", "a/", "é/b"])
def test_a_repository_is_called_owner_and_name(name: str) -> None:
    """Anything else could not be found anywhere."""
    fact = ev.RepositoryRegistered(slug=Slug("r"), name=name, read_at=READ_AT)
    with pytest.raises(BadValue, match="owner/name"):
        decide_repository([], fact)


def test_what_is_not_listed_bears_no_flags() -> None:
    """Official and gone is a contradiction."""
    fact = ev.RepositoryListed(repository=Slug("r"), listed=False, official=True, **CITED)
    with pytest.raises(BadValue, match="no flags"):
        decide([PAPER], fact)


# --- counts -----------------------------------------------------------------------------------


def counted(**changed: Any) -> ev.RunCountsRead:
    """Counts with some of them changed."""
    return orders.revised(COUNTS, **changed)


@pytest.mark.parametrize(
    ("changed", "sum_"),
    [
        ({"no_run": 1}, "3 harvested, but 3 ran + 1 without a run = 4"),
        ({"harvested": 2, "no_run": None}, "3 ran of 2 harvested"),
        ({"outcomes": {"violated": 2, "draft-wrong": 2}}, "3 ran, but 2 violated + 2 draft"),
        (
            {
                "outcomes": {
                    "honoured": 0,
                    "violated": 1,
                    "draft-wrong": 1,
                    "fixture-failed": 0,
                }
            },
            "= 2",
        ),
        ({"pointer_only": 4}, "4 pointer only of 3 harvested"),
        (
            {"parts": (ev.CountedPart(label="official", harvested=2),)},
            "3 harvested, but by part 2 = 2",
        ),
        (
            {"parts": (ev.CountedPart(label="official", harvested=3, ran=2),)},
            "3 ran, but by part 2 = 2",
        ),
        (
            {"parts": (ev.CountedPart(label="official", harvested=3, ran=4),)},
            "4 ran of 3 from official",
        ),
        (
            {
                "repositories": 2,
                "parts": (ev.CountedPart(label="official", repositories=1, harvested=3),),
            },
            "2 repositories, but by part 1 = 1",
        ),
    ],
)
def test_counts_that_do_not_add_up_are_refused_with_the_sum(
    changed: dict[str, Any], sum_: str
) -> None:
    """CR-12: harvested = ran + without a run; ran = its outcomes; the whole = its parts."""
    with pytest.raises(CountsDisagree) as caught:
        check_counts(counted(**changed))
    assert sum_ in str(caught.value)


@pytest.mark.parametrize(
    "changed",
    [
        {"outcomes": {"no-run": 0}},
        {"outcomes": {"crashed": 1}},
        {"harvested": -1, "ran": 0, "no_run": None, "outcomes": {}},
        {"parts": (ev.CountedPart(harvested=3),)},
        {"parts": (ev.CountedPart(label="famous", harvested=3),)},
        {"parts": (ev.CountedPart(label="official", harvested=1),) * 3},
    ],
)
def test_counts_are_of_known_words_and_whole(changed: dict[str, Any]) -> None:
    """An unknown outcome or label, a part of nothing and a negative number are refused."""
    with pytest.raises(BadValue):
        check_counts(counted(**changed))


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ({"honoured": 0, "violated": 1, "draft-wrong": 2}, [0, 1, 2, 0]),
        ({"violated": 1, "draft-wrong": 2}, [0, 1, 2, 0]),
        ({"honoured": 0, "violated": 1, "draft-wrong": 1}, [0, 1, 1, 1]),
        ({"violated": 1}, [None, 1, None, None]),
        ({}, [None, None, None, None]),
    ],
)
def test_an_outcome_that_is_not_stated_is_what_the_sums_leave_or_unknown(
    outcomes: dict[str, int], expected: list[int | None]
) -> None:
    """INC-67: a zero that follows is stated; what does not follow is never made up."""
    found = all_outcomes(counted(outcomes=outcomes))
    assert list(found.values()) == [*expected, 0]


def test_a_file_with_such_counts_is_refused_as_a_whole(shelf: Shelf) -> None:
    """The sum stands beside the line, and nothing is recorded."""
    before = shelf.head
    with pytest.raises(RecordsRefused, match=r"line 3: The counts do not add up: 3 harvested"):
        shelf.read(RECORD, "2026-09-24", counts(3, 2, 0))
    assert shelf.head == before


# --- what was read stands on a frozen snapshot ------------------------------------------------


def test_every_fact_about_a_paper_names_a_snapshot_that_is_kept(shelf: Shelf) -> None:
    """Its bytes are the record's own lines; a fact that cites another one is refused."""
    digest = shelf.read(
        ARCHIVE, "2025-07-28", label("archive-listed"), line("abstract", text="We.")
    )
    ledger = shelf.desk.workspace.ledger
    assert ledger.archive.get(digest).count(b"\n") == 2
    read = [one for one in events(shelf) if isinstance(one, ev.ReadFact)]
    assert {one.reading for one in read} == {digest}
    elsewhere = orders.revised(read[0], reading=Digest("f" * 64))
    assert isinstance(elsewhere, ev.RepositoryLabelled)
    with pytest.raises(BadValue, match="freeze it first"):
        ledger.do(orders.Assert(stream=f"label:{LABEL}", fact=elsewhere), "mira")


@pytest.mark.parametrize(
    "bad",
    [
        line("listed-repository", repository="nobody--knows"),
        label("archive-listed", repository="nobody--knows"),
    ],
)
def test_what_is_not_registered_is_not_labelled(shelf: Shelf, bad: dict[str, Any]) -> None:
    """The refusal says which line would register it."""
    with pytest.raises(RecordsRefused, match="no repository is registered as nobody--knows"):
        shelf.read(ARCHIVE, "2025-07-28", bad)


@pytest.mark.parametrize(
    ("source", "word"),
    [
        (ARCHIVE, "community"),
        (ARCHIVE, "found-in-text"),
        (RECORD, "official"),
        (RECORD, "archive-listed"),
        (RECORD, "famous"),
    ],
)
def test_a_label_is_asserted_by_those_whose_word_it_is(
    shelf: Shelf, source: str, word: str
) -> None:
    """RL-06: the first three are the archive's to assert, the others a harvester's."""
    with pytest.raises(RecordsRefused):
        shelf.read(source, "2025-07-28", label(word))


# --- a decision on a label --------------------------------------------------------------------


def test_a_label_is_corrected_by_a_decision_that_checked_its_snapshot(shelf: Shelf) -> None:
    """CO-04 and INC-61: the archive's record stays as it was frozen; the correction stands over
    it."""
    frozen = shelf.read(ARCHIVE, "2025-07-28", label("archive-listed", as_of="2025-07-28"))
    shelf.correct(LABEL, f"labels/{LABEL}", frozen, label="official")
    told = shelf.desk.workspace.ledger.told(LABEL)
    assert [one.says and one.says.label for one in told.readings] == ["archive-listed"]
    assert shelf.label() == "official"
    (corrected,) = [one for one in events(shelf) if isinstance(one, ev.ClaimCorrected)]
    assert corrected.changes == (ev.Change("label", "archive-listed", "official"),)


def test_a_label_is_not_corrected_without_its_snapshot(shelf: Shelf) -> None:
    """None, or one that the label does not rest on, is refused; so is a report on no label."""
    shelf.read(ARCHIVE, "2025-07-28", label("archive-listed"))
    wish = orders.Correct(claim=LABEL, applies_from="start", to=(("label", "official"),))
    with pytest.raises(NotAReading):
        shelf.decide(f"labels/{LABEL}", wish, snapshot=Digest("f" * 64))
    with pytest.raises(NoSnapshotChecked):
        shelf.decide(f"labels/{LABEL}", wish, snapshot=None)  # type: ignore[arg-type]
    with pytest.raises(NotFound, match="label"):
        shelf.report(f"labels/{label_id('other', OWN, ARCHIVE)}")


Wish = Callable[[], orders.AnyEffect]


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        (lambda: orders.HoldOut(claim=LABEL, applies_from="start"), "does not rank"),
        (lambda: orders.Reidentify(claim=LABEL, applies_from="start", model="m"), "no model"),
        (lambda: correct(label="famous"), "known are official"),
        (lambda: correct(label=None), "retract the label instead"),
        (lambda: correct(as_of="2027"), "future"),
        (lambda: correct(label="archive-listed"), "change nothing"),
        (lambda: correct(score="1"), "correctable are label, as_of"),
    ],
)
def test_a_label_takes_only_what_suits_it(shelf: Shelf, wish: Wish, why: str) -> None:
    """It does not rank, and says one of five words."""
    frozen = shelf.read(ARCHIVE, "2025-07-28", label("archive-listed"))
    with pytest.raises(Refused, match=why):
        shelf.decide(f"labels/{LABEL}", wish(), snapshot=frozen)


def correct(**to: str | None) -> orders.Correct:
    """A wish to correct the label."""
    return orders.Correct(claim=LABEL, applies_from="start", to=tuple(to.items()))


def test_a_correction_of_a_label_does_not_outlive_what_it_corrects(shelf: Shelf) -> None:
    """Once the archive says something else by itself, that shows, and the label is put up again."""
    frozen = shelf.read(ARCHIVE, "2025-07-28", label("archive-listed"))
    shelf.correct(LABEL, f"labels/{LABEL}", frozen, label="official")
    shelf.read(ARCHIVE, "2026-01-05", label("named-in-paper"))
    (found,) = shelf.paper().repositories[0].labels
    assert found.shows == "named-in-paper"
    assert found.tale.state is not None
    assert found.tale.state.review
