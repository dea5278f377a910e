"""A benchmark's page: the two seed pages come out of the ledger, and every part says what it is."""

import re

import pytest

from ledger.importing.board import Target
from ledger.importing.formats.snapshot import Metrics, read_snapshot
from ledger.values import Slug
from tests.web.orchard import BOARD, HOSTILE, Orchard
from tests.web.page import page_of
from tests.web.said import board, describe, say
from tests.web.seeded import BIG, READ_ON, SMALL, seeded, seeded_once
from web.benchmark_words import DEFINITIONS, STATUSES

__all__ = ["seeded", "seeded_once"]


# --- whose numbers, and who leads -------------------------------------------------------------


def test_every_view_says_how_many_rank_and_who_leads_since_when(seeded: Orchard) -> None:
    """BP-02, BP-12, BD-07, INC-21: three tabs, each with its own leader; a tie is said in all."""
    page = board(seeded, f"{BIG}?as_read_on={READ_ON}")
    tabs = page.root.one("nav", "views").all("a")
    assert [tab.text for tab in tabs] == [
        "Labs’ own numbers 14 models DeepSeek V4.1 Flash 60.6% since Sep 2026, a tie of 2",
        "Independent runs 69 models GPT-4o May 2024 56.1% since Jun 2024, a tie of 2",
        "All, claims included 83 models DeepSeek V4.1 Flash 60.6% since Sep 2026, a tie of 2",
    ]
    assert [tab.attributes.get("aria-current") for tab in tabs] == [None, None, "true"]
    assert all(f"as_read_on={READ_ON}" in tab.attributes["href"] for tab in tabs)


@pytest.mark.parametrize(
    ("view", "said"),
    [
        ("labs", "2 models share the top score of 60.6% in labs' own numbers; DeepSeek V4.1 Flash"),
        ("independent", "2 models share the top score of 56.1% in independent runs; GPT-4o May"),
        ("all", "2 models share the top score of 60.6% in all claims; DeepSeek V4.1 Flash"),
    ],
)
def test_each_view_has_its_headline_and_its_caption(seeded: Orchard, view: str, said: str) -> None:
    """BD-01 to BD-03 and BD-05: who leads, and what the numbers of the view are."""
    page = board(seeded, f"{BIG}?view={view}")
    assert page.root.one("p", "lead").text.startswith(said)
    explained = page.root.one("p", "explained").text
    assert explained.startswith("Each model’s best number")
    assert ("Labs choose their own settings" in explained) == (view == "labs")


def test_a_launch_post_that_states_a_number_is_not_said_not_to_list_it(orchard: Orchard) -> None:
    """Of a post that came as a table nobody recorded that it lists the benchmark, nor its day; so
    no status follows, and nothing on the page says otherwise than its number does."""
    target = Target(
        source=Slug("elm-post"),
        benchmark=Slug("meadow"),
        kind="launch-post",
        source_name="Elm launch post",
        unit="%",
    )
    before = board(orchard, "/benchmarks/meadow").main.all("p", "under")[0].text
    assert before == "No launch post that was read lists it."
    data, now = b"model,score\nElm,71\n", orchard.workspace.ledger.clock()
    made = read_snapshot("elm.csv", data, target=target, metrics=Metrics(), now=now, read_at=now)
    orchard.workspace.importer("curator").read(made, target)
    orchard.workspace.catch_up()
    page = board(orchard, "/benchmarks/meadow")
    assert page.main.all("p", "under")[0].text == (
        "No status follows: of no launch post is it recorded that it lists it on a day."
    )
    assert "1 launch post lists it." in page.main.text
    assert "from 0 labs" not in page.main.text


def test_the_metrics_are_links_beside_each_other(seeded: Orchard) -> None:
    """INC-02: another metric ranks otherwise, so it is one click away."""
    page = board(seeded, f"{SMALL}?as_read_on={READ_ON}")
    (metrics,) = [one for one in page.root.all("nav") if one.attributes["aria-label"] == "Metric"]
    address = metrics.links()["accuracy of code execution results"]
    other = board(seeded, address)
    models = [row["Model"].text for row in other.rows("ranked")]
    assert [name.split()[0] for name in models] == ["Qwen-14B", "Qwen-7B", "Qwen-1_8B"]


