"""What is suspected waits apart and comes back with its time, on both engines."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta

import pytest

from ledger import commands as orders
from ledger import events as ev
from ledger.errors import NotFound
from ledger.report import stream_of
from tests.web.orchard import NOW, Hand
from tests.web.people import stranger
from tests.web.suspects import (
    ADVERT,
    SOURCE,
    TARGET,
    apart,
    filed,
    in_queue,
    opened,
    posted,
    remark,
    workspace,
)
from web.app import create_app
from web.private import reporters, suspected, uploads
from web.reporting import filing, screening
from web.reporting.filing import Posted
from web.reporting.filled import Filled
from web.reporting.screening import HIDDEN_FIELD, ONLY_LINKS, SAME_TEXT, TOO_MANY, similar
from web.wiring import Workspace

__all__ = ["opened", "workspace"]


# --- what is suspected ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("filled", "why"),
    [
        (remark("The table says 70.1."), None),
        (remark(ADVERT), ONLY_LINKS),
        (remark("www.casino.example"), ONLY_LINKS),
        (remark(f"look {ADVERT}"), ONLY_LINKS),
        (remark(f"{ADVERT} {ADVERT}/2 {ADVERT}/3 so cheap"), ONLY_LINKS),
        (remark("", addresses=(ADVERT,)), ONLY_LINKS),
        (remark(SOURCE), None),
        (remark(f"70.1 {SOURCE}"), None),
        (remark(f"Table 4 of {ADVERT} says 70.1"), None),
        (remark("", addresses=("https://example.org/other",)), None),
        (remark(ADVERT, proposes=(ev.Change("score", "69", "70.1"),)), None),
        (remark("", asked=(("dead link", ADVERT),)), ONLY_LINKS),
        (remark("http://[broken"), ONLY_LINKS),
    ],
)
def test_links_alone_are_suspected_unless_they_lead_to_a_source(
    workspace: Workspace, filled: Filled, why: str | None
) -> None:
    """A short text with a link to where a source is comes through, and so does a proposal."""
    assert screening.suspicion(workspace, filled) == why


def test_the_same_advertisement_again_and_again_is_suspected(
    opened: tuple[Workspace, Hand],
) -> None:
    """Its words in any order; a day later it is looked at anew. Without links it never is."""
    workspace, clock = opened
    advert = remark(f"Buy good followers at {ADVERT} for little money")
    plain = remark("The date of this row is wrong, see the launch post.")
    shuffled = remark(f"for little money buy good followers at {ADVERT}")
    assert [screening.suspicion(workspace, advert) for _ in range(3)] == [None] * 3
    assert screening.suspicion(workspace, advert) == SAME_TEXT
    assert screening.suspicion(workspace, shuffled) is None
    assert [screening.suspicion(workspace, plain) for _ in range(6)] == [None] * 6
    clock.now += timedelta(days=1, seconds=1)
    assert screening.suspicion(workspace, advert) is None


def test_what_comes_with_very_many_others_waits_apart(opened: tuple[Workspace, Hand]) -> None:
    """No flood becomes permanent; an hour later all is as before."""
    workspace, clock = opened
    most, seconds = screening.INTAKE
    found = [screening.suspicion(workspace, remark(f"Row {n} is wrong")) for n in range(most + 2)]
    assert found == [None] * most + [TOO_MANY] * 2
    clock.now += timedelta(seconds=seconds + 1)
    assert screening.suspicion(workspace, remark("Row 7 is wrong")) is None


@pytest.mark.timeout(60)
def test_similarity_is_a_share_of_words_and_linear() -> None:
    """Order, case and punctuation do not count; long texts take no longer than their length."""
    assert similar("The score is 70.1!", "the SCORE: is “70.1”") == 1
    assert similar("one two three four", "one two three five") == pytest.approx(0.6)
    assert similar("apples", "pears") == 0
    assert similar("", "") == 1
    assert similar("a" * 1_000_000, "a " * 500_000) == 0
    assert similar("(a+)+$" * 100_000, "x! " * 300_000) == 0


def test_an_open_report_that_says_the_same_is_found(workspace: Workspace) -> None:
    """Same target, same reason, same proposal; or nearly the same words where nothing is proposed.
    A decided or withdrawn one is not."""
    change = (ev.Change("score", "69", "70.1"),)
    number = filed(workspace, remark("See table 4.", reason="wrong-value", proposes=change))
    workspace.follower.catch_up()
    same = remark("It is in the report.", reason="wrong-value", proposes=change)
    assert screening.same_report(workspace, same) == number
    for other in (
        remark("See table 4.", proposes=change),
        remark("See table 4.", reason="wrong-value"),
        remark("See table 4.", reason="wrong-value", proposes=change, target="site"),
        remark("x", reason="wrong-value", proposes=(ev.Change("score", "69", "70.2"),)),
    ):
        assert screening.same_report(workspace, other) is None
    said = filed(workspace, remark("The judge was changed in May."))
    assert screening.same_report(workspace, remark("In May the judge was changed!")) == said
    handle = workspace.ledger.report(number).filed_by
    workspace.ledger.do(orders.WithdrawReport(number=number), handle)
    workspace.follower.catch_up()
    assert screening.same_report(workspace, same) is None


# --- apart, and back --------------------------------------------------------------------------


def test_a_suspected_post_is_in_no_event(workspace: Workspace) -> None:
    """It waits in the private store alone, with what was typed and when."""
    head = workspace.ledger.store.head()
    key = apart(workspace, words=f"{ADVERT} hidden-mark", contact="bot@casino.example")
    assert workspace.ledger.store.head() == head
    found = suspected.suspect(workspace.private, key)
    assert (found.why, found.received_at) == (ONLY_LINKS, NOW)
    assert "hidden-mark" in found.typed["words"]
    assert in_queue(workspace) == []


def test_a_post_that_was_suspected_wrongly_is_rescued_with_its_time(
    opened: tuple[Workspace, Hand],
) -> None:
    """It becomes the report that it would have been, and its sender's link leads there."""
    workspace, clock = opened
    typed = {"wish": "change", "set-score": "70.1", "words": f"70.1 {ADVERT}", "contact": "d@e.fg"}
    said = {"target": TARGET, "reason": "wrong-value", **typed}
    post = Posted(typed=said, received_at=clock.now)
    secret = screening.set_apart(workspace, post, HIDDEN_FIELD)
    key = reporters.digest_of_secret(secret)
    uploads.keep_file(workspace.private, uploads.of_letter(key), "a.txt", b"a table")
    later = filed(workspace, remark("Something that came in later."))
    clock.now += timedelta(days=2)
    number = screening.rescue(workspace, key, "reviewer")
    first, *rest = workspace.ledger.store.stream(stream_of(number))
    assert isinstance(first.event, ev.ReportFiled)
    assert first.event.received_at == NOW
    assert first.envelope.recorded_at == clock.now
    assert first.event.proposes == (ev.Change("score", "69", "70.1"),)
    assert [type(one.event) for one in rest] == [ev.EvidenceAdded, ev.ReportScreened]
    assert rest[1].envelope.recorded_by == "reviewer"
    assert reporters.number_of(workspace.private, secret) == number
    assert in_queue(workspace) == sorted((later, number), key=lambda n: (n != later, n))
    with pytest.raises(NotFound):
        screening.rescue(workspace, key, "reviewer")


