"""Verifying a home: what is remembered of it, what is printed, and how it ends."""

import shutil
import tempfile
from pathlib import Path

import pytest

from ledger.verifying.verdict import MOST, Verdict
from tests.web.corrigenda import Corrigenda
from tests.web.tampered import ABOUT, Tampered, reading
from web.remembering import Memory
from web.settings import Settings
from web.verifying.home import opened, verify_home
from web.verifying.means import Means
from web.wiring import utc_now

QUICK = "--skip-read-model"


def more(tampered: Tampered) -> None:
    """Let the ledger go on."""
    file = tampered.readings / "2025-03-01T191510Z.csv"
    file.write_text(reading(2), encoding="utf-8")
    tampered.corrigenda.done("import", *ABOUT, str(file))


def copied(tampered: Tampered) -> Path:
    """A backup of the home as it is."""
    return Path(shutil.copytree(tampered.home, tampered.home.parent / "backup"))


def put_back(tampered: Tampered, backup: Path) -> None:
    """Put the backup in the place of the home."""
    shutil.rmtree(tampered.home)
    shutil.copytree(backup, tampered.home)


# --- what is remembered -----------------------------------------------------------------------


def test_a_ledger_that_was_put_back_to_an_earlier_day_is_found_out(tampered: Tampered) -> None:
    """All of it holds by itself, but it had more leaves when it was seen last."""
    backup = copied(tampered)
    more(tampered)
    assert tampered.wrong(QUICK) == []
    put_back(tampered, backup)
    head = 410
    found = tampered.verify(QUICK)["findings"]
    assert [one["kind"] for one in found] == ["events-cut-off", "checkpoint-missing"]
    assert (found[0]["expected"], found[0]["found"]) == (str(head), "308")
    assert found[1]["place"] == {"size": head}


def test_a_ledger_that_went_another_way_is_found_out(tampered: Tampered) -> None:
    """Put back and then recorded in otherwise: two histories, both signed."""
    backup = copied(tampered)
    more(tampered)
    assert tampered.wrong(QUICK) == []
    put_back(tampered, backup)
    more(tampered)
    told = tampered.verify(QUICK)
    (found,) = told["findings"]
    assert (found["kind"], found["place"]) == ("checkpoint-forked", {"size": 410, "since": 308})
    (kept,) = told["notes"]
    both = Path(kept.removeprefix("both checkpoints are kept in ")).read_text()
    assert both.count("\n410\n") == 2


def test_what_was_seen_is_not_forgotten_for_a_home_that_does_not_hold(tampered: Tampered) -> None:
    """The memory goes on only from what holds, and never back."""
    assert tampered.wrong(QUICK) == []
    (file,) = (tampered.corrigenda.state / "corrigenda" / "seen").glob("*.json")
    before = file.read_text()
    tampered.alter("DELETE FROM events WHERE rowid > 100")
    assert tampered.wrong(QUICK)
    assert file.read_text() == before


def test_another_ledger_in_the_place_of_a_home_is_found_out(tampered: Tampered) -> None:
    """By the name of its log, whatever it holds."""
    assert tampered.wrong(QUICK) == []
    shutil.rmtree(tampered.home)
    tampered.corrigenda.done("init")
    assert [kind for kind, _ in tampered.wrong(QUICK)] == ["log-renamed"]


def test_a_home_that_was_moved_is_still_known(tampered: Tampered) -> None:
    """A log is known by its name."""
    more(tampered)
    assert tampered.wrong(QUICK) == []
    moved = tampered.home.parent / "moved"
    tampered.home.rename(moved)
    assert tampered.wrong(str(moved), QUICK) == []
    backup = Tampered(Corrigenda(moved), tampered.readings)
    backup.alter("DELETE FROM events WHERE rowid > 100", "DELETE FROM log_checkpoints WHERE size")
    found = [kind for kind, _ in backup.wrong(QUICK)]
    assert "events-cut-off" in found


def test_a_memory_that_cannot_be_read_is_refused(tampered: Tampered) -> None:
    """It says which file it is, and what it costs to move it away."""
    assert tampered.wrong(QUICK) == []
    (file,) = (tampered.corrigenda.state / "corrigenda" / "seen").glob("*.json")
    file.write_text(file.read_text().replace("308", "309"))
    said = tampered.corrigenda.refused("verify")
    assert str(file) in said
    assert "Move the file away" in said


