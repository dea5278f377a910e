"""Paper of what nobody expects: long, foreign, hidden, hostile; nothing runs off the page."""

from datetime import UTC, datetime
from typing import Any

import pytest

from reports.fonts import letters
from reports.paper.document import paper_of
from reports.paper.sections import LETTERS, sections_of
from reports.pdf import pdf_of
from reports.pdf.weasy import AskedForMore, LeftOut, printed
from reports.render import Printer
from tests.reports.papers import Printed, bundle_of, outside, run_together, texts
from tests.reports.papers import printed as paper_with
from tests.reports.shop import Shop

LONG = "Nightingale" * 27  # no hyphen, as PDFium takes one at the end of a line for its own
HASH = "0123456789abcdef" * 8
NAMES = {
    "Greek": "Ελληνικό μοντέλο",
    "Cyrillic": "Українська модель",
    "Hebrew": "מודל עברי 7B",
    "Arabic": "نموذج عربي 13B",
    "Chinese": "中文模型",
    "Japanese": "日本語モデル",
    "Korean": "한국어 모델",
    "symbols": "∑ model → ★ ½ ≥ \N{DOUBLE-STRUCK CAPITAL R} ☂",
}
NOTE = "\n".join(f"Paragraph {number}: {'words that go on and on ' * 8}" for number in range(200))


def changed(shop: Shop, kind: str, name: str) -> Any:
    """A bundle's document with a name of our own in the place of a model's."""
    bundle = bundle_of(shop, kind)
    data = bundle.data.decode().replace("Qwen1.5-72B", name)
    return paper_document(data)


def paper_document(data: str) -> Any:
    """A document out of text."""
    return Printed(data.encode(), b"").document


@pytest.mark.parametrize("script", NAMES)
def test_a_name_in_any_script_is_printed_with_real_letters(script: str) -> None:
    """Every letter has a glyph, so nothing is spelled as a code point."""
    known = letters()
    assert known.shown(NAMES[script]) == NAMES[script]
    assert known.lacking() == []


def test_names_in_all_scripts_come_out_whole(shop: Shop) -> None:
    """They can be found in the PDF, right-to-left ones within their own row."""
    document = bundle_document(shop)
    for row, name in zip(document["shows"]["rows"], NAMES.values(), strict=False):
        row["model"]["name"] = name
    rest = list(NAMES.values())[len(document["shows"]["rows"]) :]
    for row, name in zip(document["shows"]["unranked"], rest, strict=False):
        row["model"]["name"] = name
    made = paper_with(document)
    text = run_together(made.pdf)
    shown = [name for name in NAMES.values() if not is_right_to_left(name)]
    assert all("".join(name.split()) in text for name in shown)
    assert outside(made.pdf) == []
    # A right-to-left name does not take the number beside it along.
    assert "26.8%" in text


def bundle_document(shop: Shop) -> Any:
    """The document of a board."""
    return paper_document(bundle_of(shop, "board").data.decode())


def is_right_to_left(name: str) -> bool:
    """Whether PDFium may give its letters back in another order."""
    return any("\u0590" <= letter <= "\u06ff" for letter in name)


def test_long_names_hashes_and_notes_stay_on_the_page(shop: Shop) -> None:
    """A name of 300 letters, a digest of 128 digits, a note of 200 paragraphs."""
    document = changed(shop, "correction", LONG)
    document["shows"]["statement"] = NOTE
    document["shows"]["snapshot"] = HASH
    for decision in document["decisions"]:
        decision["snapshot"] = HASH
    for snapshot in document["snapshots"]:
        snapshot["sha256"] = HASH
    made = paper_with(document)
    text = run_together(made.pdf)
    assert outside(made.pdf) == []
    assert LONG in text
    assert HASH in text
    assert all(f"Paragraph{number}:" in text for number in range(200))


def test_a_long_name_is_cut_in_the_head_of_pages_alone(shop: Shop) -> None:
    """The title has all of it; the running header ends where there is room."""
    made = paper_with(changed(shop, "claim", LONG))
    assert LONG in "".join(texts(made.pdf)[0].split())
    assert outside(made.pdf) == []


def test_what_no_font_has_is_spelled_and_named(shop: Shop) -> None:
    """An emoji becomes its code point, and a note says which letters that happened to."""
    made = paper_with(changed(shop, "board", "Owl \U0001f989 model"))
    text = "\n".join(texts(made.pdf))
    assert "Owl U+1F989" in text
    assert "U+1F989 OWL" in text
    assert "Letters that our fonts lack" in text


def test_hidden_characters_are_shown(shop: Shop) -> None:
    """A bidirectional override cannot turn a name around, nor a control character hide in it."""
    text = run_together(paper_with(changed(shop, "board", "Qwen\u202eB27\u200b-x")).pdf)
    assert "Qwen<U+202E>B27<U+200B>-x" in text


def test_markup_in_names_is_text(shop: Shop) -> None:
    """Whatever a source writes is escaped, and asks nothing of us."""
    hostile = "<img src=http://evil.example/x.png><script>1</script>{{ 7*7 }}"
    assert "".join(hostile.split()) in run_together(paper_with(changed(shop, "claim", hostile)).pdf)


# WeasyPrint leaves its own colour profile open; in the process that prints that does not matter.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    "asks",
    [
        '<img src="http://evil.example/x.png" alt="x">',
        '<img src="file:///etc/hostname" alt="x">',
        '<img src="data:image/png;base64,AAAA" alt="x">',
        '<link rel="stylesheet" href="https://evil.example/x.css">',
        "<style>@import url(http://evil.example/x.css);</style>",
        "<style>body { background: url(//evil.example/x.png) }</style>",
        '<svg xmlns="http://www.w3.org/2000/svg"><image href="http://evil.example/x"/></svg>',
        '<object data="http://evil.example/x.svg"></object>',
    ],
)
def test_whatever_asks_for_more_stops_the_printing(asks: str) -> None:
    """Nothing is fetched, and nothing is silently left out."""
    html = f'<!DOCTYPE html><html lang="en"><title>x</title><body>{asks}</body></html>'
    with pytest.raises((AskedForMore, LeftOut), match="Nothing was printed"):
        printed(html, datetime(2026, 1, 1, tzinfo=UTC))


def test_a_template_that_misspells_a_name_stops(shop: Shop) -> None:
    """An undefined name is an error, and no gap on paper."""
    bundle = bundle_of(shop, "claim")
    document = dict(bundle.document)
    document["shows"] = {**document["shows"], "source": {}}
    paper = paper_of(document, "0" * 64, 1)
    with pytest.raises(Exception, match=r"undefined|name"):
        Printer(paper, letters()).html([*sections_of(paper), LETTERS])


def test_a_board_without_rows_is_printed(shop: Shop) -> None:
    """An empty board says why, and how to check that."""
    document = bundle_document(shop)
    shows = document["shows"]
    shows.update(rows=[], unranked=[], headline="No model ranks.", leader=None)
    document.update(leaders=[], claims=[], decisions=[], snapshots=[])
    text = "\n".join(texts(pdf_of(paper_with(document).bundle)))
    assert "No model ranks." in text
