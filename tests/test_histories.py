"""Whole leaderboards, version by version: each is shown exactly as it was read.

The real ones lie beside the checkout in ``../shared/histories`` and their files are the truth; a
small made-up one in ``tests/data/herons`` has the same traps and is always there. Each history is
imported once in the order of its instants and once in another order.
"""

import csv
import hashlib
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import attrs
import pytest
import yaml

from ledger.errors import NotFound
from ledger.events import Statement
from ledger.importing.board import BoardFile, Target
from ledger.importing.formats.snapshot import instant_in
from ledger.importing.snapshot import BoardImporter
from ledger.values import MICROSECOND, Digest, Instant, Score, Slug, end_of_day
from projections.board.boards import board_at
from tests.playing import Game, games

SHARED = Path(__file__).parents[2] / "shared" / "histories"
HERONS = Path(__file__).parent / "data" / "herons"
TARGET = Target(source=Slug("board"), benchmark=Slug("history"))
DAY = timedelta(days=1)

Shown = dict[tuple[str, str], tuple[str, str]]
"""(row key, metric) → (name as written, digits): what a board says."""


@attrs.frozen
class Version:
    """A whole board as it stood from an instant on, by the order in its name."""

    file: str
    read_at: Instant
    order: str
    data: bytes = attrs.field(repr=False)
    metrics: tuple[str, ...]
    says: Shown = attrs.field(repr=False)

    def board(self) -> BoardFile:
        """The file, as a format reader hands it over."""
        statements: dict[str, tuple[Statement, ...]] = {}
        for (key, metric), (name, digits) in self.says.items():
            stated = Statement(name=name, metric=Slug(metric), score=Score(digits), unit="%")
            statements[key] = (*statements.get(key, ()), stated)
        return BoardFile(
            file=self.file,
            format="test",
            data=self.data,
            digest=Digest(hashlib.sha256(self.data).hexdigest()),
            media_type="text/plain",
            read_at=self.read_at,
            order=self.order,
            rows=len(statements),
            statements=statements,
            metrics=tuple(Slug(metric) for metric in self.metrics),
        )


# --- reading the files, digit by digit ---------------------------------------------------------


def aider(text: str) -> tuple[tuple[str, ...], Shown]:
    """A YAML list of runs: ``dirname`` is the key, ``pass_rate_2`` the score."""
    rows = yaml.load(text, Loader=yaml.CBaseLoader)  # noqa: S506 (it makes nothing but text)
    says = {(row["dirname"], "pass_rate_2"): (row["model"], row["pass_rate_2"]) for row in rows}
    return ("pass_rate_2",), says


def evalplus(text: str) -> tuple[tuple[str, ...], Shown]:
    """A JSON object keyed by model: four numbers each, null where there is none.

    Older versions keep ``pass@1_base`` and ``pass@1_plus`` apart.
    """
    says: Shown = {}
    for name, row in json.loads(text, parse_float=str, parse_int=str).items():
        newer = row.get("pass@1", {})
        older = {**row.get("pass@1_base", {})}
        older |= {f"{test}+": digits for test, digits in row.get("pass@1_plus", {}).items()}
        for test, digits in (newer or older).items():
            if digits is not None:
                says[name, test.replace("+", "-plus")] = (name, digits)
    return ("humaneval", "humaneval-plus", "mbpp", "mbpp-plus"), says


def herons(text: str) -> tuple[tuple[str, ...], Shown]:
    """A CSV with a column for each metric; an empty cell states nothing."""
    says: Shown = {}
    for row in csv.DictReader(text.splitlines()):
        for metric in ("pass", "speed"):
            if row[metric]:
                says[row["key"], metric] = (row["model"], row[metric])
    return ("pass", "speed"), says


HISTORIES: Mapping[str, tuple[Path, Callable[[str], tuple[tuple[str, ...], Shown]]]] = {
    "aider-polyglot": (SHARED / "aider-polyglot", aider),
    "evalplus": (SHARED / "evalplus", evalplus),
    "herons": (HERONS, herons),
}


def versions_of(name: str) -> list[Version]:
    """Every version of a history in the order of its instants; skips where there is none."""
    folder, read = HISTORIES[name]
    if not folder.is_dir():
        pytest.skip(f"the real history {name} is not beside this checkout ({folder})")
    found = []
    for file in sorted(folder.iterdir()):
        named = instant_in(file.name)
        if named is not None:
            data = file.read_bytes()
            found.append(Version(file.name, *named, data, *read(data.decode())))
    return found


# --- importing and asking ---------------------------------------------------------------------


@attrs.frozen
class Imported:
    """A history in a ledger."""

    versions: Sequence[Version]
    game: Game

    def shown(self, day: Instant) -> Shown:
        """All boards as read at an instant: every claim, under every metric."""
        found: Shown = {}
        with self.game.home.views.read() as reader:
            for metric in self.versions[0].metrics:
                try:
                    board = board_at(
                        reader,
                        TARGET.benchmark,
                        self.game.moment(day),
                        metric=metric,
                        every_claim=True,
                    )
                except NotFound:
                    continue
                assert board.untracked == 0
                assert not board.unranked
                for row in board.rows:
                    assert (row.key, row.metric) not in found
                    found[row.key, row.metric] = (row.as_written, str(row.score))
        return found

    def in_force(self, day: Instant) -> Shown:
        """What the file in force at an instant says."""
        by_then = [version for version in self.versions if version.read_at <= day]
        return by_then[-1].says if by_then else {}

    def instants(self) -> Iterator[Instant]:
        """The instant of each version, just before it, and the end of its day."""
        for version in self.versions:
            yield version.read_at - MICROSECOND
            yield version.read_at
            yield end_of_day(version.read_at.date())


