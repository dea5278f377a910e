"""Agents' tools say what the pages say, of the same moment, with the same caveats, or refuse."""

import ast
import re
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import orjson
import pytest

from ledger import commands as orders
from ledger.vocabulary import POINTER_ONLY
from tests.web.agents import Agent, agent_of
from tests.web.kites import GLIDER, HERON, IBIS, Kites
from tests.web.orchard import BIRCH, BOARD, Orchard
from tests.web.shelved import OPEN_CODE, paper, paper_once
from web.agents.asking import Pages
from web.agents.pages import described
from web.agents.tools import tools_on

__all__ = ["paper", "paper_once"]

ARXIV = "2402.14658"


@pytest.fixture
def agent(kites: Kites) -> Agent:
    """An agent at the kites."""
    return agent_of(kites.app)


def as_json(permalink: str) -> str:
    """The address of a page's JSON."""
    parts = urlsplit(permalink)
    return f"{parts.path}.json?{parts.query}"


# --- the tools themselves ---------------------------------------------------------------------


def test_each_tool_says_what_it_does_takes_and_answers(agent: Agent) -> None:
    """With a schema both ways, no parameter of which goes without its meaning; one of them does not
    only read."""
    tools = agent.tools()
    assert len(tools) == 9
    for tool in tools:
        assert tool.title
        assert tool.description
        assert tool.output_schema is not None
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is (tool.name != "file_report")
        assert tool.annotations.destructive_hint is False
        assert tool.input_schema["additionalProperties"] is False
        for name, said in tool.input_schema["properties"].items():
            assert said.get("description"), (tool.name, name)


def test_what_is_answered_has_the_fields_that_the_schema_names(agent: Agent) -> None:
    """An answer, caveats and a permalink; the client of the SDK has checked the rest."""
    schemas = {tool.name: tool.output_schema for tool in agent.tools()}
    for name, schema in schemas.items():
        assert schema is not None
        if name != "file_report":
            assert {"answer", "caveats", "permalink"} <= set(schema["required"])


def test_the_page_lists_the_tools_that_there_are(kites: Kites, agent: Agent) -> None:
    """Each with its parameters, as the server tells them; and both ways to connect."""
    html = kites.page("/agents")
    listed = [described(tool) for tool in tools_on(Pages(kites.app))]
    served = agent.tools()
    assert [one.name for one in listed] == [one.name for one in served]
    for one, tool in zip(listed, served, strict=True):
        assert f'<h3 id="{one.name}">' in html
        assert one.does == tool.description
        assert [each.name for each in one.parameters] == list(tool.input_schema["properties"])
        needed = [each.name for each in one.parameters if each.needed]
        assert needed == tool.input_schema.get("required", [])
    assert "corrigenda --home DIR mcp</code>" in html
    assert "mcp --http --port 8001</code>" in html


# --- what they answer -------------------------------------------------------------------------

MOMENTS: list[dict[str, Any]] = [
    {},
    {"as_read_on": "2025-06-20"},
    {"as_read_on": "2025-06-20", "corrected": "since"},
    {"as_read_on": "2025-06-20T12:00:00+02:00", "view": "independent", "every_claim": True},
    {"recorded_through": 18},
    {"recorded_through": "18", "published_by": "2025-06-15"},
]


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_board_is_what_its_page_says(kites: Kites, agent: Agent, moment: dict[str, Any]) -> None:
    """Field by field, under the same parameters."""
    kites.correct("73.1")
    asked = {name: "yes" if one is True else one for name, one in moment.items()}
    told = agent.told("get_board", slug="kitebench", **moment)
    page = kites.app.test_client().get("/benchmarks/kitebench.json", query_string=asked)
    assert told["answer"] == orjson.loads(page.data)


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("get_board", {"slug": "kitebench"}),
    ("get_board", {"slug": "gliders", "as_read_on": "2025-06-20"}),
    ("get_changes", {"slug": "kitebench"}),
    ("get_changes", {"slug": "kitebench", "from_day": "2025-06-01", "to_day": "2025-06-30"}),
    ("get_claim", {"claim_id": HERON}),
    ("get_claim", {"claim_id": HERON, "as_read_on": "2025-06-20", "corrected": "since"}),
    ("get_corrections", {}),
    ("get_corrections", {"benchmark": "kitebench", "count": 1, "outcome": "declined"}),
    ("get_correction", {"number": 1}),
]


