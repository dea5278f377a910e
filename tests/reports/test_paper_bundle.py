"""Bundles of papers: what the page says and nothing else, with all that it follows from."""

import random
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import jsonschema
import orjson
import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import events as ev
from ledger.errors import Refused
from ledger.proof.bundle import check_bundle
from ledger.seal import Seals
from projections.code.found import papers_page, samples_beginning
from reports.bundle import Records, correction_bundle, paper_bundle
from reports.bundle.schema import schema_bytes
from reports.rebuild import rebuild
from tests.projections.test_paper_order import FEW, fresh, lives, play
from tests.reports.greenhouse import DAYS, Greenhouse, open_greenhouse
from tests.reports.paper_pages import canonical, client, greenhouse, read_back
from tests.reports.ring import Ring
from tests.shelf import CODES, FULL, LABEL, PAPER, TWIN, Shelf

__all__ = ["client", "greenhouse"]


@pytest.mark.parametrize("plane", ["then", "since"])
@pytest.mark.parametrize("day", DAYS)
def test_a_bundle_says_what_the_page_says_and_that_follows_from_it(
    greenhouse: Greenhouse, client: FlaskClient, day: str, plane: str
) -> None:
    """On every day, with the corrections of then and of now; proved, and in the form of the
    schema."""
    bundle = greenhouse.bundle(day, corrected=plane)
    document = orjson.loads(bundle.data)
    path, _, query = document["address"].partition("?")
    page = client.get(f"{path}.json?{query}")
    assert page.status_code == 200, page.text
    assert canonical(document["shows"]) == canonical(page.json)
    assert rebuild(document) == []
    assert check_bundle(bundle.data).problems == ()
    checker = jsonschema.Draft202012Validator(orjson.loads(schema_bytes()))
    assert [one.message for one in checker.iter_errors(document)] == []


@settings(FEW, max_examples=8)
@given(found=lives, data=st.data())
def test_whatever_was_read_in_any_order_follows_from_its_bundle(
    found: list[Any], data: st.DataObject
) -> None:
    """Readings late and taken back, labels that go and come, codes that are completed, decisions on
    whatever is there; as read on any day and recorded through any position."""
    order = data.draw(st.permutations(range(len(found))))
    wrong = data.draw(st.sets(st.sampled_from(order), max_size=1))
    chance = data.draw(st.randoms(use_true_random=False))
    with fresh(None) as shelf:
        play(shelf, found, order, wrong)
        decide_something(shelf, chance)
        workspace = shelf.desk.workspace
        store = workspace.ledger.store
        records = Records(store, Seals(store, Ring()), workspace.views, workspace.ledger.archive)
        for _ in range(3):
            asked = {
                "corrected": chance.choice(("then", "since")),
                "recorded_through": str(chance.randint(7, shelf.head)),
            }
            day = chance.choice((None, *(f"2026-10-0{day}" for day in range(1, 6))))
            bundle = paper_bundle(records, shelf.moment(day, **asked), PAPER)
            document = orjson.loads(bundle.data)
            assert canonical(document["shows"]) == canonical(shelf.page(day, **asked))
            assert rebuild(document) == [], document["subject"]
            assert check_bundle(bundle.data).problems == ()


def decide_something(shelf: Shelf, chance: random.Random) -> None:
    """Correct the label and two samples, where there is anything to correct."""
    store = shelf.desk.workspace.ledger.store
    frozen = [
        one.event.digest for one in store.after(0, 1_000) if isinstance(one.event, ev.SourceFrozen)
    ]
    for subject, target, to in (
        (LABEL, f"labels/{LABEL}", {"label": "community"}),
        (f"s{CODES[0]}", f"samples/{CODES[0]}", {"outcome": "violated"}),
        (f"s{FULL}", f"samples/{FULL}", {"outcome": "honoured"}),
    ):
        with suppress(Refused):
            shelf.correct(subject, target, chance.choice(frozen), **to)
    shelf.desk.workspace.catch_up()


def test_what_was_decided_since_goes_along(greenhouse: Greenhouse) -> None:
    """A page of an earlier day names the decisions about the labels and samples that it shows."""
    assert read_back(greenhouse, "2026-09-24")["since"]["corrections"] == [1, 2, 3]
    assert read_back(greenhouse, "2025-07-28")["since"]["corrections"] == [1]
    assert read_back(greenhouse)["since"]["corrections"] == []
    decisions = read_back(greenhouse)["decisions"]
    assert [one["number"] for one in decisions] == [1, 2, 3, 4]
    assert decisions[0]["subjects"][0]["id"] == LABEL
    assert decisions[3]["target"] == f"papers/{PAPER}#caveat-ran"


