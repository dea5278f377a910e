"""What a decision does to one claim: a wish, worked out against the claim as it stands.

A plan is what the decision records; the claim records it as a fact once the decision takes effect.
A label and a sample (see :mod:`ledger.subject`) are decided upon alike.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, assert_never, get_args

import attrs

from ledger import commands as orders
from ledger import events as ev
from ledger.benchmark import check_unit
from ledger.errors import BadValue, InTheFuture, NotFound, NothingChanges, TooLate
from ledger.subject import kind_of, must_suit, state_at
from ledger.told import Plane, State, Told, correction_of, field_equals, field_text
from ledger.values import (
    Instant,
    PartialDate,
    Score,
    instant_text,
    parse_address,
    parse_count,
    parse_name,
    parse_slug,
    short_instant,
)
from ledger.vocabulary import EFFECTS


def plan(history: Told[Any], wish: orders.AnyEffect, now: Instant) -> ev.PlannedEffect:
    """What a wish comes to on its claim as it stands, or a refusal.

    A correction keeps the first ``from`` when it corrects a correction that shows.
    """
    if not history.version:
        raise NotFound(what=kind_of(wish.claim).name, name=wish.claim)
    must_suit(wish)
    state = state_at(wish.claim, history, now, Plane.THEN)
    the = f"the {kind_of(wish.claim).name}"
    planned = ev.PlannedEffect(
        claim=wish.claim,
        version=history.version,
        does=DOES[type(wish)],
        applies_from=_applies_from(wish.applies_from, now),
    )
    match wish:
        case orders.Correct():
            return attrs.evolve(planned, changes=_changes(history, state, wish, now))
        case orders.Reidentify():
            if state is not None and state.model == wish.model:
                raise NothingChanges(why=f"the claim is about {wish.model} already")
            before = state.model if state and state.model else wish.before
            return attrs.evolve(planned, before=before, model=parse_slug(wish.model, "model"))
        case orders.Retract():
            _refuse_if(state, "retracted_by", present=True, why=f"{the} is retracted already")
            return attrs.evolve(planned, upstream_on=wish.upstream_on)
        case orders.Reinstate():
            _refuse_if(state, "retracted_by", present=False, why=f"{the} is not retracted")
        case orders.HoldOut():
            _refuse_if(state, "held_out_by", present=True, why="the claim is held out already")
        case orders.Readmit():
            _refuse_if(state, "held_out", present=False, why="the claim is not held out")
        case orders.Dispute():
            _refuse_if(state, "disputed_by", present=True, why=f"{the} is disputed already")
            return attrs.evolve(planned, about=wish.about)
        case orders.Clear():
            _refuse_if(state, "disputed_by", present=False, why=f"{the} is not disputed")
        case _:
            assert_never(wish)
    return planned


DOES: Mapping[type, str] = MappingProxyType(
    dict(zip(get_args(orders.AnyEffect), EFFECTS, strict=True))
)


def fact_of(planned: ev.PlannedEffect, decision: str) -> ev.DecisionFact:
    """What a planned effect records on its claim."""
    since = planned.applies_from
    match planned.does:
        case "correct":
            return ev.ClaimCorrected(decision=decision, changes=planned.changes, applies_from=since)
        case "reidentify":
            return ev.ClaimReidentified(
                decision=decision,
                before=planned.before,
                model=planned.model or "",
                applies_from=since,
            )
        case "retract":
            upstream_on = planned.upstream_on
            return ev.ClaimRetracted(decision=decision, applies_from=since, upstream_on=upstream_on)
        case "reinstate":
            return ev.ClaimReinstated(decision=decision, applies_from=since)
        case "hold-out":
            return ev.ClaimHeldOut(decision=decision, applies_from=since)
        case "readmit":
            return ev.ClaimReadmitted(decision=decision, applies_from=since)
        case "dispute":
            about = planned.about or ""
            return ev.ClaimDisputed(decision=decision, applies_from=since, about=about)
        case "clear":
            return ev.ClaimCleared(decision=decision, applies_from=since)
        case _:
            raise BadValue(what="effect", shown=planned.does, why=f"known are {', '.join(EFFECTS)}")


def _applies_from(wish: orders.AppliesFrom, now: Instant) -> Instant | None:
    if wish == "start":
        return None
    if wish > now:
        raise TooLate(applies_from=instant_text(wish), now=instant_text(now))
    return wish


def _refuse_if(state: State[Any] | None, field: str, *, present: bool, why: str) -> None:
    if state is not None and (getattr(state, field) is not None) is present:
        raise NothingChanges(why=why)


def _changes(
    history: Told[Any], state: State[Any] | None, wish: orders.Correct, now: Instant
) -> tuple[ev.Change, ...]:
    if state is None:
        raise NothingChanges(why=f"its source no longer states the {kind_of(wish.claim).name}")
    if not wish.to:
        raise BadValue(what="correction", shown="of nothing", why="name at least one field")
    shown = state.shows
    for field, text in wish.to:
        shown = kind_of(wish.claim).with_field(shown, field, text)
        if text is not None:
            _check(field, text, now)
    if all(field_equals(field, field_text(state.shows, field), text) for field, text in wish.to):
        why = f"the {kind_of(wish.claim).name} shows these values already"
        raise NothingChanges(why=why)
    return tuple(
        ev.Change(field, correction_of(state, history.decisions, now, field), text)
        for field, text in wish.to
    )


def _check(field: str, text: str, now: Instant) -> None:
    """What a correction may say: the same as a row of a file may."""
    match field:
        case "score":
            Score(text)
        case "unit":
            check_unit(text)
        case "split" | "setting":
            parse_name(text, field)
        case "url":
            parse_address(text)
        case "passed" | "completed" | "total":
            parse_count(text, field)
        case "published_on" | "as_of" | "ran_on" if PartialDate(text).first_day > now.date():
            raise InTheFuture(what=field, when=text, now=short_instant(now))
        case _:
            pass
