"""Launch posts, the near-ceiling line and corrections per month stand on paper as on the page."""

import re
import shutil
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import orjson
import pypdfium2 as pdfium
import pytest

from ledger.importing.records import import_records, parse_records
from reports.bundle import Bundle, board_bundle, corrections_bundle
from reports.charts.drawn import PRINTED
from reports.charts.months import months_in, months_words
from reports.charts.posts import LISTED, MOST_IN_ALL, MOST_LABS, Tick, posts_words
from reports.charts.printed import MOST_PRINTED_LABS, printed_posts, printed_scores
from reports.fonts import letters
from reports.paper.document import paper_of
from reports.paper.sections import sections_of
from reports.pdf import pdf_of
from reports.rebuild import rebuild
from reports.render import Printer
from tests.reports.papers import texts
from tests.web.orchard import Orchard, open_orchard, orchard_once
from web.exports import records_of

__all__ = ["orchard_once"]

UNREAD = [
    {
        "record": "file",
        "format": "corrigenda-records/1",
        "read_at": "2025-08-01",
        "why": "as read",
    },
    {
        "record": "source",
        "slug": "cedar-post",
        "name": "Cedar launch post",
        "kind": "launch-post",
        "lab": "alder-labs",
        "published_on": "2025-07-30",
    },
]
STATES = {"Birch launch post": True, "Alder launch post": False, "Cedar launch post": None}
LINE = "Near the ceiling (90%)"


@pytest.fixture(scope="module")
def grown(orchard_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Orchard]:
    """An orchard with a launch post that nobody read for its benchmark."""
    home = tmp_path_factory.mktemp("grown") / "home"
    shutil.copytree(orchard_once, home)
    with open_orchard(home) as opened:
        workspace, now = opened.workspace, opened.clock()
        data = b"\n".join(map(orjson.dumps, UNREAD))
        records = parse_records("more.jsonl", data, now)
        import_records(workspace.ledger, workspace.known(), records, by="curator")
        workspace.catch_up()
        yield opened


def of_board(grown: Orchard) -> Bundle:
    """The bundle of its board."""
    workspace = grown.workspace
    return board_bundle(records_of(workspace), workspace.moment(), "orchard")


def read_back(bundle: Bundle) -> Any:
    """A bundle as whoever gets it reads it."""
    return orjson.loads(bundle.data)


def test_a_bundle_has_what_only_charts_show(grown: Orchard) -> None:
    """Posts that list it, leave it out or were not read; all of it follows from its events."""
    document = read_back(of_board(grown))
    charted = document["charted"]
    assert charted["near_ceiling"] == "90"
    assert {one["name"]: one["listed"] for one in charted["posts"]} == STATES
    assert {one["lab_name"] for one in charted["posts"]} == {"Alder Labs"}
    assert rebuild(document) == []
    charted["posts"][-1]["listed"] = True
    assert any(one.startswith("charted.posts[2].listed") for one in rebuild(document))


def test_the_near_ceiling_line_is_said_of_the_headline_metric_alone(grown: Orchard) -> None:
    """As on the page."""
    workspace = grown.workspace
    found = board_bundle(records_of(workspace), workspace.moment(), "orchard", metric="hours")
    assert read_back(found)["charted"]["near_ceiling"] is None


def test_a_bundle_of_an_earlier_release_lacks_them_and_holds(grown: Orchard) -> None:
    """It says nothing of launch posts, so nothing of them is wrong, and nothing is printed."""
    document = read_back(of_board(grown))
    del document["charted"]
    assert rebuild(document) == []
    paper = paper_of(document, "0" * 64, 1)
    sections = sections_of(paper)
    assert "launch-posts" not in {one.anchor for one in sections}
    html = Printer(paper, letters()).html(sections)
    assert LINE not in html


def test_paper_has_the_charts_of_the_page_with_their_table(grown: Orchard) -> None:
    """Ticks with their lab, a line for each post, and the near-ceiling line; twice the same."""
    bundle = of_board(grown).data
    pdf = pdf_of(bundle)
    text = "\n".join(texts(pdf))
    for words in ("Alder Labs: 1 listed, 1 left out, 1 not read", LINE, "lists it"):
        assert words in text
    for words in ("read, and leaves it out", "not read for it yet", *STATES):
        assert words in text
    assert pdf_of(bundle) == pdf


def test_what_follows_a_chart_stands_below_it(grown: Orchard) -> None:
    """A chart that nothing stands beside takes its room."""
    pdf = pdf_of(of_board(grown).data)
    with closing(pdfium.PdfDocument(pdf)) as document:
        (page,) = [one for one in document if "1 left out" in one.get_textpage().get_text_range()]
        words = page.get_textpage()
        assert _height(words, "Published") < _height(words, "Alder Labs: 1 listed") - PRINTED.size
        assert _height(words, "Launch posts") < _height(words, LINE) - PRINTED.size


def _height(words: Any, sought: str) -> float:
    """How high above the foot of the page some words stand."""
    start, count = words.search(sought).get_next()
    return min(float(words.get_charbox(place)[1]) for place in range(start, start + count))


