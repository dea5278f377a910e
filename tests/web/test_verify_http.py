"""Another log over HTTP: an honest one holds, and a lying one is found out."""

import base64
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import orjson
import pytest

from ledger.proof.note import Checkpoint, signed
from ledger.proof.trust import tie_text
from tests.web.corrigenda import Corrigenda
from tests.web.pretender import KEY, NEXT, OTHER, Pretender, serving

VKEY = str(KEY.verifier)
STORED = [f"event {number}" for number in range(600)]


@attrs.frozen
class Visitor:
    """Somebody who looks at a log now and then, and has no ledger of their own."""

    corrigenda: Corrigenda
    log: Pretender

    def look(self, *words: str) -> Any:
        """The document of ``verify ADDRESS --json``."""
        result = self.corrigenda.run("verify", self.log.address, *words, "--json")
        assert result.exit_code in {0, 1}, result.output
        return orjson.loads(result.stdout)

    def wrong(self, *words: str) -> list[str]:
        """The kinds of what is wrong."""
        return [one["kind"] for one in self.look(*words)["findings"]]

    def refused(self, *words: str) -> str:
        """Why nothing could be said."""
        return self.corrigenda.refused("verify", self.log.address, *words)

    def remembered(self) -> dict[str, Any]:
        """What is kept of the log."""
        (file,) = (self.corrigenda.state / "corrigenda" / "seen").glob("*.json")
        found: dict[str, Any] = orjson.loads(file.read_bytes())
        return found


@pytest.fixture
def visitor(tmp_path: Path) -> Iterator[Visitor]:
    """A log of 600 leaves and somebody who never saw it."""
    with serving(Pretender(list(STORED))) as log:
        yield Visitor(Corrigenda(tmp_path / "nowhere"), log)


# --- an honest log ----------------------------------------------------------------------------


def test_an_honest_log_holds_and_is_remembered(visitor: Visitor) -> None:
    """Its key, its checkpoint, and where it was."""
    found = visitor.look("--key", VKEY)
    assert (found["kind"], found["holds"]) == ("log", True)
    assert found["checked"]["leaves"] == 600
    assert found["notes"] == ["this log was not seen before, so it may have been anything till now"]
    kept = visitor.remembered()
    assert (kept["origin"], kept["keys"]) == (KEY.name, [VKEY])
    assert kept["addresses"] == [visitor.log.address]
    assert kept["checkpoint"].startswith(f"{KEY.name}\n600\n")


def test_a_key_that_nobody_named_is_taken_once_and_said_loudly(visitor: Visitor) -> None:
    """From then on it is remembered, and no other will do."""
    assert f"so the log's own word was taken: {VKEY}" in visitor.look()["notes"][0]
    assert not any("own word" in note for note in visitor.look()["notes"])
    visitor.log.key = NEXT
    assert visitor.wrong() == ["log-unsigned"]
    assert visitor.remembered()["keys"] == [VKEY]


def test_a_log_that_grew_proves_that_it_begins_with_what_was_seen(visitor: Visitor) -> None:
    """One proof is asked for, and the newer checkpoint takes the place of the older."""
    visitor.look()
    visitor.log.stored += ["one more"] * 90
    found = visitor.look()
    assert found["holds"] is True
    assert "with 600 leaves" in found["notes"][-1]
    assert "proof/consistency?from=600&to=690" in visitor.log.asked
    assert visitor.remembered()["checkpoint"].startswith(f"{KEY.name}\n690\n")


def test_a_walk_over_everything_leads_to_the_signed_root(visitor: Visitor) -> None:
    """Three bundles, three tiles of their hashes, and the one above them."""
    visitor.look()
    visitor.log.stored += ["one more"] * 90
    found = visitor.look("--all")
    assert found["holds"] is True
    assert (found["checked"]["entries"], found["checked"]["tiles"]) == (690, 7)
    assert "tile/1/000.p/2" in visitor.log.asked


def test_leaves_are_picked_where_nobody_can_know(visitor: Visitor) -> None:
    """Two looks at one log ask for other leaves, and prove each of them."""
    picked = []
    for _ in range(2):
        visitor.log.asked.clear()
        assert visitor.look()["checked"]["picked"] >= 5
        picked.append({one for one in visitor.log.asked if one.startswith("proof/inclusion")})
    assert picked[0] != picked[1]


def test_a_log_without_leaves_holds(visitor: Visitor) -> None:
    """And goes on to any other."""
    visitor.log.stored.clear()
    assert visitor.wrong() == []
    visitor.log.stored += STORED
    assert visitor.wrong("--all") == []


# --- keys that follow -------------------------------------------------------------------------


def tie(pretender: Pretender, *signers: object) -> str:
    """The note that hands the log on to the next key, signed by these."""
    text = tie_text(pretender.checkpoint.text, NEXT.verifier)
    return signed(text, *signers)  # type: ignore[arg-type]


