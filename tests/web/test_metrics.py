"""What ``/metrics`` counts, and who may see it."""

import fcntl
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import attrs
import pytest
from prometheus_client.parser import text_string_to_metric_families
from werkzeug.test import TestResponse

from ledger.errors import BadValue
from projections.review.queue import reports
from tests.web.desk import Office
from tests.web.orchard import BOARD, NOW, Orchard
from web.app import create_app
from web.counted import NO_ROUTE
from web.printing.jobs import Jobs
from web.settings import Settings

TOKEN = "a-token-of-the-operator"
Labels = Mapping[str, str]


def metrics_of(app: Any) -> dict[str, list[tuple[Labels, float]]]:
    """What the app tells this machine, by name."""
    response = app.test_client().get("/metrics")
    assert (response.status_code, response.mimetype) == (200, "text/plain")
    found: dict[str, list[tuple[Labels, float]]] = {}
    for family in text_string_to_metric_families(response.text):
        for sample in family.samples:
            found.setdefault(sample.name, []).append((sample.labels, sample.value))
    return found


def value(app: Any, name: str, **labels: str) -> float:
    """One number; 0 before it was counted for the first time."""
    return sum(number for known, number in metrics_of(app).get(name, []) if known == labels)


def ask(orchard: Orchard, address: str, **headers: str) -> TestResponse:
    """Ask for an address and take all of the answer, as a browser does."""
    response = orchard.app.test_client().get(address, headers=headers)
    response.close()
    return response


# --- who may see it ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "where",
    [
        {"environ_base": {"REMOTE_ADDR": "203.0.113.7"}},
        {"headers": {"X-Forwarded-For": "203.0.113.7"}},
        {"headers": {"Forwarded": "for=203.0.113.7"}},
        {"headers": {"Via": "1.1 proxy"}},
        {"headers": {"Host": "corrections.example.org"}},
        {"headers": {"Host": "127.0.0.1.example.org"}},
    ],
)
def test_strangers_find_nothing_there(orchard: Orchard, where: Any) -> None:
    """It answers as an address that leads nowhere, through a proxy too."""
    client = orchard.app.test_client()
    there, nowhere = client.get("/metrics", **where), client.get("/metrixx", **where)
    assert there.status_code == 404
    assert (there.data, dict(there.headers)) == (nowhere.data, dict(nowhere.headers))


def test_this_machine_sees_it(orchard: Orchard) -> None:
    """Asked by one of its own names, over either protocol."""
    for name, address in (("localhost", "127.0.0.1"), ("127.0.0.1:80", "::1"), ("[::1]", "::1")):
        response = orchard.app.test_client().get(
            "/metrics", headers={"Host": name}, environ_base={"REMOTE_ADDR": address}
        )
        assert response.status_code == 200, name


def test_where_there_is_a_token_it_alone_opens(orchard: Orchard) -> None:
    """From anywhere; then this machine has to show it as well."""
    settings = attrs.evolve(orchard.workspace.settings, metrics_token=TOKEN)
    app = create_app(attrs.evolve(orchard.workspace, settings=settings))
    far: Any = {"environ_base": {"REMOTE_ADDR": "203.0.113.7"}}
    for given, status in (
        (f"Bearer {TOKEN}", 200),
        (f"Bearer {TOKEN[:-1]}", 404),
        ("Bearer é", 404),
        (f"Basic {TOKEN}", 404),
    ):
        answer = app.test_client().get("/metrics", headers={"Authorization": given}, **far)
        assert answer.status_code == status, given
    assert app.test_client().get("/metrics").status_code == 404
    assert TOKEN not in repr(settings)


def test_a_token_that_can_be_guessed_is_refused() -> None:
    """And is not repeated in the refusal."""
    with pytest.raises(BadValue, match="CORRIGENDA_METRICS_TOKEN") as refused:
        Settings.from_environment({"CORRIGENDA_METRICS_TOKEN": "geheim"})
    assert "geheim" not in str(refused.value)


# --- what it counts ---------------------------------------------------------------------------


