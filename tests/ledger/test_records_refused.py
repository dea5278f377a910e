"""Which lines refuse a whole file, what is said of them, and where a file is too much."""

import json
import re

import pytest

from ledger.errors import FileRefused
from ledger.importing import limits
from ledger.importing.records import RecordsRefused, parse_records
from tests.ledger.record_lines import (
    CLAIM_LINE,
    HEADER,
    LAB,
    MODEL,
    NOW,
    READING,
    RULE,
    SOURCE,
    Line,
    parsed,
    refusal,
    written,
)

# --- what is refused --------------------------------------------------------------------------


BAD: list[tuple[Line, str | None, str]] = [
    ("[1]", None, "one JSON object"),
    ('{"record":"lab"', None, "not JSON: .* at column 16"),
    ('{"record":"lab","slug":"a","name":"A","slug":"b"}', "slug", "said twice"),
    ({"record": "decision"}, "record", "one of file, benchmark"),
    ({"slug": "alder"}, "record", "one of file, benchmark"),
    (HEADER, "record", "first line alone"),
    (LAB | {"colour": "red"}, "colour", "no such field; known are record, read_at, slug, name"),
    (LAB | {"\u202ered": 1}, r"\u202ered", "no such field"),
    ({"record": "lab", "slug": "alder"}, "name", "missing"),
    (LAB | {"name": None}, "name", "missing"),
    (LAB | {"name": 7}, "name", "7: text in quotes"),
    (LAB | {"name": True}, "name", "true: text in quotes"),
    (LAB | {"slug": "Alder Labs"}, "slug", "128 of a-z"),
    (LAB | {"name": "Al\u200bder"}, "name", r"U\+200B"),
    (LAB | {"name": "Al\u202eder"}, "name", r"U\+202E"),
    (LAB | {"name": "Al\u0007der"}, "name", r"U\+0007"),
    (LAB | {"name": "\u3164"}, "name", r"U\+3164"),
    ('{"record":"lab","slug":"a","name":"A","why":"\\ud800"}', "why", r"U\+D800"),
    (LAB | {"why": "to the \u2067left"}, "why", r"U\+2067"),
    (LAB | {"why": " "}, "why", "empty"),
    (LAB | {"why": "w" * 20_001}, "why", "at most 20000"),
    (LAB | {"read_at": "2026-12-01"}, "read_at", "lies in the future"),
    (LAB | {"read_at": "2026-11-30T12:00:01Z"}, "read_at", "lies in the future"),
    (LAB | {"read_at": "2026-02-30"}, "read_at", "2026-02-30"),
    (LAB | {"read_at": "2026-11-30T12:00:00"}, "read_at", "needs an offset"),
    (MODEL | {"released": "2026-12"}, "released", r"in the future \(today is 2026-11-30\)"),
    (MODEL | {"released": "12/2026"}, "released", "write it as YYYY"),
    (MODEL | {"means_from": "2026-12-01"}, "means_from", "in the future"),
    (RULE | {"unit": "furlongs"}, "unit", "known are %"),
    (RULE | {"splits": []}, "splits", "a list in square brackets"),
    (RULE | {"splits": ["All", "All"]}, "splits", "twice"),
    (RULE | {"decimals": "2"}, "decimals", "whole number"),
    (RULE | {"decimals": -1}, "decimals", "whole number"),
    (RULE | {"decimals": 1.5}, "decimals", "whole number"),
    (RULE | {"headline": "yes"}, "headline", "true or false"),
    (SOURCE | {"kind": "blog"}, "kind", "known are launch-post"),
    (SOURCE | {"address": "javascript:alert(1)"}, "address", "https://"),
    (SOURCE | {"address": "https://example.org/a b"}, "address", "no spaces"),
    ({"record": "post", "source": "a", "benchmark": "b", "listed": 1}, "listed", "true or false"),
    ({"record": "model-facts", "model": "a", "facts": {}}, "facts", "in curly brackets"),
    ({"record": "model-facts", "model": "a", "facts": {"A b": "1"}}, "facts", "128 of a-z"),
    ({"record": "model-facts", "model": "a", "facts": {"n": [1]}}, "facts", "text in quotes"),
    (
        {"record": "model-facts", "model": "a", "facts": {"released": "2027"}},
        "facts",
        "in the future",
    ),
    ({"record": "index", "slug": "i", "name": "I", "models": [{"rank": 1}]}, "models", "a name"),
    (
        {"record": "index", "slug": "i", "name": "I", "models": [{"name": "A"}, {"name": "A"}]},
        "models",
        "twice",
    ),
    (
        {"record": "index", "slug": "i", "name": "I", "models": [{"name": "A", "score": 1}]},
        "models",
        "score is unknown there",
    ),
]


