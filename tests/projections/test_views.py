"""The read model's database: disposable, and honest about what keeps it from working."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from ledger import commands as orders
from ledger import events as ev
from ledger.model import lab_stream
from ledger.values import Instant, Slug, parse_instant
from projections.board.boards import board_at
from projections.keeping import views as the_views
from projections.keeping.follow import Follower
from projections.keeping.refusals import ViewsBusy, ViewsUnavailable
from projections.keeping.views import open_views
from tests.desk import START, Desk, open_desk

DAY = "2025-06-01"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A new ledger; it is 10 June 2025."""
    return open_desk(tmp_path).at("2025-06-10T12:00:00Z")


def test_tables_of_another_release_are_replaced_and_filled_anew(desk: Desk) -> None:
    """Nobody has to know that they changed: opening it is enough, and the boards are the same."""
    desk.read("a,Heron-7B,70;b,Ibis,60", DAY)
    before = [(row.name, str(row.score)) for row in desk.board().rows]
    old = desk.workspace.views
    with old.write() as connection:
        connection.execute(text("UPDATE shape SET digest = 'of another release'"))
    opened = open_views(desk.workspace.settings.views)
    follower = Follower(desk.workspace.ledger.store, opened)
    assert follower.position() == 0
    assert follower.catch_up() == desk.workspace.ledger.store.head()
    assert follower.check() == []
    assert [(row.name, str(row.score)) for row in desk.board().rows] == before
    opened.close()


def test_a_read_model_from_before_shapes_were_noted_is_replaced(tmp_path: Path) -> None:
    """A home of the first release has no such note at all."""
    path = tmp_path / "views.db"
    open_views(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE shape")
        connection.commit()
    opened = open_views(path)
    with opened.read() as reader:
        assert reader.position == 0
    opened.close()


def test_opening_again_keeps_what_is_there(desk: Desk) -> None:
    """The same release finds its own tables."""
    desk.read("a,Heron-7B,70", DAY)
    desk.board()
    opened = open_views(desk.workspace.settings.views)
    with opened.read() as reader:
        assert reader.position == desk.workspace.ledger.store.head()
    opened.close()


def test_a_writer_who_waits_too_long_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In our words, with what to do next."""
    monkeypatch.setattr(the_views, "BUSY_SECONDS", 0.1)
    path = tmp_path / "views.db"
    opened = open_views(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(ViewsBusy, match="try again in a moment"), opened.write():
            pass
        with opened.read() as reader:
            assert reader.position == 0
        other.execute("ROLLBACK")
    with opened.write():
        pass
    opened.close()


def test_a_database_that_cannot_be_used_is_named_as_such(tmp_path: Path) -> None:
    """No driver's own error reaches a person."""
    with pytest.raises(ViewsUnavailable, match="safe in the ledger"):
        open_views(tmp_path / "no such folder" / "views.db")


# --- one look ---------------------------------------------------------------------------------


@pytest.fixture(params=("sqlite", pytest.param("postgres", marks=pytest.mark.postgres)))
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    """A new ledger on either engine."""
    on_postgres = request.param == "postgres"
    address = request.getfixturevalue("postgres_url") if on_postgres else None
    desk = open_desk(tmp_path, address).at("2025-06-10T12:00:00Z")
    with closing(desk.workspace):
        yield desk


def test_who_looks_goes_on_seeing_one_moment(either: Desk) -> None:
    """What is recorded and followed meanwhile does not mix with what was seen before it."""
    either.read("a,Heron-7B,70", DAY)
    either.workspace.follower.catch_up()
    slug = either.board().benchmark.slug
    with either.workspace.views.read() as reader:
        moment = either.moment()
        position = reader.position
        before = board_at(reader, slug, moment)
        either.read("a,Heron-7B,80;b,Ibis,60", "2025-06-02")
        either.workspace.follower.catch_up()
        assert reader.position == position
        assert board_at(reader, slug, moment) == before
    with either.workspace.views.read() as reader:
        assert reader.position > position
        assert board_at(reader, slug, either.moment()) != before


def test_what_is_remembered_is_of_one_position(either: Desk) -> None:
    """A name that was looked up is looked up again once anything is recorded."""
    either.read("a,Heron-7B,70", DAY)
    named = [row.name for row in either.board().rows]
    with either.workspace.views.read() as reader:
        position, held = reader.position, reader.remembered
        assert held
    model = either.board().rows[0].model
    assert model is not None
    fact = ev.ModelRenamed(read_at=either.workspace.ledger.clock(), name="Heron", why="said so")
    either.model(model.id, fact)
    assert [row.name for row in either.board().rows] != named
    with either.workspace.views.read() as reader:
        assert reader.position > position
        assert reader.remembered is not held


@pytest.mark.parametrize("asked", [1, -1])
def test_a_model_is_on_each_day_what_it_was_said_to_be_by_then(either: Desk, asked: int) -> None:
    """Whichever day is asked for first, and whatever is remembered of the others."""
    either.read("a,Heron-7B,70", "2025-06-01")
    model = either.board().rows[0].model
    assert model is not None
    lab = ev.LabRegistered(slug=Slug("marsh"), name="Marsh Lab", read_at=START)
    either.do(orders.Assert(stream=lab_stream("marsh"), fact=lab))
    for day, facts in (("02", {"lab": "marsh"}), ("04", {"lab": "reed"}), ("05", {"lab": None})):
        described = ev.ModelDescribed(facts=facts, read_at=_day(day), why="its card says so")
        either.model(model.id, described)
    either.model(model.id, ev.ModelRenamed(name="Heron", read_at=_day("03"), why="said so"))
    told = {
        "2025-06-01": ("Heron-7B", None),
        "2025-06-02": ("Heron-7B", "Marsh Lab"),
        "2025-06-03": ("Heron", "Marsh Lab"),
        "2025-06-04": ("Heron", "reed"),
        "2025-06-05": ("Heron", None),
    }
    for day in [*told][::asked]:
        shown = either.board(day).rows[0].model
        assert shown is not None
        assert (shown.full_name, shown.lab) == told[day]


def _day(day: str) -> Instant:
    return parse_instant(f"2025-06-{day}")
