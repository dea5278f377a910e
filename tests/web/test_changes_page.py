"""What changed: two days side by side, every change with its cause, and one model everywhere."""

import csv
import io
from typing import Any

import orjson
import pytest

from ledger import commands as orders
from ledger import events as ev
from ledger.values import Slug, parse_instant
from projections.over_time.changes import changes_between
from reports.contract import step_json
from tests.web.kites import GLIDER, HERON, IBIS, KITES, LOON, Kites, read
from tests.web.orchard import BOARD, HOSTILE, NOW, WRONG, Orchard, correct, read_board
from tests.web.page import page_of

CHANGES = f"{BOARD}/changes"
ALL = f"{CHANGES}?from=2025-07-28&to=2025-08-20"


def cells(html: str, table: str) -> list[list[str]]:
    """The cells of a table, row by row."""
    rows = [row for body in page_of(html).table(table).all("tbody") for row in body.all("tr")]
    return [[one.text for one in (*row.all("th"), *row.all("td"))] for row in rows]


def sides(document: Any) -> dict[str, tuple[Any, Any]]:
    """Rank and score of each moved row before and after, by the name of its model."""
    return {
        one["model"]["name"]: (_side(one["before"]), _side(one["after"]))
        for one in document["rows"]
    }


def _side(one: Any) -> Any:
    return one and (one["rank"], one["score"])


def say(kites: Kites, stream: str, fact: ev.BenchmarkEvent | ev.ModelEvent) -> None:
    """A curator says something."""
    kites.workspace.ledger.do(orders.Assert(stream=stream, fact=fact), by="curator")


# --- side by side -----------------------------------------------------------------------------


def test_rows_that_moved_stand_beside_what_they_were(orchard: Orchard) -> None:
    """Each with its own changes; the board before the first day and the one at the end are led
    to."""
    html = orchard.page(f"{CHANGES}?from=2025-07-29&to=2025-08-20&view=independent")
    assert cells(html, "changed") == [
        ["Alder 7B May 2025", "1", "71.0%", "1", "72.5%", "same rank", "restated by its source"],
        ["Birch", "2", "64.20%", "2", "69%", "same rank", "restated by its source"],
        [HOSTILE, "3", "12%", "not ranked", "not ranked", "gone", "delisted by its source"],
    ]
    links = page_of(html).table("changed").links()
    assert links["Before 29 Jul 2025"] == (
        f"{BOARD}?as_read_on=2025-07-28&view=independent&metric=grown"
    )
    assert links["By the end of 20 Aug 2025"] == (
        f"{BOARD}?view=independent&metric=grown&as_read_on=2025-08-20"
    )


def test_a_row_that_only_others_moved_stands_apart(kites: Kites) -> None:
    """Ibis falls to the last place by its own number; the two others rise."""
    kites.correct("60", IBIS)
    html = kites.page("/benchmarks/kitebench/changes")
    assert cells(html, "changed") == [
        ["Ibis-13B", "1", "80.0%", "3", "60%", "down 2", "corrected (Correction 1)"]
    ]
    assert [row[-2:] for row in cells(html, "shifted")] == [
        ["up 1", "others moved"],
        ["up 1", "others moved"],
    ]
    assert "1 row of the board changed, 2 moved as others did" in page_of(html).root.text


def test_a_rule_that_changes_is_the_reason_for_what_it_moves(kites: Kites) -> None:
    """Less is better from now on: the first and the last change places."""
    rule = ev.RankingRuleSet(
        metric=Slug("score"),
        name="falls",
        unit="%",
        higher_is_better=False,
        read_at=kites.clock(),
        why="the board counts falls now",
    )
    say(kites, "benchmark:kitebench", rule)
    document = kites.json("/benchmarks/kitebench/changes.json")
    assert sides(document) == {
        "Loon-3B": ((3, "71"), (1, "71")),
        "Ibis-13B": ((1, "80.0"), (3, "80.0")),
    }
    assert all(one["by_rule"] for one in document["rows"])
    (said,) = document["rules"]
    assert (said["kind"], said["by"], said["why"]) == ("rule", "curator", rule.why)
    assert said["before"]["higher_is_better"] == "yes"
    assert said["after"]["higher_is_better"] == "no"
    text = page_of(kites.page("/benchmarks/kitebench/changes")).root.text
    assert "ranking rule" in text
    assert "down 2 its metric’s rule changed" in text
    assert "curator: the board counts falls now" in text