@pytest.mark.parametrize(("line", "field", "why"), BAD)
def test_a_bad_line_refuses_the_file_and_says_where_and_why(
    line: Line, field: str | None, why: str
) -> None:
    """The refusal names the file, the line, the field and the reason."""
    refused = refusal(LAB, line)
    assert isinstance(refused, RecordsRefused)
    (problem,) = refused.problems
    assert (problem.row, problem.field) == (3, field)
    assert re.search(why, problem.why)
    assert str(refused).startswith("page.jsonl: nothing was recorded, because of 1 problem: line 3")


BAD_CLAIMS: list[tuple[Line, str | None, str]] = [
    (json.dumps(CLAIM_LINE).replace('"71.0"', "NaN"), None, "NaN is not a number"),
    (json.dumps(CLAIM_LINE).replace('"71.0"', "-Infinity"), None, "-Infinity is not a number"),
    (CLAIM_LINE | {"score": "Infinity"}, "score", "not a plain decimal number"),
    (CLAIM_LINE | {"score": "1e999"}, "score", "exponent is beyond reason"),
    (json.dumps(CLAIM_LINE).replace('"71.0"', "1e999"), "score", "exponent is beyond reason"),
    (CLAIM_LINE | {"score": "1" * 61}, "score", "at most 60"),
    (CLAIM_LINE | {"score": True}, "score", "a number is expected"),
    (CLAIM_LINE | {"score": "71 %"}, "score", "not a plain decimal number"),
    (CLAIM_LINE | {"unit": "percent"}, "unit", "known are %"),
    (CLAIM_LINE | {"published_on": "2026-12-01"}, "published_on", "in the future"),
    (CLAIM_LINE | {"passed": 3.5}, "passed", "whole number"),
    (CLAIM_LINE | {"passed": 10**16}, "passed", "whole number"),
    (CLAIM_LINE | {"read_at": "2026-11-12"}, "read_at", "when its reading is"),
    (CLAIM_LINE | {"extra": {"soil": ["clay"]}}, "extra", "text in quotes"),
    (CLAIM_LINE | {"source": "elsewhere"}, "source", "no reading of elsewhere on orchard"),
    (CLAIM_LINE | {"score": "72"}, "key", "line 3 states this row under the same metric and split"),
    (
        CLAIM_LINE | {"key": "Birch", "name": "Beech", "split": "x"},
        "name",
        "another name on line 3",
    ),
    (CLAIM_LINE | {"metric": "wilted"}, "metric", "none of the metrics of its reading"),
    (READING, "order", "line 2 is a reading of the same instant"),
]


@pytest.mark.parametrize(("line", "field", "why"), BAD_CLAIMS)
def test_a_bad_claim_refuses_the_file(line: Line, field: str | None, why: str) -> None:
    """Numbers that are none, rows stated twice, claims of no reading."""
    refused = refusal(READING | {"metrics": ["grown"]}, CLAIM_LINE, line)
    assert isinstance(refused, RecordsRefused)
    (problem,) = refused.problems
    assert (problem.row, problem.field) == (4, field)
    assert re.search(why, problem.why)


def test_a_claim_before_any_reading_is_refused() -> None:
    """It would not be known who stated it."""
    assert "line 2: no reading stands before this claim" in str(refusal(CLAIM_LINE, READING))


def test_the_claims_of_a_refused_reading_are_not_complained_about() -> None:
    """One mistake makes one problem."""
    refused = refusal(READING | {"colour": "red"}, CLAIM_LINE, CLAIM_LINE | {"score": "NaN"})
    assert isinstance(refused, RecordsRefused)
    assert [(problem.row, problem.field) for problem in refused.problems] == [
        (2, "colour"),
        (4, "score"),
    ]


