"""What a statement and an event say, as plain fields, for :mod:`tests.reference`."""

from collections.abc import Callable
from typing import Any

import attrs

from ledger import events as ev
from ledger.events import Statement
from ledger.values import PartialDate, Score, Slug


def text_of(says: Statement, field: str) -> str | None:
    """A field as it is written."""
    value = getattr(says, field)
    return None if value is None else str(value)


def same(field: str, one: str | None, other: str | None) -> bool:
    """Whether two texts say the same; 72.5 is 72.50."""
    if field == "score" and one is not None and other is not None:
        return Score(one).value == Score(other).value
    return one == other


def with_text(says: Statement, field: str, text: str | None) -> Statement:
    """The statement with one field replaced."""
    made: dict[str, Callable[[str], Any]] = {
        "score": Score,
        "metric": Slug,
        "published_on": PartialDate,
        "passed": int,
        "completed": int,
        "total": int,
    }
    changed: dict[str, Any] = {field: text and made.get(field, str)(text)}
    return attrs.evolve(says, **changed)


def registers(event: ev.Event) -> bool:
    """Whether a model begins with it."""
    return isinstance(event, ev.ModelRegistered)


def facts_of(event: ev.Event) -> dict[str, Any]:
    """What an event says of a model."""
    match event:
        case ev.ModelRegistered():
            released = str(event.released) if event.released else None
            return {"name": event.name, "version": event.version, "released": released}
        case ev.ModelRenamed():
            return {"name": event.name, "version": event.version}
        case ev.ModelDescribed():
            return dict(event.facts)
        case _:
            return {}


def full_name(name: str, version: str | None) -> str:
    """A model's name with its version."""
    return f"{name} {version}" if version else name
