"""Each message is sent once, whoever says it, whoever is at work, and whoever dies of it."""

import os
import signal
import subprocess
import threading
from datetime import UTC, datetime, timedelta

import attrs
import orjson
import pytest

from tests.web.telling import CORRIGENDA, DANA, World, environment, run, states
from web.private import outbox
from web.private.reporters import open_letter
from web.telling.outgoing import tell, work_off
from web.wiring import open_workspace


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
