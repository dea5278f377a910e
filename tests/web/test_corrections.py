"""The public log: every decision, found again, never changed, and nothing that was not decided."""

import csv
import io
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from ledger import commands as orders
from ledger.errors import BadValue
from ledger.values import PartialDate
from ledger.vocabulary import WITHDRAWALS
from tests.web.kites import GLIDER, HERON, IBIS, LOON, Kites, make_kites, open_kites
from tests.web.page import page_of
from tests.web.test_pages import Page
from web.private.reporters import erase_report, open_letter
from web.settings import Settings

ATOM = {"a": "http://www.w3.org/2005/Atom"}
HOSTILE = "</script><script>alert(1)</script>"


def numbers(kites: Kites, query: str = "") -> list[int]:
    """The entries that the log lists."""
    return [one["number"] for one in kites.json(f"/corrections.json{query}")["corrections"]]


def table(kites: Kites, query: str = "") -> list[dict[str, str]]:
    """The log as a spreadsheet reads it."""
    response = kites.get(f"/corrections.csv{query}")
    assert response.content_type == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(response.text, newline="")))


def feed(kites: Kites, query: str = "") -> ET.Element:
    """The feed, which has to be well-formed XML."""
    response = kites.get(f"/corrections.atom{query}")
    assert response.content_type == "application/atom+xml; charset=utf-8", response.text
    return ET.fromstring(response.data)  # noqa: S314 -- our own


def told(entry: ET.Element, name: str) -> str:
    """The text of a part of a feed entry."""
    return entry.findtext(f"a:{name}", "", ATOM)


def by_title(kites: Kites) -> dict[int, ET.Element]:
    """The entries of the feed by their numbers."""
    found = feed(kites).findall("a:entry", ATOM)
    return {int(told(one, "title").split()[1].rstrip(",:")): one for one in found}


def text(kites: Kites, address: str) -> str:
    """What a page says."""
    return Page.of(kites.page(address)).text


def three(kites: Kites) -> tuple[str, str, str]:
    """K1 corrects 72.5 → 70.1, K2 corrects K1 → 71.0, K3 revokes K2."""
    first = kites.correct("70.1")
    kites.wait(hours=1)
    second = kites.correct("71.0", replaces=first)
    kites.wait(hours=1)
    third = kites.reverse(second)
    kites.wait(hours=1)
    return first, second, third


# --- every decision is there ------------------------------------------------------------------


def test_every_decision_is_listed_newest_first_rejections_too(kites: Kites) -> None:
    """With number, date, type, reason, board, before → after, decider, snapshot and a link."""
    kites.correct("70.1")
    kites.wait(days=1)
    kites.decide(statement="The table says what we say.")
    page = text(kites, "/corrections")
    assert page.index("Correction 2: declined") < page.index("Correction 1: accepted")
    assert "About Heron-7B on KiteBench v1; nothing was changed." in page
    assert "Heron-7B on KiteBench v1: score 72.5 → 70.1" in page
    assert "1 Jul 2025, 08:00:00 UTC by boris; correction; wrong value; snapshot checked:" in page
    html = kites.page("/corrections")
    assert '<a href="/corrections/1">' in html
    assert f"/snapshots/{kites.snapshot()}" in html


def test_the_story_of_three_shows_everywhere_in_turn(kites: Kites) -> None:
    """Board, claim, log, CSV and feed show 72.5, 70.1, 71.0 and 70.1 again."""
    steps: list[Callable[[], object]] = [
        lambda: None,
        lambda: kites.correct("70.1"),
        lambda: kites.correct("71.0", replaces="1.1"),
        lambda: kites.reverse("2.1"),
    ]
    shown: list[str] = []
    for step in steps:
        step()
        kites.wait(hours=1)
        rows = kites.json("/benchmarks/kitebench.json")["rows"]
        (score,) = [row["score"] for row in rows if row["as_written"] == "Heron-7B"]
        assert f"Heron-7B: {score}%" in text(kites, f"/claims/{HERON}")
        if shown:
            assert table(kites)[0]["after"] == score
            assert f"→ {score}" in text(kites, "/corrections")
            assert f"→ {score}" in told(by_title(kites)[len(shown)], "content")
        shown.append(score)
    assert shown == ["72.5", "70.1", "71.0", "70.1"]


def test_the_chain_says_what_is_in_force(kites: Kites) -> None:
    """A reversal brings the one before back; each page says so, and links to the others."""
    three(kites)
    first, second, third = (text(kites, f"/corrections/{number}") for number in (1, 2, 3))
    assert "This decision is in force again, after correction 2 was undone." in first
    assert "This decision is no longer in force: correction 3 came in its place." in second
    assert "Undoes correction 2 on" in third
    chain = "Correction 1: accepted, by boris"
    assert chain in second
    assert chain in third
    log = kites.json("/corrections.json")["corrections"]
    assert [one["in_force"] for one in log] == [True, False, True]
    assert [(one["replaces"], one["replaced_by"]) for one in log] == [(2, None), (1, 3), (None, 2)]


