"""People are told of what happens to reports: once, by real servers, and by nobody's address."""

import base64
import hashlib
import hmac
import logging
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import attrs
import orjson
import pytest
from sqlalchemy import select

from ledger import commands as orders
from ledger.errors import BadValue
from tests.web.kites import HERON, Kites, open_kites
from tests.web.receivers import Mailbox, Receiver, free_port, mailbox, receiver
from web.private import outbox
from web.private.outbox import Message
from web.private.reporters import erase_report, open_letter
from web.private.store import PrivateStore, open_private
from web.settings import Settings
from web.telling import mailing, posting
from web.telling.outgoing import MOST_ATTEMPTS, Teller, channels_of, tell, work, work_off
from web.wiring import open_workspace

SECRET = "whsec_" + base64.b64encode(b"twenty-four secret bytes").decode()
DANA = "dana@example.org"
SENDER = "Corrigenda <corrections@kites.example>"
CORRIGENDA = str(Path(sys.executable).parent / "corrigenda")


@attrs.frozen
class World:
    """The kites, with both ways of telling set up."""

    kites: Kites
    mail: Mailbox
    hook: Receiver

    def file(self, contact: str | None = DANA) -> int:
        """A report by somebody without an account who left a contact."""
        number = self.kites.file(by="reporter-0a1b2c3d")
        open_letter(self.private, number, contact)
        tell(self.kites.workspace, number, "received")
        return number

    def decide(self, number: int, **said: Any) -> str:
        """Accept what a report asks for."""
        name = self.kites.correct("70.1", number=number, **said)
        tell(self.kites.workspace, number, "decided")
        return name

    def work(self) -> int:
        """Send what is due."""
        return work_off(self.kites.workspace)

    @property
    def private(self) -> PrivateStore:
        """Where the outbox is."""
        return self.kites.workspace.private

    @property
    def types(self) -> list[str]:
        """What the receiver was told, in turn."""
        return [orjson.loads(body)["type"] for _, body in self.hook.came]


def settings_of(home: Path, mail: Mailbox, hook: Receiver) -> Settings:
    """A home where both ways are set up."""
    return Settings(
        home=home,
        two_person=False,
        address="https://kites.example",
        webhook_url=hook.url,
        webhook_secret=SECRET,
        smtp_url=mail.url,
        mail_from=SENDER,
    )


@pytest.fixture
def world(kites_once: Path, tmp_path: Path) -> Iterator[World]:
    """Everything, running."""
    shutil.copytree(kites_once, tmp_path / "home")
    with ExitStack() as stack:
        mail, hook = stack.enter_context(mailbox()), stack.enter_context(receiver())
        kites = stack.enter_context(open_kites(settings_of(tmp_path / "home", mail, hook)))
        yield World(kites, mail, hook)


def states(world: World) -> dict[str, int]:
    """How many messages are in which state."""
    return dict(outbox.counts(world.private))


# --- webhooks ---------------------------------------------------------------------------------


def test_the_operator_is_told_of_each_step(world: World) -> None:
    """Received, in review, decided, undone: with the ledger's position and a link, in turn."""
    number = world.file()
    world.kites.workspace.ledger.do(orders.StartReview(number=number), "boris")
    name = world.decide(number)
    world.kites.reverse(name)
    tell(world.kites.workspace, number, "reversed")
    world.work()
    assert world.types == [
        "report.received",
        "report.in-review",
        "report.decided",
        "report.reversed",
    ]
    received, _, decided, undone = (orjson.loads(body) for _, body in world.hook.came)
    assert received["data"]["address"] == f"https://kites.example/review/{number}"
    assert received["data"]["correction"] is None
    assert decided["timestamp"] == "2025-07-01T08:00:00.000000Z"
    assert decided["data"]["address"] == "https://kites.example/corrections/1"
    assert decided["data"]["correction"]["number"] == 1
    assert decided["data"]["correction"]["claims"] == [HERON]
    assert undone["data"]["correction"]["replaces"] == 1
    positions = [orjson.loads(body)["data"]["position"] for _, body in world.hook.came]
    assert positions == sorted(set(positions))