@pytest.mark.parametrize(("name", "given"), CALLS)
def test_an_answer_is_the_json_behind_its_permalink_for_good(
    kites: Kites, agent: Agent, name: str, given: dict[str, Any]
) -> None:
    """Also when something else was decided meanwhile."""
    kites.correct("73.1")
    kites.decide(number=kites.file())
    told = agent.told(name, **given)
    kites.wait(days=1)
    kites.correct("79.0", IBIS)
    kites.correct("13.0", GLIDER)
    assert kites.json(as_json(told["permalink"])) == told["answer"]
    kites.page(told["permalink"])


def test_a_claim_comes_with_the_places_of_its_events_in_the_log(kites: Kites, agent: Agent) -> None:
    """Those that are sealed have an index, an entry, and the address of a proof."""
    kites.correct("73.1")
    kites.workspace.catch_up()
    told = agent.told("get_claim", claim_id=HERON)
    answer = told["answer"]
    positions = {one["position"] for one in (*answer["history"], *answer["readings"])}
    assert {one["position"] for one in told["log"]} == positions
    assert [one["number"] for one in answer["corrections"]] == [1]
    for leaf in told["log"]:
        page = kites.get(f"/events/{leaf['position']}.json")
        if leaf["index"] is None:
            assert page.status_code == 404
        else:
            event = orjson.loads(page.data)
            assert (leaf["index"], leaf["entry"]) == (event["index"], event["entry"])


def test_a_search_finds_what_the_page_finds(kites: Kites, agent: Agent) -> None:
    """Benchmarks and models by words that all have to occur."""
    found = agent.told("search", q="heron")["answer"]
    assert [one["name"] for one in found["models"]["found"]] == ["Heron-7B"]
    assert found["labs"] == {"in_all": 0, "found": []}
    found = agent.told("search", q="kite bench")
    assert [one["slug"] for one in found["answer"]["benchmarks"]["found"]] == ["kitebench"]
    assert "KiteBench" in kites.page(found["permalink"])


# --- caveats ----------------------------------------------------------------------------------


def test_a_board_brings_its_caveats_and_its_day(orchard: Orchard) -> None:
    """Its own words, whatever they look like; that its evaluation changed; of when it is."""
    agent = agent_of(orchard.app)
    told = agent.told("get_board", slug="orchard", as_read_on="2025-08-01")
    page = orchard.json(f"{BOARD}.json?as_read_on=2025-08-01")
    assert told["caveats"][: len(page["caveats"])] == page["caveats"]
    said = " ".join(told["caveats"])
    assert "before: one gardener, after: three gardeners" in said
    assert "only what had been read by 2025-08-01 and recorded up to" in said
    assert "Changed since" in said
    of_claim = agent.told("get_claim", claim_id=BIRCH)["caveats"]
    assert page["caveats"][0] in of_claim


def test_a_decision_that_was_undone_says_so(kites: Kites, agent: Agent) -> None:
    """So that nobody passes it on as what holds."""
    kites.reverse(kites.correct("73.1"))
    assert "Not in force: see correction 2." in agent.told("get_correction", number=1)["caveats"]


