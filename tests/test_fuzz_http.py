"""Whatever is asked for and sent over HTTP: a page or a plain no, and never our own fault."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from tests.knocks import PATIENCE, TEXTS, TIMES
from tests.web.orchard import open_orchard, orchard_once

__all__ = ["orchard_once"]

pytestmark = pytest.mark.timeout(PATIENCE)


@pytest.fixture(scope="module")
def visitor(orchard_once: Path) -> Iterator[FlaskClient]:
    """Somebody without a past, at a ledger that they cannot change by reading."""
    with open_orchard(orchard_once) as orchard:
        yield orchard.client


ADDRESSES = (
    *("/", "/benchmarks/orchard", "/benchmarks/orchard.json", "/benchmarks/orchard.csv"),
    *("/benchmarks/orchard/changes", "/models/birch", "/sources/birch-post", "/corrections"),
    *("/corrections.json", "/claims/", "/snapshots/", "/tile/0/000", "/timegate/", "/papers"),
    *("/samples/", "/probes/", "/audit", "/audit/events", "/receipts/", "/reports/", "/report"),
    *("/review", "/login", "/api/v1/benchmarks", "/api/v1/claims", "/healthz", "/readyz"),
)
PARAMETERS = (
    *("as_read_on", "corrected", "recorded_through", "published_by", "view", "metric", "q"),
    *("every_claim", "from", "to", "cursor", "target", "size", "position", "number", "limit"),
)


@TIMES
@given(
    address=st.sampled_from(ADDRESSES),
    rest=st.just("") | TEXTS,
    query=st.dictionaries(st.sampled_from(PARAMETERS) | TEXTS, TEXTS, max_size=3),
)
def test_no_address_is_our_own_fault(
    visitor: FlaskClient, address: str, rest: str, query: dict[str, str]
) -> None:
    """Paths and parameters of any text: a page, or a plain no."""
    with suppress(UnicodeEncodeError):  # half a surrogate cannot be sent
        answer = visitor.get(address + rest, query_string=None if "?" in rest else query)
        assert answer.status_code < 500, (address, rest, query)


@TIMES
@given(
    address=st.sampled_from(["/report", "/login", "/api/v1/reports", "/review/1", "/tile/0/000"]),
    body=st.binary(max_size=200) | TEXTS.map(lambda text: text.encode("utf-8", "replace")),
    kind=st.sampled_from(
        [
            *("application/json", "application/x-www-form-urlencoded", "text/plain", ""),
            *("multipart/form-data; boundary=x", "multipart/form-data", "application/json; a=\x80"),
        ]
    ),
)
def test_no_body_is_our_own_fault(
    visitor: FlaskClient, address: str, body: bytes, kind: str
) -> None:
    """Forms and JSON of any bytes, under any type."""
    for data in (body, b"--x\r\nContent-Disposition: form-data; name=" + body + b"\r\n--x--"):
        answer = visitor.post(address, data=data, content_type=kind)
        assert answer.status_code < 500, (address, data, kind)