def test_all_problems_are_said_at_once_up_to_fifty() -> None:
    """Sixty bad lines: fifty are listed, all are counted."""
    refused = refusal(*(LAB | {"slug": f"Lab {n}"} for n in range(60)))
    assert isinstance(refused, RecordsRefused)
    assert [problem.row for problem in refused.problems] == list(range(2, 52))
    assert "because of 60 problems: line 2" in str(refused)
    assert str(refused).endswith("; and 10 more.")


def test_without_an_instant_in_the_header_each_line_says_its_own() -> None:
    """A reading that nobody knows the time of is refused."""
    header = {"record": "file", "format": "corrigenda-records/1"}
    assert "line 2, read_at: it is missing" in str(refusal(LAB, header=header))
    assert parsed(LAB | {"read_at": "2026-11-12"}, header=header).read_at is None


@pytest.mark.parametrize(
    "header",
    [
        "",
        "{",
        json.dumps(LAB),
        json.dumps(HEADER | {"format": "corrigenda-records/2"}),
        '{"format":"corrigenda-records/1"}',
    ],
)
def test_a_file_that_does_not_begin_with_the_header_is_refused(header: str) -> None:
    """What a later version of the format means is not guessed."""
    assert 'does not begin with {"record":"file"' in str(refusal(LAB, header=header))


def test_a_header_with_a_mistake_is_refused_by_itself() -> None:
    """Otherwise every line would be complained about."""
    refused = refusal(LAB, header=HEADER | {"read_at": "2026-12-24", "by": "mira"})
    assert isinstance(refused, RecordsRefused)
    assert {problem.field for problem in refused.problems} == {"read_at", "by"}


def test_an_empty_file_is_refused() -> None:
    """Nothing at all is not a records file."""
    with pytest.raises(FileRefused, match=r"page\.jsonl: it is empty"):
        parse_records("page.jsonl", b"\n \n", NOW)


# --- limits -----------------------------------------------------------------------------------


def test_the_limits_are_checked_before_anything_is_parsed() -> None:
    """Too many bytes, lines, characters in a line, or levels: refused with the limit."""
    bad = written() + b"not JSON\n"
    cases: list[tuple[bytes, str]] = [
        (bad + b" " * limits.MOST_BYTES, f"at most {limits.MOST_BYTES}"),
        (bad + b"\n" * limits.MOST_ROWS, f"100003 lines and at most {limits.MOST_ROWS}"),
        (written() + b'{"why":"' + b"w" * limits.LONGEST_LINE, "line 2 has 1048584 characters"),
        (written() + b"[" * 33, "line 2 nests more than 32 levels deep"),
        (written() + b'{"a":' * 500_00, "line 2 nests more than 32 levels deep"),
    ]
    for data, why in cases:
        with pytest.raises(FileRefused, match=why):
            parse_records("page.jsonl", data, NOW)


def test_brackets_in_text_are_not_levels() -> None:
    """A caveat may hold as many brackets as it likes."""
    limits.check_depth("page.jsonl", json.dumps({"text": '\\"' + "[" * 100}))
    limits.check_depth("page.jsonl", "[" * 32 + "]" * 32 + "[]" * 40)
    with pytest.raises(FileRefused, match="it nests more than 32 levels deep"):
        limits.check_depth("page.json", "[" * 33)


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b'{"record":"file"}\xff', r"byte 17 \(0xff\)"),
        (limits.BOM + b"{}\xc3(", r"byte 5 \(0xc3\)"),
        ('{"record":"file"}'.encode("utf-16"), r"byte 0 \(0xff\)"),
    ],
)
def test_another_encoding_is_refused_with_the_byte_that_gave_it_away(
    data: bytes, where: str
) -> None:
    """Only UTF-8 is read; a byte order mark counts as bytes."""
    with pytest.raises(FileRefused, match=rf"page\.jsonl: {where} is not UTF-8"):
        parse_records("page.jsonl", data, NOW)
