"""The server's log: a line a request, one for what was recorded, and nothing secret in either."""

import logging
from typing import Any

import attrs
import orjson
import pytest
from gunicorn.config import Config  # type: ignore[import-untyped]

from ledger.errors import BadValue
from tests.web.desk import HERON, Office
from tests.web.orchard import BOARD, Orchard
from web.access import public
from web.app import create_app
from web.cli.serve import Discreet
from web.logged import JsonLines
from web.settings import Settings

SECRETS = ("Tapir", "tapir@example.org", "quagga", "Zebra")


def lines_of(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    """What was logged, as it would be written."""
    written = [JsonLines().format(record) for record in caplog.records]
    assert not any("\n" in one for one in written)
    return [orjson.loads(one) for one in written]


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """All that anything says, down to the least of it."""
    caplog.set_level(logging.DEBUG)
    return caplog


def test_a_request_is_one_line(orchard: Orchard, log: pytest.LogCaptureFixture) -> None:
    """When, what by its rule, what came of it, how long, and how far the ledger was."""
    orchard.get(f"{BOARD}?view=labs").close()
    orchard.get("/nowhere").close()
    board, nowhere = (one for one in lines_of(log) if one["event"] == "request")
    rule = "/benchmarks/<slug:slug>"
    assert (board["method"], board["route"], board["status"]) == ("GET", rule, 200)
    assert board["position"] == orchard.head
    assert board["time"].endswith("Z")
    assert board["seconds"] > 0
    assert board["pid"] > 0
    assert (nowhere["route"], nowhere["status"], nowhere["position"]) == (None, 404, None)
    assert board["request"] != nowhere["request"]


def test_a_page_that_was_kept_is_logged_too(
    orchard: Orchard, log: pytest.LogCaptureFixture
) -> None:
    """Under the same rule, though the application was never asked."""
    for _ in range(2):
        orchard.get(f"{BOARD}?as_read_on=2025-07-30&recorded_through={orchard.head}").close()
    first, second = (one for one in lines_of(log) if one["event"] == "request")
    assert (first["route"], first["status"]) == (second["route"], second["status"])


def test_what_somebody_recorded_is_a_line_of_its_own(
    office: Office, log: pytest.LogCaptureFixture
) -> None:
    """Who by their handle, and which events; beside the line of the request."""
    number = office.desk.file()
    log.clear()
    boris = office.reviewer()
    boris.post(f"/review/{number}", {"do": "take"}).close()
    begun, taken = (one for one in lines_of(log) if one["event"] == "recorded")
    (asked,) = (one for one in lines_of(log) if one["event"] == "request")
    head = office.desk.workspace.ledger.store.head()
    assert (begun["types"], taken["types"]) == (["review-started/1"], ["report-assigned/1"])
    assert (taken["by"], taken["positions"], taken["events"]) == ("boris", [head, head], 1)
    assert begun["request"] == taken["request"] == asked["request"]
    assert taken["route"] == asked["route"] == "/review/<number:number>"


def test_the_reporters_secret_is_in_no_log(office: Office, log: pytest.LogCaptureFixture) -> None:
    """Nor what they wrote, nor where they are reached; also where something breaks."""

    @public
    def fail(secret: str) -> str:
        raise RuntimeError(len(secret))

    office.app.add_url_rule("/broken/<secret>", view_func=fail)
    dana = office.stranger()
    sent = {
        "target": f"claims/{HERON}",
        "reason": "contamination",
        "wish": "change",
        "set-score": "61.37",
        "words": "The quagga table.",
        "contact": "tapir@example.org",
        "credit": "Tapir Q.",
    }
    with dana.post("/report", sent) as response:
        secret = response.headers["Location"].rpartition("/")[2]
    for address in (secret, f"{secret}/amend", f"{secret}x", f"{secret}/files/nothing"):
        dana.get(f"/reports/{address}?q=Zebra").close()
    with dana.get(f"/broken/{secret}?q=Zebra") as broken:
        assert broken.status_code == 500
    lines = lines_of(log)
    assert [one["types"] for one in lines if one["event"] == "recorded"] == [["report-filed/1"]]
    assert "RuntimeError" in next(one["exception"] for one in lines if "exception" in one)
    for hidden in (secret, secret[:12], *SECRETS):
        assert hidden not in orjson.dumps(lines).decode(), hidden


def test_what_fails_before_it_reaches_the_pages_is_logged_without_its_address(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Gunicorn would say which one."""
    log = Discreet(Config())
    log.exception("Error handling request %s %s", "GET", "/reports/zebra")  # noqa: LOG004
    log.exception("The worker %s is lost", "anvil")  # noqa: LOG004 -- as Gunicorn says it
    said = capsys.readouterr().err
    assert "zebra" not in said
    assert "A request could not be handled" in said
    assert "The worker anvil is lost" in said


def test_a_request_keeps_the_name_that_our_proxy_gave_it(
    orchard: Orchard, log: pytest.LogCaptureFixture
) -> None:
    """If there is a proxy of ours, and the name is one that fits on a line."""
    behind = attrs.evolve(orchard.workspace.settings, proxies=1)
    proxied = create_app(attrs.evolve(orchard.workspace, settings=behind))
    names = ("0123456789abcdef", "a b c d e f g h", "x" * 65, 'a"b","c":"d')
    for app in (proxied, orchard.app):
        for name in names:
            app.test_client().get("/healthz", headers={"X-Request-Id": name}).close()
    found = [one["request"] for one in lines_of(log) if one["event"] == "request"]
    assert found[0] == names[0]
    assert not set(found[1:]) & set(names)
    assert len(set(found)) == len(found)


def test_nothing_is_logged_unless_it_is_wanted(
    orchard: Orchard, caplog: pytest.LogCaptureFixture
) -> None:
    """By default requests leave no trace; a misspelt setting is refused."""
    orchard.get(BOARD).close()
    assert not caplog.records
    assert Settings.from_environment({}).log == "off"
    assert Settings.from_environment({"CORRIGENDA_LOG": "json"}).log == "json"
    with pytest.raises(BadValue, match="json or off"):
        Settings.from_environment({"CORRIGENDA_LOG": "yes"})
