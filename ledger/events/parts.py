"""What events are made of: the mark of a fact, and parts that several kinds share."""

from typing import TypeVar, dataclass_transform

import attrs

from ledger.values import PartialDate, Score, Slug

EventClass = TypeVar("EventClass")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def fact(cls: type[EventClass]) -> type[EventClass]:
    """Make a class an event: frozen, with keyword arguments only."""
    return attrs.frozen(kw_only=True)(cls)


@attrs.frozen(kw_only=True)
class Statement:
    """What one source says in one place: one number for one model on one benchmark.

    ``name`` is the model as written; ``as_written`` the benchmark as written; ``passed`` of
    ``completed`` (or of ``total``) are counters that the source states beside the score;
    ``not_ranked`` says that the source itself leaves the number out of its ranking, and why.
    """

    name: str
    metric: Slug
    score: Score
    split: str | None = None
    setting: str | None = None
    unit: str | None = None
    published_on: PartialDate | None = None
    lab: str | None = None
    url: str | None = None
    as_written: str | None = None
    section: str | None = None
    locator: str | None = None
    passed: int | None = None
    completed: int | None = None
    total: int | None = None
    not_ranked: str | None = None
    extra: tuple[tuple[str, str], ...] = ()


@attrs.frozen
class Change:
    """One corrected field: ``from_`` is what the source said, ``to`` what holds instead.

    Both are text as written; ``None`` means that the field is not stated.
    """

    field: str
    from_: str | None
    to: str | None


@attrs.frozen(kw_only=True)
class RankedModel:
    """One line of a capability index; ``rank=None``: among those stated, its place not said."""

    rank: int | None = None
    name: str
