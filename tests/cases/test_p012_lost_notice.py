"""A lost notification delays and never loses (P012)."""

from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from ledger.store import open_store
from projections.keeping.follow import Follower
from projections.keeping.views import open_views
from tests.desk import claim, open_desk
from tests.ledger.engines import BOTH, Salt


@pytest.mark.parametrize("engine", BOTH)
def test_a_follower_that_heard_nothing_catches_up_by_polling(
    engine: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """P012: a second process whose connection is cut sees the correction at its next look."""
    url = request.getfixturevalue("postgres_url") if engine == "postgres" else None
    desk = open_desk(tmp_path, url)
    desk.at("2025-07-10T12:00:00Z").read("heron,Heron-7B,72.5", "2025-07-01")
    other = open_store(desk.workspace.settings.ledger, clock=desk.clock, salt=Salt())
    views = open_views(url or tmp_path / "others.db")
    follower = Follower(other, views)
    with closing(other), closing(views):
        idle = follower.catch_up()
        assert idle == other.head()
        if url is not None:
            cut_listeners(url)
        desk.correct(claim("heron"), score="70.1")
        assert (other.head() - follower.position()) > 0
        assert other.wait(idle, timeout=30)
        assert follower.catch_up() == desk.workspace.ledger.store.head()
    desk.workspace.close()


def cut_listeners(url: str) -> None:
    """End every other connection to this database, as a firewall would, without a word."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND query ILIKE 'listen%'"
        )
