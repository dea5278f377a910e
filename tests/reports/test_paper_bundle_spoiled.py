"""A bundle of a paper that says something else than its events is found out, part by part."""

from collections.abc import Callable
from typing import Any

import pytest

from ledger.errors import BadValue
from ledger.proof.bundle import check_bundle
from reports.rebuild import rebuild
from tests.reports.greenhouse import Greenhouse
from tests.reports.paper_pages import greenhouse, read_back
from tests.shelf import FULL, PAPER

__all__ = ["greenhouse"]


Spoil = Callable[[Any], object]


def drop_label(document: Any) -> None:
    document["shows"]["repositories"][0]["labels"].pop()


def blame_the_code(document: Any) -> None:
    document["shows"]["records"][0]["blames"]["code"] = 9


def count_more(document: Any) -> None:
    document["shows"]["records"][0]["ran"] = 4


def make_reachable(document: Any) -> None:
    probed = (one["reachability"] for one in document["shows"]["repositories"])
    next(one for one in probed if one)["result"] = "reachable"


def reword_abstract(document: Any) -> None:
    document["shows"]["abstracts"][0]["text"] = "We graft."


def license_sample(document: Any) -> None:
    document["shows"]["records"][0]["samples"][0]["licence"] = "MIT-0"


def soften_decision(document: Any) -> None:
    document["decisions"][0]["statement"] = "Nothing was wrong."


def forget_snapshot(document: Any) -> None:
    document["snapshots"].pop()


def rename_paper(document: Any) -> None:
    document["names"][f"paper:{PAPER}"] = "Budding"


def hush_up_caveat(document: Any) -> None:
    document["caveats"].clear()


def drop_probes(document: Any) -> None:
    document["events"] = [one for one in document["events"] if '"probe:links"' not in one["stored"]]


SPOILED: dict[Spoil, str] = {
    drop_label: "shows.repositories[0].labels: the bundle says a list of 0",
    blame_the_code: "shows.records[0].blames.code: the bundle says 9",
    count_more: "shows.records[0].ran: the bundle says 4",
    make_reachable: 'reachability.result: the bundle says "reachable", its events give "unreach',
    reword_abstract: 'shows.abstracts[0].text: the bundle says "We graft."',
    license_sample: 'shows.records[0].samples[0].licence: the bundle says "MIT-0"',
    soften_decision: 'decisions[0].statement: the bundle says "Nothing was wrong."',
    forget_snapshot: "snapshots: the bundle says a list of",
    rename_paper: f'names.paper:{PAPER}: the bundle says "Budding"',
    hush_up_caveat: "caveats: the bundle says a list of 0, its events give a list of 1",
    drop_probes: "shows.windows: the bundle says a list of 1, its events give a list of 0",
}


@pytest.mark.parametrize("spoil", SPOILED, ids=lambda one: one.__name__)
def test_whatever_does_not_follow_is_named(greenhouse: Greenhouse, spoil: Spoil) -> None:
    """Each part, changed alone, is found, with what the events give instead."""
    document = read_back(greenhouse)
    spoil(document)
    try:
        found = rebuild(document)
    except BadValue as why:
        found = [str(why)]
    assert any(SPOILED[spoil] in one for one in found), found


def test_an_event_that_is_altered_is_not_in_the_log(greenhouse: Greenhouse) -> None:
    """Whoever rewrites what a record said of a sample breaks its proof."""
    data = greenhouse.bundle().data
    altered = data.replace(b'\\"outcome\\":\\"honoured\\"', b'\\"outcome\\":\\"violated\\"')
    assert altered != data
    (problem,) = check_bundle(altered).problems
    assert f"(sample-run-read/1 of sample:s{FULL}) is not in the log" in problem
