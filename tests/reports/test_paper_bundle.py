"""Bundles of papers: what the page says and nothing else, with all that it follows from."""

import hashlib
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import jsonschema
import orjson
import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st
from prov.model import ProvDocument

from ledger import events as ev
from ledger.errors import BadValue, Refused
from ledger.proof.bundle import check_bundle
from ledger.seal import Seals
from projections.code.found import papers_page, samples_beginning
from reports.bundle import Bundle, Records, correction_bundle, paper_bundle
from reports.bundle.schema import schema_bytes
from reports.fonts import letters
from reports.paper.document import paper_of
from reports.paper.sections import COVER, sections_of
from reports.pdf import pdf_of
from reports.prov import prov_bytes, prov_document
from reports.rebuild import rebuild
from reports.render import Printer
from tests.projections.test_paper_order import FEW, fresh, lives, play
from tests.reports.greenhouse import (
    ABSTRACT,
    DAYS,
    FAR_LINK,
    OTHER_LINK,
    OWN_LINK,
    Greenhouse,
    open_greenhouse,
)
from tests.reports.papers import outside, run_together
from tests.reports.ring import Ring
from tests.shelf import CODES, FULL, LABEL, PAPER, TWIN, Shelf
from web.app import create_app

Spoil = Callable[[Any], object]


@pytest.fixture(scope="module")
def greenhouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Greenhouse]:
    """The made-up paper, made once; tests only read it."""
    with open_greenhouse(tmp_path_factory.mktemp("greenhouse")) as opened:
        yield opened


@pytest.fixture(scope="module")
def client(greenhouse: Greenhouse) -> FlaskClient:
    """Somebody who looks at its page."""
    return create_app(greenhouse.shelf.desk.workspace).test_client()


def read_back(greenhouse: Greenhouse, day: str | None = None, **asked: str) -> Any:
    """A bundle as somebody else reads it."""
    return orjson.loads(greenhouse.bundle(day, **asked).data)


def canonical(document: Any) -> bytes:
    return orjson.dumps(document, option=orjson.OPT_SORT_KEYS)


# --- it says what the page says, and that follows ---------------------------------------------


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


# --- it does not ------------------------------------------------------------------------------


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


# --- the same as PROV -------------------------------------------------------------------------


def test_prov_tells_what_was_read_and_decided_of_code(greenhouse: Greenhouse) -> None:
    """Labels and samples are entities; each reading is from a snapshot, each correction by a
    decision, and a retraction ends what was said."""
    document = read_back(greenhouse)
    told = prov_document(document).get_provn()
    assert f"entity(here:papers/{PAPER}, [prov:type='term:Paper', prov:label=\"Grafting\"])" in told
    assert f"entity(here:labels/{LABEL}, [prov:type='term:Label'" in told
    assert f"specializationOf(here:samples/{FULL}/as-of/" in told
    assert f"here:snapshots/{greenhouse.record}" in told
    assert "here:corrections/1" in told
    assert "wasInvalidatedBy(here:relations/invalidated/" in told
    assert OWN_LINK in told
    assert FAR_LINK not in told
    assert 'prov:label="Paper 2603.01234, as read on' in told


@pytest.mark.parametrize("day", ["2025-07-28", None])
def test_prov_of_a_paper_can_be_read_again(greenhouse: Greenhouse, day: str | None) -> None:
    """By the library that others use; equal bundles give equal bytes."""
    document = read_back(greenhouse, day)
    first, second = (prov_bytes(document, "json") for _ in range(2))
    assert first == second
    assert ProvDocument.deserialize(content=first.decode(), format="json").get_records()


# --- the same on paper ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def printed(greenhouse: Greenhouse) -> tuple[bytes, bytes]:
    """Its bundle and its PDF."""
    data = greenhouse.bundle().data
    return data, pdf_of(data)


def test_paper_says_what_the_page_says(
    greenhouse: Greenhouse, printed: tuple[bytes, bytes], tmp_path: Path
) -> None:
    """Abstract, licence, repositories with who asserts what, samples with outcome and blame,
    reasons, counts, dates, decisions, digests; a probe of what is not its own is not there."""
    text = run_together(printed[1])
    assert outside(printed[1]) == []
    for said in (
        ABSTRACT,
        "licence: CC0-1.0",
        "AdaWren, BoFinch",
        OTHER_LINK,
        "probed 17 Sep 2026",
        "markedofficial, recorded as mentioned in the paper",
        "communitycorrected",
        "ran·violated contract",
        "blames the instrument",
        "pointer only: the licence is outside the list under which text is served",
        "had no leaderboard rows for this paper when frozen, 28 Jul 2025.",
        "2task tags of Archive of papers without a page, not shown.",
        "when the record was read, not when samples ran",
        "Correction1: accepted",
        "the label of Wren/grafts of Grafting",
        FULL,
        TWIN,
        greenhouse.archive,
        hashlib.sha256(printed[0]).hexdigest(),
    ):
        assert "".join(said.split()) in text, said
    assert FAR_LINK not in text
    path = tmp_path / "paper.pdf"
    path.write_bytes(printed[1])
    done = subprocess.run(["qpdf", "--check", str(path)], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_paper_of_a_day_before_everything_says_so(greenhouse: Greenhouse) -> None:
    """And why; there is nothing else to be said of it."""
    text = html_of(greenhouse.bundle(DAYS[0]))
    assert "Nothing shows: nothing of it had been read by then" in text
    assert "Sample by sample" not in text
    assert "How to check this paper" in text


def test_notices_say_what_became_of_labels_and_samples(greenhouse: Greenhouse) -> None:
    """Before and after, by the repository's name."""
    bundle = correction_bundle(greenhouse.records, greenhouse.shelf.moment(), 1)
    text = html_of(bundle)
    assert "What it changed of labels and samples" in text
    assert (
        f'the label of Wren/grafts</b> of Grafting<br><span class="mono faint">labels/{LABEL}'
        in text
    )
    assert 'label <span class="was">official</span> → <strong>community</strong>' in text


def html_of(bundle: Bundle) -> str:
    """A paper just before it is printed."""
    paper = paper_of(orjson.loads(bundle.data), "0" * 64, len(bundle.data))
    return Printer(paper, letters()).html([COVER, *sections_of(paper)])
