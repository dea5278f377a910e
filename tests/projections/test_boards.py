"""How a board ranks: order, ties, splits, units, means, counters, and what stands beside it."""

from pathlib import Path

import pytest

from ledger import events as ev
from ledger.errors import BadValue, NotFound
from ledger.values import PartialDate, Slug, parse_instant
from projections.board.boards import Board
from tests.desk import SOURCE, Desk, claim, open_desk, shown

DAY = "2025-06-01"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A new ledger; it is 10 June 2025."""
    return open_desk(tmp_path).at("2025-06-10T12:00:00Z")


def beside(board: Board) -> dict[str, str | None]:
    """What does not rank, and why."""
    return {row.name: row.why_unranked for row in board.unranked}


def test_better_scores_come_first_and_ranks_are_ordinal(desk: Desk) -> None:
    """By value, not by text; a tie is marked and numbered on."""
    desk.read("a,Heron-7B,9.5;b,Ibis-13B,72.50;c,Loon-3B,72.5;d,Plover-Agent,100", DAY)
    board = desk.board()
    ranks = [(row.rank, row.name, row.tied) for row in board.rows]
    assert ranks == [
        (1, "Plover-Agent", False),
        (2, "Ibis-13B", True),
        (3, "Loon-3B", True),
        (4, "Heron-7B", False),
    ]


def test_ties_go_by_date_then_name_then_claim(desk: Desk) -> None:
    """A partial date sorts at its first day, none sorts last, names by code point."""
    rows = "a,zebra,50,2025-02;b,Zebra,50,2025-02-01;c,ant,50,2025-01-31;d,bee,50,"
    desk.read(rows, DAY, header="key,model,score,date")
    assert [row.name for row in desk.board().rows] == ["ant", "Zebra", "zebra", "bee"]


def test_lower_is_better_when_the_rule_says_so(desk: Desk) -> None:
    """The best is then the lowest."""
    rule = ev.RankingRuleSet(
        metric=Slug("score"),
        name="perplexity",
        higher_is_better=False,
        read_at=parse_instant(DAY),
        why="as its authors say",
    )
    desk.rule("score", DAY)
    desk.set_rule(rule)
    desk.read("a,Heron-7B,9.5;b,Ibis-13B,-1;c,Loon-3B,72.5", DAY)
    assert list(desk.scores().values()) == ["-1", "9.5", "72.5"]


def test_one_row_per_model_shows_its_best_and_every_claim_shows_all(desk: Desk) -> None:
    """Two settings of one model are two rows of the source."""
    desk.read(
        "a,Heron-7B,70,0-shot;b,Heron-7B,72,3-shot;c,Ibis-13B,71,",
        DAY,
        header="key,model,score,setting",
    )
    assert desk.scores() == {"Heron-7B": "72", "Ibis-13B": "71"}
    every = desk.board(every_claim=True)
    assert [(row.key, str(row.score)) for row in every.rows] == [
        ("b", "72"),
        ("c", "71"),
        ("a", "70"),
    ]


def test_a_split_that_the_rule_does_not_name_shows_beside_the_board(desk: Desk) -> None:
    """Series are not mixed (case P008): each says why it does not rank."""
    desk.rule("score", DAY, "judge-0613")
    desk.read(
        "a,Heron-7B,71.4,judge-0314;b,Heron-7B,52.0,judge-0613;c,Ibis-13B,60.0,judge-x",
        DAY,
        header="key,model,score,split",
    )
    assert desk.scores() == {"Heron-7B": "52.0"}
    assert beside(desk.board()) == {
        "Heron-7B": "split judge-0314 does not rank under this rule",
        "Ibis-13B": "split judge-x does not rank under this rule",
    }


def test_fractions_rank_beside_percents_exactly_and_other_units_do_not_rank(desk: Desk) -> None:
    """0.725 is 72.5 %; nothing is guessed from size."""
    desk.rule("score", DAY)
    desk.read(
        "a,Heron-7B,72.4,%;b,Ibis-13B,0.725,fraction;c,Loon-3B,0.9,;d,Plover-Agent,1200,elo",
        DAY,
        header="key,model,score,unit",
    )
    board = desk.board()
    assert shown(board) == {"Ibis-13B": "0.725", "Heron-7B": "72.4", "Loon-3B": "0.9"}
    assert beside(board) == {"Plover-Agent": "its unit elo is not the metric's (%)"}


def test_fractions_rank_beside_percents_where_the_rule_names_no_unit(desk: Desk) -> None:
    """Seven tenths are not less than ten hundredths; each keeps what it states."""
    desk.rule("score", "2025-05-01", unit=None)
    desk.read(
        "a,Heron-7B,10,%;b,Ibis-13B,0.7,fraction;c,Plover-Agent,6,points",
        DAY,
        header="key,model,score,unit",
    )
    board = desk.board()
    assert [(row.name, str(row.score), row.unit) for row in board.rows] == [
        ("Ibis-13B", "0.7", "fraction"),
        ("Heron-7B", "10", "%"),
        ("Plover-Agent", "6", "points"),
    ]


def test_a_mean_of_fractions_and_percents_is_one_of_percents(desk: Desk) -> None:
    """Where the rule names no unit, too: 0.7 and 50% are 60% on average."""
    desk.rule("score", "2025-05-01", "t1", "t2", combine="mean", unit=None)
    desk.read(
        "a1,Heron-7B,0.7,fraction,t1;a2,Heron-7B,50,%,t2", DAY, header="key,model,score,unit,split"
    )
    (row,) = desk.board().rows
    assert (str(row.score), row.unit) == ("60.00", "%")


def test_a_mean_gives_no_number_and_no_rank_while_a_part_is_missing(desk: Desk) -> None:
    """Case P004: never an average over what happens to be there."""
    tasks = ("t1", "t2", "t3", "t4")
    desk.at("2025-08-10T12:00:00Z")
    desk.rule("score", "2025-08-01", *tasks, combine="mean")
    heron = ";".join(f"h,Heron-7B,{n},{t}" for n, t in zip((80, 70, 60, 50), tasks, strict=True))
    header = "key,model,score,split"
    desk.read(f"{heron};i,Ibis-13B,82,t1;i,Ibis-13B,74,t2", "2025-08-01", header=header)
    first = desk.board("2025-08-01")
    assert shown(first) == {"Heron-7B": "65.00"}
    assert [(row.name, row.score, row.why_unranked) for row in first.unranked] == [
        ("Ibis-13B", None, "2 of 4 parts; no number while one is missing")
    ]
    ibis = "i,Ibis-13B,82,t1;i,Ibis-13B,74,t2;i,Ibis-13B,40,t3;i,Ibis-13B,44,t4"
    desk.read(f"{heron};{ibis}", "2025-08-02", header=header)
    assert desk.scores("2025-08-02") == {"Heron-7B": "65.00", "Ibis-13B": "60.00"}


def test_a_score_of_zero_is_a_score(desk: Desk) -> None:
    """Case P004: a stored 0.00 is not missing."""
    desk.read("a,Heron-7B,0.00;b,Ibis-13B,", DAY)
    assert desk.scores() == {"Heron-7B": "0.00"}


def test_a_score_that_its_own_counters_do_not_give_is_marked(desk: Desk) -> None:
    """Case P002: it has to follow from every denominator that is stated."""
    desk.read(
        "c2,Heron-7B,53.3,120,215,225;c3,Ibis-13B,90.0,133,,133;c4,Loon-3B,50.0,100,200,200",
        DAY,
        header="key,model,score,passed,completed,total",
    )
    marks = {row.name: {m["kind"]: m["text"] for m in row.marks} for row in desk.board().rows}
    assert marks["Heron-7B"]["counters"].endswith("(120/215 = 55.8, 120/225 = 53.3)")
    assert marks["Heron-7B"]["partial-run"] == "215 of 225 run"
    assert marks["Ibis-13B"]["counters"].endswith("(133/133 = 100.0)")
    assert "counters" not in marks["Loon-3B"]


def test_each_view_takes_in_its_kinds_of_source(desk: Desk) -> None:
    """Labs' own, independent, or every claim there is."""
    desk.read("a,Heron-7B,70", DAY, source="card", kind="model-card")
    desk.read("b,Ibis-13B,60", DAY)
    desk.read("c,Loon-3B,50", DAY, source="rumour", kind="collected-claim")
    assert list(desk.scores(view="labs")) == ["Heron-7B"]
    assert list(desk.scores(view="independent")) == ["Ibis-13B"]
    assert list(desk.scores(view="all")) == ["Heron-7B", "Ibis-13B", "Loon-3B"]


