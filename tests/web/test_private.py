"""The private store keeps what people tell us, and erases it for good, on both engines."""

import hashlib
import random
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from ledger.errors import BadValue, Busy
from ledger.values import Digest
from tests.postgres import Server
from web.private import (
    LONGEST_WORDS,
    Altered,
    PrivateStore,
    PrivateUnavailable,
    StillHeld,
    open_private,
)

WORDS = "Dana Q. <dana@example.org> says that row 7 is wrong. 模型"
NEVER = Digest("0" * 64)


def files_of(path: Path) -> bytes:
    """Every byte of an SQLite database: file, WAL, index, journal."""
    return b"".join(
        file.read_bytes() for file in sorted(path.parent.glob(f"{path.name}*")) if file.is_file()
    )


# --- keeping ----------------------------------------------------------------------------------


def test_words_come_back_as_they_were(store: PrivateStore) -> None:
    """Text is kept as UTF-8, bytes as they are, also empty ones and all 256 of them."""
    assert store.words(store.keep_words(WORDS)) == WORDS.encode()
    for data in (b"", bytes(range(256)), b"\x00" * 1000):
        assert store.words(store.keep_words(data)) == data


def test_the_digest_is_over_the_nonce_and_the_bytes(
    where: str, open_store: Callable[..., PrivateStore]
) -> None:
    """What the event holds can be recomputed from what is kept, and from nothing else."""
    nonce = random.Random(0).randbytes(16)
    digest = open_store(where).keep_words("short")
    assert digest == hashlib.sha256(nonce + b"short").hexdigest()
    assert digest != hashlib.sha256(b"short").hexdigest()


def test_the_same_words_twice_have_two_digests(store: PrivateStore) -> None:
    """So nobody sees that two reports say the same, or finds a word by trying."""
    one, other = store.keep_words("no"), store.keep_words("no")
    assert one != other
    assert store.erase(one)
    assert store.words(other) == b"no"