def test_the_frozen_readings_are_those_that_the_page_rests_on(greenhouse: Greenhouse) -> None:
    """The archive's, both records', and no other; each with its source's name."""
    frozen = {one["sha256"]: one["source_name"] for one in read_back(greenhouse)["snapshots"]}
    assert frozen[greenhouse.archive] == "Archive of papers"
    assert frozen[greenhouse.record] == "Greenhouse"
    assert sorted(frozen.values()) == ["Archive of papers", "Greenhouse", "Nursery"]
    assert read_back(greenhouse)["names"][f"paper:{PAPER}"] == "Grafting"


def test_streams_are_whole_but_for_reports(greenhouse: Greenhouse) -> None:
    """The paper's, its repositories', labels', samples' and its window's, twins of samples too."""
    store = greenhouse.shelf.desk.workspace.ledger.store
    found: dict[str, list[int]] = {}
    for one in read_back(greenhouse)["events"]:
        found.setdefault(orjson.loads(one["stored"])["stream"], []).append(one["position"])
    for stream, positions in found.items():
        if not stream.startswith("report:"):
            assert positions == [one.position for one in store.stream(stream)]
    assert {f"paper:{PAPER}", f"label:{LABEL}", f"sample:s{FULL}", f"sample:s{TWIN}"} <= set(found)
    assert "probe:links" in found


def test_nothing_of_a_report_is_in_it_but_its_decision(greenhouse: Greenhouse) -> None:
    """Who reported what, and that somebody has reported something else."""
    data = greenhouse.bundle().data.decode()
    events = [orjson.loads(one["stored"]) for one in orjson.loads(data)["events"]]
    types = {one["type"] for one in events if one["stream"].startswith("report:")}
    assert types == {"decision-made/1"}
    assert "reporter" not in data


def test_a_paper_on_postgresql_follows_too(postgres_url: str, tmp_path: Path) -> None:
    """And is found there, with its samples, in the same order."""
    with open_greenhouse(tmp_path, postgres_url) as there:
        bundle = there.bundle("2026-09-24")
        assert rebuild(orjson.loads(bundle.data)) == []
        assert check_bundle(bundle.data).problems == ()
        moment, workspace = there.shelf.moment(), there.shelf.desk.workspace
        with workspace.views.read() as reader:
            page = papers_page(reader, moment, 1, before="9999.0")
            samples = samples_beginning(reader, workspace.ledger.store, FULL[:9], moment, 5)
    assert [one.slug for one in page.papers] == [PAPER]
    assert (page.in_all, page.has_before) == (1, False)
    assert samples == [FULL, TWIN]


def test_equal_bundles_have_equal_bytes(greenhouse: Greenhouse) -> None:
    """Made twice they are the same."""
    assert greenhouse.bundle().data == greenhouse.bundle().data


def test_notices_about_labels_and_samples_follow_too(
    greenhouse: Greenhouse, client: FlaskClient
) -> None:
    """In the form of the schema, and saying what their pages say: what became of the paper too."""
    checker = jsonschema.Draft202012Validator(orjson.loads(schema_bytes()))
    for number in (1, 2, 3, 4):
        bundle = correction_bundle(greenhouse.records, greenhouse.shelf.moment(), number)
        document = orjson.loads(bundle.data)
        path, _, query = document["address"].partition("?")
        page: Any = client.get(f"{path}.json?{query}").json
        assert canonical(document["shows"]) == canonical({**page, "asked_by": None})
        assert [one["paper"] for one in page["papers"]] == ([] if number == 4 else [PAPER])
        assert rebuild(document) == []
        assert [one.message for one in checker.iter_errors(document)] == []


def test_it_is_proved_with_the_standard_library(greenhouse: Greenhouse, tmp_path: Path) -> None:
    """By a program that has never heard of papers."""
    path = tmp_path / "paper.bundle.json"
    path.write_bytes(greenhouse.bundle().data)
    key = str(greenhouse.records.seals.keys()[0])
    command = [sys.executable, "-m", "ledger.proof", str(path), "--key", key]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, capture_output=True, check=False, cwd=root)
    assert done.returncode == 0, done.stderr.decode()
