"""What a records file leaves in the ledger: once, whole, and only what it may take for granted."""

import re
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import attrs
import pytest

from ledger import commands as orders
from ledger import events as ev
from ledger.archive import Archive, CannotKeep
from ledger.importing.records import RecordsRefused, parse_records
from ledger.values import Instant, PartialDate, Score, Slug
from tests.ledger.record_lines import (
    BENCHMARK,
    CLAIM_LINE,
    HEADER,
    LAB,
    MODEL,
    NOW,
    PAGE,
    READ_AT,
    READING,
    ROOT,
    RULE,
    SOURCE,
    Desk,
    Line,
    parsed,
)


def test_a_page_is_recorded_as_facts_and_a_transcribed_reading(desk: Desk) -> None:
    """Facts in one transaction, then the reading with its claims; who, and from which file."""
    records = parsed(*PAGE)
    facts, reading = desk.take(records)
    assert (facts.rows, facts.counts["recorded"], facts.digest) == (5, 5, records.digest)
    assert (reading.rows, reading.counts["recorded"]) == (1, 1)
    assert reading.notes[0] == "line 7: report on orchard"
    first, *_ = recorded = desk.ledger.store.after(0, 100)
    assert {record.envelope.recorded_by for record in recorded} == {"mira"}
    assert {record.envelope.recorded_at for record in recorded[:5]} == {first.envelope.recorded_at}
    assert first.envelope.cause == f"import:{records.digest}"
    frozen = desk.facts("source:report")[1]
    assert isinstance(frozen, ev.SourceFrozen)
    assert (frozen.transcribed, frozen.file) == (True, "page.jsonl")
    assert desk.ledger.archive.get(frozen.digest) == records.readings[0].board.data


def test_the_same_file_again_records_nothing(desk: Desk, tmp_path: Path, postgres_url: str) -> None:
    """Twice is once, on either engine."""
    with closing(Desk.at(postgres_url, postgres_url, tmp_path / "another archive")) as other:
        for one in (desk, other):
            one.bring_in(*PAGE)
            head = one.head
            receipts = one.bring_in(*PAGE)
            assert one.head == head
            assert all(receipt.known_already for receipt in receipts)
            assert [receipt.counts["unchanged"] for receipt in receipts] == [5, 1]


@pytest.mark.parametrize(
    "order", [("bigcodebench", "code-interpreter"), ("code-interpreter", "bigcodebench")]
)
def test_the_demos_pages_can_be_imported_in_either_order(
    desk: Desk, order: tuple[str, str]
) -> None:
    """They share a lab and a model; each stands alone, and twice is once."""
    pages = [(ROOT / "web" / "demo" / f"{name}.jsonl") for name in order]
    for page in (*pages, *pages):
        desk.take(parse_records(page.name, page.read_bytes(), NOW))
    assert len(desk.claims()) == 89 + 26
    assert len(desk.facts("model:qwen1.5-72b")) == len(desk.facts("lab:alibaba")) == 1


def test_a_dry_run_counts_the_same_and_records_nothing(desk: Desk) -> None:
    """Models that the file itself registers count as registered."""
    tried = desk.bring_in(*PAGE, dry_run=True)
    assert desk.head == 0
    assert not any(desk.ledger.archive.digests())
    assert [one.counts for one in tried] == [one.counts for one in desk.bring_in(*PAGE)]


def test_an_interrupted_import_is_finished_by_the_same_file(desk: Desk, tmp_path: Path) -> None:
    """Dead between the facts and the readings: the facts stand, the readings follow."""
    (tmp_path / "full disk").write_text("", encoding="utf-8")
    broken = attrs.evolve(desk.ledger, archive=Archive(tmp_path / "full disk"))
    with pytest.raises(CannotKeep, match="full disk"):
        attrs.evolve(desk, ledger=broken).bring_in(*PAGE)
    assert (desk.head, desk.claims()) == (5, [])
    facts, reading = desk.bring_in(*PAGE)
    assert (facts.counts["recorded"], facts.counts["unchanged"]) == (0, 5)
    assert reading.counts["recorded"] == 1


def test_progress_is_told_reading_by_reading(desk: Desk) -> None:
    """How many are done, and of how many."""
    told: list[tuple[int, int]] = []
    report: Callable[[int, int], None] = lambda done, of: told.append((done, of))  # noqa: E731
    desk.bring_in(*PAGE, READING | {"order": "2"}, CLAIM_LINE, progress=report)
    assert told == [(1, 2), (2, 2)]


def test_a_page_that_is_read_again_registers_nothing_anew(desk: Desk) -> None:
    """The later file lists the same things; only what its reading changed is recorded."""
    desk.bring_in(*PAGE)
    later = HEADER | {"read_at": "2026-11-20"}
    again = [line for line in PAGE if line not in (RULE, CLAIM_LINE)]
    facts, reading = desk.bring_in(*again, CLAIM_LINE | {"score": "71.00"}, header=later)
    assert facts.counts["unchanged"] == 4
    assert reading.counts["restated"] == 1


