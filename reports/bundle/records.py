"""What bundles are made from, what they are, and their one form in bytes."""

from collections.abc import Mapping
from typing import Any

import attrs
import orjson

from ledger.archive import Archive
from ledger.seal import Seals
from ledger.store import Store
from projections.keeping.views import Views

FORMAT = "corrigenda-bundle/1"
Json = dict[str, Any]


@attrs.frozen
class Records:
    """An open ledger as bundles are made from it; ``site`` is where its pages are, if known."""

    store: Store
    seals: Seals
    views: Views
    archive: Archive
    site: str | None = None


@attrs.frozen
class Bundle:
    """A bundle as a document and as its one form in bytes."""

    document: Mapping[str, Any]
    data: bytes = attrs.field(repr=False)


def bundle_of(document: Json) -> Bundle:
    """The document with its bytes: sorted keys, no white space, a newline at the end."""
    written = orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
    return Bundle(document, orjson.dumps(document, option=written))
