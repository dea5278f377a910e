"""The keys of a log: the first, the next, and a machine that has none."""

import os
import stat
from pathlib import Path

import pytest

from ledger.errors import BadValue
from ledger.proof.errors import Unproven
from ledger.proof.note import opened, opened_checkpoint
from ledger.proof.receipt import check_receipt
from ledger.proof.trust import trusted_by
from ledger.seal import NoKey, Seals
from ledger.sealing.errors import BadKey, KeyExposed, KeyLost
from ledger.sealing.keys import named_key
from tests.ledger.sealed import FIRST, NAME, SECOND, THIRD, Log
from web.sealing_key import KeyFile, KeyIsGiven


def key(secret: bytes) -> str:
    """A key of the log as it is kept."""
    return named_key(secret, log_name=NAME, address=None).reveal()


# --- what a log is called ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("log_name", "address", "name"),
    [
        ("log.example/corrections", "https://pages.example", "log.example/corrections"),
        (None, "https://pages.example", "pages.example/corrections-log"),
        (None, "http://127.0.0.1:8000", "127.0.0.1:8000/corrections-log"),
        (None, None, "corrigenda.invalid/72cd6e84"),
    ],
)
def test_a_log_is_called_as_told_or_after_its_pages(
    log_name: str | None, address: str | None, name: str
) -> None:
    """And where nothing is known, by a name that is nobody's."""
    assert named_key(FIRST, log_name=log_name, address=address).name == name


@pytest.mark.parametrize("name", ["a b", "a+b", "x" * 300])
def test_a_name_that_no_note_can_bear_is_refused(name: str) -> None:
    """No spaces and no plus."""
    with pytest.raises(BadValue, match="name of the log"):
        named_key(FIRST, log_name=name, address=None)


# --- the first key ----------------------------------------------------------------------------


def test_the_first_checkpoint_makes_its_key_the_log_s(log: Log) -> None:
    """From then on another key does not sign, not even after the file was lost and made anew."""
    assert log.seals.keys() == ()
    with pytest.raises(NoKey):
        _ = log.seals.origin
    log.seals.seal()
    assert log.seals.origin == NAME
    log.keys.path.unlink()
    log.keys.make(named_key(SECOND, log_name=NAME, address=None))
    log.record(1)
    with pytest.raises(KeyLost, match="as no other key can go on with this log"):
        log.seals.seal()
    assert len(log.checkpoints()) == 1


def test_without_a_key_nothing_is_signed_and_all_that_was_can_be_read(log: Log) -> None:
    """A replica, or a home that was copied without its key."""
    log.record(2)
    sealed = log.seals.seal()
    log.record(1)
    replica = Seals(log.place.open(), KeyFile(Path("nowhere") / "checkpoint.key"))
    with pytest.raises(NoKey):
        replica.seal()
    assert (replica.latest(), replica.receipt(1)) == (sealed, log.seals.receipt(1))
    log.seals.seal()
    assert replica.seal() == replica.latest()


def test_a_key_from_the_environment_takes_the_place_of_the_file(log: Log) -> None:
    """It may be the very key of the log; any other signs nothing."""
    log.seals.seal()
    log.record(1)
    for given, path in ((key(FIRST), Path("nowhere")), (key(FIRST) + "\n", log.keys.path)):
        assert Seals(log.store, KeyFile(path, given)).seal().size == 1
    log.record(1)
    with pytest.raises(KeyLost, match="CORRIGENDA_SIGNING_KEY has the key"):
        Seals(log.store, KeyFile(log.keys.path, key(SECOND))).seal()
    for nonsense in ("secret", key(FIRST)[:-2], key(FIRST).replace(NAME, "a b")):
        with pytest.raises(BadKey, match="CORRIGENDA_SIGNING_KEY") as refused:
            Seals(log.store, KeyFile(log.keys.path, nonsense)).seal()
        assert nonsense[-20:] not in str(refused.value)
        assert nonsense not in repr(KeyFile(log.keys.path, nonsense))


# --- the file ---------------------------------------------------------------------------------


def test_the_file_is_for_its_owner_alone(log: Log) -> None:
    """Whatever the process was told to leave open, and it is never written over."""
    before = os.umask(0)
    try:
        log.keys.path.unlink()
        log.keys.make(named_key(FIRST, log_name=NAME, address=None))
    finally:
        os.umask(before)
    assert stat.S_IMODE(log.keys.path.stat().st_mode) == 0o600
    log.keys.make(named_key(SECOND, log_name=NAME, address=None))
    assert log.keys.path.read_text(encoding="utf-8") == key(FIRST) + "\n"
    assert [path.name for path in log.keys.path.parent.glob("*key*")] == ["checkpoint.key"]


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660])
def test_a_key_that_others_may_read_signs_nothing(log: Log, mode: int) -> None:
    """It says which mode it has, and what to do."""
    log.keys.path.chmod(mode)
    with pytest.raises(KeyExposed, match=rf"mode {mode:04o}.*chmod 600"):
        log.seals.seal()
    log.keys.path.chmod(0o600)
    log.seals.seal()


