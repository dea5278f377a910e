"""What a board needs besides its rows: one question tells the same as three."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import attrs
import pytest

from ledger import commands as orders
from ledger import events as ev
from ledger.benchmark import stream_of
from ledger.importing.board import Target
from ledger.importing.formats.snapshot import Metrics, read_snapshot
from ledger.values import Slug, parse_instant
from projections.asserted import aspects_of, described
from projections.board.ahead import ask_ahead
from projections.board.benchmarks import entries_stated
from projections.keeping.views import Reader
from projections.moment import Moment
from tests.desk import BENCHMARK, SOURCE, Desk, open_desk

BOTH = ("sqlite", pytest.param("postgres", marks=pytest.mark.postgres))
SOURCES = ("kite-board", "heron-card")
DAYS = ("2025-05-01", "2025-06-01", "2025-06-02", "2025-06-03", "2025-06-09")


@pytest.fixture(params=BOTH)
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    """A benchmark with a rule that was replaced, a caveat, and two sources, of which one said twice
    how many entries it has; on either engine."""
    on_postgres = request.param == "postgres"
    url = request.getfixturevalue("postgres_url") if on_postgres else None
    desk = open_desk(tmp_path, url).at("2025-06-10T12:00:00Z")
    with closing(desk.workspace):
        desk.rule("score", "2025-05-01")
        desk.rule("score", "2025-06-02", "easy")
        caveat = ev.CaveatStated(
            caveat=Slug("old"), text="An old one.", read_at=parse_instant(DAYS[3]), why="it is old"
        )
        desk.do(orders.Assert(stream=stream_of(BENCHMARK), fact=caveat))
        _read(desk, "2025-06-01", 120)
        desk.read("a,Heron,71", "2025-06-02", source="heron-card", kind="model-card")
        _read(desk, "2025-06-03", 7)
        yield desk


def test_one_question_tells_the_same_as_three(desk: Desk) -> None:
    """On each day, at each position, of what was looked up here and nowhere before."""
    head = desk.workspace.ledger.store.head()
    met = set()
    for position in (head, head - 1, head // 2, 1):
        for day in DAYS:
            moment = desk.moment(day, recorded_through=str(position))
            asked = [_told(reader, moment) for reader in _twice(desk, moment)]
            assert asked[0] == asked[1]
            met.add(str(asked[0]))
    assert len(met) > len(DAYS)


def test_what_was_asked_ahead_is_not_asked_again(desk: Desk) -> None:
    """The questions that come later find their answers remembered."""
    moment = desk.moment("2025-06-09")
    with desk.workspace.views.read() as reader:
        ask_ahead(reader, BENCHMARK, moment)
        known = set(reader.remembered)
        held = {key: dict(value) for key, value in reader.remembered.items() if _is_dict(value)}
        _told(reader, moment)
        assert set(reader.remembered) == known
        assert {key: reader.remembered[key] for key in held} == held


def _twice(desk: Desk, moment: Moment) -> Iterator[Reader]:
    """Readers who remember nothing but, the first of them, what was asked ahead."""
    for ahead in (True, False):
        with desk.workspace.views.read() as reader:
            reader.remembered.clear()
            if ahead:
                ask_ahead(reader, BENCHMARK, moment)
            yield reader


def _told(reader: Reader, moment: Moment) -> tuple[object, ...]:
    return (
        aspects_of(reader, stream_of(BENCHMARK), moment),
        described(reader, [f"source:{slug}" for slug in SOURCES], moment),
        entries_stated(reader, BENCHMARK, moment, SOURCES),
    )


def _read(desk: Desk, day: str, entries: int) -> None:
    target = Target(source=SOURCE, benchmark=BENCHMARK)
    board = read_snapshot(
        "board.csv",
        f"key,model,score\na,Heron,7{day[-1]}\n".encode(),
        target=target,
        metrics=Metrics(),
        now=desk.clock.now,
        read_at=parse_instant(day),
    )
    desk.importer.read(attrs.evolve(board, entries_stated=entries), target)


def _is_dict(value: object) -> bool:
    return isinstance(value, dict)
