"""Taking away what a page shows: over HTTP and by the command, the same bytes."""

from collections.abc import Iterator
from pathlib import Path

import attrs
import orjson
import pytest
from flask.testing import FlaskClient
from prov.model import ProvDocument
from rdflib import Graph
from werkzeug.test import TestResponse

from ledger.proof.bundle import check_bundle
from reports.bundle.schema import schema_bytes
from reports.rebuild import rebuild
from tests.web.corrigenda import Corrigenda, Toy
from tests.web.desk import BENCHMARK, HERON, Desk, Office
from web import exporting
from web.wiring import make_key

DAY = "as_read_on=2025-07-23"
PAGES = {
    "a board": f"/benchmarks/{BENCHMARK}",
    "a claim": f"/claims/{HERON}",
    "a correction": "/corrections/1",
    "the log": "/corrections",
}
PERIOD = "from=2025-01-01&to=2025-12-31"


@attrs.frozen
class Counter:
    """A desk with one decision, and a stranger at its pages."""

    desk: Desk
    client: FlaskClient

    def get(self, kind: str, ending: str, query: str = DAY, **options: str) -> TestResponse:
        """An export of a page."""
        asked = "&".join(filter(None, (query, PERIOD if kind == "the log" else "")))
        return self.client.get(f"{PAGES[kind]}.{ending}?{asked}", headers=options)


@pytest.fixture
def counter(office: Office) -> Counter:
    """One correction is decided, and the log has a key."""
    make_key(office.desk.workspace, lambda: bytes(range(32)))
    office.desk.accept("70.1")
    return Counter(office.desk, office.app.test_client())


# --- over HTTP --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", PAGES)
def test_every_page_can_be_taken_away_as_a_bundle(counter: Counter, kind: str) -> None:
    """To a stranger too; it is proved, follows from its events, and says what it is called."""
    response = counter.get(kind, "bundle.json")
    assert (response.status_code, response.content_type) == (200, "application/json")
    key = counter.desk.workspace.seals.keys()[0]
    assert check_bundle(response.data, [key]).problems == ()
    document = orjson.loads(response.data)
    assert rebuild(document) == []
    position = document["subject"]["recorded_through"]["position"]
    name = response.headers["Content-Disposition"]
    assert name.startswith(f'attachment; filename="{document["subject"]["kind"]}_')
    assert name.endswith(f'_as-read-on-2025-07-23_then_position-{position}.bundle.json"')
    assert counter.client.get(document["address"]).status_code == 200


@pytest.mark.parametrize("kind", PAGES)
def test_every_page_can_be_taken_away_as_prov(counter: Counter, kind: str) -> None:
    """In three forms, each of its media type."""
    response = counter.get(kind, "prov.json")
    assert response.content_type == "application/json"
    assert ProvDocument.deserialize(content=response.text, format="json").get_records()
    response = counter.get(kind, "provn")
    assert response.content_type == "text/provenance-notation; charset=utf-8"
    assert response.text.startswith("document\n")
    response = counter.get(kind, "ttl")
    assert response.content_type == "text/turtle; charset=utf-8"
    assert len(Graph().parse(data=response.data, format="turtle")) > 10


def test_an_export_is_of_a_pinned_moment(counter: Counter) -> None:
    """Without a day it is of today and of where the ledger is; asked again, it is the same."""
    first, second = (counter.get("a board", "bundle.json", "").data for _ in range(2))
    assert first == second
    subject = orjson.loads(first)["subject"]
    assert subject["as_read_on"] == "2025-07-23"
    assert subject["recorded_through"]["position"] == counter.desk.workspace.ledger.store.head()


def test_the_parameters_are_those_of_the_page(counter: Counter) -> None:
    """View, metric, day, corrections since, position and every claim; others are refused."""
    query = (
        f"view=independent&metric=score&as_read_on=2025-07-05&corrected=since&{'every_claim=yes'}"
    )
    subject = orjson.loads(counter.get("a board", "bundle.json", query).data)["subject"]
    assert (subject["view"], subject["metric"], subject["corrected"]) == (
        "independent",
        "score",
        "since",
    )
    assert (subject["as_read_on"], subject["every_claim"]) == ("2025-07-05", True)
    for bad in ("view=none", "as_read_on=2025-02-30", "as_read_on=", "format=json", "metric=x"):
        assert counter.get("a board", "bundle.json", bad).status_code in {400, 404}


def test_a_log_is_of_a_period(counter: Counter) -> None:
    """Without one there is nothing to export; the page of the log has the same period."""
    for query in (DAY, f"{DAY}&from=2025-01-01", f"{DAY}&from=2025-13-01&to=2025-12-31"):
        response = counter.client.get(f"/corrections.bundle.json?{query}")
        assert response.status_code == 400
    empty = counter.client.get("/corrections.json?from=2025-01-01&to=2025-07-22").json
    whole = counter.client.get("/corrections.json?from=2025-07-23&to=2025-07-23").json
    assert empty is not None
    assert whole is not None
    assert (empty["matching"], whole["matching"]) == (0, 1)
    assert counter.client.get("/corrections?from=").status_code == 400


def test_what_has_no_page_has_no_export(counter: Counter) -> None:
    """An unknown benchmark, claim and correction, in each form, with the reason."""
    for path in ("/benchmarks/none", f"/claims/c{'0' * 23}", "/corrections/2"):
        for ending in ("bundle.json", "prov.json", "provn", "ttl"):
            response = counter.client.get(f"{path}.{ending}?{DAY}")
            assert response.status_code == 404


