"""A bundle's document → a PROV document, from the bundle alone.

- a snapshot (by its SHA-256), a source and a claim are entities;
- what a claim says from one event on is an entity too: a specialization of the claim, and a
  revision of what it said before;
- a transaction that froze a source or stated claims is an activity at the instant when it was
  recorded; a decision is one that used the snapshot that was checked;
- a handle is an agent, a person;
- what was read of papers, repositories, labels, samples and probe windows, and what was decided
  about them, are revisions of entities in the same way;
- what a retraction takes off every board, and what a source no longer states, is invalidated.
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

import orjson
from prov.model import ProvDocument, QualifiedName

from ledger.values import parse_instant
from reports.prov.activities import Activities
from reports.prov.code import CodeRevisions
from reports.prov.naming import names_in
from reports.prov.revising import Revisions
from reports.prov.words import subject_label

DECIDED = ("number", "outcome", "type", "reason", "statement", "in_force", "decision")


def prov_document(document: Mapping[str, Any]) -> ProvDocument:
    """All that a bundle says as PROV; the document has the form of the schema."""
    made = ProvDocument()
    activities = Activities(made, names_in(made, document), document)
    for one in document["decisions"]:
        _decision(activities, one)
    shown = [_claim(activities, one) for one in document["claims"]]
    code = list(CodeRevisions(activities).tell())
    if document["subject"]["kind"] == "paper":
        shown += code
    _shown(activities, (one for one in shown if one is not None))
    return made


def _decision(activities: Activities, one: Mapping[str, Any]) -> None:
    made, names = activities.made, activities.names
    activity, at = activities.deciding(one["decision"]), parse_instant(one["decided_at"])
    told = {name: one[name] for name in DECIDED} | {"leaf": activities.leaves[one["position"]]}
    made.activity(activity, at, at, names.typed("Decision") | names.said(told))
    activities.did(activity, one["decided_by"], "decider")
    if one["proposed_by"] is not None:
        activities.did(activity, one["proposed_by"], "proposer")
    if one["snapshot"] is not None:
        activities.using(activity, activities.snapshot(one["snapshot"]))
    if one["replaces"] is not None:
        made.communication(activity, names.thing("corrections", one["replaces"]))


def _claim(activities: Activities, one: Mapping[str, Any]) -> QualifiedName | None:
    """A claim with all its revisions; gives the revision that shows, if any."""
    names = activities.names
    claim = names.thing("claims", one["claim_id"])
    told = {name: one[name] for name in ("key", "model", "benchmark")}
    kind = names.typed("Claim", one["model_name"] or one["key"])
    activities.made.entity(claim, kind | names.said(told))
    revisions = Revisions(activities, claim)
    for position in one["events"]:
        revisions.tell(activities.records[position], activities.leaves[position])
    return revisions.showing(one)


def _shown(activities: Activities, revisions: Iterable[QualifiedName]) -> None:
    """What the bundle is of, derived from what its claims say."""
    made, names, document = activities.made, activities.names, activities.document
    subject = document["subject"]
    text = orjson.dumps(subject, option=orjson.OPT_SORT_KEYS)
    shown = names.thing("shown", sha256(text).hexdigest()[:32])
    told = {"address": document["address"], "as_read_on": subject["as_read_on"]}
    told |= {"position": subject["recorded_through"]["position"]}
    made.entity(shown, names.typed("Shown", subject_label(subject)) | names.said(told))
    for place, revision in enumerate(revisions):
        made.derivation(shown, revision, identifier=names.thing("relations", "shown", place))