# --- every change -----------------------------------------------------------------------------


def test_every_change_bears_its_cause_and_leads_to_it(kites: Kites) -> None:
    """A reading, a decision, a renamed model, a caveat: each by its own kind of hand."""
    kites.wait(days=1)
    day = kites.clock().date().isoformat()
    name = kites.clock().strftime("%Y-%m-%dT%H%M%SZ.csv")
    read(kites.workspace, KITES, name, "model,score\nHeron-7B,73.5\nIbis-13B,80.0\n")
    kites.wait(minutes=1)
    kites.correct("70.1")
    kites.wait(minutes=1)
    model = kites.json(f"/claims/{IBIS}.json")["model"]
    say(
        kites,
        f"model:{model}",
        ev.ModelRenamed(name="Ibis", version="13B", read_at=kites.clock(), why="its lab says so"),
    )
    say(
        kites,
        "benchmark:kitebench",
        ev.CaveatStated(
            caveat=Slug("wind"), text="It was windy.", read_at=kites.clock(), why="a report"
        ),
    )
    html = kites.page(f"/benchmarks/kitebench/changes?from={day}&to={day}")
    page = page_of(html)
    found = {
        row.all("td")[0].text: row
        for body in page.table("all-changes").all("tbody")
        for row in body.all("tr")[1:]
    }
    assert set(found) == {
        "restated by its source",
        "delisted by its source",
        "corrected",
        "model renamed",
        "caveat",
    }
    links = {what: row.links() for what, row in found.items()}
    digest = kites.snapshot(LOON)
    assert links["restated by its source"]["KiteBench leaderboard"] == "/sources/kite-board"
    assert f"/snapshots/{digest}" in links["delisted by its source"].values()
    assert links["corrected"]["Correction 1"] == "/corrections/1"
    assert "curator: its lab says so" in found["model renamed"].text
    assert "It was windy." in found["caveat"].text
    assert page.table("all-changes").one("caption").text == "5 changes"


def test_changes_of_one_view_or_metric_can_be_asked_for(orchard: Orchard) -> None:
    """The correction was of a lab's number; the hours are another metric."""
    for query, kinds in (
        ("", ["recorded"] * 3 + ["restated", "restated", "delisted", "corrected"]),
        ("&view=labs", ["corrected"]),
        ("&view=independent", ["recorded"] * 3 + ["restated", "restated", "delisted"]),
        ("&metric=hours", []),
        ("&view=&metric=", ["recorded"] * 3 + ["restated", "restated", "delisted", "corrected"]),
    ):
        document = orchard.json(f"{BOARD}/changes.json?from=2025-07-28&to=2025-08-20{query}")
        assert [one["kind"] for one in document["changes"]] == kinds, query


def test_a_span_can_begin_and_end_at_an_instant(orchard: Orchard) -> None:
    """Both are included, to the microsecond."""
    ends = "from=2025-07-29T00:00:00Z&to=2025-07-29T06:29:59Z"
    document = orchard.json(f"{BOARD}/changes.json?{ends}")
    assert [(one["old"], one["new"]) for one in document["changes"]] == [("64.20", "69")]
    text = page_of(orchard.page(f"{CHANGES}?{ends}")).root.text
    assert "From 29 Jul 2025, 00:00:00 to 29 Jul 2025, 06:29:59 (UTC): 1 change" in text


