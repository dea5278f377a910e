"""Fixtures of the tests of what is printed and handed out."""

from collections.abc import Iterator

import pytest

from tests.reports.shop import Shop, open_shop
from tests.web.desk import desk, desk_once

__all__ = ["desk", "desk_once", "shop"]


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    """The demo's ledger, made once; tests only read it."""
    with open_shop(tmp_path_factory.mktemp("shop")) as opened:
        yield opened
