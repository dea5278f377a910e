"""The public log as its readers get it: page, CSV, feed and JSON, with decisions in it."""

import csv
import io
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest

from ledger import commands as orders
from tests.web.flat_page import Page
from tests.web.kites import GLIDER, IBIS, Kites
from tests.web.page import page_of

ATOM = {"a": "http://www.w3.org/2005/Atom"}
HOSTILE = "</script><script>alert(1)</script>"


def numbers(kites: Kites, query: str = "") -> list[int]:
    """The entries that the log lists."""
    return [one["number"] for one in kites.json(f"/corrections.json{query}")["corrections"]]


def table(kites: Kites, query: str = "") -> list[dict[str, str]]:
    """The log as a spreadsheet reads it."""
    response = kites.get(f"/corrections.csv{query}")
    assert response.content_type == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(response.text, newline="")))


def feed(kites: Kites, query: str = "") -> ET.Element:
    """The feed, which has to be well-formed XML."""
    response = kites.get(f"/corrections.atom{query}")
    assert response.content_type == "application/atom+xml; charset=utf-8", response.text
    return ET.fromstring(response.data)  # noqa: S314 -- our own


def told(entry: ET.Element, name: str) -> str:
    """The text of a part of a feed entry."""
    return entry.findtext(f"a:{name}", "", ATOM)


def by_title(kites: Kites) -> dict[int, ET.Element]:
    """The entries of the feed by their numbers."""
    found = feed(kites).findall("a:entry", ATOM)
    return {int(told(one, "title").split()[1].rstrip(",:")): one for one in found}


def text(kites: Kites, address: str) -> str:
    """What a page says."""
    return Page.of(kites.page(address)).text


def three(kites: Kites) -> tuple[str, str, str]:
    """K1 corrects 72.5 → 70.1, K2 corrects K1 → 71.0, K3 revokes K2."""
    first = kites.correct("70.1")
    kites.wait(hours=1)
    second = kites.correct("71.0", replaces=first)
    kites.wait(hours=1)
    third = kites.reverse(second)
    kites.wait(hours=1)
    return first, second, third


# --- filters and search -----------------------------------------------------------------------


@pytest.fixture
def several(kites: Kites) -> Kites:
    """Six decisions on two benchmarks in two years."""
    kites.correct("70.1", statement="The table of eight shots says 70.1.")
    kites.wait(days=1)
    kites.correct("15.5", GLIDER, by="clara", reason="wrong-unit-or-scale")
    kites.wait(days=1)
    kites.decide(statement="100% of what_we saw is right.")
    kites.wait(days=200)
    target = kites.file("benchmarks/gliders", reason="missing-claim")
    kites.decide(number=target, outcome="cannot-be-verified", reason="missing-claim", snapshot=None)
    kites.reverse("2.1")
    kites.decide(
        orders.Retract(claim=IBIS, applies_from="start"), type="retraction", reason="run-invalid"
    )
    return kites


# --- paging -----------------------------------------------------------------------------------


def follow(kites: Kites, query: str) -> Iterator[list[int]]:
    """Page after page, as the links lead."""
    address: str | None = f"/corrections{query}"
    while address:
        html = kites.page(address)
        page = Page.of(html)
        yield [
            int(one.removeprefix("correction-"))
            for one in page.values("id")
            if "correction-" in one
        ]
        address = next(
            (
                one.attributes["href"]
                for one in page_of(html).root.all("a")
                if one.attributes.get("rel") == "next"
            ),
            None,
        )
