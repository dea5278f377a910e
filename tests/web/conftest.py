"""Fixtures of the tests of what people touch."""

from tests.web.corrigenda import corrigenda, toy, toy_once
from tests.web.desk import desk, desk_once, office
from tests.web.kites import kites, kites_once
from tests.web.orchard import orchard, orchard_once

__all__ = [
    "corrigenda",
    "desk",
    "desk_once",
    "kites",
    "kites_once",
    "office",
    "orchard",
    "orchard_once",
    "toy",
    "toy_once",
]
