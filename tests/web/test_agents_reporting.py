"""An agent's report goes the way of any other, is marked as such, and shows to nobody else."""

from typing import Any

import pytest
from starlette.requests import Request

from ledger import events as ev
from projections.review.queue import reports
from tests.web.agents import Agent, agent_of
from tests.web.kites import HERON, Kites
from tests.web.orchard import BIRCH, Orchard
from tests.web.people import signed_in
from tests.web.undecided import Undecided
from web.agents.handles import by_agent
from web.agents.server import address_of_caller
from web.private import reporters
from web.private.suspected import suspects
from web.reporting.pages import REPORTS

TARGET = f"claims/{HERON}"
GOOD: dict[str, Any] = {
    "target": TARGET,
    "reason": "wrong-value",
    "wish": "change",
    "fields": {"set-score": "73.9"},
    "words": "Table 4 of the paper says 73.9.",
}


@pytest.fixture
def agent(kites: Kites) -> Agent:
    """An agent at the kites."""
    return agent_of(kites.app)


def secret_of(told: Any) -> str:
    """The secret in a link."""
    return str(told["secret_link"].rpartition("/")[2])


def test_a_report_is_filed_and_marked_as_an_agents(kites: Kites, agent: Agent) -> None:
    """In the ledger by its handle, and to reviewers in words; its letter can be read."""
    told = agent.told("file_report", **GOOD)
    page = kites.page(told["secret_link"])
    assert "Received" in page
    (event,) = [one for one in kites.workspace.ledger.store.stream("report:1") if one.position > 18]
    assert isinstance(event.event, ev.ReportFiled)
    assert by_agent(event.envelope.recorded_by)
    assert [(one.field, one.to) for one in event.event.proposes] == [("score", "73.9")]
    reviewer = signed_in(kites.app, kites.workspace, "boris", "reviewer")
    assert "filed by an agent" in reviewer.get("/review/1").text
    assert "filed by an agent" in reviewer.get("/review").text


def test_a_report_of_a_person_is_not_marked(kites: Kites) -> None:
    """Nor that of somebody whose handle only begins like it."""
    kites.file(by="agent-of-change")
    kites.workspace.catch_up()
    reviewer = signed_in(kites.app, kites.workspace, "boris", "reviewer")
    assert "filed by an agent" not in reviewer.get("/review/1").text
    assert "filed by an agent" not in reviewer.get("/review").text


def test_nothing_that_shows_changes_by_a_report(agent: Agent) -> None:
    """Board, claim and log say what they said."""
    calls: list[tuple[str, dict[str, Any]]] = [
        ("get_board", {"slug": "kitebench"}),
        ("get_claim", {"claim_id": HERON}),
    ]
    before = [kept(one.told["answer"]) for one in agent.call(*calls)]
    agent.told("file_report", **GOOD)
    assert [kept(one.told["answer"]) for one in agent.call(*calls)] == before
    assert agent.told("get_corrections")["answer"]["in_all"] == 0


