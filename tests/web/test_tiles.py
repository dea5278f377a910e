"""The log over HTTP: what is served verifies, and what is not published is not told."""

import base64
import json
from hashlib import sha256
from typing import Any

import pytest
from werkzeug.test import TestResponse

from ledger.events import DecisionMade, DecisionReversed, ReportEvent
from ledger.proof.hashes import TileHashes
from ledger.proof.merkle import check_consistency, check_inclusion, leaf_hash, root_at
from ledger.proof.note import Checkpoint, VerifierKey, opened_checkpoint
from ledger.proof.receipt import check_receipt, receipt_in
from ledger.proof.tiles import Tile, split_entries
from tests.web.kites import Kites
from tests.web.people import signed_in
from web.headers import ASK_AGAIN, FOR_EVER
from web.wiring import make_key

LOOKS = {"Content-Length", "Content-Type", "Cache-Control"}


@pytest.fixture
def log(kites: Kites) -> Kites:
    """The kites, with a key for their log."""
    make_key(kites.workspace, lambda: bytes(32))
    return kites


def keys(log: Kites) -> tuple[VerifierKey, ...]:
    """The keys of the log."""
    return log.workspace.seals.keys()


def checkpoint(log: Kites, address: str = "/checkpoint") -> Checkpoint:
    """A checkpoint that is served, verified."""
    response = log.get(address)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert response.headers["Cache-Control"] == ASK_AGAIN
    return opened_checkpoint(response.text, keys(log))


def problem(response: TestResponse) -> str:
    """What a refusal says, whose address is one that programs fetch."""
    assert "<" not in response.text
    return response.text


# --- checkpoints and tiles --------------------------------------------------------------------


def test_a_ledger_without_a_key_has_pages_and_no_checkpoint(kites: Kites) -> None:
    """Reading needs no key; the log says in plain text that it has nothing."""
    kites.file()
    assert kites.get("/corrections").status_code == 200
    response = kites.get("/checkpoint")
    assert (response.status_code, response.mimetype) == (404, "text/plain")
    assert "no checkpoint" in problem(response)


def test_the_newest_checkpoint_covers_what_was_just_recorded(log: Kites) -> None:
    """Whoever recorded it: asking for it is enough."""
    assert checkpoint(log).size == log.head
    log.file()
    log.correct("70.1")
    assert checkpoint(log).size == log.head


def test_an_older_checkpoint_can_still_be_had(log: Kites) -> None:
    """By its size; of another size there is none."""
    before = checkpoint(log)
    log.file()
    assert checkpoint(log).size == before.size + 1
    assert checkpoint(log, f"/checkpoint/{before.size}") == before
    for size in (0, before.size - 1, before.size + 2):
        assert log.get(f"/checkpoint/{size}").status_code == 404


def test_tiles_and_entries_lead_to_the_root(log: Kites) -> None:
    """Fetched over HTTP, kept for ever, and checked against the checkpoint."""
    sealed = checkpoint(log)

    def fetched(tile: Tile) -> bytes:
        response = log.get(f"/{tile.path}")
        assert response.status_code == 200
        assert response.headers["Content-Type"] == "application/octet-stream"
        assert response.headers["Cache-Control"] == FOR_EVER
        data: bytes = response.data
        return data

    assert root_at(sealed.size, TileHashes(sealed.size, fetched)) == sealed.root
    entries = split_entries(fetched(Tile(None, 0, sealed.size)))
    records = log.workspace.ledger.store.after(0, 1000)
    assert entries == [sha256(record.stored).digest() for record in records]
    log.file()
    checkpoint(log)
    assert fetched(Tile(0, 0, sealed.size)) == b"".join(map(leaf_hash, entries))


@pytest.mark.parametrize(
    "address",
    [
        "/tile/0/000",
        "/tile/0/000.p/200",
        "/tile/0/001.p/1",
        "/tile/1/000.p/1",
        "/tile/0/0.p/1",
        "/tile/0/x000/000.p/1",
        "/tile/00/000.p/1",
        "/tile/8/000.p/1",
        "/tile/0/000.p/01",
        "/tile/0/000.p/0",
        "/tile/entries/000",
        "/tile/entries",
        "/tile/",
        "/tile",
        "/tile/0/000.p/1/",
        "/tile//0/000.p/1",
        "/tile/0/%2e%2e/000.p/1",
        "/tile/0/" + "x999/" * 300 + "000",
        "/checkpoint/",
        "/checkpoint/01",
        "/checkpoint/-1",
        "/checkpoint/1e3",
    ],
)
def test_an_address_that_no_checkpoint_covers_is_not_there(log: Kites, address: str) -> None:
    """Nor is one that is written in another way."""
    checkpoint(log)
    assert log.get(address).status_code == 404


def test_what_is_served_takes_no_parameters(log: Kites) -> None:
    """A cache would keep them apart."""
    checkpoint(log)
    for address in ("/checkpoint", "/tile/0/000.p/1", "/events/1.json"):
        assert log.get(f"{address}?fresh=yes").status_code == 400


# --- proofs -----------------------------------------------------------------------------------


def decoded(told: dict[str, Any]) -> list[bytes]:
    """The hashes of an answer."""
    return [base64.b64decode(one) for one in told["proof"]]


def test_an_inclusion_proof_verifies(log: Kites) -> None:
    """By position or by index, under the newest checkpoint or an older one."""
    old = checkpoint(log).size
    log.correct("70.1")
    sealed = checkpoint(log)
    for query, size in (
        ("position=3", sealed.size),
        ("index=2", sealed.size),
        (f"position=3&size={old}", old),
        (f"index=2&size={sealed.size}", sealed.size),
    ):
        told = log.json(f"/proof/inclusion?{query}")
        under = opened_checkpoint(told["under"]["checkpoint"], keys(log))
        assert (told["position"], told["index"], under.size) == (3, 2, size)
        assert under.root == base64.b64decode(told["under"]["root"])
        leaf = leaf_hash(bytes.fromhex(told["entry"]))
        assert leaf == base64.b64decode(told["leaf"])
        check_inclusion(leaf, index=2, size=size, proof=decoded(told), root=under.root)


