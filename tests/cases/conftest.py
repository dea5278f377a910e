"""Fixtures of the cases: an empty ledger, and a place for events alone on either engine."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.desk import Desk, open_desk
from tests.ledger.engines import place

__all__ = ["place"]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """An empty ledger."""
    made = open_desk(tmp_path)
    yield made
    made.workspace.close()