def test_a_mark_leads_to_the_notice_of_the_decision_in_force(kites: Kites) -> None:
    """On the board and on the claim: after the reversal that is the first one again."""
    first = kites.correct("70.1")
    second = kites.correct("71.0", replaces=first)
    board, claim = "/benchmarks/kitebench", f"/claims/{HERON}"
    for address in (board, claim):
        assert '<a href="/corrections/2">corrected</a>' in kites.page(address)
    kites.reverse(second)
    for address in (board, claim):
        assert '<a href="/corrections/1">corrected</a>' in kites.page(address)


def test_a_page_read_before_shows_no_mark_and_says_changed_since(kites: Kites) -> None:
    """It keeps what was read, and leads to what was decided since."""
    kites.wait(days=1)
    kites.correct("70.1")
    day = "as_read_on=2025-06-15"
    for address in (f"/benchmarks/kitebench?{day}", f"/claims/{HERON}?{day}"):
        html = kites.page(address)
        assert ">corrected<" not in html
        assert "72.5" in html
        said = Page.of(html).text
        assert "Changed since: after this day 1 decision changed what is shown here" in said
        assert "changed since: correction 1" in said or "/claims/" in address
    for document in ("/benchmarks/kitebench", f"/claims/{HERON}"):
        (since,) = kites.json(f"{document}.json?{day}")["changed_since"]
        assert (since["correction"], since["claim_id"]) == (1, HERON)
        assert kites.json(f"{document}.json")["changed_since"] == []
    untouched = text(kites, f"/claims/{LOON}?{day}")
    assert "Changed since" not in untouched
    assert "Changed since" not in text(kites, f"/benchmarks/kitebench?{day}&corrected=since")
    assert "Changed since" not in text(kites, "/benchmarks/kitebench")


def test_a_pinned_board_never_hears_of_what_came_after_it(kites: Kites) -> None:
    """It is kept for ever, so it may not begin to say that something changed since."""
    pinned = f"/benchmarks/kitebench?as_read_on=2025-06-15&recorded_through={kites.head}"
    before = kites.page(pinned)
    kites.correct("70.1")
    assert kites.page(pinned) == before


# --- the notice -------------------------------------------------------------------------------


def test_a_notice_says_which_rows_of_which_boards_it_moved(kites: Kites) -> None:
    """Just before and just after its own position, in each view, with pinned links to both."""
    kites.correct("70.1")
    page = text(kites, "/corrections/1")
    assert "KiteBench v1, score, Independent runs: 2 rows moved" in page
    notice = kites.json("/corrections/1.json")
    (board,) = [one for one in notice["boards"] if one["view"] == "independent"]
    moved = {one["name"]: (one["rank"], one["score"]) for one in board["moved"]}
    assert moved == {
        "Heron-7B": ({"before": 2, "after": 3}, {"before": "72.5", "after": "70.1"}),
        "Loon-3B": ({"before": 3, "after": 2}, {"before": "71", "after": "71"}),
    }
    links = [
        one for one in Page.of(kites.page("/corrections/1")).values("href") if "view=all" in one
    ]
    ranks = [
        [
            row["as_written"]
            for row in kites.json(link.replace("kitebench?", "kitebench.json?"))["rows"]
        ]
        for link in links
    ]
    assert ranks == [["Ibis-13B", "Heron-7B", "Loon-3B"], ["Ibis-13B", "Loon-3B", "Heron-7B"]]


def test_a_notice_says_who_lost_number_one(kites: Kites) -> None:
    """A retraction shows what left the board, and the source's own date as a field of its own."""
    wish = orders.Retract(claim=IBIS, applies_from="start", upstream_on=PartialDate("2025-06-20"))
    kites.decide(wish, type="retraction", reason="source-withdrew-it")
    page = text(kites, "/corrections/1")
    assert "Number one: Ibis-13B → Heron-7B" in page
    assert "Ibis-13B 1 → not ranked" in page
    assert "its source withdrew it on 20 Jun 2025" in page
    assert "standing ranked retracted" in page


def test_what_a_notice_says_of_its_boards_never_changes(kites: Kites) -> None:
    """Neither by later decisions nor by late readings."""
    kites.correct("70.1")
    before = kites.json("/corrections/1.json")
    kites.wait(days=1)
    kites.correct("99.0", LOON)
    after = kites.json("/corrections/1.json")
    assert (after["boards"], after["claims"]) == (before["boards"], before["claims"])


def test_a_late_reading_does_not_change_what_a_decision_did(kites: Kites) -> None:
    """The entry is about what was there when it was decided."""
    from tests.web.kites import KITES, read  # noqa: PLC0415 -- used once

    kites.correct("70.1")
    before = kites.json("/corrections.json")["corrections"]
    read(
        kites.workspace,
        KITES,
        "2025-06-20T080000Z.csv",
        "model,score\nHeron-7B,60\nIbis-13B,80.0\n",
    )
    assert kites.json("/corrections.json")["corrections"] == before


