"""A process dies while it takes a report in or rescues one: whoever comes next makes it whole."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from threading import Barrier

import attrs
import pytest

from ledger import commands as orders
from ledger import events as ev
from ledger.errors import ReportClosed
from ledger.report import stream_of
from ledger.vocabulary import WITHDRAWALS
from projections.review.queue import reports
from tests.web.orchard import BIRCH, NOW, Hand, planted
from tests.web.receivers import free_port
from web.app import create_app
from web.private import reporters, suspected, uploads
from web.private.alone import alone
from web.private.reporters import Letter
from web.private.store import PrivateBusy
from web.reporting import filing, screening
from web.reporting.filing import Posted
from web.reporting.filled import Filled
from web.reporting.screening import ONLY_LINKS
from web.settings import Settings
from web.wiring import Workspace, open_workspace

TARGET = f"claims/{BIRCH}"
SAID = {"target": TARGET, "reason": "wrong-value", "wish": "remark", "words": "It says 72.9."}
FORM = Posted(typed=SAID, sender="browser", once="form", received_at=NOW)
OTHER = attrs.evolve(FORM, sender="another browser")
FILLED = Filled(
    target=TARGET,
    reason="wrong-value",
    words="It says 72.9.",
    addresses=("https://example.org/table",),
    contact="ada@example.org",
)


on_both = pytest.mark.parametrize("settings", ["sqlite", "postgres"], indirect=True)


@pytest.fixture
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """The orchard; on PostgreSQL too where locks and commits are what counts."""
    engine = getattr(request, "param", "sqlite")
    url = request.getfixturevalue("postgres_url") if engine == "postgres" else None
    found = Settings(home=tmp_path / "home", database_url=url)
    with planted(found):
        return found


def opened(settings: Settings) -> Workspace:
    """The ledger an hour later, as the next process opens it."""
    return open_workspace(settings, clock=Hand(NOW + timedelta(hours=1)))


def apart(workspace: Workspace) -> Letter:
    """A post waits apart; its letter."""
    secret = screening.set_apart(workspace, FORM, ONLY_LINKS, FILLED)
    return letter_of(workspace, secret)


def letter_of(workspace: Workspace, secret: str) -> Letter:
    """The letter of a secret."""
    found = reporters.letter_of(workspace.private, secret)
    assert found is not None
    return found


def came_of(workspace: Workspace) -> list[int]:
    """The reports of this test, by number."""
    workspace.catch_up()
    with workspace.views.read() as reader:
        return [one.number for one in reports(reader) if one.received_at == NOW]


def events_of(workspace: Workspace, number: int) -> list[tuple[type, str]]:
    """What stands in a report's stream, and by whom."""
    stream = workspace.ledger.store.stream(stream_of(number))
    return [(type(one.event), one.envelope.recorded_by) for one in stream]


def evidence_in(workspace: Workspace, number: int) -> list[str]:
    """What a report's evidence says, in the order in which it was added."""
    found = (
        uploads.evidence(workspace.private, one) for one in filing.evidence_of(workspace, number)
    )
    return [one.content.decode() for one in found if one is not None]


def close(workspace: Workspace, number: int) -> None:
    """Its reporter takes a report back."""
    by = workspace.ledger.report(number).filed_by
    workspace.ledger.do(orders.WithdrawReport(number=number), by)


# --- rescuing ---------------------------------------------------------------------------------


@on_both
def test_the_next_process_makes_whole_what_a_dead_one_took(settings: Settings) -> None:
    """In the name of whoever took it; then nothing waits, and once more changes nothing."""
    with closing(opened(settings)) as workspace:
        letter = apart(workspace)
        suspected.take(workspace.private, letter.key, "reviewer")
        assert suspected.counts(workspace.private) == {"waiting": 1}
        assert [one.key for one in suspected.suspects(workspace.private)] == [letter.key]
    with closing(opened(settings)) as workspace:
        screening.finish_rescues(workspace)
        (number,) = came_of(workspace)
        whole = [
            (ev.ReportFiled, letter.handle),
            (ev.EvidenceAdded, letter.handle),
            (ev.ReportScreened, "reviewer"),
        ]
        assert events_of(workspace, number) == whole
        assert suspected.counts(workspace.private) == {}
        screening.finish_rescues(workspace)
        assert events_of(workspace, number) == whole


