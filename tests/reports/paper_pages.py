"""The made-up paper, made once, with somebody who looks at its page and reads its bundle."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from flask.testing import FlaskClient

from tests.reports.greenhouse import Greenhouse, open_greenhouse
from web.app import create_app


@pytest.fixture(scope="module")
def greenhouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Greenhouse]:
    """The made-up paper, made once; tests only read it."""
    with open_greenhouse(tmp_path_factory.mktemp("greenhouse")) as opened:
        yield opened


@pytest.fixture(scope="module")
def client(greenhouse: Greenhouse) -> FlaskClient:
    """Somebody who looks at its page."""
    return create_app(greenhouse.shelf.desk.workspace).test_client()


def read_back(greenhouse: Greenhouse, day: str | None = None, **asked: str) -> Any:
    """A bundle as somebody else reads it."""
    return orjson.loads(greenhouse.bundle(day, **asked).data)


def canonical(document: Any) -> bytes:
    return orjson.dumps(document, option=orjson.OPT_SORT_KEYS)