def test_the_code_of_a_paper_is_every_piece_and_whether_it_ran(paper: Orchard) -> None:
    """As the page has it; ran is not correct, dates are frozen, and no text comes along."""
    agent = agent_of(paper.app)
    told = agent.told("get_harvested_code_for_paper", arxiv_id=ARXIV)
    page = paper.json(f"{OPEN_CODE}.json")
    assert told["answer"]["records"] == page["records"]
    listed = [one for record in page["records"] for one in record["samples"]]
    found = told["answer"]["harvested"]
    assert [one["code_sha256"] for one in found] == [one["code_sha256"] for one in listed]
    for piece, line in zip(found, listed, strict=True):
        assert piece.items() >= line.items()
        ran = {None: None, "no-run": False}.get(line["outcome"], True)
        assert piece["ran"] is ran
        sample = paper.json(f"/samples/{line['code_sha256']}.json")
        assert piece["symbol"] in {one["symbol"] for one in sample["copies"]}
    said = " ".join(told["caveats"])
    for one in page["caveats"]:
        assert one["text"] in told["caveats"]
    assert "Ran is not correct" in said
    assert all(one["what"] in said for one in page["dates"])
    assert "No text of any code is held here" in said


def test_a_piece_of_code_comes_without_text_and_says_why(paper: Orchard) -> None:
    """With its identity, its outcome, whom that blames, its licence, and the reason."""
    agent = agent_of(paper.app)
    listed = paper.json(f"{OPEN_CODE}.json")["records"][0]["samples"]
    for line in listed:
        told = agent.told("get_code", code_sha256=line["code_sha256"])
        assert told["answer"] == paper.json(f"/samples/{line['code_sha256']}.json")
        assert told["text"] is None
        assert "none of its text" in told["why"]
        assert (line["pointer_only"] is None) == ("Pointer only" not in told["why"])
        if line["pointer_only"]:
            assert POINTER_ONLY[line["pointer_only"]] in told["why"]
        assert any(one.startswith("Ran is not correct") for one in told["caveats"])


# --- calls that pages print -------------------------------------------------------------------


def calls_on(html: str) -> list[tuple[str, dict[str, Any]]]:
    """The calls that stand on a page, as a program reads them."""
    found = []
    for text in re.findall(r'<code class="call">(\w+\(.*?\))</code>', html):
        made = ast.parse(unescape(text).replace("=true", "=True"), mode="eval").body
        assert isinstance(made, ast.Call)
        assert isinstance(made.func, ast.Name)
        given = {str(one.arg): ast.literal_eval(one.value) for one in made.keywords}
        found.append((made.func.id, given))
    return found


@pytest.mark.parametrize(
    "address",
    [
        "/benchmarks/kitebench",
        "/benchmarks/kitebench?as_read_on=2025-06-20&corrected=since&every_claim=yes&view=all",
        "/benchmarks/kitebench?recorded_through=18&published_by=2025-06-15",
        "/benchmarks/kitebench/changes?from=2025-06-01&to=2025-07-01",
        f"/claims/{HERON}",
        f"/claims/{HERON}?as_read_on=2025-06-20&recorded_through=21",
        "/corrections/1",
        "/corrections/1?recorded_through=21",
        "/corrections?recorded_through=21&as_read_on=2025-07-01&count=50",
        "/corrections?recorded_through=21&q=table&year=2025&about=claims&from=2025-06-01&to=2025-07-01&count=5",
        "/corrections?recorded_through=21&decided_by=boris&outcome=accepted&q=%22%5C&count=9",
    ],
)
def test_a_page_prints_the_call_that_answers_it(kites: Kites, agent: Agent, address: str) -> None:
    """With its own id and moment filled in; and it leads to how to connect."""
    kites.correct("73.1")
    html = kites.page(address)
    (call,) = calls_on(html)
    assert 'href="/agents">how to connect</a>' in html
    told = agent.told(call[0], **call[1])["answer"]
    shown = kites.json(as_json(address))
    assert told == shown | ({"open": None} if "open" in shown else {})


def test_papers_and_samples_print_calls_that_these_tools_answer(paper: Orchard) -> None:
    """The paper's own, and one for each sample."""
    agent, calls = agent_of(paper.app), calls_on(paper.page(OPEN_CODE))
    assert calls[0] == ("get_harvested_code_for_paper", {"arxiv_id": ARXIV})
    assert len(calls) == 4
    for one in agent.call(*calls):
        assert not one.refused, one.text
    name = calls[1][1]["code_sha256"]
    assert calls_on(paper.page(f"/samples/{name}")) == [calls[1]]