# --- what it is -------------------------------------------------------------------------------


def test_a_page_begins_with_its_name_under_the_name_of_the_site(seeded: Orchard) -> None:
    """BP-01: the site in the header, one heading of the first rank, both in the title."""
    page = board(seeded, BIG)
    assert page.root.one("header").one("a", "brand").text == "Corrigenda"
    assert page.root.one("h1").text.startswith("BigCodeBench")
    assert page.root.one("title").text == "BigCodeBench – Corrigenda"


def test_what_it_is_is_said_in_a_paragraph(seeded: Orchard) -> None:
    """BP-04: in our own words, with the counts that the facts have too."""
    page = board(seeded, BIG)
    (said,) = [one.text for one in page.main.all("p") if "1,140" in one.text]
    assert said.startswith("Practical programming tasks in Python, 1,140 of them")
    assert "Number of tasks 1,140" in page.section("facts").text


def test_a_status_stands_beside_its_definition(seeded: Orchard) -> None:
    """BP-03: the chip, what the word means, and the counts that it follows from."""
    for address, word in ((BIG, "fading"), (SMALL, "dropped")):
        page = board(seeded, f"{address}?as_read_on={READ_ON}")
        assert page.root.one("h1").one("span", word).text == word
        assert f"{word.capitalize()}: {STATUSES[word]}" in page.main.text
    early = board(seeded, f"{BIG}?published_by=2025-10-10")
    assert early.root.one("h1").one("span", "in-use").text == "in use"
    words = board(seeded, "/").section("words").text
    assert all(f"{word} {meaning}" in words for word, meaning in STATUSES.items())


def test_a_board_near_its_ceiling_says_so(orchard: Orchard) -> None:
    """BP-03: from the near-ceiling line on; what was dropped below it was dropped before that."""
    assert not board(orchard, BOARD).root.one("h1").all("span", "near-ceiling")
    describe(orchard, near_ceiling="72")
    page = board(orchard, BOARD)
    assert page.root.one("h1").one("span", "near-ceiling").text == "near its ceiling"
    assert "Near its ceiling: the best score has come" in page.main.text
    assert "near its ceiling" in board(orchard, "/").main.all("ul", "cards")[0].text


def test_the_counts_come_out_of_the_ledger(seeded: Orchard) -> None:
    """BP-11: 14 models, 8 posts from 4 labs, 9 documents from 7 labs; BD-09: 69 of 120 entries."""
    tiles = board(seeded, f"{BIG}?as_read_on={READ_ON}").root.one("ul", "tiles")
    assert [one.text for one in tiles.all("li")] == [
        "14 models scored by their own labs",
        "8 launch posts list it, from 4 labs",
        "9 cards and reports state it, from 7 labs",
        "69 of 120 entries of Official BigCodeBench leaderboard are models registered here",
    ]
    small = board(seeded, f"{SMALL}?as_read_on={READ_ON}").root.one("ul", "tiles")
    assert [one.text.split()[0] for one in small.all("li")] == ["4", "2", "3"]


def test_facts_have_their_labels_and_definitions(seeded: Orchard) -> None:
    """BP-06 to BP-08 and BP-15: every word of a fixed few says what it means."""
    facts = board(seeded, f"{BIG}?as_read_on={READ_ON}").section("facts").text
    for said in (
        "Made by BigCode project",
        "Released Jun 2024",
        "Kind Function-level problems",
        "Level University",
        "Tasks All public",
        "People score 97%",
        "Near its ceiling from 85%",
        "Strongest model with a score here DeepSeek V4.1 Flash, number 34 of “Capability index”",
        "Last in a launch post 10 Sep 2026, before it saturated",
        "Latest date on this board 15 Oct 2026",
        "Sources last read 12 Nov 2026",
    ):
        assert said in facts, said
    for (_, word), meaning in DEFINITIONS.items():
        if word in facts:
            assert f"{word} {meaning}" in facts, word
    small = board(seeded, SMALL).section("facts").text
    assert "School pupils of all ages, up to the end of high school" in small
    assert "Made by" not in small


