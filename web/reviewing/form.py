"""What a reviewer typed, and the order that it comes to; no Flask.

Everything on the review page is one form, so whatever button is pressed, all of it comes along and
can be shown again. Only what differs from what the claim, label or sample showed is a correction.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import attrs

from ledger import commands as orders
from ledger.errors import BadValue
from ledger.subject import KINDS, kind_of, subject_in
from ledger.told import field_equals, field_text
from ledger.values import Digest, parse_digest, parse_instant
from projections.review.queue import WaitingReport
from web.reviewing.wishes import wish

ID = re.compile(r"[cl][0-9a-f]{23}|s[0-9a-f]{16,64}")
LONGEST_VALUE = 30_000
MOST_CLAIMS = 500
YES = "yes"
CORRECTABLE = tuple(dict.fromkeys(field for kind in KINDS.values() for field in kind.correctable))
"""Every field that can be corrected of a claim, a label or a sample; no two mean different things
by the same name."""


@attrs.frozen
class Typed:
    """The fields of the form, each with all its values."""

    fields: Mapping[str, Sequence[str]] = MappingProxyType({})

    def one(self, name: str) -> str:
        """The first value of a field, without the space around it."""
        return next(iter(self.fields.get(name, ())), "").strip()

    def every(self, name: str) -> list[str]:
        """All values of a field, each once."""
        return list(dict.fromkeys(value.strip() for value in self.fields.get(name, ()) if value))

    def has(self, name: str, value: str = YES) -> bool:
        """Whether a box is ticked, or a choice is taken."""
        return value in self.fields.get(name, ())

    def but(self, **said: str) -> "Typed":
        """The same with some fields said otherwise; an empty text drops the field."""
        changed = {name: (value,) if value else () for name, value in said.items()}
        return Typed(MappingProxyType({**self.fields, **changed}))


def typed_from(lists: Iterable[tuple[str, Sequence[str]]]) -> Typed:
    """The form as it came in; a value that nobody types is refused before anything looks at it."""
    found = {name: tuple(values) for name, values in lists if name != "csrf"}
    for name, values in found.items():
        longest = max(map(len, values), default=0)
        if longest > LONGEST_VALUE or len(values) > MOST_CLAIMS:
            what = ascii(name[:40])
            raise BadValue(what=what, shown=f"of {longest:,} characters", why="that is too much")
    return Typed(MappingProxyType(found))


def blank(report: WaitingReport, subject: str | None, shows: Any) -> Typed:
    """The form as it first shows: what was asked for is filled in, and nothing is decided.

    ``subject`` is the claim, label or sample that is reported, ``shows`` what it shows now.
    """
    asked = {str(one["field"]): one["to"] for one in report.proposes}
    kinds = [kind for kind, wanted in ASKED.items() if wanted & set(asked)]
    if shows is None or subject is None:
        kinds = []
    known = kind_of(subject).correctable if subject else ()
    now = {field: field_text(shows, field) for field in known} if shows else {}
    fields: dict[str, Sequence[str]] = {
        f"set-{field}": ((asked if field in asked else now).get(field) or "",) for field in known
    }
    return Typed(
        MappingProxyType(
            fields
            | {
                "reason": (report.reason,),
                "does": tuple(kinds),
                "claim": (subject,) if subject else (),
                "model": (asked.get("model") or "",),
            }
        )
    )


ASKED: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "correct": frozenset(CORRECTABLE),
        "reidentify": frozenset({"model"}),
        "retract": frozenset({"standing"}),
    }
)
"""Which effect a proposal of a field asks for."""


# --- orders -----------------------------------------------------------------------------------


def decision_from(number: int, typed: Typed) -> orders.Decide:
    """The decision that was typed.

    What is left out is refused where it must not be guessed: from when a change applies.
    """
    return orders.Decide(
        number=number,
        version=_number(typed, "version"),
        outcome=typed.one("outcome"),
        type=typed.one("type") or None,
        reason=typed.one("reason"),
        statement=lines(typed.one("statement")),
        snapshot=_snapshot(typed, "snapshot"),
        effects=tuple(effects_from(typed)),
        replaces=typed.one("replaces") or None,
        duplicate_of=_number_or_none(typed, "duplicate_of"),
        checks=tuple(typed.every("check")),
        remainder=typed.has("remainder"),
        propose=typed.has("propose"),
    )


def approval_from(number: int, typed: Typed) -> orders.ApproveDecision:
    """The approval of the proposal that was shown."""
    version, decision = _number(typed, "version"), typed.one("proposal")
    return orders.ApproveDecision(number=number, version=version, decision=decision)


def return_from(number: int, typed: Typed) -> orders.ReturnDecision:
    """The proposal that was shown, sent back."""
    return orders.ReturnDecision(
        number=number,
        version=_number(typed, "version"),
        decision=typed.one("proposal"),
        why=lines(typed.one("why")),
    )


def reversal_from(number: int, typed: Typed) -> orders.ReverseDecision:
    """What is to be undone."""
    return orders.ReverseDecision(
        number=number,
        version=_number(typed, "version"),
        decision=typed.one("undo"),
        statement=lines(typed.one("undo_statement")),
        snapshot=_snapshot(typed, "undo_snapshot"),
    )


def lines(text: str) -> str:
    """A text of several lines, with line ends of one kind."""
    return "\n".join(text.splitlines()).strip()


# --- effects ----------------------------------------------------------------------------------


def effects_from(typed: Typed) -> Iterator[orders.AnyEffect]:
    """What is to happen, on each claim, label or sample that is ticked or named."""
    kinds = typed.every("does")
    if not kinds:
        return
    claims, versions = touched(typed), seen(typed)
    if not claims:
        raise BadValue(what="claim", shown="not chosen", why="tick what it happens to")
    since = applies_from(typed)
    said = _said(typed)
    for claim in claims:
        for kind in kinds:
            yield wish(kind, claim=claim, version=versions.get(claim), since=since, said=said)


def touched(typed: Typed) -> list[str]:
    """The claims, labels and samples that are ticked, then those that are named by hand."""
    named = map(_named, typed.one("more_claims").split())
    return list(dict.fromkeys((*typed.every("claim"), *named)))


def _named(word: str) -> str:
    """The id that is meant by an id or an address of ours."""
    page, _, name = word.strip("/").rpartition("/")
    found = subject_in(f"{page.rpartition('/')[2]}/{name}") if page else name
    if found is None or not ID.fullmatch(found):
        why = "give its id, or the address of its page"
        raise BadValue(what="claim", shown=ascii(word[:80]), why=why)
    return found


def seen(typed: Typed) -> dict[str, int]:
    """The versions of what the page showed."""
    found: dict[str, int] = {}
    for told in typed.every("seen"):
        claim, _, version = told.partition("=")
        if not (version.isascii() and version.isdecimal() and len(version) <= 9):
            raise BadValue(what="seen", shown=ascii(told[:80]), why="open the page anew")
        found[claim] = int(version)
    return found


def applies_from(typed: Typed) -> orders.AppliesFrom:
    """From when a change applies, as it was chosen; refused while it is left open."""
    match typed.one("applies"):
        case "start":
            return "start"
        case "instant":
            return parse_instant(typed.one("applies_at"), "applies from")
        case _:
            why = "choose from when the change applies; it is not guessed"
            raise BadValue(what="applies from", shown="left open", why=why)


def _said(typed: Typed) -> dict[str, Any]:
    return {
        "set": corrected(typed),
        "model": typed.one("model") or None,
        "about": typed.one("about") or None,
        "upstream_on": typed.one("upstream_on") or None,
    }


def corrected(typed: Typed) -> dict[str, str | None]:
    """The fields in which what was typed differs from what showed; an empty one is not stated.

    What showed came along with the form (``was-…``): the same form sent twice asks for the same.
    """
    found: dict[str, str | None] = {}
    for field in CORRECTABLE:
        wanted = typed.one(f"set-{field}") or None
        if not _same(field, typed.one(f"was-{field}") or None, wanted):
            found[field] = wanted
    return found


def _same(field: str, now: str | None, wanted: str | None) -> bool:
    try:
        return field_equals(field, now, wanted)
    except BadValue:
        return False  # it is no number; the rules will say so


# --- one field --------------------------------------------------------------------------------


def _snapshot(typed: Typed, name: str) -> Digest | None:
    text = typed.one(name)
    return parse_digest(text) if text else None


def _number(typed: Typed, name: str) -> int:
    found = _number_or_none(typed, name)
    if found is None:
        raise BadValue(what=name, shown="left out", why="open the page anew")
    return found


def _number_or_none(typed: Typed, name: str) -> int | None:
    text = typed.one(name)
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise BadValue(what=name, shown=ascii(text[:40]), why="give a whole number")
    return int(text)