def test_a_request_is_signed_over_id_time_and_body(world: World) -> None:
    """HMAC-SHA256 as Standard Webhooks has it, which any receiver can check."""
    world.file()
    world.work()
    ((headers, body),) = world.hook.came
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = hmac.new(b"twenty-four secret bytes", signed, hashlib.sha256).digest()
    assert headers["webhook-signature"] == f"v1,{base64.b64encode(expected).decode()}"
    now = int(world.kites.clock().timestamp())
    assert headers["webhook-timestamp"] == str(now)
    assert headers["content-type"] == "application/json"


def test_the_example_of_the_specification_is_signed_as_it_says() -> None:
    """Standard Webhooks' own example, so that its libraries take what we send."""
    made = posting.signature(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        1614265330,
        b'{"test": 2432232314}',
    )
    assert made == "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_what_is_not_taken_is_tried_again_under_the_same_id(world: World) -> None:
    """Later and later, and never within the pause."""
    world.hook.answers = [500, 302, 429]
    world.file()
    pauses = []
    for _ in range(4):
        world.work()
        assert world.work() == 0
        pauses.append(len(world.hook.came))
        world.kites.wait(minutes=31)
    assert pauses == [1, 2, 3, 4]
    assert len(set(world.hook.ids)) == 1
    assert len({body for _, body in world.hook.came}) == 1
    assert states(world) == {"sent": 1}


def test_trying_ends(world: World) -> None:
    """After the last pause it is given up; a person may ask for it once more."""
    world.hook.answers = [503] * MOST_ATTEMPTS
    world.file()
    for _ in range(MOST_ATTEMPTS + 3):
        world.work()
        world.kites.wait(days=2)
    assert len(world.hook.came) == MOST_ATTEMPTS
    assert states(world) == {"failed": 1}
    assert outbox.send_again(world.private) == 1
    world.work()
    assert states(world) == {"sent": 1}
    assert len(set(world.hook.ids)) == 1


def test_no_redirect_is_followed(world: World) -> None:
    """What is signed for one receiver goes to no other."""
    world.hook.answers = [307]
    world.file()
    world.work()
    assert len(world.hook.came) == 1
    assert states(world) == {"waiting": 1}


def test_a_receiver_that_is_not_there_costs_nothing(world: World) -> None:
    """It is tried again later; the decision stands."""
    settings = attrs.evolve(
        world.kites.workspace.settings, webhook_url=f"http://127.0.0.1:{free_port()}/"
    )
    away = attrs.evolve(world.kites.workspace, settings=settings)
    world.file()
    work(away)
    assert states(world) == {"waiting": 1}
    world.kites.wait(minutes=2)
    world.work()
    assert states(world) == {"sent": 1}


# --- mail -------------------------------------------------------------------------------------


def test_whoever_left_an_address_gets_the_outcome(world: World) -> None:
    """With what changed, why, a link to the notice, and how to follow it."""
    number = world.file()
    world.work()
    assert world.mail.came == []  # nobody has looked yet, and the address may be another's
    world.decide(number, statement="Table 3 says 70.1.\nSo does the text – “plainly”.")
    world.work()
    ((recipients, message),) = world.mail.came
    assert recipients == [DANA]
    assert message["To"] == DANA
    assert message["From"] == SENDER
    assert message["Subject"] == f"Report {number}: accepted"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Message-ID"].endswith("@kites.example>")
    text = message.get_content().replace("\r\n", "\n")
    assert f"Report {number}, which you filed, was decided." in text
    assert "Heron-7B on KiteBench v1: score 72.5 → 70.1." in text
    assert "Table 3 says 70.1.\nSo does the text – “plainly”." in text
    assert "https://kites.example/corrections/1" in text
    assert "the secret link" in text