def test_the_authors_words_keep_every_byte_with_source_and_licence(orchard: Orchard) -> None:
    """BP-09, INC-70: errors included, markup as text; a licence nobody stated is not guessed."""
    words = f"It brings the gap.LLMs  are {HOSTILE} grown,\nup to 60% of them. To assess "
    describe(
        orchard,
        abstract=words,
        abstract_of="Orchards: growing what was grafted",
        abstract_source="arXiv:2406.00000",
        abstract_licence="CC0",
    )
    html = orchard.page(BOARD)
    assert words.replace("<", "&lt;").replace(">", "&gt;").replace("'", "&#39;") in html
    quoted = page_of(html).section("authors").one("figcaption").text
    title = "Orchards: growing what was grafted"
    assert quoted == f"Abstract of {title}, arXiv:2406.00000; licence: CC0"
    assert words not in page_of(html).section("facts").text
    describe(orchard, abstract_licence=None, abstract_of=None)
    again = board(orchard, BOARD).section("authors").one("figcaption").text
    assert again == "As its authors describe it, arXiv:2406.00000; licence: not stated"


def test_a_page_without_the_authors_words_has_no_place_for_them(seeded: Orchard) -> None:
    """The demo quotes nobody."""
    with pytest.raises(AssertionError, match="no section authors"):
        board(seeded, BIG).section("authors")


# --- who has no score, what is near -----------------------------------------------------------


def test_the_frontier_without_a_score_is_named_with_its_day(seeded: Orchard) -> None:
    """BP-13, BP-14, INC-10: true of what was read by a day, which is said."""
    text = board(seeded, f"{SMALL}?as_read_on={READ_ON}").section("coverage").text
    assert "The newest date on a row of this view is 5 Feb 2024" in text
    assert "nothing newer was stated by any source read up to 12 Nov 2026" in text
    assert "GPT-6 Astra Claude Opus 5.5 GPT-6.1 Terra GPT-6.1 Sol" in text
    assert "the index has 16 more models whose names were not read" in text


CARDS = {
    SMALL: {
        "AutomationBench": "Gemini 4 Carbon leads all claims with 53.9%",
        "MCP Atlas": "Muse Spark 1.1 leads all claims with 88.1%",
        "BFCL V4": "Qwen3.7-Max leads all claims with 75%",
        "τ³-bench Banking": "Qwen 3.8 Max leads all claims with 55.1%",
        "Claw-Eval": "Claude Sonnet 4.6 leads all claims with 81.4%",
        "DeepSearchQA": "Kimi K3 leads all claims with 95%",
    },
    BIG: {
        "SWE-bench Verified": "Claude Opus 4.7 leads all claims with 83.5%",
        "LiveCodeBench v6": "DeepSeek-V4-Pro leads all claims with 93.5%",
        "SWE-bench Multilingual": "Claude Fable 5.2 leads all claims with 96.6%",
        "DeepSWE": "GPT-6 Astra leads all claims with 74.1%",
        "SciCode": "Seed2.1 Pro leads all claims with 59.8%",
        "Codeforces rating": "DeepSeek V4.1 Flash leads all claims with 3,471 elo",
    },
}


@pytest.mark.parametrize("page", CARDS)
def test_the_cards_of_the_pages_stand_beside_each_other(seeded: Orchard, page: str) -> None:
    """BP-17, BP-18: what each page's cards say leads; a rating is no percentage."""
    related = board(seeded, f"{page}?as_read_on={READ_ON}").section("related")
    cards = {one.one("h3").text: one.text for one in related.all("li")}
    assert cards.keys() >= CARDS[page].keys()
    for name, leads in CARDS[page].items():
        assert leads in cards[name]


def test_related_benchmarks_are_those_of_the_category(orchard: Orchard) -> None:
    """BP-16: those of the same kind first, with status and leader; all of them a link away."""
    for number in range(1, 11):
        say(
            orchard,
            {"record": "benchmark", "slug": f"garden-{number}", "name": f"Garden {number}"},
            {
                "record": "benchmark-facts",
                "benchmark": f"garden-{number}",
                "facts": {"category": "Gardening", "kind": "Hedges" if number == 8 else "Beds"},
            },
        )
    describe(orchard, kind="Hedges")
    related = board(orchard, BOARD).section("related")
    names = [one.text for one in related.all("h3")]
    assert names == [f"Garden {number}" for number in (8, 1, 10, 2, 3, 4, 5, 6)]
    assert related.one("h2").text == "More in Gardening"
    every = board(orchard, related.links()["All 11 in Gardening"])
    assert len(every.main.all("h3")) == 11
    assert (
        board(orchard, "/benchmarks/garden-1").section("related").all("h3")[-1].text != "Garden 1"
    )


