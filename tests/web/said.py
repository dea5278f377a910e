"""More that is said of the orchard, and its pages taken apart."""

from typing import Any

import orjson

from ledger.importing.records import import_records, parse_records
from tests.web.orchard import Orchard
from tests.web.page import Element, Page, page_of


def board(orchard: Orchard, address: str) -> Page:
    """A page that has to be there."""
    return page_of(orchard.page(address))


def metas(page: Page) -> list[Element]:
    """What the head tells of the page."""
    return [one for one in page.root.one("head").all("meta") if "content" in one.attributes]


def say(orchard: Orchard, *records: dict[str, Any], read_at: str = "2025-08-19") -> None:
    """Record something more."""
    head = {"record": "file", "format": "corrigenda-records/1", "read_at": read_at, "why": "said"}
    data = b"\n".join(orjson.dumps(line) for line in (head, *records))
    parsed = parse_records("more.jsonl", data, orchard.clock())
    import_records(orchard.workspace.ledger, orchard.workspace.known(), parsed, "curator")


def describe(orchard: Orchard, benchmark: str = "orchard", **facts: str | None) -> None:
    """Say something of a benchmark."""
    say(orchard, {"record": "benchmark-facts", "benchmark": benchmark, "facts": facts})
