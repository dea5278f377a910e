"""Fixtures of the tests of what the events mean."""

from tests.shelf import shelf
from tests.web.desk import desk, desk_once

__all__ = [
    "desk",
    "desk_once",
    "shelf",
]