# --- posts and documents ----------------------------------------------------------------------


def test_launch_posts_say_their_trend_and_their_words(seeded: Orchard) -> None:
    """LP-01 to LP-06: newest first, verbatim, each number leading to its claim."""
    page = board(seeded, f"{BIG}?as_read_on={READ_ON}")
    section = page.section("launch-posts")
    title = "Launch posts list it less often than before, the last on 10 Sep 2026"
    assert section.one("h2").text == title
    assert "8 launch posts list it, from 4 labs." in section.text
    rows = page.rows("posts")
    assert [row["Date"].text for row in rows][:3] == ["10 Sep 2026", "29 Apr 2026", "24 Apr 2026"]
    assert rows[5]["As the post writes it"].text == "Bigcode Bench (Figure 1)"
    small = board(seeded, f"{SMALL}?as_read_on={READ_ON}").section("launch-posts")
    assert small.one("h2").text == (
        "Launch posts stopped listing it; the last that did came out on 5 Feb 2024"
    )


def test_documents_say_every_number_they_state_and_where(seeded: Orchard) -> None:
    """SC-01 to SC-09: headline and second values, the wording with its table, the section."""
    page = board(seeded, f"{BIG}?as_read_on={READ_ON}")
    assert page.section("documents").one("h2").text == "9 documents of 7 labs report it"
    assert "often report more than it does" in page.section("documents").text
    rows = page.rows("writings")
    assert len(rows) == 9
    cohere = next(row for row in rows if "Cohere" in row["Document"].text)
    assert re.findall(r"\d+\.\d", cohere["What it states"].text) == ["59.7", "45.4"]
    words = "BigCodeBench Instruct pass@1 (Table 12). Command A Agentic 59.7"
    assert cohere["As the document writes it"].text == words
    assert {row["Section"].text for row in rows} == {"Capabilities"}
    small = board(seeded, f"{SMALL}?as_read_on={READ_ON}")
    assert small.section("documents").one("h2").text == "3 documents of 1 lab report it"


def test_posts_that_leave_it_out_are_named(orchard: Orchard) -> None:
    """CH-12, LP-07: that a post was read and does not list it is a fact of its own."""
    section = board(orchard, BOARD).section("launch-posts")
    assert "Read, and it is not in: Alder launch post (4 May 2025)." in section.text


# --- caveats ----------------------------------------------------------------------------------


def test_a_caveat_is_shown_from_its_reading_until_it_is_retired(orchard: Orchard) -> None:
    """CO-06: it is a statement with a life of its own, on pages of each day as it was then."""
    frost = {"record": "caveat", "benchmark": "orchard", "caveat": "frost"}
    say(orchard, {**frost, "text": "There was frost."}, read_at="2025-08-01")
    say(orchard, {**frost, "text": None}, read_at="2025-08-15")
    shown = {
        day: "There was frost." in board(orchard, f"{BOARD}?as_read_on={day}").main.text
        for day in ("2025-07-31", "2025-08-01", "2025-08-14", "2025-08-15")
    }
    assert list(shown.values()) == [False, True, True, False]
    assert "There was frost." not in board(orchard, BOARD).main.text


# --- number one -------------------------------------------------------------------------------


@pytest.mark.parametrize(("view", "holders"), [("labs", 4), ("all", 3), ("independent", 1)])
def test_number_one_over_time_names_every_holder(seeded: Orchard, view: str, holders: int) -> None:
    """CH-01, CH-02, CH-05, CH-06: how many, from when each counts, and that a tie changes none."""
    page = board(seeded, f"{BIG}?as_read_on={READ_ON}&view={view}")
    section = page.section("number-one")
    have = "model has" if holders == 1 else "models have"
    assert f"{holders} {have} been number one in this view." in section.text
    assert "from its model’s release, and none from before the benchmark itself" in section.text
    assert "A tie does not unseat the holder." in section.text
    assert len(page.rows("leaders")) == holders
