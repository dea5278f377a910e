"""Values: digits as written, dates with their precision, names that a reader can see."""

from datetime import UTC, date, datetime
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import BadValue
from ledger.values import (
    PartialDate,
    Score,
    end_of_day,
    from_micros,
    instant_text,
    micros,
    name_key,
    parse_day,
    parse_digest,
    parse_instant,
    parse_name,
    parse_slug,
    score,
    skeleton,
)
from projections.keeping.timeline import score_key


@pytest.mark.parametrize("text", ["72.50", "1.1", "0.1234567890123456789", "3,471", "-4", "1e3"])
def test_a_score_keeps_its_digits(text: str) -> None:
    """What is shown is what was written, whatever the value is."""
    assert str(Score(text)) == text


@pytest.mark.parametrize(
    "text",
    ["NaN", "Infinity", "-inf", "1e400", "1e-400", "", "5 %", "1,23", "\uff10", "1" * 61, "."],
)
def test_what_is_no_plain_decimal_is_refused(text: str) -> None:
    """Not a number, without end, beyond reason, or not written in digits."""
    with pytest.raises(BadValue):
        Score(text)


@given(
    nought=st.from_regex(r"[+-]?0[0-9]{0,2}", fullmatch=True),
    groups=st.lists(st.from_regex(r"[0-9]{3}", fullmatch=True), min_size=1, max_size=3),
    end=st.sampled_from(["", ".", ".5", "e2"]),
)
def test_a_comma_after_a_nought_is_refused_as_a_decimal_point(
    nought: str, groups: list[str], end: str
) -> None:
    """No thousands begin so: 0,571 is not 571. What was recorded under that rule stays what it
    was."""
    text = f"{nought},{','.join(groups)}{end}"
    with pytest.raises(BadValue, match=r"the comma could be a decimal point; write [+-]?0"):
        Score(text)
    assert score(text).value == Decimal(text.replace(",", ""))


def test_a_refused_comma_is_shown_as_a_point() -> None:
    """With the digits as they were written; of several commas, an example."""
    for text, point in (("0,571", "0.571"), ("-00,571", "-00.571"), ("0,571,000", "0.571")):
        with pytest.raises(BadValue, match=f"write {point} if it is"):
            Score(text)


@given(st.integers(1, 10**12))
def test_thousands_are_thousands(number: int) -> None:
    """1,234 is 1234, and 0.571 is itself."""
    assert Score(f"{number:,}").value == number
    assert Score(f"-{number:,}.50").value == -number - Decimal("0.5")
    assert Score(f"0.{number}").value == Decimal(f"0.{number}")


def test_a_float_is_refused() -> None:
    """It has no digits as written."""
    with pytest.raises(BadValue, match="digit by digit"):
        Score(72.5)  # type: ignore[arg-type]


def test_scores_tie_by_value_and_not_by_binary_fraction() -> None:
    """Case P014: 0.1 + 0.2 is 0.3, and 72.5 is 72.50."""
    assert Score("0.3").value == Decimal("0.1") + Decimal("0.2")
    assert Score("72.5") == Score("72.50")


@given(st.lists(st.decimals(allow_nan=False, allow_infinity=False, places=6), min_size=2))
def test_score_keys_sort_as_the_numbers_do(numbers: list[Decimal]) -> None:
    """By code point, exactly, negative numbers and zero included; equal numbers, equal keys."""
    bounded = [number for number in numbers if number.adjusted() < 30]
    by_key = sorted(bounded, key=score_key)
    assert by_key == sorted(bounded)
    for one, other in pairwise(by_key):
        assert (score_key(one) == score_key(other)) == (one == other)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("2026", date(2026, 1, 1)),
        ("2026-09", date(2026, 9, 1)),
        ("2026-09-10", date(2026, 9, 10)),
        ("2026-09-16/2026-09-18", date(2026, 9, 16)),
    ],
)
def test_a_partial_date_keeps_its_precision_and_sorts_at_its_first_day(
    text: str, first: date
) -> None:
    """It is never padded for showing."""
    assert (str(PartialDate(text)), PartialDate(text).first_day) == (text, first)


@pytest.mark.parametrize(
    "text", ["", "2025-02-30", "28/07/2025", "2025-13", "2025-07-02/2025-07-01"]
)
def test_an_impossible_date_is_refused(text: str) -> None:
    """Never today instead."""
    with pytest.raises(BadValue):
        PartialDate(text)
    with pytest.raises(BadValue):
        parse_day(text)


def test_an_instant_is_utc_and_needs_an_offset() -> None:
    """Case P022: half past eleven in the evening, seven hours behind, is the next day."""
    assert instant_text(parse_instant("2025-07-28T23:30:00-07:00")) == "2025-07-29T06:30:00.000000Z"
    with pytest.raises(BadValue, match="offset"):
        parse_instant("2025-07-28T23:30:00")


def test_a_day_ends_before_the_next_midnight() -> None:
    """Midnight belongs to the next day."""
    assert instant_text(end_of_day(date(2025, 7, 28))) == "2025-07-28T23:59:59.999999Z"


@given(st.datetimes(timezones=st.just(UTC)))
def test_microseconds_count_instants_exactly(instant: datetime) -> None:
    """There and back, for every instant."""
    assert from_micros(micros(instant)) == instant


@pytest.mark.parametrize(
    "name", ["\u200b", "Heron-7B\u200b", "gpt-\u202e5-tpg", "a\x00b", "\u3164", "  ", "x" * 301]
)
def test_a_name_that_hides_something_is_refused(name: str) -> None:
    """Case P042: zero width, bidirectional control, filler, empty, or too long."""
    with pytest.raises(BadValue):
        parse_name(name)


def test_full_width_is_the_same_name_and_other_look_alikes_are_not() -> None:
    """Case P042: NFKC joins the full-width letter; scripts, case and dashes stay apart."""
    assert name_key("\uff28eron-7B") == "Heron-7B"
    alike = ["\u041deron-7B", "heron-7b", "Heron\u20117B"]
    assert all(name_key(name) != "Heron-7B" for name in alike)
    assert {skeleton(name) for name in [*alike, "Heron-7B"]} == {"heron-7b"}
    assert parse_name("모델-3") == "모델-3"


@pytest.mark.parametrize("text", ["", "Über", "a b", "-a", "A", "a" * 129, "a/b"])
def test_a_slug_is_an_address_part(text: str) -> None:
    """Lower-case letters, digits, dot, hyphen, underscore."""
    with pytest.raises(BadValue):
        parse_slug(text)


def test_a_digest_is_a_sha256_in_lower_case() -> None:
    """Nothing shorter, nothing else."""
    assert parse_digest("0" * 64) == "0" * 64
    with pytest.raises(BadValue):
        parse_digest("A" * 64)
