"""Benchmarks and metrics stand on pages by their names, looked up once for a whole page."""

from typing import Any

import pytest
from sqlalchemy import event

from projections.called import called
from projections.decisions.log import Wanted, page_of_log
from projections.decisions.subjects import Names
from tests.web.desk import Office
from tests.web.orchard import BOARD, Orchard
from tests.web.page import page_of
from web.log.notice_words import value_words

SPAN = "from=2025-07-20&to=2025-07-28"
PAGES = (f"{BOARD}/changes?{SPAN}", "/models/birch/history", "/sources/birch-post")


@pytest.mark.parametrize("address", PAGES)
def test_a_metric_stands_by_its_name(orchard: Orchard, address: str) -> None:
    """The slug is for addresses and programs."""
    cells = {one.text for one in page_of(orchard.page(address)).root.all("td")}
    assert any(one.startswith("share grown") for one in cells)
    assert "grown" not in cells


def test_a_source_names_the_benchmarks_that_it_was_read_for(orchard: Orchard) -> None:
    """In its readings and in what it states."""
    page = page_of(orchard.page("/sources/birch-post")).root
    links = [one for one in page.all("a") if one.attributes["href"].startswith(BOARD)]
    assert len(links) > 1
    assert {one.text for one in links} == {"Orchard"}


def test_what_has_no_name_keeps_its_slug(orchard: Orchard) -> None:
    """A metric without a rule, a benchmark that nobody registered."""
    workspace = orchard.workspace
    with workspace.views.read() as reader:
        names = called(reader, ["orchard", "nowhere", None], workspace.moment())
    assert names.benchmark("orchard") == "Orchard"
    assert names.metric("orchard", "hours") == "hours needed"
    assert (names.benchmark("nowhere"), names.metric("nowhere", "grown")) == ("nowhere", "grown")
    assert names.metric("orchard", "height") == "height"


def test_all_names_of_a_page_are_one_look_up(orchard: Orchard) -> None:
    """However many benchmarks are spoken of."""
    asked: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        asked.append(statement)

    workspace = orchard.workspace
    moment = workspace.moment()
    with workspace.views.read() as reader:
        engine = reader.connection.engine
        event.listen(engine, "before_cursor_execute", note)
        called(reader, ["orchard", "meadow"], moment)
        event.remove(engine, "before_cursor_execute", note)
    assert len(asked) <= 1


def test_a_corrected_metric_is_named_in_the_log(orchard: Orchard) -> None:
    """On pages, in the feed and in messages alike, by the names of its benchmark."""
    workspace = orchard.workspace
    with workspace.views.read() as reader:
        moment = workspace.moment()
        found = page_of_log(
            reader, workspace.ledger.store, Wanted(), moment, count=10, before=None, after=None
        )
        names = Names({}, {}, metrics=called(reader, ["orchard"], moment))
    assert found.entries
    assert value_words("metric", "grown", names, "orchard") == "share grown"
    assert value_words("metric", "grown", names, "meadow") == "grown"
    assert value_words("score", "grown", names, "orchard") == "grown"


def test_the_queue_names_benchmarks_and_sources(office: Office) -> None:
    """In its lines and in the lists that narrow it."""
    office.desk.file()
    text = page_of(office.reviewer().get("/review").text).root
    options = {one.attributes.get("value"): one.text for one in text.all("option")}
    assert options["kitebench"].startswith("KiteBench v1")
    assert options["kite-board"].startswith("KiteBench leaderboard")
    where = [one for one in text.all("p", "where") if "KiteBench v1" in one.text]
    assert where
    assert "from KiteBench leaderboard" in where[0].text
