"""What a decision can be about: a claim, a label of a repository, or a sample.

An id says by its first letter which of them it is, so reports, decisions and the log take all
three alike. Only claims rank; a label and a sample can be corrected, retracted and disputed.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import attrs

from ledger import claim, label, sample
from ledger import commands as orders
from ledger.errors import BadValue, NotFound
from ledger.told import Plane, State, Told, told_at
from ledger.values import Instant


@attrs.frozen
class Kind:
    """One of the three: its name, its part of an address, which fields can be corrected."""

    name: str
    page: str
    correctable: tuple[str, ...]
    with_field: Callable[[Any, str, str | None], Any]


CLAIM = Kind("claim", "claims", claim.CORRECTABLE, claim.with_field)
LABEL = Kind("label", "labels", label.CORRECTABLE, label.with_field)
SAMPLE = Kind("sample", "samples", sample.CORRECTABLE, sample.with_field)

KINDS: Mapping[str, Kind] = MappingProxyType({"c": CLAIM, "l": LABEL, "s": SAMPLE})
RANKING = (orders.Reidentify, orders.HoldOut, orders.Readmit)
"""Effects on what ranks."""


def kind_of(subject: str) -> Kind:
    """Which of the three an id is of."""
    return KINDS.get(subject[:1], CLAIM)


def is_claim(subject: str) -> bool:
    """Whether an id is of a claim."""
    return kind_of(subject) is CLAIM


def stream_of(subject: str) -> str:
    """The stream in which the events of a subject stand."""
    return f"{kind_of(subject).name}:{subject}"


def is_subject_stream(stream: str) -> bool:
    """Whether a stream is one of a label or a sample."""
    return stream.startswith(("label:", "sample:"))


def subject_in(target: str) -> str | None:
    """The subject that a report's target names, with or without a part of its page; ``None`` for
    a target of any other kind."""
    page, _, name = target.partition("#")[0].partition("/")
    if page == SAMPLE.page:
        return sample.sample_id(name)
    return name if page in (CLAIM.page, LABEL.page) else None


def address_of(subject: str) -> str:
    """The target that names a subject: ``claims/c12…``, ``labels/l34…``, ``samples/<digits>``."""
    kind = kind_of(subject)
    return f"{kind.page}/{subject[1:] if kind is SAMPLE else subject}"


def state_at(subject: str, told: Told[Any], day: Instant, plane: Plane) -> State[Any] | None:
    """What holds of a subject at a day; ``None`` while its source states nothing."""
    return told_at(told, day, plane, kind_of(subject).with_field)


def must_suit(wish: orders.AnyEffect) -> None:
    """Refuse to do to a label or a sample what can be done only to what ranks."""
    kind = kind_of(wish.claim)
    if kind is not CLAIM and isinstance(wish, RANKING):
        why = f"a {kind.name} does not rank; correct, retract or dispute it"
        raise BadValue(what="effect", shown=f"on {address_of(wish.claim)}", why=why)


def must_be_of_its_kind(subject: str) -> None:
    """Refuse an id that cannot be of anything."""
    if kind_of(subject) is SAMPLE:
        try:
            sample.parse_code(subject[1:])
        except BadValue as why:
            raise NotFound(what="sample", name=ascii(subject[1:81])) from why
