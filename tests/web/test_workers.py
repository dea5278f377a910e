"""Several workers on one ledger: whichever answers, a person sees what they have just done."""

import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import attrs
import pytest

from ledger import events as ev
from ledger.store import NewEvents
from ledger.values import Slug
from tests.web.desk import HERON, START, Desk, Ticking, fill, open_desk
from tests.web.workers import Served, serving
from web.cookies import SESSION, new_secret
from web.private.accounts import add_account
from web.private.keys import digest_under, form_key
from web.private.sessions import start_session
from web.settings import Settings
from web.wiring import make_key, open_workspace

BOARD = "/benchmarks/kitebench.json?every_claim=yes"


@attrs.frozen
class Boris:
    """A reviewer with a session, at a server with two workers."""

    served: Served
    settings: Settings
    number: int
    version: int
    snapshot: str
    secret: str
    token: str

    def decide(self) -> int:
        """Correct the number that was reported."""
        effect = {"does": "correct", "claim": HERON, "version": self.version} | {
            "applies_from": "start",
            "set": {"score": "70.1"},
        }
        document: dict[str, Any] = {
            "version": 1,
            "outcome": "accepted",
            "reason": "wrong-value",
            "statement": "We looked at the table.",
            "snapshot": self.snapshot,
            "effects": [effect],
        }
        cookie = f"{SESSION}={self.secret}"
        where = f"/api/reports/{self.number}/decisions"
        return self.served.ask(where, document, Cookie=cookie, X_CSRF_Token=self.token).status

    def score(self) -> str:
        """What the board says of the model."""
        rows = self.served.ask(BOARD).json["rows"]
        return next(str(row["score"]) for row in rows if row["claim_id"] == HERON)

    def entries(self) -> int:
        """How many decisions the public log has."""
        return len(self.served.ask("/corrections.json").json["corrections"])


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Where the ledger is: a file, or a database of its own."""
    url = None if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    found = Settings(home=tmp_path / "home", database_url=url)
    fill(found, Ticking())
    return found


@pytest.fixture
def boris(settings: Settings, tmp_path: Path) -> Iterator[Boris]:
    """Somebody who is about to decide a report."""
    secret = new_secret()
    with open_desk(settings, Ticking(START)) as desk:
        number, version, snapshot = _reported(desk)
    # By the clock of the server, so that the session is a fresh one there.
    with closing(open_workspace(settings)) as workspace:
        make_key(workspace)
        add_account(workspace.private, "boris", ("reviewer",), "*", one_time=False)
        start_session(workspace.private, secret, "boris")
        where = f"/api/reports/{number}/decisions"
        token = digest_under(form_key(workspace.private), secret, where)
    with serving(settings, tmp_path) as served:
        yield Boris(served, settings, number, version, snapshot, secret, token)


def _reported(desk: Desk) -> tuple[int, int, str]:
    number = desk.file()
    return number, desk.workspace.ledger.claim(HERON).version, str(desk.snapshot())


def test_what_somebody_decides_shows_whichever_worker_answers_next(boris: Boris) -> None:
    """The one that recorded it, and the one that knew the board as it was before."""
    one, other = boris.served.workers
    for worker in (other, one):
        with boris.served.only(worker):
            assert (boris.score(), boris.entries()) == ("72.5", 0)
    with boris.served.only(one):
        assert boris.decide() == 201
    for worker in (other, one):
        with boris.served.only(worker):
            assert (boris.score(), boris.entries()) == ("70.1", 1)
    _record_beside(boris.settings)
    with boris.served.only(other):
        assert boris.served.ask("/benchmarks/bog.json").status == 200
        # It knows the session, and that this was decided already.
        assert boris.decide() == 200
        assert boris.served.ask("/benchmarks/nowhere.json").status == 404
        _send_rubbish(boris.served.port)
    _is_told(boris, one, other)


def _record_beside(settings: Settings) -> None:
    """Another process records something and leaves the read model as it is."""
    bog = ev.BenchmarkRegistered(slug=Slug("bog"), name="Bog", read_at=START)
    with closing(open_workspace(settings)) as workspace:
        workspace.ledger.store.append([NewEvents("benchmark:bog", 0, (bog,))], by="curator")


def _send_rubbish(port: int) -> None:
    """What no server can read, with something in it that might be a secret."""
    with socket.create_connection(("127.0.0.1", port), timeout=25) as line:
        line.sendall(b"GET /reports/zebra HTTP/zebra\r\n\r\n")
        assert line.recv(100).startswith(b"HTTP/1.1 400")


def _counts_with(served: Served, line: str) -> list[str]:
    """The counts, once a line is among them: a request is counted when all of its answer is out,
    which whoever asked may know a little earlier."""
    for _ in range(200):
        told = served.ask("/metrics").text.splitlines()
        if line in told:
            return told
        time.sleep(0.05)
    pytest.fail("\n".join([f"not counted: {line}", *told]))


def _is_told(boris: Boris, one: int, other: int) -> None:
    """The log says who answered, who decided and what was recorded; the counts are of both."""
    lines = boris.served.lines()
    assert {line["pid"] for line in lines if line["event"] == "request"} == {one, other}
    assert "A request could not be read" in [line.get("message") for line in lines]
    for hidden in ("zebra", "127.0.0.1"):
        assert not [line for line in lines if hidden in str(line)]
    (recorded,) = [line for line in lines if line["event"] == "recorded"]
    assert (recorded["pid"], recorded["by"]) == (one, "boris")
    assert recorded["types"] == ["decision-made/1", "claim-corrected/1"]
    route = "/benchmarks/<slug:slug>.json"
    with boris.served.only(other):
        told = _counts_with(
            boris.served, f'corrigenda_request_seconds_count{{route="{route}"}} 6.0'
        )
    assert f'corrigenda_requests_total{{method="GET",route="{route}",status="200"}} 5.0' in told
    assert 'corrigenda_refusals_total{kind="NotFound"} 1.0' in told
    assert f"corrigenda_events_appended_total {float(recorded['events'])}" in told
    assert "corrigenda_read_model_lag_positions 0.0" in told
    head = recorded["positions"][1] + 1
    assert f"corrigenda_sealed_position {float(head)}" in told


def test_a_worker_that_cannot_begin_leaves_the_others_at_work(
    settings: Settings, tmp_path: Path
) -> None:
    """One that died is replaced while the home cannot be opened: the other goes on answering, and
    when the home is back there are two again."""
    with closing(open_workspace(settings)) as workspace:
        make_key(workspace)
    away = settings.archive.with_name("away")
    with serving(settings, tmp_path) as served:
        died, lives = served.workers
        settings.archive.rename(away)
        os.kill(died, signal.SIGKILL)
        _until(served, lambda: "could not begin" in served.said.read_text(encoding="utf-8"))
        assert served.ask("/healthz").status == 200
        away.rename(settings.archive)
        _until(served, lambda: len(served.workers) == 2 and died not in served.workers)
        assert lives in served.workers
        assert served.ask("/readyz").status == 200


def _until(served: Served, holds: Callable[[], bool]) -> None:
    """Wait until something holds of a server that runs."""
    for _ in range(400):
        assert served.process.poll() is None, served.said.read_text(encoding="utf-8")
        if holds():
            return
        time.sleep(0.05)
    pytest.fail(served.said.read_text(encoding="utf-8"))