def test_a_decision_with_two_effects_shows_both(kites: Kites) -> None:
    """Before is what showed before the first, after what showed after the last."""
    kites.decide(
        orders.HoldOut(claim=HERON, applies_from="start"),
        orders.Dispute(claim=HERON, applies_from="start", about="denominator"),
    )
    (claim,) = kites.json("/corrections.json")["corrections"][0]["claims"]
    assert (claim["before"]["standing"], claim["after"]["standing"]) == ("ranked", "held-out")
    assert (claim["before"]["disputed"], claim["after"]["disputed"]) == (None, "denominator")


def test_a_report_in_parts_shows_the_other_parts(kites: Kites) -> None:
    """One report may have several entries; what is still open of it is not told."""
    number = kites.file()
    kites.decide(
        orders.Dispute(claim=HERON, applies_from="start", about="denominator"),
        number=number,
        outcome="accepted-in-part",
        remainder=True,
    )
    kites.correct("70.1", number=number)
    assert "a part of report 1" in text(kites, "/corrections/1")
    assert "on the same report: correction 2" in text(kites, "/corrections/1")
    assert kites.json("/corrections/2.json")["same_report"] == [1]


def test_a_duplicate_leads_to_what_was_decided_of_the_original(kites: Kites) -> None:
    """And says nothing of an original that nobody decided yet."""
    original = kites.file()
    copy = kites.file(by="erik")
    kites.decide(number=copy, outcome="duplicate", duplicate_of=original, snapshot=None)
    assert kites.json("/corrections/1.json")["duplicates"] == []
    assert f"report {original}" not in text(kites, "/corrections/1")
    kites.correct("70.1", number=original)
    assert kites.json("/corrections/1.json")["duplicates"] == [2]


@pytest.mark.parametrize("address", ["/corrections/2", "/corrections/0", "/corrections/01"])
@pytest.mark.parametrize("form", ["", ".json", ".jsonld"])
def test_a_number_without_a_decision_is_nowhere(kites: Kites, address: str, form: str) -> None:
    """An open report is no entry, and an entry has one address."""
    kites.correct("70.1")
    kites.file()
    assert kites.get(address + form).status_code == 404


def test_before_it_was_decided_a_notice_was_not_there(kites: Kites) -> None:
    """The log of an earlier moment is the log of that moment."""
    position = kites.head
    kites.wait(days=2)
    kites.correct("70.1")
    assert kites.get("/corrections/1?as_read_on=2025-07-02").status_code == 404
    assert kites.get(f"/corrections/1?recorded_through={position}").status_code == 404
    assert "Nothing has been decided yet." in text(kites, "/corrections?as_read_on=2025-07-02")
    assert numbers(kites, "?as_read_on=2025-07-02&corrected=since") == [1]


def test_a_notice_is_a_correction_comment_of_schema_org(kites: Kites) -> None:
    """In its markup, which no policy has to let run, and as a document of its own."""
    kites.correct("70.1", statement=HOSTILE)
    html = kites.page("/corrections/1")
    page = Page.of(html)
    assert "https://schema.org/CorrectionComment" in page.values("itemtype")
    assert {"text", "datePublished", "dateModified", "author", "identifier"} <= set(
        page.values("itemprop")
    )
    assert "script" not in page.tags
    (link,) = [one for one in page.values("href") if one.endswith(".jsonld")][:1]
    response = kites.get(link)
    assert response.content_type == "application/ld+json"
    comment = orjson.loads(response.data)
    assert (comment["@type"], comment["text"]) == ("CorrectionComment", HOSTILE)
    assert comment["url"] == "http://localhost/corrections/1"
    assert comment["datePublished"] == "2025-07-01T08:00:00.000000Z"


# --- who asked --------------------------------------------------------------------------------


def anonymous(kites: Kites, credit: str | None) -> int:
    """A report by somebody without an account."""
    number = kites.file(by="reporter-0a1b2c3d")
    open_letter(kites.workspace.private, number, "dana@example.org", credit=credit)
    return number


def test_whoever_asked_is_named_if_they_want_to_be(kites: Kites) -> None:
    """And thanked for what was accepted alone; nobody gets a name into the log else."""
    kites.correct("70.1", number=anonymous(kites, "Dana Q."))
    kites.decide(number=anonymous(kites, "Buy kites"))
    kites.correct("69", LOON, number=anonymous(kites, None))
    assert "<dt>Asked for by</dt><dd><bdi>Dana Q.</bdi></dd>" in kites.page("/corrections/1")
    assert kites.json("/corrections/1.json")["asked_by"] == "Dana Q."
    assert "Buy kites" not in kites.page("/corrections/2")
    assert "Asked for by" not in text(kites, "/corrections/3")
    assert "dana@example.org" not in kites.page("/corrections/1")


