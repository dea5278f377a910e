"""Bundles: what they show is what the pages show, and nothing of them is anybody's secret."""

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import jsonschema
import orjson
import pytest
from flask.testing import FlaskClient

from ledger.claim import stream_of
from ledger.errors import NotFound
from reports.bundle import (
    Bundle,
    board_bundle,
    claim_bundle,
    correction_bundle,
    corrections_bundle,
    paper_bundle,
)
from reports.bundle.asked import address_of, asked_in, subject_json
from reports.bundle.schema import schema_bytes
from tests.reports import shop as told
from tests.reports.shop import READ_ON, Shop
from web.app import create_app
from web.cli.demo import CLAIM, PAPER

BIG, SMALL = "bigcodebench", "code-interpreter"
YEAR = (date(2026, 1, 1), date(2026, 12, 31))
Make = Callable[[Shop], Bundle]

KINDS: dict[str, Make] = {
    "the big board": lambda shop: board_bundle(shop.records, shop.moment(READ_ON), BIG, view="all"),
    "the small one before": lambda shop: board_bundle(
        shop.records, shop.moment(READ_ON, shop.before), SMALL
    ),
    "the small one after": lambda shop: board_bundle(
        shop.records, shop.moment(), SMALL, metric="accuracy", every_claim=True
    ),
    "that day with what was corrected since": lambda shop: board_bundle(
        shop.records, shop.moment(READ_ON, corrected="since"), SMALL
    ),
    "a claim": lambda shop: claim_bundle(shop.records, shop.moment(), CLAIM),
    "a paper": lambda shop: paper_bundle(shop.records, shop.moment(), PAPER),
    "a correction": lambda shop: correction_bundle(shop.records, shop.moment(), 1),
    "the log of a year": lambda shop: corrections_bundle(shop.records, shop.moment(), *YEAR),
}


@pytest.fixture(scope="module")
def client(shop: Shop) -> FlaskClient:
    """Somebody who looks at the pages of the shop."""
    return create_app(shop.workspace).test_client()


def page_of(client: FlaskClient, document: Any) -> Any:
    """The JSON form of the page that a bundle gives the address of."""
    path, _, query = document["address"].partition("?")
    response = client.get(f"{path}.json?{query}")
    assert response.status_code == 200, response.text
    return response.json


def canonical(document: Any) -> bytes:
    return orjson.dumps(document, option=orjson.OPT_SORT_KEYS)


# --- what it shows ----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_bundle_shows_what_its_page_shows(shop: Shop, client: FlaskClient, kind: str) -> None:
    """Byte for byte once both are in one order; who asked for a correction is the one exception."""
    document = KINDS[kind](shop).document
    page = page_of(client, document)
    if "asked_by" in page:
        assert page["asked_by"] == "Dana Q."
        page["asked_by"] = None
    assert canonical(document["shows"]) == canonical(page)


@pytest.mark.parametrize("kind", KINDS)
def test_a_bundle_has_the_form_of_its_schema(shop: Shop, kind: str) -> None:
    """The published schema describes every kind of bundle, and is a schema itself."""
    schema = orjson.loads(schema_bytes())
    checker = jsonschema.Draft202012Validator(schema)
    checker.check_schema(schema)
    problems = [one.message for one in checker.iter_errors(orjson.loads(KINDS[kind](shop).data))]
    assert problems == []


def test_the_schema_refuses_what_is_no_bundle(shop: Shop) -> None:
    """A missing member, a subject of no kind, and a proof that is no hash are named."""
    checker = jsonschema.Draft202012Validator(orjson.loads(schema_bytes()))
    spoils: tuple[Callable[[Any], object], ...] = (
        lambda one: one.pop("log"),
        lambda one: one["subject"].update(kind="paper"),
        lambda one: one["events"][0].update(proof=["deadbeef"]),
        lambda one: one["claims"][0].update(claim_id="x"),
    )
    for spoil in spoils:
        document = orjson.loads(KINDS["a claim"](shop).data)
        spoil(document)
        assert not checker.is_valid(document)


@pytest.mark.parametrize("kind", KINDS)
def test_a_subject_can_be_asked_for_again(shop: Shop, kind: str) -> None:
    """What the document says of its subject leads back to the same subject and address."""
    document = orjson.loads(KINDS[kind](shop).data)
    asked = asked_in(document["subject"])
    assert subject_json(asked) == document["subject"]
    assert address_of(asked) == document["address"]


# --- what stands behind it --------------------------------------------------------------------


def test_every_claim_that_is_shown_has_its_chain(shop: Shop) -> None:
    """As written, the snapshot, the decision and the events: each leads to something in the
    bundle."""
    document = KINDS["the small one after"](shop).document
    rows = document["shows"]["rows"]
    assert [one["claim_id"] for one in document["claims"]][: len(rows)] == [
        row["claim_id"] for row in rows
    ]
    positions = {one["position"] for one in document["events"]}
    frozen = {one["sha256"] for one in document["snapshots"]}
    for claim in document["claims"]:
        assert set(claim["events"]) <= positions
        assert {one["sha256"] for one in claim["readings"]} <= frozen
        assert claim["says"]["name"] == claim["readings"][-1]["says"]["name"]
    corrected = next(one for one in document["claims"] if one["claim_id"] == CLAIM)
    assert corrected["decisions"] == [one["number"] for one in document["decisions"]] == [1]
    assert (corrected["says"]["metric"], corrected["shows"]["metric"]) == (
        "executable-code-rate",
        "accuracy",
    )


