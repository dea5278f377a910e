"""An empty private store on each engine, whose clock stands and whose nonces can be foretold."""

import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from web.private.store import PrivateStore, open_private


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A place for a private store, on each engine."""
    if request.param == "sqlite":
        return str(tmp_path / "private.db")
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def open_store() -> Iterator[Callable[..., PrivateStore]]:
    """Open a store; the test's end closes it. Its nonces can be foretold, its clock stands."""
    opened: list[PrivateStore] = []

    def open_(where: str, patience: float = 10.0) -> PrivateStore:
        chance = random.Random(len(opened))
        store = open_private(
            where,
            clock=lambda: datetime(2025, 7, 28, tzinfo=UTC),
            nonce=lambda: chance.randbytes(16),
            patience=patience,
        )
        opened.append(store)
        return store

    yield open_
    for store in opened:
        store.close()


@pytest.fixture
def store(where: str, open_store: Callable[..., PrivateStore]) -> PrivateStore:
    """An open, empty store."""
    return open_store(where)