def test_a_consistency_proof_verifies(log: Kites) -> None:
    """From one checkpoint to another, or to the newest."""
    sizes = [checkpoint(log).size]
    for _ in range(2):
        log.file()
        sizes.append(checkpoint(log).size)
    for query, old, new in (
        (f"from={sizes[0]}", sizes[0], sizes[2]),
        (f"from={sizes[0]}&to={sizes[1]}", sizes[0], sizes[1]),
        (f"from={sizes[2]}&to={sizes[2]}", sizes[2], sizes[2]),
    ):
        told = log.json(f"/proof/consistency?{query}")
        one, two = (opened_checkpoint(told[end]["checkpoint"], keys(log)) for end in ("from", "to"))
        assert (one.size, two.size) == (old, new)
        check_consistency(
            old_size=old,
            old_root=one.root,
            new_size=new,
            new_root=two.root,
            proof=decoded(told),
        )


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/proof/inclusion", 400),
        ("/proof/inclusion?position=1&index=0", 400),
        ("/proof/inclusion?position=", 400),
        ("/proof/inclusion?position=01", 400),
        ("/proof/inclusion?position=-1", 400),
        ("/proof/inclusion?position=1.0", 400),
        ("/proof/inclusion?position=%D9%A1", 400),
        ("/proof/inclusion?position=" + "9" * 40, 400),
        ("/proof/inclusion?position=1&position=2", 400),
        ("/proof/inclusion?position=1&leaf=2", 400),
        ("/proof/inclusion?position=0", 404),
        ("/proof/inclusion?position=99999", 404),
        ("/proof/inclusion?index=99999", 404),
        ("/proof/inclusion?index=0&size=1", 404),
        ("/proof/consistency", 400),
        ("/proof/consistency?from=1", 404),
        ("/proof/consistency?from=99999", 404),
        ("/events/1.tlog-proof?size=1", 404),
        ("/events/99999.tlog-proof", 404),
        ("/events/99999.json", 404),
    ],
)
def test_what_cannot_be_proved_is_refused(log: Kites, address: str, status: int) -> None:
    """In words, as JSON or plain text, and never with a proof of something else."""
    checkpoint(log)
    response = log.get(address)
    assert response.status_code == status
    if ".tlog-proof" not in address:
        assert response.mimetype == "application/problem+json"
        assert json.loads(problem(response))["status"] == status
    else:
        assert response.mimetype == "text/plain"
        assert problem(response)


def test_a_receipt_verifies_with_the_bytes_that_are_served(log: Kites) -> None:
    """Of a published event anybody can check the whole way: bytes, entry, leaf, root, signature."""
    log.correct("70.1")
    sealed = checkpoint(log)
    for position in range(1, sealed.size + 1):
        told = log.json(f"/events/{position}.json")
        response = log.get(f"/events/{position}.tlog-proof")
        assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
        receipt = receipt_in(response.text)
        assert receipt.index == told["index"]
        check_receipt(receipt, bytes.fromhex(told["entry"]), keys(log))
        if not told["withheld"]:
            assert sha256(told["stored"].encode()).hexdigest() == told["entry"]


# --- what is published ------------------------------------------------------------------------


def test_of_a_report_nothing_but_its_decisions_is_published(log: Kites) -> None:
    """Filed, screened, reviewed, decided and reversed: the two decisions can be read by all; the
    others are told by their place and entry, before the decision and after."""
    number = log.file(by="whistleblower")
    checkpoint(log)
    undecided = log.json(f"/events/{log.head}.json")
    decision = log.decide(number=number)
    log.reverse(decision)
    checkpoint(log)
    assert log.json(f"/events/{undecided['position']}.json") == undecided
    for record in log.workspace.ledger.store.after(0, 1000):
        told = log.json(f"/events/{record.position}.json")
        public = not isinstance(record.event, ReportEvent)
        public = public or isinstance(record.event, DecisionMade | DecisionReversed)
        assert told == {
            "position": record.position,
            "index": record.position - 1,
            "entry": sha256(record.stored).hexdigest(),
            "withheld": not public,
            "stored": record.stored.decode() if public else None,
        }


def test_an_undecided_report_is_not_to_be_told_from_anything_else_withheld(log: Kites) -> None:
    """Who reported, what about, and what is done about it: no address of the log says so."""
    number = log.file(by="whistleblower")
    log.withdraw(number, by="whistleblower")
    first, last = log.head - 1, log.head
    checkpoint(log)
    for position in (first, last):
        for address in (
            f"/events/{position}.json",
            f"/events/{position}.tlog-proof",
            f"/proof/inclusion?position={position}",
        ):
            text = log.get(address).text
            assert "whistleblower" not in text
            assert "report" not in text
    one, two = (log.get(f"/events/{position}.json") for position in (first, last))
    assert set(one.json or {}) == set(two.json or {})
    assert {n: v for n, v in one.headers if n in LOOKS} == {
        n: v for n, v in two.headers if n in LOOKS
    }


def test_who_is_logged_in_is_told_the_same(log: Kites) -> None:
    """A proof does not depend on who asks for it."""
    log.file()
    checkpoint(log)
    ada = signed_in(log.app, log.workspace, "ada", "reviewer", "administrator")
    for address in (f"/events/{log.head}.json", "/checkpoint", "/tile/entries/000.p/1"):
        assert ada.get(address).data == log.get(address).data
