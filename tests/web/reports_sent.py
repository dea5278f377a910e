"""Reports as somebody without an account sends them, and what becomes of them."""

import re
from typing import Any

import pytest
from werkzeug.test import TestResponse

from ledger import events as ev
from ledger.report import stream_of
from tests.web.orchard import BIRCH, Orchard
from tests.web.people import Person, stranger
from web.private import reporters

TARGET = f"claims/{BIRCH}"
PNG = b"\x89PNG\r\n\x1a\n" + b"\x00" * 20
GOOD = {"target": TARGET, "reason": "wrong-value", "wish": "change", "set-score": "70.1"}
WORDS = "Table 4 says 70.1, and I am Dana Q."
CONTACT = "dana@example.org"


@pytest.fixture
def dana(orchard: Orchard) -> Person:
    """Somebody who opened the form."""
    return stranger(orchard.app, orchard.workspace)


def secret_of(response: TestResponse) -> str:
    """The secret of the page that a report leads to."""
    assert response.status_code == 303, response.text
    found = re.fullmatch(r"/reports/([A-Za-z0-9_-]{43})", response.headers["Location"])
    assert found, response.headers["Location"]
    return found[1]


def sent(person: Person, **fields: Any) -> str:
    """Send the form and get the secret."""
    said = {name.replace("__", "-"): text for name, text in fields.items()}
    return secret_of(person.post("/report", {**GOOD, **said}))


def number_of(orchard: Orchard, secret: str) -> int:
    """The report that a secret leads to."""
    number = reporters.number_of(orchard.workspace.private, secret)
    assert number is not None
    return number


def events_of(orchard: Orchard, number: int) -> list[ev.Event]:
    """What is recorded of a report."""
    return [one.event for one in orchard.workspace.ledger.store.stream(stream_of(number))]
