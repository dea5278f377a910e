"""Number one over time as a drawing: the same every time, and nothing from elsewhere."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from reports.charts import leaders_chart


def leader(name: str, score: str, since: str) -> dict[str, Any]:
    """A holder of number one as the outside contract tells it."""
    model = {"id": name.lower(), "name": name, "version": None, "lab": None}
    return {"model": model, "score": score, "unit": "%", "since": since, "claim_id": None}


LEADERS = [
    leader("Heron", "56.1", "2024-06"),
    leader("Ibis & <Loon>", "1,059.2", "2026-04-24"),
    leader("An owl whose name is longer than a drawing has room for", "1,060.60", "2026"),
]


def test_a_chart_is_the_same_every_time() -> None:
    """Byte for byte, also in another process and another time zone."""
    drawn = leaders_chart(LEADERS, "2026-11-30")
    order = (
        "import sys; sys.path.insert(0, sys.argv[1]);"
        "from reports.charts import leaders_chart; from ast import literal_eval;"
        "sys.stdout.write(leaders_chart(literal_eval(sys.argv[2]), '2026-11-30'))"
    )
    again = subprocess.run(
        [sys.executable, "-c", order, str(Path(__file__).parents[2]), repr(LEADERS)],
        env={**os.environ, "TZ": "America/Lima", "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert again.stdout == drawn


def test_names_stay_text_and_are_escaped() -> None:
    """They can be found and copied, and are never markup; long ones end with an ellipsis."""
    drawn = leaders_chart(LEADERS, "2026-11-30")
    assert drawn is not None
    assert "Ibis &amp; &lt;Loon&gt;" in drawn
    assert "An owl whose name is long…" in drawn
    assert "http" not in drawn.replace("http://www.w3.org/", "")


def test_names_are_printed_as_they_are_told_to_be() -> None:
    """What no font has is spelled in a drawing too."""
    drawn = leaders_chart(LEADERS, "2026-11-30", str.upper)
    assert drawn is not None
    assert "HERON" in drawn


@pytest.mark.parametrize("count", [0, 1])
def test_one_holder_makes_no_chart(count: int) -> None:
    """A line would say nothing; the table does."""
    assert leaders_chart(LEADERS[:count], "2026-11-30") is None


def test_two_holders_of_one_day_make_no_chart() -> None:
    """Where no time goes by there is no line to draw."""
    both = [leader("Heron", "56.1", "2024-06-01"), leader("Ibis", "58", "2024-06-01")]
    assert leaders_chart(both, "2026-11-30") is None
