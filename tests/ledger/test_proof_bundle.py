"""Checking a bundle with ``ledger.proof`` alone: whatever was altered is found and named."""

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import orjson
import pytest

from ledger.proof.bundle import check_bundle
from ledger.proof.document import DEEPEST, LARGEST, document_in
from ledger.proof.errors import Malformed, Unproven
from reports.bundle.proven import checkpoint_covering, events_json
from tests.ledger.handed import Given, change_score, event_of
from web.cli.demo import CLAIM

# --- an untouched one -------------------------------------------------------------------------


def test_an_untouched_bundle_is_proved(given: Given) -> None:
    """Against the log's key, and, said to be so, against the key in the bundle itself."""
    checked = check_bundle(given.data, [given.key])
    assert (checked.problems, checked.pinned, checked.signed_by) == ((), True, given.key)
    assert checked.events == len(orjson.loads(given.data)["events"]) > checked.streams > 1
    alone = check_bundle(given.data)
    assert (alone.problems, alone.pinned, alone.signed_by) == ((), False, given.key)


# --- altered ----------------------------------------------------------------------------------


def swap_two(document: Any) -> None:
    one, other = event_of(document, "claim-recorded/"), event_of(document, "claim-recorded/", 1)
    one["stored"], other["stored"] = other["stored"], one["stored"]


def move_one(document: Any) -> None:
    event_of(document, "claim-recorded/")["index"] += 1


def cut_proof(document: Any) -> None:
    document["events"][0]["proof"].pop()


def lengthen_proof(document: Any) -> None:
    document["events"][0]["proof"].append(document["events"][0]["proof"][0])


def bend_proof(document: Any) -> None:
    document["events"][0]["proof"][0] = "A" * 43 + "="


def spoil_proof(document: Any) -> None:
    document["events"][0]["proof"][0] = "not base64"


def shorten_hash(document: Any) -> None:
    document["events"][0]["proof"][0] = "AAAA"


def grow_log(document: Any) -> None:
    lines = document["log"]["checkpoint"].split("\n")
    lines[1] = str(int(lines[1]) + 1)
    document["log"]["checkpoint"] = "\n".join(lines)


def rename_log(document: Any) -> None:
    document["log"]["origin"] = "another.example/log"


def drop_middle(document: Any) -> None:
    document["events"].remove(event_of(document, "benchmark-described/"))


def drop_correction(document: Any) -> None:
    document["events"].remove(event_of(document, "claim-corrected/"))


def disorder(document: Any) -> None:
    document["events"][0], document["events"][1] = document["events"][1], document["events"][0]


def lie_about_position(document: Any) -> None:
    one = document["events"][-1]
    one["position"] = one["index"]


def hide_claim_event(document: Any) -> None:
    claim = next(one for one in document["claims"] if one["claim_id"] == CLAIM)
    claim["events"].pop()


def credit_another(document: Any) -> None:
    document["decisions"][0]["decided_by"] = "somebody"


def swap_snapshot(document: Any) -> None:
    document["snapshots"][0]["sha256"] = "0" * 64


def grow_snapshot(document: Any) -> None:
    document["snapshots"][0]["size"] += 1


def misplace_rule(document: Any) -> None:
    document["rule"]["position"] = document["claims"][0]["events"][0]


def predate(document: Any) -> None:
    document["subject"]["recorded_through"]["position"] = 5


def antedate(document: Any) -> None:
    instant = "2020-01-01T00:00:00.000000Z"
    document["subject"]["recorded_through"]["recorded_at"] = instant


def strange_letters(document: Any) -> None:
    document["events"][0]["stored"] = '"\ud800"'


