"""No words of people in events (P018)."""

import hashlib
from pathlib import Path

from ledger import commands as orders
from ledger.values import (
    Digest,
)
from tests.desk import claim, open_desk


def test_the_words_of_a_report_are_not_in_the_ledger(tmp_path: Path) -> None:
    """P018: an event holds a digest over a nonce and the words; erasing them touches no event."""
    desk = open_desk(tmp_path)
    desk.at("2025-07-10T12:00:00Z").read("heron,Heron-7B,72.5", "2025-07-01")
    words = "Dana Q. <dana@example.org> says that v@example.com was told."
    digest = Digest(hashlib.sha256(b"nonce" * 4 + words.encode()).hexdigest())
    filed = orders.FileReport(
        number=3,
        target=f"claims/{claim('heron')}",
        reason="wrong-value",
        words=digest,
        received_at=desk.clock.now,
    )
    desk.do(filed, "dana")
    heron = claim("heron")
    desk.decide(3, orders.Correct(claim=heron, applies_from="start", to=(("score", "70"),)))
    desk.workspace.follower.catch_up()
    stored = [one.stored for one in desk.workspace.ledger.store.after(0, 1_000)]
    assert any(digest.encode() in one for one in stored)
    desk.workspace.close()
    for file in (path for path in tmp_path.rglob("*") if path.is_file()):
        data = file.read_bytes()
        assert b"dana@example.org" not in data
        assert b"v@example.com" not in data
        assert b"was told" not in data
