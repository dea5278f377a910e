"""Whole leaderboards through the readers of their own formats: the same boards as their files.

``tests/test_histories.py`` reads the files by itself and is the measure; here the same versions go
through the formats, as the import does it, into a real ledger.
"""

from datetime import UTC, datetime
from pathlib import Path

import attrs
import pytest

from ledger.importing.formats.aider import AIDER
from ledger.importing.formats.evalplus import EVALPLUS
from ledger.importing.formats.format import Asked, Candidate, Format
from ledger.importing.formats.rows import Metrics
from ledger.importing.formats.sheets import board_of
from ledger.importing.snapshot import BoardImporter
from tests.playing import Game, games
from tests.test_histories import SHARED, TARGET, Imported, Version, versions_of

FORMATS: dict[str, Format] = {"aider-polyglot": AIDER, "evalplus": EVALPLUS}
AFTER_ALL = datetime(2026, 6, 1, tzinfo=UTC)


def in_our_words(version: Version) -> Version:
    """What a version says, its metrics called as the formats call them."""
    says = {(key, metric.replace("_", "-")): one for (key, metric), one in version.says.items()}
    return attrs.evolve(
        version, metrics=tuple(metric.replace("_", "-") for metric in version.metrics), says=says
    )


def take(game: Game, importer: BoardImporter, form: Format, path: Path) -> int:
    """Import one file as the command does; give how many facts about claims came of it."""
    asked = Asked(source=TARGET.source, benchmark=TARGET.benchmark, now=game.clock())
    file = Candidate.at(path)
    (sheet,) = form.sheets(file, asked)
    known = game.home.ledger.facts(f"benchmark:{TARGET.benchmark}")
    read, target = board_of(sheet, file, asked, Metrics.of(known), form=form.name)
    assert not read.refused
    receipt = importer.read(read, target)
    return sum(receipt.counts[kind] for kind in ("recorded", "restated", "delisted", "relisted"))


@pytest.mark.parametrize("name", list(FORMATS))
def test_a_history_through_its_own_format_shows_what_its_files_say(name: str) -> None:
    """Keys, names and digits, of every second version; a second import finds nothing new."""
    versions = [in_our_words(one) for one in versions_of(name)[::2]]
    with games() as game:
        game.clock.now = AFTER_ALL
        importer = game.home.importer()
        for version in versions:
            take(game, importer, FORMATS[name], SHARED / name / version.file)
        game.home.follower.catch_up()
        history = Imported(versions, game)
        for version in versions[::3]:
            assert history.shown(version.read_at) == version.says, version.file
        head = game.home.store.head()
        for version in versions[:3]:
            assert take(game, importer, FORMATS[name], SHARED / name / version.file) == 0
        assert game.home.store.head() == head
