"""Fixtures of the tests of the ledger."""

from tests.ledger.sealed import log, place

__all__ = ["log", "place"]
