"""Every public address of the orchard, and what its board shows there."""

import hashlib
from urllib.parse import parse_qs, urlsplit

from tests.web.orchard import (
    BIRCH,
    BOARD,
    READINGS,
    WRONG,
    Orchard,
)

DAY = "2025-07-28"
SNAPSHOT = hashlib.sha256(next(iter(READINGS.values())).encode()).hexdigest()
ADDRESSES = [
    "/",
    BOARD,
    "/benchmarks/meadow",
    f"/claims/{BIRCH}",
    f"/claims/{WRONG}",
    "/models/birch",
    "/sources/orchard-board",
    "/corrections",
]
JSON_ADDRESSES = [
    f"{BOARD}.json",
    f"/claims/{BIRCH}.json",
    "/sources/orchard-board.json",
    "/corrections.json",
]
WITH_CHARTS = [BOARD, "/benchmarks/meadow", "/corrections"]
OUR_SCRIPT = "; script-src 'self'; connect-src 'self'"
EVERYTHING = [
    *ADDRESSES,
    *JSON_ADDRESSES,
    f"{BOARD}.csv",
    f"/snapshots/{SNAPSHOT}",
    "/healthz",
    "/readyz",
    "/static/corrigenda.css",
    "/static/tables.css",
    "/static/forms.css",
    "/nothing/here",
    "/benchmarks/unknown",
    f"{BOARD}?as_read_on=",
]


def asked_by(link: str) -> set[str]:
    """The parameters of an address."""
    return set(parse_qs(urlsplit(link).query))


def scores(orchard: Orchard, query: str) -> dict[str, str]:
    """Name and score of each row of the board."""
    rows = orchard.json(f"{BOARD}.json?{query}")["rows"]
    return {row["as_written"]: row["score"] for row in rows}
