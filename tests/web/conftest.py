"""Fixtures of the tests of what people touch."""

from tests.web.corrigenda import corrigenda, toy, toy_once
from tests.web.desk import desk, desk_once, office
from tests.web.kites import kites, kites_once
from tests.web.orchard import orchard, orchard_once
from tests.web.tampered import on_postgres, tampered, tampered_once

__all__ = [
    "corrigenda",
    "desk",
    "desk_once",
    "kites",
    "kites_once",
    "office",
    "on_postgres",
    "orchard",
    "orchard_once",
    "tampered",
    "tampered_once",
    "toy",
    "toy_once",
]
