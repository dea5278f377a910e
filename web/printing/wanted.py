"""What is to be printed: the subject settled, how long it is, and the key of its PDF."""

import hashlib
from pathlib import Path
from typing import Any

import attrs
import orjson

from projections.board.boards import board_at
from projections.code.papers import paper_at
from projections.decisions.log import Wanted as Entries
from projections.decisions.log import page_of_log
from reports import paper
from reports.bundle.asked import Asked, BoardAsked, LogAsked, PaperAsked, subject_json
from reports.fonts import letters
from reports.paper.cover import KINDS
from reports.paper.release import PRESS, RELEASE
from reports.paper.sections import LARGE
from web.site import Look, release_of, site

Json = dict[str, Any]


@attrs.frozen(kw_only=True)
class Wanted:
    """A subject, how many rows the longest table of its paper has, and ``since``: what else the
    paper tells, as it was made (how far the ledger had gone on, and the keys of its log)."""

    asked: Asked
    rows: int
    since: str

    @property
    def is_large(self) -> bool:
        """Whether its PDF takes a job."""
        return self.rows > LARGE

    @property
    def title(self) -> str:
        """What it is, for whoever waits for it."""
        subject = subject_json(self.asked)
        about = next(subject[name] for name in _ABOUT if name in subject)
        return f"{KINDS[subject['kind']]}: {about}"

    @property
    def key(self) -> str:
        """All that decides about the bytes, in short."""
        told = {
            "subject": subject_json(self.asked),
            "since": self.since,
            "site": site().workspace.settings.address,
            "release": f"{RELEASE} {PRESS} {_LOOKS}",
            "fonts": letters().edition,
        }
        return hashlib.sha256(orjson.dumps(told, option=orjson.OPT_SORT_KEYS)).hexdigest()

    def order(self, back: str) -> Json:
        """The same as a document, which another process can read; ``back`` is its page."""
        subject = subject_json(self.asked)
        return {"subject": subject, "key": self.key, "title": self.title, "back": back}


# What paper looks like may change within a release while that is being made.
_LOOKS = release_of(Path(paper.__file__).parents[1])
_ABOUT = ("benchmark", "claim_id", "paper", "number", "from")


def wanted(look: Look, asked: Asked, since: str) -> Wanted:
    """What an address asks for, with view and metric settled; refused where its page would be."""
    match asked:
        case BoardAsked():
            board = board_at(
                look.reader,
                asked.slug,
                asked.moment,
                view=asked.view,
                metric=asked.metric,
                every_claim=asked.every_claim,
            )
            metric = board.rule.metric if board.rule else None
            settled = attrs.evolve(asked, view=board.view, metric=metric)
            rows = len(board.rows) + len(board.unranked)
            return Wanted(asked=settled, rows=rows, since=since)
        case LogAsked():
            period = Entries(start=asked.start, end=asked.end)
            page = page_of_log(look.reader, look.store, period, asked.moment, count=1)
            return Wanted(asked=asked, rows=page.matching, since=since)
        case PaperAsked():
            found = paper_at(look.reader, look.store, asked.slug, asked.moment)
            rows = sum(len(record.samples) for record in found.records)
            return Wanted(asked=asked, rows=rows, since=since)
        case _:
            return Wanted(asked=asked, rows=1, since=since)