def test_a_registration_that_says_otherwise_is_refused(desk: Desk) -> None:
    """What a slug means was settled when it was registered."""
    desk.bring_in(LAB)
    with pytest.raises(RecordsRefused, match="line 2: The lab alder is registered already"):
        desk.bring_in(LAB | {"name": "Elder Labs"})


def test_readings_are_entered_in_the_order_in_which_they_were_made(desk: Desk) -> None:
    """The file may list them otherwise; the first reading is the one that records the claim."""
    late = READING | {"read_at": "2026-11-14"}
    receipts = desk.bring_in(
        *PAGE[:-2], RULE | {"read_at": "2026-11-01"}, late, CLAIM_LINE, READING, CLAIM_LINE
    )
    assert [one.counts["recorded"] for one in receipts[1:]] == [1, 0]
    assert [one.read_at for one in receipts[1:]] == [READ_AT, READ_AT + timedelta(days=2)]


def test_facts_follow_the_order_of_their_lines(desk: Desk) -> None:
    """A lab has to be registered before its model, on an earlier line or earlier still."""
    with pytest.raises(RecordsRefused, match="line 2, lab: no lab is registered as alder; a lab"):
        desk.bring_in(MODEL, LAB)
    assert desk.head == 0
    desk.bring_in(LAB)
    desk.bring_in(MODEL)
    assert len(desk.facts("model:birch")) == 1


UNREGISTERED: list[tuple[list[Line], int, str, str]] = [
    ([LAB, MODEL, BENCHMARK, RULE, READING, CLAIM_LINE], 6, "source", "no source .* as report"),
    ([LAB, MODEL, SOURCE, READING, CLAIM_LINE], 5, "benchmark", "no benchmark .* as orchard"),
    ([*PAGE[:2], *PAGE[3:]], 6, "metrics", "grown has no ranking rule on orchard"),
    ([*PAGE[:3], *PAGE[4:]], 7, "name", "Birch means no registered model by 2026-11-12T00:00:00Z"),
    ([RULE], 2, "benchmark", "no benchmark is registered as orchard"),
    ([SOURCE | {"model": "birch"}], 2, "model", "no model is registered as birch"),
]


@pytest.mark.parametrize(("lines", "row", "field", "why"), UNREGISTERED)
def test_what_a_line_takes_for_granted_has_to_be_registered(
    desk: Desk, lines: list[Line], row: int, field: str, why: str
) -> None:
    """Nothing is registered by the way, and nothing of the file is recorded."""
    with pytest.raises(RecordsRefused) as caught:
        desk.bring_in(*lines)
    assert [(one.row, one.field) for one in caught.value.problems] == [(row, field)]
    assert re.search(why, caught.value.problems[0].why)
    assert desk.head == 0


def test_a_model_known_from_a_later_day_only_is_no_model_yet(desk: Desk) -> None:
    """The refusal says from when on the name means something."""
    early = READING | {"read_at": "2026-11-01"}
    with pytest.raises(RecordsRefused, match="it means birch only as of 2026-11-12T00:00:00Z"):
        desk.bring_in(*PAGE[:-2], early, CLAIM_LINE)


def test_a_reading_may_ask_to_register_the_names_that_it_meets(desk: Desk) -> None:
    """With "register": true unknown names become models, and known ones stay what they are."""
    beech = CLAIM_LINE | {"name": "beech"}
    desk.bring_in(*PAGE[:-2], READING | {"register": True}, CLAIM_LINE, beech)
    assert len(desk.facts("model:beech")) == len(desk.facts("model:birch")) == 1
    assert len(desk.claims()) == 2


def test_a_row_that_was_named_before_keeps_its_model(desk: Desk) -> None:
    """A new name under an old key need not mean anything; a new row's name must."""
    desk.bring_in(*PAGE[:-1], CLAIM_LINE | {"key": "1"})
    renamed = CLAIM_LINE | {"key": "1", "name": "Birch (best)"}
    later = HEADER | {"read_at": "2026-11-20"}
    (receipt,) = desk.bring_in(READING, renamed, header=later)
    assert receipt.counts["restated"] == 1
    with pytest.raises(RecordsRefused, match=r"line 3, name: Birch \(best\) means no registered"):
        desk.bring_in(READING | {"order": "2"}, renamed | {"key": "2"}, header=later)


