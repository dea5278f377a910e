"""The life of a paper, and of the repositories that are linked with it.

A paper is registered once; everything else about it was read from a source at an instant and names
the frozen snapshot. Nothing is judged that a source alone can know: an abstract is quoted to the
byte, an archive's entry and a run record's counts stand as they were read.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import assert_never

from ledger import events as ev
from ledger.counts import check_counts
from ledger.errors import AlreadyExists, BadValue, NotFound
from ledger.values import (
    PartialDate,
    parse_address,
    parse_name,
    parse_slug,
)

MOST_AUTHORS = 5_000
MOST_NAMED = 1_000
LONGEST_QUOTE = 20_000

_ARXIV = re.compile(r"[0-9]{4}\.[0-9]{4,5}(v[0-9]+)?|[a-z-]+(\.[A-Z]{2})?/[0-9]{7}(v[0-9]+)?")
# Up to four parts, so that groups within groups fit too.
_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]{1,100}(/[A-Za-z0-9_.-]{1,100}){1,3}")


def parse_arxiv_id(text: str) -> str:
    """An arXiv identifier, of either form."""
    if not _ARXIV.fullmatch(text):
        why = "write it as 2402.14658 or cs/0112017"
        raise BadValue(what="arxiv_id", shown=repr(text[:40]), why=why)
    return text


# Facts that are calculated or linked with are checked; all others are text.
CHECKED_FACTS: Mapping[str, Callable[[str], object]] = MappingProxyType(
    {
        "title": parse_name,
        "arxiv_id": parse_arxiv_id,
        "address": parse_address,
        "published_on": PartialDate,
        "source": parse_slug,
    }
)


def stream_of(slug: str) -> str:
    """The stream of a paper."""
    return f"paper:{slug}"


def repository_stream(slug: str) -> str:
    """The stream of a repository."""
    return f"repository:{slug}"


def decide(known: Sequence[ev.Event], fact: ev.PaperEvent) -> list[ev.Event]:
    """Whether the fact may be recorded after what is known; recorded already means nothing new."""
    if fact in known:
        return []
    if isinstance(fact, ev.PaperRegistered):
        if known:
            raise AlreadyExists(what="paper", name=fact.slug)
    elif not known:
        raise NotFound(what="paper", name="this; register it first")
    _check(fact)
    return [fact]


def _check(fact: ev.PaperEvent) -> None:
    match fact:
        case ev.PaperRegistered():
            _check_registration(fact)
        case ev.PaperDescribed():
            for name, text in fact.facts.items():
                parse_slug(name, "fact")
                if name == "authors" or (name == "title" and text is None):
                    raise BadValue(what="fact", shown=repr(name), why="a paper keeps its own")
                if text is not None and name in CHECKED_FACTS:
                    CHECKED_FACTS[name](text)
        case ev.AbstractQuoted():
            if fact.text is not None and not 1 <= len(fact.text.strip()) <= LONGEST_QUOTE:
                why = f"a quotation has up to {LONGEST_QUOTE} characters"
                raise BadValue(what="text", shown=f"of {len(fact.text)} characters", why=why)
        case ev.ArchiveEntryRead():
            _check_entry(fact)
        case ev.RepositoryListed():
            parse_slug(fact.repository, "repository")
            if fact.listed is False and (fact.official or fact.mentioned):
                why = "what is not listed bears no flags"
                raise BadValue(what="repository", shown=fact.repository, why=why)
        case ev.RunCountsRead():
            check_counts(fact)
        case _:
            assert_never(fact)


def _check_registration(fact: ev.PaperRegistered) -> None:
    parse_slug(fact.slug)
    parse_name(fact.title, "title")
    if len(fact.authors) > MOST_AUTHORS:
        why = f"at most {MOST_AUTHORS} are kept"
        raise BadValue(what="authors", shown=f"{len(fact.authors)} of them", why=why)
    for author in fact.authors:
        parse_name(author, "author")
    if fact.arxiv_id is not None:
        parse_arxiv_id(fact.arxiv_id)
    if fact.address is not None:
        parse_address(fact.address)


def _check_entry(fact: ev.ArchiveEntryRead) -> None:
    if min(fact.leaderboard_rows, fact.tasks_without_page) < 0:
        raise BadValue(what="count", shown="below zero", why="a count is a whole number")
    if len(fact.tasks) + len(fact.methods) > MOST_NAMED:
        why = f"at most {MOST_NAMED} are kept"
        raise BadValue(what="tasks and methods", shown="too many of them", why=why)
    for name in (*fact.tasks, *fact.methods):
        parse_name(name)


# --- repositories -----------------------------------------------------------------------------


def parse_repository(text: str) -> str:
    """A repository as its host writes it: owner and name, with a slash."""
    if not _REPOSITORY.fullmatch(text):
        raise BadValue(what="repository", shown=repr(text[:80]), why="write it as owner/name")
    return text


def decide_repository(known: Sequence[ev.Event], fact: ev.RepositoryEvent) -> list[ev.Event]:
    """Whether a repository may be registered so."""
    if fact in known:
        return []
    if known:
        raise AlreadyExists(what="repository", name=fact.slug)
    parse_slug(fact.slug)
    parse_repository(fact.name)
    if fact.address is not None:
        parse_address(fact.address)
    return [fact]
