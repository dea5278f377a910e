"""What every format is tried with: one small file of its own, whole and broken in every way.

A test class of a format inherits :class:`HoldsWhenBroken` and says its :class:`Sample`; the tests
that all formats share stand there once. What only one format can get wrong stands in its own file.
"""

import copy
import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attrs
import pytest
import yaml

from ledger.errors import FileRefused
from ledger.events import Statement
from ledger.importing.board import BoardFile, Target
from ledger.importing.formats.format import LOOKED_AT, Asked, Candidate, Format, Sheet
from ledger.importing.formats.rows import Metrics
from ledger.importing.formats.sheets import board_of
from ledger.importing.receipt import RefusedRow

NOW = datetime(2026, 12, 1, tzinfo=UTC)
REAL = Path(__file__).parents[4] / "shared"

NO_NUMBERS = ("NaN", "Infinity", "-Infinity", "true", '"many"', "1e999", "[1]")
JUNK: tuple[bytes, ...] = (
    b"",
    b"\xef\xbb\xbf",
    b"\xff\xfe\x00",
    b"\x00" * 100,
    b"null",
    b"3",
    b'"text"',
    b"[]",
    b"{}",
    b"[[[[",
    b"{" * 100,
    b"---\n---\n",
    b"a,b\n1,2\n",
    b"\r\n\r\n",
    b"model-index",
    b"*a: &b",
    b"\n" + b" " * 60_000 + b"x",
)

# What stands in place of a part that ought to be something else.
OTHER_KINDS: tuple[Any, ...] = (None, True, "x", "", 7, [], {}, [{}], {"x": [None]}, "\u0000")


def candidate(name: str, data: bytes | str, *folders: str) -> Candidate:
    """A file that nobody wrote down."""
    held = data.encode() if isinstance(data, str) else data
    return Candidate(name=name, folders=folders, held=held, start=held[:LOOKED_AT])


def real(*parts: str) -> Candidate:
    """A real file from beside the checkout; skips where it is not."""
    path = REAL.joinpath(*parts)
    if not path.is_file():
        pytest.skip(f"{path.name} is not beside the checkout")
    data = path.read_bytes()
    return Candidate(name=path.name, folders=parts[:-1], path=path, start=data[:LOOKED_AT])


def asked(**said: Any) -> Asked:
    """What whoever imports says; nothing by default."""
    return Asked(**{"now": NOW, **said})


# --- what a file states -----------------------------------------------------------------------

Claim = tuple[str, str, str, str, str | None]
"""(source, benchmark, key, metric, split)."""


@attrs.frozen
class Stated:
    """What a file was read to say: claim by claim, and what was refused."""

    sheets: tuple[Sheet, ...]
    says: Mapping[Claim, Statement]
    refused: tuple[RefusedRow, ...]

    @property
    def digits(self) -> list[str]:
        """All scores as written, in order."""
        return sorted(str(one.score) for one in self.says.values())

    @property
    def notes(self) -> str:
        """All notes as one text."""
        return "\n".join(note for sheet in self.sheets for note in sheet.notes)

    @property
    def why_refused(self) -> str:
        """All refusals as one text."""
        return "\n".join(str(one) for one in self.refused)

    def one(self, **parts: object) -> Statement:
        """The only statement whose fields are these; ``key`` is the row's key."""
        found = [
            says
            for (_, _, key, _, _), says in self.says.items()
            if all((key if n == "key" else getattr(says, n)) == v for n, v in parts.items())
        ]
        assert len(found) == 1, (parts, found)
        return found[0]


def stated(form: Format, file: Candidate, **said: Any) -> Stated:
    """What a file states, read by a format and then by the rules that hold for all rows."""
    told = asked(**said)
    sheets = tuple(form.sheets(file, told))
    says: dict[Claim, Statement] = {}
    refused: list[RefusedRow] = []
    for sheet in sheets:
        read, target = board(form, sheet, file, told)
        refused += read.refused
        for key, statements in read.statements.items():
            for one in statements:
                claim = (target.source, target.benchmark, key, one.metric, one.split)
                assert claim not in says, claim
                says[claim] = one
    return Stated(sheets, says, tuple(refused))


