"""One event with all that proves it: its stored bytes, its leaf, the way from there to a root."""

import attrs
import orjson

from ledger.errors import NotFound
from ledger.proof.merkle import leaf_hash
from ledger.seal import NotSealed, Sealed, Seals
from ledger.values import Instant
from projections.audit_log import Logged, Wanted, log_page, logged_at
from web.audit.about import pages_about
from web.audit.path import Step, inclusion_commands, path_of
from web.site import Look

LONGEST_STORED = 200_000
"""Characters of an event that its page shows; its JSON has all of it."""


@attrs.frozen(kw_only=True)
class Proof:
    """That an event is a leaf under a checkpoint, step by step, and the commands that check it."""

    index: int
    leaf: str
    steps: tuple[Step, ...]
    root: str
    commands: str
    sealed: Sealed
    sealed_at: Instant | None

    @property
    def holds(self) -> bool:
        """Whether the way ends at the checkpoint's root."""
        return (self.steps[-1].gives if self.steps else self.leaf) == self.root


@attrs.frozen(kw_only=True)
class EventPage:
    """One event as anybody may see it; ``proof`` is ``None`` while no checkpoint covers it.

    ``stored`` is what is hashed, byte for byte, and ``content`` the same laid out for reading;
    both are ``None`` for what is withheld, and ``stored`` for what is too long for a page.
    """

    logged: Logged
    stored: str | None
    content: str | None
    size: int
    pages: tuple[tuple[str, str], ...]
    before: int | None
    after: int | None
    proof: Proof | None


def event_page(
    look: Look, seals: Seals, position: int, sealed: Sealed | None, *, named: bool
) -> EventPage:
    """The event at a position, proved under a checkpoint; ``named`` when it was asked for.

    Raises ``NotFound``, and ``NotSealed`` where a checkpoint that was asked for does not cover it.
    """
    found = logged_at(look.store, position) if position <= look.moment.position else None
    if found is None:
        raise NotFound(what="event", name=f"at position {position}")
    covers = sealed is not None and sealed.position >= position
    if named and not covers:
        raise NotSealed(name=position)
    proof = _proof(look, seals, found, sealed) if sealed is not None and covers else None
    before, after = _beside(look, position, proof if named else None)
    record = found.record
    stored = "" if record is None else record.stored.decode()
    return EventPage(
        logged=found,
        stored=stored if record and len(stored) <= LONGEST_STORED else None,
        content=_laid_out(stored)[:LONGEST_STORED] if record else None,
        size=0 if record is None else len(record.stored),
        pages=pages_about(look, record) if record else (),
        before=before,
        after=after,
        proof=proof,
    )


def _proof(look: Look, seals: Seals, found: Logged, sealed: Sealed) -> Proof | None:
    index = seals.index_of(found.position)
    if index is None:
        return None
    entry = bytes.fromhex(found.entry)
    steps = path_of(entry, index, sealed.size, seals.inclusion(index, sealed.size))
    root = sealed.root.hex()
    return Proof(
        index=index,
        leaf=leaf_hash(entry).hex(),
        steps=steps,
        root=root,
        commands=inclusion_commands(found.entry, steps, root),
        sealed=sealed,
        sealed_at=look.store.recorded_at(sealed.position),
    )


def _beside(look: Look, position: int, under: Proof | None) -> tuple[int | None, int | None]:
    """The positions of the events before and behind; under a checkpoint that was asked for there
    are none behind the last one that it covers."""
    last = look.moment.position if under is None else under.sealed.position
    everything, within = Wanted(), (1, last)
    older = log_page(look.reader, look.store, everything, within, count=1, before=position)
    newer = log_page(look.reader, look.store, everything, within, count=1, after=position)
    found = [page.entries[0].position if page.entries else None for page in (older, newer)]
    return found[0], found[1]


def _laid_out(stored: str) -> str:
    """An event with a line for each thing that it says."""
    return orjson.dumps(orjson.loads(stored), option=orjson.OPT_INDENT_2).decode()