@pytest.mark.parametrize("text", ["", "nonsense", "PRIVATE+KEY+a+b+c", "\x00" * 5000, "ÿ"])
def test_a_file_that_holds_no_key_is_refused_without_showing_it(log: Log, text: str) -> None:
    """It names the file."""
    log.keys.path.write_text(text, encoding="latin-1")
    with pytest.raises(BadKey, match=r"checkpoint\.key cannot be read"):
        log.seals.seal()


# --- the next key -----------------------------------------------------------------------------


def test_a_new_key_goes_on_and_the_old_one_vouches_for_it(log: Log) -> None:
    """Who trusted the old one reaches the new one over the tie, and everything verifies."""
    log.record(3)
    log.seals.seal()
    log.record(1)
    (first,) = log.seals.keys()
    second = log.seals.rotate(SECOND)
    assert log.seals.keys() == (second, first)
    (tie,) = log.seals.ties()
    assert opened(tie, [first]).signed_by == (first,)
    assert opened(tie, [second]).signed_by == (second,)
    assert tie.startswith(f"{NAME}\n4\n")
    assert trusted_by([first], [tie]) == (first, second)
    log.record(1)
    newest = log.seals.seal()
    with pytest.raises(Unproven):
        opened_checkpoint(newest.note, [first])
    assert opened_checkpoint(newest.note, trusted_by([first], [tie])).size == 5
    check_receipt(log.seals.receipt(1), log.entries()[0], [second])
    log.check()


def test_the_last_checkpoint_of_a_key_is_shown_with_both_signatures(log: Log) -> None:
    """So that who knows only the new key need not wait for the next event."""
    log.record(3)
    alone = log.seals.seal()
    second = log.seals.rotate(SECOND)
    both = log.seals.latest()
    assert both == log.seals.covering(3) == log.seals.at(3)
    assert both is not None
    assert both.note.startswith(alone.note)
    assert opened_checkpoint(both.note, [second]).root == alone.root
    assert log.seals.seal() == both


def test_keys_follow_one_another_however_often(log: Log) -> None:
    """Also twice at one checkpoint; ties lead through all of them, newest first."""
    log.record(1)
    for secret in (SECOND, THIRD):
        log.seals.rotate(secret)
    log.record(1)
    log.seals.rotate(bytes(32))
    keys, ties = log.seals.keys(), log.seals.ties()
    assert (len(keys), len(ties)) == (4, 3)
    for new, old, tie in zip(keys[:-1], keys[1:], ties, strict=True):
        assert opened(tie, [new]).signed_by == (new,)
        assert opened(tie, [old]).signed_by == (old,)
    assert set(trusted_by([keys[-1]], ties)) == set(keys)
    assert opened_checkpoint(log.seals.at(1).note, [keys[1]]).size == 1
    log.check()


def test_the_old_secret_is_gone_from_the_file(log: Log) -> None:
    """Only the new one is left, for its owner alone."""
    log.seals.seal()
    log.seals.rotate(SECOND)
    assert log.keys.path.read_text(encoding="utf-8") == key(SECOND) + "\n"
    assert stat.S_IMODE(log.keys.path.stat().st_mode) == 0o600
    assert [path.name for path in log.keys.path.parent.glob("*key*")] == ["checkpoint.key"]


def test_a_key_from_the_environment_is_not_changed_by_a_command(log: Log) -> None:
    """No command can write there; it says how to go about it."""
    given = Seals(log.store, KeyFile(log.keys.path, key(FIRST)))
    given.seal()
    with pytest.raises(KeyIsGiven, match="unset the variable"):
        given.rotate(SECOND)
    assert len(log.seals.keys()) == 1


# --- a machine that dies while it rotates -----------------------------------------------------


def test_who_dies_before_the_log_knows_the_new_key_goes_on_with_the_old_one(log: Log) -> None:
    """The new one lies beside and is nobody's; the next rotation writes over it."""
    log.seals.seal()
    log.keys.prepare(named_key(SECOND, log_name=NAME, address=None))
    log.record(1)
    assert opened_checkpoint(log.seals.seal().note, log.seals.keys()).size == 1
    third = log.seals.rotate(THIRD)
    assert log.seals.keys()[0] == third
    log.record(1)
    assert opened_checkpoint(log.seals.seal().note, [third]).size == 2


def test_who_dies_before_the_new_key_has_its_place_goes_on_with_the_new_one(log: Log) -> None:
    """The next sealer finds it beside, and puts it where it belongs."""
    log.seals.seal()
    second = log.seals.rotate(SECOND)
    log.keys.path.replace(log.keys.beside)
    for old_is_there in (True, False):
        if old_is_there:
            log.keys.path.write_text(key(FIRST), encoding="utf-8")
            log.keys.path.chmod(0o600)
        log.record(1)
        assert opened_checkpoint(log.seals.seal().note, [second]).origin == NAME
        assert log.keys.path.read_text(encoding="utf-8") == key(SECOND) + "\n"
        assert not log.keys.beside.exists()
        log.keys.path.replace(log.keys.beside)


def test_two_rotations_do_not_lose_a_key_to_one_another(log: Log) -> None:
    """The second begins before the first has put its key in its place."""
    log.seals.seal()
    log.seals.rotate(SECOND)
    log.keys.path.replace(log.keys.beside)
    third = log.seals.rotate(THIRD)
    log.record(1)
    assert opened_checkpoint(log.seals.seal().note, [third]).size == 1
    assert len(log.seals.keys()) == 3
    log.check()