def test_streams_are_whole_but_for_reports(shop: Shop) -> None:
    """Every stream but a report's is there from its first event to the last by the position."""
    document = KINDS["the small one after"](shop).document
    found: dict[str, list[int]] = {}
    for one in document["events"]:
        record = orjson.loads(one["stored"])
        found.setdefault(record["stream"], []).append(one["position"])
    store = shop.workspace.ledger.store
    for stream, positions in found.items():
        if not stream.startswith("report:"):
            assert positions == [one.position for one in store.stream(stream)]
    assert stream_of(CLAIM) in found


def test_the_rule_names_the_event_that_set_it(shop: Shop) -> None:
    """The rule in force stands at its position, with who said why."""
    document = KINDS["the small one before"](shop).document
    rule = document["rule"]
    event = next(one for one in document["events"] if one["position"] == rule["position"])
    said = orjson.loads(event["stored"])
    assert (said["type"], said["event"]["metric"]) == ("ranking-rule-set/1", rule["slug"])
    assert (rule["why"], rule["recorded_by"]) == (said["event"]["why"], said["recorded_by"])


def test_what_was_decided_since_goes_along(shop: Shop) -> None:
    """A board pinned before the decision, and one as read before it, name it; later ones do not."""
    since = {kind: KINDS[kind](shop).document["since"]["corrections"] for kind in KINDS}
    assert since["the small one before"] == [1]
    assert since["the small one after"] == since["the big board"] == []
    assert since["that day with what was corrected since"] == []
    later = board_bundle(shop.records, shop.moment(READ_ON), SMALL).document
    assert later["since"]["corrections"] == [1]
    assert [one["correction"] for one in later["shows"]["changed_since"]] == [1]


# --- secrets ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_of_a_report_is_in_a_bundle_but_its_decision(shop: Shop, kind: str) -> None:
    """No words, contact, evidence, note, name or handle of reporters; of reports only decisions."""
    data = KINDS[kind](shop).data.decode()
    secrets = (
        told.SECRET_WORDS,
        told.SECRET_CONTACT,
        told.SECRET_ADDRESS,
        told.SECRET_NOTE,
        told.OTHER_WORDS,
        "Dana Q.",
        "reporter-",
    )
    assert [secret for secret in secrets if secret in data] == []
    types = {
        orjson.loads(one["stored"])["type"]
        for one in orjson.loads(data)["events"]
        if orjson.loads(one["stored"])["stream"].startswith("report:")
    }
    assert types <= {"decision-made/1", "decision-reversed/1"}


def test_digests_of_private_things_are_in_no_bundle(shop: Shop) -> None:
    """Neither the digest of a reporter's words nor that of private evidence goes out."""
    private = [
        digest
        for record in shop.workspace.ledger.store.after(0, 10_000)
        for digest in (getattr(record.event, "words", None), getattr(record.event, "digest", None))
        if record.envelope.stream.startswith("report:") and digest is not None
    ]
    assert private
    for make in KINDS.values():
        text = make(shop).data.decode()
        assert [one for one in private if one in text] == []


# --- the same again ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_equal_bundles_have_equal_bytes(shop: Shop, kind: str) -> None:
    """Made twice they are the same, in canonical JSON with a newline at the end."""
    first, second = KINDS[kind](shop), KINDS[kind](shop)
    assert first.data == second.data == canonical(first.document) + b"\n"


AGAIN = """
import sys
from pathlib import Path
from tests.reports.shop import reopened
from tests.reports.test_bundle import KINDS
with reopened(Path(sys.argv[1]), int(sys.argv[2])) as shop:
    sys.stdout.buffer.write(KINDS[sys.argv[3]](shop).data)
"""


def test_another_process_makes_the_same_bytes(shop: Shop) -> None:
    """Whatever order Python keeps its sets in."""
    kind, home = "the small one after", str(shop.workspace.settings.home)
    made = KINDS[kind](shop).data
    command = [sys.executable, "-c", AGAIN, home, str(shop.head), kind]
    root = Path(__file__).parents[2]
    for seed in ("1", "2"):
        environment = {"PYTHONHASHSEED": seed, "PATH": os.environ["PATH"]}
        found = subprocess.run(command, capture_output=True, check=True, env=environment, cwd=root)
        assert found.stdout == made


def test_unknown_subjects_are_refused(shop: Shop) -> None:
    """What has no page has no bundle."""
    moment = shop.moment()
    asks: tuple[Callable[[], Bundle], ...] = (
        lambda: board_bundle(shop.records, moment, "nothing"),
        lambda: board_bundle(shop.records, moment, BIG, metric="nothing"),
        lambda: claim_bundle(shop.records, moment, "c" + "0" * 23),
        lambda: paper_bundle(shop.records, moment, "2402.99999"),
        lambda: correction_bundle(shop.records, moment, 2),
        lambda: correction_bundle(shop.records, shop.before, 1),
    )
    for ask in asks:
        with pytest.raises(NotFound):
            ask()
