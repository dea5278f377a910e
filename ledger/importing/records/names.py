"""What the read model knows about names, with what a file asserts on top of it.

A records file is checked, and in a dry run compared, as if its own models were registered already.
"""

from collections.abc import Iterable, Mapping, Sequence

import attrs

from ledger import events as ev
from ledger.importing.names import NOT_STORED_YET
from ledger.importing.snapshot import Known
from ledger.model import NameAssertion, name_assertion
from ledger.values import skeleton


@attrs.define
class NamesWithFile:
    """Answers as the read model would once the file's facts are recorded."""

    known: Known
    reached: dict[str, int] = attrs.field(factory=dict)
    _asked: dict[str, list[NameAssertion]] = attrs.field(factory=dict)

    def note(self, stream: str, version: int, fact: ev.Event) -> None:
        """Add a fact of the file that is not stored yet."""
        self.reached[stream] = version
        if isinstance(fact, ev.ModelEvent):
            one = name_assertion(stream.partition(":")[2], NOT_STORED_YET, fact)
            if one is not None:
                assertions = self.about(one.key)
                assertions.append(one)
                assertions.sort(key=lambda other: (other.read_at, other.position))

    def ask(self, keys: Iterable[str]) -> None:
        """Have these names at hand; one question for all of them."""
        unknown = [key for key in dict.fromkeys(keys) if key not in self._asked]
        if unknown:
            found = self.known.names(unknown)
            self._asked |= {key: list(found.get(key, ())) for key in unknown}

    def about(self, key: str) -> list[NameAssertion]:
        """The assertions about one name, in the order (``read_at``, position)."""
        self.ask([key])
        return self._asked[key]

    # --- the same questions as the read model's -----------------------------------------------

    def names(self, keys: Iterable[str]) -> Mapping[str, Sequence[NameAssertion]]:
        """The assertions about these names, in the order (``read_at``, position)."""
        wanted = list(keys)
        self.ask(wanted)
        return {key: self._asked[key] for key in wanted}

    def look_alikes(self, skeletons: Iterable[str]) -> Mapping[str, Sequence[str]]:
        """The names that look like these, those of the file among them."""
        shapes = list(skeletons)
        found = {shape: list(names) for shape, names in self.known.look_alikes(shapes).items()}
        for key, assertions in self._asked.items():
            shape = skeleton(key)
            if assertions and shape in shapes and key not in found.setdefault(shape, []):
                found[shape].append(key)
        return found

    def versions(self, streams: Iterable[str]) -> Mapping[str, int]:
        """How many events each stream has, or would have."""
        wanted = list(streams)
        found = self.known.versions(one for one in wanted if not self.reached.get(one))
        return {one: self.reached.get(one) or found.get(one, 0) for one in wanted}

    def claims_of(self, source: str, benchmark: str) -> Sequence[str]:
        """The ids of all claims that a source ever made on a benchmark."""
        return self.known.claims_of(source, benchmark)

    def forget(self) -> None:
        """Nothing of the file is stored, so there is nothing to catch up with."""