def test_an_independent_row_prints_its_models_release(desk: Desk) -> None:
    """Which is also the date that it counts from; unknown, the source's own date is printed."""
    registered = ev.ModelRegistered(
        slug=Slug("heron"),
        name="Heron-7B",
        released=PartialDate("2025-03"),
        read_at=parse_instant(DAY),
    )
    desk.model("heron", registered)
    header = "key,model,score,date"
    desk.read("a,Heron-7B,70,2025-05-05;b,Ibis-13B,60,2025-05-06", DAY, header=header)
    dates = [str(row.published_on) for row in desk.board().rows]
    assert dates == ["2025-03", "2025-05-06"]


def test_a_look_alike_is_a_model_of_its_own_and_flagged(desk: Desk) -> None:
    """Case P042: full width is the same name; script, case and dashes are not."""
    desk.read("a,Heron-7B,70", "2025-05-01")
    receipt = desk.read("a,Heron-7B,70;b,\u041deron-7B,80;c,\uff28eron-7B,75", DAY)
    assert len(receipt.notes) == 1
    board = desk.board()
    marked = {row.key for row in board.rows for mark in row.marks if mark["kind"] == "look-alike"}
    assert marked == {"b"}
    assert board.rows[1].name == "Heron-7B"


@pytest.mark.parametrize("known_first", ["Heron-7B", "heron-7b"])
def test_a_look_alike_is_flagged_until_a_reviewer_joins_it(desk: Desk, known_first: str) -> None:
    """Whichever of the two names was known first, and on the days before it still is."""
    desk.read(f"x,{known_first},1", "2025-05-01", source="other")
    desk.read("a,Heron-7B,70;b,heron-7b,60", DAY)
    flagged = [row.name for row in desk.board().rows if row.marks[-1]["kind"] == "look-alike"]
    assert flagged == [{"Heron-7B": "heron-7b", "heron-7b": "Heron-7B"}[known_first]]
    heron = next(row.model for row in desk.board().rows if row.name == "Heron-7B")
    assert heron is not None
    joined = ev.AliasAsserted(name="heron-7b", read_at=desk.clock.now, why="its lab says so")
    desk.model(heron.id, joined)
    later = desk.board()
    assert [row.name for row in later.rows] == ["Heron-7B"]
    assert all(mark["kind"] != "look-alike" for row in later.claims for mark in row.marks)
    before = desk.board("2025-06-09")
    assert any(mark["kind"] == "look-alike" for row in before.rows for mark in row.marks)


