"""Labs, models, and which model a written name means.

A model is a dated version. Which model a name means is an assertion that can itself be corrected:
a name is resolved at the reading that first stated it, by the latest assertion known by the day
asked about whose ``means_from`` is not after that reading. So a freed name that is given to
another model takes no old score along.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import assert_never

import attrs

from ledger import events as ev
from ledger.errors import AlreadyExists, BadValue, NotFound
from ledger.values import Instant, PartialDate, Slug, name_key, parse_name, parse_slug

CHECKED_FACTS: Mapping[str, type[PartialDate]] = MappingProxyType({"released": PartialDate})

_PLAIN = re.compile(r"[a-z0-9][a-z0-9.-]{0,99}")
_OTHER = re.compile(r"[^a-z0-9.]+")


def stream_of(slug: str) -> str:
    """The stream of a model."""
    return f"model:{slug}"


def lab_stream(slug: str) -> str:
    """The stream of a lab."""
    return f"lab:{slug}"


def full_name(name: str, version: str | None) -> str:
    """The name with its version, as it is shown and as it is written in sources."""
    return f"{name} {version}" if version else name


def slug_for(name: str) -> Slug:
    """A slug for a name met in a file, the same in whatever order files arrive.

    A name that is a slug already is its own; from any other a short digest keeps names apart that
    would fall together (``GPT-4o`` and ``gpt-4o`` are two models until a reviewer joins them).
    """
    key = name_key(name)
    return Slug(key) if _PLAIN.fullmatch(key) else distinct_slug(key)


def distinct_slug(name: str) -> Slug:
    """The slug of a name with a digest of the name in it, so that it is nobody else's."""
    key = name_key(name)
    stem = _OTHER.sub("-", key.casefold()).strip("-.")[:80].strip("-.")
    digest = hashlib.sha256(key.encode()).hexdigest()[:6]
    return Slug(f"{stem}-{digest}" if stem else f"m-{digest}")


def decide_lab(known: Sequence[ev.Event], fact: ev.LabEvent) -> list[ev.Event]:
    """Whether a lab may be registered so."""
    if fact in known:
        return []
    if known:
        raise AlreadyExists(what="lab", name=fact.slug)
    parse_slug(fact.slug)
    parse_name(fact.name)
    return [fact]


def decide(known: Sequence[ev.Event], fact: ev.ModelEvent) -> list[ev.Event]:
    """Whether the fact may be recorded after what is known; recorded already means nothing new."""
    if fact in known:
        return []
    if isinstance(fact, ev.ModelRegistered):
        if known:
            raise AlreadyExists(what="model", name=fact.slug)
    elif not known:
        raise NotFound(what="model", name="this; register it first")
    _check(fact)
    return [fact]


def _check(fact: ev.ModelEvent) -> None:
    match fact:
        case ev.ModelRegistered():
            parse_slug(fact.slug)
            parse_name(full_name(fact.name, fact.version))
        case ev.ModelDescribed():
            for name, text in fact.facts.items():
                parse_slug(name, "fact")
                if name in ("name", "version"):
                    raise BadValue(what="fact", shown=repr(name), why="rename the model instead")
                if text is not None and name in CHECKED_FACTS:
                    CHECKED_FACTS[name](text)
        case ev.ModelRenamed():
            parse_name(full_name(fact.name, fact.version))
        case ev.AliasAsserted() | ev.AliasWithdrawn():
            parse_name(fact.name)
        case _:
            assert_never(fact)


# --- what a name means ------------------------------------------------------------------------


@attrs.frozen
class NameAssertion:
    """One assertion about a written name; ``withdrawn`` takes earlier ones of the model back."""

    key: str
    model: Slug
    means_from: Instant | None
    read_at: Instant
    position: int
    withdrawn: bool = False


def name_assertion(model: str, position: int, event: ev.ModelEvent) -> NameAssertion | None:
    """The assertion about a name that an event of a model's stream makes, if it makes one."""
    slug = Slug(model)
    match event:
        case ev.ModelRegistered():
            key = name_key(full_name(event.name, event.version))
            return NameAssertion(key, slug, event.means_from, event.read_at, position)
        case ev.ModelRenamed():
            key = name_key(full_name(event.name, event.version))
            return NameAssertion(key, slug, event.read_at, event.read_at, position)
        case ev.AliasAsserted():
            return NameAssertion(
                name_key(event.name), slug, event.means_from, event.read_at, position
            )
        case ev.AliasWithdrawn():
            return NameAssertion(
                name_key(event.name), slug, None, event.read_at, position, withdrawn=True
            )
        case ev.ModelDescribed():
            return None
        case _:
            assert_never(event)


def resolve(assertions: Iterable[NameAssertion], named_at: Instant, day: Instant) -> Slug | None:
    """The model of a row that first bore a name at ``named_at``, as known by ``day``.

    ``assertions`` are those about this one name, in the order (``read_at``, ``position``).
    """
    standing: list[NameAssertion] = []
    for one in assertions:
        if one.read_at > day:
            break
        if one.withdrawn:
            standing = [other for other in standing if other.model != one.model]
        elif one.means_from is None or one.means_from <= named_at:
            standing.append(one)
    return standing[-1].model if standing else None
