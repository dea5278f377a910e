"""What reporters leave in the private store: letters, drafts and evidence, on both engines."""

import random
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta

import attrs
import pytest
from sqlalchemy import update

from ledger.errors import BadValue
from ledger.values import Digest, Instant
from web.private import Altered, PrivateStore, drafts, open_private, reporters, uploads
from web.private.reporters import AlreadySent

SECRET = 43
FORM, ABOUT = "browser", "claims/c1"


@attrs.define
class Hand:
    """A clock that stands until it is set."""

    now: Instant = datetime(2025, 7, 28, tzinfo=UTC)

    def __call__(self) -> Instant:
        """Tell the time."""
        return self.now


@pytest.fixture
def clock() -> Hand:
    """A clock for the store."""
    return Hand()


@pytest.fixture
def store(where: str, clock: Hand) -> Iterator[PrivateStore]:
    """An empty private store, on each engine."""
    chance = random.Random(7)
    opened = open_private(where, clock=clock, nonce=lambda: chance.randbytes(16))
    with closing(opened):
        yield opened


# --- letters ----------------------------------------------------------------------------------


def test_a_secret_leads_to_its_letter_and_only_its_digest_is_kept(store: PrivateStore) -> None:
    """Two letters have two secrets and two handles; a wrong secret leads nowhere."""
    mine = reporters.open_letter(store, 7, "dana@example.org", credit="Dana Q.")
    theirs = reporters.open_letter(store, 8, None)
    assert len(mine) == len(theirs) == SECRET
    assert reporters.number_of(store, mine) == 7
    assert reporters.number_of(store, mine[:-1]) is None
    assert reporters.contact_of(store, 7) == "dana@example.org"
    assert reporters.credit_of(store, 7) == "Dana Q."
    assert (reporters.contact_of(store, 8), reporters.contact_of(store, 9)) == (None, None)
    first, second = reporters.letter_of(store, mine), reporters.letter_of(store, theirs)
    assert first is not None
    assert second is not None
    assert first.handle != second.handle
    assert reporters.letter_with(store, mine) is None
    assert mine not in repr(first)
    assert "dana" not in repr(first)


def test_the_same_form_with_the_same_content_has_one_secret(store: PrivateStore) -> None:
    """Whoever sends it twice meets the first letter; another content is another one."""
    secret = reporters.new_secret(store, "form", "once", "text")
    assert secret == reporters.new_secret(store, "form", "once", "text")
    for other in (("form", "once", "texts"), ("form", "oncet", "ext"), ("forme", "once", "text")):
        assert reporters.new_secret(store, *other) != secret
    assert reporters.open_letter(store, 7, None, secret=secret) == secret
    with pytest.raises(AlreadySent) as before:
        reporters.open_letter(store, 8, None, secret=secret)
    assert before.value.secret == secret
    assert secret not in str(before.value)
    assert reporters.number_of(store, secret) == 7


def test_those_who_joined_are_reached_too_and_thanked_for_nothing(
    store: PrivateStore, clock: Hand
) -> None:
    """The contact and the credit are the reporter's; all contacts are everybody's."""
    reporters.open_letter(store, 7, "eve@example.org", credit="Eve", joined=True)
    clock.now += timedelta(days=1)
    reporters.open_letter(store, 7, "dana@example.org", credit="Dana")
    reporters.open_letter(store, 7, None, joined=True)
    assert reporters.contact_of(store, 7) == "dana@example.org"
    assert reporters.credit_of(store, 7) == "Dana"
    assert reporters.contacts_of(store, 7) == ["eve@example.org", "dana@example.org"]


# --- drafts -----------------------------------------------------------------------------------


def test_a_draft_is_its_browsers_and_its_targets(store: PrivateStore, clock: Hand) -> None:
    """Saved anew it replaces the old one; after thirty days it is gone."""
    drafts.save_draft(store, FORM, ABOUT, {"words": "one"})
    drafts.save_draft(store, FORM, ABOUT, {"words": "two \x00 \u202e"})
    found = drafts.draft_of(store, FORM, ABOUT)
    assert found is not None
    assert (found.typed, found.saved_at) == ({"words": "two \x00 \u202e"}, clock.now)
    assert "two" not in repr(found)
    assert drafts.draft_of(store, "another", ABOUT) is None
    assert drafts.draft_of(store, FORM, "claims/c2") is None
    clock.now += drafts.KEPT
    assert drafts.draft_of(store, FORM, ABOUT) is None


