"""The tools in processes of their own: over standard input and output, and over HTTP."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner

from tests.web.agents import (
    COMMAND,
    Agent,
    agent_over_http,
    agent_over_stdio,
    served_agents,
)
from tests.web.kites import HERON, IBIS, Kites
from web.cli import main
from web.reporting.pages import LARGEST_FIELDS, REPORTS

DAY = {"as_read_on": "2025-07-01", "recorded_through": "21"}
CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("get_board", {"slug": "kitebench"}, "/benchmarks/kitebench.json"),
    ("get_board", {"slug": "gliders"}, "/benchmarks/gliders.json"),
    ("get_claim", {"claim_id": HERON}, f"/claims/{HERON}.json"),
    ("get_correction", {"number": 1}, "/corrections/1.json"),
]


@pytest.fixture
def home(kites: Kites) -> Path:
    """A home in which one number was corrected."""
    kites.correct("73.1")
    return kites.workspace.settings.home


@pytest.fixture
def address(home: Path) -> Iterator[str]:
    """Its tools over HTTP."""
    with served_agents(home) as address:
        yield address


def answers_are_the_pages(agent: Agent, kites: Kites) -> None:
    """What the tools answer is the JSON of the pages, as data and as text."""
    told = agent.call(*((name, {**given, **DAY}) for name, given, _ in CALLS))
    for answered, (_, _, address) in zip(told, CALLS, strict=True):
        query = "&".join(f"{name}={one}" for name, one in DAY.items())
        assert answered.told["answer"] == kites.json(f"{address}?{query}")
        assert json.loads(answered.text) == answered.told


def test_over_standard_input_and_output(home: Path, kites: Kites) -> None:
    """An agent starts the command, and the command ends with it; what it says is the pages'."""
    agent = agent_over_stdio(home)
    answers_are_the_pages(agent, kites)


def test_over_http(address: str, kites: Kites) -> None:
    """The same over the network; a report is counted for who sends it, and no further."""
    agent = agent_over_http(address)
    answers_are_the_pages(agent, kites)
    assert len(agent.tools()) == 9
    report = {"target": f"claims/{IBIS}", "reason": "wrong-value", "wish": "change"}
    calls = [
        ("file_report", {**report, "fields": {"set-score": f"{60 + one}"}})
        for one in range(REPORTS + 1)
    ]
    told = agent.call(*calls)
    assert [one.refused for one in told] == [*[False] * REPORTS, True]
    kites.workspace.catch_up()
    assert kites.get(told[0].told["secret_link"]).status_code == 200


def asked(address: str, body: bytes, headers: Mapping[str, str], method: str = "POST") -> int:
    """The status that a request comes to."""
    usual = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    parts = urlsplit(address)
    with closing(HTTPConnection(parts.netloc, timeout=20)) as connection:
        connection.request(method, parts.path, body, {**usual, **headers})
        return connection.getresponse().status


HELLO = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "curl", "version": "1"},
        },
    }
).encode()


def test_a_page_of_somebody_else_reaches_nothing(address: str) -> None:
    """Neither by its origin, nor by a name of its own that leads to this machine; bodies are
    bounded, and what is no message is refused."""
    assert asked(address, HELLO, {}) == 200
    assert asked(address, HELLO, {"Origin": "http://localhost:8000"}) == 200
    assert asked(address, HELLO, {"Origin": "https://evil.example"}) == 403
    assert asked(address, HELLO, {"Origin": "null"}) == 403
    assert asked(address, HELLO, {"Host": "evil.example:80"}) == 421
    assert asked(address, HELLO, {"Host": "localhost.evil.example:80"}) == 421
    assert asked(address, HELLO, {"Content-Type": "text/plain"}) == 400
    assert asked(address, b"", {"Accept": "text/event-stream"}, "GET") == 405
    assert asked(address, b" " * LARGEST_FIELDS + HELLO, {}) == 413
    for body in (b"", b"{", b"[]", b'{"jsonrpc": "2.0"}', b"\xff\xfe", b"[" * 100_000):
        assert asked(address, body, {}) == 400
    assert asked(address, HELLO, {}) == 200


def test_the_name_that_the_operator_gave_may_be_asked_for(home: Path) -> None:
    """And links in answers have it."""
    with served_agents(home, CORRIGENDA_ADDRESS="https://kites.example.org") as address:
        assert asked(address, HELLO, {"Host": "kites.example.org"}) == 200
        assert asked(address, HELLO, {"Origin": "https://kites.example.org"}) == 200
        told = agent_over_http(address).told("get_claim", claim_id=HERON, **DAY)
    assert told["permalink"].startswith(f"https://kites.example.org/claims/{HERON}?")


def test_where_there_is_no_ledger_nothing_is_served(tmp_path: Path) -> None:
    """It says what to do, on standard error alone."""
    ran = CliRunner().invoke(main, ["--home", str(tmp_path / "none"), "mcp"])
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert "corrigenda init" in ran.stderr


def test_what_is_no_message_gets_no_answer_and_stops_nothing(home: Path) -> None:
    """Over standard input; nothing else stands on standard output than messages."""
    sent = b"nonsense\n{}\n\xff\n" + b"[" * 10_000 + b"\n" + HELLO + b"\n"
    ran = subprocess.run(
        [COMMAND, "--home", str(home), "mcp"],
        input=sent,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0
    told = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [one["result"]["serverInfo"]["name"] for one in told if one.get("id") == 1] == [
        "corrigenda"
    ]
