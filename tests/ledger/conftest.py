"""Fixtures of the tests of the ledger."""

from tests.ledger.engines import place, store
from tests.ledger.handed import given
from tests.ledger.record_lines import desk
from tests.ledger.sealed import log
from tests.shelf import shelf

__all__ = [
    "desk",
    "given",
    "log",
    "place",
    "shelf",
    "store",
]
