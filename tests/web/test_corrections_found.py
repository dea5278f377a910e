"""Decisions are found again: by filters, by words, and page after page."""

from collections import Counter

import orjson
import pytest

from tests.web.flat_page import Page
from tests.web.kites import LOON, Kites
from tests.web.public_log import ATOM, feed, follow, numbers, table, text, told

# --- filters and search -----------------------------------------------------------------------


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
