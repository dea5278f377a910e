"""What is not dumped, and which dumps are not restored: damaged, forged with care, or huge."""

import gzip
import io
import shutil
import tarfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import attrs
import orjson
import pytest

from ledger.archive import Archive
from ledger.dumping.carried import FromStore, LogLine
from ledger.dumping.reading import check_dump
from ledger.dumping.shape import DumpRefused
from ledger.dumping.writing import open_writer
from ledger.store import open_store
from ledger.store.seals import Sealed, StoredKey
from ledger.store.whole import WholeRow
from tests.web.corrigenda import Corrigenda
from tests.web.dumps import QUICK, dumped, new, stored_in
from tests.web.tampered import Tampered
from web.moving.clean import clean_unless_done
from web.wiring import random_salt, utc_now

__all__ = ["dumped", "new"]


def test_a_home_with_a_ledger_is_never_restored_over(
    tampered: Tampered, dumped: Path, corrigenda: Corrigenda
) -> None:
    """Neither one with events nor one that was only begun; both stay as they were."""
    before = stored_in(tampered.home / "ledger.db")
    assert "its last position is 308" in tampered.corrigenda.refused("restore", str(dumped))
    assert "begun with a key" in corrigenda.refused("restore", str(dumped))
    assert stored_in(tampered.home / "ledger.db") == before
    assert corrigenda.json("verify", QUICK)["holds"] is True


def test_a_ledger_that_does_not_hold_is_not_dumped(tampered: Tampered, tmp_path: Path) -> None:
    """It could not be restored; a dump that was there stays."""
    file = tmp_path / "wrens.tar.gz"
    file.write_bytes(b"the last good one")
    tampered.alter("UPDATE events SET topic = 'lab-registered/1' WHERE rowid = 3")
    assert "nothing was dumped: the row at position 3" in tampered.corrigenda.refused(
        "dump", str(file)
    )
    assert file.read_bytes() == b"the last good one"
    assert [path.name for path in tmp_path.iterdir() if "tar" in path.name] == [file.name]


def test_a_damaged_archive_is_not_dumped(tampered: Tampered, tmp_path: Path) -> None:
    """Whether a file is another one or is gone."""
    archive = Archive(tampered.home / "archive")
    digest = next(archive.digests())
    path = tampered.home / "archive" / digest[:2] / digest[2:4] / digest
    path.chmod(0o644)
    path.write_bytes(b"something else")
    assert "no longer has the SHA-256" in tampered.corrigenda.refused("dump", str(tmp_path / "a"))
    path.unlink()
    assert digest in tampered.corrigenda.refused("dump", str(tmp_path / "a"))
    assert not list(tmp_path.glob("*a"))


def test_a_dump_that_was_damaged_is_refused_and_leaves_nothing(
    dumped: Path, new: Corrigenda, tmp_path: Path
) -> None:
    """Cut off anywhere, a byte changed anywhere, or something behind its end."""
    whole, random = dumped.read_bytes(), Random(308)
    damaged = [whole[: random.randrange(len(whole))] for _ in range(12)]
    damaged += [whole[:-1], whole[:-8], b"", whole + b"more", whole + whole]
    for _ in range(12):
        # Behind gzip's own header, of which some bytes say nothing.
        place = random.randrange(10, len(whole))
        damaged.append(whole[:place] + bytes([whole[place] ^ 0x41]) + whole[place + 1 :])
    file, archive = tmp_path / "damaged.tar.gz", Archive(tmp_path / "archive")
    for data in damaged:
        file.write_bytes(data)
        with pytest.raises(DumpRefused):
            check_dump(file, archive, lambda *_: None)
    new.home.parent.mkdir()
    assert "nothing was recorded" in new.refused("restore", str(file))
    assert not new.home.exists()


HUGE = 1 << 40
KINDS: dict[str, bytes] = {
    "extended header": tarfile.XHDTYPE,
    "global header": tarfile.XGLTYPE,
    "long name": tarfile.GNUTYPE_LONGNAME,
    "long link": tarfile.GNUTYPE_LONGLINK,
    "sparse file": tarfile.GNUTYPE_SPARSE,
    "symbolic link": tarfile.SYMTYPE,
    "hard link": tarfile.LNKTYPE,
    "device": tarfile.CHRTYPE,
    "pipe": tarfile.FIFOTYPE,
    "folder": tarfile.DIRTYPE,
    "unknown": b"Z",
}


