"""Fixtures of the tests of what people touch."""

import pytest

from tests.web.corrigenda import corrigenda, toy, toy_once
from tests.web.desk import desk, desk_once, office
from tests.web.failing_server import server
from tests.web.kites import kites, kites_once
from tests.web.orchard import orchard, orchard_once
from tests.web.private_stores import open_store, store, where
from tests.web.public_log import several
from tests.web.reports_sent import dana
from tests.web.served import address
from tests.web.tampered import on_postgres, tampered, tampered_once
from tests.web.telling import world
from web import freshness


@pytest.fixture(autouse=True)
def time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page waits for what was just recorded, however much else the machine does meanwhile."""
    monkeypatch.setattr(freshness, "PATIENCE", 60.0)


__all__ = [
    "address",
    "corrigenda",
    "dana",
    "desk",
    "desk_once",
    "kites",
    "kites_once",
    "office",
    "on_postgres",
    "open_store",
    "orchard",
    "orchard_once",
    "server",
    "several",
    "store",
    "tampered",
    "tampered_once",
    "toy",
    "toy_once",
    "where",
    "world",
]