def test_after_erasure_the_reporter_is_erased_everywhere(kites: Kites) -> None:
    """Case P018: in the page as of then too, which nobody may keep for ever; the decision stays."""
    kites.correct("70.1", number=anonymous(kites, "Dana Q."))
    pinned = f"/corrections/1?as_read_on=2025-07-01&recorded_through={kites.head}"
    before = kites.get(pinned)
    assert "Dana Q." in before.text
    assert before.headers["Cache-Control"] == "no-cache"
    erase_report(kites.workspace.private, 1, ())
    after = kites.get(pinned, If_None_Match=before.headers["ETag"])
    assert after.status_code == 200
    assert "Dana Q." not in after.text
    assert "<dt>Asked for by</dt><dd><bdi>[erased]</bdi></dd>" in after.text
    for address in ("/corrections", "/corrections.csv", "/corrections.json", "/corrections.atom"):
        assert "Dana" not in kites.get(address).text
    assert numbers(kites) == [1]


# --- filters and search -----------------------------------------------------------------------


@pytest.fixture
def several(kites: Kites) -> Kites:
    """Six decisions on two benchmarks in two years."""
    kites.correct("70.1", statement="The table of eight shots says 70.1.")
    kites.wait(days=1)
    kites.correct("15.5", GLIDER, by="clara", reason="wrong-unit-or-scale")
    kites.wait(days=1)
    kites.decide(statement="100% of what_we saw is right.")
    kites.wait(days=200)
    target = kites.file("benchmarks/gliders", reason="missing-claim")
    kites.decide(number=target, outcome="cannot-be-verified", reason="missing-claim", snapshot=None)
    kites.reverse("2.1")
    kites.decide(
        orders.Retract(claim=IBIS, applies_from="start"), type="retraction", reason="run-invalid"
    )
    return kites


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", [6, 5, 4, 3, 2, 1]),
        ("benchmark=kitebench", [6, 3, 1]),
        ("benchmark=gliders", [5, 4, 2]),
        ("benchmark=nowhere", []),
        ("outcome=declined", [3]),
        ("outcome=reversed", [5]),
        ("outcome=duplicate", []),
        ("type=retraction", [6]),
        ("reason=wrong-unit-or-scale", [2]),
        ("decided_by=clara", [5, 2]),
        ("year=2025", [3, 2, 1]),
        ("year=2026", [6, 5, 4]),
        ("year=2026&benchmark=gliders&decided_by=clara", [5]),
        ("q=eight", [1]),
        ("q=EIGHT+Shots", [1]),
        ("q=eight+clara", []),
        ("q=ibis", [6]),
        ("q=heron-7b", [5, 3, 2, 1]),
        ("q=gliders", [5, 4, 2]),
        ("q=100%25", [3]),
        ("q=what_we", [3]),
        ("q=%25", [3]),
        ("q=_", [3]),
        ("q=4", [4]),
        ("q=&benchmark=&outcome=declined&type=&reason=&decided_by=&year=", [3]),
    ],
)
def test_filters_and_search_are_in_the_address(
    several: Kites, query: str, found: list[int]
) -> None:
    """All of them together; the same for the page, the JSON, the CSV and the feed."""
    # A claim's id, a digest or a number may hold a single digit by chance.
    listed = [one for one in numbers(several, f"?{query}") if query != "q=4" or one in found]
    assert listed == found
    if query == "q=4":
        return
    page = several.page(f"/corrections?{query}")
    assert [number for number in range(6, 0, -1) if f'id="correction-{number}"' in page] == found
    assert list(dict.fromkeys(int(row["number"]) for row in table(several, f"?{query}"))) == found
    titles = [told(one, "title") for one in feed(several, f"?{query}").findall("a:entry", ATOM)]
    assert sorted(int(title.split()[1].rstrip(",")) for title in titles) == sorted(found)


@pytest.mark.parametrize(
    "query",
    [
        "outcome=nonsense",
        "type=nonsense",
        "year=25",
        "year=twenty",
        "benchmark=%2Fetc",
        "decided_by=A+B",
        "q=a%00b",
        "q=%E2%80%8B",
        f"q={'a' * 129}",
        f"q={'+'.join('abcdefghi')}",
        "count=0",
        "count=1001",
        "count=-1",
        "before=x",
        "before=2&after=1",
        "page=2",
        "as_read_on=2025-02-30",
        "recorded_through=",
    ],
)
def test_what_no_entry_can_have_is_refused(kites: Kites, query: str) -> None:
    """Never a list that looks as if it were the answer."""
    for form in ("", ".json", ".csv", ".atom"):
        assert kites.get(f"/corrections{form}?{query}").status_code == 400


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "pattern", ["(a+)+$", "%28a%7Ca%29%2A%24", "a" * 40 + "%21", ".%2A", "%5B%5B"]
)
def test_a_search_is_for_words_and_never_for_patterns(several: Kites, pattern: str) -> None:
    """Case P044: plain text, answered at once whatever it looks like."""
    several.get("/corrections?q=warm")
    found = several.get(f"/corrections.json?q={pattern}")
    assert orjson.loads(found.data)["corrections"] == []


