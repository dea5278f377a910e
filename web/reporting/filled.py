"""A report that makes sense: what its event will hold, and what stays private.

What goes into the event is strictly formed (a number, a date, a word that the ledger knows
already); everything that a person wrote freely is private words, where it can be erased. A free
proposal stands at the head of the words, one line each; :func:`asked_for` takes them apart again.
"""

from collections.abc import Mapping

import attrs

from ledger import commands as orders
from ledger.events import Change
from ledger.values import Digest, Instant
from ledger.vocabulary import REASONS
from web.reporting.words import FIELD_WORDS, LONGEST_ADDRESS, LONGEST_CONTACT, LONGEST_WORDS

MARK = "Asked for: "


@attrs.frozen(kw_only=True)
class Filled:
    """A report ready to be filed; ``asked`` are proposals in free text, name and value."""

    target: str
    reason: str
    proposes: tuple[Change, ...] = ()
    asked: tuple[tuple[str, str], ...] = ()
    words: str = ""
    addresses: tuple[str, ...] = ()
    contact: str | None = attrs.field(default=None, repr=False)
    credit: str | None = attrs.field(default=None, repr=False)

    @property
    def private_words(self) -> str | None:
        """The text that is kept beside the ledger; ``None`` when there is none."""
        lines = "".join(f"{MARK}{what} = {text}\n" for what, text in self.asked)
        return "\n".join(filter(None, (lines, self.words))) or None

    def order(self, number: int, words: Digest | None, received_at: Instant) -> orders.FileReport:
        """The order to file it under a number, with the digest of its words."""
        return orders.FileReport(
            number=number,
            target=self.target,
            reason=self.reason,
            proposes=self.proposes,
            words=words,
            received_at=received_at,
        )


def asked_for(private_words: str) -> tuple[tuple[tuple[str, str], ...], str]:
    """The free proposals at the head of a report's words, and what was written below them."""
    asked: list[tuple[str, str]] = []
    rest = private_words
    while rest.startswith(MARK):
        line, _, rest = rest.partition("\n")
        what, _, text = line.removeprefix(MARK).partition(" = ")
        asked.append((what, text))
    return tuple(asked), rest.removeprefix("\n") if asked else rest


def as_remark(typed: Mapping[str, str], target: str) -> Filled:
    """What was typed as a plain remark, whatever it is worth; nothing of it is refused.

    For a report that was set apart before anybody looked at its fields.
    """
    reason = typed.get("reason", "")
    asked = tuple(
        (FIELD_WORDS[name], " ".join(value[:LONGEST_ADDRESS].split()))
        for name, value in typed.items()
        if name in FIELD_WORDS and name not in ("target", "reason", "wish", "words", "contact")
    )
    return Filled(
        target=target,
        reason=reason if reason in REASONS else "other",
        asked=asked,
        words=lines_of(typed.get("words", ""))[:LONGEST_WORDS],
        contact=typed.get("contact", "")[:LONGEST_CONTACT] or None,
    )


def lines_of(text: str) -> str:
    """A text of several lines, with the line ends of one kind and no space around it."""
    return "\n".join(text.splitlines()).strip()
