"""Which letters can be printed, and what stands in the place of those that cannot."""

import re
from pathlib import Path

import pytest
from fontTools.ttLib import TTCollection, TTFont
from hypothesis import given
from hypothesis import strategies as st

from reports import fonts
from reports.fonts import FAMILIES, FontsMissing, Letters, installed, letters

STYLE = Path(fonts.__file__).parent / "static" / "paper.css"
NOTO = Path("/usr/share/fonts")


def test_the_style_sheet_names_the_same_families_in_the_same_order() -> None:
    """What the letters were looked up in is what they are printed with."""
    named = re.findall(r'"(Noto [^"]+)"', STYLE.read_text("utf-8"))
    own = [family for family in named if family != fonts.DIGITS]
    assert own == [*FAMILIES, *FAMILIES]
    assert named.count(fonts.DIGITS) == 2


@pytest.mark.parametrize("file", ["NotoSans-Regular.ttf", "NotoSansHebrew-Regular.ttf"])
def test_fontconfig_tells_what_the_font_files_hold(file: str) -> None:
    """Another library reads the same letters out of the files themselves."""
    path = next(NOTO.rglob(file))
    with TTFont(path) as font:
        held = set(font.getBestCmap())
    family = {"NotoSans-Regular.ttf": "Noto Sans"}.get(file, "Noto Sans Hebrew")
    told = {code for first, last in installed()[family].ranges for code in range(first, last + 1)}
    assert told - {0, 13} <= held


def test_chinese_japanese_and_korean_are_in_one_font() -> None:
    """The family is one of a collection, which the file has several of."""
    path = next(NOTO.rglob("NotoSansCJK-Regular.ttc"))
    with TTCollection(str(path)) as collection:
        assert len(collection.fonts) > 1
    assert letters().shown("中文 日本語 한국어") == "中文 日本語 한국어"


def test_what_no_font_has_is_spelled_and_remembered() -> None:
    """A run of such letters is told letter by letter."""
    known = letters()
    assert known.shown("a \U0001f989\U0001f99c b") == "a U+1F989 U+1F99C b"
    assert known.lacking() == ["U+1F989 OWL", "U+1F99C PARROT"]


def test_hidden_characters_are_spelled_and_not_lacking() -> None:
    """They are left unprinted by intent, and not for want of a font."""
    known = letters()
    assert known.shown("a\u202e\u200b\x07\ud800b") == "a<U+202E> <U+200B> <U+0007> <U+D800>b"
    assert known.lacking() == []


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("מודל 7B", "\u2067"),
        ("نموذج", "\u2067"),
        ("7 מודל", "\u2067"),
        ("Qwen מודל", "\u2066"),
        ("Qwen 中文", ""),
        ("7", ""),
    ],
)
def test_a_name_from_right_to_left_is_isolated(name: str, start: str) -> None:
    """It reads as it should, within bounds of its own; any other stays as it is."""
    isolated = letters().isolated(name)
    assert isolated == (f"{start}{name}\u2069" if start else name)


@given(st.text())
def test_what_is_shown_can_be_printed(text: str) -> None:
    """Showing once more changes nothing: every letter of it has a glyph."""
    known = _once()
    shown = known.shown(text)
    assert known.shown(shown) == shown


def _once(known: list[Letters] = []) -> Letters:  # noqa: B006 -- looked up once for all examples
    if not known:
        known.append(letters())
    return known[0]


def test_a_missing_font_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is printed with whatever else there may be."""
    monkeypatch.setattr(fonts, "FAMILIES", (*FAMILIES, "No Such Sans"))
    with pytest.raises(FontsMissing, match="No Such Sans"):
        installed()


def test_without_fontconfig_nothing_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The refusal says what to install."""
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(FontsMissing, match="fonts-noto-core"):
        installed()


def test_the_edition_names_every_family_with_its_version() -> None:
    """Other fonts, other bytes: so it is printed which they were."""
    edition = letters().edition
    assert all(family in edition for family in FAMILIES)
    assert re.fullmatch(r"[A-Za-z0-9 ]+ \d+\.\d{3}(, [A-Za-z0-9 ]+ \d+\.\d{3})*", edition)