def test_a_browser_has_few_drafts(store: PrivateStore, clock: Hand) -> None:
    """The oldest goes; other browsers keep theirs."""
    drafts.save_draft(store, "another", "first", {"words": "x"})
    for count in range(drafts.MOST + 3):
        clock.now += timedelta(minutes=1)
        drafts.save_draft(store, FORM, f"target {count}", {"words": str(count)})
    kept = [n for n in range(drafts.MOST + 3) if drafts.draft_of(store, FORM, f"target {n}")]
    assert kept == list(range(3, drafts.MOST + 3))
    assert drafts.draft_of(store, "another", "first") is not None


# --- evidence ---------------------------------------------------------------------------------


def test_evidence_is_found_by_its_digest_and_its_owner(store: PrivateStore) -> None:
    """Somebody else's is not found, and what was changed behind our back is not shown."""
    owner = uploads.of_letter("a" * 64)
    digest = uploads.keep_file(store, owner, "a table.csv", b"a,b\n")
    address = uploads.keep_address(store, owner, "https://example.org/birch")
    found = uploads.evidence(store, digest, owner)
    assert found is not None
    assert (found.content, found.upload.name, found.address) == (b"a,b\n", "a table.csv", None)
    told = uploads.evidence(store, address)
    assert told is not None
    assert told.address == "https://example.org/birch"
    assert uploads.evidence(store, digest, uploads.of_letter("b" * 64)) is None
    assert uploads.evidence(store, Digest("0" * 64)) is None
    with store.write() as connection:
        connection.execute(update(uploads.uploads).values(bytes=b"a,c\n"))
    with pytest.raises(Altered):
        uploads.evidence(store, digest)


def test_the_same_file_is_kept_once_and_few_are_taken(store: PrivateStore) -> None:
    """Of one owner; another's has a digest of its own."""
    digest = uploads.keep_file(store, "draft:a:b", "x", b"one")
    assert uploads.keep_file(store, "draft:a:b", "y", b"one") == digest
    assert uploads.keep_file(store, "draft:a:c", "x", b"one") != digest
    uploads.keep_file(store, "draft:a:b", "x", b"two")
    uploads.keep_file(store, "draft:a:b", "x", b"three")
    with pytest.raises(BadValue, match="more than 3"):
        uploads.keep_file(store, "draft:a:b", "x", b"four")
    uploads.drop_upload(store, "draft:a:c", digest)
    assert uploads.evidence(store, digest) is not None
    uploads.drop_upload(store, "draft:a:b", digest)
    assert uploads.evidence(store, digest) is None
    uploads.keep_file(store, "draft:a:b", "x", b"four")


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"%PDF-1.7 ...", "application/pdf"),
        (b"\x89PNG\r\n\x1a\n....", "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"RIFF....WEBPVP8 ", "image/webp"),
        ("naïve text".encode(), "text/plain"),
        (b"<script>alert(1)</script>", "text/plain"),
        (b"", None),
        (b"  \n", None),
        (b"MZ\x90\x00\x03", None),
        (b"PK\x03\x04\x14\x00", None),
        (b"\x7fELF\x02\x01", None),
        ("utf-16".encode("utf-16"), None),
        (b"a\x00b", None),
    ],
)
def test_a_file_is_what_its_bytes_are(content: bytes, kind: str | None) -> None:
    """Whatever it is called; what a machine would run or unpack is not taken."""
    assert uploads.kind_of(content) == kind


def test_files_of_forms_that_were_never_sent_go_with_time(store: PrivateStore, clock: Hand) -> None:
    """Those of a letter stay."""
    waiting = uploads.keep_file(store, uploads.staged("f", "a"), "x", b"waits")
    sent = uploads.keep_file(store, uploads.staged("f", "b"), "x", b"is sent")
    uploads.move_uploads(store, uploads.staged("f", "b"), uploads.of_letter("a" * 64))
    clock.now += drafts.KEPT + timedelta(seconds=1)
    drafts.save_draft(store, FORM, ABOUT, {"words": "x"})
    assert uploads.evidence(store, waiting) is None
    assert uploads.evidence(store, sent) is not None


def test_what_waits_is_bounded_and_the_oldest_goes(store: PrivateStore, clock: Hand) -> None:
    """What was sent is not touched."""
    kept = []
    for count in range(4):
        clock.now += timedelta(minutes=1)
        owner = uploads.staged("f", str(count)) if count else uploads.of_letter("a" * 64)
        kept.append(uploads.keep_file(store, owner, "x", b"x" * 100))
    uploads.shed_staged(store, 250)
    assert [uploads.evidence(store, one) is not None for one in kept] == [True, False, True, True]
