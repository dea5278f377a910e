"""Which letters the fonts have that paper is printed with, so that no page ever shows a box.

The fonts are Debian's Noto packages, by family name, in the order in which the style sheet names
them. fontconfig is asked which letters each has, as it is what the layout asks too. A letter that
none of them has, and whatever would steer the reader's eye unseen (control and bidirectional
characters), is printed as its code point; what no font has is named in a note besides.
"""

import re
import subprocess
import unicodedata
from collections.abc import Iterable, Iterator, Mapping

import attrs

from ledger.errors import Refused

FAMILIES = (
    "Noto Sans",
    "Noto Sans Math",
    "Noto Sans Symbols",
    "Noto Sans Symbols2",
    "Noto Sans Hebrew",
    "Noto Sans Arabic",
    "Noto Sans Armenian",
    "Noto Sans Georgian",
    "Noto Sans Devanagari",
    "Noto Sans Thai",
    "Noto Sans CJK SC",
)
DIGITS = "Noto Sans Mono"
"""The family of digests and commands; what it lacks comes from the others."""

HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
SPACES = "\n\t"
LEFT_TO_RIGHT, RIGHT_TO_LEFT, END = "\u2066", "\u2067", "\u2069"
LONGEST_LIST = 400
PATIENCE = 60.0
"""Seconds; the first time fontconfig looks through every font of the machine."""


class FontsMissing(Refused):
    """Nothing was printed, as these fonts are not installed: {missing}. Debian has them in
    fonts-noto-core, fonts-noto-cjk and fonts-noto-mono; make set-up installs them."""


@attrs.frozen
class Font:
    """A family as it is installed: its version, and its letters as ranges of code points."""

    version: str
    ranges: tuple[tuple[int, int], ...]


@attrs.define
class Letters:
    """Prints text with the fonts there are, and remembers what they lack."""

    fonts: Mapping[str, Font]
    missing: set[str] = attrs.field(factory=set)
    _odd: re.Pattern[str] = attrs.field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self._odd = re.compile(f"[^{''.join(_class_of(self.fonts.values()))}{SPACES}]+")

    def shown(self, text: str) -> str:
        """The text with code points in the place of what cannot, or must not, be printed."""
        return self._odd.sub(self._spelled, text)

    def _spelled(self, found: re.Match[str]) -> str:
        said = []
        for letter in found[0]:
            if unicodedata.category(letter) in HIDDEN:
                said.append(f"<U+{ord(letter):04X}>")
            else:
                self.missing.add(letter)
                said.append(f"U+{ord(letter):04X}")
        return " ".join(said)

    def isolated(self, text: str) -> str:
        """The same, so that what has letters from right to left reads as it should, and turns
        nothing around it: in the isolates of UAX 9, which have no width."""
        shown = self.shown(text)
        start = "" if shown.isascii() else _direction(shown)
        return f"{start}{shown}{END}" if start else shown

    def lacking(self) -> list[str]:
        """What the fonts lacked, by code point, with its Unicode name."""
        return [
            f"U+{ord(letter):04X} {unicodedata.name(letter, 'without a name in Unicode')}"
            for letter in sorted(self.missing)[:LONGEST_LIST]
        ]

    @property
    def edition(self) -> str:
        """Which fonts these are; other versions give other bytes."""
        return ", ".join(f"{family} {font.version}" for family, font in self.fonts.items())


def _direction(text: str) -> str:
    """How a text with letters from right to left is begun, by its first letter that has a
    direction; nothing for any other text."""
    strong = [one for one in map(unicodedata.bidirectional, text) if one in ("L", "R", "AL")]
    if not set(strong) & {"R", "AL"}:
        return ""
    return LEFT_TO_RIGHT if strong[0] == "L" else RIGHT_TO_LEFT


def letters() -> Letters:
    """The letters of the installed fonts. Raises :class:`FontsMissing`."""
    return Letters(installed())


def installed() -> Mapping[str, Font]:
    """Our families as fontconfig knows them, in our order. Raises :class:`FontsMissing`."""
    wanted = (*FAMILIES, DIGITS)
    found: dict[str, Font] = {}
    for line in _listed().splitlines():
        families, style, version, charset = line.split("\t")
        for family in families.split(","):
            if family in wanted and "Regular" in style.split(","):
                found.setdefault(family, Font(_version(version), tuple(_ranges(charset))))
    missing = [family for family in wanted if family not in found]
    if missing:
        raise FontsMissing(missing=", ".join(missing))
    return {family: found[family] for family in wanted}


def _listed() -> str:
    form = r"%{family}\t%{style}\t%{fontversion}\t%{charset}\n"
    order = ["fc-list", "--format", form, ":", "family", "style", "fontversion", "charset"]
    try:
        done = subprocess.run(  # noqa: S603 -- a fixed order
            order, capture_output=True, timeout=PATIENCE, check=True
        )
    except (OSError, subprocess.SubprocessError):
        raise FontsMissing(missing="fontconfig's own fc-list") from None
    # Sorted, as fontconfig lists files in the order of the disk.
    return "\n".join(sorted(done.stdout.decode("utf-8", "replace").splitlines()))


def _version(fixed: str) -> str:
    """OpenType's 16.16 number as people write it: 131334 → 2.004."""
    return f"{int(fixed) / 65536:.3f}"


def _ranges(charset: str) -> Iterator[tuple[int, int]]:
    for part in charset.split():
        first, _, last = part.partition("-")
        yield int(first, 16), int(last or first, 16)


def _class_of(fonts: Iterable[Font]) -> Iterator[str]:
    """The letters of the fonts as a class of a regular expression, without what is hidden."""
    covered = {code for font in fonts for one, last in font.ranges for code in range(one, last + 1)}
    kept = sorted(code for code in covered if unicodedata.category(chr(code)) not in HIDDEN)
    start = previous = None
    for code in kept:
        if previous is None or code != previous + 1:
            if start is not None:
                yield f"\\U{start:08x}-\\U{previous:08x}"
            start = code
        previous = code
    if start is not None:
        yield f"\\U{start:08x}-\\U{previous:08x}"