def test_a_name_that_means_another_model_needs_means_from(desk: Desk) -> None:
    """Otherwise the new model would take over the scores of the old one."""
    desk.bring_in(LAB, MODEL)
    second = MODEL | {"slug": "birch-2"}
    with pytest.raises(RecordsRefused) as caught:
        desk.bring_in(second)
    assert "line 2, name: Birch already means the model birch; give means_from" in str(caught.value)
    desk.bring_in(second | {"means_from": "2026-11-12"})
    (registered,) = desk.facts("model:birch-2")
    assert isinstance(registered, ev.ModelRegistered)
    assert registered.means_from == READ_AT


def test_two_models_of_one_file_cannot_share_a_name(desk: Desk) -> None:
    """Name and version together are what means a model."""
    with pytest.raises(RecordsRefused, match="line 4, name: Birch May already means the model a"):
        desk.bring_in(
            LAB,
            MODEL | {"slug": "a", "version": "May"},
            MODEL | {"slug": "b", "name": "Birch May"},
        )


def test_only_a_launch_post_lists_a_benchmark_or_leaves_it_out(desk: Desk) -> None:
    """A report that is said to list one would bend the history of launch posts."""
    post = {"record": "post", "source": "report", "benchmark": "orchard", "listed": True}
    with pytest.raises(RecordsRefused, match="line 4, source: report is a technical-report"):
        desk.bring_in(BENCHMARK, SOURCE, post)
    desk.bring_in(BENCHMARK, SOURCE | {"kind": "launch-post"}, post | {"listed": False})
    assert desk.facts("source:report")[1:] == [
        ev.PostRead(benchmark=Slug("orchard"), listed=False, read_at=READ_AT)
    ]


def test_a_rule_of_the_stream_refuses_the_line(desk: Desk) -> None:
    """What the ledger's own rules refuse is said beside everything else that is wrong."""
    caveat = {"record": "caveat", "benchmark": "orchard", "caveat": "hail", "text": None}
    with pytest.raises(RecordsRefused) as caught:
        desk.bring_in(BENCHMARK, RULE | {"combine": "worst"}, caveat, MODEL)
    assert [problem.row for problem in caught.value.problems] == [3, 4, 5]
    assert "it is best or mean" in caught.value.problems[0].why
    assert "There is no caveat called hail" in caught.value.problems[1].why


def test_an_index_may_leave_ranks_unsaid(desk: Desk) -> None:
    """That a model is among the twenty highest says nothing about its place among them."""
    index = {"record": "index", "slug": "canopy", "name": "Canopy", "entries_stated": 20}
    desk.bring_in(index | {"models": [{"name": "Cedar"}, {"rank": 2, "name": "Birch"}]})
    (read,) = desk.facts("index:canopy")
    assert isinstance(read, ev.CapabilityIndexRead)
    assert [(one.rank, one.name) for one in read.models] == [(None, "Cedar"), (2, "Birch")]


def test_somebody_else_may_register_the_same_at_the_same_time(desk: Desk) -> None:
    """What another writer recorded between the check and the append is looked at anew."""
    meddled: list[str] = []

    def clock() -> Instant:
        # The check has read the streams and is about to judge them.
        if not meddled:
            meddled.append("once")
            same = ev.LabRegistered(slug=Slug("alder"), name="Alder Labs", read_at=READ_AT)
            desk.ledger.do(orders.Assert(stream="lab:alder", fact=same), "otto")
        return NOW

    busy = attrs.evolve(desk, ledger=attrs.evolve(desk.ledger, clock=clock))
    facts, _ = busy.bring_in(*PAGE)
    assert (facts.counts["recorded"], facts.counts["unchanged"]) == (4, 1)
    assert len(desk.facts("lab:alder")) == 1


def test_a_claim_is_recorded_with_all_that_its_line_says(desk: Desk) -> None:
    """Every field of the line stands in the event."""
    full = CLAIM_LINE | {
        "key": "Birch, hard",
        "split": "Hard",
        "setting": "greedy",
        "unit": "%",
        "published_on": "2026-09",
        "lab": "Alder",
        "url": "https://example.org/birch",
        "as_written": "Orchard  (Hard)\n",
        "section": "Results",
        "locator": "Table 3",
        "passed": 71,
        "completed": 100,
        "total": 120,
        "not_ranked": "too easy",
        "extra": {"soil": "clay", "plots": 3.0},
    }
    desk.bring_in(*PAGE[:-1], full)
    (claim,) = desk.claims()
    assert claim.key == "Birch, hard"
    assert claim.says == ev.Statement(
        name="Birch",
        metric=Slug("grown"),
        score=Score("71.0"),
        split="Hard",
        setting="greedy",
        unit="%",
        published_on=PartialDate("2026-09"),
        lab="Alder",
        url="https://example.org/birch",
        as_written="Orchard  (Hard)\n",
        section="Results",
        locator="Table 3",
        passed=71,
        completed=100,
        total=120,
        not_ranked="too easy",
        extra=(("plots", "3.0"), ("soil", "clay")),
    )
