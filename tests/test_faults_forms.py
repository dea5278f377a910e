"""A form whose sender never heard of it is sent again, perhaps by several at once: one report."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from threading import Barrier

import attrs
import pytest

from ledger.values import Digest
from projections.review.queue import reports
from tests.web.orchard import BIRCH, NOW, Hand, planted
from web.private import reporters
from web.reporting.filing import (
    Posted,
    file_report,
    number_of_letter,
    open_for,
    sent_before,
    words_digests,
)
from web.reporting.filled import Filled
from web.settings import Settings
from web.wiring import Workspace, open_workspace

AT_ONCE = 6
FORM = Posted(typed={"words": "It says 72.9."}, sender="browser", once="form", received_at=NOW)
FILLED = Filled(target=f"claims/{BIRCH}", reason="wrong-value", words="It says 72.9.")


@pytest.fixture(params=["sqlite", "postgres"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """The orchard on each engine."""
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    found = Settings(home=tmp_path / "home", database_url=url)
    with planted(found):
        return found


def filed(workspace: Workspace, secret: str) -> int:
    """The one report that came of the form; the letter leads to it, and its words are kept."""
    workspace.catch_up()
    with workspace.views.read() as reader:
        (number,) = [one.number for one in reports(reader) if one.received_at == NOW]
    letter = reporters.letter_of(workspace.private, secret)
    assert letter is not None
    assert number_of_letter(workspace, letter) == number
    (words,) = words_digests(workspace, number)
    assert workspace.private.verify(Digest(words)) is True
    return number


def test_a_letter_that_a_crash_left_without_a_report_is_filed_when_it_comes_again(
    settings: Settings,
) -> None:
    """It was received when it came first; once it is filed, it is answered from what is there."""
    later = attrs.evolve(FORM, received_at=NOW + timedelta(minutes=5))
    with closing(open_workspace(settings, clock=Hand(NOW + timedelta(hours=1)))) as workspace:
        open_for(workspace, FORM, FILLED)
        assert sent_before(workspace, later) is None
        secret = file_report(workspace, later, FILLED)
        number = filed(workspace, secret)
        assert sent_before(workspace, later) == secret == file_report(workspace, later, FILLED)
        assert filed(workspace, secret) == number


def test_the_same_form_from_several_at_once_is_one_report(settings: Settings) -> None:
    """Several processes, each with the ledger open for itself, and all begin at one moment."""
    start = Barrier(AT_ONCE)

    def send(_: int) -> str:
        with closing(open_workspace(settings, clock=Hand(NOW))) as workspace:
            start.wait(60)
            return file_report(workspace, FORM, FILLED)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        secrets = set(pool.map(send, range(AT_ONCE)))
    (secret,) = secrets
    with closing(open_workspace(settings, clock=Hand(NOW))) as workspace:
        filed(workspace, secret)
