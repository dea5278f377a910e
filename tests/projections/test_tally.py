"""Counts beside samples: whatever is known, the numbers shown never disagree with one another."""

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.counts import check_counts
from ledger.events import CountedPart, RunCountsRead
from ledger.values import Digest, Slug, parse_instant
from ledger.vocabulary import LABELS, NO_RUN, RAN, RUN_OUTCOMES
from projections.code.tally import Known, Tally, covers, tally

CITED: dict[str, Any] = {
    "source": Slug("s"),
    "reading": Digest("a" * 64),
    "read_at": parse_instant("2026-09-24"),
}
REPOSITORIES = ("r1", "r2")


def known(code: str = "1", said: str | None = None, **more: Any) -> Known:
    """A sample that is known."""
    base: dict[str, Any] = {"repository": "r1", "label": "archive-listed", "pointer_only": False}
    return Known(code=code, said=said, **(base | {"outcome": said} | more))


def counted(harvested: int, ran: int, **more: Any) -> RunCountsRead:
    """What a record counts."""
    outcomes = more.pop("outcomes", {})
    return RunCountsRead(harvested=harvested, ran=ran, outcomes=outcomes, **CITED, **more)


def three(**outcomes: int) -> RunCountsRead:
    """The seed page's counts: three samples, of which only the numbers are known."""
    said = {"honoured": 0, "violated": 1, "draft-wrong": 2}
    named = {name.replace("_", "-"): count for name, count in outcomes.items()}
    return counted(3, 3, no_run=0, outcomes=said | named)


# --- what shows -------------------------------------------------------------------------------


def test_counts_show_as_they_are_stated_and_nothing_is_made_of_them() -> None:
    """Three known codes, three counted outcomes; which has which stays open."""
    found = tally([known("1"), known("2"), known("3")], three())
    assert (found.counted, found.harvested, found.listed, found.told) == (True, 3, 3, 0)
    assert dict(found.outcomes) == {
        "honoured": 0,
        "violated": 1,
        "draft-wrong": 2,
        "fixture-failed": 0,
        "no-run": 0,
    }


def test_without_counts_the_samples_that_are_known_are_counted() -> None:
    """Of one whose outcome is not told, that is what is said."""
    found = tally([known("1", "honoured"), known("2", "no-run"), known("3")], None)
    assert (found.counted, found.harvested, found.ran, found.not_told) == (False, 3, 1, 1)
    assert found.outcomes[NO_RUN] == 1


def test_counts_that_are_too_small_give_way_to_what_is_known() -> None:
    """Older counts are not shown as if they were today's; that they are outdated is."""
    four = [known(str(number)) for number in range(4)]
    found = tally(four, three())
    assert (found.counted, found.outdated, found.harvested) == (False, True, 4)
    two = [known("1", "violated"), known("2", "violated")]
    assert tally(two, three()).outdated
    assert not tally(two[:1], three()).outdated


def test_a_sample_that_a_decision_moved_is_moved_in_the_counts() -> None:
    """Violated by its record, decided to be a wrong draft: none is left that blames the code."""
    moved = known("1", "violated", outcome="draft-wrong")
    found = tally([moved, known("2"), known("3")], three())
    assert (found.counted, found.moved) == (True, 1)
    assert (found.outcomes["violated"], found.outcomes["draft-wrong"]) == (0, 3)
    retracted = tally([known("1", "violated", outcome=None)], three())
    assert (retracted.ran, retracted.not_told, retracted.outcomes["violated"]) == (2, 1, 0)


def test_one_that_only_a_decision_tells_takes_nothing_from_the_counts() -> None:
    """Its record did not say which it was, so it is one of those that are counted."""
    found = tally([known("1", None, outcome="violated")], three())
    assert (found.moved, found.outcomes["violated"], found.told) == (0, 1, 1)


def test_parts_by_label_are_the_records_until_a_label_changes() -> None:
    """A corrected label moves its samples to another part; the whole stays what it is."""
    parts = (CountedPart(label="archive-listed", repositories=1, harvested=3, ran=3),)
    stated = counted(3, 3, no_run=0, parts=parts, repositories=1)
    three_of_them = [known(str(number)) for number in range(3)]
    (part,) = tally(three_of_them, stated).parts
    assert (part.label, part.repositories, part.harvested, part.ran) == ("archive-listed", 1, 3, 3)
    official = [known(str(number), label="official") for number in range(3)]
    found = tally(official, stated)
    assert (found.counted, [part.label for part in found.parts]) == (True, ["official"])