def board(form: Format, sheet: Sheet, file: Candidate, said: Asked) -> tuple[BoardFile, Target]:
    """A sheet as the importer takes it, for a real ledger."""
    return board_of(sheet, file, said, Metrics(), form=form.name)


def refusal(form: Format, file: Candidate, **said: Any) -> str:
    """Why a file is refused as a whole; a test that gets here demands that it is."""
    with pytest.raises(FileRefused) as refused:
        stated(form, file, **said)
    assert file.name in str(refused.value)
    return str(refused.value)


def refused_somehow(form: Format, file: Candidate, **said: Any) -> tuple[str, Stated | None]:
    """Why a file or a row of it is refused, and what still stands of it."""
    try:
        still = stated(form, file, **said)
    except FileRefused as why:
        return str(why), None
    assert still.refused, "nothing was refused"
    return still.why_refused, still


# --- what all formats hold to -----------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Sample:
    """A small file of a format, made up: whole, right, and with a name that has an accent.

    ``score`` are digits that stand in the text once and end in a zero; ``twice`` is the same file
    with one of its rows twice, the second time with other digits. ``cut_shows`` is false where a
    file that breaks off may still be a whole one (a list in YAML, lines of CSV).
    """

    form: Format
    name: str
    text: str
    score: str
    twice: str
    folders: tuple[str, ...] = ()
    said: Mapping[str, Any] = attrs.field(factory=dict)
    cut_shows: bool = True
    null: str = "null"
    no_numbers: Iterable[str] = NO_NUMBERS

    def file(self, text: str | bytes | None = None) -> Candidate:
        """The sample, or another text in its place."""
        return candidate(self.name, self.text if text is None else text, *self.folders)

    def read(self, text: str | bytes | None = None) -> Stated:
        """What it states."""
        return stated(self.form, self.file(text), **self.said)

    def with_score(self, written: str) -> str:
        """The text with something else in place of the score."""
        assert self.text.count(self.score) == 1
        return self.text.replace(self.score, written)


