"""Units are said, registered or asked for, and never told from the size of numbers."""

from contextlib import suppress

import attrs
import pytest

from ledger import events as ev
from ledger.errors import FileRefused
from ledger.importing.formats.format import Asked, Candidate, Sheet
from ledger.importing.formats.rows import Metrics
from ledger.importing.formats.sheets import board_of
from ledger.importing.formats.tables import RawRow
from ledger.importing.formats.units import check_units
from ledger.importing.rules import missing_rule
from ledger.values import Slug
from tests.ledger.formats.broken import NOW

NOTHING = Asked(now=NOW)


def asks(
    scores: list[tuple[str, str | None]], registered: str | None = None, said: Asked = NOTHING
) -> bool:
    """Whether a board of these scores and units is refused until somebody says the unit."""
    rows = tuple(
        RawRow(n, {"model": f"M{n}", "score": score, "metric": "acc", "unit": unit})
        for n, (score, unit) in enumerate(scores, 1)
    )
    sheet = Sheet(source="s", benchmark="b", rows=rows)
    board, _ = board_of(sheet, Candidate.of("f", b""), said, Metrics(), form="test")
    rules = [] if registered is None else [rule(registered)]
    with suppress(FileRefused):
        check_units(board, "b", rules)
        return False
    return True


def test_the_question_names_the_metric_and_both_units() -> None:
    """So that whoever is asked knows what to say."""
    row = RawRow(1, {"model": "M", "score": "0.57", "metric": "acc"})
    sheet = Sheet(source="s", benchmark="b", rows=(row,))
    board, _ = board_of(sheet, Candidate.of("f", b""), NOTHING, Metrics(), form="test")
    with pytest.raises(FileRefused, match=r"on b, acc may be .* --unit fraction or --unit %"):
        check_units(board, "b", [])


def rule(unit: str | None) -> ev.RankingRuleSet:
    return ev.RankingRuleSet(metric=Slug("acc"), name="acc", unit=unit, read_at=NOW, why="a test")


@pytest.mark.parametrize(
    ("scores", "registered", "is_asked"),
    [
        (["0.57", "0.6"], None, True),
        (["57", "60"], None, True),
        (["0.57", "57"], None, True),
        (["0", "100"], None, True),
        (["1200", "1100"], None, False),
        (["-3", "4"], None, False),
        (["57", "60"], "%", False),
        (["0.57", "60"], "%", True),
        (["0.57", "0.6"], "fraction", False),
        (["0.57", "57"], "fraction", True),
        (["0.57", "57"], "elo", False),
    ],
)
def test_open_units_are_asked_for_where_they_could_be_mistaken(
    scores: list[str], registered: str | None, is_asked: bool
) -> None:
    """Where neither the file nor the rule says it, and where numbers belie the rule."""
    assert asks([(score, None) for score in scores], registered) is is_asked


def test_what_is_said_is_not_asked_again() -> None:
    """By the file, or by whoever imports: for all metrics or for this one."""
    assert not asks([("0.57", "fraction"), ("57", "%")])
    assert asks([("0.57", "fraction"), ("57", None)])
    assert not asks([("0.57", None)], said=attrs.evolve(NOTHING, unit="%"))
    for metric in ("acc", "other"):
        said = attrs.evolve(NOTHING, units={metric: "fraction"})
        assert asks([("0.57", None)], said=said) is (metric == "other")


def test_fractions_beside_percents_are_counted_in_percents() -> None:
    """So that the metric that is met so ranks both exactly."""
    rows = tuple(
        RawRow(n, {"model": f"M{n}", "score": score, "metric": "acc", "unit": unit})
        for n, (score, unit) in enumerate([("0.57", "fraction"), ("56", "%")])
    )
    sheet = Sheet(source="s", benchmark="b", rows=rows)
    board, target = board_of(sheet, Candidate.of("f", b""), Asked(now=NOW), Metrics(), form="test")
    met = missing_rule([], Slug("acc"), 0, target, board)
    assert met is not None
    assert met.unit == "%"
