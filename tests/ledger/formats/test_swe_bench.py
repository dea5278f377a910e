"""SWE-bench: several boards in one file."""

import json
from typing import Any

from ledger.importing.formats.swe_bench import SWE_BENCH
from tests.ledger.formats.broken import (
    HoldsWhenBroken,
    HoldsWhenMixedUp,
    Sample,
    candidate,
    refusal,
    refused_somehow,
    stated,
)

ENTRY = """{"name": "Héron Agent + Egret", "folder": "20250605_heron", "resolved": 72.50,
  "date": "2025-06-05", "logs": "s3://bucket/logs", "trajs": null, "site": "https://herons.example",
  "os_model": false, "checked": true, "tags": ["Model: egret", "Org: Herons"], "warning": null}"""
TEXT = f"""{{
  "leaderboards": [
    {{"name": "Verified", "results": [
      {ENTRY},
      {{"name": "RAG", "folder": "20231010_rag", "resolved": 1.96, "date": "2023-10-10",
        "site": null, "oss": true, "verified": true, "logs": true}}
    ]}},
    {{"name": "bash-only", "results": [
      {{"name": "Egret", "folder": "20250929_mini", "resolved": 70.6, "date": "2025-09-29",
        "cost": 279.1673704500001}}
    ]}}
  ]
}}
"""
FILE = "leaderboards.json"


class TestBroken(HoldsWhenBroken, HoldsWhenMixedUp):
    """The contract of all formats."""

    sample = Sample(
        form=SWE_BENCH,
        name=FILE,
        text=TEXT,
        score="72.50",
        twice=TEXT.replace(ENTRY, f"{ENTRY}, {ENTRY.replace('72.50', '72.6')}"),
    )


def test_each_board_is_a_benchmark_of_its_own() -> None:
    """With the board's date, percent, the folder as key, the site as address."""
    read = stated(SWE_BENCH, candidate(FILE, TEXT))
    assert [(one.benchmark, one.benchmark_name) for one in read.sheets] == [
        ("swe-bench-verified", "SWE-bench Verified"),
        ("swe-bench-bash-only", "SWE-bench bash-only"),
    ]
    one = read.one(key="20250605_heron")
    assert (one.name, str(one.score), one.unit) == ("Héron Agent + Egret", "72.50", "%")
    assert (str(one.published_on), one.url) == ("2025-06-05", "https://herons.example")
    assert ("tags", "Model: egret, Org: Herons") in one.extra
    assert ("checked", "true") in one.extra
    assert "logs" in read.notes


def test_one_board_can_be_asked_for_and_none_is_renamed_by_it() -> None:
    """Two boards under one slug would be one board."""
    only = stated(SWE_BENCH, candidate(FILE, TEXT), benchmark="swe-bench-bash-only")
    assert only.digits == ["70.6"]
    why = refusal(SWE_BENCH, candidate(FILE, TEXT), benchmark="herons")
    assert "swe-bench-verified" in why
    twice = TEXT.replace("bash-only", "VERIFIED")
    assert "two boards are called so" in refusal(SWE_BENCH, candidate(FILE, twice))


def test_thousands_of_details_are_left_out_and_counted() -> None:
    """Plain parts are kept before nested ones, so that they never push them out."""
    content = json.loads(TEXT)
    many: dict[str, Any] = {f"repo__{at}": {"resolved": True, "cost": 0.1} for at in range(500)}
    content["leaderboards"][1]["results"][0] = {
        "per_instance_details": many,
        **content["leaderboards"][1]["results"][0],
    }
    read = stated(SWE_BENCH, candidate(FILE, json.dumps(content)))
    kept = dict(read.one(key="20250929_mini").extra)
    assert kept["cost"] == "279.1673704500001"
    assert len(kept) == 40
    assert "left out" in read.notes


def test_a_day_that_is_none_or_lies_ahead_is_refused_with_its_field() -> None:
    """It is never moved and never padded."""
    for day in ("2025-02-30", "5 June 2025", "2031-01-01"):
        why, still = refused_somehow(SWE_BENCH, candidate(FILE, TEXT.replace("2025-06-05", day)))
        assert "date" in why
        assert still is not None
        assert len(still.says) == 2


def test_parts_that_are_no_boards_are_refused_with_their_path() -> None:
    """Where the file is wrong stands in the refusal."""
    broken = {
        '{"leaderboards": {}}': "leaderboards: an object",
        '{"leaderboards": []}': "leaderboards: it is empty",
        '{"leaderboards": [{"results": []}]}': "leaderboards[0]: it has no name",
        '{"leaderboards": [{"name": "Lite", "results": 3}]}': "leaderboards[0].results: the text",
    }
    for text, why in broken.items():
        assert why in refusal(SWE_BENCH, candidate(FILE, text))
    why, still = refused_somehow(SWE_BENCH, candidate(FILE, TEXT.replace(ENTRY, "7")))
    assert "where an object belongs" in why
    assert still is not None
    assert still.digits == ["1.96", "70.6"]
