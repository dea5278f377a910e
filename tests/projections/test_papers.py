"""Papers as read on any day, as recorded through any position, whatever arrived first."""

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from ledger import commands as orders
from ledger.errors import NotFound, SeveralSamples
from ledger.sample import sample_id
from projections.code.found import papers_page
from projections.decisions.corrections import corrections
from reports.contract import correction_json
from tests.shelf import (
    ARCHIVE,
    CODES,
    FULL,
    LABEL,
    OTHER,
    OWN,
    PAPER,
    RECORD,
    TWIN,
    Shelf,
    counts,
    label,
    line,
    run,
    sample,
    shelves,
)


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Shelf]:
    """The same on each engine."""
    where = None if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    with shelves(tmp_path / "home", where) as made:
        yield made


def filled(shelf: Shelf) -> None:
    """A whole life: an archive, a window, a record with counts, and one that tells more."""
    quote = line("abstract", text="We graft.To test it, we wait.", licence="CC0-1.0")
    entry = line("archive-entry", leaderboard_rows=0, tasks=["Grafting"], tasks_without_page=1)
    listed = line("listed-repository", repository=OWN, official=False, mentioned=False)
    shelf.read(ARCHIVE, "2025-07-28", quote, entry, listed, label("archive-listed"))
    window = {"subject": "reachability", "first_day": "2026-09-16", "last_day": "2026-09-18"}
    shelf.bring(line("probe-window", slug="w1", **window), at="2026-09-16")
    three = counts(3, 3, 0, honoured=0, violated=1, draft_wrong=2)
    shelf.read(RECORD, "2026-09-24", three, *(sample(code) for code in CODES))
    shelf.read(RECORD, "2026-10-10", sample(FULL, licence="MIT"), run(FULL, "violated"))


# --- as read on a day -------------------------------------------------------------------------


def test_nothing_shows_before_it_was_read(either: Shelf) -> None:
    """Each fact from its own reading on; before the first one the page says why it is empty."""
    filled(either)
    before = either.paper("2025-06-30")
    assert (before.title, before.facts, before.repositories) == ("Grafting", {}, ())
    assert before.empty_because == (
        "nothing of it had been read by then; the first reading is of 2025-07-01"
    )
    assert either.paper("2025-07-27").entries == ()
    archived = either.paper("2025-08-01")
    assert [one.fact.text for one in archived.abstracts] == ["We graft.To test it, we wait."]
    assert [one.label for one in archived.repositories] == ["archive-listed"]
    assert (archived.windows, archived.records) == ((), ())
    assert [one.state for one in either.paper("2026-09-17").windows] == ["open"]
    assert either.paper("2026-09-17").repositories[0].reach is None
    assert [one.state for one in either.paper("2026-09-20").windows] == ["closed"]
    assert either.record("2026-09-24").tally.harvested == 3


def test_the_pages_of_all_days_are_rebuilt_to_the_byte(either: Shelf) -> None:
    """The read model is disposable: a rebuild finds no difference, and shows the same."""
    filled(either)
    days = (None, "2025-08-01", "2026-09-20", "2026-09-24")
    pages = [either.page(day) for day in days]
    follower = either.desk.workspace.follower
    assert follower.check() == []
    follower.rebuild()
    assert [either.page(day) for day in days] == pages


def test_a_page_pinned_to_a_position_never_changes(either: Shelf) -> None:
    """What is read, decided or taken back later does not reach it."""
    filled(either)
    head = str(either.head)
    pinned = [either.page(day, recorded_through=head) for day in (None, "2026-09-24")]
    late = either.read(ARCHIVE, "2025-07-29", label("named-in-paper"))
    either.correct(LABEL, f"labels/{LABEL}", late, label="official")
    either.take_back(late)
    either.read(RECORD, "2026-09-25", sample(TWIN), run(CODES[1], "honoured"))
    after = [either.page(day, recorded_through=head) for day in (None, "2026-09-24")]
    assert after == pinned


def test_a_late_reading_lands_where_it_belongs(shelf: Shelf) -> None:
    """X in January, x in March, y in February, which arrives last: March still shows x."""
    shelf.read(ARCHIVE, "2026-01-10", label("archive-listed"))
    shelf.read(ARCHIVE, "2026-03-10", label("archive-listed"))
    shelf.read(ARCHIVE, "2026-02-10", label("official"))
    shown = [shelf.label(f"2026-0{month}-20") for month in (1, 2, 3)]
    assert shown == ["archive-listed", "official", "archive-listed"]


