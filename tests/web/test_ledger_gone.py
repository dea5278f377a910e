"""A home that was in use and has no ledger any more."""

from pathlib import Path

import pytest

from tests.web.corrigenda import Toy


@pytest.mark.parametrize("words", [("init",), ("rebuild",), ("backup", "copy")])
def test_no_empty_ledger_takes_the_place_of_one_that_is_gone(
    toy: Toy, tmp_path: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would look well, and the next backups would be of it."""
    monkeypatch.chdir(tmp_path)
    ledger = toy.corrigenda.home / "ledger.db"
    away = ledger.rename(tmp_path / "away.db")
    assert "bring it back from a backup" in toy.corrigenda.refused(*words)
    assert not ledger.exists()
    assert not (tmp_path / "copy").exists()
    away.rename(ledger)
    toy.corrigenda.done("verify")
