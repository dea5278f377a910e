"""A bundle as paper sees it: what it is about, and as of when. Nothing else is ever looked at."""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from ledger.errors import Refused
from ledger.values import Instant, PartialDate, parse_instant
from reports.words import date_words

Json = Mapping[str, Any]

FORMAT = "corrigenda-bundle/1"
KINDS = ("board", "claim", "paper", "correction", "corrections")
LONGEST_SUBJECT = 90
"""Characters of the running header; the title itself has all of them."""


class NotABundle(Refused):
    """This is not a provenance bundle ({why}), so nothing was printed; give the bytes of a
    ….bundle.json as they were exported."""


@attrs.frozen
class Paper:
    """A bundle's document, with the SHA-256 of the very bytes that it was read from."""

    document: Json
    digest: str
    size: int

    @property
    def subject(self) -> Json:
        """What it is about."""
        found: Json = self.document["subject"]
        return found

    @property
    def kind(self) -> str:
        """One of :data:`KINDS`."""
        return str(self.subject["kind"])

    @property
    def shows(self) -> Json:
        """The very document that the pages give as JSON."""
        found: Json = self.document["shows"]
        return found

    @property
    def position(self) -> int:
        """The position that the paper is pinned to."""
        return int(self.subject["recorded_through"]["position"])

    @property
    def recorded_at(self) -> Instant:
        """When the last event that it may know was recorded; the paper's own date."""
        return parse_instant(self.subject["recorded_through"]["recorded_at"])

    @property
    def until(self) -> str:
        """The ISO day that its charts end with."""
        published_by = self.subject["published_by"]
        if published_by is not None:
            return PartialDate(published_by).first_day.isoformat()
        return str(self.subject["as_read_on"])[:10]

    @property
    def since(self) -> Sequence[int]:
        """The corrections that were decided later, by the time the bundle was made."""
        found: Sequence[int] = self.document["since"]["corrections"]
        return found

    @property
    def permalink(self) -> str:
        """Where the same can be read; without the site's name where nobody gave it one."""
        return f"{self.document['site'] or ''}{self.document['address']}"

    @property
    def title(self) -> str:
        """What it is, in a few words."""
        shows, subject = self.shows, self.subject
        match self.kind:
            case "board":
                return str(shows["benchmark"]["name"])
            case "claim":
                return f"{claim_name(shows)} on {shows['benchmark']['name']}"
            case "paper":
                return str(shows["paper"]["title"])
            case "correction":
                return f"Correction {subject['number']}"
            case _:
                return f"Corrections, {date_words(subject['from'])} to {date_words(subject['to'])}"

    @property
    def running(self) -> str:
        """The title, short enough for the head of each page."""
        if len(self.title) <= LONGEST_SUBJECT:
            return self.title
        return f"{self.title[: LONGEST_SUBJECT - 1]}…"

    @property
    def rows(self) -> int:
        """How many lines its longest table has."""
        shows = self.shows
        match self.kind:
            case "board":
                return len(shows["rows"]) + len(shows["unranked"])
            case "corrections":
                return len(shows["corrections"])
            case "paper":
                return sum(len(one["samples"]) for one in shows["records"])
            case _:
                return len(self.document["claims"])


def paper_of(document: Any, digest: str, size: int) -> Paper:
    """The paper of a bundle's document. Raises :class:`NotABundle`."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise NotABundle(why=f"its format is not {FORMAT}")
    subject = document.get("subject")
    if not isinstance(subject, dict) or subject.get("kind") not in KINDS:
        raise NotABundle(why=f"it is about none of {', '.join(KINDS)}")
    return Paper(document, digest, size)


def claim_name(claim: Json) -> str:
    """The model of a claim as people call it, else the name that its source writes."""
    if claim["model_name"]:
        return str(claim["model_name"])
    shown = claim["shows"] or claim["says"] or {}
    return str(shown.get("name") or claim["key"])
