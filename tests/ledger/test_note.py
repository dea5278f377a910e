"""Signed notes: what a key signed is read, and nothing that it did not."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.proof.errors import Malformed, Unproven
from ledger.proof.note import (
    MOST_SIGNATURES,
    Checkpoint,
    SigningKey,
    VerifierKey,
    checkpoint_in,
    opened,
    opened_checkpoint,
    signed,
    signing_key,
    text_of,
    verifier_key,
)

# The vector of the C2SP specification of signed notes.
SPEC_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
SPEC_NOTE = (
    "This is an example message.\n"
    "\n"
    "— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXm"
    "RKuwHjG1Yu72IneyaQM=\n"
)

OLD = SigningKey("log.example/corrections", bytes(range(32)))
NEW = SigningKey("log.example/corrections", bytes(range(32, 64)))
OTHER = SigningKey("other.example/log", bytes(range(64, 96)))
CHECKPOINT = Checkpoint("log.example/corrections", 70_000, bytes(range(32)))


# --- notes ------------------------------------------------------------------------------------


def test_the_vector_of_the_specification_verifies() -> None:
    """Its key, its text, its signature."""
    key = verifier_key(SPEC_KEY)
    found = opened(SPEC_NOTE, [key])
    assert (found.text, found.signed_by) == ("This is an example message.\n", (key,))
    assert (key.name, key.id.hex(), str(key)) == ("example.com/foo", "530d903a", SPEC_KEY)


def test_the_vector_with_one_letter_changed_does_not() -> None:
    """In the text, or in the signature."""
    key = verifier_key(SPEC_KEY)
    for note in (
        SPEC_NOTE.replace("example message", "Example message"),
        SPEC_NOTE.replace("OBH3m", "OBH3n"),
    ):
        with pytest.raises(Unproven, match="is not valid"):
            opened(note, [key])


def test_the_same_text_is_always_signed_the_same() -> None:
    """So a checkpoint that is signed again after a crash is the very same note."""
    assert signed(CHECKPOINT.text, OLD) == signed(CHECKPOINT.text, OLD)


@given(st.binary(min_size=32, max_size=32), st.text("abcé\n", max_size=40))
def test_what_a_key_signs_its_public_half_reads(secret: bytes, text: str) -> None:
    """Any text that ends in a newline, empty lines within it included."""
    key = SigningKey("log.example", secret)
    assert opened(signed(text + "\n", key), [key.verifier]).text == text + "\n"


def test_a_note_may_be_signed_by_several() -> None:
    """All of them that are known are named, and a stranger's signature is passed over."""
    note = signed("text\n", OLD, OTHER, NEW)
    assert opened(note, [NEW.verifier, OLD.verifier]).signed_by == (OLD.verifier, NEW.verifier)
    assert opened(note, [OTHER.verifier]).signed_by == (OTHER.verifier,)


def test_a_note_that_no_known_key_signed_is_refused() -> None:
    """The keys that are trusted are said, since that is what to look at."""
    with pytest.raises(Unproven, match=r"no key that is trusted.*other\.example"):
        opened(signed("text\n", OLD), [OTHER.verifier])
    with pytest.raises(Unproven, match="trusted: none"):
        opened(signed("text\n", OLD), [])


def test_one_bad_signature_by_a_known_key_refuses_the_note() -> None:
    """Even when another one holds."""
    note = signed("text\n", OLD, OTHER)
    bad = note.replace(OTHER.line("text\n"), OTHER.line("another text\n"))
    with pytest.raises(Unproven, match=r"the signature of other\.example/log .* is not valid"):
        opened(bad, [OLD.verifier, OTHER.verifier])
    assert opened(bad, [OLD.verifier]).signed_by == (OLD.verifier,)


def test_a_name_without_its_key_is_a_stranger() -> None:
    """A signature under our name by another key proves nothing, and refuses nothing."""
    assert opened(signed("text\n", NEW, OLD), [OLD.verifier]).signed_by == (OLD.verifier,)


def test_many_signatures_are_read_and_too_many_are_not() -> None:
    """At least sixteen have to be; there is an end to it."""
    others = [SigningKey(f"other.example/{n}", bytes([n]) * 32) for n in range(MOST_SIGNATURES)]
    assert opened(signed("text\n", *others[1:], OLD), [OLD.verifier]).text == "text\n"
    with pytest.raises(Malformed):
        opened(signed("text\n", *others, OLD), [OLD.verifier])


NOTE = signed("text\n", OLD)


