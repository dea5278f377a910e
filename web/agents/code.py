"""Code that was harvested from a paper, and one piece of it: where it is from, what became of it.

The calls are those that the pages of papers and samples print (AG-01, AG-02). No text of code comes
with an answer, as none is held here.
"""

from collections.abc import Iterator
from typing import Any

import attrs

from ledger.errors import NotFound
from ledger.paper import parse_arxiv_id
from ledger.sample import parse_code
from ledger.vocabulary import RAN
from projections.asserted import with_aspect
from projections.code.papers import Paper, paper_at
from projections.code.records import Listed
from reports.code.papers import paper_json
from reports.contract import Json
from web.agents import given as ask
from web.agents.answers import CodeAnswer, HarvestedAnswer
from web.agents.asking import Given, Pages
from web.agents.caveats import of_code, of_paper, why_no_text
from web.agents.pinning import pinned
from web.site import Look

OF_THE_PAGE = (
    "as_read_on",
    "corrected",
    "recorded_through",
    "published_by",
    "records",
    "empty_because",
)


@attrs.frozen
class Code:
    """The tools about code."""

    pages: Pages

    def get_harvested_code_for_paper(
        self,
        *,
        arxiv_id: ask.ArxivId,
        as_read_on: ask.AsReadOn = None,
        corrected: ask.Corrected = None,
        recorded_through: ask.RecordedThrough = None,
    ) -> HarvestedAnswer:
        """Every function and class that was harvested from the repositories of a paper, and whether
        it ran, record by record; what is only counted is counted."""
        parse_arxiv_id(arxiv_id)
        asked: Given = {
            "as_read_on": as_read_on,
            "corrected": corrected,
            "recorded_through": recorded_through,
        }
        with self.pages.looking(asked) as look:
            paper = paper_at(look.reader, look.store, paper_with(look, arxiv_id), look.moment)
        told = paper_json(paper)
        answer = {name: told[name] for name in OF_THE_PAGE}
        return HarvestedAnswer.model_validate(
            {
                "answer": {
                    "paper": told["paper"],
                    **answer,
                    "harvested": [*harvested(paper, told)],
                },
                "caveats": list(of_paper(told)),
                "permalink": self.pages.link("papers.paper", {"name": paper.slug}, pinned(told)),
            }
        )

    def get_code(
        self,
        *,
        code_sha256: ask.CodeSha256,
        as_read_on: ask.AsReadOn = None,
        corrected: ask.Corrected = None,
        recorded_through: ask.RecordedThrough = None,
    ) -> CodeAnswer:
        """One piece of code: its identity, where it is, under which licence, what became of it when
        it ran, whom that blames, and why no text of it is given."""
        which = {"name": parse_code(code_sha256)}
        asked: Given = {
            "as_read_on": as_read_on,
            "corrected": corrected,
            "recorded_through": recorded_through,
        }
        found = self.pages.told("papers.sample_as_json", which, asked)
        return CodeAnswer.model_validate(
            {
                "answer": found,
                "text": None,
                "why": why_no_text(found),
                "caveats": list(of_code(found)),
                "permalink": self.pages.link("papers.sample", which, pinned(found)),
            }
        )


def paper_with(look: Look, arxiv_id: str) -> str:
    """The slug of the paper with an arXiv identifier; the first one by slug, if there are several.

    Raises ``NotFound``.
    """
    for stream, content in with_aspect(look.reader, "described", look.moment):
        kind, _, slug = stream.partition(":")
        if kind == "paper" and content.get("arxiv_id") == arxiv_id:
            return slug
    raise NotFound(what="paper with the arXiv identifier", name=arxiv_id)


def harvested(paper: Paper, told: Json) -> Iterator[dict[str, Any]]:
    """Each piece of code of each record, as the page lists it, and what is it called where."""
    for record, said in zip(paper.records, told["records"], strict=True):
        for listed, line in zip(record.samples, said["samples"], strict=True):
            yield {**line, "record": said["source"], **_where(listed)}


def _where(listed: Listed) -> dict[str, Any]:
    fact, shows = listed.copy.fact, listed.shows
    return {
        "symbol": fact.symbol,
        "path": fact.path,
        "commit": fact.commit,
        "ran": None if shows is None else shows in RAN,
    }