def kept(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer but for how far the ledger has come, which is public."""
    return {name: one for name, one in answer.items() if name != "recorded_through"}


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"target": "claims/nothing"}, "is nothing that can be reported"),
        ({"target": "../review"}, "is nothing that can be reported"),
        ({"reason": "because"}, "reason: Choose what is wrong"),
        ({"wish": "merge"}, "wish: "),
        ({"fields": {"set-score": "many"}}, "set-score: "),
        ({"fields": {"set-score": "72.5"}}, "That is what it says already"),
        ({"fields": {"website": "x"}}, "the form has set-score"),
        ({"fields": {"target": "site"}}, "the form has set-score"),
        ({"fields": {}}, "Fill in what should be different"),
        ({"words": "w" * 20_001}, "words"),
        ({"addresses": ["https://example.org/"] * 6}, "addresses"),
        ({"addresses": ["javascript:alert(1)"]}, "addresses: "),
        ({"contact": "nobody"}, "contact: "),
        ({"same": "perhaps"}, "same"),
        ({"files": ["x"]}, "has no parameter"),
    ],
)
def test_what_the_form_would_not_take_is_not_filed(
    kites: Kites, agent: Agent, said: dict[str, Any], why: str
) -> None:
    """With what to say differently, field by field."""
    assert why in agent.refused("file_report", **{**GOOD, **said})
    assert not kites.workspace.ledger.store.stream("report:1")


def test_the_same_call_with_the_same_mark_files_once(kites: Kites, agent: Agent) -> None:
    """So an agent that heard no answer may call again."""
    marked = {**GOOD, "once": "a-text-of-my-own"}
    links = [agent.told("file_report", **marked)["secret_link"] for _ in range(2)]
    assert links[0] == links[1]
    assert not kites.workspace.ledger.store.stream("report:2")


def test_what_was_said_already_is_joined_or_filed_when_that_is_wanted(
    kites: Kites, agent: Agent
) -> None:
    """Nothing is filed before the agent says which."""
    agent.told("file_report", **GOOD)
    assert 'same="join"' in agent.refused("file_report", **GOOD)
    joined = agent.told("file_report", **GOOD, same="join")
    private = kites.workspace.private
    assert reporters.number_of(private, secret_of(joined)) == 1
    other = agent.told("file_report", **GOOD, same="anyway")
    assert reporters.number_of(private, secret_of(other)) == 2


def test_what_is_suspected_gets_the_same_answer_and_waits_apart(kites: Kites, agent: Agent) -> None:
    """Nothing but links to places that nobody knows."""
    remark = {"target": "site", "reason": "other", "wish": "remark"}
    told = agent.told("file_report", **remark, words="https://spam.example/ www.spam.example")
    assert told.keys() == agent.told("file_report", **GOOD).keys()
    assert reporters.number_of(kites.workspace.private, secret_of(told)) is None
    assert len(suspects(kites.workspace.private)) == 1


def test_reports_are_limited_as_those_of_the_form_are(kites: Kites, agent: Agent) -> None:
    """And counted together: what is beyond is refused, and filed nowhere."""
    calls = [
        ("file_report", {**GOOD, "fields": {"set-score": f"{60 + one}"}}) for one in range(REPORTS)
    ]
    assert not any(one.refused for one in agent.call(*calls))
    assert "too often" in agent.refused("file_report", **GOOD)
    assert not kites.workspace.ledger.store.stream(f"report:{REPORTS + 1}")
    with kites.workspace.views.read() as reader:
        assert len(reports(reader)) == REPORTS


@pytest.mark.parametrize(
    ("proxies", "passed_on", "believed"),
    [
        (0, "203.0.113.9", "198.51.100.1"),
        (1, "203.0.113.9, 192.0.2.7", "192.0.2.7"),
        (2, "203.0.113.9, 192.0.2.7", "203.0.113.9"),
        (2, "192.0.2.7", "198.51.100.1"),
    ],
)
def test_who_calls_is_believed_from_our_own_proxies_alone(
    proxies: int, passed_on: str, believed: str
) -> None:
    """So nobody gets around the limit by saying that they are somebody else."""
    headers = [(b"x-forwarded-for", passed_on.encode())]
    scope = {"type": "http", "client": ("198.51.100.1", 4711), "headers": headers}
    assert address_of_caller(Request(scope), proxies) == believed


# --- what nobody has decided ------------------------------------------------------------------

ASKED: list[tuple[str, dict[str, Any]]] = [
    ("get_board", {"slug": "orchard"}),
    ("get_board", {"slug": "orchard", "view": "all", "every_claim": True, "corrected": "since"}),
    ("get_changes", {"slug": "orchard", "from_day": "2025-07-01", "to_day": "2025-08-20"}),
    ("get_claim", {"claim_id": BIRCH}),
    ("get_corrections", {}),
    ("get_corrections", {"benchmark": "orchard", "count": 1}),
    ("get_correction", {"number": 2}),
    ("get_correction", {"number": 3}),
    ("search", {"q": "birch"}),
    *(("search", {"q": words}) for words in ("quagga", "wombat", "contamination")),
    *(("get_corrections", {"q": words}) for words in ("quagga", "61.37")),
]


def test_a_report_that_nobody_decided_is_in_no_answer(orchard: Orchard) -> None:
    """At every stage the tools say what they said before it was filed."""
    undecided, agent = Undecided(orchard), agent_of(orchard.app)
    pinned = [(name, {**given, "recorded_through": orchard.head}) for name, given in ASKED]
    first, before = agent.call(*pinned), agent.call(*ASKED)
    for stage in undecided.stages:
        stage()
        assert agent.call(*pinned) == first, stage.__name__
        for (_, given), now, then in zip(ASKED, agent.call(*ASKED), before, strict=True):
            assert now.refused == then.refused
            found = set(undecided.found_in(now.text)) - set(undecided.found_in(str(given)))
            assert found == set(), (stage.__name__, given)