def test_too_many_words_are_refused(store: PrivateStore) -> None:
    """The limit counts bytes, not characters."""
    assert store.keep_words(b"x" * LONGEST_WORDS)
    with pytest.raises(BadValue, match="at most 262144"):
        store.keep_words("ü" * (LONGEST_WORDS // 2) + "!")


def test_what_was_never_kept_is_not_there(store: PrivateStore) -> None:
    """Unknown looks the same as erased."""
    assert (store.words(NEVER), store.verify(NEVER), store.erase(NEVER)) == (None, None, False)
    with pytest.raises(BadValue):
        store.words(Digest("' OR 1=1"))


def test_words_outlive_the_process(where: str, open_store: Callable[..., PrivateStore]) -> None:
    """Opening again makes no new tables and loses nothing."""
    first = open_store(where)
    digest = first.keep_words(WORDS)
    first.close()
    assert open_store(where).words(digest) == WORDS.encode()


def test_altered_words_are_not_shown(store: PrivateStore, where: str) -> None:
    """The ledger holds a digest of what was said; anything else in its place is refused."""
    digest = store.keep_words(WORDS)
    assert store.verify(digest) is True
    if where.startswith("postgres"):
        with psycopg.connect(where) as connection:
            connection.execute("UPDATE private.words SET bytes = 'I am right'::bytea")
    else:
        with closing(sqlite3.connect(where)) as file, file:
            file.execute("UPDATE words SET bytes = CAST('I am right' AS BLOB)")
    assert store.verify(digest) is False
    with pytest.raises(Altered):
        store.words(digest)
    assert store.erase(digest)


def test_many_threads_keep_and_erase_at_once(store: PrivateStore) -> None:
    """Case P016: nobody's words are lost, and nobody sees half of it."""
    kept: list[tuple[Digest, bytes]] = []
    failed: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for turn in range(8):
                data = f"{number}/{turn}".encode() * 50
                digest = store.keep_words(data)
                if turn % 4:
                    kept.append((digest, data))
                else:
                    assert store.erase(digest)
        except BaseException as why:  # noqa: BLE001 -- told below, in the test's own thread
            failed.append(why)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert len(kept) == 36
    assert all(store.words(digest) == data for digest, data in kept)


# --- erasing ----------------------------------------------------------------------------------


def test_erased_words_are_gone_and_the_others_stay(store: PrivateStore) -> None:
    """Case P018: one of two persons is erased, the other is untouched."""
    reporter, vendor = store.keep_words(WORDS), store.keep_words("v@example.com")
    assert store.erase(reporter) is True
    assert (store.words(reporter), store.verify(reporter)) == (None, None)
    assert store.erase(reporter) is False
    assert store.words(vendor) == b"v@example.com"


@pytest.mark.parametrize(("seed", "longest"), [(44, 120), (57, 120), (1, 4000)])
def test_no_file_holds_what_was_erased(
    tmp_path: Path, open_store: Callable[..., PrivateStore], seed: int, longest: int
) -> None:
    """Whatever was kept before and after, of whatever size: no copy in the file, WAL or journal.

    The first two seeds fail with SQLite's secure_delete alone: rows that were moved from page to
    page leave copies of themselves behind.
    """
    path, chance = tmp_path / "private.db", random.Random(seed)
    store = open_store(str(path))
    live: dict[Digest, int] = {}
    erased: list[int] = []
    for number in range(60):
        if chance.random() < 0.65 or not live:
            words = f"MARK{number:06d}|".encode() * chance.randint(2, longest)
            live[store.keep_words(words)] = number
        else:
            digest = chance.choice(list(live))
            erased.append(live.pop(digest))
            assert store.erase(digest)
            found = files_of(path)
            assert not [one for one in erased if f"MARK{one:06d}|".encode() in found]
    assert erased
    assert all(f"MARK{one:06d}|".encode() in files_of(path) for one in live.values())


def test_postgresql_keeps_no_erased_row_in_its_tables(
    postgres_server: Server, postgres_url: str, open_store: Callable[..., PrivateStore]
) -> None:
    """A deleted row would stay in its page until somebody else needs the room."""
    store = open_store(postgres_url)
    marked = b"MARK" + random.Random(1).randbytes(12).hex().encode()
    digest, other = store.keep_words(marked), store.keep_words("another")

    def stored() -> bytes:
        name = postgres_url.rpartition("/")[2]
        with psycopg.connect(postgres_server.url(name, user="postgres")) as connection:
            connection.execute("CHECKPOINT")
            (path,) = connection.execute(
                "SELECT pg_read_binary_file(pg_relation_filepath('private.words'))"
            ).fetchone() or (b"",)
            return bytes(path)

    assert marked in stored()
    assert store.erase(digest)
    assert marked not in stored()
    assert store.words(other) == b"another"


def test_an_erasure_that_was_cut_off_is_finished_at_the_next_opening(
    tmp_path: Path, open_store: Callable[..., PrivateStore]
) -> None:
    """A reader's open transaction holds the files; the words cannot be read any more even so."""
    path = tmp_path / "private.db"
    store = open_store(str(path), 0.2)
    digest = store.keep_words(WORDS)
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM words").fetchone()
        with pytest.raises(StillHeld):
            store.erase(digest)
        assert store.words(digest) is None
        assert b"dana@example.org" in files_of(path)
        reader.execute("ROLLBACK")
    store.close()
    open_store(str(path))
    assert b"dana@example.org" not in files_of(path)


def test_erasing_once_more_finishes_it_too(
    tmp_path: Path, open_store: Callable[..., PrivateStore]
) -> None:
    """As the refusal says; there was nothing left to erase, but something to clean."""
    path = tmp_path / "private.db"
    store = open_store(str(path), 0.2)
    digest = store.keep_words(WORDS)
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM words").fetchone()
        with pytest.raises(StillHeld):
            store.erase(digest)
    assert store.erase(digest) is False
    assert b"dana@example.org" not in files_of(path)


# --- the file, and trouble --------------------------------------------------------------------


def test_only_its_owner_may_read_the_file(
    tmp_path: Path, open_store: Callable[..., PrivateStore]
) -> None:
    """The WAL as well: it holds the same words."""
    path = tmp_path / "private.db"
    open_store(str(path)).keep_words(WORDS)
    modes = {file.stat().st_mode & 0o777 for file in tmp_path.glob("private.db*")}
    assert modes == {0o600}


def test_a_writer_elsewhere_makes_it_busy_and_loses_nothing(
    tmp_path: Path, open_store: Callable[..., PrivateStore]
) -> None:
    """Case P016: "busy, try again", never "database is locked"."""
    path = tmp_path / "private.db"
    store = open_store(str(path), 0.1)
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy, match="nothing was saved, try again"):
            store.keep_words(WORDS)
    assert store.words(store.keep_words(WORDS)) == WORDS.encode()


def test_trouble_shows_no_private_word(tmp_path: Path) -> None:
    """An error's text may end up in a log."""
    store = open_private(
        tmp_path / "private.db", clock=lambda: datetime.now(UTC), nonce=lambda: b"n" * 16
    )
    with closing(sqlite3.connect(tmp_path / "private.db")) as connection:
        connection.execute("DROP TABLE words")
    with pytest.raises(PrivateUnavailable) as caught:
        store.keep_words(WORDS)
    cause: BaseException | None = caught.value
    while cause is not None:
        assert "dana" not in str(cause)
        cause = cause.__cause__
    store.close()


def test_a_nonce_has_128_bits(tmp_path: Path) -> None:
    """A short one would let somebody try all words that it could hide."""
    store = open_private(
        tmp_path / "private.db", clock=lambda: datetime.now(UTC), nonce=lambda: b"short"
    )
    with pytest.raises(ValueError, match="16 bytes"):
        store.keep_words(WORDS)
    store.close()