@pytest.mark.parametrize(
    "typed",
    [
        {"target": "nonsense/77"},
        {"target": "claims/c" + "0" * 23},
        {"set-score": "7O.1", "wish": "change"},
        {"reason": "spite", "wish": "destroy"},
    ],
)
def test_whatever_was_typed_can_be_rescued(workspace: Workspace, typed: dict[str, str]) -> None:
    """What makes no sense becomes a remark with all of it in its words."""
    key = apart(workspace, words="Please read me", **typed)
    number = screening.rescue(workspace, key, "reviewer")
    digest = filing.words_digests(workspace, number)[-1]
    words = (workspace.private.words(digest) or b"").decode()
    assert "Please read me" in words
    for name, text in typed.items():
        if name.startswith("set"):
            assert text in words


def test_two_who_rescue_the_same_post_make_one_report(workspace: Workspace) -> None:
    """The second is told that it is gone."""
    keys = [apart(workspace, words=f"{ADVERT} {n}") for n in range(10)]
    head = len(in_queue(workspace))

    def rescue(key: str) -> int:
        with suppress(NotFound):
            screening.rescue(workspace, key, "reviewer")
            return 1
        return 0

    with ThreadPoolExecutor(2) as pool:
        for key in keys:
            done = list(pool.map(rescue, [key, key]))
            assert sum(done) == 1
    assert len(in_queue(workspace)) == head + len(keys)


def test_purged_posts_leave_no_trace(workspace: Workspace) -> None:
    """Not in a table, not in a file, and no gap in any number."""
    head = workspace.ledger.store.head()
    secret = screening.set_apart(
        workspace, posted(workspace, words=f"{ADVERT} purge-mark"), HIDDEN_FIELD
    )
    key = reporters.digest_of_secret(secret)
    uploads.keep_file(workspace.private, uploads.of_letter(key), "m.txt", b"purge-mark")
    kept = apart(workspace, words="another")
    assert screening.purge(workspace, [key]) == 1
    assert screening.purge(workspace, [key]) == 0
    assert reporters.letter_of(workspace.private, secret) is None
    assert uploads.kept_bytes(workspace.private) == 0
    assert workspace.ledger.store.head() == head
    assert suspected.suspect(workspace.private, kept).key == kept
    if workspace.settings.database_url is None:
        files = [one for one in workspace.settings.home.rglob("*") if one.is_file()]
        assert not any(b"purge-mark" in one.read_bytes() for one in files)


def test_a_sender_can_take_back_what_was_suspected(workspace: Workspace) -> None:
    """Behind the link it looks like any report that came in; taken back, it was never here."""
    app = create_app(workspace)
    secret = screening.set_apart(workspace, posted(workspace, words=f"{ADVERT} back"), HIDDEN_FIELD)
    dana = stranger(app, workspace)
    page = dana.get(f"/reports/{secret}")
    assert "Thank you" in page.text
    assert "suspected" not in page.text
    assert dana.post(f"/reports/{secret}/withdraw").status_code == 303
    assert dana.get(f"/reports/{secret}").status_code == 404
    assert suspected.counts(workspace.private) == {}