class HoldsWhenBroken:
    """A whole file is read digit by digit; a broken one is refused, or its other rows stand."""

    sample: Sample

    def test_the_whole_file_is_known_and_its_digits_stand(self) -> None:
        """The format says why it is of its kind, and ``72.50`` stays ``72.50``."""
        why = self.sample.form.known_by(self.sample.file())
        read = self.sample.read()
        assert why
        assert "\n" not in why
        assert self.sample.score.endswith("0")
        assert read.digits.count(self.sample.score) == 1
        assert not read.refused

    def test_reading_it_again_gives_the_same(self) -> None:
        """Keys and everything else follow from the file alone."""
        assert self.sample.read() == self.sample.read()

    def test_a_file_that_breaks_off_is_refused(self) -> None:
        """Wherever it was cut; where that cannot be seen, nothing but a refusal comes of it."""
        whole = self.sample.text.encode().rstrip()
        for part in range(1, 8):
            cut = self.sample.file(whole[: len(whole) * part // 8])
            self.sample.form.known_by(cut)
            if self.sample.cut_shows:
                refusal(self.sample.form, cut, **self.sample.said)
                continue
            try:
                stated(self.sample.form, cut, **self.sample.said)
            except FileRefused as why:
                assert self.sample.name in str(why)  # noqa: PT017 -- it may also be whole

    def test_null_states_nothing(self) -> None:
        """A row without a number is no claim, and no fault."""
        read = self.sample.read(self.sample.with_score(self.sample.null))
        whole = self.sample.read()
        assert not read.refused
        assert len(read.says) == len(whole.says) - 1
        assert set(read.says) < set(whole.says)

    def test_what_is_no_number_is_refused_with_its_field(self) -> None:
        """NaN, infinities, truth values, words, lists, and exponents beyond reason."""
        whole = self.sample.read()
        for written in self.sample.no_numbers:
            text = self.sample.with_score(written)
            why, still = refused_somehow(
                self.sample.form, self.sample.file(text), **self.sample.said
            )
            assert "score" in why or "value" in why or "number" in why, (written, why)
            if still is not None:
                assert set(still.says) < set(whole.says), written
                assert all(whole.says[claim] == says for claim, says in still.says.items())

    def test_a_row_that_stands_twice_is_refused(self) -> None:
        """Of two numbers for one claim none is picked."""
        why, still = refused_somehow(
            self.sample.form, self.sample.file(self.sample.twice), **self.sample.said
        )
        assert "twice" in why or "too" in why
        assert still is None or len(still.says) < len(self.sample.read().says)

    def test_a_byte_order_mark_and_other_line_ends_change_nothing(self) -> None:
        """They are how a file was saved, not what it says."""
        whole = self.sample.read()
        with_mark = b"\xef\xbb\xbf" + self.sample.text.encode()
        with_returns = self.sample.text.replace("\n", "\r\n")
        for text in (with_mark, with_returns):
            assert self.sample.form.known_by(self.sample.file(text))
            assert self.sample.read(text).says == whole.says

    def test_latin_1_is_refused_with_the_byte(self) -> None:
        """It would give other names."""
        why = refusal(
            self.sample.form,
            self.sample.file(self.sample.text.encode("latin-1")),
            **self.sample.said,
        )
        assert "UTF-8" in why
        assert "byte" in why

    def test_a_name_in_another_normalisation_is_kept_as_written(self) -> None:
        """It is the same name to whoever looks it up, and its bytes are those of the file."""
        assert not self.sample.text.isascii()
        apart = unicodedata.normalize("NFD", self.sample.text)
        assert apart != self.sample.text
        read, whole = self.sample.read(apart), self.sample.read()
        assert not read.refused
        assert read.digits == whole.digits

    def test_junk_is_never_taken_for_it_and_never_raises(self) -> None:
        """To look at a file is safe, whatever is in it; to read it is a refusal."""
        for junk in JUNK:
            file = candidate(self.sample.name, junk)
            assert self.sample.form.known_by(file) is None, junk
            refusal(self.sample.form, file, **self.sample.said)


class HoldsWhenMixedUp:
    """The same for a format in JSON or YAML, of which any part may be of another kind."""

    sample: Sample

    def test_a_part_of_another_kind_is_refused_or_kept(self) -> None:
        """Whatever stands where, nothing comes of it but claims of the whole file and refusals."""
        tried = 0
        for text in _mixed_up(self.sample):
            tried += 1
            file = self.sample.file(text)
            self.sample.form.known_by(file)
            try:
                stated(self.sample.form, file, **self.sample.said)
            except FileRefused as why:
                assert self.sample.name in str(why)  # noqa: PT017 -- it may also be kept
        assert tried > 50

    def test_a_part_that_is_missing_is_refused_or_not_missed(self) -> None:
        """The same for parts that are left out."""
        for text in _mixed_up(self.sample, (MISSING,)):
            try:
                stated(self.sample.form, self.sample.file(text), **self.sample.said)
            except FileRefused as why:
                assert self.sample.name in str(why)  # noqa: PT017 -- it may not be needed


MISSING = object()


def _mixed_up(sample: Sample, instead: Iterable[Any] = OTHER_KINDS) -> Iterator[str]:
    """The sample with each of its parts changed to each other thing."""
    is_json = sample.name.endswith(("json", "jsonl"))
    fenced = sample.text.startswith("---")
    body = sample.text.split("---")[1] if fenced else sample.text
    whole = json.loads(body) if is_json else yaml.safe_load(body)
    for place in _places(whole):
        for other in instead:
            changed = _changed(whole, place, other)
            text = json.dumps(changed) if is_json else yaml.safe_dump(changed, sort_keys=False)
            yield f"---\n{text}---\n" if fenced else text


def _places(content: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where parts stand, each as the keys and places that lead there."""
    if above:
        yield above
    keys = range(len(content)) if isinstance(content, list) else content
    if isinstance(content, list | dict):
        for key in keys:
            yield from _places(content[key], (*above, key))


def _changed(content: Any, place: tuple[Any, ...], other: Any) -> Any:
    whole = copy.deepcopy(content)
    within = whole
    for key in place[:-1]:
        within = within[key]
    if other is MISSING:
        del within[place[-1]]
    else:
        within[place[-1]] = other
    return whole