def test_the_form_holds_what_was_asked_for(several: Kites) -> None:
    """And offers only what occurs."""
    html = several.page("/corrections?q=table&benchmark=kitebench&year=2025")
    page = Page.of(html)
    assert "table" in page.values("value")
    assert '<option value="kitebench" selected>KiteBench v1</option>' in html
    assert '<option value="2025" selected>2025</option>' in html
    assert '<option value="duplicate"' not in html
    assert "1 entry of 6" in page.text
    assert "No entry has all of this." in text(several, "/corrections?q=nothing-of-the-kind")


# --- paging -----------------------------------------------------------------------------------


def follow(kites: Kites, query: str) -> Iterator[list[int]]:
    """Page after page, as the links lead."""
    address: str | None = f"/corrections{query}"
    while address:
        html = kites.page(address)
        page = Page.of(html)
        yield [
            int(one.removeprefix("correction-"))
            for one in page.values("id")
            if "correction-" in one
        ]
        address = next(
            (
                one.attributes["href"]
                for one in page_of(html).root.all("a")
                if one.attributes.get("rel") == "next"
            ),
            None,
        )


@pytest.mark.parametrize("count", [1, 2, 50])
def test_paging_shows_every_entry_once(several: Kites, count: int) -> None:
    """Case P024, also one by one."""
    found = [number for page in follow(several, f"?count={count}") for number in page]
    assert found == [6, 5, 4, 3, 2, 1]


def test_paging_is_stable_while_entries_come_in(several: Kites) -> None:
    """What is decided meanwhile comes first and moves nothing."""
    seen: list[int] = []
    for page in follow(several, "?count=1"):
        seen += page
        if len(seen) < 4:
            several.correct(f"60.{len(seen)}", LOON)
    assert seen == [6, 5, 4, 3, 2, 1]
    assert numbers(several)[:3] == [9, 8, 7]


def test_newer_entries_are_a_link_away(several: Kites) -> None:
    """From any page back to the first, with the filters kept."""
    html = several.page("/corrections?count=2&before=3&year=2025")
    assert 'href="/corrections?count=2&amp;year=2025&amp;after=2"' in html
    assert numbers(several, "?count=2&after=2") == [4, 3]
    assert numbers(several, "?count=2&year=2025&after=2") == [3]


def test_decisions_of_one_instant_keep_their_order(kites: Kites) -> None:
    """Case P024: the order is (recorded_at, position), in every form and after a rebuild."""
    number = kites.file()
    for to in ("70.1", "70.3"):
        kites.correct(to, number=number, remainder=True)
    other = kites.file(f"claims/{LOON}")
    for to in ("70.3", "70.1"):
        kites.correct(to, LOON, number=other, remainder=True)
    before = kites.json("/corrections.json")
    assert len({one["decided_at"] for one in before["corrections"]}) == 1
    shown = [one["claims"][0]["after"]["score"] for one in before["corrections"]]
    assert shown == ["70.1", "70.3", "70.3", "70.1"]
    paged = [numbers(kites, f"?count=1&before={number}")[0] for number in (5, 4, 3, 2)]
    assert paged == [4, 3, 2, 1]
    kites.workspace.follower.rebuild()
    assert kites.json("/corrections.json") == before
    scores = {
        row["as_written"]: row["score"] for row in kites.json("/benchmarks/kitebench.json")["rows"]
    }
    assert (scores["Heron-7B"], scores["Loon-3B"]) == ("70.3", "70.1")


def test_json_says_where_it_goes_on(several: Kites) -> None:
    """A program follows ``next`` until there is none."""
    address, seen = "/corrections.json?count=4", list[int]()
    while address:
        found = several.json(address)
        assert (found["matching"], found["in_all"]) == (6, 6)
        seen += [one["number"] for one in found["corrections"]]
        address = found["next"]
    assert seen == [6, 5, 4, 3, 2, 1]


def test_three_hundred_entries_and_a_long_one(kites: Kites) -> None:
    """Case P036: each is there once, the long statement is complete, and nothing is cut."""
    long = "\n\n".join(f"Paragraph {n} of a long note." for n in range(1, 201))
    number = kites.file()
    for place in range(1, 301):
        statement = long if place == 150 else f"Note {place}."
        kites.decide(number=number, outcome="accepted-in-part", remainder=True, statement=statement)
    found = [number for page in follow(kites, "?count=100") for number in page]
    rows = table(kites)
    assert found == list(range(300, 0, -1))
    assert Counter(int(row["number"]) for row in rows) == Counter(range(1, 301))
    assert rows[150]["statement"] == long
    notice = text(kites, "/corrections/150")
    assert all(f"Paragraph {n} of a long note." in notice for n in range(1, 201))
    assert "Paragraph 200" not in kites.page("/corrections?count=10&before=155")


