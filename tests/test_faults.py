"""A real process is killed at a commit point, and starts again: nothing is lost, nothing twice.

``make faults`` does it at every point and on both engines; here some of each kind are tried.
"""

import re
from pathlib import Path

import attrs
import pytest

from benchmarks.dying import ACTS, Act
from benchmarks.faults import Databases, Engine, Files, rounds
from ledger import faults
from tests.web.corrigenda import Corrigenda

CODE = Path(__file__).parents[1]
FOLDERS = ("ledger", "projections", "reports", "web")
POINT = re.compile(r'faults\.here\("([a-z:-]+)"\)')
SOME = {
    "importing": ("import:archived@2", "append:written@2"),
    "reporting": ("file:opened",),
    "joining": ("join:opened",),
    "rescuing": ("rescue:taken", "rescue:filed"),
    "deciding": ("append:committed",),
}
ON_BOTH = ("joining", "rescuing")
"""What goes back and forth between the two stores, of which each engine commits in its own way."""


def some_of(act: Act) -> Act:
    """An act with the few points that there is time for."""
    return attrs.evolve(act, points=SOME[act.name])


@pytest.fixture
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Engine:
    """Where ledgers are made."""
    if request.param == "sqlite":
        return Files(tmp_path)
    return Databases(Files(tmp_path), request.getfixturevalue("postgres_server"))


@pytest.mark.parametrize(
    ("engine", "act"),
    [
        pytest.param(engine, some_of(act), id=f"{act.name}-{engine}")
        for act in ACTS
        if act.name in SOME
        for engine in (("sqlite", "postgres") if act.name in ON_BOTH else ("sqlite",))
    ],
    indirect=["engine"],
)
def test_a_process_killed_at_a_commit_point_loses_nothing(engine: Engine, act: Act) -> None:
    """What was recorded before is there byte for byte; done again, the deed is done once; every
    check holds."""
    done = list(rounds(engine, [act]))
    assert [one.point for one in done if one.holds] == list(act.points), done


def test_every_commit_point_in_the_code_is_died_at() -> None:
    """A point that is added to the code has to be added to an act, or nobody tries it."""
    in_code = {
        point
        for folder in FOLDERS
        for file in (CODE / folder).rglob("*.py")
        for point in POINT.findall(file.read_text(encoding="utf-8"))
    }
    tried = {point.partition("@")[0] for act in ACTS for point in act.points}
    assert in_code == tried


def test_a_server_refuses_to_start_where_it_was_told_to_die(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A variable that somebody left set must not kill a public server; it says which one."""
    corrigenda = Corrigenda(tmp_path / "home")
    corrigenda.done("init")
    monkeypatch.setenv(faults.VARIABLE, "decide:recorded")
    assert "CORRIGENDA_DIE_AT is set (decide:recorded)" in corrigenda.refused("serve")
    monkeypatch.setenv(faults.ALLOWING, "yes")
    faults.must_not_be_told()


def test_without_being_told_to_die_nobody_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither where nothing is set, nor at another point, nor before its turn."""
    for told in (None, "seal:signed", "seal:committed@1000"):
        if told is None:
            monkeypatch.delenv(faults.VARIABLE, raising=False)
        else:
            monkeypatch.setenv(faults.VARIABLE, told)
        faults.here("seal:committed")
