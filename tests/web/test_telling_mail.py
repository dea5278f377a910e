"""Whoever left an address is told by mail: one plain address each, and of nobody else."""

import logging
from typing import Any

import attrs
import pytest
from sqlalchemy import select

from ledger import commands as orders
from tests.web.telling import DANA, SENDER, World, states
from web.private import outbox
from web.private.reporters import erase_report, open_letter
from web.telling.outgoing import tell, work


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