def imported(game: Game, versions: Sequence[Version], order: Sequence[int]) -> Imported:
    """Import the versions in an order, long after the last of them."""
    game.clock.now = datetime(2026, 6, 1, tzinfo=UTC)
    importer = game.home.importer()
    for place in order:
        importer.read(versions[place].board(), TARGET)
    game.home.follower.catch_up()
    return Imported(versions, game)


def another_order(count: int) -> list[int]:
    """Always the same shuffle."""
    places = list(range(count))
    random.Random(20250728).shuffle(places)
    return places


@pytest.fixture(scope="module", params=list(HISTORIES))
def history(request: pytest.FixtureRequest) -> Iterator[tuple[Imported, Imported]]:
    """A history imported in order, and in another order."""
    versions = versions_of(request.param)
    with games() as in_order, games() as shuffled:
        count = len(versions)
        yield (
            imported(in_order, versions, range(count)),
            imported(shuffled, versions, another_order(count)),
        )


def test_every_version_is_shown_exactly_as_it_was_read(
    history: tuple[Imported, Imported],
) -> None:
    """At its instant, a microsecond before and at the end of its day: keys, names, digits."""
    in_order, _ = history
    for day in in_order.instants():
        assert in_order.shown(day) == in_order.in_force(day), day


def test_a_history_that_arrives_in_another_order_shows_the_same(
    history: tuple[Imported, Imported],
) -> None:
    """Each late version is put where it belongs, and what came after it still holds."""
    _, shuffled = history
    for day in shuffled.instants():
        assert shuffled.shown(day) == shuffled.in_force(day), day


def test_a_board_between_two_versions_is_the_earlier_one(
    history: tuple[Imported, Imported],
) -> None:
    """Nothing changes on a day without a version, and nothing is shown before the first."""
    in_order, _ = history
    assert in_order.shown(in_order.versions[0].read_at - DAY) == {}
    for day in (version.read_at + 3 * DAY for version in in_order.versions[::7]):
        assert in_order.shown(day) == in_order.in_force(day)


def test_importing_a_history_again_records_nothing(history: tuple[Imported, Imported]) -> None:
    """The same bytes, source and instant again change neither events nor boards."""
    for one in history:
        head = one.game.home.store.head()
        importer = one.game.home.importer()
        for version in one.versions[::5]:
            assert importer.read(version.board(), TARGET).known_already
        assert one.game.home.store.head() == head


def test_the_receipts_of_a_history_add_up() -> None:
    """Recorded, restated, delisted, relisted and unchanged claims are those that the files tell."""
    versions = versions_of("herons")
    with games() as game:
        game.clock.now = datetime(2026, 6, 1, tzinfo=UTC)
        importer: BoardImporter = game.home.importer()
        before: Shown = {}
        ever: set[tuple[str, str]] = set()
        for version in versions:
            counts = importer.read(version.board(), TARGET).counts
            now = version.says
            new = now.keys() - before.keys()
            kept = now.keys() & before.keys()
            assert counts == {
                "recorded": len(new - ever),
                "relisted": len(new & ever),
                "delisted": len(before.keys() - now.keys()),
                "restated": sum(now[one] != before[one] for one in kept),
                "unchanged": sum(now[one] == before[one] for one in kept),
            }, version.file
            before, ever = now, ever | now.keys()


def test_the_made_up_history_holds_every_trap() -> None:
    """What breaks a careless ledger is in our own files, so it is tested without the real ones."""
    versions = versions_of("herons")
    pairs = list(pairwise(versions))
    names = [{key: name for (key, _), (name, _) in one.says.items()} for one in versions]
    gone_and_new = [(set(was) - set(now), set(now) - set(was)) for was, now in pairwise(names)]
    assert any(gone and new for gone, new in gone_and_new), "deleted and added under another key"
    assert any(
        (key, "speed") in now.says and (key, "speed") not in was.says and (key, "pass") in was.says
        for was, now in pairs
        for key, _ in now.says
    ), "a value filled in later"
    assert any(
        sum(was.says[one] != now.says[one] for one in was.says.keys() & now.says.keys()) > 3
        for was, now in pairs
    ), "rescored"
    assert any(swapped(was.says, now.says) for was, now in pairs), "two columns swapped"
    assert sum(swapped(was.says, now.says) for was, now in pairs) == 2, "and swapped back"
    assert any(
        one != other and one.split(" (")[0] == other.split(" (")[0]
        for row in names
        for one in row.values()
        for other in row.values()
    ), "names that differ only in brackets"
    days = [version.read_at.date() for version in versions]
    assert len(set(days)) < len(days), "several versions on one day"
    assert len({version.read_at for version in versions}) < len(versions), "and at one instant"


def swapped(was: Shown, now: Shown) -> bool:
    """Whether the two columns changed places between two versions."""
    pairs = [key for key, metric in was if metric == "pass" and (key, "speed") in was]
    return bool(pairs) and all(
        was[key, "pass"] == now.get((key, "speed")) and was[key, "speed"] == now.get((key, "pass"))
        for key in pairs
    )
