"""What is suspected waits apart, and nobody is lost: limits of rubbish, on both engines."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from ledger import commands as orders
from ledger import events as ev
from ledger.errors import BadValue, NotFound, NothingChanges
from ledger.report import stream_of
from projections.review.queue import reports
from tests.web.orchard import BIRCH, DECIDED, NOW, Hand, Orchard, fill
from tests.web.people import Person, signed_in, stranger
from web.app import create_app
from web.private import reporters, suspected, uploads
from web.reporting import filing, screening
from web.reporting.filing import Posted
from web.reporting.filled import Filled
from web.reporting.pages import TRAP
from web.reporting.screening import HIDDEN_FIELD, ONLY_LINKS, SAME_TEXT, TOO_MANY, similar
from web.settings import Settings
from web.wiring import Workspace, make_home, open_workspace

TARGET = f"claims/{BIRCH}"
ADVERT = "https://casino.example/win"
SOURCE = "https://example.org/birch?a=1&b=2"


@pytest.fixture(params=["sqlite", "postgres"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Workspace, Hand]]:
    """The orchard on each engine, and its clock."""
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    settings = Settings(home=tmp_path / "home", database_url=url)
    make_home(settings)
    clock = Hand(DECIDED)
    with closing(open_workspace(settings, clock=clock)) as workspace:
        fill(workspace, clock)
        workspace.follower.catch_up()
        clock.now = NOW
        yield workspace, clock


@pytest.fixture
def workspace(opened: tuple[Workspace, Hand]) -> Workspace:
    """The open ledger."""
    return opened[0]


def posted(workspace: Workspace, **typed: str) -> Posted:
    """A form that comes in now."""
    return Posted(typed={"target": TARGET, **typed}, received_at=workspace.ledger.clock())


def remark(words: str, **said: Any) -> Filled:
    """A plain remark."""
    return Filled(**{"target": TARGET, "reason": "other", "words": words, **said})


def filed(workspace: Workspace, filled: Filled) -> int:
    """File it; its number."""
    secret = filing.file_report(workspace, posted(workspace, words=filled.words), filled)
    number = reporters.number_of(workspace.private, secret)
    assert number is not None
    return number


def apart(workspace: Workspace, why: str = ONLY_LINKS, **typed: str) -> str:
    """Set a post apart; its key."""
    said = {"reason": "wrong-value", "wish": "remark", "words": ADVERT, **typed}
    secret = screening.set_apart(workspace, posted(workspace, **said), why)
    return reporters.digest_of_secret(secret)


def in_queue(workspace: Workspace) -> list[int]:
    """The numbers of the reports that wait, oldest first (the orchard's own one is decided)."""
    workspace.follower.catch_up()
    with workspace.views.read() as reader:
        return [one.number for one in reports(reader, "open")]


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


# --- many at once -----------------------------------------------------------------------------


def test_many_are_rejected_at_once_for_one_reason(workspace: Workspace) -> None:
    """Reports in the queue and suspected posts together: one reason, one count, and each can be
    brought back with its own time."""
    numbers = [filed(workspace, remark(f"Row {n} is wrong somehow")) for n in range(4)]
    keys = [apart(workspace, words=f"{ADVERT}/{n}") for n in range(3)]
    handle = workspace.ledger.report(numbers[3]).filed_by
    workspace.ledger.do(orders.WithdrawReport(number=numbers[3]), handle)
    done = screening.reject(workspace, "reviewer", "advertising", numbers=numbers, keys=keys)
    assert (done.count, done.skipped) == (6, (str(numbers[3]),))
    assert in_queue(workspace) == []
    causes = set()
    for number in numbers[:3]:
        *_, last = workspace.ledger.store.stream(stream_of(number))
        assert isinstance(last.event, ev.ReportScreened)
        assert (last.event.passed, last.event.reason) == (False, "advertising")
        causes.add(last.envelope.cause)
    assert len(causes) == 1
    rejected = suspected.suspects(workspace.private, suspected.REJECTED)
    assert {(one.rejected_by, one.reason) for one in rejected} == {("reviewer", "advertising")}
    again = screening.reject(workspace, "reviewer", "again", numbers=numbers, keys=keys)
    assert (again.count, len(again.skipped)) == (0, 5)
    screening.bring_back(workspace, numbers[0], "reviewer")
    assert in_queue(workspace) == [numbers[0]]
    with pytest.raises(NothingChanges):
        screening.bring_back(workspace, numbers[0], "reviewer")
    assert screening.rescue(workspace, keys[0], "reviewer")


@pytest.mark.parametrize(
    ("reason", "numbers"), [("", [1]), (" \n", [1]), ("x" * 501, [1]), ("fine", [])]
)
def test_a_rejection_has_a_reason_and_something_to_reject(
    workspace: Workspace, reason: str, numbers: list[int]
) -> None:
    """Otherwise it is refused before anything happens."""
    with pytest.raises(BadValue):
        screening.reject(workspace, "reviewer", reason, numbers=numbers)


def test_what_was_rejected_long_ago_can_be_purged(opened: tuple[Workspace, Hand]) -> None:
    """What waits, or was rejected lately, stays."""
    workspace, clock = opened
    old, new, waiting = (apart(workspace, words=f"{ADVERT}/{n}") for n in range(3))
    screening.reject(workspace, "reviewer", "advertising", keys=[old])
    clock.now += timedelta(days=40)
    screening.reject(workspace, "reviewer", "advertising", keys=[new])
    assert screening.purge_rejected(workspace, clock.now - timedelta(days=30)) == 1
    assert suspected.counts(workspace.private) == {"waiting": 1, "rejected": 1}
    assert suspected.suspect(workspace.private, waiting).key == waiting


def test_suspected_posts_are_bounded(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """When there are too many, the oldest go, with their letters."""
    monkeypatch.setattr(suspected, "MOST", 5)
    keys = [apart(workspace, words=f"{ADVERT}/{n}") for n in range(7)]
    assert sum(suspected.counts(workspace.private).values()) == 5
    kept = [key for key in keys if reporters.letter_with(workspace.private, key)]
    assert len(kept) == 5


# --- 1,330 posts (P040) -----------------------------------------------------------------------

GENUINE = (
    {"words": "Table 4 of the report has 70.1 for Birch, not 69.", "set-score": "70.1"},
    {
        "words": "Our lab measured this model with another prompt, see the appendix.",
        "wish": "remark",
    },
    {"words": f"It is 70.1 {SOURCE}", "wish": "remark", "reason": "wrong-source"},
)


def test_the_three_who_mean_it_are_not_lost_among_1330_posts(workspace: Workspace) -> None:
    """1,200 with the hidden field, 127 links, 3 reports: the queue has the three, the rest is
    apart, rejected in one go, purged without a trace, and one that was not rubbish is rescued."""
    head = workspace.ledger.store.head()
    for count in range(1_330):
        typed = {"reason": "wrong-value", "words": f"{ADVERT}/{count}"}
        if count in (100, 700, 1_300):
            said = remark(GENUINE[(100, 700, 1_300).index(count)]["words"], reason="wrong-value")
            assert screening.suspicion(workspace, said) is None
            filing.file_report(workspace, posted(workspace, words=said.words), said)
        elif count % 10 == 5 and count < 1_270:
            said = remark(typed["words"])
            why = screening.suspicion(workspace, said)
            assert why == ONLY_LINKS
            screening.set_apart(workspace, posted(workspace, **typed), why, said)
        else:
            screening.set_apart(workspace, posted(workspace, **typed), HIDDEN_FIELD)
    private = workspace.private
    by_why = suspected.counts_by_why(private)
    assert by_why == {HIDDEN_FIELD: 1_200, ONLY_LINKS: 127}
    assert in_queue(workspace) == [2, 3, 4]
    assert workspace.ledger.store.head() == head + 3
    keys = suspected.keys_of(private)
    done = screening.reject(workspace, "reviewer", "advertising", keys=keys)
    assert (done.count, done.skipped) == (1_327, ())
    number = screening.rescue(workspace, keys[77], "reviewer")
    assert in_queue(workspace) == [2, 3, 4, number]
    assert screening.purge(workspace, suspected.keys_of(private, suspected.REJECTED)) == 1_326
    assert suspected.counts(private) == {}
    assert workspace.ledger.store.head() == head + 5


@pytest.fixture
def app(workspace: Workspace) -> Flask:
    """The pages."""
    return create_app(workspace)


def test_bots_that_post_get_the_usual_thank_you_page(workspace: Workspace, app: Flask) -> None:
    """Through the form: 60 posts from 24 addresses; the three show in the queue, nothing of the
    rest anywhere that is public."""
    pages: set[str] = set()
    for count in range(60):
        person = stranger(app, workspace)
        fields = {"target": TARGET, "reason": "wrong-value", "wish": "change"}
        if count in (10, 30, 50):
            fields |= GENUINE[count // 20]
        elif count % 7 == 3:
            fields |= {"wish": "remark", "words": f"{ADVERT}/{count} advert-mark"}
        else:
            fields |= {TRAP: ADVERT, "words": f"{ADVERT}/{count} advert-mark", "wish": "remark"}
        base = {"REMOTE_ADDR": f"198.51.100.{count % 24}"}
        response = person.post("/report", fields, environ_base=base)
        assert response.status_code == 303, response.text
        page = person.get(response.headers["Location"])
        assert page.status_code == 200
        pages.add(page.text.partition("<section>")[0].partition("</h1>")[2])
    assert len(pages) <= 4  # alike but for the number of a report
    assert len(in_queue(workspace)) == 3
    for address in (
        "/",
        "/corrections",
        "/corrections.json",
        "/corrections.atom",
        "/corrections.csv",
        f"/claims/{BIRCH}",
        "/benchmarks/orchard.csv",
    ):
        text = stranger(app, workspace).get(address).text
        assert "advert-mark" not in text
        assert "casino" not in text


# --- the page of what is suspected ------------------------------------------------------------


@pytest.fixture
def reviewer(orchard: Orchard) -> Person:
    """Somebody who may see it."""
    return signed_in(orchard.app, orchard.workspace, "ada", "reviewer")


def test_reviewers_see_what_is_suspected_and_nobody_else(
    orchard: Orchard, reviewer: Person
) -> None:
    """What was typed is text, whatever it is."""
    apart(orchard.workspace, words="<script>alert(1)</script> \u202e")
    page = reviewer.get("/review/suspected")
    assert page.status_code == 200
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &lt;U+202E&gt;" in page.text
    curator = signed_in(orchard.app, orchard.workspace, "carl", "curator")
    assert curator.get("/review/suspected").status_code == 403
    assert "alert(1)" not in stranger(orchard.app, orchard.workspace).get("/review/suspected").text
    refused = stranger(orchard.app, orchard.workspace).post("/review/suspected", {"do": "purge"})
    assert refused.status_code == 403


def test_one_press_rejects_all_of_a_kind_and_another_purges_them(
    orchard: Orchard, reviewer: Person
) -> None:
    """With a count; what was not chosen stays."""
    workspace = orchard.workspace
    for count in range(3):
        apart(workspace, HIDDEN_FIELD, words=f"{ADVERT}/{count}")
    link = apart(workspace, words=ADVERT)
    fields = {"do": "reject", "why": HIDDEN_FIELD, "reason": "advertising", "state": "waiting"}
    response = reviewer.post("/review/suspected", fields)
    assert response.status_code == 303
    assert "3 rejected." in reviewer.get(response.headers["Location"]).text
    assert suspected.counts(workspace.private) == {"rejected": 3, "waiting": 1}
    keys = suspected.keys_of(workspace.private, "rejected")
    response = reviewer.post("/review/suspected", {"do": "purge", "key": keys, "state": "rejected"})
    assert "3 purged" in reviewer.get(response.headers["Location"]).text
    rescued = reviewer.post("/review/suspected", {"do": f"rescue:{link}", "state": "waiting"})
    assert "2 is the number" in reviewer.get(rescued.headers["Location"]).text
    assert in_queue(workspace) == [2]


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"do": "reject", "reason": "x"}, 400),
        ({"do": "reject", "reason": "", "why": HIDDEN_FIELD}, 400),
        ({"do": "burn"}, 400),
        ({"do": "rescue:" + "0" * 64}, 404),
        ({"do": "purge", "state": "taken"}, 303),
    ],
)
def test_orders_that_make_no_sense_are_refused(
    orchard: Orchard, reviewer: Person, fields: dict[str, str], status: int
) -> None:
    """And nothing happens."""
    apart(orchard.workspace, HIDDEN_FIELD)
    assert reviewer.post("/review/suspected", fields).status_code == status
    assert suspected.counts(orchard.workspace.private) == {"waiting": 1}
