"""What a bundle shows follows from its own events alone, and whatever does not is named."""

import random
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import hypothesis
import orjson
import psycopg
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from ledger.errors import BadValue, NotFound
from ledger.proof.bundle import check_bundle
from ledger.seal import Seals
from reports.bundle import (
    Bundle,
    Records,
    board_bundle,
    claim_bundle,
    correction_bundle,
    corrections_bundle,
)
from reports.differing import differences
from reports.rebuild import rebuild
from tests.playing import Game, games
from tests.reports.ring import Ring
from tests.reports.shop import READ_ON, Shop
from tests.reports.stories import bundles, records, tell
from tests.reports.test_bundle import BIG, KINDS, SMALL
from tests.strategies import BENCHMARK, Action, histories, lives_of_one_claim
from tests.web.desk import HERON, Desk, Ticking, fill, open_desk
from web.settings import Settings

patient = hypothesis.settings(
    max_examples=12,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def read_back(bundle: Bundle) -> Any:
    """A bundle as somebody else reads it."""
    return orjson.loads(bundle.data)


# --- it follows -------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_demo_shows_follows_from_its_events(shop: Shop, kind: str) -> None:
    """Boards of both benchmarks, a claim, a correction and a log, before and after the decision."""
    assert rebuild(read_back(KINDS[kind](shop))) == []


@pytest.mark.parametrize("day", ["2024-06-01", "2026-11-11", READ_ON, "2026-11-20"])
@pytest.mark.parametrize("slug", [BIG, SMALL])
def test_boards_of_any_day_follow_from_their_events(shop: Shop, slug: str, day: str) -> None:
    """Also an empty one, one that counts what was out by a day, and each view."""
    moment, views = shop.moment(day), ("labs", "independent", "all")
    asked = [(moment, view) for view in views]
    asked += [(shop.moment(day, published_by="2024-12-31"), "all")]
    asked += [(shop.moment(day, corrected="since"), "all")]
    for when, view in asked:
        bundle = board_bundle(shop.records, when, slug, view=view)
        assert rebuild(read_back(bundle)) == []


def test_whatever_is_decided_follows_from_its_events(desk: Desk) -> None:
    """Corrections of corrections, reversals of reversals, retractions, two benchmarks at once."""
    tell(desk)
    for bundle in bundles(desk):
        document = read_back(bundle)
        assert rebuild(document) == [], document["subject"]
        assert check_bundle(bundle.data).problems == ()


def test_positions_with_gaps_follow_too(postgres_url: str, tmp_path: Path) -> None:
    """On PostgreSQL what was rolled back leaves gaps; leaves have none, and both go along."""
    settings = Settings(home=tmp_path / "home", database_url=postgres_url)
    clock = Ticking()
    fill(settings, clock)
    with open_desk(settings, clock) as desk:
        tell(desk)
        with psycopg.connect(postgres_url) as connection:
            connection.execute("SELECT nextval('ledger.events_notification_id_seq')")
        desk.accept("68.0")
        made, head = records(desk), desk.workspace.ledger.store.head()
        for bundle in (
            board_bundle(made, desk.workspace.moment(), BENCHMARK),
            claim_bundle(made, desk.workspace.moment(), HERON),
            correction_bundle(made, head, desk.log()[0].number),
        ):
            document = read_back(bundle)
            last = document["events"][-1]
            assert last["index"] < last["position"] - 1
            assert rebuild(document) == []
            assert check_bundle(bundle.data).problems == ()


@patient
@given(
    actions=st.one_of(histories(10), lives_of_one_claim(10)),
    chance=st.randoms(use_true_random=False),
)
def test_any_history_follows_from_the_events_of_its_bundles(
    actions: list[Action], chance: random.Random
) -> None:
    """Late and withdrawn readings, rules, renames and decisions in any order, at any moment."""
    with games() as game:
        game.play(*actions)
        for bundle in asked_at_random(game, chance):
            document = read_back(bundle)
            assert rebuild(document) == [], document["subject"]
            assert check_bundle(bundle.data).problems == ()


def asked_at_random(game: Game, chance: random.Random) -> list[Bundle]:
    """A bundle of each kind at a moment between any two actions."""
    home, claims = game.home, list(game.reference.ids.values())
    instants, positions = game.instants(), game.positions()
    if not instants or not positions:
        return []
    seals = Seals(home.store, Ring())
    records = Records(home.store, seals, home.views, home.ledger.archive)
    plane, until = chance.choice(("then", "since")), chance.choice((None, "2025-03-02"))
    moment = game.moment(chance.choice(instants), chance.choice(positions), plane, until)
    view, metric = chance.choice(("labs", "independent", "all")), chance.choice((None, "speed"))
    asks: list[Callable[[], Bundle]] = [
        lambda: board_bundle(records, moment, BENCHMARK, view=view, metric=metric),
        lambda: corrections_bundle(records, moment, date(2025, 3, 1), date(2025, 3, 3)),
    ]
    if claims:
        asks.append(lambda: claim_bundle(records, moment, chance.choice(claims)))
    if game.decisions:
        asks.append(lambda: correction_bundle(records, moment, len(game.decisions)))
    made: list[Bundle] = []
    for ask in asks:
        with suppress(NotFound):
            made.append(ask())
    return made


# --- it does not ------------------------------------------------------------------------------


def set_score(document: Any) -> None:
    document["shows"]["rows"][0]["score"] = "99.9"


def drop_row(document: Any) -> None:
    document["shows"]["rows"].pop()


def rename_model(document: Any) -> None:
    document["claims"][0]["model_name"] = "Somebody Else"


def forget_mark(document: Any) -> None:
    document["claims"][0]["marks"] = []


def change_rule(document: Any) -> None:
    document["rule"]["higher_is_better"] = False


def hush_up_since(document: Any) -> None:
    document["since"]["corrections"] = []


def swap_snapshot(document: Any) -> None:
    document["snapshots"][0]["read_at"] = "2020-01-01T00:00:00Z"


def soften_decision(document: Any) -> None:
    document["decisions"][0]["statement"] = "Nothing was wrong."


def drop_claim_events(document: Any) -> None:
    dropped = document["claims"][0]["events"]
    document["events"] = [one for one in document["events"] if one["position"] not in dropped]


def move_moment(document: Any) -> None:
    document["subject"]["as_read_on"] = "2025-01-01"


SPOILED: dict[Callable[[Any], None], str] = {
    set_score: 'shows.rows[0].score: the bundle says "99.9"',
    drop_row: "shows.rows: the bundle says a list of",
    rename_model: 'claims[0].model_name: the bundle says "Somebody Else"',
    forget_mark: "claims[0].marks: the bundle says a list of 0",
    change_rule: "rule.higher_is_better: the bundle says false",
    hush_up_since: "since: the bundle says a list of 0, its events give a list of 1",
    swap_snapshot: "snapshots[0].read_at",
    soften_decision: 'decisions[0].statement: the bundle says "Nothing was wrong."',
    drop_claim_events: "shows.rows",
    move_moment: "as_read_on",
}


@pytest.mark.parametrize("spoil", SPOILED, ids=lambda one: one.__name__)
def test_whatever_does_not_follow_is_named(shop: Shop, spoil: Callable[[Any], None]) -> None:
    """Each part of a document, changed alone, is found, with what its events give instead."""
    document = read_back(board_bundle(shop.records, shop.moment(READ_ON), SMALL))
    spoil(document)
    try:
        found = rebuild(document)
    except BadValue as why:
        found = [str(why)]
    assert any(SPOILED[spoil] in one for one in found), found


def test_events_that_nothing_rests_on_are_named(shop: Shop) -> None:
    """Whoever pads a bundle with events of another benchmark is found out."""
    document = read_back(board_bundle(shop.records, shop.moment(READ_ON), SMALL))
    other = read_back(board_bundle(shop.records, shop.moment(READ_ON), BIG))
    known = {one["position"] for one in document["events"]}
    extra = [one for one in other["events"] if one["position"] not in known]
    document["events"] = sorted([*document["events"], *extra], key=lambda one: int(one["position"]))
    assert any(one.startswith("events: nothing that it shows") for one in rebuild(document))


def test_what_is_no_bundle_is_refused(shop: Shop) -> None:
    """Missing parts, events of no known kind and positions that fall have their own words."""
    spoils: tuple[Callable[[Any], object], ...] = (
        lambda one: one.pop("since"),
        lambda one: one["events"][0].update(stored='{"type":"x/1"}'),
        lambda one: one["events"].append(one["events"][-1]),
        lambda one: one["subject"].update(kind="paper"),
        lambda one: one.update(events=7),
        lambda one: one["decisions"][0].update(number=0),
    )
    for spoil in spoils:
        document = read_back(KINDS["a claim"](shop))
        spoil(document)
        with pytest.raises(BadValue):
            rebuild(document)


# --- saying where -----------------------------------------------------------------------------


def test_differences_name_the_place_and_both_values() -> None:
    """Paths lead into objects and lists; long texts are cut, kinds are kept apart."""
    said = {"a": [{"b": "1"}, {"b": 2}], "c": True, "d": "x" * 200}
    found = {"a": [{"b": "1"}, {"b": "2"}], "c": 1, "e": None}
    assert list(differences(said, found)) == [
        'a[1].b: the bundle says 2, its events give "2"',
        "c: the bundle says true, its events give 1",
        f'd: the bundle says "{"x" * 119}…, its events give nothing',
        "e: the bundle says nothing, its events give null",
    ]
