"""The rows of a board: each says its number, its source, what to know; no order loses one."""

from datetime import timedelta

import pytest

from ledger.values import PartialDate
from projections.board.boards import board_at
from tests.web.orchard import ATTRIBUTE, BIRCH, BOARD, HOSTILE, Orchard, read_board
from tests.web.page import Element
from tests.web.said import board, describe, metas, say
from tests.web.seeded import BIG, READ_ON, SMALL, seeded, seeded_once
from web.showing.evaluation import changes_of

__all__ = ["seeded", "seeded_once"]

SCORE = "Score bars from 0% to 100%"


# --- the board --------------------------------------------------------------------------------


def test_every_row_says_its_number_with_a_bar_its_date_and_its_source(seeded: Orchard) -> None:
    """BD-06, BD-14, BD-18: bars, list and table in one; 83 rows, digits as written."""
    rows = board(seeded, f"{BIG}?as_read_on={READ_ON}").rows("ranked")
    assert len(rows) == 83
    assert [row["#"].text for row in rows] == [str(n) for n in range(1, 84)]
    for row in rows:
        number = row[SCORE].one("b").text
        bar = row[SCORE].one("rect").attributes["width"]
        assert float(bar.rstrip("%")) == float(number.rstrip("%"))
        assert row["Source"].one("a").attributes["href"].startswith("/sources/")
        assert row["Date"].text
    last = rows[-1]
    assert (last["Model"].text, last[SCORE].text) == ("DeepSeek-R1-Distill-Qwen-1.5B", "7.50%")
    fourth = rows[3]
    assert fourth["Model"].text == "GPT-4o May 2024 OpenAI"
    assert fourth["Source"].text == "Official BigCodeBench leaderboard"
    assert fourth["Marks"].text == "tied"
    assert "May 2024" in fourth["Date"].text


def test_the_setting_is_filled_in_where_the_source_states_one(seeded: Orchard) -> None:
    """BD-13, SC-08: the column that the seed pages leave empty."""
    rows = board(seeded, f"{BIG}?as_read_on={READ_ON}&view=labs").rows("ranked")
    settings = {row["Model"].all("a")[0].text: row["Split, setting"].text for row in rows}
    assert settings["DeepSeek-V4.1-Flash Base"] == "3-shot"
    assert settings["Cohere Command A"] == "Instruct"
    assert settings["DeepSeek V4.1 Flash"] == ""


def test_a_row_names_the_kind_of_its_source_once(orchard: Orchard) -> None:
    """A name that says it already is not followed by the same words."""
    page = board(orchard, f"{BOARD}?every_claim=yes")
    sources = {row["Source"].text for row in page.rows("ranked")}
    assert sources == {"Orchard board Official leaderboard", "Birch launch post"}


def test_a_mean_says_once_what_all_of_its_parts_bear(orchard: Orchard) -> None:
    """On the page and in its table: two parts that came late make one row that did."""
    hours = {"record": "claim", "name": "Elm", "metric": "hours", "score": "6.0"}
    say(
        orchard,
        {"record": "source", "slug": "elm-post", "name": "Elm post", "kind": "launch-post"},
        {"record": "reading", "source": "elm-post", "benchmark": "orchard", "register": True},
        {**hours, "key": "spring", "split": "spring"},
        {**hours, "key": "autumn", "split": "autumn"},
        read_at="2025-07-25",
    )
    orchard.workspace.catch_up()
    asked = f"{BOARD}?metric=hours&view=labs"
    (row,) = board(orchard, asked).rows("ranked")
    assert row["Marks"].text == "added to the ledger later"
    table = orchard.get(asked.replace("?", ".csv?")).text
    assert table.count("added to the ledger later") == 1


def test_what_does_not_rank_stands_below_with_its_reason(seeded: Orchard) -> None:
    """INC-27, INC-28: nothing is dropped, and each says why it does not count."""
    rows = board(seeded, f"{BIG}?as_read_on={READ_ON}").rows("unranked")
    told = {
        row["Model"].text: (row["Score"].text, row["Why it does not rank"].text) for row in rows
    }
    assert told["Command A Agentic"] == ("59.7%", "not comparable: agentic setting")
    assert {score for score, _ in told.values()} == {"59.7%", "41.9%", "33.8%"}


def test_counted_and_not_shown_is_said_below_the_board(seeded: Orchard) -> None:
    """BD-08, BD-09, INC-30: the kinds of sources, 120 entries with 69 tracked, 51 that are not."""
    text = board(seeded, f"{BIG}?as_read_on={READ_ON}").section("the-board").text
    assert "83 rows: Lab launch post (8), Lab model card (1), Lab technical report (5)" in text
    assert "leaderboard has 120 entries, 69 of them models registered here" in text
    assert "51 entries that these sources have stand for no model registered here" in text
    labs = board(seeded, f"{BIG}?as_read_on={READ_ON}&view=labs").section("the-board").text
    assert "120 entries" not in labs