# --- what they refuse -------------------------------------------------------------------------

REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("get_board", {"slug": "nothing"}, "There is no benchmark called nothing"),
    ("get_board", {"slug": "kitebench", "as_read_on": "2025-02-30"}, "day is out of range"),
    ("get_board", {"slug": "kitebench", "as_read_on": "28/07/2025"}, "28/07/2025"),
    ("get_board", {"slug": "kitebench", "as_read_on": ""}, "leave it out, or give a value"),
    ("get_board", {"slug": "kitebench", "as_read_on": "2031-01-01"}, "2031-01-01"),
    ("get_board", {"slug": "kitebench", "as_read_om": "2025-06-20"}, "has no parameter"),
    ("get_board", {"slug": "kitebench", "recorded_through": 999_999}, "999999"),
    ("get_board", {"slug": "kitebench", "view": "best"}, "best"),
    ("get_board", {"slug": "kitebench/changes"}, "slug"),
    ("get_board", {"slug": "../review"}, "slug"),
    ("get_board", {"slug": "kitebench.json?view=all"}, "slug"),
    ("get_board", {"slug": "k" * 129}, "slug"),
    ("get_board", {"slug": "kitebench", "metric": "m" * 129}, "metric"),
    ("get_board", {"slug": {"of": "it"}}, "slug"),
    ("get_board", {}, "slug"),
    (
        "get_changes",
        {"slug": "kitebench", "from_day": "2025-07-01", "to_day": "2025-06-01"},
        "from",
    ),
    ("get_claim", {"claim_id": "c" * 24}, "There is no claim called"),
    ("get_claim", {"claim_id": "../corrections"}, "it is no claim's id"),
    ("get_correction", {"number": 0}, "number"),
    ("get_correction", {"number": 10**5000}, "number"),
    ("get_correction", {"number": 77}, "77"),
    ("get_corrections", {"count": 100_000}, "count"),
    ("get_corrections", {"outcome": "great"}, "known are"),
    ("get_corrections", {"q": "a b c d e f g h i"}, "at most 8 words"),
    ("search", {"q": "hidden\u202eword"}, "q"),
    ("search", {"q": ""}, "q"),
    ("get_code", {"code_sha256": "abc"}, "give 16 or more"),
    ("get_code", {"code_sha256": "0" * 64}, "There is no sample called"),
    ("get_harvested_code_for_paper", {"arxiv_id": "'; DROP TABLE"}, "write it as 2402.14658"),
    ("get_harvested_code_for_paper", {"arxiv_id": "2402.14658"}, "There is no paper"),
    ("get_everything", {}, "get_everything"),
]


def test_what_cannot_be_answered_is_refused_with_a_sentence(kites: Kites, agent: Agent) -> None:
    """The page's own, where it is the page that refuses; and nothing of our insides."""
    answers = agent.call(*((name, given) for name, given, _ in REFUSED))
    for (name, given, why), answered in zip(REFUSED, answers, strict=True):
        assert answered.refused, (name, given)
        assert why in answered.text, answered.text
        assert len(answered.text) < 2_000
        assert "Traceback" not in answered.text
        assert str(kites.workspace.settings.home) not in answered.text


def test_a_refusal_is_the_sentence_of_the_page(kites: Kites, agent: Agent) -> None:
    """To the letter."""
    page = orjson.loads(kites.get("/benchmarks/kitebench.json?as_read_on=2025-02-30").data)
    said = agent.refused("get_board", slug="kitebench", as_read_on="2025-02-30")
    assert said == page["detail"]


def test_a_name_that_is_markup_is_told_as_it_is(kites: Kites, agent: Agent) -> None:
    """An answer is no page: nothing in it is escaped, and nothing is run."""
    wish = orders.Correct(claim=HERON, applies_from="start", to=(("setting", "<b>5-shot</b>"),))
    kites.decide(wish, type="correction")
    told = agent.told("get_claim", claim_id=HERON)
    assert told["answer"]["shows"]["setting"] == "<b>5-shot</b>"
