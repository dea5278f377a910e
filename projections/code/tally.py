"""How many samples there are and what became of them: as a record counts them, or one by one.

What must stay true, whatever was read first: harvested = ran + without a run + not told; ran = the
sum of its outcomes, as far as they are told; the parts add up to the whole; and no count is smaller
than the samples that are known one by one. Where a record's counts are, as they are older, the
samples that are known are counted instead. A sample that a decision moved is moved in the counts
too, if its record says by itself where it was. Nothing else is made of counts.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import attrs

from ledger.counts import all_outcomes
from ledger.events import RunCountsRead
from ledger.vocabulary import LABELS, NO_RUN, RAN, RUN_OUTCOMES


@attrs.frozen(kw_only=True)
class Known:
    """One copy that is known by itself: what its record says became of it, and what shows, with
    decisions; ``None``: it is not told."""

    repository: str
    label: str | None
    code: str
    said: str | None
    outcome: str | None
    pointer_only: bool

    @property
    def counted_as(self) -> str | None:
        """What a record's counts have it as, as far as anybody can tell."""
        return self.outcome if self.said is None else self.said

    @property
    def moved(self) -> bool:
        """Whether a decision says otherwise than its record does."""
        return self.said not in (None, self.outcome)


@attrs.frozen(kw_only=True)
class Part:
    """One part of the whole: of a label, or (``label=None``) of no label that is known."""

    label: str | None
    repositories: int | None
    harvested: int
    ran: int | None


@attrs.frozen(kw_only=True)
class Tally:
    """What there is, in numbers; ``None`` is a number that nobody stated.

    ``counted``: they are a record's own counts, and cover the ``listed`` samples, which are known
    one by one, ``told`` of them with their outcomes. ``outdated``: they do not cover them, so the
    samples that are known count instead. Of ``not_told`` no outcome is known, not even as a number.
    ``moved`` samples count as decided.
    """

    counted: bool
    outdated: bool
    harvested: int
    listed: int
    told: int
    ran: int
    outcomes: Mapping[str, int | None]
    not_told: int
    repositories: int | None
    pointer_only: int | None
    parts: tuple[Part, ...]
    moved: int

    @property
    def only_counted(self) -> int:
        """How many are counted and not known one by one."""
        return self.harvested - self.listed


def tally(known: Sequence[Known], counts: RunCountsRead | None) -> Tally:
    """The numbers for the samples of one source that are known, and the counts that it stated."""
    if counts is None:
        return _listed(known, outdated=False)
    if not covers(counts, known):
        return _listed(known, outdated=True)
    moved = [one for one in known if one.moved]
    outcomes = dict(all_outcomes(counts))
    for one in moved:
        _add(outcomes, one.said, -1)
        _add(outcomes, one.outcome, +1)
    ran = counts.ran + sum((one.outcome in RAN) - (one.said in RAN) for one in moved)
    parts = _stated_parts(counts, known) or _parts(known, counts.harvested, ran)
    if ran != counts.ran:
        parts = tuple(attrs.evolve(part, ran=None) for part in parts)
    return Tally(
        counted=True,
        outdated=False,
        harvested=counts.harvested,
        listed=len(known),
        told=sum(one.outcome is not None for one in known),
        ran=ran,
        outcomes=MappingProxyType(outcomes),
        not_told=sum(one.outcome is None for one in moved),
        repositories=counts.repositories,
        pointer_only=counts.pointer_only,
        parts=parts,
        moved=len(moved),
    )


def _add(outcomes: dict[str, int | None], outcome: str | None, count: int) -> None:
    """Count one more or less of an outcome, where its number is known."""
    if outcome is not None:
        before = outcomes[outcome]
        outcomes[outcome] = None if before is None else before + count


def covers(counts: RunCountsRead, known: Sequence[Known]) -> bool:
    """Whether the samples that are known can be among those that are counted."""
    by_outcome = Counter(one.counted_as for one in known if one.counted_as is not None)
    by_repository = Counter(one.repository for one in known)
    stated = all_outcomes(counts)
    room = counts.ran - sum(counts.outcomes.values())
    unstated = sum(by_outcome[one] for one in RAN if stated[one] is None)
    fits = [
        len(known) <= counts.harvested,
        unstated <= room,
        sum(one.pointer_only for one in known) <= _or(counts.pointer_only, counts.harvested),
        len(by_repository) <= _or(counts.repositories, len(by_repository)),
    ]
    fits += [by_outcome[one] <= count for one, count in stated.items() if count is not None]
    parts: dict[str, int] = {
        part.repository: part.harvested for part in counts.parts if part.repository
    }
    if parts and sum(parts.values()) == counts.harvested:
        fits += [count <= parts.get(one, 0) for one, count in by_repository.items()]
    return all(fits)


def _or(stated: int | None, otherwise: int) -> int:
    return otherwise if stated is None else stated


def _listed(known: Sequence[Known], *, outdated: bool) -> Tally:
    by_outcome = Counter(one.outcome for one in known)
    ran = sum(by_outcome[one] for one in RAN)
    return Tally(
        counted=False,
        outdated=outdated,
        harvested=len(known),
        listed=len(known),
        told=sum(one.outcome is not None for one in known),
        ran=ran,
        outcomes=MappingProxyType({one: by_outcome[one] for one in RUN_OUTCOMES}),
        not_told=len(known) - ran - by_outcome[NO_RUN],
        repositories=len({one.repository for one in known}),
        pointer_only=sum(one.pointer_only for one in known),
        parts=_parts(known, len(known), ran),
        moved=sum(one.moved for one in known),
    )


# --- parts ------------------------------------------------------------------------------------


def _parts(known: Sequence[Known], harvested: int, ran: int) -> tuple[Part, ...]:
    """The samples that are known by label, and what is left of the whole."""
    found = [
        _part(label, [one for one in known if one.label == label])
        for label in in_order({one.label for one in known})
    ]
    left = harvested - len(known)
    if not left:
        told = all(part.ran is not None for part in found)
        adds_up = told and sum(part.ran or 0 for part in found) == ran
        return tuple(found if adds_up else [attrs.evolve(part, ran=None) for part in found])
    found = [attrs.evolve(part, ran=None) for part in found if part.label is not None]
    left = harvested - sum(part.harvested for part in found)
    return (*found, Part(label=None, repositories=None, harvested=left, ran=None))


def _part(label: str | None, own: Sequence[Known]) -> Part:
    told = all(one.outcome is not None for one in own)
    ran = sum(one.outcome in RAN for one in own) if told else None
    repositories = len({one.repository for one in own})
    return Part(label=label, repositories=repositories, harvested=len(own), ran=ran)


def _stated_parts(counts: RunCountsRead, known: Iterable[Known]) -> tuple[Part, ...]:
    """The parts by label as the record states them, unless they contradict the labels now."""
    parts = [part for part in counts.parts if part.label is not None]
    if not parts or sum(part.harvested for part in parts) != counts.harvested:
        return ()
    room = {part.label: part.harvested for part in parts}
    by_label = Counter(one.label for one in known)
    if any(count > room.get(label, 0) for label, count in by_label.items()):
        return ()
    return tuple(
        Part(
            label=part.label,
            repositories=part.repositories,
            harvested=part.harvested,
            ran=part.ran,
        )
        for label in in_order(room)
        for part in parts
        if part.label == label
    )


def in_order(labels: Iterable[str | None]) -> list[str | None]:
    """Labels in the order of the vocabulary, the official one first; no label comes last."""
    places = {label: place for place, label in enumerate(LABELS)}
    return sorted(labels, key=lambda one: len(places) if one is None else places[one])
