"""When each claim changed: every step of what it shows, kept as facts arrive.

A row says that the fact at ``position`` changed what its claim shows at ``read_from``. Like every
rectangle it holds for whoever knows the ledger through ``recorded_from <= P < recorded_to``: a
late reading may make a step of what was none, or undo one. The steps are those of
:func:`projections.over_time.changes.steps_of`.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

import attrs
from sqlalchemy import Connection, insert

from ledger import events as ev
from ledger.claim import History, Reading, State
from ledger.values import micros
from projections.keeping.rectangles import Keeper, Span
from projections.keeping.tables import FOREVER, Tables
from projections.over_time.changes import Shown, Step, seen_in, step_of, steps_of

COLUMNS = ("benchmark", "source", "kind", "metric", "metric_before", "decision")
END_OF_TIME = datetime.max.replace(tzinfo=UTC)


@attrs.define
class Latest:
    """The latest reading of a claim without decisions, to which a later one adds; ``of`` are its
    benchmark and source."""

    of: tuple[str, str]
    reading: Reading


@attrs.define
class ChangeProjector:
    """Keeps the steps of the claims that a batch touches."""

    tables: Tables
    keeper: Keeper[tuple[str, int]] = attrs.field(init=False)
    _latest: dict[str, Latest] = attrs.field(factory=dict)
    _renames: list[dict[str, object]] = attrs.field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.keeper = Keeper(self.tables.change, ("claim", "position"), COLUMNS)

    def load(self, connection: Connection, claims: Iterable[str]) -> None:
        """Have the steps of known claims at hand."""
        self.keeper.load(connection, "claim", claims)

    def draw(
        self, claim: str, record: ev.Recorded, known: Sequence[ev.Recorded], history: History
    ) -> None:
        """One event of a claim; ``known`` are all of its events by then, this one included, and
        ``history`` is what they give."""
        steps = {one.position: one for one in steps_of(claim, history, None, END_OF_TIME)}
        of = (history.benchmark, history.source)
        for one in known:
            step = steps.get(one.position)
            self.keeper.change((claim, one.position), _spans(of, step), record.position)
        self._latest.pop(claim, None)
        if history.first_reading is not None and not history.decisions:
            self._latest[claim] = Latest(of, history.readings[-1])

    def add(self, claim: str, reading: Reading | None) -> bool:
        """Add a reading that is later than all before it; ``False`` when more may change."""
        latest = self._latest.get(claim)
        if latest is None or reading is None or reading.read_at <= latest.reading.read_at:
            return False
        spans = _spans_between(claim, latest, reading)
        if spans:
            self.keeper.change((claim, reading.position), spans, reading.position)
        latest.reading = reading
        return True

    def renamed(self, record: ev.Recorded) -> None:
        """A model got another name. Few ever do, so it is enough to know which."""
        model = record.envelope.stream.partition(":")[2]
        self._renames.append({"position": record.position, "model": model})

    def flush(self, connection: Connection) -> None:
        """Write the batch."""
        self.keeper.flush(connection)
        if self._renames:
            connection.execute(insert(self.tables.rename), self._renames)
        self._latest.clear()
        self._renames.clear()


def _spans_between(claim: str, latest: Latest, reading: Reading) -> list[Span]:
    """The step from one reading to the next, where there is one."""
    before, after = latest.reading.says, reading.says
    if before and after and before.name == after.name and before.score.text != after.score.text:
        # What most readings are, seen without looking at all that they say.
        left = None if before.metric == after.metric else before.metric
        return [
            (micros(reading.read_at), FOREVER, (*latest.of, "restated", after.metric, left, None))
        ]
    earlier, later = _shown(latest.reading), _shown(reading)
    if earlier == later:
        return []
    # It was stated before: a claim begins with what its source states.
    return _spans(latest.of, step_of(claim, reading, earlier, later, None, ever=True))


def _shown(reading: Reading) -> Shown | None:
    says = reading.says
    return None if says is None else seen_in(State(reading, says, says))


def _spans(of: tuple[str, str], step: Step | None) -> list[Span]:
    """A step that has happened is seen from its instant on; what is none is seen at no time."""
    if step is None:
        return []
    before = step.before.metric if step.before is not None else step.metric
    left = None if before == step.metric else before
    return [(micros(step.read_at), FOREVER, (*of, step.kind, step.metric, left, step.decision))]
