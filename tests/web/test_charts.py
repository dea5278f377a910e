"""The charts on pages: each at an address of its own, of the page's moment, with its words."""

import re
from typing import Any

import orjson
import pytest

from tests.web.kites import Kites
from tests.web.orchard import BOARD, HOSTILE, Orchard, read_board
from tests.web.page import Element, Page
from tests.web.said import board, describe, say
from tests.web.seeded import BIG, READ_ON, SMALL, seeded, seeded_once

__all__ = ["seeded", "seeded_once"]

NAMES = ("leaders", "scores", "posts")
HEADINGS = {"leaders": "number-one", "scores": "scores", "posts": "launch-posts"}


def figure(page: Page, name: str) -> Element:
    """The figure of a chart on a benchmark's page."""
    return page.section(HEADINGS[name]).one("figure", "chart")


def svg(orchard: Orchard, address: str) -> str:
    """A chart that has to be there."""
    response = orchard.get(address)
    assert (response.status_code, response.mimetype) == (200, "image/svg+xml"), response.text
    return response.text


def spec(orchard: Orchard, address: str) -> dict[str, Any]:
    """The specification of a chart."""
    found: dict[str, Any] = orchard.json(address)
    return found


def rows(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Everything that a specification has a mark for."""
    return [row for layer in found["layer"] for row in layer["data"]["values"]]


# --- on the page ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_page_says_how_large_each_form_of_a_picture_is(seeded: Orchard, name: str) -> None:
    """For narrow windows and wide ones, in the light and in the dark; what comes is as large."""
    found = figure(board(seeded, f"{BIG}?as_read_on={READ_ON}"), name)
    forms = [(one.attributes.get("srcset"), one) for one in found.all("source")]
    forms.append((found.one("img").attributes["src"], found.one("img")))
    assert len(forms) == 4
    for address, element in (forms[0], forms[-1]):
        assert address is not None
        assert f"as_read_on={READ_ON}" in address
        size = f'width="{element.attributes["width"]}" height="{element.attributes["height"]}"'
        assert size in svg(seeded, address)[:300]


def test_number_one_has_a_row_for_each_way_of_counting(seeded: Orchard) -> None:
    """CH-03, CH-04, CH-05: own leaderboard and lab claims, by lab, from the release on."""
    page = board(seeded, f"{BIG}?as_read_on={READ_ON}")
    words = figure(page, "leaders").one("img").attributes["alt"]
    assert "Own leaderboard: GPT-4o May 2024 56.1% since Jun 2024." in words
    assert words.count(" since ") == 1 + 4
    drawn = svg(seeded, f"{BIG}/charts/leaders.svg?as_read_on={READ_ON}")
    for said in ("Own leaderboard", "1 leader, newest number Apr 2025", "Lab claims"):
        assert f">{said}<" in drawn
    for lab in ("OpenAI", "Inception Labs", "ByteDance Seed", "DeepSeek"):
        assert f">{lab}<" in drawn
    bars = [row for row in rows(spec(seeded, f"{BIG}/charts/leaders.json")) if "strength" in row]
    assert min(row["day"] for row in bars) == "2024-06-01"


def test_what_a_picture_says_stands_in_a_table_too(seeded: Orchard) -> None:
    """Both rows of number one, for whoever does not see the picture."""
    held = board(seeded, f"{BIG}?as_read_on={READ_ON}").rows("held")
    assert [(row["Row"].text, row["Model"].text, row["Score"].text) for row in held] == [
        ("Own leaderboard", "GPT-4o May 2024", "56.1%"),
        ("Lab claims", "DeepSeek V4.1 Flash", "60.6%"),
        ("Lab claims", "DeepSeek-V4-Pro", "59.2%"),
        ("Lab claims", "Seed-Coder-8B-Instruct", "53.3%"),
        ("Lab claims", "Mercury Coder Small", "45.5%"),
    ]


def test_every_ranked_claim_is_a_dot(seeded: Orchard) -> None:
    """CH-08 to CH-10: as many as the table with a row for each claim has rows."""
    found = spec(seeded, f"{BIG}/charts/scores.json?as_read_on={READ_ON}")
    dots = [layer for layer in found["layer"] if layer["mark"]["type"] == "point"]
    count = sum(len(one["data"]["values"]) for one in dots if "tooltip" in one["encoding"])
    page = board(seeded, f"{BIG}?as_read_on={READ_ON}&every_claim=yes")
    assert count == len(page.rows("ranked"))
    drawn = svg(seeded, f"{BIG}/charts/scores.svg?as_read_on={READ_ON}")
    for said in (
        "Reported by the model’s own lab",
        "On the benchmark’s own leaderboard",
        "Best so far",
        "Near the ceiling (85%)",
        "DeepSeek V4.1 Flash",
        "GPT-4o May 2024",
        *(f"{step}%" for step in range(0, 101, 20)),
        *("2024", "2025", "2026"),
    ):
        assert f">{said}<" in drawn, said


def test_below_the_charts_stands_where_their_numbers_are_from(seeded: Orchard) -> None:
    """CH-13, below both."""
    page = board(seeded, f"{BIG}?as_read_on={READ_ON}")
    for name in ("leaders", "scores"):
        caption = figure(page, name).one("figcaption").text
        assert "Official leaderboard (69)" in caption
        assert "Lab model card (1)" in caption


def test_posts_are_ticks_in_the_rows_of_their_labs(seeded: Orchard) -> None:
    """CH-11: labs in the order in which they first listed it."""
    drawn = svg(seeded, f"{BIG}/charts/posts.svg?as_read_on={READ_ON}")
    labs = re.findall(r">([^<>]+): \d+ listed<", drawn)
    assert labs == ["Inception Labs", "ByteDance Seed", "IBM", "DeepSeek"]


def test_a_post_that_nobody_read_is_a_ring_and_named(orchard: Orchard) -> None:
    """CH-12, LP-07: listed, left out, not read; of labs that never listed it nothing shows."""
    post = {"record": "source", "kind": "launch-post", "published_on": "2025-08-01"}
    say(
        orchard,
        {"record": "lab", "slug": "dry-labs", "name": "Dry Labs"},
        {**post, "slug": "elm-post", "name": f"Elm {HOSTILE} post", "lab": "alder-labs"},
        {**post, "slug": "dry-post", "name": "Dry post", "lab": "dry-labs"},
    )
    text = board(orchard, BOARD).section("launch-posts").text
    assert f"Not read for it yet: Elm {HOSTILE} post (1 Aug 2025)." in text
    assert "Dry post" not in text
    ticks = {row["name"]: row["state"] for row in rows(_posts(orchard)) if "state" in row}
    assert ticks == {
        "Birch launch post": "listed",
        "Alder launch post": "left out",
        f"Elm {HOSTILE} post": "not read",
    }
    before = rows(_posts(orchard, "?published_by=2025-07-30"))
    assert {row["state"] for row in before if "state" in row} == {"listed", "left out"}
    assert "<script" not in svg(orchard, f"{BOARD}/charts/posts.svg")


def _posts(orchard: Orchard, asked: str = "") -> dict[str, Any]:
    return spec(orchard, f"{BOARD}/charts/posts.json{asked}")


def test_headings_and_rules_stand_there_without_any_number(seeded: Orchard) -> None:
    """CH-14: nobody has to guess how it will be counted; what cannot be drawn is not there."""
    page = board(seeded, f"{SMALL}?as_read_on={READ_ON}&view=independent")
    number_one, scores = page.section("number-one"), page.section("scores")
    assert "A lab’s number counts from the day it was published" in number_one.text
    assert "No model has been number one in this view." in number_one.text
    assert "There is none." in scores.text
    assert not scores.all("figure")
    assert seeded.get(f"{SMALL}/charts/scores.svg?view=independent").status_code == 404


def test_who_is_on_top_without_a_date_is_named_and_holds_nothing(seeded: Orchard) -> None:
    """A paper's numbers bear none: the view says who leads, and that nobody was number one."""
    page = board(seeded, "/benchmarks/humaneval-mbpp-average")
    (chosen,) = [
        one for one in page.main.all("nav") if one.attributes.get("aria-label") == "Whose numbers"
    ]
    assert "OpenCodeInterpreter-33B 91.6" in chosen.text
    assert "No number in this view has a date to count from" in page.section("number-one").text
    assert board(seeded, f"{SMALL}?as_read_on={READ_ON}").section("scores").all("figure", "chart")


# --- of the moment ----------------------------------------------------------------------------


def test_a_chart_is_of_the_moment_that_its_page_is_of(orchard: Orchard) -> None:
    """A correction is not in the picture of the day before it was decided."""
    found = {}
    for day in ("2025-08-09", "2025-08-11"):
        drawn = rows(spec(orchard, f"{BOARD}/charts/scores.json?view=labs&as_read_on={day}"))
        found[day] = {row["score"] for row in drawn if "score" in row}
    assert found == {"2025-08-09": {"71.0%"}, "2025-08-11": {"70.5%"}}


def test_a_chart_is_confirmed_by_its_tag_and_kept_for_ever_when_pinned(orchard: Orchard) -> None:
    """It is a page like others, so caches and readers who come again get it cheaply."""
    address = f"{BOARD}/charts/scores.svg"
    first = orchard.get(address)
    assert first.headers["Cache-Control"] == "no-cache"
    again = orchard.get(address, **{"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    read_board(orchard.workspace, "2025-08-01T000000Z.csv", "model,score\nAlder 7B May 2025,88\n")
    later = orchard.get(address, **{"If-None-Match": first.headers["ETag"]})
    assert later.status_code == 200
    assert later.text != first.text
    pinned = f"{address}?as_read_on=2025-08-20&recorded_through={orchard.head}"
    assert "immutable" in orchard.get(pinned).headers["Cache-Control"]


@pytest.mark.parametrize(
    "asked",
    ["scheme=sepia", "width=9000", "sort=model", "view=nobody", "as_read_on=2025-02-30", "x=1"],
)
def test_a_chart_of_what_cannot_be_asked_for_is_refused(orchard: Orchard, asked: str) -> None:
    """Every parameter is one of few."""
    assert orchard.get(f"{BOARD}/charts/scores.svg?{asked}").status_code == 400


def test_other_charts_are_not_there(orchard: Orchard) -> None:
    """Neither of another name, nor of a benchmark that there is not."""
    assert orchard.get(f"{BOARD}/charts/pie.svg").status_code == 404
    assert orchard.get("/benchmarks/nowhere/charts/scores.svg").status_code == 404


# --- corrections per month --------------------------------------------------------------------


def test_the_log_begins_without_a_chart(kites: Kites) -> None:
    """Nothing was decided, so there is nothing to draw."""
    client = kites.app.test_client()
    assert "/corrections/charts" not in client.get("/corrections").text
    assert client.get("/corrections/charts/months.svg").status_code == 404


def test_corrections_are_counted_by_month_in_a_chart_and_a_table(orchard: Orchard) -> None:
    """One accepted correction in August; a narrowed list has no chart of the whole."""
    page = board(orchard, "/corrections")
    (row,) = page.rows("months-table")
    assert [one.text for one in row.values()] == ["Aug 2025", "1", "0", "0"]
    chart = page.section("months").one("figure", "chart")
    assert chart.one("img").attributes["alt"] == (
        "Corrections per month. Aug 2025: 1 changed something."
    )
    found = rows(spec(orchard, "/corrections/charts/months.json"))
    assert [(row["month"], row["count"]) for row in found if "count" in row] == [("2025-08", 1)]
    assert "Changed something" in svg(orchard, "/corrections/charts/months.svg")
    assert not board(orchard, "/corrections?q=spring").root.all("figure")
    before = orchard.get("/corrections/charts/months.svg?as_read_on=2025-08-09")
    assert before.status_code == 404


# --- the program, the policy, what search engines are told --------------------------------------


def test_only_our_own_files_may_run_on_a_page_with_charts(orchard: Orchard) -> None:
    """No eval, nothing inline, nobody else's; the program is ours to serve and kept for ever."""
    page = orchard.get(BOARD)
    policy = page.headers["Content-Security-Policy"]
    assert "script-src 'self'; connect-src 'self'" in policy
    assert "unsafe" not in policy
    assert "script-src" not in orchard.get("/models/birch").headers["Content-Security-Policy"]
    found = re.search(r'data-program="([^"]+)"', page.text)
    assert found is not None
    program = orchard.get(found[1])
    assert (program.status_code, program.mimetype) == (200, "text/javascript")
    assert "immutable" in program.headers["Cache-Control"]
    assert "immutable" not in orchard.get("/charts/vega.js?v=0").headers["Cache-Control"]
    assert "window.vegaEmbed" in program.text


def test_a_page_tells_search_engines_the_same_as_its_file(orchard: Orchard) -> None:
    """As data in the page; a name that would end the element does not."""
    describe(orchard, description=f"Trees</script>{HOSTILE}<!-- &amp;")
    html = orchard.page(f"{BOARD}?view=labs")
    (told,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', html)
    file = orchard.get(f"{BOARD}.jsonld?view=labs")
    assert orjson.loads(told) == orjson.loads(file.data)
    assert orjson.loads(told)["description"].endswith(f"Trees</script>{HOSTILE}<!-- &amp;")


# --- what is folded up ------------------------------------------------------------------------


@pytest.mark.parametrize(("models", "shown"), [(119, 119), (140, 100)])
def test_a_long_board_is_folded_and_every_row_can_be_reached(
    orchard: Orchard, models: int, shown: int
) -> None:
    """The first hundred in sight, the rest below a fold, in the order that was asked for."""
    lines = "".join(f"Model {number:03},{number / 10}\n" for number in range(1, models + 1))
    read_board(orchard.workspace, "2025-08-01T000000Z.csv", f"model,score\n{lines}")
    page = board(orchard, f"{BOARD}?view=independent&sort=-rank")
    assert len(page.rows("ranked")) == shown
    rest = page.rows("ranked-rest") if models > shown else []
    ranks = [int(row["#"].text) for row in (*page.rows("ranked"), *rest)]
    assert ranks == list(range(models, 0, -1))
    folds = page.root.all("details", "rest")
    assert [one.one("summary").text for one in folds] == (
        ["40 more rows in the same order"] if rest else []
    )


# --- the bars of pages that are about many things ----------------------------------------------


@pytest.mark.parametrize("address", ["/", "/labs/alder-labs", "/corrections"])
def test_every_page_that_has_a_time_has_its_bar(orchard: Orchard, address: str) -> None:
    """It turns to the changes before and after, and leads to the page pinned for good."""
    page = board(orchard, f"{address}?as_read_on=2025-08-05")
    bar = page.root.one("section", "time")
    assert "Not the present state" in bar.text
    following = bar.one("a", "next").attributes["href"]
    assert following == f"{address}?as_read_on=2025-08-10"
    before = bar.all("a", "prev")
    assert [one.attributes["href"] for one in before] == (
        [] if address == "/corrections" else [f"{address}?as_read_on=2025-07-29"]
    )
    pinned = [one for one in bar.all("a") if "recorded_through" in one.attributes["href"]]
    assert [one.text for one in pinned[1:]] == ["BibTeX", "CSL-JSON"]
    for one in pinned:
        assert "immutable" in orchard.get(one.attributes["href"]).headers["Cache-Control"]


def test_the_bar_of_a_list_keeps_what_narrows_it(orchard: Orchard) -> None:
    """Whoever goes back in time still looks at the same search, or the same filter."""
    for address in ("/corrections?outcome=accepted", "/?q=orchard"):
        bar = board(orchard, f"{address}&as_read_on=2025-08-12").root.one("section", "time")
        (name, _, value) = address.partition("?")[2].partition("=")
        fields = [one.attributes for one in bar.one("form", "time-form").all("input")]
        assert {"type": "hidden", "name": name, "value": value} in fields
        linked = [
            one.attributes["href"] for one in bar.all("a") if "as_read_on" in str(one.attributes)
        ]
        assert linked
        assert all(f"{name}={value}" in href for href in linked)
