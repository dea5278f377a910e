"""Every version of a file on the main line of a repository, in order, and nothing else of it."""

import os
import shutil
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import attrs
import pytest

from ledger.errors import BadValue, FileRefused
from ledger.importing.formats.turns import instant_in
from ledger.importing.git_history import (
    NoRepository,
    NotOnMainLine,
    Repository,
    Version,
)
from ledger.importing.limits import MOST_BYTES
from tests.ledger.repositories import Commit, repository, run

NOON = 1_738_929_600
"""7 February 2025, 12:00Z."""
BOARD = b"model,score\nHeron-7B,%d\nIbis-13B,60\nLoon-3B,33\nPlover,40\nEgret,55\n"


def said(found: list[Version], of: Repository) -> list[bytes]:
    return [of.data(one) for one in found if one.blob is not None]


def test_versions_come_oldest_first_at_their_commits_in_utc(tmp_path: Path) -> None:
    """Whatever zone the committer was in; commits that leave the file alone are none."""
    folder = repository(
        tmp_path / "r",
        [
            Commit(at=NOON, files={"data/b.csv": BOARD % 1}, offset="+0530"),
            Commit(at=NOON + 5, files={"other.txt": b"x"}),
            Commit(at=NOON + 60, files={"data/b.csv": BOARD % 2}, offset="-0800"),
        ],
    )
    of = Repository(folder)
    found = of.versions("data/b.csv")
    assert [one.read_at for one in found] == [
        datetime(2025, 2, 7, 12, tzinfo=UTC),
        datetime(2025, 2, 7, 12, 1, tzinfo=UTC),
    ]
    assert said(found, of) == [BOARD % 1, BOARD % 2]
    assert {one.order for one in found} == {""}
    head = run(folder, "rev-parse", "HEAD").strip()
    assert (found[-1].commit, found[-1].file) == (head, f"data/b.csv@{head}")
    assert (found[-1].name, found[-1].folders) == ("b.csv", ("data",))


def test_versions_of_one_instant_are_told_apart_by_their_order(tmp_path: Path) -> None:
    """The first has none, so that a later commit of the same second changes no order before it."""
    commits = [Commit(at=NOON, files={"b.csv": BOARD % n}) for n in range(3)]
    of = Repository(repository(tmp_path / "r", [*commits, Commit(at=NOON + 1, gone=["b.csv"])]))
    assert [(one.order, one.blob is None) for one in of.versions("b.csv")] == [
        ("", False),
        ("002", False),
        ("003", False),
        ("", True),
    ]


def test_a_clock_that_goes_back_stands_still(tmp_path: Path) -> None:
    """The order of the line counts; what the last commit says is what holds."""
    times = [NOON, NOON - 3600, NOON - 60, NOON + 1]
    commits = [Commit(at=at, files={"b.csv": BOARD % n}) for n, at in enumerate(times)]
    found = Repository(repository(tmp_path / "r", commits)).versions("b.csv")
    assert [one.is_late for one in found] == [False, True, True, False]
    turns = [(one.read_at, one.order) for one in found]
    assert turns == sorted(set(turns))


def test_a_renamed_file_is_followed(tmp_path: Path) -> None:
    """Through two names, once with a change at the same time; each version has its own name."""
    folder = repository(
        tmp_path / "r",
        [
            Commit(at=NOON, files={"old.csv": BOARD % 1}),
            Commit(at=NOON + 1, files={"old.csv": BOARD % 2, "unlike.txt": b"nothing"}),
            Commit(at=NOON + 2, moves={"old.csv": "data/new.csv"}),
            Commit(at=NOON + 3, gone=["data/new.csv"], files={"data/newest.csv": BOARD % 3}),
        ],
    )
    of = Repository(folder)
    found = of.versions("data/newest.csv")
    assert [one.path for one in found] == [
        "old.csv",
        "old.csv",
        "data/new.csv",
        "data/newest.csv",
    ]
    assert said(found, of) == [BOARD % n for n in (1, 2, 2, 3)]


def test_a_file_that_went_and_came_back_is_one_history(tmp_path: Path) -> None:
    """The commit that took it away is listed, and has no bytes."""
    of = Repository(
        repository(
            tmp_path / "r",
            [
                Commit(at=NOON, files={"b.csv": BOARD % 1}),
                Commit(at=NOON + 1, gone=["b.csv"]),
                Commit(at=NOON + 2, files={"b.csv": BOARD % 2}),
            ],
        )
    )
    found = of.versions("b.csv")
    assert [one.blob is None for one in found] == [False, True, False]
    with pytest.raises(FileRefused, match="took the file away"):
        of.data(found[1])


def test_only_the_main_line_counts(tmp_path: Path) -> None:
    """What a branch went through is not what the board said; what its merge brought is."""
    of = Repository(
        repository(
            tmp_path / "r",
            [
                Commit(at=NOON, files={"b.csv": BOARD % 1}),
                Commit(at=NOON + 1, files={"b.csv": BOARD % 2}, branch="side", starts_from="main"),
                Commit(at=NOON + 2, files={"b.csv": BOARD % 3}, branch="side"),
                Commit(at=NOON + 9, files={"b.csv": BOARD % 3}, merges="side"),
            ],
        )
    )
    assert said(of.versions("b.csv"), of) == [BOARD % 1, BOARD % 3]


@pytest.mark.parametrize(
    "path", ["", "/etc/passwd", "../b.csv", "a/../b.csv", "a//b.csv", "b\n.csv", "b\\.csv"]
)
def test_what_is_no_path_in_a_repository_is_refused(tmp_path: Path, path: str) -> None:
    """Before git is asked."""
    folder = repository(tmp_path / "r", [Commit(at=NOON, files={"b.csv": b"x"})])
    with pytest.raises(BadValue):
        Repository(folder).versions(path)