ALTERED: dict[Callable[[Any], None], str] = {
    change_score: "(claim-recorded/1 of claim:",
    swap_two: "does not lead to the root",
    move_one: "is not in the log",
    cut_proof: "is too short",
    lengthen_proof: "is too long",
    bend_proof: "does not lead to the root",
    spoil_proof: "its proof is not base64",
    shorten_hash: "a hash of its proof has not 32 bytes",
    grow_log: "checkpoint: the signature of",
    rename_log: "not of the one named",
    drop_middle: "has version 3 where 2 is due",
    drop_correction: f"claim {CLAIM}: its events are not those of its stream",
    disorder: "does not come after position",
    lie_about_position: "which comes before its position",
    hide_claim_event: f"claim {CLAIM}: its events are not those of its stream",
    credit_another: "decision 1.2: it is not what was recorded at position",
    swap_snapshot: f"snapshot {'0' * 64}: it is not what was frozen at position",
    grow_snapshot: "it is not what was frozen at position",
    misplace_rule: "rule: no event at position",
    predate: "comes after position 5, which the bundle is of",
    antedate: "does not go with position",
}


@pytest.mark.parametrize("spoil", ALTERED, ids=lambda one: one.__name__)
def test_whatever_was_altered_is_named(given: Given, spoil: Callable[[Any], None]) -> None:
    """Events changed, swapped, moved and left out; proofs, checkpoint, and what refers to them."""
    problems = given.problems(spoil)
    assert any(ALTERED[spoil] in one for one in problems), problems


def test_an_event_that_is_not_published_is_named(given: Given) -> None:
    """A report's own event is in the log too, and has a good proof; it does not belong here."""
    seals, store = given.shop.workspace.seals, given.shop.workspace.ledger.store
    filed = [one for one in store.after(0, 10_000) if one.envelope.type == "report-filed/1"]
    first = [(filed[0].position, filed[0].stored)]
    slipped_in = events_json(seals, first, checkpoint_covering(seals, given.shop.head))

    def slip_in(document: Any) -> None:
        document["events"] += slipped_in
        document["events"].sort(key=lambda one: one["position"])

    problems = given.problems(slip_in)
    assert [one for one in problems if "belongs to a report and is not published" in one]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "not JSON"),
        (b"[]", "not a JSON object"),
        (b"\xff{}", "not UTF-8: byte 0"),
        (b'{"format":"corrigenda-bundle/1","format":"corrigenda-bundle/1"}', "stands twice"),
        (b'{"a":1.5}', "the number 1.5"),
        (b'{"a":NaN}', "the number NaN"),
        (b'{"a":' + b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1) + b"}", "nested more than"),
        (b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
        (b'{"a":' + b"9" * 10_000 + b"}", "not JSON"),
        (b'{"format":"corrigenda-bundle/2"}', "not a bundle of the form"),
        (b'{"format":"corrigenda-bundle/1"}', "no object 'log'"),
    ],
)
def test_what_is_no_bundle_is_refused(data: bytes, why: str) -> None:
    """Other bytes, other JSON, and what different programs would read differently."""
    with pytest.raises(Malformed, match=why):
        check_bundle(data)


def test_a_document_beyond_all_bounds_is_not_parsed() -> None:
    """Its size alone refuses it."""
    with pytest.raises(Malformed, match="more than 256 MiB"):
        document_in(bytes(LARGEST + 1))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda one: one.update(events={}),
        lambda one: one["events"][0].update(position=True),
        lambda one: one["events"][0].update(position=-1),
        lambda one: one["events"][0].update(index=1 << 63),
        lambda one: one["events"][0].update(proof="x"),
        lambda one: one["events"][0].update(proof=["x"] * 64),
        lambda one: one["log"].update(keys=["x"]),
        lambda one: one["log"].update(keys=["x"] * 101),
        lambda one: one["log"].update(checkpoint="x"),
        lambda one: one.update(claims=[{}]),
        lambda one: one["claims"][0].update(events=["x"]),
        lambda one: one.pop("since"),
        strange_letters,
    ],
)
def test_a_part_that_has_another_form_is_refused_or_named(
    given: Given, spoil: Callable[[Any], None]
) -> None:
    """Never an error of ours, whatever the parts are."""
    document = orjson.loads(given.data)
    spoil(document)
    with suppress(Unproven):
        assert check_bundle(json.dumps(document).encode()).problems
