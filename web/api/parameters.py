"""The parameters of our addresses, as JSON Schema: those in the path, and those of the query."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from ledger.decision import REVERSED
from ledger.published import PUBLISHED_TYPES
from ledger.vocabulary import OUTCOMES, UPDATE_TYPES, VIEWS
from projections.decisions.about_code import ABOUT
from reports.charts.drawn import SCHEMES, WIDTHS
from web.api.shapes import DAY, SLUG, Schema
from web.asked import LONGEST_CURSOR, LONGEST_VALUE

MOST, MOST_CORRECTIONS = 500, 1_000
"""Entries of a list that an address gives at once; of the log there may be more."""

PLACEHOLDER = re.compile(r"<(?:(?P<kind>\w+)(?:\((?P<of>[^)]*)\))?:)?(?P<name>\w+)>")

# --- in the path ------------------------------------------------------------------------------

PATHS: Mapping[str, Schema] = MappingProxyType(
    {
        "slug": SLUG,
        "claim": {"type": "string", "pattern": "^c[0-9a-f]{23}$"},
        "label": {"type": "string", "pattern": "^l[0-9a-f]{23}$"},
        "code": {"type": "string", "pattern": "^[0-9a-f]{16,64}$"},
        "digest": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        "number": {"type": "integer", "minimum": 1, "maximum": 999_999_999},
        "count": {"type": "integer", "minimum": 0, "maximum": 999_999_999_999_999},
    }
)


def path_of(rule: str) -> str:
    """A rule as OpenAPI writes it; where it chooses how the address ends, it ends with ``json``."""
    return PLACEHOLDER.sub(
        lambda found: "json" if _is_ending(found) else f"{{{found['name']}}}", rule
    )


def path_parameters(rule: str) -> Iterator[Schema]:
    """The parameters in a rule's path."""
    for found in PLACEHOLDER.finditer(rule):
        if not _is_ending(found):
            shape = {"enum": found["of"].split(",")} if found["kind"] == "any" else PATHS[found[1]]
            yield {"name": found["name"], "in": "path", "required": True, "schema": shape}


def _is_ending(found: re.Match[str]) -> bool:
    return found["kind"] == "any" and "json" in found["of"].split(",")


# --- in the query -----------------------------------------------------------------------------

WORDS: Schema = {"type": "string", "maxLength": LONGEST_VALUE}
NAME: Schema = {"type": "string", "minLength": 1, "maxLength": LONGEST_VALUE}
NUMBER: Schema = {"type": "integer", "minimum": 1, "maximum": 999_999_999}
SIZE: Schema = {"type": "integer", "minimum": 0, "maximum": 999_999_999_999_999}
INSTANT: Schema = {"type": "string", "format": "date-time"}
# Fields of a form, which sends them empty where nothing is asked for.
SLUG_OR_EMPTY: Schema = {"type": "string", "pattern": "^([a-z0-9][a-z0-9._-]{0,127})?$"}
DAY_OR_EMPTY: Schema = {"anyOf": [DAY, {"const": ""}]}
WHEN: Schema = {"anyOf": [DAY, INSTANT]}
POSITION: Schema = {"type": "integer", "minimum": 0, "maximum": 999_999_999_999_999_999}

AS_READ_ON = "The state of what had been read by the end of a day (UTC), or by an instant."
THROUGH = "What the ledger held at a position, or at an instant; with it an answer never changes."
CORRECTED = "Decisions of that day alone (then), or those taken since as well."
BEFORE, AFTER = "Only what comes before a number.", "Only what comes after a number."

