"""The log and its key on the command line: made by init, shown, changed, and never given away."""

import stat
from hashlib import sha256
from pathlib import Path

import pytest

from ledger.proof.note import opened_checkpoint, signing_key, verifier_key
from ledger.proof.receipt import check_receipt, receipt_in
from ledger.proof.trust import trusted_by
from tests.web.corrigenda import Corrigenda, Toy
from web.settings import Settings

FILE = ("report", "file", "--reason", "wrong-value", "--target")


def secret_in(corrigenda: Corrigenda) -> str:
    """What the key file holds."""
    return (corrigenda.home / "checkpoint.key").read_text(encoding="utf-8").strip()


def secret_part(key: str) -> str:
    """The base64 at the end of a key that signs, which may have a plus of its own."""
    return key.split("+", 4)[4]


# --- making one -------------------------------------------------------------------------------


def test_init_makes_a_key_for_its_owner_alone_and_keeps_the_one_that_is_there(
    corrigenda: Corrigenda,
) -> None:
    """Nothing that is printed shows it."""
    path = corrigenda.home / "checkpoint.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = secret_in(corrigenda)
    again = corrigenda.run("init")
    assert again.exit_code == 0
    assert secret_in(corrigenda) == before
    for words in (("key", "show"), ("key", "show", "--json"), ("doctor",), ("checkpoint",)):
        assert secret_part(before) not in corrigenda.run(*words).output


def test_a_log_is_named_by_the_settings_when_its_key_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And keeps that name: another setting is for another log, as the doctor says."""
    monkeypatch.setenv("CORRIGENDA_LOG_NAME", "log.example/corrections")
    corrigenda = Corrigenda(tmp_path / "home")
    corrigenda.done("init")
    assert corrigenda.json("key", "show")["origin"] == "log.example/corrections"
    monkeypatch.setenv("CORRIGENDA_LOG_NAME", "elsewhere.example")
    assert corrigenda.json("key", "show")["origin"] == "log.example/corrections"
    assert "CORRIGENDA_LOG_NAME, elsewhere.example, is for a new log" in corrigenda.done("doctor")


def test_a_log_is_named_after_the_address_of_its_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where that is known, and no name is given."""
    monkeypatch.setenv("CORRIGENDA_ADDRESS", "https://corrections.example.org")
    corrigenda = Corrigenda(tmp_path / "home")
    corrigenda.done("init")
    name = corrigenda.json("key", "show")["origin"]
    assert name == "corrections.example.org/corrections-log"


def test_a_name_that_will_not_do_is_refused_and_nothing_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says why."""
    monkeypatch.setenv("CORRIGENDA_LOG_NAME", "our log")
    corrigenda = Corrigenda(tmp_path / "home")
    assert "name of the log 'our log'" in corrigenda.refused("init")
    assert not (corrigenda.home / "checkpoint.key").exists()


# --- a home without one -----------------------------------------------------------------------


def test_a_home_without_a_key_works_and_the_doctor_says_what_to_do(
    toy: Toy, caplog: pytest.LogCaptureFixture
) -> None:
    """As one of an older release: init makes the key, and everything recorded so far is sealed."""
    key = toy.corrigenda.home / "checkpoint.key"
    before = toy.corrigenda.done("checkpoint")
    kept = key.read_bytes()
    key.unlink()
    assert len(toy.scores()) == 3
    assert not caplog.records
    toy.corrigenda.done(*FILE, f"claims/{toy.claim('Beta')}")
    ill = toy.corrigenda.run("doctor")
    assert ill.exit_code == 1
    assert "error   log: The log" in ill.stdout
    assert "there is none" in ill.stdout
    served = toy.corrigenda.run("checkpoint")
    assert (served.exit_code, served.stdout) == (0, before)
    assert "no key here to sign with" in served.stderr
    # It has signed: another key must not take its place unasked.
    toy.corrigenda.done("init")
    assert not key.exists()
    key.write_bytes(kept)
    key.chmod(0o600)
    assert toy.corrigenda.done("checkpoint") != before
    assert toy.corrigenda.run("doctor").exit_code == 0


def test_the_doctor_finds_a_key_that_others_may_read_or_that_is_another(
    corrigenda: Corrigenda, tmp_path: Path
) -> None:
    """Each with what to do, and without showing it."""
    path = corrigenda.home / "checkpoint.key"
    path.chmod(0o644)
    assert "chmod 600" in corrigenda.run("doctor").stdout
    other = Corrigenda(tmp_path / "other")
    other.done("init")
    path.chmod(0o600)
    path.write_text(secret_in(other), encoding="utf-8")
    said = corrigenda.run("doctor").stdout
    assert "error   log:" in said
    assert "no other key can go on with this log" in said
    assert secret_part(secret_in(other)) not in said


def test_a_command_that_records_says_when_nothing_could_be_sealed(
    toy: Toy, caplog: pytest.LogCaptureFixture
) -> None:
    """What was recorded is recorded, and the command is not refused for it."""
    (toy.corrigenda.home / "checkpoint.key").chmod(0o604)
    toy.corrigenda.done(*FILE, f"claims/{toy.claim('Beta')}")
    assert "nothing was sealed" in caplog.text
    assert "mode 0604" in caplog.text


def test_the_environment_may_give_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then none is made in the home, and the settings do not show it."""
    maker = Corrigenda(tmp_path / "maker")
    maker.done("init")
    given = secret_in(maker)
    monkeypatch.setenv("CORRIGENDA_SIGNING_KEY", given)
    corrigenda = Corrigenda(tmp_path / "home")
    corrigenda.done("init")
    assert not (corrigenda.home / "checkpoint.key").exists()
    assert corrigenda.done("key", "show").strip() == str(signing_key(given).verifier)
    assert "CORRIGENDA_SIGNING_KEY" in corrigenda.refused("key", "rotate")
    assert given not in repr(Settings.from_environment())
    monkeypatch.setenv("CORRIGENDA_SIGNING_KEY", "PRIVATE+KEY+nonsense")
    assert "nonsense" not in corrigenda.run("doctor").stdout.replace("home", "")


