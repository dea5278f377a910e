"""The outbox of what is to be told, on both engines."""

import threading
from datetime import UTC, datetime

import attrs

from web.private import outbox
from web.private.outbox import Message
from web.private.store import PrivateStore


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