# --- keys and options -------------------------------------------------------------------------


def test_a_home_is_held_against_the_key_that_is_given(tampered: Tampered) -> None:
    """Any of its keys will do, also one before the last; another log's will not."""
    key = tampered.corrigenda.done("key", "show").strip()
    tampered.corrigenda.done("key", "rotate")
    assert tampered.wrong(QUICK, "--key", key) == []
    other = Corrigenda(tampered.home.parent / "other")
    other.done("init")
    stranger = other.done("key", "show").strip()
    (found,) = tampered.verify(QUICK, "--key", stranger)["findings"]
    assert (found["kind"], found["expected"]) == ("key-unknown", stranger)


def test_a_key_that_was_copied_wrongly_is_refused(tampered: Tampered) -> None:
    """Before anything is looked at."""
    key = tampered.corrigenda.done("key", "show").strip()
    assert "copied wrongly" in tampered.corrigenda.refused("verify", "--key", f"x{key}")


def test_findings_are_lines_and_the_rest_stands_beside(tampered: Tampered) -> None:
    """On standard output what is wrong, with what to do; on standard error how it ended."""
    tampered.alter("UPDATE events SET topic = 'lab-registered/1' WHERE rowid IN (3, 4)")
    result = tampered.corrigenda.run("verify", QUICK)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["event-misfiled"] * 2
    assert lines[0].startswith(
        "event-misfiled: the row at position 3 says type lab-registered/1, its bytes say"
        " model-registered/1. Compare with a backup"
    )
    assert "does not hold (308 events" in result.stderr


def test_what_holds_says_how_much_was_looked_at(tampered: Tampered) -> None:
    """One line, and status 0."""
    said = tampered.corrigenda.done("verify", str(tampered.home))
    assert said.startswith(f"All of {tampered.home} holds (308 events, 205 streams, 1 bundles, 4 ")


def test_many_findings_of_a_kind_are_counted(tampered: Tampered) -> None:
    """The first of them are shown."""
    tampered.alter("UPDATE events SET topic = 'lab-registered/1' WHERE rowid > 50")
    found = tampered.verify(QUICK)
    assert len(found["findings"]) == MOST
    assert found["more"] == {"event-misfiled": 308 - 50 - MOST}
    shown = tampered.corrigenda.run("verify", QUICK).stdout
    assert f"event-misfiled: and {308 - 50 - MOST} more of this kind." in shown


def test_a_place_without_a_ledger_is_refused(tampered: Tampered) -> None:
    """Nothing is made there, of which all would hold."""
    (tampered.home / "ledger.db").unlink()
    assert "bring ledger.db back" in tampered.corrigenda.refused("verify")
    assert not (tampered.home / "ledger.db").exists()
    assert "corrigenda init" in tampered.corrigenda.refused("verify", str(tampered.readings))
    assert "cannot be read" in tampered.corrigenda.refused("verify", "no/such/file")


def test_events_that_are_not_sealed_yet_are_told_of(tampered: Tampered) -> None:
    """As a process that died before it sealed leaves some; they are no finding."""
    tampered.alter("DELETE FROM log_checkpoints WHERE size = 308")
    found = tampered.verify(QUICK)
    assert found["holds"] is True
    assert found["notes"] == ["1 events are under no checkpoint yet"]


def test_a_check_that_is_stopped_leaves_nothing_behind(
    tampered: Tampered, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder in which events are folded goes, wherever the check was."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    seen: list[str] = []

    def stop(doing: str, done: int, total: int | None) -> None:
        assert total is None or total > 0
        seen.append(f"{doing} {len(list(place.iterdir()))}")
        if doing == "Comparing the read model" and done == 3:
            raise KeyboardInterrupt

    means = Means(memory=Memory(tmp_path / "seen"), clock=utc_now, below=lambda _: 0)
    with pytest.raises(KeyboardInterrupt), opened(Settings(home=tampered.home)) as home:
        verify_home(home, Verdict("it", "home"), means, watcher=stop)
    assert seen[-1] == "Comparing the read model 1"
    assert list(place.iterdir()) == []
    assert not (tmp_path / "seen").exists()