# --- a pinned log -----------------------------------------------------------------------------


def test_a_pinned_log_never_changes(kites: Kites) -> None:
    """Not its entries, not what is in force, not what is found by a name that came later."""
    kites.correct("70.1")
    query = f"?as_read_on=2025-07-01&recorded_through={kites.head}"
    addresses = [f"/corrections{form}{query}" for form in ("", ".json", ".csv")]
    addresses += [f"/corrections{query}&q=heron", f"/corrections/1{query}"]
    before = [kites.get(address).text for address in addresses]
    kites.wait(days=1)
    kites.correct("71.0", replaces="1.1")
    kites.file()
    kites.withdraw(kites.file())
    assert [kites.get(address).text for address in addresses] == before


# --- CSV --------------------------------------------------------------------------------------


def test_csv_is_safe_and_its_numbers_stay_numbers(kites: Kites) -> None:
    """A statement that a spreadsheet would run is text; a negative score is a number."""
    kites.correct("-3.50", statement='=HYPERLINK("http://evil.example")', reason="@cmd")
    (row,) = table(kites)
    assert row["statement"] == '\'=HYPERLINK("http://evil.example")'
    assert row["reason"] == "'@cmd"
    assert (row["before"], row["after"]) == ("72.5", "-3.50")
    assert (row["number"], row["benchmark"], row["model"]) == ("1", "kitebench", "Heron-7B")
    assert row["decided_at"] == "2025-07-01T08:00:00.000000Z"


def test_csv_has_a_row_for_each_field_and_one_for_what_changed_nothing(kites: Kites) -> None:
    """So before and after are single values."""
    wish = orders.Correct(
        claim=HERON, applies_from="start", to=(("score", "70.1"), ("setting", "8 shots"))
    )
    kites.decide(wish)
    kites.decide()
    declined, *changed = table(kites)
    assert (declined["outcome"], declined["field"], declined["model"]) == (
        "declined",
        "",
        "Heron-7B",
    )
    assert {(row["field"], row["before"], row["after"]) for row in changed} == {
        ("score", "72.5", "70.1"),
        ("setting", "", "8 shots"),
    }


# --- feed -------------------------------------------------------------------------------------


def test_a_later_reversal_updates_an_entry_and_keeps_its_id(kites: Kites) -> None:
    """RFC 4287: the id never changes, and ``updated`` only grows (case P026)."""
    first = kites.correct("70.1")
    before = by_title(kites)[1]
    assert told(before, "updated") == told(before, "published") == "2025-07-01T08:00:00.000000Z"
    kites.wait(days=3)
    kites.reverse(first)
    after = by_title(kites)
    assert told(after[1], "id") == told(before, "id")
    assert told(after[1], "published") == told(before, "published")
    assert told(after[1], "updated") == "2025-07-04T08:00:00.000000Z"
    assert "No longer in force: correction 2 came in its place." in told(after[1], "content")
    assert told(feed(kites), "updated") == "2025-07-04T08:00:00.000000Z"


def test_ids_are_of_the_ledger_and_not_of_its_address(kites: Kites, tmp_path: Path) -> None:
    """The same under every name; others in another ledger; none twice."""
    three(kites)
    ids = {number: told(one, "id") for number, one in by_title(kites).items()}
    assert len(set(ids.values())) == 3
    assert all(one.startswith("urn:uuid:") for one in ids.values())
    elsewhere = kites.app.test_client().get("/corrections.atom", base_url="https://kites.example")
    root = ET.fromstring(elsewhere.data)  # noqa: S314 -- our own
    assert {told(one, "id") for one in root.findall("a:entry", ATOM)} == set(ids.values())
    assert 'href="https://kites.example/corrections/1"' in elsewhere.text
    other = Settings(home=tmp_path / "other", two_person=False)
    make_kites(other)
    with open_kites(other) as opened:
        opened.correct("70.1")
        assert told(by_title(opened)[1], "id") not in ids.values()


def test_an_old_entry_that_changed_is_in_the_feed_again(kites: Kites) -> None:
    """However many came after it."""
    number = kites.file()
    kites.correct("70.1", number=number, remainder=True)
    for _ in range(101):
        kites.decide(number=number, outcome="accepted-in-part", remainder=True)
    assert 1 not in by_title(kites)
    kites.wait(hours=1)
    kites.reverse("1.1")
    found = by_title(kites)
    assert len(found) == 100
    assert 1 in found


def test_the_feed_is_well_formed_whatever_a_statement_holds(kites: Kites) -> None:
    """Markup is text; a statement that nobody can read is not taken."""
    for unseen in ("\x0b", "\x00", "\u202e"):
        with pytest.raises(BadValue):
            kites.decide(statement=f"looked{unseen} up")
    kites.decide(statement=f"{HOSTILE} & ]]> end")
    (entry,) = feed(kites).findall("a:entry", ATOM)
    assert f"{HOSTILE} & ]]> end" in told(entry, "content")
    required = {"id", "title", "updated", "published", "author", "link", "content"}
    assert required <= {part.tag.partition("}")[2] for part in entry}


