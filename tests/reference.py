"""What the ledger should answer, written once more from the words of DESIGN.md, slowly and plainly.

It keeps whole readings and whole decisions and works out every answer from all of them. It shares
no code with ``ledger.claim`` or ``projections``: when the two disagree, one of them misreads the
design. A place where the design leaves room says so.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Any

import attrs
import orjson

from ledger import events as ev
from ledger.events import Statement
from ledger.values import Instant, PartialDate, name_key
from ledger.wire import plain
from tests.reference_facts import Assertion, Decision, Effect, Identity, Line, Plane, Reading, State
from tests.reference_fields import facts_of, full_name, registers, same, text_of, with_text

VIEWS: Mapping[str, tuple[str, ...]] = {
    "labs": ("launch-post", "model-card", "system-card", "technical-report"),
    "independent": ("official-leaderboard", "independent-run", "copied-board"),
}


@attrs.define
class Reference:
    """Everything that happened, and the questions that may be asked of it."""

    kinds: Mapping[str, str]
    ids: dict[Identity, str] = attrs.field(factory=dict)
    readings: list[Reading] = attrs.field(factory=list)
    decisions: list[Decision] = attrs.field(factory=list)
    assertions: list[Assertion] = attrs.field(factory=list)
    facts: list[tuple[int, str, ev.Event]] = attrs.field(factory=list)

    # --- what happened ------------------------------------------------------------------------

    def freeze(
        self,
        position: int,
        frozen: ev.SourceFrozen,
        source: str,
        rows: Mapping[str, Sequence[Statement]],
    ) -> None:
        """A board was read."""
        self.readings.append(
            Reading(
                source=source,
                digest=frozen.digest,
                read_at=frozen.read_at,
                order=frozen.order,
                position=position,
                metrics=tuple(frozen.metrics),
                unread=tuple(frozen.unread),
                says={
                    (source, key, says.metric, says.split): says
                    for key, stated in rows.items()
                    for says in stated
                },
                names={key: stated[0].name for key, stated in rows.items()},
            )
        )

    def withdraw(self, position: int, digest: str) -> None:
        """All readings of these bytes were a mistake."""
        for reading in self.readings:
            if reading.digest == digest and reading.withdrawn is None:
                reading.withdrawn = position

    def learn(self, record: ev.Recorded) -> None:
        """A curator (or an import) asserted something about a model or a benchmark."""
        event, slug = record.event, record.envelope.stream.partition(":")[2]
        self.facts.append((record.position, record.envelope.stream, event))
        name, means_from, withdrawn = None, None, False
        match event:
            case ev.ModelRegistered():
                name, means_from = full_name(event.name, event.version), event.means_from
            case ev.ModelRenamed():
                name, means_from = full_name(event.name, event.version), event.read_at
            case ev.AliasAsserted():
                name, means_from = event.name, event.means_from
            case ev.AliasWithdrawn():
                name, withdrawn = event.name, True
            case _:
                return
        self.assertions.append(
            Assertion(
                name=name_key(name),
                model=slug,
                means_from=means_from,
                read_at=event.read_at,
                position=record.position,
                withdrawn=withdrawn,
            )
        )

    def decide(self, decision: Decision) -> None:
        """A decision or a reversal was recorded; a correction's ``from`` is worked out here."""
        for effect in decision.effects:
            effect.changes = {
                field: (self._from(effect.claim, field, decision), to)
                for field, (_, to) in effect.changes.items()
            }
        self.decisions.append(decision)

    def _from(self, claim: Identity, field: str, new: Decision) -> str | None:
        """What the source said; a correction of a correction keeps the first ``from``."""
        state = self.state(claim, new.at, new.position, "then")
        assert state is not None, "what is not stated cannot be corrected"
        held = self._correction_of(claim, field, new.at, new.position, "then")
        if held is not None and held[0] in state.corrected_by:
            return held[1].changes[field][0]
        return text_of(state.says, field)

    # --- what the source says -----------------------------------------------------------------

    def standing(self, source: str, position: int) -> list[Reading]:
        """The readings that the ledger held at a position and had not taken back, in order."""
        return sorted(
            (
                one
                for one in self.readings
                if one.source == source
                and one.position <= position
                and (one.withdrawn is None or one.withdrawn > position)
            ),
            key=lambda one: one.turn,
        )

    def says(self, claim: Identity, day: Instant, position: int) -> Statement | None:
        """What the source says at D: the latest reading that says anything about such a claim.

        A snapshot is all that the source says under its metrics; a refused row leaves its claim
        as it was. Where not even the key of a refused row could be told (``*``), any claim that
        the reading does not state may have been in it.
        """
        source, key, metric, _ = claim
        for reading in reversed(self.standing(source, position)):
            if reading.read_at > day or metric not in reading.metrics or key in reading.unread:
                continue
            if "*" not in reading.unread or claim in reading.says:
                return reading.says.get(claim)
        return None

    # --- decisions ----------------------------------------------------------------------------

    def in_force(
        self, claim: Identity, day: Instant, position: int, plane: Plane
    ) -> list[tuple[str, Effect]]:
        """The effects on a claim that stand, oldest first: (decision, effect).

        ``then``: D >= decided. ``since``: D >= applies_from. A reversed decision does not stand,
        unless the reversal was itself reversed.
        """
        made = [
            one
            for one in self.decisions
            if one.position <= position and (plane == "since" or one.at <= day)
        ]

        def undone(name: str) -> bool:
            return any(one.reverses == name and not undone(one.name) for one in made)

        return [
            (one.name, effect)
            for one in made
            if not undone(one.name)
            for effect in one.effects
            if effect.claim == claim
            and (plane == "then" or effect.since is None or effect.since <= day)
        ]

    def _correction_of(
        self, claim: Identity, field: str, day: Instant, position: int, plane: Plane
    ) -> tuple[str, Effect] | None:
        """One correction per field is in force: the latest that is not reversed."""
        held = [
            (name, effect)
            for name, effect in self.in_force(claim, day, position, plane)
            if field in effect.changes
        ]
        return held[-1] if held else None

    def state(self, claim: Identity, day: Instant, position: int, plane: Plane) -> State | None:
        """What holds of a claim at (D, P) in a plane; ``None`` while the source says nothing."""
        says = self.says(claim, day, position)
        if says is None:
            return None
        force = self.in_force(claim, day, position, plane)
        shows, corrected_by, to_review = says, set[str](), False
        for field in {field for _, effect in force for field in effect.changes}:
            held = self._correction_of(claim, field, day, position, plane)
            assert held is not None
            name, effect = held
            _, to = effect.changes[field]
            if all(same(g, text_of(says, g), of) for g, (of, _) in effect.changes.items()):
                shows = with_text(shows, field, to)
                corrected_by.add(name)
            elif not same(field, text_of(says, field), to):
                to_review = True
        last: Callable[..., str | None] = lambda *kinds: next(  # noqa: E731
            (effect.kind for _, effect in reversed(force) if effect.kind in kinds), None
        )
        models = [effect.model for _, effect in force if effect.kind == "reidentify"]
        ranking = last("hold-out", "readmit")
        return State(
            says=says,
            shows=shows,
            corrected_by=frozenset(corrected_by),
            model=models[-1] if models else self.named(claim, day, position),
            retracted=last("retract", "reinstate") == "retract",
            held_out=ranking == "hold-out" or (says.not_ranked is not None and ranking is None),
            disputed=last("dispute", "clear") == "dispute",
            to_review=to_review,
        )

    # --- names --------------------------------------------------------------------------------

    def named(self, claim: Identity, day: Instant, position: int) -> str | None:
        """The model that the row's name means: resolved at the reading that first stated it on
        that row (a name that changes under an unchanged key keeps its model)."""
        source, key, _, _ = claim
        first = next((one for one in self.standing(source, position) if key in one.names), None)
        if first is None:
            return None
        name, meant = name_key(first.names[key]), list[str]()
        known = [one for one in self.assertions if one.name == name and one.position <= position]
        for one in sorted(known, key=lambda one: (one.read_at, one.position)):
            if one.read_at > day:
                continue
            if one.withdrawn:
                meant = [model for model in meant if model != one.model]
            elif one.means_from is None or one.means_from <= first.read_at:
                meant.append(one.model)
        return meant[-1] if meant else None

    def described(self, stream: str, day: Instant, position: int) -> dict[str, Any]:
        """What a stream was said to be by D, patch on patch.

        Names have no "before": what a registration says stands for earlier days too.
        """
        said = [
            (not registers(event), event.read_at, at, facts_of(event))
            for at, where, event in self.facts
            if where == stream and at <= position and isinstance(event, ev.ModelEvent)
        ]
        merged: dict[str, Any] = {}
        for later, read_at, _, facts in sorted(said, key=lambda one: one[:3]):
            if not later or read_at <= day:
                merged |= facts
        return merged

    def rule(self, metric: str, day: Instant, position: int) -> ev.RankingRuleSet | None:
        """The rule in force at D; the first one known stands for earlier days.

        Which of two rules that imports met at one instant counts is nobody's choice: it follows
        from what they say, so that the order of arrival does not show.
        """
        rules = sorted(
            (
                (event.read_at, at, event)
                for at, _, event in self.facts
                if isinstance(event, ev.RankingRuleSet)
                and event.metric == metric
                and at <= position
            ),
            key=lambda one: one[:2],
        )
        met = [one for one in rules if one[2].met]
        if met:
            # Of those that imports met the earliest counts, unless somebody had set one by then.
            first_met = min(met, key=lambda one: (one[0], orjson.dumps(plain(one[2]))))
            rules = [one for one in rules if not one[2].met]
            if not any(read_at <= first_met[0] for read_at, _, _ in rules):
                rules.insert(0, first_met)
        by_then = [event for read_at, _, event in rules if read_at <= day]
        first = [event for read_at, _, event in rules if read_at == rules[0][0]]
        counting = by_then or first
        return counting[-1] if counting else None

    # --- boards -------------------------------------------------------------------------------

    def claims(self) -> list[Identity]:
        """Every claim that any reading ever stated."""
        return list(dict.fromkeys(claim for reading in self.readings for claim in reading.says))

    def board(
        self,
        day: Instant,
        position: int,
        plane: Plane,
        *,
        view: str,
        metric: str,
        published_by: date | None = None,
        every_claim: bool = True,
    ) -> list[Line]:
        """The board under one metric, ranked."""
        rule = self.rule(metric, day, position)
        if rule is None:
            return []
        stated = [
            (claim, state)
            for claim in self.claims()
            if (state := self.state(claim, day, position, plane)) is not None
            and state.shows.metric == metric
            and (view == "all" or self.kinds[claim[0]] in VIEWS[view])
        ]
        # Hundredths and shares are one measure, also where no rule names it.
        units = {state.shows.unit for _, state in stated}
        shares = rule.unit is None and {"%", "fraction"} <= units
        found = []
        for claim, state in stated:
            if state.model is None:
                continue
            line = self._line(claim, state, state.model, rule, day, position, shares=shares)
            if line is not None and (published_by is None or _counts_by(line, published_by)):
                found.append(line)
        return self._ranked(found, rule, every_claim=every_claim)

    def _line(
        self,
        claim: Identity,
        state: State,
        model: str,
        rule: ev.RankingRuleSet,
        day: Instant,
        position: int,
        *,
        shares: bool,
    ) -> Line | None:
        """A line of the board; ``None`` when the claim does not rank."""
        shows = state.shows
        if state.retracted or state.held_out:
            return None
        if rule.splits is not None and shows.split not in rule.splits:
            return None
        value = shows.score.value
        if shares and shows.unit == "fraction":
            value = value * 100
        if shows.unit is not None and rule.unit is not None and shows.unit != rule.unit:
            # Hundredths and shares are the same measure; nothing else can be compared.
            if {shows.unit, rule.unit} != {"%", "fraction"}:
                return None
            value = value * 100 if rule.unit == "%" else value / 100
        facts = self.described(f"model:{model}", day, position)
        printed = str(shows.published_on) if shows.published_on else None
        if self.kinds[claim[0]] in VIEWS["independent"] and facts.get("released"):
            # The design does not say what is printed while no release is known: what the source
            # says, then.
            printed = facts["released"]
        return Line(
            claim=claim,
            model=model,
            name=full_name(facts.get("name", model), facts.get("version")),
            score=shows.score.text,
            value=value,
            unit=shows.unit or rule.unit,
            published_on=printed,
            as_written=shows.name,
        )

    def _ranked(
        self, found: Iterable[Line], rule: ev.RankingRuleSet, *, every_claim: bool
    ) -> list[Line]:
        """Better score, then earlier printed date (none last), then name by code point, then
        claim id; one row per model unless every claim is wanted; ranks count 1, 2, 3."""
        better = -1 if rule.higher_is_better else 1
        found = sorted(
            found,
            key=lambda one: (
                better * one.value,
                _first_day(one.published_on),
                one.name,
                self.ids[one.claim],
            ),
        )
        rows = list[Line]()
        for line in found:
            if every_claim or line.model not in {row.model for row in rows}:
                rows.append(line)
        values = [row.value for row in rows]
        return [
            attrs.evolve(row, rank=place, tied=values.count(row.value) > 1)
            for place, row in enumerate(rows, 1)
        ]


def _counts_by(line: Line, until: date) -> bool:
    return line.published_on is not None and _first_day(line.published_on) <= until


def _first_day(text: str | None) -> date:
    return PartialDate(text).first_day if text else date.max