def test_a_server_that_starts_makes_whole_what_a_dead_one_took(settings: Settings) -> None:
    """Before it answers anybody; and a letter that nobody can send again."""
    unmarked = attrs.evolve(FORM, sender=None, once=None)
    with closing(opened(settings)) as workspace:
        suspected.take(workspace.private, apart(workspace).key, "reviewer")
        filing.open_for(workspace, unmarked, FILLED)
    command = [str(Path(sys.executable).parent / "corrigenda"), "--home", str(settings.home)]
    process = subprocess.Popen(
        [*command, "serve", "--port", str(free_port())],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("Serving at")
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=20)
    with closing(opened(settings)) as workspace:
        assert len(came_of(workspace)) == 2
        assert suspected.counts(workspace.private) == {}


def test_a_report_that_was_half_made_is_not_purged_nor_screened_twice(settings: Settings) -> None:
    """It was filed and set apart again before its rescue was finished: it stays apart, and keeps
    its letter."""
    with closing(opened(settings)) as workspace:
        letter = apart(workspace)
        found = suspected.take(workspace.private, letter.key, "reviewer")
        number = filing.file_letter(workspace, letter, FILLED, found.received_at)
        order = orders.ScreenReport(number=number, passed=False, reason="unclear")
        workspace.ledger.do(order, "another")
    with closing(opened(settings)) as workspace:
        assert screening.purge(workspace, [letter.key]) == 0
        assert came_of(workspace) == [number]
        assert workspace.ledger.report(number).state == "apart"
        assert reporters.contact_of(workspace.private, number) == "ada@example.org"
        assert suspected.counts(workspace.private) == {}


def test_a_rescue_is_finished_though_the_report_was_closed_meanwhile(settings: Settings) -> None:
    """Nothing can be added to it any more, and that refuses nothing."""
    with closing(opened(settings)) as workspace:
        letter = apart(workspace)
        suspected.take(workspace.private, letter.key, "reviewer")
        order = FILLED.order(2, None, NOW)
        workspace.ledger.do(order, letter.handle)
        close(workspace, 2)
    with closing(opened(settings)) as workspace:
        assert screening.rescue(workspace, letter.key, "another") == 2
        assert [one for one, _ in events_of(workspace, 2)] == [ev.ReportFiled, ev.ReportWithdrawn]
        assert suspected.counts(workspace.private) == {}


def test_what_cannot_be_rescued_waits_again_and_can_be_purged(settings: Settings) -> None:
    """Its letter is gone, so nothing can be made of it."""
    with closing(opened(settings)) as workspace:
        letter = apart(workspace)
        suspected.take(workspace.private, letter.key, "reviewer")
        reporters.drop_letter(workspace.private, letter.key)
    with closing(opened(settings)) as workspace:
        screening.finish_rescues(workspace)
        assert suspected.suspect(workspace.private, letter.key).state == suspected.WAITING
        assert screening.purge(workspace, [letter.key]) == 1


def test_a_sender_takes_back_what_a_dead_process_took(settings: Settings) -> None:
    """It is a report by then, so it is taken back as one, and not as if it had never come."""
    with closing(opened(settings)) as workspace:
        secret = screening.set_apart(workspace, FORM, ONLY_LINKS, FILLED)
        key = letter_of(workspace, secret).key
        suspected.take(workspace.private, key, "reviewer")
        client = create_app(workspace).test_client()
        page = client.get(f"/reports/{secret}").get_data(as_text=True)
        token = page.partition('name="csrf" value="')[2].partition('"')[0]
        address = f"/reports/{secret}/withdraw"
        response = client.post(address, data={"csrf": token, "reason": next(iter(WITHDRAWALS))})
        assert response.status_code == 303, response.get_data(as_text=True)
        (number,) = came_of(workspace)
        assert letter_of(workspace, secret).number == number
        assert workspace.ledger.report(number).state == "withdrawn"


