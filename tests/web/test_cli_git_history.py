"""Histories in git through the command: every version of a file, as it was read at its commit."""

from collections.abc import Mapping
from pathlib import Path

import attrs
import orjson
import pytest

from ledger.values import Slug, short_instant
from projections.board.boards import board_at
from tests.ledger.formats.test_whole_histories import in_our_words
from tests.ledger.repositories import Commit, repository
from tests.test_histories import Shown, Version, versions_of
from tests.web.corrigenda import Corrigenda, opened
from web.wiring import Workspace


def shown(workspace: Workspace, version: Version) -> Shown:
    """All boards as read at the instant of a version."""
    found: Shown = {}
    moment = workspace.moment(as_read_on=short_instant(version.read_at))
    with workspace.views.read() as reader:
        for metric in version.metrics:
            board = board_at(reader, Slug("history"), moment, metric=metric, every_claim=True)
            for row in board.rows:
                found[row.key, row.metric] = (row.as_written, str(row.score))
    return found


def committed(folder: Path, versions: list[Version], path: str) -> Path:
    """A repository with these versions of one file, and one that breaks off among them."""
    commits = [Commit(at=int(one.read_at.timestamp()), files={path: one.data}) for one in versions]
    broken = attrs.evolve(commits[1], files={path: versions[1].data[:-9] + b'"\xff'})
    return repository(folder, [*commits[:1], broken, *commits[1:]])


GIT: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "aider-polyglot": ("_data/polyglot.yml", ()),
    "evalplus": ("results.json", ("--as", "evalplus")),
    "herons": ("data/herons.csv", ("--mapping", "herons.yaml")),
}
HERONS_MAPPING = """\
mapping: corrigenda-mapping/1
whole: true
model: model
key: key
metrics:
  - {column: pass, unit: "%"}
  - {column: speed, unit: "%"}
"""


@pytest.mark.parametrize("name", list(GIT))
def test_a_history_in_git_shows_what_its_files_say(
    corrigenda: Corrigenda, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Keys, names and digits at every fifth commit; the broken one is skipped, and said."""
    path, words = GIT[name]
    (tmp_path / "herons.yaml").write_text(HERONS_MAPPING)
    monkeypatch.chdir(tmp_path)
    versions = [in_our_words(one) for one in versions_of(name)]
    last_of_second = {one.read_at.replace(microsecond=0): one for one in versions}
    repo = committed(tmp_path / "repo", versions, path)
    about = ("--source", "board", "--benchmark", "history")
    git = ("import", "--format", "git-history", "--path", path, *words, *about, str(repo))
    result = corrigenda.run(*git, "--json")
    assert result.exit_code == 0, result.output
    entries = orjson.loads(result.stdout)["files"]
    assert [entry["file"].partition("@")[0] for entry in entries] == [path] * (len(versions) + 1)
    (skipped,) = [entry for entry in entries if entry.get("skipped")]
    assert skipped is entries[1]
    assert f"Skipped {skipped['file']}" in result.stderr
    assert not any(entry["refused"] for entry in entries)
    with opened(corrigenda) as workspace:
        for at, version in list(last_of_second.items())[::-5]:
            assert shown(workspace, attrs.evolve(version, read_at=at)) == version.says, at
    before = corrigenda.json("events")
    again = orjson.loads(corrigenda.run(*git, "--json").stdout)["files"]
    assert all(entry.get("known_already") or entry.get("skipped") for entry in again)
    assert corrigenda.json("events") == before


def test_a_history_of_which_nothing_can_be_read_is_refused(
    corrigenda: Corrigenda, tmp_path: Path
) -> None:
    """To skip all of it would be to import nothing in silence."""
    repo = repository(tmp_path / "r", [Commit(at=1_700_000_000, files={"b.yml": b"{"})])
    git = ("import", "--format", "git-history", "--path", "b.yml", str(repo))
    assert "b.yml" in corrigenda.refused(*git)


def test_snapshots_in_git_need_to_know_what_they_are_about(
    corrigenda: Corrigenda, tmp_path: Path
) -> None:
    """As snapshots in files do; and commits are read at their own instants."""
    repo = repository(
        tmp_path / "r",
        [
            Commit(at=1_700_000_000, files={"b.csv": b"model,score\nHeron-7B,1\n"}),
            Commit(at=1_700_000_000, files={"b.csv": b"model,score\nHeron-7B,2\n"}),
        ],
    )
    git = ("import", "--format", "git-history", "--path", "b.csv", str(repo))
    assert "--source SLUG" in corrigenda.refused(*git)
    entries = corrigenda.json(*git, "--source", "s", "--benchmark", "b")["files"]
    assert [entry["read_at"] for entry in entries] == ["2023-11-14T22:13:20Z"] * 2
    assert corrigenda.json("board", "b")["rows"][0]["score"] == "2"
