"""Paper calls metrics by their names, as pages do, and not by the slugs of their addresses."""

import re
from typing import Any

import orjson
import pytest

from reports.fonts import letters
from reports.paper.document import paper_of
from reports.paper.sections import COVER, sections_of
from reports.rebuild import rebuild
from reports.render import Printer
from tests.reports.papers import bundle_of
from tests.reports.shop import Shop
from web.cli.demo import SMALL


def document_of(shop: Shop, kind: str) -> Any:
    """A bundle's document."""
    return orjson.loads(bundle_of(shop, kind).data)


def words_of(document: Any) -> str:
    """What would be printed of it, without its markup."""
    paper = paper_of(document, "0" * 64, 1)
    html = Printer(paper, letters()).html([COVER, *sections_of(paper)])
    return " ".join(re.sub(r"<[^>]*>", "", html).split())


@pytest.mark.parametrize("kind", ["board", "claim", "correction", "corrections"])
def test_a_corrected_metric_is_called_by_its_names(shop: Shop, kind: str) -> None:
    """Before and after; wherever the decision is told."""
    document = document_of(shop, kind)
    (touched,) = [one for entry in document["decisions"] for one in entry["claims"]]
    before, after = touched["before"]["metric"], touched["after"]["metric"]
    names = document["metrics"][SMALL]
    text = words_of(document)
    assert f"metric {names[before]} → {names[after]}" in text
    assert f"metric {before} → {after}" not in text


def test_boards_that_moved_are_headed_by_their_metrics_names(shop: Shop) -> None:
    """As the notice's page heads them."""
    document = document_of(shop, "correction")
    text, name = words_of(document), document["names"][f"benchmark:{SMALL}"]
    for effect in document["shows"]["boards"]:
        assert re.search(
            rf"{re.escape(name)}: [^,]+, {document['metrics'][SMALL][effect['metric']]}", text
        )


def test_a_claim_says_its_metric_by_name_and_what_was_read_too(shop: Shop) -> None:
    """In the table of what its source says."""
    document = document_of(shop, "claim")
    names = document["metrics"][SMALL]
    said, shown = document["shows"]["says"]["metric"], document["shows"]["shows"]["metric"]
    text = words_of(document)
    assert f"Metric{names[shown]} – corrected; it was read as {names[said]}" in text


def test_the_names_follow_from_the_events(shop: Shop) -> None:
    """Another name is found out; a bundle of an earlier release says none, and prints the slug."""
    document = document_of(shop, "correction")
    assert rebuild(document) == []
    (touched,) = document["shows"]["claims"]
    before = touched["before"]["metric"]
    document["metrics"][SMALL][before] = "Applause"
    assert any(one.startswith(f"metrics.{SMALL}.{before}") for one in rebuild(document))
    del document["metrics"]
    assert rebuild(document) == []
    assert f"metric {before} → {touched['after']['metric']}" in words_of(document)