def test_a_review_and_a_reversal_are_told_too(world: World) -> None:
    """A review once, however many look at it."""
    number = world.file()
    for reviewer in ("boris", "clara"):
        world.kites.workspace.ledger.do(orders.StartReview(number=number), reviewer)
    name = world.decide(number)
    world.kites.reverse(name)
    world.work()
    subjects = [str(message["Subject"]) for _, message in world.mail.came]
    assert subjects == [
        f"Report {number}: a reviewer is looking at it",
        f"Report {number}: accepted",
        f"Report {number}: the decision was undone",
    ]


def test_everybody_behind_a_report_is_told_and_nobody_else(world: World) -> None:
    """Each in a message of their own, so nobody learns of the others."""
    number = world.file()
    open_letter(world.private, number, "erik@example.org", joined=True)
    open_letter(world.private, number, None, joined=True)
    other = world.file("frida@example.org")
    world.decide(number)
    world.work()
    told = [(recipients, message["To"]) for recipients, message in world.mail.came]
    assert sorted(told) == [([DANA], DANA), (["erik@example.org"], "erik@example.org")]
    assert other != number


@pytest.mark.parametrize(
    "contact",
    [
        "@dana on the usual network",
        "dana@example.org, erik@example.org",
        "Dana <dana@example.org>",
        "dana@example.org\nBcc: everybody@example.org",
        "dana@example.org\r\n\r\nBuy kites",
        "dana@@example.org",
        "dana",
        "@example.org",
        '"dana\\"@x"@example.org',
        "dänä@example.org",
        f"{'d' * 250}@example.org",
        "<dana@example.org>",
        "dana@example.org;erik@example.org",
        "dana@localhost",
    ],
)
def test_only_one_plain_address_is_mailed(world: World, contact: str) -> None:
    """Whatever else a contact is: no header, no recipient and no text comes in by it."""
    number = world.file(contact)
    world.decide(number)
    world.work()
    assert world.mail.came == []
    assert states(world) == {"sent": 2, "dropped": 1}


def test_who_was_erased_meanwhile_is_not_told(world: World) -> None:
    """The outbox has no address; it looks there when it sends."""
    number = world.file()
    world.decide(number)
    erase_report(world.private, number, ())
    world.work()
    assert world.mail.came == []
    assert states(world)["dropped"] == 1


@pytest.mark.parametrize(
    ("answers", "state"),
    [
        ({"to_recipient": f"550 no such user: {DANA}"}, "failed"),
        ({"to_recipient": f"450 try later, {DANA}"}, "waiting"),
        ({"to_text": f"554 {DANA} wants none of it"}, "failed"),
        ({"to_text": "451 full"}, "waiting"),
        ({"hangs_up": True}, "unsure"),
    ],
)
def test_what_a_mail_server_says_is_taken_at_its_word(
    world: World, answers: dict[str, Any], state: str, caplog: pytest.LogCaptureFixture
) -> None:
    """For good, for now, or not at all; and no word of it is noted, as it may hold the address."""
    caplog.set_level(logging.DEBUG)
    number = world.file()
    world.decide(number)
    for name, value in answers.items():
        setattr(world.mail, name, value)
    world.work()
    assert states(world) == {"sent": 2, state: 1}
    came = len(world.mail.came)
    for name in answers:
        setattr(world.mail, name, "250 OK" if name != "hangs_up" else False)
    world.kites.wait(hours=1)
    world.work()
    again = 1 if state == "waiting" else 0
    assert len(world.mail.came) == came + again
    # The mail server of this test runs in the same process, and notes what it likes.
    ours = [record for record in caplog.records if record.name != "mail.log"]
    assert DANA not in " ".join(record.getMessage() for record in ours)
    with world.private.read() as connection:
        assert DANA not in str(connection.execute(select(outbox.outbox)).all())


