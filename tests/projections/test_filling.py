"""Several who fill the read model together: they give what one who follows the ledger gives."""

from collections.abc import Iterator
from contextlib import closing
from itertools import zip_longest
from pathlib import Path

import pytest
from hypothesis import given

from projections.keeping import crew as crews
from projections.keeping import filling, follow
from projections.keeping.alone import BeingFilled, alone
from projections.keeping.crew import Crew, NotFilled
from projections.keeping.follow import Follower
from projections.keeping.pointer import switch_to
from projections.keeping.shares import Share
from projections.keeping.views import Views, create_generation, open_views
from tests.desk import Desk, open_desk
from tests.playing import Game, games
from tests.side_by_side import tables
from tests.strategies import Action
from tests.tried import anything, examples

BOTH = ("sqlite", pytest.param("postgres", marks=pytest.mark.postgres))
DAYS = ("2025-05-01", "2025-05-20", "2025-06-01", "2025-06-05")


# --- shares -----------------------------------------------------------------------------------


def fill_by_turns(game: Game, views: Views, of: int) -> None:
    """So many shares of one generation, batch by batch in turns, the last one first."""
    with views.write() as connection:
        generation = create_generation(connection, 7)
    store, upto = game.home.store, game.home.store.head()
    shares = [Share(number, of) for number in reversed(range(of))]
    for _ in zip_longest(*(filling.fill(store, views, generation, one, upto) for one in shares)):
        pass
    with views.write() as connection:
        switch_to(connection, 7)


@examples(15)
@given(actions=anything())
def test_shares_together_are_the_whole(actions: list[Action]) -> None:
    """Whatever happened, however many fill it, and wherever their batches end."""
    with pytest.MonkeyPatch.context() as patch, games() as game:
        patch.setattr(filling, "BATCH", 3)
        game.play(*actions)
        for of in (1, 2, 5):
            views = open_views(game.folder / f"shared-{of}.db")
            fill_by_turns(game, views, of)
            assert tables(views) == tables(game.home.views), f"{of} shares"
            views.close()


# --- a crew -----------------------------------------------------------------------------------


@pytest.fixture(params=BOTH)
def desk(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Desk]:
    """A ledger with a few readings that nobody followed, on either engine; all of it is worth a
    crew."""
    monkeypatch.setattr(follow, "WORTH_A_CREW", 1)
    on_postgres = request.param == "postgres"
    address = request.getfixturevalue("postgres_url") if on_postgres else None
    desk = open_desk(tmp_path, address).at("2025-06-10T12:00:00Z")
    for number, day in enumerate(DAYS):
        rows = ";".join(f"r{row},Bird-{row},{row + number}.5" for row in range(30))
        desk.read(rows, day)
    with closing(desk.workspace):
        yield desk


@pytest.fixture
def crew(desk: Desk) -> Crew:
    """Three processes."""
    settings = desk.workspace.settings
    return Crew(str(settings.ledger), str(settings.views), size=3)


@pytest.fixture
def manned(desk: Desk, crew: Crew) -> Follower:
    """A follower with three processes at hand."""
    return Follower(desk.workspace.ledger.store, desk.workspace.views, crew=crew)


def test_a_crew_gives_what_one_who_follows_gives(desk: Desk, manned: Follower) -> None:
    """Row by row, beside the live tables and in their place."""
    desk.workspace.follower.catch_up()
    before = tables(desk.workspace.views)
    assert manned.check() == []
    assert manned.rebuild() == desk.workspace.ledger.store.head()
    assert tables(desk.workspace.views) == before


def test_progress_ends_where_the_ledger_ends(desk: Desk, manned: Follower) -> None:
    """What is said of it never goes back."""
    said: list[tuple[int, int]] = []
    manned.rebuild(lambda position, head: said.append((position, head)))
    head = desk.workspace.ledger.store.head()
    assert said == sorted(said)
    assert said[-1] == (head, head)


def test_a_ledger_of_which_most_is_missing_is_filled_and_not_followed(desk: Desk) -> None:
    """A read model that is new beside a long ledger; the pointer has moved on."""
    place = desk.workspace.settings.home / "fresh.db"
    crew = Crew(str(desk.workspace.settings.ledger), str(place), size=2)
    desk.workspace.follower.catch_up()
    head = desk.workspace.ledger.store.head()
    with closing(open_views(place)) as views:
        with views.read() as reader:
            before = reader.tables.generation
        assert Follower(desk.workspace.ledger.store, views, crew=crew).catch_up() == head
        with views.read() as reader:
            assert reader.tables.generation == before + 1
            assert reader.position == head
        assert tables(views) == tables(desk.workspace.views)


def test_what_a_crew_cannot_do_leaves_the_tables_as_they_were(
    desk: Desk, crew: Crew, manned: Follower
) -> None:
    """The reason is said, in one sentence, and the live tables go on serving."""
    desk.workspace.follower.catch_up()
    before = tables(desk.workspace.views)
    lost = Crew(str(desk.workspace.settings.home / "nowhere" / "ledger.db"), crew.views, size=2)
    follower = Follower(manned.store, manned.views, crew=lost)
    with pytest.raises(NotFilled, match="corrigenda rebuild"):
        follower.rebuild()
    assert tables(desk.workspace.views) == before
    manned.rebuild()
    assert tables(desk.workspace.views) == before


def test_a_member_that_is_killed_is_missed(
    desk: Desk, manned: Follower, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of the others' work is shown, and the next rebuild begins anew."""
    desk.workspace.follower.catch_up()
    before = tables(desk.workspace.views)
    monkeypatch.setenv("CORRIGENDA_DIE_AT", "fill:committed")
    with pytest.raises(NotFilled, match="a process ended with -9"):
        manned.rebuild()
    monkeypatch.delenv("CORRIGENDA_DIE_AT")
    assert tables(desk.workspace.views) == before
    assert manned.check() == []


def test_nobody_is_left_behind(
    desk: Desk, manned: Follower, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever stops half-way, as Ctrl-C does, ends all who were at work."""
    started: list[crews.Member] = []
    monkeypatch.setattr(crews, "_positions", lambda members: interrupted(started, members))
    with pytest.raises(KeyboardInterrupt):
        manned.rebuild()
    assert len(started) == 3
    assert all(member.process.poll() is not None for member in started)
    monkeypatch.undo()
    assert desk.workspace.follower.check() == []


def interrupted(started: list[crews.Member], members: list[crews.Member]) -> Iterator[int]:
    """Ctrl-C, once all are at work."""
    started += members
    raise KeyboardInterrupt
    yield 0


# --- one at a time ----------------------------------------------------------------------------


def test_two_do_not_fill_at_once(desk: Desk, manned: Follower) -> None:
    """The second is told so; and to catch up, it follows meanwhile."""
    views = desk.workspace.views
    with alone(views.engine):
        with pytest.raises(BeingFilled, match="wait until that is done"):
            manned.rebuild()
        with pytest.raises(BeingFilled):
            manned.check()
        assert manned.catch_up() == desk.workspace.ledger.store.head()
    assert manned.check() == []
