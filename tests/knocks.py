"""Files with pieces knocked out, doubled and exchanged, and text that is odd: what whoever reads
outside bytes is tried with."""

import os

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

EXAMPLES = int(os.environ.get("FUZZ", "0"))
"""How many examples of each kind; 0 stands for the suite's own few."""

TIMES = settings(
    max_examples=EXAMPLES or 25,
    derandomize=not EXAMPLES,
    database=None,
    suppress_health_check=list(HealthCheck),
)
PATIENCE = 3600 if EXAMPLES else 120
"""Seconds for each kind."""

PIECES = (
    *(b"", b"\x00", b"\xff", b"\xc3", b"\n", b"\r", b'"', b",", b":", b"{", b"}", b"[", b"]"),
    *(b"null", b"true", b"1e999", b"-0", b"NaN", b"9" * 400, b"0x10", b"1_000", b"\\ud800"),
    *(
        b"[" * 2_000,
        b'{"a":' * 2_000,
        b"&a *a",
        b"<<: *a",
        b"!!python/object:os.system",
        b"- " * 99,
    ),
    *(b"\xe2\x80\xae", b"\xef\xbb\xbf", b"PK\x03\x04", b"\x1f\x8b\x08", b"%PDF-", b"--- ", b"| "),
    *("\u0663".encode(), "²".encode(), "\uff19".encode(), "\u2028".encode(), "ß".encode()),
    *(b"9999-12-31T23:59:59-23:59", b"0000-01-01", b"2025-02-30", b"1969-12-31", b"+00:00"),
)

Knocks = list[tuple[int, int, bytes]]
KNOCKS = st.lists(
    st.tuples(
        st.integers(0, 10**6), st.integers(0, 40), st.sampled_from(PIECES) | st.binary(max_size=8)
    ),
    min_size=1,
    max_size=4,
)
TEXTS = st.text(max_size=60) | st.lists(
    st.sampled_from([piece.decode("utf-8", "replace") for piece in PIECES]) | st.text(max_size=6),
    max_size=5,
).map("".join)


def knocked(whole: bytes, knocks: Knocks) -> bytes:
    """The bytes with pieces of them exchanged."""
    for at, length, piece in knocks:
        start = at % (len(whole) + 1)
        whole = whole[:start] + piece + whole[start + length :]
    return whole
