"""A process dies while it takes in what never comes again: the next server makes it whole."""

from contextlib import closing
from datetime import timedelta

import attrs
import pytest

from ledger import events as ev
from tests.test_faults_taking_in import (
    FILLED,
    SAID,
    came_of,
    close,
    events_of,
    evidence_in,
    letter_of,
    on_both,
    settings,
)
from tests.web.orchard import NOW, Hand
from web.private import reporters
from web.reporting import filing, screening
from web.reporting.filing import Posted
from web.reporting.left_behind import SURELY_OVER, finish_letters
from web.reporting.screening import ONLY_LINKS
from web.settings import Settings
from web.wiring import Workspace, open_workspace

__all__ = ["settings"]

UNMARKED = Posted(typed={**SAID, "contact": "ada@example.org"}, received_at=NOW)
"""What a program sends without a key: nobody can tell it from another that says the same."""


def opened(settings: Settings, after: timedelta = timedelta(hours=1)) -> Workspace:
    """The ledger a while later, as the next process opens it."""
    return open_workspace(settings, clock=Hand(NOW + after))


@on_both
def test_a_letter_that_nobody_can_send_again_becomes_a_report(settings: Settings) -> None:
    """Of the time at which it came in, with its words and what it brought; once more changes
    nothing."""
    with closing(opened(settings)) as workspace:
        secret, letter, _ = filing.open_for(workspace, UNMARKED, FILLED)
    for _ in range(2):
        with closing(opened(settings)) as workspace:
            finish_letters(workspace)
            (number,) = came_of(workspace)
            assert letter_of(workspace, secret).number == number
            filed = [(ev.ReportFiled, letter.handle), (ev.EvidenceAdded, letter.handle)]
            assert events_of(workspace, number) == filed
            assert evidence_in(workspace, number) == list(FILLED.addresses)
            (words,) = filing.words_digests(workspace, number)
            assert workspace.private.words(words) == FILLED.words.encode()
            assert reporters.contact_of(workspace.private, number) == FILLED.contact


def test_what_somebody_may_be_at_still_is_left_alone(settings: Settings) -> None:
    """Until it is older than any request takes."""
    with closing(opened(settings, SURELY_OVER)) as workspace:
        filing.open_for(workspace, UNMARKED, FILLED)
        finish_letters(workspace)
        assert came_of(workspace) == []
    with closing(opened(settings, SURELY_OVER + timedelta(seconds=1))) as workspace:
        finish_letters(workspace)
        assert len(came_of(workspace)) == 1


def test_what_a_filed_report_lacks_is_added(settings: Settings) -> None:
    """The process died between the report and its evidence."""
    with closing(opened(settings)) as workspace:
        secret, letter, _ = filing.open_for(workspace, UNMARKED, FILLED)
        workspace.ledger.do(FILLED.order(2, None, NOW), letter.handle)
    with closing(opened(settings)) as workspace:
        finish_letters(workspace)
        assert came_of(workspace) == [2]
        assert letter_of(workspace, secret).number == 2
        assert evidence_in(workspace, 2) == list(FILLED.addresses)


def test_what_a_joined_report_lacks_is_added_while_it_is_open(settings: Settings) -> None:
    """Its words and its addresses; of one that was closed nothing changes any more."""
    late = attrs.evolve(UNMARKED, received_at=NOW + timedelta(seconds=1))
    with closing(opened(settings)) as workspace:
        filing.file_report(workspace, UNMARKED, FILLED)
        (number,) = came_of(workspace)
        filing.open_for(workspace, late, FILLED, join_to=number)
        finish_letters(workspace)
        said = sorted([*FILLED.addresses * 2, FILLED.words])
        assert sorted(evidence_in(workspace, number)) == said
        filing.open_for(workspace, late, FILLED, join_to=number)
        close(workspace, number)
        finish_letters(workspace)
        assert sorted(evidence_in(workspace, number)) == said
        assert came_of(workspace) == [number]


def test_what_waits_apart_waits_on(settings: Settings) -> None:
    """It is no report, however old it is."""
    with closing(opened(settings)) as workspace:
        screening.set_apart(workspace, UNMARKED, ONLY_LINKS, FILLED)
        finish_letters(workspace)
        assert came_of(workspace) == []


def test_one_that_is_refused_stops_no_other(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    """It is said in the log, without what it says."""
    with closing(opened(settings)) as workspace:
        filing.open_for(workspace, attrs.evolve(UNMARKED, by="Not A Handle"), FILLED)
        other = attrs.evolve(UNMARKED, received_at=NOW + timedelta(seconds=1))
        secret, _, _ = filing.open_for(workspace, other, FILLED)
        finish_letters(workspace)
        assert letter_of(workspace, secret).number is not None
    assert "could not be made whole" in caplog.text
    assert SAID["words"] not in caplog.text
