"""The moment of an answer as the parameters under which it can be asked for again, for ever."""

from reports.contract import Json
from web.agents.asking import Given


def pinned(found: Json) -> Given:
    """The time parameters of an answer that says of which moment it is."""
    return {
        "as_read_on": found["as_read_on"],
        "corrected": found.get("corrected"),
        "recorded_through": found["recorded_through"]["position"],
        "published_by": found.get("published_by"),
    }
