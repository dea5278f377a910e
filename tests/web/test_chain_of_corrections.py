"""A correction of a correction, and its undoing, wherever a number is told: K1 corrects 72.5 to
70.1, K2 corrects K1 to 71.0, K3 revokes K2. Decided on 2, 4 and 6 July 2025.
"""

import csv
import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping

import attrs
import pytest

from tests.web.flat_page import Page
from tests.web.kites import HERON, Kites

BOARD, CLAIM = "/benchmarks/kitebench", f"/claims/{HERON}"
NAME = "Heron-7B"
ATOM = {"a": "http://www.w3.org/2005/Atom"}
SCORES = ("72.5", "70.1", "71.0", "70.1")
"""What shows before anything was decided, and after each decision."""
DAYS = (
    ("2025-07-01", "2025-07-01"),
    ("2025-07-02", "2025-07-03"),
    ("2025-07-04", "2025-07-05"),
    ("2025-07-06", "2025-07-07"),
)
"""The first day of each score, and the last before the next."""

STEPS: tuple[Callable[[Kites], object], ...] = (
    lambda kites: kites.correct("70.1"),
    lambda kites: kites.correct("71.0", replaces="1.1"),
    lambda kites: kites.reverse("2.1"),
)


@attrs.frozen
class Seen:
    """The pages as they are asked for at one moment."""

    kites: Kites
    time: str = ""

    def text(self, path: str) -> str:
        """What a page says."""
        return Page.of(self.kites.page(self._at(path))).text

    def rows(self, path: str) -> list[dict[str, str]]:
        """A CSV, row by row."""
        response = self.kites.get(self._at(path))
        assert response.mimetype == "text/csv"
        return list(csv.DictReader(io.StringIO(response.text, newline="")))

    def _at(self, path: str) -> str:
        return f"{path}?{self.time}" if self.time else path

    # --- where the number is told -------------------------------------------------------------

    def board(self) -> Mapping[str, str]:
        """The score of the row, in each form of the board."""
        html = self.kites.page(self._at(BOARD))
        rows = re.split(r"<tr\b", html)[1:]
        row = next(one for one in rows if f"<bdi>{NAME}</bdi>" in one)
        score = re.findall(r">\s*([\d.]+)%", row)[0]
        (as_json,) = [
            one["score"]
            for one in self.kites.json(self._at(f"{BOARD}.json"))["rows"]
            if one["as_written"] == NAME
        ]
        (as_csv,) = [one["score"] for one in self.rows(f"{BOARD}.csv") if one["model"] == NAME]
        return {"board": score, "board.json": as_json, "board.csv": as_csv}

    def claim(self) -> Mapping[str, str]:
        """The number at the head of the claim's page, and in its JSON."""
        (score,) = re.findall(rf"{NAME}: ([\d.]+)% A claim by", self.text(CLAIM))
        shows = self.kites.json(self._at(f"{CLAIM}.json"))["shows"]
        return {"claim": score, "claim.json": shows["score"]}

    def log(self) -> Mapping[str, str]:
        """What the newest entry of the log came to, in each of its forms."""
        told = self.text("/corrections")
        newest = re.findall(rf"{NAME} on KiteBench v1: score [\d.]+ → ([\d.]+)", told)[0]
        entry = self.kites.json(self._at("/corrections.json"))["corrections"][0]
        return {
            "log": newest,
            "log.json": entry["claims"][0]["after"]["score"],
            "log.csv": self.rows("/corrections.csv")[0]["after"],
        }

    def notice(self, number: int) -> Mapping[str, str]:
        """What the notice of a decision says that it came to."""
        told = self.text(f"/corrections/{number}")
        after = re.findall(r"KiteBench v1 score [\d.]+ ([\d.]+) ", told)
        as_json = self.kites.json(self._at(f"/corrections/{number}.json"))
        return {"notice": after[0], "notice.json": as_json["claims"][0]["after"]["score"]}

    def feed(self) -> Mapping[int, str]:
        """The entries of the feed by their numbers."""
        root = ET.fromstring(self.kites.get("/corrections.atom").data)  # noqa: S314 -- our own
        return {
            int(entry.findtext("a:title", "", ATOM).split()[1].rstrip(",")): entry.findtext(
                "a:content", "", ATOM
            )
            for entry in root.findall("a:entry", ATOM)
        }


@pytest.fixture
def decided(kites: Kites) -> Kites:
    """All three decisions, two days apart, seen on the day after the last."""
    for step in STEPS:
        next_day(kites)
        step(kites)
        kites.wait(days=1)
    return kites


def next_day(kites: Kites) -> None:
    """Go on to the day after."""
    kites.wait(days=1)


def only(told: Mapping[str, str]) -> str:
    """The one value that is told everywhere."""
    assert len(set(told.values())) == 1, told
    return next(iter(told.values()))


# --- now --------------------------------------------------------------------------------------


def test_after_each_decision_every_place_shows_its_number(kites: Kites) -> None:
    """72.5, then 70.1, 71.0 and 70.1 again: board, claim, log, notice and feed, in every form."""
    seen = Seen(kites)
    assert only({**seen.board(), **seen.claim()}) == SCORES[0]
    assert seen.feed() == {}
    for number, step in enumerate(STEPS, start=1):
        next_day(kites)
        step(kites)
        told = {**seen.board(), **seen.claim(), **seen.log(), **seen.notice(number)}
        assert only(told) == SCORES[number]
        assert f"score {SCORES[number - 1]} → {SCORES[number]}" in seen.feed()[number]
        assert set(seen.feed()) == set(range(1, number + 1))