def test_an_undecided_report_is_not_found(counter: Counter) -> None:
    """The number of a report is no number of a correction."""
    counter.desk.file()
    assert counter.get("a correction", "bundle.json").status_code == 200
    assert counter.client.get("/corrections/2.bundle.json").status_code == 404


def test_an_export_is_kept_until_the_ledger_goes_on(counter: Counter) -> None:
    """Also a pinned one: what was decided since goes along."""
    head = counter.desk.workspace.ledger.store.head()
    query = f"{DAY}&recorded_through={head}"
    first = counter.get("a board", "bundle.json", query)
    assert first.headers["Cache-Control"] == "no-cache"
    tag = first.headers["ETag"]
    again = counter.get("a board", "bundle.json", query, **{"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    counter.desk.accept("69.0")
    later = counter.get("a board", "bundle.json", query, **{"If-None-Match": tag})
    assert later.status_code == 200
    before, after = orjson.loads(first.data), orjson.loads(later.data)
    assert (before["since"]["corrections"], after["since"]["corrections"]) == ([], [2])
    assert before["shows"] == after["shows"]


def test_an_export_only_answers_to_reading(counter: Counter) -> None:
    """Nothing can be sent there."""
    assert counter.client.post("/corrections/1.bundle.json").status_code == 405


def test_exports_are_made_one_at_a_time(counter: Counter, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever cannot wait is told so, and nothing stays locked."""
    monkeypatch.setattr(exporting, "PATIENCE", 0.0)
    with exporting.in_turn():
        response = counter.get("a board", "bundle.json")
    assert response.status_code == 503
    assert "Other exports are being made here" in response.text
    assert counter.get("a board", "bundle.json").status_code == 200


def test_the_schema_is_served(counter: Counter) -> None:
    """As it is shipped, as JSON Schema."""
    response = counter.client.get("/schema/corrigenda-bundle-1.json")
    assert (response.data, response.content_type) == (schema_bytes(), "application/schema+json")


def test_without_a_key_there_is_no_export(office: Office) -> None:
    """A ledger that seals nothing proves nothing, and the pages say so instead of failing."""
    response = office.app.test_client().get(f"/benchmarks/{BENCHMARK}.bundle.json")
    assert response.status_code == 503


# --- by the command ---------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Path]:
    """A folder for what is exported."""
    folder = tmp_path / "exported"
    folder.mkdir()
    yield folder
    assert [one.name for one in folder.iterdir() if one.name.startswith(".")] == []


def test_the_command_exports_what_pages_do(counter: Counter, files: Path) -> None:
    """Byte for byte, for every kind of subject and every form of PROV."""
    home, head = counter.desk.workspace.settings.home, counter.desk.workspace.ledger.store.head()
    corrigenda = Corrigenda(home)
    pinned = ("--as-read-on", "2025-07-23", "--recorded-through", str(head))
    subjects = {
        "a board": ("board", str(BENCHMARK)),
        "a claim": ("claim", HERON),
        "a correction": ("correction", "1"),
        "the log": ("corrections", "--from", "2025-01-01", "--to", "2025-12-31"),
    }
    query = f"{DAY}&recorded_through={head}"
    for kind, words in subjects.items():
        bundle, prov = files / "bundle.json", files / "prov"
        for form, ending in (("json", "prov.json"), ("provn", "provn"), ("turtle", "ttl")):
            to = ("--bundle", str(bundle), "--prov", str(prov), "--prov-format", form)
            corrigenda.done("export", *words, *pinned, *to)
            assert prov.read_bytes() == counter.get(kind, ending, query).data
        assert bundle.read_bytes() == counter.get(kind, "bundle.json", query).data


def test_the_command_prints_to_standard_output(toy: Toy) -> None:
    """A dash is the standard output, and nothing else goes there."""
    printed = toy.corrigenda.done("export", "board", "toy", "--bundle", "-")
    assert check_bundle(printed.encode()).problems == ()
    assert toy.corrigenda.done("export", "board", "toy", "--prov", "-").startswith("{")


def test_the_command_says_what_it_wrote(toy: Toy, files: Path) -> None:
    """On standard error, with the size; an older file of that name is replaced."""
    out = files / "toy.bundle.json"
    out.write_text("older", encoding="utf-8")
    result = toy.corrigenda.run("export", "claim", toy.claim("Alpha"), "--bundle", str(out))
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"Wrote {out} ({out.stat().st_size:,} bytes).\n"
    assert rebuild(orjson.loads(out.read_bytes())) == []


def test_the_command_refuses_what_it_cannot_do(toy: Toy, files: Path) -> None:
    """A folder that is not there, an unknown subject: nothing is written."""
    nowhere = files / "nowhere" / "x.json"
    assert "cannot be written" in toy.corrigenda.refused(
        "export", "board", "toy", "--bundle", str(nowhere)
    )
    out = str(files / "x.json")
    assert "no benchmark called" in toy.corrigenda.refused("export", "board", "no", "--bundle", out)
    assert "no correction called 1" in toy.corrigenda.refused(
        "export", "correction", "1", "--prov", out
    )
    assert not Path(out).exists()


def test_wrong_usage_of_the_command_is_said(toy: Toy) -> None:
    """No file to write, two things on one standard output, a log without a period."""
    for words in (
        ("board", "toy"),
        ("board", "toy", "--bundle", "-", "--prov", "-"),
        ("board", "toy", "--prov", "-", "--prov-format", "xml"),
        ("corrections", "--bundle", "-"),
        ("correction", "0", "--bundle", "-"),
    ):
        assert toy.corrigenda.run("export", *words).exit_code == 2
