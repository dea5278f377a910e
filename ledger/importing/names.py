"""Which model each written name of a file means, and who has to be registered for it.

A name that means no model at its reading is registered, once, under a slug that follows from the
name alone. A model that was first met in a later reading is asserted for the earlier one too, so
that the order in which files arrive does not show.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count
from types import MappingProxyType
from typing import Protocol

import attrs

from ledger import events as ev
from ledger import model
from ledger.model import NameAssertion
from ledger.store import NewEvents
from ledger.values import Instant, PartialDate, Slug, name_key, skeleton

NOT_STORED_YET = 1 << 62
NOTHING_SAID: Mapping[str, PartialDate] = MappingProxyType({})


class KnownNames(Protocol):
    """What the read model knows about names, caught up."""

    def names(self, keys: Iterable[str]) -> Mapping[str, Sequence[NameAssertion]]:
        """The assertions about these names, in the order (``read_at``, position)."""
        ...

    def look_alikes(self, skeletons: Iterable[str]) -> Mapping[str, Sequence[str]]:
        """The names that look like these (by skeleton)."""
        ...

    def versions(self, streams: Iterable[str]) -> Mapping[str, int]:
        """How many events each stream has; those that have none may be left out."""
        ...


@attrs.define
class NameBook:
    """Names met in one run of imports; it asks ``known`` once for each."""

    known: KnownNames
    assertions: dict[str, list[NameAssertion]] = attrs.field(factory=dict)
    versions: dict[str, int] = attrs.field(factory=dict)
    shapes: dict[str, set[str]] = attrs.field(factory=dict)

    def register(
        self,
        names: Iterable[str],
        read_at: Instant,
        released: Mapping[str, PartialDate] = NOTHING_SAID,
    ) -> tuple[list[NewEvents], list[str]]:
        """What has to be recorded so that each name means a model at ``read_at``; and notes.

        ``released`` says when models came out, by name, for those that are registered here.
        """
        keys = dict.fromkeys(name_key(name) for name in names)
        dates = {name_key(name): date for name, date in released.items()}
        self._ask(keys)
        new, notes = [], []
        self._ask_versions(key for key in keys if not self.assertions[key])
        for key in keys:
            if model.resolve(self.assertions[key], read_at, read_at) is None:
                if not self.assertions[key]:
                    notes += self._look_alike(key)
                new.append(self._assert(key, read_at, dates.get(key)))
        return new, notes

    def _ask(self, keys: Iterable[str]) -> None:
        unknown = [key for key in keys if key not in self.assertions]
        found = self.known.names(unknown)
        for key in unknown:
            self.assertions[key] = list(found.get(key, ()))
        shapes = {skeleton(key) for key in unknown if not self.assertions[key]} - set(self.shapes)
        alike = self.known.look_alikes(shapes)
        for shape in shapes:
            self.shapes[shape] = set(alike.get(shape, ()))

    def _ask_versions(self, keys: Iterable[str]) -> None:
        """Ask at once for the streams of the slugs that new names would have."""
        slugs = (slug for key in keys for slug in (model.slug_for(key), model.distinct_slug(key)))
        streams = dict.fromkeys(map(model.stream_of, slugs))
        unknown = [stream for stream in streams if stream not in self.versions]
        found = self.known.versions(unknown)
        self.versions |= {stream: found.get(stream, 0) for stream in unknown}

    def _look_alike(self, key: str) -> list[str]:
        others = self.shapes.setdefault(skeleton(key), set())
        note = f"{key} looks like {', '.join(sorted(others))}: kept as a model of its own, flagged"
        notes = [note] if others - {key} else []
        others.add(key)
        return notes

    def _assert(self, key: str, read_at: Instant, released: PartialDate | None) -> NewEvents:
        """Register the name's model, or assert an earlier reading of a model met later.

        The model is called by the key: however a source spaces or widens the name, it is one. A
        name that was taken back means the new model from this reading on and in none before.
        """
        met = self._model_met_later(key, read_at)
        slug = met or self._free_slug(key)
        stream = model.stream_of(slug)
        version = self._version(stream)
        was_taken_back = any(one.read_at <= read_at for one in self.assertions[key])
        since = read_at if was_taken_back else None
        fact: ev.ModelEvent
        if met is None:
            fact = ev.ModelRegistered(
                slug=slug, name=key, released=released, means_from=since, read_at=read_at
            )
        else:
            why = "met in an earlier reading"
            fact = ev.AliasAsserted(name=key, means_from=since, read_at=read_at, why=why)
        self.versions[stream] = version + 1
        self._note(NameAssertion(key, slug, since, read_at, NOT_STORED_YET))
        return NewEvents(stream, version, (fact,))

    def _model_met_later(self, key: str, read_at: Instant) -> Slug | None:
        """The model that the name means in every reading, though this one is not known yet.

        What was said by this reading and taken back is not said again.
        """
        return next(
            (
                one.model
                for one in self.assertions[key]
                if not one.withdrawn and one.means_from is None and one.read_at > read_at
            ),
            None,
        )

    def _free_slug(self, key: str) -> Slug:
        """The name's own slug, unless another model has it: that would join the two."""
        own = (model.slug_for(key), model.distinct_slug(key))
        others = (model.distinct_slug(f"{key} {number}") for number in count(2))
        return next(
            slug for slug in chain(own, others) if self._version(model.stream_of(slug)) == 0
        )

    def _version(self, stream: str) -> int:
        if stream not in self.versions:
            self.versions[stream] = self.known.versions([stream]).get(stream, 0)
        return self.versions[stream]

    def _note(self, one: NameAssertion) -> None:
        known = self.assertions[one.key]
        known.append(one)
        known.sort(key=lambda other: (other.read_at, other.position))