def test_a_label_that_is_no_longer_asserted_goes(shelf: Shelf) -> None:
    """From that reading on; the repository goes with it, if nobody lists it any more."""
    shelf.read(ARCHIVE, "2026-01-10", label("official"), line("listed-repository", repository=OWN))
    shelf.read(ARCHIVE, "2026-02-10", label(None))
    assert shelf.label("2026-02-09") == "official"
    assert shelf.label() is None
    assert len(shelf.paper().repositories) == 1
    gone = line("listed-repository", repository=OWN, listed=False)
    shelf.read(ARCHIVE, "2026-03-10", gone)
    assert shelf.paper().repositories == ()


def test_a_reading_that_was_taken_back_counts_no_longer(either: Shelf) -> None:
    """What the one before said holds again; read anew, it counts again."""
    either.read(ARCHIVE, "2026-01-10", label("archive-listed"))
    wrong = either.read(ARCHIVE, "2026-02-10", label("official"))
    either.read(RECORD, "2026-02-11", sample(), counts(1, 1, 0, honoured=1))
    record = either.read(RECORD, "2026-02-12", run(outcome="violated"))
    assert either.record().tally.outdated
    either.take_back(wrong)
    either.take_back(record)
    assert either.label() == "archive-listed"
    assert either.outcomes()["honoured"] == 1
    assert either.read(ARCHIVE, "2026-02-10", label("official")) == wrong
    assert either.label() == "official"


# --- repositories, records, samples -----------------------------------------------------------


def test_samples_of_an_official_repository_come_first(shelf: Shelf) -> None:
    """CR-11: whatever their digits and whenever they were harvested."""
    shelf.read(ARCHIVE, "2026-01-10", label("archive-listed"), label("official", OTHER))
    shelf.read(RECORD, "2026-02-10", sample(CODES[0]), sample(CODES[2], OTHER))
    found = shelf.paper()
    assert [one.slug for one in found.repositories] == [OTHER, OWN]
    assert [one.sample.code for one in shelf.record().samples] == [CODES[2], CODES[0]]


def test_the_same_code_in_two_repositories_is_two_copies_of_one_sample(shelf: Shelf) -> None:
    """Counted once a repository, so that the parts add up; one sample with one story."""
    shelf.read(ARCHIVE, "2026-01-10", label("official"), label("archive-listed", OTHER))
    shelf.read(RECORD, "2026-02-10", sample(licence="MIT"), sample(repository=OTHER))
    assert shelf.record().tally.harvested == 2
    found = shelf.sample(CODES[0])
    assert [(one.fact.repository, one.fact.licence) for one in found.copies] == [
        (OWN, "MIT"),
        (OTHER, None),
    ]


def test_two_records_are_told_side_by_side(shelf: Shelf) -> None:
    """That they disagree is marked; neither side is lost, and they are not added up."""
    shelf.read(ARCHIVE, "2026-01-10", label("official"))
    shelf.read(RECORD, "2026-02-10", sample(), run(outcome="honoured"))
    shelf.read("nursery", "2026-02-11", sample(), run(outcome="violated"))
    found = shelf.sample(CODES[0])
    assert found.disagree
    states = {one.source.slug: one.tale.state for one in found.outcomes}
    shown = {source: state.shows.outcome for source, state in states.items() if state}
    assert shown == {RECORD: "honoured", "nursery": "violated"}
    tallies = [one.tally.harvested for one in shelf.paper().records]
    assert tallies == [1, 1]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_prefix_is_completed_whatever_comes_first(shelf: Shelf, order: tuple[int, ...]) -> None:
    """One sample by its full digest, with the outcome that was told of the prefix."""
    shelf.read(ARCHIVE, "2026-01-10", label("official"))
    lines = [sample(symbol="cut"), run(outcome="draft-wrong"), sample(FULL)]
    for place in order:
        shelf.read(RECORD, f"2026-02-1{place}", lines[place])
    found = shelf.sample(CODES[0])
    assert (found.code, found.complete) == (FULL, True)
    (listed,) = shelf.record().samples
    assert (listed.sample.code, listed.shows) == (FULL, "draft-wrong")
    assert shelf.sample(CODES[0], "2026-02-11").code == CODES[0]


def test_a_prefix_of_two_samples_is_neither(shelf: Shelf) -> None:
    """Two full digests that begin alike: both are samples, the prefix could be either."""
    shelf.read(ARCHIVE, "2026-01-10", label("official"), label("archive-listed", OTHER))
    shelf.read(RECORD, "2026-02-10", sample(), run(outcome="violated"))
    shelf.read(RECORD, "2026-02-11", sample(FULL, OTHER))
    assert shelf.sample(CODES[0]).code == FULL
    shelf.read(RECORD, "2026-02-12", sample(TWIN, OTHER))
    with pytest.raises(SeveralSamples, match="give more digits"):
        shelf.sample(CODES[0])
    assert shelf.sample(FULL).tale.state is not None
    assert shelf.sample(FULL).outcome_of(RECORD) is not None
    listed = {one.sample.code: one for one in shelf.record().samples}
    assert set(listed) == {CODES[0], FULL, TWIN}
    assert listed[CODES[0]].sample.may_be == (FULL, TWIN)
    assert listed[CODES[0]].shows == "violated"
    assert listed[FULL].shows is None
    assert shelf.sample(CODES[0], "2026-02-11").code == FULL


