"""What a search finds of papers: they themselves, repositories that are linked with them, samples
by the first digits of their code."""

from collections.abc import Iterable, Mapping, Sequence

import attrs

from ledger.store import Store
from projections.asserted import Content
from projections.code.found import (
    linked_repositories,
    papers_with,
    read_papers,
    samples_beginning,
)
from projections.code.papers import PaperOf
from projections.keeping.views import Reader
from projections.moment import Moment

MOST = 30
"""Of each kind."""
MOST_PAPERS = 3
"""Papers that are named beside a repository; a well-known one is linked with thousands."""


@attrs.frozen
class RepositoryHit:
    """A repository, the first papers that it is linked with, and how many others there are."""

    slug: str
    name: str
    papers: tuple[PaperOf, ...]
    others: int


@attrs.frozen
class CodeHits:
    """The first of each kind, and how many papers and repositories there are in all."""

    papers: tuple[PaperOf, ...]
    papers_in_all: int
    repositories: tuple[RepositoryHit, ...]
    repositories_in_all: int
    samples: tuple[str, ...]


Said = Iterable[tuple[str, Content]]
"""Streams, and how each was described at the moment."""


def code_hits(
    reader: Reader, store: Store, moment: Moment, said: Said, words: Sequence[str]
) -> CodeHits:
    """What is found for these words, which are in small letters and of which all have to occur; a
    sample is found by one word alone."""
    papers: dict[str, str] = {}
    repositories: dict[str, str] = {}
    for stream, content in said:
        kind, _, slug = stream.partition(":")
        if kind == "paper" and _has(words, slug, content, ("title", "authors", "arxiv_id")):
            papers[slug] = str(content["title"])
        elif kind == "repository" and _has(words, slug, content, ("name", "address")):
            repositories[slug] = str(content["name"])
    papers = _only(papers, read_papers(reader, papers, moment))
    repositories = _only(repositories, linked_repositories(reader, repositories, moment))
    lone = words[0] if len(words) == 1 else ""
    return CodeHits(
        papers=tuple(PaperOf(*one) for one in _first(papers)),
        papers_in_all=len(papers),
        repositories=tuple(
            _repository(reader, slug, name, moment) for slug, name in _first(repositories)
        ),
        repositories_in_all=len(repositories),
        samples=tuple(samples_beginning(reader, store, lone, moment, MOST)),
    )


def _has(words: Sequence[str], slug: str, content: Content, fields: Sequence[str]) -> bool:
    told = [content.get(name) or "" for name in fields]
    text = "\n".join(one if isinstance(one, str) else "\n".join(one) for one in told)
    return all(word in f"{slug}\n{text}".casefold() for word in words)


def _only(named: Mapping[str, str], wanted: set[str]) -> dict[str, str]:
    return {slug: name for slug, name in named.items() if slug in wanted}


def _first(named: Mapping[str, str]) -> list[tuple[str, str]]:
    """The first of them by name."""
    return sorted(named.items(), key=lambda one: (one[1].casefold(), one[0]))[:MOST]


def _repository(reader: Reader, slug: str, name: str, moment: Moment) -> RepositoryHit:
    papers, count = papers_with(reader, slug, moment, MOST_PAPERS)
    return RepositoryHit(slug, name, tuple(papers), count - len(papers))