def test_a_server_without_tls_gets_nothing_where_tls_is_asked_for(world: World) -> None:
    """It never falls back to what anybody can read."""
    settings = world.kites.workspace.settings
    for scheme in ("smtp+starttls", "smtps"):
        url = f"{scheme}://127.0.0.1:{world.mail.port}"
        number = world.file()
        world.kites.decide(number=number)
        tell(world.kites.workspace, number, "decided")
        work(attrs.evolve(world.kites.workspace, settings=attrs.evolve(settings, smtp_url=url)))
    assert world.mail.came == []
    assert states(world)["waiting"] == 2


# --- once -------------------------------------------------------------------------------------


def test_saying_it_twice_tells_once(world: World) -> None:
    """The event's position is what counts, not how often somebody says that it happened."""
    number = world.file()
    world.decide(number)
    for event in ("decided", "decided", "received", str(world.kites.head)):
        tell(world.kites.workspace, number, event)
    world.work()
    world.work()
    assert world.types == ["report.received", "report.decided"]
    assert len(world.mail.came) == 1


def test_a_decision_whose_process_died_is_told_all_the_same(world: World) -> None:
    """What there is to tell follows from the ledger, not from who said so."""
    number = world.file()
    world.kites.correct("70.1", number=number)  # and nobody says so
    world.work()
    assert world.types == ["report.received", "report.decided"]
    assert len(world.mail.came) == 1


def test_nobody_is_told_of_what_was_before(world: World) -> None:
    """A receiver that is set up on an old ledger does not get its whole history."""
    for _ in range(3):
        world.kites.decide()
    number = world.file()
    world.work()
    assert [orjson.loads(body)["data"]["report"] for _, body in world.hook.came] == [number]


def test_without_a_channel_nothing_piles_up(world: World) -> None:
    """What happened before a channel was set up is not told later."""
    bare = attrs.evolve(
        world.kites.workspace,
        settings=attrs.evolve(world.kites.workspace.settings, webhook_url=None, smtp_url=None),
    )
    number = world.file()
    world.work()
    world.kites.correct("70.1", number=number)
    tell(bare, number, "decided")
    world.work()
    assert world.types == ["report.received"]
    assert world.mail.came == []