def test_a_link_to_a_file_says_whether_it_is_the_harvested_one(shelf: Shelf) -> None:
    """INC-68: at its commit, or at the default branch; without a path the repository."""
    shelf.read(ARCHIVE, "2026-01-10", label("official"))
    at_commit = sample(FULL, path="a/b.py", commit="0123abc")
    shelf.read(RECORD, "2026-02-10", sample(CODES[1], path="a/b.py"), sample(CODES[2]), at_commit)
    files = {one.sample.code: one.copy.file for one in shelf.record().samples}
    base = "https://example.org/Wren/grafts/blob"
    assert files == {
        CODES[1]: f"{base}/HEAD/a/b.py",
        CODES[2]: None,
        FULL: f"{base}/0123abc/a/b.py",
    }


def test_an_unknown_paper_or_sample_is_refused(shelf: Shelf) -> None:
    """There is none, or none by that day."""
    filled(shelf)
    with pytest.raises(NotFound):
        shelf.sample(CODES[0], "2026-09-23")
    with pytest.raises(NotFound):
        shelf.sample("0" * 64)
    moment = shelf.moment("2025-06-30")
    with shelf.desk.workspace.views.read() as reader:
        assert papers_page(reader, moment, 10).papers == ()
        assert [one.slug for one in papers_page(reader, shelf.moment(), 10).papers] == [PAPER]


# --- decisions --------------------------------------------------------------------------------


def test_decisions_on_a_label_and_a_sample_stand_in_the_log(either: Shelf) -> None:
    """With what they changed, like a claim's; as read before them nothing is different."""
    archive = either.read(ARCHIVE, "2025-07-28", label("archive-listed"))
    record = either.read(RECORD, "2026-09-24", sample(), run(outcome="violated"))
    either.desk.at("2026-11-30T13:00:00Z")
    either.correct(LABEL, f"labels/{LABEL}", archive, label="official")
    found = either.correct(
        sample_id(CODES[0]), f"samples/{CODES[0]}", record, outcome="draft-wrong"
    )
    either.desk.at("2026-11-30T14:00:00Z")
    assert (either.label(), either.label("2026-11-30T12:30:00Z")) == ("official", "archive-listed")
    assert either.label("2026-11-30T12:30:00Z", corrected="since") == "official"
    assert either.outcomes()["draft-wrong"] == 1
    assert either.outcomes("2026-09-25")["violated"] == 1
    by_sample, by_label = (correction_json(one) for one in log(either))
    assert by_label["subjects"] == [
        {
            "kind": "label",
            "id": LABEL,
            "address": f"labels/{LABEL}",
            "name": "Wren/grafts",
            "paper": PAPER,
            "before": {"label": "archive-listed"},
            "after": {"label": "official"},
            "applies_from": "start",
        }
    ]
    assert by_sample["subjects"][0]["after"] == {"outcome": "draft-wrong"}
    assert (by_sample["claims"], by_sample["snapshot"]) == ([], record)
    assert either.paper().corrections == (2, 1)
    decision = by_sample["decision"]
    either.desk.reverse(found, decision)
    assert either.outcomes()["violated"] == 1
    assert [one.in_force for one in log(either)] == [True, False, True]
    assert either.desk.workspace.follower.check() == []


def log(shelf: Shelf) -> list[Any]:
    """The public log, newest first."""
    shelf.desk.workspace.follower.catch_up()
    with shelf.desk.workspace.views.read() as reader:
        return corrections(reader, shelf.desk.workspace.ledger.store)


def test_a_retracted_label_and_a_retracted_run_show_no_more(shelf: Shelf) -> None:
    """Taken off by two people, and marked; a run that was invalid is not told any more."""
    archive = shelf.read(ARCHIVE, "2025-07-28", label("archive-listed"))
    record = shelf.read(RECORD, "2026-09-24", sample(), run(outcome="violated"))
    wish = orders.Retract(claim=LABEL, applies_from="start")
    shelf.decide(f"labels/{LABEL}", wish, snapshot=archive)
    assert shelf.label() is None
    invalid = orders.Retract(claim=sample_id(CODES[0]), applies_from="start")
    shelf.decide(f"samples/{CODES[0]}", invalid, snapshot=record)
    found = shelf.record()
    assert (found.tally.ran, found.tally.not_told) == (0, 1)
    assert "retracted" in [mark["kind"] for mark in found.samples[0].sample.tale.marks]