QUERY: Mapping[str, tuple[str, Schema]] = MappingProxyType(
    {
        "as_read_on": (AS_READ_ON, WHEN),
        "corrected": (CORRECTED, {"enum": ["then", "since"]}),
        "recorded_through": (THROUGH, {"anyOf": [POSITION, *WHEN["anyOf"]]}),
        "published_by": ("Only what its source dates by a day.", DAY),
        "view": ("Whose numbers rank.", {"enum": list(VIEWS)}),
        "metric": ("One of the benchmark's metrics; its headline metric unless given.", NAME),
        "every_claim": ("A row for each claim and not for each model.", {"enum": ["yes", "no"]}),
        "limit": (
            "How many entries to give at once.",
            {"type": "integer", "minimum": 1, "maximum": MOST},
        ),
        "cursor": (
            "Where a list goes on: taken from the answer before, and good for this very query.",
            {"type": "string", "minLength": 1, "maxLength": LONGEST_CURSOR},
        ),
        "count": (
            "The same as limit, as pages have it.",
            {"type": "integer", "minimum": 1, "maximum": MOST},
        ),
        "before": (BEFORE, NUMBER),
        "after": (AFTER, NUMBER),
        "q": ("Plain words, all of which have to be there.", WORDS),
        "category": ("Benchmarks of one category.", WORDS),
        "about": ("What decisions are about.", {"enum": list(ABOUT)}),
        "benchmark": ("Of one benchmark.", SLUG_OR_EMPTY),
        "paper": ("Of one paper.", SLUG_OR_EMPTY),
        "outcome": ("What was decided.", {"enum": [*OUTCOMES, REVERSED]}),
        "type": ("The kind of update.", {"enum": list(UPDATE_TYPES)}),
        "reason": ("Why it was decided.", WORDS),
        "decided_by": ("Who decided.", SLUG_OR_EMPTY),
        "year": ("Of one year.", {"type": "integer", "minimum": 1970, "maximum": 9998}),
        "from": ("The first day, included.", DAY),
        "to": ("The last day, included.", DAY),
        "stream": ("Events of one stream.", WORDS),
        "who": ("Events that one handle recorded.", WORDS),
        "day": ("Events that were recorded on a day (UTC).", DAY_OR_EMPTY),
        "shown": ("Published events alone, or withheld ones.", {"enum": ["published", "withheld"]}),
        "size": ("The checkpoint of so many leaves; the newest unless given.", SIZE),
        "position": ("An event by its position.", SIZE),
        "index": ("An event by the index of its leaf.", SIZE),
        "scheme": ("Colours for a light or a dark page.", {"enum": list(SCHEMES)}),
        "width": ("How wide it is drawn.", {"enum": list(WIDTHS)}),
        "state": ("Reports in one state.", {"enum": ["open", "apart", "decided", "withdrawn"]}),
    }
)

# Where an address means something else by a name than the others do.
OTHERWISE: Mapping[tuple[str, str], tuple[str, Schema]] = MappingProxyType(
    {
        ("LoggedEvents", "type"): ("Events of one type.", {"enum": list(PUBLISHED_TYPES)}),
        **{
            (shape, name): (about, SIZE)
            for shape in ("LoggedEvents", "Imports", "FrozenReadings", "Checkpoints")
            for name, about in (("before", BEFORE), ("after", AFTER))
        },
        **{
            (shape, "metric"): ("Of one metric; of all of them unless given.", WORDS)
            for shape in ("Changes", "Citation")
        },
        ("Corrections", "count"): (
            "The same as limit, as pages have it.",
            {"type": "integer", "minimum": 1, "maximum": MOST_CORRECTIONS},
        ),
        ("Changes", "from"): ("The day or instant that it starts from.", WHEN),
        ("Changes", "to"): ("The day or instant that it ends with.", WHEN),
        ("ConsistencyProof", "from"): ("The size of the older checkpoint.", SIZE),
        ("ConsistencyProof", "to"): ("The size of the newer checkpoint.", SIZE),
    }
)


def query_parameter(name: str, shape: str | None) -> Schema:
    """A parameter of the query, at an address that gives an answer of a shape."""
    about, schema = OTHERWISE.get((shape or "", name), QUERY[name])
    found: dict[str, Any] = {"name": name, "in": "query", "description": about, "schema": schema}
    return found