def test_a_new_key_is_believed_where_the_old_one_handed_the_log_on(visitor: Visitor) -> None:
    """Both are remembered; who was given the old one goes on with it as well."""
    visitor.look()
    visitor.log.ties = [tie(visitor.log, KEY, NEXT)]
    visitor.log.key = NEXT
    assert visitor.wrong() == []
    assert visitor.remembered()["keys"] == [VKEY, str(NEXT.verifier)]
    assert visitor.wrong("--key", VKEY) == []
    assert visitor.wrong("--key", str(NEXT.verifier)) == []


def test_a_key_that_handed_the_log_on_signs_nothing_more(visitor: Visitor) -> None:
    """Also where the server does not tell of the tie any longer: it is remembered."""
    visitor.look()
    visitor.log.ties = [tie(visitor.log, KEY, NEXT)]
    visitor.log.key = NEXT
    assert visitor.wrong() == []
    visitor.log.stored += ["one more"] * 3
    visitor.log.key, visitor.log.ties = KEY, []
    (found,) = visitor.look()["findings"]
    assert found["kind"] == "log-unsigned"
    assert "which handed the log on to another key before" in found["says"]


def test_a_key_that_hands_the_log_to_itself_is_not_believed(visitor: Visitor) -> None:
    """A tie without the old key's signature is worth nothing."""
    visitor.look()
    visitor.log.ties = [tie(visitor.log, NEXT)]
    visitor.log.key = NEXT
    assert visitor.wrong() == ["log-unsigned"]


def test_a_key_that_was_given_has_to_be_that_of_the_log_seen_before(visitor: Visitor) -> None:
    """Neither the one that was remembered nor one that it leads to: somebody is wrong."""
    visitor.look()
    visitor.log.key = NEXT
    found = visitor.look("--key", str(NEXT.verifier))["findings"]
    assert [one["kind"] for one in found] == ["key-unknown"]
    assert (found[0]["expected"], found[0]["found"]) == (str(NEXT.verifier), VKEY)


def test_another_key_than_the_one_given_signs_nothing(visitor: Visitor) -> None:
    """Also the first time."""
    assert visitor.wrong("--key", str(NEXT.verifier)) == ["log-unsigned"]
    assert not (visitor.corrigenda.state / "corrigenda").exists()


def test_another_log_at_the_same_address_is_found_out(visitor: Visitor) -> None:
    """Its name is another, and it is not taken for a log never seen."""
    visitor.look()
    visitor.log.key = OTHER
    assert visitor.wrong() == ["log-renamed"]


# --- lies -------------------------------------------------------------------------------------


def test_a_log_that_shrank_is_found_out(visitor: Visitor) -> None:
    """Both checkpoints are kept, and the memory does not go back."""
    visitor.look()
    del visitor.log.stored[500:]
    found = visitor.look()
    (one,) = found["findings"]
    assert (one["kind"], one["expected"], one["found"]) == ("log-shrank", "600", "500")
    both = Path(found["notes"][0].removeprefix("both checkpoints are kept in ")).read_text()
    assert f"{KEY.name}\n600\n" in both
    assert f"{KEY.name}\n500\n" in both
    assert visitor.remembered()["checkpoint"].startswith(f"{KEY.name}\n600\n")


@pytest.mark.parametrize("more", [0, 1, 300])
def test_a_log_that_forked_is_found_out(visitor: Visitor, more: int) -> None:
    """At the same size or grown since; both checkpoints are signed, and kept."""
    visitor.look()
    visitor.log.stored[300] = "another"
    visitor.log.stored += ["one more"] * more
    found = visitor.look()
    (one,) = found["findings"]
    assert (one["kind"], one["place"]) == ("log-forked", {"size": 600})
    assert one["expected"] != one["found"]
    assert any(note.startswith("both checkpoints are kept in") for note in found["notes"])
    assert visitor.remembered()["checkpoint"].startswith(f"{KEY.name}\n600\n")


def broken(answer: bytes) -> bytes:
    """The answer with its first hash replaced."""
    found = orjson.loads(answer)
    found["proof"][0] = base64.b64encode(bytes(32)).decode()
    return orjson.dumps(found)


@pytest.mark.parametrize("lie", [broken, b"{}", b"[", 404, b'{"proof": ["%%"]}'])
def test_a_broken_proof_of_growth_is_no_fork(
    visitor: Visitor, lie: Callable[[bytes], bytes] | bytes | int
) -> None:
    """The tiles show that the log only grew; but what it gives as proof is none."""
    visitor.look()
    visitor.log.stored += ["one more"] * 90
    visitor.log.lies["proof/consistency"] = lie
    (one,) = visitor.look()["findings"]
    assert (one["kind"], one["place"]["of"]) == ("proof-broken", "600 → 690")


@pytest.mark.parametrize("lie", [broken, b"null", 404])
def test_a_leaf_whose_proof_is_broken_is_named(
    visitor: Visitor, lie: Callable[[bytes], bytes] | bytes | int
) -> None:
    """Every one that was looked at."""
    visitor.log.lies["proof/inclusion"] = lie
    found = visitor.look()
    assert {one["kind"] for one in found["findings"]} == {"proof-broken"}
    assert len(found["findings"]) == found["checked"]["picked"]


