"""The steps between two days, held against what the reference says was shown before and after."""

from ledger.values import Instant
from projections.moment import Moment
from projections.over_time.changes import Shown, Step, changes_between
from tests.playing import MICROSECOND, Game
from tests.reference_facts import State
from tests.side_by_side import seen_by_reference
from tests.strategies import BENCHMARK


def check_changes(game: Game, start: Instant, moment: Moment) -> None:
    """The steps lead from what was shown just before ``start`` to what shows at the moment."""
    with game.home.views.read() as reader:
        steps = changes_between(reader, game.home.store, BENCHMARK, start, moment)
    assert [one.read_at for one in steps] == sorted(one.read_at for one in steps)
    for identity, claim in game.reference.ids.items():
        at = (moment.position, "then")
        before = game.reference.state(identity, start - MICROSECOND, *at)  # type: ignore[arg-type]
        after = game.reference.state(identity, moment.instant, *at)  # type: ignore[arg-type]
        shows = shown(before)
        for step in (one for one in steps if one.claim_id == claim):
            assert start <= step.read_at <= moment.instant
            assert step.before != step.after
            assert told(step.before) == shows
            shows = told(step.after)
            check_words(step)
        assert shows == shown(after), identity


def shown(state: State | None) -> tuple[object, ...] | None:
    """What a step can tell of a claim."""
    seen = seen_by_reference(state)
    if seen is None or state is None:
        return None
    return (seen.name, seen.metric, seen.split, seen.score, seen.standing, seen.disputed, seen.unit)


def told(one: Shown | None) -> tuple[object, ...] | None:
    """The same, as a step tells it."""
    if one is None:
        return None
    fields = one.fields()
    disputed = one.disputed is not None
    return (one.name, one.metric, one.split, one.score, one.standing, disputed, fields["unit"])


def check_words(step: Step) -> None:
    """Kind, old and new fit one another."""
    match step.kind:
        case "recorded" | "relisted":
            assert (step.old, step.new is not None) == (None, True)
        case "delisted":
            assert (step.old is not None, step.new) == (True, None)
        case "renamed":
            assert step.old != step.new
        case _:
            assert step.old is not None
            assert step.new is not None
    assert (step.decision is not None) == (
        step.kind in {"corrected", "retracted", "reinstated", "held-out", "readmitted"}
    )
