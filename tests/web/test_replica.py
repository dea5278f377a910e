"""Public pages from a server that really follows: its lag is bounded and shown, and whoever writes
finds what they wrote."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

import attrs
import psycopg
import pytest

from tests.postgres import Server, empty_database
from tests.web.corrigenda import Corrigenda
from tests.web.following import OwnServer, caught_up, following
from tests.web.orchard import BOARD, Hand, Orchard, fill
from tests.web.test_freshness import register
from web.app import create_app
from web.cookies import FORM, new_secret
from web.roles import Roles
from web.settings import Settings
from web.wiring import make_home, open_workspace

pytestmark = pytest.mark.postgres


@attrs.frozen
class Two:
    """An orchard whose public pages are read from a second server."""

    orchard: Orchard
    primary: Server
    follower: OwnServer

    @property
    def told(self) -> dict[str, object]:
        """What ``/readyz`` says of the replica, and that all else is well."""
        told = self.orchard.json("/readyz")
        assert told["ready"]
        replica: dict[str, object] = told["replica"]
        return replica

    def follow(self) -> None:
        """Let all that is recorded arrive, pages and all."""
        self.orchard.page("/")
        caught_up(self.primary, self.follower)

    @contextmanager
    def held_up(self) -> Iterator[None]:
        """Let nothing arrive meanwhile."""
        self.follower.run("SELECT pg_wal_replay_pause()::text")
        # It stops at the next record.
        with self.primary.as_owner() as connection:
            connection.execute("SELECT pg_switch_wal()")
        while self.follower.run("SELECT pg_get_wal_replay_pause_state()") != "paused":
            pass
        try:
            yield
        finally:
            self.follower.run("SELECT pg_wal_replay_resume()::text")


@pytest.fixture(scope="module")
def two_once(postgres_server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    """A ledger made by its owner, served by the web role, read elsewhere by the read role."""
    home = tmp_path_factory.mktemp("replica") / "home"
    with empty_database(postgres_server) as url:
        name = url.rpartition("/")[2]
        roles = Roles("corrigenda", f"web_{name}", f"read_{name}")
        settings = Settings(home=home, database_url=url)
        make_home(settings)
        clock = Hand()
        with closing(open_workspace(settings, clock=clock)) as workspace:
            fill(workspace, clock)
            workspace.follower.catch_up()
        owner = postgres_server.url(name, user="postgres")
        with psycopg.connect(owner) as connection:
            connection.execute(roles.script().encode())
            for role in (roles.web, roles.read):
                word = f"ALTER ROLE {role} PASSWORD '{postgres_server.password}'"
                connection.execute(word.encode())
        with following(postgres_server) as follower:
            settings = attrs.evolve(
                settings,
                database_url=postgres_server.url(name, user=roles.web),
                read_url=follower.server.url(name, user=roles.read),
            )
            with closing(open_workspace(settings, clock=clock)) as workspace:
                yield Two(
                    Orchard(workspace, clock, create_app(workspace)), postgres_server, follower
                )
        with psycopg.connect(owner) as connection:
            for role in (roles.web, roles.read):
                for word in ("REASSIGN OWNED BY {} TO corrigenda", "DROP OWNED BY {}"):
                    connection.execute(word.format(role).encode())
                connection.execute(f"DROP ROLE {role}".encode())


@pytest.fixture
def two(two_once: Two) -> Two:
    """The two servers, of which the second has all that the first one has."""
    two_once.follow()
    return two_once


def readers(two: Two) -> int:
    """How many connections of ours the second server has to read with."""
    found = two.follower.run(
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE application_name = 'corrigenda' AND usename LIKE 'read\\_%'"
    )
    return int(found)


def test_a_page_from_the_replica_is_the_page_of_the_primary(two: Two) -> None:
    """Byte by byte; and it really was read over there."""
    orchard = two.orchard
    pages = {address: orchard.page(address) for address in ("/", BOARD, "/corrections")}
    assert readers(two) >= 2  # one for the views, one for the events
    assert two.told == {"position": orchard.head, "behind": 0, "read": True}
    alone = attrs.evolve(orchard.workspace, replica=None)
    for address, page in pages.items():
        assert create_app(alone).test_client().get(address).text == page


def test_a_page_says_how_far_the_replica_is_behind(two: Two) -> None:
    """It claims no position that is not there yet, and `/readyz` and `/metrics` tell the same."""
    before = two.orchard.head
    with two.held_up():
        register(two.orchard, "bog")
        page = two.orchard.page(BOARD)
        assert "behind the ledger by 1 position" in page
        assert f"Ledger position {before}," in page
        assert two.orchard.get("/benchmarks/bog").status_code == 404
        assert two.told == {"position": before, "behind": 1, "read": True}
        told = two.orchard.get("/metrics").text.splitlines()
        assert {"corrigenda_replica_lag_positions 1.0", "corrigenda_replica_read 1.0"} <= set(told)
    two.follow()
    assert two.orchard.page("/benchmarks/bog")
    assert two.told == {"position": before + 1, "behind": 0, "read": True}


def test_who_asks_for_what_is_not_there_yet_is_led_to_the_primary(two: Two) -> None:
    """A pinned position, and whoever has a cookie of ours and so may have written something."""
    with two.held_up():
        register(two.orchard, "fen")
        pinned = two.orchard.page(f"{BOARD}?recorded_through={two.orchard.head}")
        assert "behind the ledger" not in pinned
        assert two.orchard.get("/benchmarks/fen").status_code == 404
        client = two.orchard.client
        client.set_cookie(FORM, new_secret())
        assert client.get("/benchmarks/fen").status_code == 200
        # The sealed log is read where it is sealed.
        assert "nothing is left out" in two.orchard.page("/audit")


def test_a_lag_of_seconds_ends_the_reading_from_the_replica(two: Two) -> None:
    """What was recorded more than five seconds ago is on every page."""
    clock = two.orchard.clock
    with two.held_up():
        register(two.orchard, "moor")
        clock.now += timedelta(seconds=5)
        assert two.orchard.get("/benchmarks/moor").status_code == 404
        clock.now += timedelta(seconds=1)
        assert two.orchard.page("/benchmarks/moor")
        assert two.told == {"position": two.orchard.head - 1, "behind": 1, "read": False}
    two.follow()
    assert two.told["read"]


def test_pages_do_without_a_replica_that_is_gone_and_find_it_again(two: Two) -> None:
    """Nobody sees that it was stopped; once it runs again pages are read from it."""
    replica = two.orchard.workspace.replica
    assert replica is not None
    two.follower.stop()
    for address in ("/", BOARD, "/corrections"):
        assert "behind the ledger" not in two.orchard.page(address)
    assert two.told == {"position": None, "behind": None, "read": False}
    two.follower.start()
    # It is left alone for a while; let this be over.
    replica.asked_again_at = 0.0
    two.follow()
    assert two.told["read"]
    two.orchard.page(BOARD)
    assert readers(two)


def test_a_replica_without_a_primary_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever sets one address and forgets the other is told, and no password is repeated."""
    monkeypatch.setenv("CORRIGENDA_READ_URL", "postgresql://reader:geheim@db/corrigenda")
    refusal = Corrigenda(tmp_path / "home").refused("init")
    assert "CORRIGENDA_DATABASE_URL" in refusal
    assert "geheim" not in refusal
    monkeypatch.setenv("CORRIGENDA_DATABASE_URL", "postgresql://db/corrigenda")
    monkeypatch.setenv("CORRIGENDA_READ_URL", "geheim.db")
    refusal = Corrigenda(tmp_path / "home").refused("init")
    assert "postgresql://" in refusal
    assert "geheim" not in refusal
