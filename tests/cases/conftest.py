"""Fixtures of the cases: an empty ledger, and a place for events alone on either engine."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.desk import Desk, open_desk
from tests.ledger.engines import Place, PostgresPlace, SQLitePlace

BOTH = ("sqlite", pytest.param("postgres", marks=pytest.mark.postgres))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """An empty ledger."""
    made = open_desk(tmp_path)
    yield made
    made.workspace.close()


@pytest.fixture(params=BOTH)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """A place for events alone, on either engine."""
    found: Place
    if request.param == "sqlite":
        found = SQLitePlace(str(tmp_path / "ledger.sqlite"))
    else:
        found = PostgresPlace(request.getfixturevalue("postgres_url"))
    yield found
    found.close()