def test_an_empty_feed_is_a_feed(kites: Kites) -> None:
    """With id, title and updated, as RFC 4287 asks."""
    found = feed(kites)
    assert found.findall("a:entry", ATOM) == []
    assert told(found, "id").startswith("urn:uuid:")
    assert told(found, "updated") == "1970-01-01T00:00:00.000000Z"


def test_links_bear_the_address_that_the_operator_gave(kites_once: Path, tmp_path: Path) -> None:
    """Whatever name a request comes under."""
    import shutil  # noqa: PLC0415 -- used once

    shutil.copytree(kites_once, tmp_path / "home")
    settings = Settings(home=tmp_path / "home", two_person=False, address="https://kites.example")
    with open_kites(settings) as kites:
        kites.correct("70.1")
        assert 'href="https://kites.example/corrections/1"' in kites.get("/corrections.atom").text


# --- what is not decided ----------------------------------------------------------------------


def everything(kites: Kites) -> dict[str, str]:
    """All that the log says to strangers, address by address."""
    addresses = [f"/corrections{form}" for form in ("", ".json", ".csv", ".atom")]
    addresses += [
        "/corrections?q=heron",
        "/corrections?benchmark=kitebench",
        "/corrections.json?q=1",
    ]
    addresses += ["/corrections/1", "/corrections/1.json", "/corrections?as_read_on=2025-07-01"]
    return {address: kites.get(address).text for address in addresses}


def test_of_what_waits_there_is_a_number_and_nothing_else(kites: Kites) -> None:
    """Counts of what is open without saying what: the same whatever is waiting."""
    kites.correct("70.1")
    kites.wait(days=1)
    told_before = kites.json("/corrections.json")
    assert told_before["open"] == 0
    assert "No report waits for a decision." in text(kites, "/corrections")
    kites.file(f"claims/{LOON}", reason="contamination")
    kites.file("benchmarks/gliders", reason="missing-claim")
    assert "2 reports wait for a decision." in text(kites, "/corrections")
    assert kites.json("/corrections.json") == told_before | {"open": 2}
    assert "contamination" not in "".join(everything(kites).values())
    assert numbers(kites, "?q=contamination") == []


def test_a_proposal_is_nowhere_in_the_log(kites: Kites) -> None:
    """Not before a second person approves it; then both are named."""
    number = kites.file()
    wish = orders.Retract(claim=HERON, applies_from="start")
    name = kites.decide(wish, number=number, propose=True, statement="Take it off the boards.")
    assert "Take it off" not in "".join(everything(kites).values())
    order = orders.ApproveDecision(number=number, decision=name)
    kites.workspace.ledger.do(order, "clara")
    assert "by clara, as boris had proposed" in text(kites, "/corrections")
    assert "by clara, as boris had proposed" in text(kites, "/corrections/1")
    (row,) = table(kites)
    assert (row["decided_by"], row["proposed_by"]) == ("clara", "boris")


def test_what_was_withdrawn_before_publication_is_listed(kites: Kites) -> None:
    """Case P006: with date and reason, on no board, and without what was asked for."""
    number = kites.file(
        "benchmarks/kitebench", by="plover", reason="missing-claim", received_at=kites.clock()
    )
    kites.wait(days=4)
    kites.withdraw(number, by="plover", reason="The run had been adaptive.")
    kites.wait(days=1)
    with pytest.raises(Exception, match="withdrawn by its reporter"):
        kites.decide(number=number, outcome="accepted", snapshot=None)
    page = text(kites, "/corrections")
    assert "Withdrawn before publication" in page
    said = "5 Jul 2025, 08:00:00 UTC report 1 missing claim kitebench The run had been adaptive."
    assert said in page
    (one,) = kites.json("/corrections.json")["withdrawn"]
    assert one == {
        "report": 1,
        "withdrawn_at": "2025-07-05T08:00:00.000000Z",
        "benchmark": "kitebench",
        "reason": "missing-claim",
        "why": "The run had been adaptive.",
    }
    assert numbers(kites) == []
    assert "Withdrawn before" not in text(kites, "/corrections?as_read_on=2025-07-04")
    # A reviewer may tell of it in public; then it is an entry of the log like any other.
    kites.decide(number=number, outcome="withdrawn", snapshot=None, statement="Adaptive run.")
    assert "Correction 1: withdrawn before publication" in text(kites, "/corrections")
    assert kites.json("/corrections.json")["withdrawn"] == []
    then = "/corrections.json?as_read_on=2025-07-05&recorded_through=" + str(kites.head)
    assert len(kites.json(then)["withdrawn"]) == 1


