"""Corrections, one decision at a time, beside single inserts through the recorder that stores them.

A decision reads the report and the claim, judges, and commits several events; an insert is one row
and one commit. Both are durable.
"""

import random
import time
from collections.abc import Iterator
from functools import partial

from benchmarks.boards import MODELS
from benchmarks.writing import Rate
from ledger import commands as orders
from ledger import events as ev
from ledger.claim import claim_id
from ledger.events import Change
from ledger.store import NewEvents
from ledger.values import Digest, Slug
from web.reporting.filing import file_numbered
from web.wiring import Workspace

SOME = 200
"""Decisions that are timed."""


def decided(workspace: Workspace, benchmarks: int, count: int = SOME, seed: int = 3) -> Rate:
    """Correct so many claims, a report and a decision each; only the decisions are timed."""
    seconds = 0.0
    chosen = list(_chosen(benchmarks, count, seed))
    for claim in chosen:
        number = file_numbered(workspace, "reader", partial(_report, workspace, claim))
        order = _decision(workspace, claim, number)
        start = time.perf_counter()
        workspace.ledger.do(order, "reviewer")
        seconds += time.perf_counter() - start
    return Rate(len(chosen), seconds)


def inserted(workspace: Workspace, count: int = SOME) -> Rate:
    """One event after the other, each appended and committed alone."""
    fact = ev.LabRegistered(slug=Slug("lab"), name="Lab", read_at=workspace.ledger.clock())
    start = time.perf_counter()
    for number in range(count):
        workspace.ledger.store.append([NewEvents(f"bench:{number}", 0, (fact,))], by="bench")
    return Rate(count, time.perf_counter() - start)


def _chosen(benchmarks: int, count: int, seed: int) -> Iterator[str]:
    """Claims of random rows, none of them twice."""
    places = [(board, model) for board in range(benchmarks) for model in range(MODELS)]
    for board, model in random.Random(seed).sample(places, count):
        slug = f"bench-{board:04d}"
        yield claim_id(f"{slug}-board", slug, f"run-{model:04d}", "score", None)


def _report(workspace: Workspace, claim: str, number: int) -> orders.FileReport:
    return orders.FileReport(
        number=number,
        target=f"claims/{claim}",
        reason="wrong-value",
        proposes=(Change("score", None, "50"),),
        received_at=workspace.ledger.clock(),
    )


def _decision(workspace: Workspace, claim: str, number: int) -> orders.Decide:
    history = workspace.ledger.claim(claim)
    correct = orders.Correct(
        claim=claim, version=history.version, applies_from="start", to=(("score", "50"),)
    )
    return orders.Decide(
        number=number,
        version=workspace.ledger.report(number).version,
        outcome="accepted",
        reason="wrong-value",
        statement="The table of the source says so.",
        snapshot=Digest(history.readings[-1].digest),
        effects=(correct,),
    )