def test_an_event_that_is_not_the_one_under_its_leaf_is_named(visitor: Visitor) -> None:
    """What it shows gives another entry than the one that it proves."""
    for position in range(1, 601):
        visitor.log.lies[f"events/{position}.json"] = b'{"stored": "made up"}'
    (one, *_) = visitor.look()["findings"]
    assert one["kind"] == "entry-unfit"
    assert one["place"]["position"] == one["place"]["index"] + 1


def test_an_event_that_is_withheld_may_be(visitor: Visitor) -> None:
    """Of what is not published the entry is enough."""
    for position in range(1, 601):
        visitor.log.lies[f"events/{position}.json"] = b'{"stored": null, "withheld": true}'
    assert visitor.wrong() == []


def flip(answer: bytes) -> bytes:
    """The answer with one bit of its 100th byte flipped."""
    return answer[:100] + bytes([answer[100] ^ 1]) + answer[101:]


@pytest.mark.parametrize(
    ("path", "entry"),
    [("tile/0/001", 3), ("tile/0/002.p/88", 3), ("tile/entries/001", 2)],
)
def test_a_walk_names_the_tile_that_does_not_fit(visitor: Visitor, path: str, entry: int) -> None:
    """Of a tile and its bundle, the one that does not lead to the signed root."""
    visitor.log.lies[path] = flip
    (one,) = visitor.look("--all")["findings"]
    tile = path.partition(".p")[0]
    assert (one["kind"], one["place"]) == ("tile-differs", {"tile": tile, "entry": entry})
    assert one["expected"] != one["found"]


def test_a_walk_names_a_hash_above_the_leaves(visitor: Visitor) -> None:
    """It stands for 256 leaves, which lead to another one."""
    visitor.log.lies["tile/1/000.p/2"] = lambda answer: answer[:32] + bytes(32)
    (one,) = visitor.look("--all")["findings"]
    assert (one["kind"], one["place"]) == ("tile-differs", {"tile": "tile/1/000", "entry": 1})


@pytest.mark.parametrize("lie", [404, b"", b"x" * 33, b"\x00" * 64])
def test_a_walk_names_a_tile_that_cannot_be_had(visitor: Visitor, lie: bytes | int) -> None:
    """And goes on without it."""
    visitor.log.lies["tile/entries/001"] = lie
    (one,) = visitor.look("--all")["findings"]
    assert (one["kind"], one["place"]["tile"]) == ("tile-unserved", "tile/entries/001")


def test_a_root_that_nothing_leads_to_is_named(visitor: Visitor) -> None:
    """It is signed, but not over what is served."""
    other = Checkpoint(KEY.name, 600, bytes(32))
    visitor.log.lies["checkpoint"] = signed(other.text, KEY).encode()
    assert set(visitor.wrong("--all")) == {"proof-broken", "entries-unfit"}


# --- answers that are none --------------------------------------------------------------------


def test_what_cannot_be_asked_is_refused(visitor: Visitor) -> None:
    """Nothing is known then, which is not the same as that something is wrong."""
    visitor.log.lies["checkpoint"] = 503
    assert "it answers 503" in visitor.refused()
    visitor.log.lies["checkpoint"] = 404
    assert "There is no checkpoint at" in visitor.refused()
    visitor.log.lies["checkpoint"] = b"x" * 2_000_000
    assert "more than" in visitor.refused()


def test_nobody_is_led_to_another_server(visitor: Visitor) -> None:
    """Within the server a redirect is followed."""
    with serving(Pretender(list(STORED))) as elsewhere:
        visitor.log.lies["checkpoint"] = f"{elsewhere.address}/checkpoint"
        assert "it leads to another server" in visitor.refused()
        assert elsewhere.asked == []
    visitor.log.lies["checkpoint"] = "/moved"
    visitor.log.lies["moved"] = signed(visitor.log.checkpoint.text, KEY).encode()
    assert visitor.wrong() == []


@pytest.mark.parametrize("text", [b"", b"\xff\xfe", b"hello\n", b"<html></html>"])
def test_what_is_no_checkpoint_is_not_believed(visitor: Visitor, text: bytes) -> None:
    """Whatever the page is."""
    visitor.log.lies["checkpoint"] = text
    assert visitor.wrong() == ["log-unsigned"]


@pytest.mark.parametrize(
    "address", ["ftp://127.0.0.1", "http://a:b@127.0.0.1/", "http://127.0.0.1/?a=b", "http://"]
)
def test_an_address_that_is_none_is_refused(visitor: Visitor, address: str) -> None:
    """Before anything is asked."""
    said = visitor.corrigenda.refused("verify", address)
    assert "the address of its pages" in said


def test_a_server_that_is_gone_is_refused(visitor: Visitor) -> None:
    """With the address that was asked for."""
    assert "http://127.0.0.1:1/checkpoint cannot be asked" in visitor.corrigenda.refused(
        "verify", "http://127.0.0.1:1"
    )