def test_many_at_work_send_each_message_once(world: World) -> None:
    """Threads and processes take messages from one another's way."""
    numbers = [world.file(f"reporter{n}@example.org") for n in range(12)]
    for number in numbers:
        world.kites.decide(number=number)
    together = threading.Barrier(4)

    def at_work() -> None:
        workspace = open_workspace(world.kites.workspace.settings, clock=world.kites.clock)
        together.wait()
        work_off(workspace)
        workspace.close()

    threads = [threading.Thread(target=at_work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    world.work()
    assert len(world.hook.ids) == len(set(world.hook.ids)) == 24
    assert sorted(recipients[0] for recipients, _ in world.mail.came) == sorted(
        f"reporter{n}@example.org" for n in range(12)
    )


def environment(world: World) -> dict[str, str]:
    """The environment of a command that tells."""
    settings = world.kites.workspace.settings
    return {
        **os.environ,
        "CORRIGENDA_HOME": str(settings.home),
        "CORRIGENDA_WEBHOOK_URL": settings.webhook_url or "",
        "CORRIGENDA_WEBHOOK_SECRET": SECRET,
        "CORRIGENDA_SMTP_URL": world.mail.url,
        "CORRIGENDA_MAIL_FROM": SENDER,
        "CORRIGENDA_ADDRESS": "https://kites.example",
    }


def run(world: World, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    return subprocess.run(
        [CORRIGENDA, "tell", *words],
        env=environment(world),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("channel", ["webhook", "mail"])
def test_nothing_is_sent_twice_after_a_process_died_between_sending_and_noting(
    world: World, channel: str
) -> None:
    """Killed while the answer is on its way: it is never sent again by itself, and a person hears
    that nobody knows."""
    number = world.file() if channel == "webhook" else world.kites.file(by="reporter-1")
    if channel == "mail":
        open_letter(world.private, number, DANA)
        outbox.put(world.private, (), since=None, through=world.kites.head)
        world.kites.correct("70.1", number=number)
    came = world.hook.came if channel == "webhook" else world.mail.came
    target = world.hook if channel == "webhook" else world.mail
    process = subprocess.Popen(
        [CORRIGENDA, "tell"],
        env=environment(world) | ({"CORRIGENDA_WEBHOOK_URL": ""} if channel == "mail" else {}),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    target.then = lambda: os.kill(process.pid, signal.SIGKILL)
    assert process.wait(timeout=60) == -signal.SIGKILL
    target.then = None
    assert len(came) == 1
    for _ in range(2):
        done = run(world)
        assert done.returncode == 0, done.stderr
        assert len(came) == 1
    world.kites.clock.now = datetime.now(UTC) + timedelta(hours=1)
    assert states(world)["unsure"] == 1
    outbox.send_again(world.private)
    world.work()
    assert len(came) == 2
    if channel == "webhook":
        assert len(set(world.hook.ids)) == 1


# --- the command and the server ---------------------------------------------------------------


def test_the_command_sends_what_waits_and_says_so(world: World) -> None:
    """With a count for each state."""
    number = world.file()
    world.decide(number)
    world.hook.answers = [500]
    done = run(world, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert orjson.loads(done.stdout) == {"tried": 3, "messages": {"sent": 2, "waiting": 1}}
    said = run(world, "--again")
    assert said.stdout.splitlines() == [
        "0 messages were tried; 2 are sent in all.",
        "1 to be tried again later.",
    ]


def test_the_server_tells_after_each_decision(world: World) -> None:
    """Beside the pages, without anybody asking for it, and it stops when it is told to."""
    number = world.file()
    world.kites.correct("70.1", number=number)
    server = subprocess.Popen(
        [CORRIGENDA, "serve", "--port", str(free_port())],
        env=environment(world),
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        end = time.monotonic() + 30
        while (len(world.hook.came), len(world.mail.came)) != (2, 1):
            assert time.monotonic() < end
            time.sleep(0.05)
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        _, said = server.communicate(timeout=30)
    assert server.returncode == 0
    assert "Traceback" not in said
    assert DANA not in said


def test_the_teller_survives_whatever_happens(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    """A round that fails is logged, and the next one goes on."""
    teller = Teller(world.kites.workspace, every=0.02)
    world.file()
    world.private.close()
    path = Path(world.kites.workspace.settings.private)
    path.rename(path.with_suffix(".away"))
    path.mkdir()
    teller.start()
    end = time.monotonic() + 20
    while "nothing could be told" not in caplog.text:
        assert time.monotonic() < end
        time.sleep(0.02)
    path.rmdir()
    path.with_suffix(".away").rename(path)
    while not world.hook.came:
        assert time.monotonic() < end
        time.sleep(0.02)
    teller.stop(5)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"webhook_url": "https://hooks.example/x"}, "CORRIGENDA_WEBHOOK_SECRET"),
        ({"webhook_url": "ftp://hooks.example/", "webhook_secret": "s3cret"}, "https://name/path"),
        ({"webhook_url": "https://a:s3cret@hooks.example/", "webhook_secret": "x"}, "password"),
        ({"smtp_url": "smtp://u:s3cret@mail.example"}, "CORRIGENDA_MAIL_FROM"),
        (
            {"smtp_url": "smtp://u:s3cret@mail.example", "mail_from": "nobody"},
            "CORRIGENDA_MAIL_FROM",
        ),
        ({"smtp_url": "imap://u:s3cret@mail.example", "mail_from": SENDER}, "scheme://host:port"),
        ({"smtp_url": "smtp://u:s3cret@mail.example:x", "mail_from": SENDER}, "scheme://host:port"),
    ],
)
def test_a_channel_that_is_half_set_up_is_refused(
    tmp_path: Path, given: dict[str, str], named: str
) -> None:
    """With what is missing, and without repeating a secret."""
    settings = Settings(home=tmp_path, **given)  # type: ignore[arg-type]  # names and texts
    with pytest.raises(BadValue, match=named) as refused:
        channels_of(settings)
    assert "s3cret" not in str(refused.value)
    assert "s3cret" not in repr(settings).replace(str(given.get("webhook_url")), "")


def test_a_decision_never_fails_since_nobody_can_be_told(world: World) -> None:
    """A channel that is half set up is the operator's trouble, not the reviewer's."""
    number = world.file()
    settings = attrs.evolve(world.kites.workspace.settings, webhook_secret=None)
    tell(attrs.evolve(world.kites.workspace, settings=settings), number, "decided")


def test_a_password_is_not_sent_where_anybody_could_read_it() -> None:
    """Only under TLS, or where nobody is in between."""
    for url, local in (
        ("smtp://u:p@127.0.0.1", True),
        ("smtp://u:p@[::1]:25", True),
        ("smtp://u:p@localhost", True),
        ("smtp://u:p@mail.example", False),
        ("smtp://u:p@192.0.2.1", False),
    ):
        assert mailing.Relay.of(url).is_local is local


# --- both engines -----------------------------------------------------------------------------


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PrivateStore]:
    """An empty private store on each engine."""
    where = str(tmp_path / "private.db")
    if request.param == "postgres":
        where = str(request.getfixturevalue("postgres_url"))
    now = datetime(2025, 7, 1, tzinfo=UTC)
    opened = open_private(where, clock=lambda: now, nonce=lambda: os.urandom(16))
    yield opened
    opened.close()


def made(count: int) -> list[Message]:
    """Some messages."""
    return [
        Message(
            key=f"{n:032d}", channel="webhook", position=n, letter="", report=1, event="decided"
        )
        for n in range(1, count + 1)
    ]


def test_the_outbox_goes_on_from_where_it_stood(store: PrivateStore) -> None:
    """Whoever comes second with the same place puts nothing in."""
    assert outbox.told_through(store) is None
    assert outbox.put(store, made(2), since=None, through=10)
    assert not outbox.put(store, made(2), since=None, through=10)
    assert not outbox.put(store, made(2), since=9, through=20)
    assert outbox.put(store, (), since=10, through=20)
    assert outbox.told_through(store) == 20
    assert dict(outbox.counts(store)) == {"waiting": 2}


def test_eight_at_once_take_each_message_once(store: PrivateStore) -> None:
    """On both engines: no message is taken twice, and none is left."""
    outbox.put(store, made(40), since=None, through=40)
    taken: list[str] = []
    together = threading.Barrier(8)

    def at_work() -> None:
        together.wait()
        while (message := outbox.claim_due(store)) is not None:
            taken.append(message.key)

    threads = [threading.Thread(target=at_work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    while (message := outbox.claim_due(store)) is not None:
        taken.append(message.key)
    assert sorted(taken) == [message.key for message in made(40)]


def test_what_was_sent_long_ago_is_forgotten(store: PrivateStore) -> None:
    """Nothing of it is needed: the place in the ledger is kept."""
    outbox.put(store, made(2), since=None, through=2)
    first, second = outbox.claim_due(store), outbox.claim_due(store)
    assert first is not None
    assert second is not None
    outbox.note(store, first, outbox.SENT)
    outbox.note(store, second, outbox.FAILED, "503")
    later = attrs.evolve(store, clock=lambda: datetime(2025, 12, 1, tzinfo=UTC))
    outbox.forget_sent(later)
    assert dict(outbox.counts(later)) == {"failed": 1}
    assert outbox.told_through(later) == 2
