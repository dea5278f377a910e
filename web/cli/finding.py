"""Which files a run of imports takes, in which order, and what each is read as.

Records come first, since they say what boards stand on; the other files are taken in the order of
their names. Folders are walked with those in them, so far and no further.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs
import orjson

from ledger.errors import FileRefused, Refused
from ledger.importing.formats.every import FORMATS, Choice, NoFormatKnows, chosen
from ledger.importing.formats.format import Candidate
from ledger.importing.formats.snapshot import SNAPSHOT

RECORDS, AUTO = "records", "auto"
RECORDS_ENDING = ".jsonl"
MOST_FILES = 20_000
DEEPEST_FOLDER = 12
NOT_HIDDEN = (".eval_results",)
"""Folders with a dot before their name that hold results all the same."""
MAPPING_ENDING = ".mapping.yaml"
"""What the names of drafted mappings end in; they say how to read the file beside them."""


@attrs.frozen
class Wanted:
    """A file, and what it is read as (``None`` for records) or why it cannot be.

    ``unknown``: no format knows it, but its ending is one of ours; so it is tried as such.
    """

    file: Candidate
    reading: Choice | Refused | None
    unknown: NoFormatKnows | None = None

    @property
    def is_records(self) -> bool:
        """Whether it holds our own records."""
        return self.reading is None

    @property
    def is_snapshot(self) -> bool:
        """Whether it is known as one of our own tables, which cannot say what they are about."""
        reading = self.reading
        is_ours = isinstance(reading, Choice) and reading.format is SNAPSHOT
        return is_ours and self.unknown is None


def found_in(
    places: Sequence[Path], form: str | None, instead: Choice | None = None
) -> tuple[list[Wanted], int]:
    """The files in the order in which they are taken, and how many in folders are of no format.

    ``instead`` is how all of them are read, where that is settled already.
    """
    wanted: list[Wanted] = []
    passed_over = 0
    for place in dict.fromkeys(places):
        inside = list(_inside(place)) if place.is_dir() else [(place, ())]
        taken = [_wanted(path, folders, form, instead) for path, folders in inside]
        if place.is_dir():
            known = [one for one in taken if not isinstance(one.reading, NoFormatKnows)]
            passed_over += len(taken) - len(known)
            taken = known
        if not taken:
            raise FileRefused(file=place, why=f"no file in it ends in {', '.join(endings())}")
        wanted += taken
    once = {one.file.path or id(one): one for one in wanted}
    return sorted(once.values(), key=_turn), passed_over


def endings() -> list[str]:
    """What the names of files end in that some format may know."""
    found = dict.fromkeys(ending for one in FORMATS for ending in one.endings)
    return [*found, *([] if RECORDS_ENDING in found else [RECORDS_ENDING])]


def _turn(one: Wanted) -> tuple[bool, str, str]:
    return (not one.is_records, one.file.name, str(one.file.path))


def _inside(top: Path) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """The files in a folder and those in it, with their folders; nothing hidden, no links."""
    known = tuple(endings())
    waiting: list[tuple[Path, tuple[str, ...]]] = [(top, ())]
    count = 0
    while waiting:
        folder, above = waiting.pop()
        for one in _listed(folder):
            if one.name.startswith(".") and one.name not in NOT_HIDDEN:
                continue
            if one.is_dir() and not one.is_symlink():
                if len(above) >= DEEPEST_FOLDER:
                    why = f"folders in it nest more than {DEEPEST_FOLDER} deep"
                    raise FileRefused(file=top, why=why)
                waiting.append((one, (*above, one.name)))
            elif one.name.endswith(MAPPING_ENDING):
                continue
            elif one.name.lower().endswith(known) and one.is_file():
                count += 1
                if count > MOST_FILES:
                    why = f"more than {MOST_FILES} files are in it; import it in parts"
                    raise FileRefused(file=top, why=why)
                yield one, above


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as why:
        raise FileRefused(file=folder, why=why.strerror or "it cannot be read") from None


def _wanted(
    path: Path, folders: tuple[str, ...], form: str | None, instead: Choice | None
) -> Wanted:
    """One file and what it is read as."""
    try:
        file = Candidate.at(path, folders)
    except Refused as why:
        return Wanted(Candidate(name=path.name, folders=folders, path=path, start=b""), why)
    if instead is not None:
        return Wanted(file, instead)
    if form == RECORDS or (form is None and _holds_records(file)):
        return Wanted(file, None)
    try:
        return Wanted(file, chosen(file, form))
    except NoFormatKnows as why:
        if f".{file.ending}" == RECORDS_ENDING:
            return Wanted(file, None)
        if f".{file.ending}" in SNAPSHOT.endings:
            return Wanted(file, Choice(SNAPSHOT, "no other format knows it"), why)
        return Wanted(file, why)
    except Refused as why:
        return Wanted(file, why)


def _holds_records(file: Candidate) -> bool:
    """Whether the first line of a file is one of our own records."""
    if f".{file.ending}" != RECORDS_ENDING:
        return False
    try:
        first = orjson.loads(file.start.removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0])
    except orjson.JSONDecodeError:
        return False
    return isinstance(first, dict) and "record" in first