def test_without_a_span_the_latest_change_shows(orchard: Orchard) -> None:
    """From its day to today; where nothing ever changed, nothing is said to have."""
    text = page_of(orchard.page(CHANGES)).root.text
    assert "From the start of 10 Aug 2025 to the end of 20 Aug 2025 (UTC): 1 change" in text
    assert "Nothing changed." in page_of(orchard.page("/benchmarks/meadow/changes")).root.text


def test_the_page_and_the_command_list_the_same(orchard: Orchard) -> None:
    """JSON is what ``corrigenda changes`` gives, with a cause; CSV has a row for each."""
    document = orchard.json(f"{BOARD}/changes.json?from=2025-07-28&to=2025-08-20")
    start, moment = parse_instant("2025-07-28"), orchard.workspace.moment(as_read_on="2025-08-20")
    with orchard.workspace.views.read() as reader:
        store = orchard.workspace.ledger.store
        steps = changes_between(reader, store, "orchard", start, moment)
    bare = [{name: one[name] for name in one if name != "cause"} for one in document["changes"]]
    assert bare == [step_json(step) for step in steps]
    *_, last = document["changes"]
    assert (last["kind"], last["old"], last["new"]) == ("corrected", "71.0", "70.5")
    assert (last["claim_id"], last["decision"]) == (WRONG, "1.1")
    assert last["cause"] == {"kind": "decision", "correction": 1}
    first = document["changes"][0]["cause"]
    assert (first["kind"], first["source"]["slug"]) == ("source", "orchard-board")
    response = orchard.get(f"{BOARD}/changes.csv?from=2025-07-28&to=2025-08-20")
    rows = list(csv.DictReader(io.StringIO(response.text)))
    assert [row["kind"] for row in rows] == [one["kind"] for one in document["changes"]]
    assert [row["correction"] for row in rows][-1] == "1"
    assert (
        f"orchard_changes_2025-07-28_2025-08-20_position-{orchard.head}.csv"
        in (response.headers["Content-Disposition"])
    )


def test_hostile_names_are_text_and_no_formula(orchard: Orchard) -> None:
    """A name that would be markup, and one that a spreadsheet would run."""
    read_board(orchard.workspace, "2025-08-01T000000Z.csv", 'model,score\n"=1+1",88\n')
    assert HOSTILE in page_of(orchard.page(ALL)).root.text
    rows = list(csv.DictReader(io.StringIO(orchard.get(ALL.replace("?", ".csv?")).text)))
    assert "'=1+1" in [row["name"] for row in rows]


def test_what_a_page_cannot_hold_goes_on_on_another_day(orchard: Orchard) -> None:
    """Three hundred changes and no more; JSON and CSV have all."""
    lines = "".join(f"M{number:03},{number}\n" for number in range(320))
    read_board(orchard.workspace, "2025-08-01T000000Z.csv", f"model,score\n{lines}")
    html = orchard.page(ALL)
    go_on = page_of(html).section("changes").links()["go on from 1 Aug 2025"]
    assert "from=2025-08-01" in go_on
    assert len(orchard.json(ALL.replace("?", ".json?"))["changes"]) == 329
    assert len(cells(html, "all-changes")) == 300 + len(page_of(html).root.all("tr", "of-day"))


# --- asking -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("from=2025-02-30&to=2025-08-01", "day is out of range"),
        ("from=28/07/2025", "needs an offset"),
        ("from=", "leave it out, or give a value"),
        ("to=", "leave it out, or give a value"),
        ("to=2025-13-01", "month must be in"),
        ("from=2025-08-02&to=2025-08-01", "it is later than to"),
        (f"to={NOW.year + 1}-01-01", "lies in the future"),
        (f"from={NOW.year + 1}-01-01", "it is later than to"),
        ("recorded_through=999", "does not exist yet"),
        ("as_read_on=2025-08-01", "has no parameter"),
        ("view=ours", "it is one of"),
        ("from=2025-08-01&from=2025-08-02", "give it once"),
        ("from=0001-01-01T00:00:00%2B14:00", "from"),
    ],
)
def test_a_span_that_cannot_be_is_refused(orchard: Orchard, query: str, why: str) -> None:
    """400 on the page, in JSON and in CSV."""
    for suffix in ("", ".json", ".csv", ".bib"):
        response = orchard.get(f"{CHANGES}{suffix}?{query}")
        assert response.status_code == 400, response.text
        assert why in response.text


