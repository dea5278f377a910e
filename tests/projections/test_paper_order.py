"""Papers whatever arrives first: on every day the same page, and counts that fit the samples."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reports.contract import Json
from tests.playing import SCRATCH
from tests.projections.test_tally import check_against, check_sums
from tests.shelf import (
    ARCHIVE,
    CODES,
    FULL,
    OTHER,
    OWN,
    RECORD,
    TWIN,
    Line,
    Shelf,
    counts,
    label,
    line,
    run,
    sample,
    shelves,
)

FEW = settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


repositories = st.sampled_from((OWN, OTHER))
codes = st.sampled_from((CODES[0], CODES[1], FULL, FULL[:20], TWIN))
words = st.sampled_from(("honoured", "violated", "draft-wrong", "fixture-failed", "no-run"))


@st.composite
def some_counts(draw: st.DrawFn) -> Line:
    """Counts that add up."""
    numbers = {one: draw(st.integers(0, 2)) for one in ("honoured", "violated", "draft_wrong")}
    ran, without = sum(numbers.values()), draw(st.integers(0, 1))
    return counts(ran + without, ran, without, **numbers)


by_record = st.one_of(
    st.builds(sample, codes, repositories), st.builds(run, codes, words), some_counts()
)
by_archive = st.one_of(
    st.builds(label, st.sampled_from(("official", "archive-listed", None)), repositories),
    st.builds(
        lambda repository, listed: line("listed-repository", repository=repository, listed=listed),
        repositories,
        st.booleans(),
    ),
)


def readings(source: str, lines: st.SearchStrategy[Line]) -> st.SearchStrategy[Any]:
    """A reading of a source on some day, of one to three lines."""
    return st.tuples(
        st.just(source),
        st.integers(1, 5),
        st.lists(lines, min_size=1, max_size=3),
    )


lives = st.lists(
    st.one_of(
        readings(ARCHIVE, by_archive),
        readings(RECORD, by_record),
        readings(RECORD, by_record),
        readings("nursery", by_record),
    ),
    min_size=2,
    max_size=6,
)


@contextmanager
def fresh(address: str | None) -> Iterator[Shelf]:
    """A ledger with the paper and nothing else; on PostgreSQL what was there before goes."""
    if address is not None:
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("DROP SCHEMA IF EXISTS ledger, views, private CASCADE")
    with (
        tempfile.TemporaryDirectory(dir=SCRATCH, prefix="corrigenda-") as folder,
        shelves(Path(folder) / "home", address) as made,
    ):
        yield made


def play(shelf: Shelf, found: list[Any], order: list[int], wrong: set[int]) -> None:
    """Bring readings in, in an order; those that are wrong are taken back at the end."""
    digests = {}
    for place in order:
        source, day, lines = found[place]
        # No two readings of a source share a turn here, as with boards.
        digests[place] = shelf.read(source, f"2026-10-0{day}", *lines, order=f"{place:03d}")
    for place in sorted(wrong):
        shelf.take_back(digests[place])


def without_positions(page: Json) -> Json:
    """A page but for where its facts stand in the ledger."""
    text = json.dumps(page, sort_keys=True)
    left_out = {"position", "recorded_at", "recorded_through", "version"}

    def kept(pairs: list[tuple[str, Any]]) -> Json:
        return {name: value for name, value in pairs if name not in left_out}

    cleaned: Json = json.loads(text, object_pairs_hook=kept)
    return cleaned


@FEW
@given(found=lives, data=st.data())
def test_the_order_of_arrival_does_not_show(found: list[Any], data: st.DataObject) -> None:
    """On every day the same page, and its counts never disagree with the samples."""
    order = data.draw(st.permutations(range(len(found))))
    wrong = data.draw(st.sets(st.sampled_from(order), max_size=1))
    check_order(found, order, wrong, None)


@settings(FEW, max_examples=4)
@given(found=lives, data=st.data())
def test_nor_on_postgresql(postgres_url: str, found: list[Any], data: st.DataObject) -> None:
    """Shuffled there, in order here."""
    order = data.draw(st.permutations(range(len(found))))
    wrong = data.draw(st.sets(st.sampled_from(order), max_size=1))
    check_order(found, order, wrong, postgres_url)


def check_order(found: list[Any], order: list[int], wrong: set[int], address: str | None) -> None:
    """Play both orders, and compare."""
    shown = []
    for arrival, where in ((sorted(order), None), (order, address)):
        with fresh(where) as shelf:
            play(shelf, found, arrival, wrong)
            days = [f"2026-10-0{day}" for day in range(1, 7)]
            shown.append([without_positions(shelf.page(day)) for day in days])
            for day in days:
                for record in shelf.paper(day).records:
                    check_sums(record.tally)
                    check_against(record.tally, [one.known for one in record.samples])
            assert shelf.desk.workspace.follower.check() == []
    assert shown[0] == shown[1]