def test_corrections_per_month_are_in_the_paper_of_a_period(grown: Orchard) -> None:
    """The same picture and table as in the log, of the entries of the period."""
    workspace = grown.workspace
    records, moment = records_of(workspace), workspace.moment()
    bundle = corrections_bundle(records, moment, date(2025, 8, 1), date(2025, 8, 31))
    months = months_in(read_back(bundle)["shows"]["corrections"])
    assert months_words(months) == "Corrections per month. Aug 2025: 1 changed something."
    pages = "\n".join(texts(pdf_of(bundle.data)))
    assert "Corrections per month" in pages
    assert "Changed something" in pages
    assert "Aug 2025" in pages


def post(lab: str, *, listed: bool | None = True, day: str | None = "2025-01-02") -> dict[str, Any]:
    """A launch post as a bundle tells it."""
    name, slug = f"{lab} post", lab.casefold()
    told = {"source": slug, "name": name, "lab": slug, "lab_name": lab}
    return {**told, "published_on": day, "listed": listed}


def test_what_cannot_be_drawn_stands_in_the_table_only() -> None:
    """No lab that lists it, no date."""
    drawn = printed_posts([post("Delta"), post("Marsh", listed=False)], "2025-06-01")
    ((svg, words),) = drawn.pictures
    assert "Delta: 1 listed" in svg
    assert words == "Launch posts of each lab. Delta: 1 listed."
    assert printed_posts([post("Delta", listed=False)], "2025-06-01").pictures == ()
    assert printed_posts([post("Delta", day=None)], "2025-06-01").pictures == ()


def test_more_labs_than_a_page_has_room_for_are_drawn_in_several_pictures() -> None:
    """Each lab once, about as many in each picture, over the same days."""
    labs = [f"Lab {number:02}" for number in range(MOST_PRINTED_LABS * 2 + 1)]
    last = post(labs[-1], day="2025-04-02")
    drawn = printed_posts([*map(post, labs[:-1]), last], "2025-06-01")
    assert drawn.left_out == 0
    assert [words.count(" listed") for _, words in drawn.pictures] == [17, 17, 15]
    for lab in labs:
        assert sum(f"{lab}: 1 listed" in svg for svg, _ in drawn.pictures) == 1
        assert sum(f"{lab}: 1 listed" in words for _, words in drawn.pictures) == 1
    axes = [re.findall(r">([A-Z][a-z]+ 2025)<", svg) for svg, _ in drawn.pictures]
    assert axes[0] == axes[1] == axes[2] != []


def test_labs_beyond_all_room_are_counted(grown: Orchard) -> None:
    """Nobody is left out without a word, on paper and in the words of a page's picture."""
    labs = [f"Lab {number}" for number in range(MOST_IN_ALL + 2)]
    document = read_back(of_board(grown))
    document["charted"]["posts"] = [post(lab) for lab in labs]
    paper = paper_of(document, "0" * 64, 1)
    html = Printer(paper, letters()).html(sections_of(paper))
    assert "2 more labs list it too; their posts stand in the table alone." in html
    day = date(2025, 1, 2)
    ticks = [Tick(name=f"{lab} post", lab=lab, day=day, state=LISTED) for lab in labs]
    assert f"{len(labs) - MOST_LABS} more labs are not drawn." in posts_words(ticks)
    assert "more" not in posts_words(ticks[:MOST_LABS])


def test_a_printed_chart_has_a_line_only_where_there_is_one() -> None:
    """The near-ceiling line of a board."""
    row = {
        "model": {"name": "Birch", "version": None},
        "unit": "%",
        "source": {"kind": "launch-post", "slug": "birch-post"},
    }
    rows = [
        {**row, "score": "70", "published_on": "2025-01-02"},
        {**row, "score": "80", "published_on": "2025-03-02"},
    ]
    metric = {"unit": "%", "higher_is_better": True}
    assert LINE in str(printed_scores(rows, metric, "2025-06-01", ceiling="90"))
    assert "Near the ceiling" not in str(printed_scores(rows, metric, "2025-06-01"))


def test_a_printed_chart_draws_shares_of_one_among_hundredths() -> None:
    """Where the metric names no unit and sources state both: 0.75 stands between 70% and 80%."""
    metric = {"unit": None, "higher_is_better": True}
    source = {"kind": "launch-post", "slug": "birch-post"}
    stated = (
        ("70", "%", "2025-01-02"),
        ("0.75", "fraction", "2025-02-02"),
        ("80", "%", "2025-03-02"),
    )
    rows = [
        {
            "model": {"name": "Birch", "version": None},
            "source": source,
            "score": number,
            "unit": unit,
            "published_on": day,
        }
        for number, unit, day in stated
    ]
    mixed = str(printed_scores(rows, metric, "2025-06-01"))
    plain = str(printed_scores([{**row, "unit": None} for row in rows], metric, "2025-06-01"))
    assert len(_heights(mixed)) == len(rows)
    assert _heights(mixed) == sorted(_heights(mixed), reverse=True)
    assert _heights(plain) != sorted(_heights(plain), reverse=True)


def _heights(drawing: str) -> list[float]:
    """How far below the picture's top the three dots are, in the order of days."""
    dots = re.findall(r'<path transform="translate\(([\d.]+),([\d.]+)\)" d="M-2', drawing)
    return [float(top) for _, top in sorted(dots, key=lambda dot: float(dot[0]))]
