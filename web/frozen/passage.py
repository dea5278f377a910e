"""Finding, in the lines of a frozen source, the passage that a claim took its number from.

The best line has both the name and the digits as written; else the digits stand within a few lines
of the name; else whatever is there of one of them is shown. All of it is plain search, linear in
the text, and what is shown is bounded.
"""

from collections.abc import Iterable, Iterator, Sequence

import attrs

AROUND = 8
"""Lines that are shown before and after a passage."""
NEAR = 15
"""How far the digits may stand from the name and still be meant."""
MOST_PASSAGES = 5
FIRST_LINES = 60
"""What is shown of a text in which nothing was found."""
LONGEST_LINE = 1_000
DIGITS = frozenset("0123456789")

BOTH, NUMBER, NAME, NOTHING = "both", "number", "name", "nothing"


@attrs.frozen
class Quoted:
    """What a claim took from its source: the model's name and the digits, as written there."""

    name: str
    score: str


@attrs.frozen
class Piece:
    """A part of a line; ``mark`` says that it is what the claim quotes."""

    text: str
    mark: bool = False


@attrs.frozen
class Line:
    """One line, counted from 1; ``cut`` says that the rest of it is not shown."""

    number: int
    pieces: tuple[Piece, ...]
    passage: bool
    cut: bool


@attrs.frozen
class Part:
    """Neighbouring lines; ``skipped`` is how many before them are not shown."""

    skipped: int
    lines: tuple[Line, ...]


@attrs.frozen
class Excerpt:
    """What is shown of a text. ``found`` says what there is of the passage."""

    parts: tuple[Part, ...]
    found: str
    total: int

    @property
    def skipped_after(self) -> int:
        """How many lines after the last part are not shown."""
        shown = self.parts[-1].lines[-1].number if self.parts else 0
        return self.total - shown


@attrs.frozen
class Choice:
    """Which lines to show (indexes, in order), which of them are the passage, and what it has."""

    wanted: Sequence[int]
    hits: frozenset[int]
    found: str


def choose(lines: Sequence[str], quoted: Quoted | None) -> Choice:
    """The lines around the passage, or the first ones."""
    found, hits = (NOTHING, []) if quoted is None else passages(lines, quoted)
    wanted = _around(hits, len(lines)) if hits else range(min(FIRST_LINES, len(lines)))
    return Choice(wanted, frozenset(hits), found)


def excerpt(lines: Sequence[str], quoted: Quoted | None) -> Excerpt:
    """What is shown of a text."""
    choice = choose(lines, quoted)
    parts = tuple(_parts(lines, choice.wanted, choice.hits, quoted))
    return Excerpt(parts, choice.found, len(lines))


def passages(lines: Sequence[str], quoted: Quoted) -> tuple[str, list[int]]:
    """Where the passage is (indexes), and how much of it was found there."""
    numbers = [index for index, line in enumerate(lines) if number_spans(line, quoted.score)]
    names = [index for index, line in enumerate(lines) if name_spans(line, quoted.name)]
    both = sorted(set(numbers) & set(names))
    if both:
        return BOTH, both[:MOST_PASSAGES]
    near = _nearest(names, numbers)
    if near:
        return BOTH, near[: 2 * MOST_PASSAGES]
    if numbers:
        return NUMBER, numbers[:MOST_PASSAGES]
    return (NAME, names[:MOST_PASSAGES]) if names else (NOTHING, [])


def _nearest(names: Sequence[int], numbers: Sequence[int]) -> list[int]:
    """Names with the digits that stand nearest to them, where those are near enough."""
    found: set[int] = set()
    place = 0
    for name in names:
        while place + 1 < len(numbers) and abs(numbers[place + 1] - name) <= abs(
            numbers[place] - name
        ):
            place += 1
        if numbers and abs(numbers[place] - name) <= NEAR:
            found |= {name, numbers[place]}
    return sorted(found)


# --- one line ---------------------------------------------------------------------------------


def number_spans(line: str, digits: str) -> list[tuple[int, int]]:
    """Where a number stands by itself: 72.5 is not in 172.5, 72.51 or 1,72.5."""
    return [span for span in _spans(line, digits) if _stands_alone(line, *span)]


def _stands_alone(line: str, start: int, end: int) -> bool:
    before, after = line[max(0, start - 2) : start], line[end : end + 2]
    if before[-1:] in DIGITS or after[:1] in DIGITS:
        return False
    joined_before = len(before) == 2 and before[1] in ".," and before[0] in DIGITS
    joined_after = len(after) == 2 and after[0] in ".," and after[1] in DIGITS
    return not (joined_before or joined_after)


def name_spans(line: str, name: str) -> list[tuple[int, int]]:
    """Where a name stands, in whatever case."""
    found = _spans(line, name)
    lower = line.lower()
    if found or len(lower) != len(line):
        return found
    return _spans(lower, name.lower())


def _spans(line: str, wanted: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    start = line.find(wanted) if wanted else -1
    while start >= 0:
        found.append((start, start + len(wanted)))
        start = line.find(wanted, start + len(wanted))
    return found


def pieces(text: str, quoted: Quoted) -> tuple[Piece, ...]:
    """A text with what the claim quotes marked."""
    spans = sorted(number_spans(text, quoted.score) + name_spans(text, quoted.name))
    found: list[Piece] = []
    place = 0
    for start, end in spans:
        if start < place:
            continue  # the digits may be a part of the name
        found += [Piece(text[place:start]), Piece(text[start:end], mark=True)]
        place = end
    found.append(Piece(text[place:]))
    return tuple(piece for piece in found if piece.text)


# --- what is shown ----------------------------------------------------------------------------


def _around(hits: Iterable[int], total: int) -> list[int]:
    wanted: set[int] = set()
    for hit in hits:
        wanted.update(range(max(0, hit - AROUND), min(total, hit + AROUND + 1)))
    return sorted(wanted)


def _parts(
    lines: Sequence[str], wanted: Iterable[int], marked: frozenset[int], quoted: Quoted | None
) -> Iterator[Part]:
    """The wanted lines (indexes, in order) as runs of neighbours."""
    run: list[Line] = []
    end = skipped = 0
    for index in wanted:
        if run and index != end:
            yield Part(skipped, tuple(run))
            run = []
        if not run:
            skipped = index - end
        run.append(_line(lines[index], index, index in marked, quoted))
        end = index + 1
    if run:
        yield Part(skipped, tuple(run))


def _line(text: str, index: int, passage: bool, quoted: Quoted | None) -> Line:  # noqa: FBT001
    shown, cut = _shortened(text, quoted if passage else None)
    told = pieces(shown, quoted) if passage and quoted else (Piece(shown),)
    return Line(index + 1, told, passage, cut)


def _shortened(text: str, quoted: Quoted | None) -> tuple[str, bool]:
    """A long line as the part of it that matters."""
    if len(text) <= LONGEST_LINE:
        return text, False
    spans = [] if quoted is None else number_spans(text, quoted.score)
    start = max(0, spans[0][0] - LONGEST_LINE // 2) if spans else 0
    return text[start : start + LONGEST_LINE], True
