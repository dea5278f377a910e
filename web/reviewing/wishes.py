"""From a JSON document to an order of a reviewer; no Flask, and nothing guessed.

What is not known, of another type, or left out though it is needed is refused with its name. Every
document names the ``version`` of the report that it was written for.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ledger import commands as orders
from ledger.errors import BadValue
from ledger.values import Digest, parse_digest, parse_instant, parse_partial
from ledger.vocabulary import EFFECTS
from web.reviewing.since import Order

Json = Mapping[str, Any]
LARGEST = 2**31
MOST_EFFECTS = 500

KINDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "approves": ("approves", "version"),
        "returns": ("returns", "version", "why"),
        "reverses": ("reverses", "version", "statement", "snapshot", "propose"),
        "outcome": (
            "outcome",
            "version",
            "type",
            "reason",
            "statement",
            "snapshot",
            "effects",
            "replaces",
            "duplicate_of",
            "checks",
            "remainder",
            "propose",
        ),
    }
)


def order_from(number: int, document: object) -> Order:
    """What a document asks for on a report: a decision (``outcome``), or to approve, return or
    reverse one."""
    said = _mapping(document, "document")
    kinds = [kind for kind in KINDS if kind in said]
    if len(kinds) != 1:
        why = f"give exactly one of {', '.join(KINDS)}"
        raise BadValue(what="document", shown=f"with {len(kinds)} of them", why=why)
    (kind,) = kinds
    _refuse_unknown(said, KINDS[kind])
    return READ[kind](number, said)


def _decide(number: int, said: Json) -> orders.Decide:
    return orders.Decide(
        number=number,
        version=_number(said, "version"),
        outcome=_text(said, "outcome"),
        type=_text_or_none(said, "type"),
        reason=_text(said, "reason"),
        statement=_text(said, "statement"),
        snapshot=_digest(said),
        effects=_effects(said),
        replaces=_text_or_none(said, "replaces"),
        duplicate_of=_number_or_none(said, "duplicate_of"),
        checks=tuple(_texts(said, "checks")),
        remainder=_flag(said, "remainder"),
        propose=_flag(said, "propose"),
    )


def _approve(number: int, said: Json) -> orders.ApproveDecision:
    decision, version = _text(said, "approves"), _number(said, "version")
    return orders.ApproveDecision(number=number, version=version, decision=decision)


def _return(number: int, said: Json) -> orders.ReturnDecision:
    decision, version = _text(said, "returns"), _number(said, "version")
    why = _text(said, "why")
    return orders.ReturnDecision(number=number, version=version, decision=decision, why=why)


def _reverse(number: int, said: Json) -> orders.ReverseDecision:
    return orders.ReverseDecision(
        number=number,
        version=_number(said, "version"),
        decision=_text(said, "reverses"),
        statement=_text(said, "statement"),
        snapshot=_digest(said),
        propose=_flag(said, "propose"),
    )


READ: Mapping[str, Callable[[int, Json], Order]] = MappingProxyType(
    {"approves": _approve, "returns": _return, "reverses": _reverse, "outcome": _decide}
)


# --- effects ----------------------------------------------------------------------------------

SAID: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"correct": ("set",), "reidentify": ("model",), "retract": ("upstream_on",)}
    | {"dispute": ("about",)}
)


def _effects(said: Json) -> tuple[orders.AnyEffect, ...]:
    listed = _list(said, "effects")
    if len(listed) > MOST_EFFECTS:
        why = f"at most {MOST_EFFECTS} are read"
        raise BadValue(what="effects", shown=f"{len(listed)} of them", why=why)
    return tuple(_effect(_mapping(one, "effect")) for one in listed)


def _effect(said: Json) -> orders.AnyEffect:
    does = _text(said, "does")
    _refuse_unknown(said, ("claim", "version", "does", "applies_from", *SAID.get(does, ())))
    return wish(
        does,
        claim=_text(said, "claim"),
        version=_number(said, "version"),
        since=applies_from(_text(said, "applies_from")),
        said=said,
    )


def applies_from(text: str) -> orders.AppliesFrom:
    """``start``, or an instant; never anything by default."""
    return "start" if text == "start" else parse_instant(text, "applies_from")


def wish(
    does: str, *, claim: str, version: int | None, since: orders.AppliesFrom, said: Json
) -> orders.AnyEffect:
    """One effect by its name; what it needs beside is in ``said``: ``set``, ``model``, ``about``,
    ``upstream_on``."""
    match does:
        case "correct":
            fields = _mapping(said.get("set", {}), "set")
            to = tuple((name, _text_or_none(fields, name)) for name in fields)
            return orders.Correct(claim=claim, version=version, applies_from=since, to=to)
        case "reidentify":
            model = _text(said, "model")
            return orders.Reidentify(claim=claim, version=version, applies_from=since, model=model)
        case "retract":
            day = _text_or_none(said, "upstream_on")
            upstream_on = parse_partial(day, "upstream_on") if day else None
            return orders.Retract(
                claim=claim, version=version, applies_from=since, upstream_on=upstream_on
            )
        case "dispute":
            about = _text(said, "about")
            return orders.Dispute(claim=claim, version=version, applies_from=since, about=about)
        case _ if does in PLAIN:
            return PLAIN[does](claim=claim, version=version, applies_from=since)
        case _:
            raise BadValue(what="effect", shown=repr(does), why=f"known are {', '.join(EFFECTS)}")


PLAIN: Mapping[str, Callable[..., orders.AnyEffect]] = MappingProxyType(
    {
        "reinstate": orders.Reinstate,
        "hold-out": orders.HoldOut,
        "readmit": orders.Readmit,
        "clear": orders.Clear,
    }
)


# --- one field --------------------------------------------------------------------------------


def _refuse_unknown(said: Json, known: Sequence[str]) -> None:
    for name in said:
        if name not in known:
            why = f"known are {', '.join(known)}"
            raise BadValue(what="field", shown=repr(str(name)[:40]), why=why)


def _mapping(value: object, what: str) -> Json:
    if not isinstance(value, Mapping):
        raise BadValue(what=what, shown="of another type", why="give an object")
    return value


def _list(said: Json, name: str) -> Sequence[Any]:
    value = said.get(name, [])
    if not isinstance(value, list | tuple):
        raise BadValue(what=name, shown="of another type", why="give a list")
    return value


def _texts(said: Json, name: str) -> list[str]:
    return [_text({name: one}, name) for one in _list(said, name)]


def _text(said: Json, name: str) -> str:
    value = _text_or_none(said, name)
    if value is None:
        raise BadValue(what=name, shown="left out", why="it has to be said")
    return value


def _text_or_none(said: Json, name: str) -> str | None:
    value = said.get(name)
    if value is not None and not isinstance(value, str):
        raise BadValue(what=name, shown=repr(value)[:80], why="give text")
    return value


def _digest(said: Json) -> Digest | None:
    text = _text_or_none(said, "snapshot")
    return None if text is None else parse_digest(text)


def _number(said: Json, name: str) -> int:
    value = _number_or_none(said, name)
    if value is None:
        raise BadValue(what=name, shown="left out", why="it has to be said")
    return value


def _number_or_none(said: Json, name: str) -> int | None:
    value = said.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < LARGEST:
        raise BadValue(what=name, shown=repr(value)[:80], why="give a whole number")
    return value


def _flag(said: Json, name: str) -> bool:
    value = said.get(name, False)
    if not isinstance(value, bool):
        raise BadValue(what=name, shown=repr(value)[:80], why="it is true or false")
    return value