def test_the_beginning_of_time_can_be_asked_for(orchard: Orchard) -> None:
    """Then there was nothing before it."""
    for first in ("0001-01-01", "0001-01-01T00:00:00Z", "1000-01-01"):
        document = orchard.json(f"{BOARD}/changes.json?from={first}&to=2025-08-20")
        assert len(document["changes"]) == 10
        assert orchard.get(f"{CHANGES}?from={first}").status_code == 200


def test_what_is_not_there_has_no_changes(orchard: Orchard) -> None:
    """An unknown benchmark, metric or model is 404."""
    for address in (
        "/benchmarks/unknown/changes",
        f"{CHANGES}?metric=unknown",
        "/models/unknown/history",
        "/models/unknown/history.csv",
    ):
        assert orchard.get(address).status_code == 404


@pytest.mark.parametrize("suffix", ["", ".json", ".csv", ".bib", ".csl.json"])
def test_a_pinned_span_never_changes_again(orchard: Orchard, suffix: str) -> None:
    """Its last day and the position pin it; anything else is asked for again."""
    pinned = f"{CHANGES}{suffix}?from=2025-07-28&to=2025-08-20&recorded_through={orchard.head}"
    before = orchard.get(pinned)
    assert before.headers["Cache-Control"].endswith("immutable")
    orchard.clock.now = orchard.clock.now.replace(year=2026)
    read_board(orchard.workspace, "2025-08-02T000000Z.csv", "model,score\nBirch,12\nElm,99\n")
    correct(orchard.workspace, 2, WRONG, "33.3")
    assert orchard.get(pinned).data == before.data
    loose = orchard.get(f"{CHANGES}{suffix}?from=2025-07-28&to=2025-08-20")
    assert loose.headers["Cache-Control"] == "no-cache"
    if suffix in {"", ".json", ".csv"}:
        assert loose.data != before.data


# --- one model --------------------------------------------------------------------------------


def test_a_models_history_goes_over_all_benchmarks(kites: Kites) -> None:
    """Newest first on the page, oldest first for programs; a correction on one, a rename on all."""
    kites.correct("70.1")
    kites.wait(minutes=1)
    model = kites.json(f"/claims/{HERON}.json")["model"]
    rename = ev.ModelRenamed(name="Heron", version="7B", read_at=kites.clock(), why="one name")
    say(kites, f"model:{model}", rename)
    address = f"/models/{model}/history"
    rows = cells(kites.page(address), "history")
    told = [[one for one in row if one] for row in rows]
    assert [row[2] for row in told] == [
        "model renamed",
        "corrected",
        "first stated by its source",
        "first stated by its source",
    ]
    assert {row[0] for row in told} == {"every one", "KiteBench v1", "Gliders"}
    changes = kites.json(f"{address}.json")["changes"]
    told_of = [(one["kind"], one["benchmark"], one["claim_id"]) for one in changes]
    assert sorted(told_of[:2]) == [
        ("recorded", "gliders", GLIDER),
        ("recorded", "kitebench", HERON),
    ]
    assert told_of[2:] == [("corrected", "kitebench", HERON), ("renamed", None, None)]
    lines = list(csv.DictReader(io.StringIO(kites.get(f"{address}.csv").text)))
    assert [one["kind"] for one in lines] == [one["kind"] for one in changes]
    assert lines[-1]["why"] == "one name"


def test_a_models_history_is_of_the_moment_that_is_asked_for(orchard: Orchard) -> None:
    """What was not read by then is not in it."""
    by_then = orchard.json("/models/birch/history.json?as_read_on=2025-07-28")["changes"]
    now = orjson.loads(orchard.get("/models/birch/history.json").data)["changes"]
    assert (len(by_then), len(now)) == (4, 6)