def test_the_mark_leads_to_the_decision_in_force(kites: Kites) -> None:
    """On the board and on the claim's page: to K1, to K2, and to K1 again."""
    for step, in_force in zip(STEPS, (1, 2, 1), strict=True):
        next_day(kites)
        step(kites)
        for address in (BOARD, CLAIM):
            mark = f'<li class="corrected"><a href="/corrections/{in_force}">corrected</a></li>'
            assert mark in kites.page(address)


def test_an_old_notice_links_to_what_came_in_its_place(kites: Kites) -> None:
    """Whoever comes by an old link is told, and led on, until the decision in force is reached."""
    standing: dict[int, dict[int, str | None]] = {
        1: {1: None},
        2: {1: "no longer in force: correction 2 came in its place", 2: None},
        3: {
            1: "in force again, after correction 2 was undone",
            2: "no longer in force: correction 3 came in its place",
            3: None,
        },
    }
    for number, step in enumerate(STEPS, start=1):
        next_day(kites)
        step(kites)
        for notice, words in standing[number].items():
            told = Seen(kites).text(f"/corrections/{notice}")
            html = kites.page(f"/corrections/{notice}")
            if words is None:
                assert "This decision is" not in told
            else:
                assert f"This decision is {words}." in told
                (after,) = re.findall(r"correction (\d)", words)
                assert f'<a href="/corrections/{after}">See correction {after}</a>' in html


def test_each_notice_shows_the_whole_chain_and_keeps_its_own_numbers(decided: Kites) -> None:
    """Three links in order, the one that is read marked; before and after as decided then."""
    for number in (1, 2, 3):
        html = decided.page(f"/corrections/{number}")
        chain = html.partition('<ol class="chain">')[2].partition("</ol>")[0]
        assert re.findall(r"Correction (\d)", chain) == ["1", "2", "3"]
        assert chain.count("aria-current") == 1
        assert f'<li aria-current="true"><strong>Correction {number}, this one' in chain
        told = decided.json(f"/corrections/{number}.json")
        (claim,) = told["claims"]
        assert claim["before"]["score"] == SCORES[number - 1]
        assert claim["after"]["score"] == SCORES[number]
        assert told["chain"] == [1, 2, 3]
        assert told["in_force"] is (number != 2)


def test_the_feed_says_of_each_entry_what_became_of_it(decided: Kites) -> None:
    """All three are there, each with its own numbers."""
    entries = Seen(decided).feed()
    assert sorted(entries) == [1, 2, 3]
    for number, content in entries.items():
        assert f"score {SCORES[number - 1]} → {SCORES[number]}" in content
    assert "In force again, after correction 2 was undone." in entries[1]
    assert "No longer in force: correction 3 came in its place." in entries[2]


# --- as read before ---------------------------------------------------------------------------


@pytest.mark.parametrize("at", range(4))
@pytest.mark.parametrize("end", [0, 1], ids=["first-day", "last-day"])
def test_as_read_before_each_decision_every_place_shows_that_days_number(
    decided: Kites, at: int, end: int
) -> None:
    """On the first day of each number and on its last; the log and its notices are of that day."""
    seen = Seen(decided, f"as_read_on={DAYS[at][end]}")
    told = {**seen.board(), **seen.claim()}
    if at:
        told |= {**seen.log(), **seen.notice(at)}
    assert only(told) == SCORES[at]
    numbers = [
        one["number"] for one in decided.json(f"/corrections.json?{seen.time}")["corrections"]
    ]
    assert numbers == [*range(at, 0, -1)]
    for later in range(at + 1, 4):
        assert decided.get(f"/corrections/{later}?{seen.time}").status_code == 404


@pytest.mark.parametrize("at", range(4))
def test_each_day_as_it_is_known_now_shows_the_number_in_force(decided: Kites, at: int) -> None:
    """With what was corrected since, all of them show what stands: 70.1."""
    seen = Seen(decided, f"as_read_on={DAYS[at][1]}&corrected=since")
    assert only({**seen.board(), **seen.claim()}) == SCORES[-1]


@pytest.mark.parametrize("at", range(4))
def test_what_was_pinned_before_each_decision_never_changes(kites: Kites, at: int) -> None:
    """The board, the claim and the log as the ledger stood then are the same bytes after all."""
    for step in STEPS[:at]:
        next_day(kites)
        step(kites)
    pinned = f"as_read_on=2025-07-07&recorded_through={kites.head}"
    kites.wait(days=30)
    paths = [BOARD, f"{BOARD}.json", f"{BOARD}.csv", CLAIM, f"{CLAIM}.json"]
    paths += ["/corrections", "/corrections.json", "/corrections.csv"]
    before = [kites.get(f"{path}?{pinned}").data for path in paths]
    assert only({**Seen(kites, pinned).board(), **Seen(kites, pinned).claim()}) == SCORES[at]
    for step in STEPS[at:]:
        next_day(kites)
        step(kites)
    assert [kites.get(f"{path}?{pinned}").data for path in paths] == before