@pytest.mark.parametrize("place", ["first", "second"])
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_dump_holds_plain_files_alone(tmp_path: Path, kind: bytes, place: str) -> None:
    """What says otherwise is refused by its head: nothing of its size is read, nor made."""
    file, archive = tmp_path / "odd.tar.gz", Archive(tmp_path / "archive")
    plain, odd = tarfile.TarInfo("events/00000001.jsonl"), tarfile.TarInfo("../../odd")
    odd.type, odd.size, odd.linkname = kind, HUGE, "/etc/passwd"
    heads = plain.tobuf() if place == "second" else b""
    file.write_bytes(gzip.compress(heads + odd.tobuf(tarfile.GNU_FORMAT) + bytes(20_480)))
    with pytest.raises(DumpRefused, match="in it is no plain file"):
        check_dump(file, archive, lambda *_: None)
    assert not archive.folder.exists()
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_one_restore_at_a_time_has_a_home(dumped: Path, new: Corrigenda) -> None:
    """The one that is refused takes nothing away that the other has brought by then."""
    with clean_unless_done(new.home):
        (new.home / "archive").mkdir()
        assert "being filled by another command" in new.refused("restore", str(dumped))
        assert [path.name for path in new.home.iterdir()] == ["archive"]
    new.done("restore", str(dumped))


@attrs.frozen
class Altered(FromStore):
    """A ledger that somebody alters on its way, with all digests made anew."""

    alter: Callable[[list[WholeRow]], list[WholeRow]] = list
    alter_log: Callable[[list[LogLine]], list[LogLine]] = list

    def events(self) -> Iterator[Sequence[WholeRow]]:
        """What they make of the events."""
        rows: list[WholeRow] = [tuple(row) for some in super().events() for row in some]  # type: ignore[misc]
        yield self.alter(rows)

    def log(self) -> Iterator[LogLine]:
        """What they make of the log."""
        yield from self.alter_log(list(super().log()))


def changed(rows: list[WholeRow]) -> list[WholeRow]:
    position, stream, version, name, stored = rows[4]
    return [
        *rows[:4],
        (position, stream, version, name, stored.replace(b"Wren", b"Robin")),
        *rows[5:],
    ]


def swapped(rows: list[WholeRow]) -> list[WholeRow]:
    one, other = rows[10], rows[11]
    return [*rows[:10], (one[0], *other[1:]), (other[0], *one[1:]), *rows[12:]]


def twice(rows: list[WholeRow]) -> list[WholeRow]:
    return [*rows, (rows[-1][0] + 1, *rows[-1][1:])]


def other_root(lines: list[LogLine]) -> list[LogLine]:
    last = lines[-1]
    assert isinstance(last, Sealed)
    return [*lines[:-1], attrs.evolve(last, root=bytes(32))]


FORGERIES: dict[str, tuple[dict[str, Any], str]] = {
    "an event says something else": ({"alter": changed}, "nothing was recorded"),
    "two events are swapped": ({"alter": swapped}, "nothing was recorded"),
    "the last events are cut off": ({"alter": lambda rows: rows[:300]}, "nothing was recorded"),
    "an event in the middle is gone": (
        {"alter": lambda rows: [*rows[:290], *rows[291:]]},
        "nothing was recorded",
    ),
    "an event stands there twice": ({"alter": twice}, "cannot be stored"),
    "positions fall": ({"alter": lambda rows: rows[::-1]}, "does not lie behind"),
    "a position moved": (
        {"alter": lambda rows: [*rows[:-1], (400, *rows[-1][1:])]},
        "nothing was recorded",
    ),
    "a checkpoint has another root": ({"alter_log": other_root}, "nothing was recorded"),
    "a checkpoint stands there twice": (
        {"alter_log": lambda lines: [*lines, lines[-1]]},
        "cannot be stored",
    ),
    "there is no log": ({"alter_log": lambda _: []}, "nothing was recorded"),
}


