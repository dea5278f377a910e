"""Fixtures of the tests of what people touch."""

from tests.web.corrigenda import corrigenda, toy, toy_once

__all__ = ["corrigenda", "toy", "toy_once"]
