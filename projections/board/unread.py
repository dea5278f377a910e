"""Launch posts that are known and were not read for a benchmark: nothing is concluded from them."""

from collections.abc import Collection

import attrs

from ledger.values import PartialDate
from projections.asserted import with_aspect
from projections.keeping.views import Reader
from projections.moment import Moment


@attrs.frozen
class UnreadPost:
    """A launch post of a lab (by its slug) of which nobody said whether it lists a benchmark."""

    source: str
    name: str
    lab: str
    published_on: PartialDate


def unread_posts(
    reader: Reader, labs: Collection[str], read: Collection[str], moment: Moment
) -> list[UnreadPost]:
    """The dated launch posts of some labs that are known by the moment and not among those that
    were ``read``, oldest first."""
    if not labs:
        return []
    until = moment.published_by.first_day if moment.published_by is not None else None
    found = []
    for stream, content in with_aspect(reader, "described", moment):
        kind, _, slug = stream.partition(":")
        if kind != "source" or slug in read or content.get("kind") != "launch-post":
            continue
        if content.get("lab") in labs and content.get("published_on"):
            published = PartialDate(content["published_on"])
            if until is None or published.first_day <= until:
                found.append(UnreadPost(slug, str(content["name"]), content["lab"], published))
    return sorted(found, key=lambda one: (one.published_on.first_day, one.source))
