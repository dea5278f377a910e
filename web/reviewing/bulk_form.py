"""What is typed beside the queue, and the orders that it comes to: one for each ticked line.

A line says which versions of the report and of what it is about were shown, and which reading that
rests on now; no Flask.
"""

from collections.abc import Iterator

import attrs

from ledger import commands as orders
from ledger.errors import BadValue
from ledger.values import Digest, parse_digest
from projections.review.queue import WaitingReport, report_numbered
from projections.review.waiting import entries_of
from web.reviewing.bulk import MOST
from web.reviewing.form import ASKED, Typed, applies_from, lines
from web.reviewing.wishes import wish
from web.reviewing.words import BULK_OUTCOMES
from web.wiring import Workspace


@attrs.frozen
class Chosen:
    """A line that is ticked."""

    number: int
    version: int
    subject_version: int | None
    snapshot: Digest | None


def chosen(typed: Typed) -> list[Chosen]:
    """The lines that are ticked; refused when there are none, or too many."""
    found = [_read(told) for told in typed.every("chosen")]
    if not 1 <= len(found) <= MOST:
        raise BadValue(what="selection", shown=f"of {len(found)}", why=f"choose 1 to {MOST}")
    return found


def _read(told: str) -> Chosen:
    number, version, subject_version, snapshot = (told.split(":") + [""] * 4)[:4]
    return Chosen(
        whole(number),
        whole(version),
        whole(subject_version) if subject_version else None,
        parse_digest(snapshot) if snapshot else None,
    )


def whole(text: str) -> int:
    """A number that the page itself wrote."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise BadValue(what="number", shown=ascii(text[:40]), why="open the page anew")
    return int(text)


def orders_from(workspace: Workspace, typed: Typed) -> list[orders.Decide]:
    """One decision for each line that is ticked, all with the same words."""
    outcome, checked = typed.one("outcome"), typed.has("checked")
    if outcome not in BULK_OUTCOMES:
        raise BadValue(what="outcome", shown="left open", why="choose one for all")
    accepts = outcome == "accepted"
    return [
        orders.Decide(
            number=one.number,
            version=one.version,
            outcome=outcome,
            type="correction" if accepts else None,
            reason=typed.one("reason"),
            statement=lines(typed.one("statement")),
            snapshot=one.snapshot if checked else None,
            effects=_as_asked(workspace, one, typed) if accepts else (),
        )
        for one in chosen(typed)
    ]


def _as_asked(workspace: Workspace, line: Chosen, typed: Typed) -> tuple[orders.AnyEffect, ...]:
    """What a report asks for, on its own claim, label or sample; refused where that takes a look of
    its own."""
    store, moment = workspace.ledger.store, workspace.moment()
    with workspace.views.read() as reader:
        report = report_numbered(reader, line.number)
        place = entries_of(reader, store, [report], moment)[0].place if report else None
    subject = place.subject if place else None
    effects = tuple(_effects(report, subject, line, typed)) if report and subject else ()
    if not effects:
        why = "it asks for nothing that can be done as it is asked; open it"
        raise BadValue(what="report", shown=str(line.number), why=why)
    return effects


def _effects(
    report: WaitingReport, subject: str, line: Chosen, typed: Typed
) -> Iterator[orders.AnyEffect]:
    wanted = {str(one["field"]): one["to"] for one in report.proposes}
    fields = {field: to for field, to in wanted.items() if field in ASKED["correct"]}
    said = {"set": fields, "model": wanted.get("model")}
    for kind, asked in ASKED.items():
        if asked & set(wanted):
            yield wish(
                kind,
                claim=subject,
                version=line.subject_version,
                since=applies_from(typed),
                said=said,
            )
