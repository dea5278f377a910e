"""A desk on which everything happened that can happen to a claim, for bundles to be made of."""

from datetime import date

from ledger import commands as orders
from ledger import events as ev
from ledger.claim import claim_id
from ledger.importing.board import Target
from ledger.model import lab_stream
from ledger.model import stream_of as model_stream
from ledger.proof.note import VerifierKey
from ledger.values import PartialDate, Slug
from reports.bundle import (
    Bundle,
    Records,
    board_bundle,
    claim_bundle,
    correction_bundle,
    corrections_bundle,
)
from tests.web.desk import BENCHMARK, COPIED, HERON, IBIS, LOON, Desk, read
from web.exports import records_of
from web.wiring import make_key

OTHER = Target(
    source=Slug("other-board"),
    benchmark=Slug("otherbench"),
    benchmark_name="OtherBench",
    source_name="Board of others",
)
FAR = claim_id("other-board", "otherbench", "Heron-7B", "score", None)
Curated = ev.LabEvent | ev.ModelEvent | ev.BenchmarkEvent | ev.SourceEvent
YEAR = (date(2025, 1, 1), date(2025, 12, 31))


def records(desk: Desk) -> Records:
    """What bundles are made from at this desk, whose log has a key from now on."""
    make_key(desk.workspace, lambda: bytes(range(32)))
    desk.workspace.catch_up()
    return records_of(desk.workspace)


def rotate(desk: Desk, secret: bytes = bytes(32)) -> VerifierKey:
    """Let the log go on with another key."""
    return desk.workspace.seals.rotate(secret)


def tell(desk: Desk) -> None:
    """Corrections, one of them corrected again, one reversed and the reversal undone; a decision on
    two benchmarks; a retraction, a dispute and a report declined; a row that went and came back, a
    name that looks like another; a rename, and a report that nobody decides."""
    read(desk.workspace, OTHER, "2025-07-03T080000Z.csv", "model,score\nHeron-7B,1\nTern-1B,2\n")
    first = desk.accept("70.1")
    desk.decide(
        desk.order(
            desk.file(HERON),
            desk.correct("69.9"),
            type="correction",
            replaces=first.name,
        )
    )
    desk.read_again("model,score\nHeron-7B,72.5\nLoon-3B,41\n")
    desk.read_again(
        "model,score\nHeron-7B,72.5\nIbis-13B,81\nL\u043e\u043en-3B,7\n", "2025-07-12T080000Z.csv"
    )
    undone = desk.accept("71.0", COPIED)
    desk.reverse(desk.reverse(undone), by="boris")
    _both_boards(desk)
    for effect in (
        orders.Retract(claim=LOON, version=_version(desk, LOON), applies_from="start"),
        orders.Dispute(claim=IBIS, version=_version(desk, IBIS), applies_from="start", about="n"),
    ):
        made = desk.decide(desk.order(desk.file(effect.claim), effect))
        if made.proposed:
            desk.approve(made)
    desk.decide(desk.order(desk.file(IBIS)))
    desk.file(HERON)
    _curate(desk)
    desk.workspace.catch_up()


def _both_boards(desk: Desk) -> None:
    """One decision about claims of two benchmarks, which takes two people."""
    number = desk.file(FAR)
    order = desk.order(number, desk.correct("1.5", FAR), desk.correct("70.2", COPIED))
    made = desk.decide(order)
    if made.proposed:
        desk.approve(made)


def _version(desk: Desk, claim: str) -> int:
    return desk.workspace.ledger.claim(claim).version


def _curate(desk: Desk) -> None:
    """A lab, a release, a rename, a caveat, and a post that leaves the benchmark out."""
    at, ledger = desk.clock(), desk.workspace.ledger
    heron = model_stream(_model(desk))
    facts: tuple[tuple[str, Curated], ...] = (
        (lab_stream("aviary"), ev.LabRegistered(slug=Slug("aviary"), name="Aviary", read_at=at)),
        (
            heron,
            ev.ModelDescribed(facts={"lab": "aviary", "released": "2025-05"}, read_at=at, why="so"),
        ),
        (heron, ev.ModelRenamed(name="Heron Seven", read_at=at, why="its lab says so")),
        (
            f"benchmark:{BENCHMARK}",
            ev.CaveatStated(caveat=Slug("small"), text="Few tasks.", read_at=at, why="it has 40"),
        ),
        (
            "source:post",
            ev.SourceRegistered(
                slug=Slug("post"),
                name="Launch post",
                kind="launch-post",
                published_on=PartialDate("2025-07"),
                read_at=at,
            ),
        ),
        ("source:post", ev.PostRead(benchmark=BENCHMARK, listed=True, read_at=at)),
    )
    for stream, fact in facts:
        ledger.do(orders.Assert(stream=stream, fact=fact), "curator")


def _model(desk: Desk) -> str:
    """The slug of the model that Heron-7B is."""
    desk.workspace.catch_up()
    bundle = claim_bundle(records(desk), desk.workspace.moment(), HERON)
    return str(bundle.document["claims"][0]["model"])


def bundles(desk: Desk) -> list[Bundle]:
    """A bundle of each kind of each thing on the desk, at the head and at earlier moments."""
    made, workspace = records(desk), desk.workspace
    head, log = workspace.ledger.store.head(), desk.log()
    days = ("2025-07-01", "2025-07-11", None)
    found: list[Bundle] = []
    for day in days:
        for plane in ("then", "since"):
            moment = workspace.moment(as_read_on=day, corrected=plane, recorded_through=str(head))
            found += [claim_bundle(made, moment, one) for one in (HERON, COPIED, LOON)]
            found += [
                board_bundle(made, moment, BENCHMARK, view=view, every_claim=plane == "since")
                for view in ("all", "independent")
            ]
    found += [correction_bundle(made, head, one.number) for one in log]
    found += [correction_bundle(made, one.position, one.number) for one in log[:2]]
    early = workspace.moment(recorded_through=str(log[-1].position))
    found += [board_bundle(made, early, BENCHMARK), claim_bundle(made, early, HERON)]
    return [*found, corrections_bundle(made, workspace.moment(), *YEAR)]