def test_nobody_writes_on_the_log_by_withdrawing(kites: Kites) -> None:
    """Words of people without an account were read by nobody, so only fixed reasons show; what was
    set apart shows not at all; nor does the claim that it was about."""
    spam = kites.file(f"claims/{LOON}", by="reporter-00000001")
    kites.withdraw(spam, by="reporter-00000001", reason="BUY KITES https://evil.example")
    plain = kites.file("benchmarks/buy-kites", by="reporter-00000002")
    kites.withdraw(plain, by="reporter-00000002", reason="duplicate")
    chosen = kites.file(by="reporter-00000004")
    kites.withdraw(chosen, by="reporter-00000004", reason=WITHDRAWALS["settled"])
    apart = kites.file(by="reporter-00000003")
    kites.workspace.ledger.do(orders.ScreenReport(number=apart, passed=False), "boris")
    kites.withdraw(apart, by="reporter-00000003", reason="other")
    found = kites.json("/corrections.json")["withdrawn"]
    assert [(one["report"], one["why"], one["benchmark"]) for one in found] == [
        (chosen, "it was settled elsewhere", "kitebench"),
        (plain, "duplicate", None),
        (spam, None, "kitebench"),
    ]
    listed = kites.page("/corrections")
    assert "BUY KITES" not in listed
    assert "buy-kites" not in listed
    assert LOON not in listed


# --- P026 -------------------------------------------------------------------------------------


def test_a_withdrawal_and_its_undoing_are_both_readable(kites: Kites) -> None:
    """Case P026: present, absent with mark and reason, present again; the source's own date is a
    field that moves nothing, and what changed last only grows."""
    day: dict[str, Any] = {}
    kites.clock.now = kites.clock.now.replace(month=6, day=22, hour=6, minute=1, second=27)
    wish = orders.Retract(claim=HERON, applies_from="start", upstream_on=PartialDate("2025-06-20"))
    kites.decide(wish, type="retraction", reason="source-withdrew-it")
    kites.clock.now = kites.clock.now.replace(day=27)
    kites.decide(
        orders.Reinstate(claim=HERON, applies_from="start"), type="reinstatement", replaces="1.1"
    )
    kites.clock.now = kites.clock.now.replace(day=30)
    for read_on in ("2025-06-21", "2025-06-23", "2025-06-28"):
        board = kites.json(f"/benchmarks/kitebench.json?as_read_on={read_on}")
        day[read_on] = "Heron-7B" in [row["as_written"] for row in board["rows"]]
    assert day == {"2025-06-21": True, "2025-06-23": False, "2025-06-28": True}
    claim = text(kites, f"/claims/{HERON}?as_read_on=2025-06-23")
    assert "retracted" in claim
    assert "source withdrew it" in claim
    reinstated, withdrawn = kites.json("/corrections.json")["corrections"]
    assert withdrawn["claims"][0]["upstream_on"] == "2025-06-20"
    assert withdrawn["decided_at"].startswith("2025-06-22T06:01:27")
    assert withdrawn["changed_at"] == reinstated["decided_at"]
    assert "This decision is no longer in force: correction 2" in text(kites, "/corrections/1")


# --- the other engine -------------------------------------------------------------------------


def test_on_postgresql_the_log_says_the_same(
    kites: Kites, tmp_path: Path, postgres_url: str
) -> None:
    """Entries, filters, search, paging, feed, notices and what changed since."""
    settings = Settings(home=tmp_path / "home", database_url=postgres_url, two_person=False)
    make_kites(settings)
    with open_kites(settings) as other:
        for one in (kites, other):
            one.correct("70.1", statement="Straße, 100%, ÉTÉ")
            one.wait(days=1)
            one.reverse("1.1")
            one.decide(number=one.file("benchmarks/gliders"), snapshot=None, outcome="duplicate")
            one.withdraw(one.file(f"claims/{LOON}"))
        for query in (
            "",
            "q=heron",
            "q=straße",
            "q=100%25",
            "q=LOON",
            "q=_",
            "benchmark=gliders",
            "benchmark=kitebench&outcome=reversed",
            "year=2025&decided_by=clara",
            "count=1",
            "count=1&before=3",
            "count=1&after=1",
            "as_read_on=2025-07-01",
        ):
            address = f"/corrections.json?{query}"
            found = [without_positions(one.json(address)) for one in (kites, other)]
            assert found[0] == found[1], query
            assert other.get(f"/corrections?{query}").status_code == 200
        for address in ("/corrections/1.json", "/corrections/2.json", "/corrections/3.json"):
            assert without_positions(kites.json(address)) == without_positions(other.json(address))
        assert len(feed(other).findall("a:entry", ATOM)) == 3
        assert "changed since: correction 1, correction 2" in text(
            other, "/benchmarks/kitebench?as_read_on=2025-06-15"
        )


def without_positions(document: Any) -> Any:
    """A document without what two ledgers count each for themselves."""
    return {name: value for name, value in document.items() if name not in ("before", "after")}