def test_a_composite_shows_its_parts_and_none_while_one_is_missing(orchard: Orchard) -> None:
    """Case P004: the mean leads to the claims that it stands on."""
    say(
        orchard,
        {"record": "reading", "source": "birch-report", "benchmark": "orchard"},
        {
            "record": "claim",
            "name": "Birch",
            "metric": "hours",
            "split": "autumn",
            "score": "7.4",
            "published_on": "2025-07",
        },
        {
            "record": "claim",
            "name": "Birch",
            "metric": "hours",
            "split": "spring",
            "score": "6.2",
            "published_on": "2025-07",
        },
    )
    page = board(orchard, f"{BOARD}?metric=hours")
    (row,) = page.rows("ranked")
    parts = row["Model"].one("ul", "parts")
    assert [one.text for one in parts.all("li")] == ["spring: 6.2 h", "autumn: 7.4 h"]
    assert all(one.attributes["href"].startswith("/claims/c") for one in parts.all("a"))
    assert row["Score bars from 0 h to 6.8 h"].one("rect").attributes["width"] == "100%"


def test_one_row_for_each_claim_is_a_link_away(orchard: Orchard) -> None:
    """CH-08: a model that was measured several times stands there several times."""
    page = board(orchard, BOARD)
    assert len(page.rows("ranked")) == 2
    every = board(orchard, page.main.links()["One row for each claim"])
    assert len(every.rows("ranked")) == 3
    assert len(board(orchard, every.main.links()["One row for each model"]).rows("ranked")) == 2


def test_every_row_and_claim_and_caveat_leads_to_the_form(seeded: Orchard) -> None:
    """CO-01, CO-05: rows that rank and rows that do not, posts, documents, caveats, the page."""
    page = board(seeded, f"{BIG}?as_read_on={READ_ON}")
    told = "Report a problem or propose a change"
    for name in ("ranked", "unranked"):
        for row in page.rows(name):
            link = row["Report"].one("a")
            claim = row["Model"].all("a")[0].attributes["href"].partition("?")[0]
            assert link.attributes["href"] == f"/report?target={claim[1:]}"
            assert link.text.startswith(f"{told}: ")
    for name in ("posts", "writings"):
        for row in page.rows(name):
            assert row["What it states"].all("a", "report-link")
    assert len(page.root.one("section", "caveats").all("a", "report-link")) == 3
    foot = page.root.one("footer").one("a", "report-link").attributes["href"]
    assert foot == "/report?target=benchmarks/bigcodebench"


# --- another order ----------------------------------------------------------------------------


def column(orchard: Orchard, address: str, name: str) -> list[str]:
    """The words of one column, from the top."""
    return [row[name].text for row in board(orchard, address).rows("ranked")]


def test_a_column_is_sorted_by_its_link_and_turned_round_by_the_same(seeded: Orchard) -> None:
    """Without a script; ranks stay with their rows."""
    page = board(seeded, f"{BIG}?as_read_on={READ_ON}")
    head = page.table("ranked").one("thead")
    assert [one.text for one in head.all("th") if "aria-sort" in one.attributes] == ["#"]
    by_model = board(seeded, head.links()["Model"].partition("#")[0])
    names = [row["Report"].text.partition(": ")[2] for row in by_model.rows("ranked")]
    assert names == sorted(names, key=str.casefold)
    assert len(names) == 83
    first = by_model.rows("ranked")[0]
    assert first["#"].text != "1"
    sorted_head = by_model.table("ranked").one("thead")
    (told,) = [one for one in sorted_head.all("th") if "aria-sort" in one.attributes]
    assert (told.text, told.attributes["aria-sort"]) == ("Model", "ascending")
    turned = board(seeded, sorted_head.links()["Model"].partition("#")[0])
    backwards = [row["Report"].text.partition(": ")[2] for row in turned.rows("ranked")]
    assert backwards == sorted(names, key=str.casefold, reverse=True)


@pytest.mark.parametrize("sort", ["-rank", "model", "lab", "-lab", "setting", "date", "source"])
def test_every_order_has_every_row(seeded: Orchard, sort: str) -> None:
    """Nothing is lost, and what a row does not say comes last in either direction."""
    ranks = column(seeded, f"{BIG}?sort={sort}", "#")
    assert sorted(map(int, ranks)) == list(range(1, 84))
    if sort.lstrip("-") == "setting":
        settings = column(seeded, f"{BIG}?sort={sort}", "Split, setting")
        assert settings[0]
        assert not settings[-1]


def test_an_order_that_there_is_not_is_refused_and_only_pages_have_one(orchard: Orchard) -> None:
    """400 with the orders that there are; JSON and CSV keep the order of the ranks."""
    response = orchard.get(f"{BOARD}?sort=luck")
    assert response.status_code == 400
    assert "it is one of rank, model, lab, setting, date, source" in response.text
    for suffix in (".json", ".csv"):
        assert orchard.get(f"{BOARD}{suffix}?sort=model").status_code == 400
    page = board(orchard, f"{BOARD}?sort=model")
    assert page.main.links()["CSV"] == f"{BOARD}.csv"


# --- before you compare -----------------------------------------------------------------------


