"""The calls that pages print, with their own ids and their own moment filled in (AG-03)."""

import json
from collections.abc import Callable, Mapping

from reports.code.told import call
from web.agents.handles import by_agent
from web.asked import BOARD
from web.log.asked import FILTERS, PERIOD

DAYS = {"from": "from_day", "to": "to_day"}
"""What the ends of a span are called in a call, where the page's own words mean something else."""

COUNTED = ("year", "before", "after", "count")
LISTED = (
    *(name for name in (*FILTERS, *PERIOD) if name not in COUNTED),
    "as_read_on",
    "recorded_through",
)


def board_call(slug: str, asked: Mapping[str, str]) -> str:
    """The call for the very board that a page shows."""
    given = {name: asked[name] for name in BOARD if name in asked and name != "every_claim"}
    made = call("get_board", slug=slug, **given)
    return f"{made[:-1]}, every_claim=true)" if asked.get("every_claim") == "yes" else made


def changes_call(slug: str, given: Mapping[str, str]) -> str:
    """The call for what changed on a board in a span."""
    known = ("from", "to", "view", "metric", "recorded_through")
    return call(
        "get_changes",
        slug=slug,
        **{DAYS.get(name, name): given[name] for name in known if name in given},
    )


def claim_call(claim: str, time: Mapping[str, str]) -> str:
    """The call for a claim at the moment that its page shows."""
    return call("get_claim", claim_id=claim, **_clocks(time))


def log_call(asked: Mapping[str, str]) -> str:
    """The call for the decisions that a page of the log lists."""
    texts = [(DAYS.get(name, name), _quoted(asked[name])) for name in LISTED if asked.get(name)]
    numbers = [(name, asked[name]) for name in COUNTED if asked.get(name)]
    return f"get_corrections({', '.join(f'{name}={one}' for name, one in (*texts, *numbers))})"


def correction_call(number: int, time: Mapping[str, str]) -> str:
    """The call for a decision."""
    clocks = {name: one for name, one in _clocks(time).items() if name != "corrected"}
    made = ", ".join([f"number={number}", *(f'{name}="{one}"' for name, one in clocks.items())])
    return f"get_correction({made})"


def _quoted(text: str) -> str:
    """A text as a call has it, whatever somebody looked for."""
    return json.dumps(text, ensure_ascii=False)


def _clocks(time: Mapping[str, str]) -> dict[str, str]:
    return {name: one for name, one in time.items() if name != "published_by"}


GLOBALS: Mapping[str, Callable[..., object]] = {
    "board_call": board_call,
    "changes_call": changes_call,
    "claim_call": claim_call,
    "correction_call": correction_call,
    "log_call": log_call,
    "by_agent": by_agent,
}
"""What templates call these by, and whether an agent filed a report."""
