"""Fixtures of the tests of the ledger."""

from tests.ledger.handed import given
from tests.ledger.sealed import log, place

__all__ = ["given", "log", "place"]
