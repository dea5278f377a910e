"""How to say what a document looks like, as JSON Schema (2020-12), and the words all shapes use.

A shape names what is always there. Others may be added under any object later, and none may go, so
no shape forbids what it does not know; what is sent to us is another matter (:func:`closed`).
"""

from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "minimum": 0}
NUMBER: Schema = {"type": "integer"}
FLAG: Schema = {"type": "boolean"}
OBJECT: Schema = {"type": "object"}
ANYTHING: Schema = {}
INSTANT: Schema = {"type": "string", "format": "date-time", "examples": ["2025-07-28T10:00:00Z"]}
DAY: Schema = {"type": "string", "format": "date", "examples": ["2025-07-28"]}
PARTIAL_DATE: Schema = {
    "type": "string",
    "pattern": r"^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$",
    "description": "A day, a month or a year, as far as the source says.",
}
SCORE: Schema = {
    "type": "string",
    "description": "Digits as written; a number of this text is for you to make.",
    "examples": ["72.50"],
}
DIGEST: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
CLAIM_ID: Schema = {"type": "string", "pattern": "^c[0-9a-f]{23}$"}
SLUG: Schema = {"type": "string", "pattern": "^[a-z0-9][a-z0-9._-]{0,127}$"}
AS_READ_ON: Schema = {
    "type": "string",
    "description": "The day or instant that the answer is of, as asked for.",
    "examples": ["2025-07-28", "2025-07-28T10:00:00Z"],
}


def record(**fields: Schema) -> Schema:
    """An object in which all of these are, whatever else is."""
    return {"type": "object", "required": list(fields), "properties": fields}


def closed(required: tuple[str, ...], **fields: Schema) -> Schema:
    """An object with these fields and no others, as somebody sends it."""
    return {
        "type": "object",
        "required": list(required),
        "properties": fields,
        "additionalProperties": False,
    }


def beside(shape: Schema, **fields: Schema) -> Schema:
    """An object with more in it."""
    return record(**shape["properties"], **fields)


def some(shape: Schema) -> Schema:
    """A list."""
    return {"type": "array", "items": shape}


def maybe(shape: Schema) -> Schema:
    """The same, or ``null`` where it is not known or there is none."""
    return {"anyOf": [shape, {"type": "null"}]}


def by_name(shape: Schema) -> Schema:
    """An object whose names are not ours."""
    return {"type": "object", "additionalProperties": shape}


def named(name: str) -> Schema:
    """A shape that stands under its name in the description."""
    return {"$ref": f"#/components/schemas/{name}"}


def listed(under: str, name: str, **more: Schema) -> Schema:
    """Some of a list: its entries, and the address at which it goes on."""
    following = maybe({"type": "string", "description": "Where the list goes on; null at its end."})
    return record(**{under: some(named(name))}, next=following, **more)


THROUGH = record(position=COUNT, recorded_at=maybe(INSTANT))
MOMENT = record(
    as_read_on=AS_READ_ON,
    corrected={"enum": ["then", "since"]},
    recorded_through=THROUGH,
    published_by=maybe(PARTIAL_DATE),
)
MOMENT_FIELDS: Schema = MOMENT["properties"]
SOURCE_REF = record(slug=SLUG, kind=TEXT, name=TEXT)
BENCHMARK_REF = record(slug=SLUG, name=TEXT)
MODEL_REF = record(id=SLUG, name=TEXT, version=maybe(TEXT), lab=maybe(TEXT))
RULE = record(
    slug=SLUG,
    name=TEXT,
    unit=maybe(TEXT),
    higher_is_better=FLAG,
    splits=maybe(some(TEXT)),
    combine=maybe(TEXT),
)