@pytest.mark.parametrize(
    "note",
    [
        "",
        "text\n",
        "text\n\n",
        NOTE.removesuffix("\n"),
        NOTE + "\n",
        NOTE.replace("— ", "- "),
        NOTE.replace("— ", "—"),
        NOTE.replace("=\n", "\n"),
        NOTE.replace("\n", "\r\n"),
        NOTE.replace("text", "te\x00xt"),
        NOTE.replace("text", "te\ud800xt"),
        NOTE + "and more\n",
        f"text\n\n— {OLD.name} {base64.b64encode(b'1234').decode()}\n",
        "x" * 1_000_001 + NOTE,
    ],
    ids=lambda note: ascii(note[:30]),
)
def test_what_is_no_note_is_refused(note: str) -> None:
    """Cut off, with another dash, with other ends of lines, with too much of anything."""
    with pytest.raises(Malformed):
        opened(note, [OLD.verifier])


def test_the_text_of_a_note_ends_in_a_newline() -> None:
    """Or it is not signed."""
    with pytest.raises(Malformed):
        signed("text", OLD)


# --- keys -------------------------------------------------------------------------------------


def test_a_key_is_written_and_read_back() -> None:
    """Both halves."""
    assert signing_key(OLD.reveal()) == OLD
    assert verifier_key(str(OLD.verifier)) == OLD.verifier


def test_a_secret_is_not_shown_by_accident() -> None:
    """Neither in a printed object nor in a refusal."""
    secret = base64.b64encode(b"\x01" + OLD.secret).decode()
    assert secret in OLD.reveal()
    assert OLD.secret.hex() not in repr(OLD)
    assert secret not in repr(OLD)
    assert repr(OLD.secret) not in repr(OLD)
    for broken in (OLD.reveal()[:-3], OLD.reveal().replace("+", " "), OLD.reveal()[1:]):
        with pytest.raises(Malformed) as refused:
            signing_key(broken)
        assert secret[:20] not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name",
        "a+b",
        SPEC_KEY[:-1],
        SPEC_KEY.replace("530d903a", "530d903b"),
        SPEC_KEY.replace("example.com/foo", "example.com/bar"),
        SPEC_KEY.replace("+Aeky", "+Beky"),
        SPEC_KEY.replace("example.com/foo", "example.com foo"),
        SPEC_KEY.replace("example.com/foo", ""),
    ],
)
def test_a_key_that_was_copied_wrongly_is_refused(text: str) -> None:
    """Its hash tells."""
    with pytest.raises(Malformed):
        verifier_key(text)


@pytest.mark.parametrize(
    "name", ["", "a b", "a+b", "a\nb", "a\tb", "x" * 256, "a\u00a0b", "a\ud800b"], ids=ascii
)
def test_a_key_has_a_name_that_a_note_can_bear(name: str) -> None:
    """No spaces and no plus, as they part the parts of a key and of a line."""
    with pytest.raises(Malformed):
        VerifierKey(name, bytes(32))


# --- checkpoints ------------------------------------------------------------------------------


def test_a_checkpoint_is_three_lines() -> None:
    """Origin, size, root."""
    assert CHECKPOINT.text == (
        "log.example/corrections\n70000\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n"
    )
    assert checkpoint_in(CHECKPOINT.text) == CHECKPOINT
    assert opened_checkpoint(signed(CHECKPOINT.text, OLD), [OLD.verifier]) == CHECKPOINT


def test_a_checkpoint_is_signed_by_a_key_of_its_own_name() -> None:
    """Another log's key cannot speak for it, though it is trusted for its own."""
    note = signed(CHECKPOINT.text, OTHER)
    assert text_of(note) == CHECKPOINT.text
    with pytest.raises(Unproven, match="is not signed by a key of its name"):
        opened_checkpoint(note, [OLD.verifier, OTHER.verifier])


def test_lines_of_others_below_a_checkpoint_are_passed_over() -> None:
    """The specification allows them; we write none."""
    assert checkpoint_in(CHECKPOINT.text + "an extension\n") == CHECKPOINT


@pytest.mark.parametrize(
    "text",
    [
        "",
        "log.example\n1\n",
        CHECKPOINT.text.removesuffix("\n"),
        CHECKPOINT.text.replace("70000", "070000"),
        CHECKPOINT.text.replace("70000", "-1"),
        CHECKPOINT.text.replace("70000", "7e4"),
        CHECKPOINT.text.replace("70000", "\N{ARABIC-INDIC DIGIT SEVEN}"),
        CHECKPOINT.text.replace("70000", "1" * 20),
        CHECKPOINT.text.replace("=\n", "\n"),
        CHECKPOINT.text.replace("AAEC", ""),
        CHECKPOINT.text.replace("log.example/corrections", ""),
    ],
    ids=ascii,
)
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    """One way to write a size and a root, and no other."""
    with pytest.raises(Malformed):
        checkpoint_in(text)