def test_erasing_a_half_made_report_erases_what_waits_apart(settings: Settings) -> None:
    """All that was typed lies there as well."""
    with closing(opened(settings)) as workspace:
        letter = apart(workspace)
        found = suspected.take(workspace.private, letter.key, "reviewer")
        number = filing.file_letter(workspace, letter, FILLED, found.received_at)
        digests = filing.private_digests(workspace, number)
        reporters.erase_report(workspace.private, number, digests)
        assert suspected.counts(workspace.private) == {}
        assert uploads.kept_bytes(workspace.private) == 0


@on_both
def test_one_process_at_a_time_makes_reports_of_what_waits(settings: Settings) -> None:
    """Another one waits, and then says that the store is busy; the lock goes with its holder."""
    with closing(opened(settings)) as one, closing(opened(settings)) as other:
        hasty = attrs.evolve(other.private, patience=0.0)
        with alone(one.private), pytest.raises(PrivateBusy), alone(hasty):
            pass
        with alone(hasty), pytest.raises(PrivateBusy), alone(attrs.evolve(hasty)):
            pass
        with alone(hasty):
            assert suspected.taken(other.private) == []


# --- joining ----------------------------------------------------------------------------------


def joined(workspace: Workspace) -> tuple[int, str]:
    """Somebody joined a report, and the process died before anything was recorded of it."""
    filing.file_report(workspace, FORM, FILLED)
    (number,) = came_of(workspace)
    secret, _, _ = filing.open_for(workspace, OTHER, FILLED, join_to=number)
    return number, secret


@on_both
def test_a_form_sent_again_adds_what_a_crash_left_out_of_a_joined_report(
    settings: Settings,
) -> None:
    """Its words and its addresses, once each."""
    with closing(opened(settings)) as workspace:
        number, secret = joined(workspace)
        assert evidence_in(workspace, number) == list(FILLED.addresses)
    with closing(opened(settings)) as workspace:
        for _ in range(2):
            assert filing.sent_before(workspace, OTHER) == secret
            said = evidence_in(workspace, number)
            assert sorted(said) == sorted([*FILLED.addresses * 2, FILLED.words])
        assert letter_of(workspace, secret).joined


def test_what_came_too_late_for_a_joined_report_is_one_of_its_own(settings: Settings) -> None:
    """The other was closed before the form came again; the words are words, and no evidence."""
    with closing(opened(settings)) as workspace:
        number, secret = joined(workspace)
        close(workspace, number)
    with closing(opened(settings)) as workspace:
        assert filing.sent_before(workspace, OTHER) is None
        assert screening.take_in(workspace, OTHER, FILLED, join_to=None) == secret
        own = letter_of(workspace, secret).number
        assert own not in (None, number)
        assert came_of(workspace) == [number, own]
        assert evidence_in(workspace, own or 0) == list(FILLED.addresses)
        (words,) = filing.words_digests(workspace, own or 0)
        assert workspace.private.words(words) == FILLED.words.encode()
        assert filing.sent_before(workspace, OTHER) == secret


def test_a_letter_that_became_nothing_can_join_a_report(settings: Settings) -> None:
    """The process died before it was filed; meanwhile somebody said the same."""
    with closing(opened(settings)) as workspace:
        secret, _, _ = filing.open_for(workspace, OTHER, FILLED)
        filing.file_report(workspace, FORM, FILLED)
        (number,) = came_of(workspace)
        assert filing.sent_before(workspace, OTHER) is None
        assert filing.join_report(workspace, OTHER, FILLED, number) == secret
        said = evidence_in(workspace, number)
        assert sorted(said) == sorted([*FILLED.addresses * 2, FILLED.words])
        assert came_of(workspace) == [number]