def test_what_is_counted_and_not_listed_is_a_part_without_a_label() -> None:
    """The whole is the sum of its parts, also where a part is not known."""
    found = tally([known("1")], three())
    assert [(part.label, part.harvested) for part in found.parts] == [
        ("archive-listed", 1),
        (None, 2),
    ]
    assert found.only_counted == 2


# --- whatever is known ------------------------------------------------------------------------

outcomes = st.sampled_from((None, *RUN_OUTCOMES))
samples = st.builds(
    Known,
    repository=st.sampled_from(REPOSITORIES),
    label=st.sampled_from((None, "official", "archive-listed", "community")),
    code=st.text("ab", min_size=3, max_size=3),
    said=outcomes,
    outcome=outcomes,
    pointer_only=st.booleans(),
)


@st.composite
def stated_counts(draw: st.DrawFn) -> RunCountsRead:
    """Counts that add up, of which some are not stated."""
    numbers = {one: draw(st.integers(0, 3)) for one in RAN}
    ran, without = sum(numbers.values()), draw(st.integers(0, 2))
    stated = draw(st.sets(st.sampled_from(RAN)))
    harvested = ran + without
    split = draw(st.integers(0, harvested))
    parts = draw(
        st.sampled_from(
            (
                (),
                (
                    CountedPart(label="official", harvested=split),
                    CountedPart(label="archive-listed", harvested=harvested - split),
                ),
                (
                    CountedPart(repository=Slug("r1"), harvested=split),
                    CountedPart(repository=Slug("r2"), harvested=harvested - split),
                ),
            )
        )
    )
    return counted(
        harvested,
        ran,
        no_run=draw(st.sampled_from((None, without))),
        outcomes={one: count for one, count in numbers.items() if one in stated},
        pointer_only=draw(st.sampled_from((None, 0, harvested))),
        repositories=draw(st.sampled_from((None, 1, 2))),
        parts=parts,
    )


@settings(max_examples=400, deadline=None)
@given(st.lists(samples, max_size=6), st.none() | stated_counts())
def test_no_number_disagrees_with_another_or_with_the_samples(
    found: list[Known], counts: RunCountsRead | None
) -> None:
    """The sums of CR-12 hold of whatever shows, and nothing is smaller than what is known."""
    if counts is not None:
        check_counts(counts)
    shown = tally(found, counts)
    check_sums(shown)
    check_against(shown, found)
    assert shown.counted == (counts is not None and covers(counts, found))


def check_sums(shown: Tally) -> None:
    """CR-12, of whatever is stated."""
    without = shown.outcomes[NO_RUN]
    assert without is not None
    assert shown.harvested == shown.ran + without + shown.not_told
    told = [shown.outcomes[one] for one in RAN]
    stated = [count for count in told if count is not None]
    assert min((*stated, shown.ran, without, shown.not_told)) >= 0
    assert sum(stated) <= shown.ran
    if len(stated) == len(told):
        assert sum(stated) == shown.ran
    assert sum(part.harvested for part in shown.parts) == shown.harvested
    ran = [part.ran for part in shown.parts if part.ran is not None]
    assert sum(ran) <= shown.ran
    if len(ran) == len(shown.parts):
        assert sum(ran) == shown.ran
    places = [list(LABELS).index(part.label) for part in shown.parts if part.label]
    assert places == sorted(places)


def check_against(shown: Tally, found: list[Known]) -> None:
    """No count is smaller than the samples that are known one by one."""
    assert shown.listed == len(found) <= shown.harvested
    by_outcome = Counter(one.outcome for one in found)
    for outcome, count in shown.outcomes.items():
        assert count is None or count >= by_outcome[outcome]
    by_label = Counter(one.label for one in found)
    for part in shown.parts:
        if part.label is not None:
            assert part.harvested >= by_label[part.label]


@given(st.permutations(range(5)), st.lists(samples, min_size=5, max_size=5), stated_counts())
def test_the_order_of_what_is_known_does_not_show(
    order: list[int], found: list[Known], counts: RunCountsRead
) -> None:
    """The numbers follow from what is known, not from what came first."""
    assert tally([found[place] for place in order], counts) == tally(found, counts)
