"""Fixtures of the tests of what people touch."""

from tests.web.corrigenda import corrigenda, toy, toy_once
from tests.web.orchard import orchard, orchard_once

__all__ = ["corrigenda", "orchard", "orchard_once", "toy", "toy_once"]