# --- changing it ------------------------------------------------------------------------------


def test_a_new_key_is_reached_from_the_old_one(toy: Toy) -> None:
    """By the tie that key show prints; the old secret is gone."""
    corrigenda = toy.corrigenda
    old, before = corrigenda.done("key", "show").strip(), secret_in(corrigenda)
    new = corrigenda.done("key", "rotate").strip()
    assert corrigenda.done("key", "show").split() == [new, old]
    assert signing_key(secret_in(corrigenda)).verifier == verifier_key(new)
    left = [path.read_bytes() for path in corrigenda.home.rglob("*") if path.is_file()]
    assert not any(before.encode() in one for one in left)
    shown = corrigenda.json("key", "show")
    trusted = trusted_by([verifier_key(old)], shown["ties"])
    assert trusted == (verifier_key(old), verifier_key(new))
    corrigenda.done(*FILE, f"claims/{toy.claim('Beta')}")
    found = opened_checkpoint(corrigenda.done("checkpoint"), trusted[1:])
    assert found.origin == shown["origin"]


# --- proving ----------------------------------------------------------------------------------


def test_prove_prints_a_receipt_that_verifies(toy: Toy) -> None:
    """To be kept as it is, and checked with the key and the event's bytes alone."""
    corrigenda = toy.corrigenda
    known = [verifier_key(corrigenda.done("key", "show").strip())]
    served = corrigenda.json("checkpoint")
    receipt = receipt_in(corrigenda.done("prove", "5"))
    told = corrigenda.json("prove", "5")
    checkpoint = check_receipt(receipt, bytes.fromhex(told["entry"]), known)
    assert checkpoint.size == served["size"] == told["under"]["size"]
    assert (told["position"], told["index"]) == (5, 4)
    assert len(bytes.fromhex(told["entry"])) == sha256().digest_size


def test_prove_since_prints_what_a_witness_takes(toy: Toy) -> None:
    """The old size, the proof, an empty line, the new checkpoint."""
    corrigenda = toy.corrigenda
    old = corrigenda.json("checkpoint")["size"]
    corrigenda.done(*FILE, f"claims/{toy.claim('Beta')}")
    new = corrigenda.done("checkpoint")
    head, _, checkpoint = corrigenda.done("prove", "--since", str(old)).partition("\n\n")
    assert checkpoint == new
    told = corrigenda.json("prove", "--since", str(old))
    assert head.split("\n") == [f"old {old}", *told["proof"]]
    assert (told["from"]["size"], told["to"]["size"]) == (old, old + 1)
    assert corrigenda.json("prove", "1", "--size", str(old))["under"]["size"] == old


def test_what_cannot_be_proved_is_refused(toy: Toy) -> None:
    """Nothing asked for, both at once, beyond the head, or of a size that was never signed."""
    corrigenda = toy.corrigenda
    size = corrigenda.json("checkpoint")["size"]
    assert "--since" in corrigenda.refused("prove")
    assert "--since" in corrigenda.refused("prove", "1", "--since", "1")
    assert "does not cover position" in corrigenda.refused("prove", str(size + 1))
    assert "no checkpoint of 3" in corrigenda.refused("prove", "1", "--size", "3")
    assert "no checkpoint of 3" in corrigenda.refused("prove", "--since", "3")
    assert corrigenda.run("prove", "0").exit_code == 2
