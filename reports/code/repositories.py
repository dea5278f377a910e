"""Repositories that are linked with a paper, and their labels, as JSON."""

from ledger.vocabulary import LABELS
from projections.code.repositories import LabelOf, Linked, Listing
from reports.code.probes import reach_json
from reports.code.told import date_json, stated_json, tale_json
from reports.code.words import (
    label_words,
)
from reports.contract import Json, source_ref


def linked_json(linked: Linked) -> Json:
    """A repository of a paper; ``reachability`` is ``null`` where it was not probed."""
    return {
        "repository": linked.slug,
        "name": linked.name,
        "address": linked.address,
        "label": linked.label,
        "label_name": label_words(linked.label),
        "listings": [_listing_json(one) for one in linked.listings],
        "labels": [label_json(one) for one in linked.labels],
        "reachability": reach_json(linked.reach),
    }


def _listing_json(listing: Listing) -> Json:
    return {
        "source": source_ref(listing.source),
        "official": listing.fact.official,
        "mentioned": listing.fact.mentioned,
        **stated_json(listing.stated),
    }


def label_json(label: LabelOf) -> Json:
    """A label: its value, who asserts it, as of when, and all that happened to it."""
    state = label.tale.state
    shown = state.shows if state else None
    return {
        "paper": label.paper,
        "repository": label.repository,
        "value": label.shows,
        "name": label_words(label.shows),
        "means": LABELS[label.shows][1] if label.shows else None,
        "asserted_by": source_ref(label.source),
        "as_of": date_json(shown.as_of) if shown else None,
        **tale_json(label.tale),
    }