@pytest.mark.parametrize("path", ["*.csv", ":(glob)**", "-b.csv", "--output=made.txt", "HEAD"])
def test_a_path_is_a_name_and_neither_a_pattern_nor_an_option(tmp_path: Path, path: str) -> None:
    """It is in the repository under this very name, or it is not."""
    folder = repository(tmp_path / "r", [Commit(at=NOON, files={"b.csv": b"x"})])
    with pytest.raises(NotOnMainLine):
        Repository(folder).versions(path)
    assert not (folder / "made.txt").exists()
    there = repository(tmp_path / "s", [Commit(at=NOON, files={path: b"x"})])
    assert len(Repository(there).versions(path)) == 1


def test_a_folder_in_a_repository_is_not_that_repository(tmp_path: Path) -> None:
    """What lies around it is somebody else's."""
    outer = tmp_path / "outer"
    outer.mkdir()
    run(outer, "init", "-q")
    inner = outer / "inner"
    inner.mkdir()
    with pytest.raises(NoRepository, match="not a git repository"):
        Repository(inner).versions("b.csv")


def test_nothing_that_a_repository_brings_along_is_run(tmp_path: Path) -> None:
    """Hooks, monitors, pagers, converters and signers of its own configuration stay untouched."""
    mark = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    program.chmod(0o755)
    bare = repository(
        tmp_path / "r",
        [
            Commit(at=NOON, files={"old.csv": BOARD % 1, ".gitattributes": b"*.csv diff=x\n"}),
            Commit(at=NOON + 1, moves={"old.csv": "b.csv"}),
        ],
        "[core]",
        f"fsmonitor = {program}",
        f"pager = {program}",
        f"sshCommand = {program}",
        f"hooksPath = {tmp_path}",
        f'[diff "x"]\ntextconv = {program}\ncommand = {program}',
        f"[diff]\nexternal = {program}",
        f"[gpg]\nprogram = {program}",
        "[log]\nshowSignature = true",
        f"[pager]\nrev-list = {program}\ncat-file = {program}\ndiff-tree = {program}",
    )
    of = Repository(bare)
    assert len(said(of.versions("b.csv"), of)) == 2
    assert not mark.exists()


@pytest.mark.parametrize(
    ("program", "why"),
    [("exec yes", "said more than"), ("exec sleep 60", "took more than"), (None, "does not run")],
)
def test_a_git_that_says_too_much_or_takes_too_long_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str | None, why: str
) -> None:
    """Nothing waits for it, and nothing that it says is believed; nor is one that is not there."""
    folder = repository(tmp_path / "r", [Commit(at=NOON, files={"b.csv": b"x"})])
    if program is not None:
        (tmp_path / "git").write_text(f"#!/bin/sh\nPATH=/usr/bin:/bin {program}\n")
        (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    if program == "exec sleep 60":
        monkeypatch.setattr("ledger.importing.git_history.TIMEOUT", 0.5)
    with pytest.raises(NoRepository, match=why):
        Repository(folder).versions("b.csv")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to somebody else")
def test_a_repository_of_somebody_else_is_read(tmp_path: Path) -> None:
    """Git alone would refuse it, lest it run what is in there; here nothing of it is run."""
    folder = repository(tmp_path / "r", [Commit(at=NOON, files={"b.csv": b"x"})])
    shutil.chown(folder, "nobody")
    assert len(Repository(folder).versions("b.csv")) == 1


def test_a_version_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    """Its size is asked for first."""
    of = Repository(repository(tmp_path / "r", [Commit(at=NOON, files={"b.csv": b"x"})]))
    (found,) = of.versions("b.csv")
    with pytest.raises(FileRefused, match="split it"):
        of.data(attrs.evolve(found, size=MOST_BYTES + 1))


def test_an_empty_repository_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    """Each with what is wrong."""
    empty = tmp_path / "empty"
    empty.mkdir()
    run(empty, "init", "-q")
    with pytest.raises(NoRepository):
        Repository(empty).versions("b.csv")
    folder = repository(tmp_path / "r", [Commit(at=NOON, files={"b.csv": b"x"})])
    with pytest.raises(NotOnMainLine, match=r"a\.csv"):
        Repository(folder).versions("a.csv")


def test_a_damaged_repository_is_refused(tmp_path: Path) -> None:
    """What git says of it is passed on."""
    folder = repository(tmp_path / "r", [Commit(at=NOON, files={"b.csv": b"x"})])
    shutil.rmtree(folder / "objects")
    (folder / "objects").mkdir()
    with pytest.raises(NoRepository):
        Repository(folder).versions("b.csv")


def test_the_made_up_history_is_the_same_out_of_git(tmp_path: Path) -> None:
    """Every version of ``tests/data/herons``, committed at the instant in its name."""
    herons = sorted((Path(__file__).parents[1] / "data" / "herons").glob("*.csv"))
    turns = [turn for one in herons if (turn := instant_in(one.name)) is not None]
    commits = [
        Commit(at=int(turn[0].timestamp()), files={"h.csv": one.read_bytes()})
        for one, turn in zip(herons, turns, strict=True)
    ]
    of = Repository(repository(tmp_path / "r", commits))
    found = of.versions("h.csv")
    assert said(found, of) == [one.read_bytes() for one in herons]
    assert [one.read_at for one in found] == [turn[0].replace(microsecond=0) for turn in turns]
    assert any(before.read_at == after.read_at for before, after in pairwise(found))