def test_claims_without_a_registered_model_are_counted_and_not_ranked(desk: Desk) -> None:
    """They are entries of the board all the same."""
    desk.read("a,Heron-7B,70", DAY)
    head = "key,model,score\n"
    desk.only_tracked(f"{head}a,Heron-7B,70\nb,Ibis-13B,60\nc,Loon-3B,50\n", "2025-06-02")
    assert desk.board().untracked == 2
    assert list(desk.scores()) == ["Heron-7B"]


def test_an_empty_board_says_why(desk: Desk) -> None:
    """Nothing read yet is another answer than nothing in this view."""
    desk.read("a,Heron-7B,70", DAY)
    because = desk.board("2025-05-31").empty_because
    assert because == (
        "Nothing had been read for kitebench by 2025-05-31; the first reading is of 2025-06-01."
    )
    assert "“labs”" in (desk.board(view="labs").empty_because or "")


def test_what_is_not_known_is_refused_by_name(desk: Desk) -> None:
    """An unknown metric names the known ones."""
    desk.read("a,Heron-7B,70", DAY)
    with pytest.raises(NotFound, match="known: score"):
        desk.board(metric="speed")
    with pytest.raises(BadValue, match="it is one of"):
        desk.board(view="press")


def test_a_row_links_to_its_claim_and_its_source(desk: Desk) -> None:
    """So that the chain can be followed."""
    desk.read("a,Heron-7B,70", DAY)
    row = desk.board().rows[0]
    assert (row.claim_id, row.source.slug, row.as_written) == (claim("a"), SOURCE, "Heron-7B")
