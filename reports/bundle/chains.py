"""The chain of each claim that is shown: as written → snapshot → decision → event.

Worked out from the claim's own events, many claims at once: a board has thousands of them.
"""

from collections.abc import Iterable, Mapping, Sequence

import attrs

from ledger import events as ev
from ledger.claim import History, State, history_of, state_at
from ledger.values import short_instant
from ledger.wire import plain_statement
from projections.asserted import Content, described
from projections.board.marks import look_alike_models
from projections.decisions.corrections import Correction
from projections.keeping.timeline import marks_of
from projections.keeping.views import Reader
from projections.moment import Moment
from projections.standing import models_at
from reports.bundle.records import Json


@attrs.frozen(kw_only=True)
class Chain:
    """All that a bundle says of one claim."""

    claim: str
    history: History
    state: State | None
    model: str | None
    alike: str | None
    source: Content
    decisions: tuple[int, ...]
    positions: tuple[int, ...]


def chains_of(
    reader: Reader,
    claims: Sequence[str],
    records: Mapping[str, Sequence[ev.Recorded]],
    decided: Iterable[Correction],
    moment: Moment,
) -> list[Chain]:
    """The chains of these claims, in their order; ``records`` are the events of each by the
    moment's position, ``decided`` the decisions that may touch them."""
    models = models_at(reader, claims, moment)
    alike = look_alike_models(reader, moment)
    histories = {claim: history_of(records[claim]) for claim in claims}
    sources = {f"source:{history.source}" for history in histories.values()}
    said = described(reader, sources, moment)
    numbers: dict[str, list[int]] = {}
    for entry in decided:
        for touched in entry.claims:
            numbers.setdefault(touched.claim_id, []).append(entry.number)
    return [
        Chain(
            claim=claim,
            history=history,
            state=state_at(history, moment.instant, moment.plane),
            model=models.get(claim),
            alike=alike.get(models.get(claim) or ""),
            source=said.get(f"source:{history.source}", {}),
            decisions=tuple(sorted(numbers.get(claim, ()))),
            positions=tuple(record.position for record in records[claim]),
        )
        for claim, history in histories.items()
    ]


def chain_json(chain: Chain, names: Mapping[str, str], moment: Moment) -> Json:
    """One claim of a document."""
    history, state = chain.history, chain.state
    return {
        "claim_id": chain.claim,
        "benchmark": history.benchmark,
        "source": {
            "slug": history.source,
            "kind": str(chain.source.get("kind", "collected-claim")),
            "name": str(chain.source.get("name", history.source)),
            "address": chain.source.get("address"),
        },
        "key": history.key,
        "model": chain.model,
        "model_name": names.get(f"model:{chain.model}"),
        "says": plain_statement(state.says) if state else None,
        "shows": plain_statement(state.shows) if state else None,
        "corrected_by": list(state.corrected_by) if state else [],
        "reidentified_by": state.reidentified_by if state else None,
        "retracted_by": state.retracted_by if state else None,
        "held_out": state.held_out if state else None,
        "review": list(state.review) if state else [],
        "marks": _marks(chain),
        "readings": [
            {
                "sha256": reading.digest,
                "read_at": short_instant(reading.read_at),
                "position": reading.position,
                "says": plain_statement(reading.says) if reading.says else None,
            }
            for reading in history.readings_by(moment.instant)
        ],
        "decisions": list(chain.decisions),
        "events": list(chain.positions),
    }


def _marks(chain: Chain) -> list[dict[str, str]]:
    marks = marks_of(chain.state) if chain.state else []
    if chain.alike is not None:
        marks.append({"kind": "look-alike", "text": chain.alike})
    return marks
