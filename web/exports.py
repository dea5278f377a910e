"""Exports as pages and the command line make them alike: from what, of which moment, and how a file
with one is called."""

from collections.abc import Collection, Mapping
from datetime import date
from typing import Any

import attrs

from ledger.values import end_of_day
from projections.moment import Moment
from reports.bundle import Records
from web.wiring import Workspace

ABOUT: Mapping[str, tuple[str, ...]] = {
    "board": ("benchmark", "view", "metric"),
    "claim": ("claim_id",),
    "paper": ("paper",),
    "correction": ("number",),
    "corrections": ("from", "to"),
}
"""What of a subject stands in a file's name."""


def records_of(workspace: Workspace) -> Records:
    """What bundles are made from."""
    return Records(
        store=workspace.ledger.store,
        seals=workspace.seals,
        views=workspace.views,
        archive=workspace.ledger.archive,
        site=workspace.settings.address,
    )


def of_a_day(moment: Moment, asked: Collection[str], today: date) -> Moment:
    """The moment that was asked for by these parameters; where neither a day nor a position was,
    all of today, so that whoever asks twice on one day asks for the same."""
    if "as_read_on" in asked or "recorded_through" in asked:
        return moment
    return attrs.evolve(moment, as_read_on=today.isoformat(), instant=end_of_day(today))


def file_name(document: Mapping[str, Any]) -> str:
    """What a file with a bundle is called, without an ending; it has neither spaces nor colons."""
    subject = document["subject"]
    about = (subject[name] for name in ABOUT[subject["kind"]])
    day = str(subject["as_read_on"]).replace(":", "").replace("+", "p")
    parts = [subject["kind"], *(str(one) for one in about if one is not None)]
    parts += [f"as-read-on-{day}", subject["corrected"]]
    return "_".join((*parts, f"position-{subject['recorded_through']['position']}"))