@on_both
def test_the_same_form_from_several_at_once_joins_once(settings: Settings) -> None:
    """Several processes, each with the ledger open for itself, and all begin at one moment."""
    with closing(opened(settings)) as workspace:
        filing.file_report(workspace, FORM, FILLED)
        (number,) = came_of(workspace)
    start = Barrier(4)

    def send(_: int) -> str:
        with closing(opened(settings)) as workspace:
            start.wait(60)
            return filing.join_report(workspace, OTHER, FILLED, number)

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(send, range(4)))) == 1
    with closing(opened(settings)) as workspace:
        said = evidence_in(workspace, number)
        assert sorted(said) == sorted([*FILLED.addresses * 2, FILLED.words])


def test_joining_a_report_that_is_just_being_closed_leaves_nothing_behind(
    settings: Settings,
) -> None:
    """It is refused; the files wait for the form as before, and the form may be sent again."""
    closing_it: list[int] = []
    count = iter(range(1, 1_000))

    def nonce() -> bytes:
        # Asked for while the letter is being kept, so between the look and the record.
        while closing_it:
            close(workspace, closing_it.pop())
        return next(count).to_bytes(16)

    clock = Hand(NOW + timedelta(hours=1))
    with closing(open_workspace(settings, clock=clock, nonce=nonce)) as workspace:
        filing.file_report(workspace, FORM, FILLED)
        (number,) = came_of(workspace)
        waiting = uploads.staged("a" * 64, "b" * 64)
        uploads.keep_file(workspace.private, waiting, "a.txt", b"a table")
        late = attrs.evolve(OTHER, staged=waiting)
        assert filing.sent_before(workspace, late) is None
        closing_it.append(number)
        with pytest.raises(ReportClosed):
            filing.join_report(workspace, late, FILLED, number)
        assert len(reporters.letters_about(workspace.private, number)) == 1
        (kept,) = uploads.uploads_of(workspace.private, waiting)
        assert kept.kind == uploads.FILE
        assert evidence_in(workspace, number) == list(FILLED.addresses)
        own = letter_of(workspace, filing.file_report(workspace, late, FILLED))
        assert came_of(workspace) == [number, own.number]


def test_an_address_that_is_given_again_is_kept_once(settings: Settings) -> None:
    """As when a form is sent anew because nobody heard of it."""
    with closing(opened(settings)) as workspace:
        first, again = (
            uploads.keep_address(workspace.private, "letter:x", FILLED.addresses[0])
            for _ in range(2)
        )
        assert first == again
        assert len(uploads.uploads_of(workspace.private, "letter:x")) == 1


def test_files_that_come_again_with_a_form_are_kept_once(settings: Settings) -> None:
    """Those that the letter has already go, and another one is added to its report."""
    with closing(opened(settings)) as workspace:
        waiting = uploads.staged("a" * 64, "b" * 64)
        form = attrs.evolve(FORM, staged=waiting)
        uploads.keep_file(workspace.private, waiting, "a.txt", b"a table")
        secret, _, _ = filing.open_for(workspace, form, FILLED)
    with closing(opened(settings)) as workspace:
        uploads.keep_file(workspace.private, waiting, "a.txt", b"a table")
        assert filing.sent_before(workspace, form) is None
        assert filing.file_report(workspace, form, FILLED) == secret
        (number,) = came_of(workspace)
        assert sorted(evidence_in(workspace, number)) == ["a table", *FILLED.addresses]
        for name in ("a table", "another table"):
            uploads.keep_file(workspace.private, waiting, "b.txt", name.encode())
        assert filing.sent_before(workspace, form) == secret
        said = ["a table", "another table", *FILLED.addresses]
        assert sorted(evidence_in(workspace, number)) == said
        assert uploads.uploads_of(workspace.private, waiting) == []