@pytest.mark.parametrize(("how", "why"), FORGERIES.values(), ids=FORGERIES)
def test_a_dump_that_was_forged_with_care_is_refused(
    tampered: Tampered, new: Corrigenda, how: dict[str, Any], why: str
) -> None:
    """All its digests fit; what was signed does not lead to it. Nothing is left behind."""
    file = tampered.home.parent / "forged.tar.gz"
    where = tampered.home / "ledger.db"
    with closing(open_store(where, clock=utc_now, salt=random_salt)) as store:
        forge(file, lambda whole: Altered(whole, **how), store, Archive(tampered.home / "archive"))
    new.home.parent.mkdir()
    assert why in new.refused("restore", str(file))
    assert not new.home.exists()


def resigned(kind: type, **fields: Any) -> Callable[[list[LogLine]], list[LogLine]]:
    """What makes the first line of a kind say something else."""

    def alter(lines: list[LogLine]) -> list[LogLine]:
        at = next(at for at, line in enumerate(lines) if isinstance(line, kind))
        return [*lines[:at], attrs.evolve(lines[at], **fields), *lines[at + 1 :]]

    return alter


@pytest.mark.parametrize(
    "alter",
    [
        resigned(StoredKey, size=1),
        resigned(StoredKey, size=2**63),
        resigned(StoredKey, size=0.0),
        resigned(StoredKey, size="0"),
        resigned(StoredKey, number=None),
        resigned(StoredKey, number=True),
        resigned(StoredKey, number=2),
        resigned(StoredKey, number=[]),
        resigned(StoredKey, verifier={}),
        resigned(StoredKey, tie="a tie to none"),
        resigned(Sealed, size=None),
        resigned(Sealed, size=-1),
        resigned(Sealed, position=[]),
        resigned(Sealed, note=5),
    ],
)
def test_a_line_of_the_log_that_says_something_odd_is_refused(
    tampered: Tampered, tmp_path: Path, alter: Callable[[list[LogLine]], list[LogLine]]
) -> None:
    """By its types, and by what a first key begins with, as nothing signs that."""
    file, where = tmp_path / "odd.tar.gz", tampered.home / "ledger.db"
    with closing(open_store(where, clock=utc_now, salt=random_salt)) as store:
        archive = Archive(tmp_path / "archive")
        forge(file, lambda whole: Altered(whole, alter_log=alter), store, archive)
    with pytest.raises(DumpRefused, match="neither a key nor a checkpoint"):
        check_dump(file, archive, lambda *_: None)


def test_frozen_bytes_that_are_missing_are_found_out(tampered: Tampered, new: Corrigenda) -> None:
    """A reading without its snapshot is nothing to decide by."""
    file = tampered.home.parent / "forged.tar.gz"
    where = tampered.home / "ledger.db"
    with closing(open_store(where, clock=utc_now, salt=random_salt)) as store:
        forge(file, FromStore, store, Archive(tampered.home / "no-archive"))
    new.home.parent.mkdir()
    assert "nothing was recorded" in new.refused("restore", str(file))
    assert not new.home.exists()


def test_a_key_of_another_log_is_found_out(
    dumped: Path, corrigenda: Corrigenda, new: Corrigenda
) -> None:
    """Before anything could be signed with it; the file itself stays where it is."""
    new.home.mkdir(parents=True)
    shutil.copy2(corrigenda.home / "checkpoint.key", new.home)
    assert "nothing was recorded" in new.refused("restore", str(dumped))
    assert [path.name for path in new.home.iterdir()] == ["checkpoint.key"]


def forge(file: Path, carried: Callable[[Any], FromStore], store: Any, archive: Archive) -> None:
    """A dump with digests that fit."""
    out = io.BytesIO()
    with open_writer(out) as writer:
        with store.whole() as whole:
            writer.ledger(carried(whole), lambda *_: None)
        writer.archive(archive, lambda *_: None)
        contents = writer.end("0")
    assert orjson.loads(contents.encoded())["format"] == "corrigenda-dump/1"
    file.write_bytes(out.getvalue())