def test_a_change_of_the_judge_marks_the_rows_of_before(seeded: Orchard) -> None:
    """BP-05, INC-06: one board has rows of both sides, so the older ones say so."""
    page = board(seeded, f"{SMALL}?as_read_on={READ_ON}")
    told = page.root.one("section", "caveats").text
    assert "Visualization judge changed in Dec 2023 from Qwen-VL-Chat to GPT-4V" in told
    assert "Of the rows below 3 are dated before that and 1 after it." in told
    marks = {row["Model"].all("a")[0].text: row["Marks"].text for row in page.rows("ranked")}
    assert marks == {
        "Qwen-14B": "dated before Dec 2023",
        "Qwen1.5-72B": "",
        "Qwen-7B": "dated before Dec 2023",
        "Qwen-1_8B": "dated before Dec 2023",
    }


def test_a_date_that_does_not_say_on_which_side_it_is_marks_nothing(orchard: Orchard) -> None:
    """An independent row bears its model's release; a month may lie on either side of a day."""
    page = board(orchard, BOARD)
    assert "Of the rows below" not in page.root.one("section", "caveats").text
    assert not [row for row in page.rows("ranked") if "dated before" in row["Marks"].text]


@pytest.mark.parametrize(
    ("printed", "changed", "counts"),
    [
        ("2023-11-30", "2023-12", (1, 0, 0)),
        ("2023-12-03", "2023-12", (0, 0, 1)),
        ("2023-12", "2023-12-10", (0, 0, 1)),
        ("2023-12-09", "2023-12-10", (1, 0, 0)),
        ("2023-12-10", "2023-12-10", (0, 0, 1)),
        ("2023", "2023-12", (0, 0, 1)),
        ("2022", "2023-12", (1, 0, 0)),
        ("2024-01", "2023-12", (0, 1, 0)),
        ("2024", "2023", (0, 1, 0)),
        (None, "2023", (0, 0, 1)),
    ],
)
def test_a_date_tells_the_side_only_as_precisely_as_it_is_known(
    orchard: Orchard, printed: str | None, changed: str, counts: tuple[int, int, int]
) -> None:
    """Before, after, or not to be told; nothing is padded (RP-04)."""
    workspace = orchard.workspace
    with workspace.views.read() as reader:
        rows = board_at(reader, "orchard", workspace.moment(), view="labs").rows
    row = rows[0]._replace(published_on=PartialDate(printed) if printed else None)
    (change,) = changes_of([{"changed_on": changed}], [row])
    assert (change.before, change.after, change.untold) == counts


# --- safety and keeping -----------------------------------------------------------------------


def test_what_would_be_markup_is_text_everywhere_on_the_page(orchard: Orchard) -> None:
    """In names, wordings, facts, categories, and in what the search engines are told."""
    describe(orchard, description=f"Trees {HOSTILE}", category=f"Beds {ATTRIBUTE}", note=HOSTILE)
    read_board(
        orchard.workspace, "2025-08-02T000000Z.csv", f'model,score\n"{HOSTILE}",99\nBirch,70\n'
    )
    for address in (f"{BOARD}?sort=-model", "/", BOARD):
        page = board(orchard, address)
        assert not page.root.all("style")
        assert not [one for one in page.main.every() if one.tag == "script"]
        kinds = [one.attributes["type"] for one in page.root.all("script")]
        assert kinds == (["module", "application/ld+json"] if address != "/" else [])
        assert not [one for one in page.root.every() if "onmouseover" in one.attributes]
        assert HOSTILE in page.main.text
    told = {one.attributes.get("name"): one.attributes["content"] for one in metas(page)}
    assert told["description"].count(HOSTILE) == 2


def test_a_kept_page_follows_the_ledger_the_day_and_the_address(orchard: Orchard) -> None:
    """What is kept in memory never outlives the moment that it is of."""
    first = board(orchard, BOARD).main.text
    assert board(orchard, BOARD).main.text == first
    assert board(orchard, f"{BOARD}?view=labs").main.text != first
    read_board(orchard.workspace, "2025-08-01T000000Z.csv", "model,score\nElm,88\n")
    assert "Elm leads all claims with 88%" in board(orchard, BOARD).main.text
    orchard.clock.now += timedelta(days=800)
    assert board(orchard, BOARD).root.one("h1").one("span", "chip").text == "dropped"
    assert board(orchard, f"{BOARD}?view=labs&sort=-rank").rows("ranked")[0]["#"].text == "1"


def test_a_board_leads_to_the_pages_of_its_labs_that_are_registered(orchard: Orchard) -> None:
    """A lab that is only a word of its source has no page."""
    read_board(
        orchard.workspace, "2025-08-01T000000Z.csv", "model,score,lab\nElm,88,Elm Labs\nBirch,70,\n"
    )
    rows = board(orchard, f"{BOARD}?view=independent").rows("ranked")
    labs: dict[str, Element] = {row["Model"].one("bdi").text: row["Model"] for row in rows}
    assert labs["Birch"].links()["Alder Labs"] == "/labs/alder-labs"
    assert list(labs["Elm"].links()) == ["Elm"]
    assert "Elm Labs" in labs["Elm"].text
    assert f"/claims/{BIRCH}" in labs["Birch"].links().values()
