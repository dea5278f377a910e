"""The last checkpoint that was seen of a log: what makes a log that forgets or forks stand out.

Where it is kept is somebody else's business (:mod:`web.remembering`). Rules:

1. a log is known by its name; it never has another one at the same address;
2. of the keys once believed, or those that they hand on to, one signs every later checkpoint, and
   none goes on signing after it handed on;
3. what was seen never goes back: a newer checkpoint takes its place only once it was shown to begin
   with the older one.
"""

from collections.abc import Iterable

import attrs
import orjson

from ledger.errors import BadValue
from ledger.proof.errors import Unproven
from ledger.proof.note import Checkpoint, VerifierKey, opened_checkpoint, verifier_key

FORMAT = "corrigenda-seen/1"
MOST_ADDRESSES = 100


@attrs.frozen(kw_only=True)
class Remembered:
    """The last checkpoint seen of a log, as its signed note, the keys that are believed to be the
    log's with the ties between them, and the addresses that it was seen at (those of homes are
    paths)."""

    origin: str
    keys: tuple[VerifierKey, ...]
    ties: tuple[str, ...] = ()
    note: str
    addresses: tuple[str, ...]
    seen_at: str

    @property
    def checkpoint(self) -> Checkpoint:
        """What the note says. Raises ``Unproven`` when none of the keys has signed it."""
        return opened_checkpoint(self.note, self.keys)

    def as_text(self) -> str:
        """As it is kept."""
        kept = {
            "format": FORMAT,
            "origin": self.origin,
            "keys": [str(key) for key in self.keys],
            "ties": list(self.ties),
            "checkpoint": self.note,
            "addresses": list(self.addresses),
            "seen_at": self.seen_at,
        }
        return orjson.dumps(kept, option=orjson.OPT_INDENT_2).decode() + "\n"

    def gone_on(
        self,
        *,
        note: str,
        keys: Iterable[VerifierKey],
        ties: Iterable[str],
        address: str,
        seen_at: str,
    ) -> "Remembered":
        """With a newer checkpoint in the place of the older; keys, ties and addresses are added."""
        return attrs.evolve(
            self,
            note=note,
            keys=tuple(dict.fromkeys((*self.keys, *keys))),
            ties=tuple(dict.fromkeys((*self.ties, *ties))),
            addresses=tuple(dict.fromkeys((address, *self.addresses)))[:MOST_ADDRESSES],
            seen_at=seen_at,
        )


def remembered_in(text: str) -> Remembered:
    """Read what was kept, and check it as if a stranger had handed it over. Raises ``BadValue``."""
    try:
        kept = orjson.loads(text)
        if kept["format"] != FORMAT:
            raise ValueError(f"it has not the form {FORMAT}")  # noqa: TRY301 -- said just below
        found = Remembered(
            origin=kept["origin"],
            keys=tuple(verifier_key(key) for key in kept["keys"]),
            ties=tuple(map(str, kept["ties"])),
            note=kept["checkpoint"],
            addresses=tuple(map(str, kept["addresses"])),
            seen_at=str(kept["seen_at"]),
        )
        if found.checkpoint.origin != found.origin:
            raise ValueError(f"its checkpoint is of {found.checkpoint.origin}")  # noqa: TRY301
    except (Unproven, ValueError, TypeError, KeyError) as why:
        raise BadValue(what="remembered checkpoint", shown="on this machine", why=why) from None
    return found