def test_requests_are_counted_by_their_rule(orchard: Orchard) -> None:
    """However many addresses somebody makes up, there are no more names than we have rules."""
    for number in range(5):
        ask(orchard, f"/benchmarks/b{number}")
        ask(orchard, f"/nowhere/{number}")
    ask(orchard, BOARD)
    orchard.app.test_client().open("/", method="BREW").close()
    found = metrics_of(orchard.app)
    known = {rule.rule for rule in orchard.app.url_map.iter_rules()} | {NO_ROUTE}
    counts = {
        (labels["method"], labels["route"], labels["status"]): number
        for labels, number in found["corrigenda_requests_total"]
    }
    assert {rule for _, rule, _ in counts} <= known
    assert counts["GET", "/benchmarks/<slug:slug>", "404"] == 5
    assert counts["GET", "/benchmarks/<slug:slug>", "200"] == 1
    assert counts["GET", NO_ROUTE, "404"] == 5
    assert counts["other", NO_ROUTE, "405"] == 1
    assert value(orchard.app, "corrigenda_refusals_total", kind="NotFound") == 10
    rule = "/benchmarks/<slug:slug>"
    assert value(orchard.app, "corrigenda_request_seconds_count", route=rule) == 6


def test_what_took_no_work_is_counted_as_such(orchard: Orchard) -> None:
    """Pinned pages keep the rule that they were made under."""

    def hits(cache: str) -> float:
        return value(orchard.app, "corrigenda_cache_hits_total", cache=cache)

    pinned = f"{BOARD}?as_read_on={NOW.date()}&recorded_through={orchard.head}"
    for _ in range(3):
        tag = ask(orchard, pinned).headers["ETag"]
    assert hits("pinned page") == 2
    assert ask(orchard, pinned, If_None_Match=tag).status_code == 304
    assert (hits("pinned page"), hits("unchanged")) == (3, 1)
    before = hits("kept view")
    ask(orchard, "/")
    ask(orchard, "/?q=birch")
    assert hits("kept view") > before
    rule = "/benchmarks/<slug:slug>"
    labels = {"method": "GET", "route": rule}
    assert value(orchard.app, "corrigenda_requests_total", status="304", **labels) == 1
    assert value(orchard.app, "corrigenda_requests_total", status="200", **labels) == 3


def test_the_queue_is_told_by_its_length_and_age_alone(office: Office) -> None:
    """What waits, and for how long; not about what."""
    assert value(office.app, "corrigenda_reports_waiting") == 0
    first = office.desk.file()
    office.desk.file()
    office.app.test_client().get("/").close()
    with office.desk.workspace.views.read() as reader:
        received = reports(reader)[0].received_at
    age = value(office.app, "corrigenda_oldest_waiting_report_seconds")
    assert age == (office.desk.clock.now - received).total_seconds()
    assert value(office.app, "corrigenda_reports_waiting") == 2
    office.desk.decide(office.desk.order(first))
    office.app.test_client().get("/").close()
    assert value(office.app, "corrigenda_reports_waiting") == 1
    assert value(office.app, "corrigenda_events_appended_total") == 3


def test_how_far_the_stores_are_is_read_from_them(orchard: Orchard) -> None:
    """Head, read model, and what is sealed; and if they do not answer, that."""
    orchard.workspace.catch_up()
    head = orchard.head
    for name in ("head", "read_model", "sealed"):
        assert value(orchard.app, f"corrigenda_{name}_position") == head
    assert value(orchard.app, "corrigenda_read_model_lag_positions") == 0
    with closing(sqlite3.connect(orchard.workspace.settings.views)) as connection:
        connection.execute("DROP TABLE g1_report")
    assert value(orchard.app, "corrigenda_stores_answer") == 0
    assert "corrigenda_head_position" not in metrics_of(orchard.app)


def test_pdf_jobs_are_counted_until_they_are_over(tmp_path: Path) -> None:
    """Begun, printing, ended, and dead."""
    jobs = Jobs(tmp_path)
    order = b'{"key": "k", "title": "t", "back": "/"}'
    for name in ("begun", "printing", "ended", "dead"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "order.json").write_bytes(order)
    for name in ("printing", "ended", "dead"):
        (tmp_path / name / "pid").write_text("1", "ascii")
    (tmp_path / "ended" / "ended.json").write_bytes(b'{"state": "done"}')
    (tmp_path / "printing" / "progress.json").write_bytes(b'{"done": 1, "of": 2}')
    with (tmp_path / "printing" / "lock").open("wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert sorted(jobs.states()) == ["queued", "running"]
