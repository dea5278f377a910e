"""What a cut connection costs: the request that was hit says so, and the next one works."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

import orjson
import psycopg
import pytest
from sqlalchemy import text

from ledger.store.connecting import IDLE_SECONDS, STATEMENT_SECONDS
from tests.postgres import Server, empty_database
from tests.web.following import own_server
from tests.web.orchard import BOARD, Hand, Orchard, fill
from tests.web.test_freshness import register
from web.app import create_app
from web.private.store import PrivateCut
from web.settings import Settings
from web.wiring import make_home, open_workspace

pytestmark = pytest.mark.postgres

T = TypeVar("T")
END = ("pg_terminate_backend", "pg_cancel_backend")


@contextmanager
def planted(home: Path, url: str) -> Iterator[Orchard]:
    """An orchard in PostgreSQL."""
    settings = Settings(home=home, database_url=url)
    make_home(settings)
    clock = Hand()
    with closing(open_workspace(settings, clock=clock)) as workspace:
        fill(workspace, clock)
        workspace.follower.catch_up()
        yield Orchard(workspace, clock, create_app(workspace))


@pytest.fixture(scope="module")
def orchard_there(
    postgres_server: Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Orchard]:
    """One for all tests of this file."""
    home = tmp_path_factory.mktemp("cut") / "home"
    with empty_database(postgres_server) as url, planted(home, url) as orchard:
        yield orchard


def hit(orchard: Orchard, table: str, end: str, ask: Callable[[], T]) -> T:
    """What somebody gets whose statement waits for a table when the server ends it."""
    url = str(orchard.workspace.settings.database_url)
    with (
        psycopg.connect(url) as holder,
        psycopg.connect(url, autocommit=True) as console,
        ThreadPoolExecutor(1) as pool,
    ):
        holder.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE".encode())
        asked = pool.submit(ask)
        waiting = (
            f"SELECT {end}(pid) FROM pg_stat_activity WHERE datname = current_database()"
            " AND wait_event_type = 'Lock' AND application_name = 'corrigenda'"
        )
        while console.execute(waiting.encode()).fetchone() is None:
            assert not asked.done(), asked.result()
        holder.rollback()
        return asked.result()


@pytest.mark.parametrize("end", END)
@pytest.mark.parametrize("table", ["ledger.events", "views.generation"])
def test_the_request_that_was_hit_is_told_to_try_again(
    orchard_there: Orchard, table: str, end: str
) -> None:
    """503 with words for people and programs alike, and when to come again; then all is well."""
    answer = hit(orchard_there, table, end, lambda: orchard_there.get(f"{BOARD}.json"))
    assert answer.status_code == 503
    assert answer.mimetype == "application/problem+json"
    assert "try again in a moment" in orjson.loads(answer.data)["detail"]
    assert int(answer.headers["Retry-After"]) > 0
    assert orchard_there.get(f"{BOARD}.json").status_code == 200


@pytest.mark.parametrize("end", END)
def test_what_was_being_recorded_is_recorded_once(orchard_there: Orchard, end: str) -> None:
    """The writer that was hit tries again by itself, and looks for its own events when it does."""
    head = orchard_there.head
    slug = {"pg_terminate_backend": "bog", "pg_cancel_backend": "fen"}[end]
    hit(orchard_there, "ledger.events", end, lambda: register(orchard_there, slug))
    assert orchard_there.head == head + 1
    assert orchard_there.page(f"/benchmarks/{slug}")


@pytest.mark.parametrize("end", END)
def test_a_private_text_that_was_cut_off_is_told(orchard_there: Orchard, end: str) -> None:
    """Nobody is told that it was saved; the next attempt is."""
    private = orchard_there.workspace.private

    def keep() -> str:
        try:
            return str(private.keep_words("Please look at Birch."))
        except PrivateCut as why:
            return str(why)

    assert "try again in a moment" in hit(orchard_there, "private.words", end, keep)
    assert private.verify(private.keep_words("Please look at Birch."))


def database_in(server: Server) -> str:
    """The address of a new database, which goes with its server."""
    with server.as_owner() as connection:
        connection.execute("CREATE DATABASE orchard OWNER corrigenda")
    return server.url("orchard")


def test_a_server_that_was_restarted_is_found_again(tmp_path: Path) -> None:
    """While it is away it is 503, and nobody is sent here; when it is back nobody does anything."""
    with (
        own_server() as own,
        planted(tmp_path / "home", database_in(own.server)) as orchard,
    ):
        page, head = orchard.page(BOARD), orchard.head
        own.stop()
        assert orchard.get("/readyz").status_code == 503
        own.start()
        while orchard.get("/readyz").status_code == 503:
            pass
        assert orchard.page(BOARD) == page
        register(orchard, "moor")
        # A server that fell leaves a gap in the positions, as what is rolled back does.
        assert orchard.head > head
        assert orchard.page("/benchmarks/moor")


def test_every_connection_has_its_bounds(orchard_there: Orchard) -> None:
    """A statement, a lock and an idle transaction end, on every store, and say whose they are."""
    workspace = orchard_there.workspace
    names = ("statement_timeout", "idle_in_transaction_session_timeout", "application_name")
    wanted = [f"{STATEMENT_SECONDS // 60}min", f"{IDLE_SECONDS // 60}min", "corrigenda"]
    with workspace.views.read() as reader:
        found = [reader.connection.execute(text(f"SHOW {name}")).scalar() for name in names]
        lock = reader.connection.execute(text("SHOW lock_timeout")).scalar()
    assert (found, lock) == (["1min", "10min", "corrigenda"], "20s")
    with workspace.private.read() as connection:
        found = [connection.execute(text(f"SHOW {name}")).scalar() for name in names]
        lock = connection.execute(text("SHOW lock_timeout")).scalar()
    assert (found, lock) == (wanted, "10s")
    with workspace.ledger.store.whole() as whole:
        cursor = whole._events._cursor  # type: ignore[attr-defined]  # noqa: SLF001
        found = [cursor.execute(f"SHOW {name}").fetchone()[name] for name in names]
    assert found == wanted


def test_an_address_has_the_last_word(orchard_there: Orchard) -> None:
    """An operator tells two servers apart by a name in the address."""
    url = f"{orchard_there.workspace.settings.database_url}?application_name=second"
    settings = Settings(home=orchard_there.workspace.settings.home, database_url=url)
    with closing(open_workspace(settings)) as workspace:
        workspace.ledger.store.head()
        with workspace.views.read() as reader, workspace.private.read():
            found = reader.connection.execute(
                text("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'second'")
            ).scalar()
    assert found is not None
    assert found >= 3
