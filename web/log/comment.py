"""A notice in the words of schema.org."""

from collections.abc import Iterable
from typing import Any

from ledger.values import instant_text
from projections.decisions.notice import Notice
from reports.contract import Json
from web.log.notice_words import title_words


def comment_json(notice: Notice, address: str, corrected: Iterable[tuple[str, str]]) -> Json:
    """A notice as schema.org's ``CorrectionComment``; ``corrected`` are the names and addresses of
    what it corrects."""
    entry = notice.entry
    comment: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "CorrectionComment",
        "@id": address,
        "url": address,
        "identifier": str(entry.number),
        "name": title_words(entry, notice.names),
        "text": entry.statement,
        "datePublished": instant_text(entry.decided_at),
        "dateModified": instant_text(entry.changed_at),
        "author": {"@type": "Person", "name": entry.decided_by},
        "about": [{"@type": "CreativeWork", "name": name, "url": url} for name, url in corrected],
    }
    return comment
