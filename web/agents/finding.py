"""Finding what else to ask for: benchmarks, models, labs, papers, repositories and samples."""

from collections.abc import Iterable, Sequence
from typing import Any

import attrs

from reports.contract import Json, moment_json
from web.agents import given as ask
from web.agents.answers import SearchAnswer
from web.agents.asking import Given, Pages
from web.agents.caveats import frozen
from web.agents.pinning import pinned
from web.asked import words_asked
from web.showing.cards import Card
from web.showing.code_hits import RepositoryHit
from web.showing.named import MOST, Hits, NamedHits, named

BY_NAME = "A search goes by names and descriptions; that something is found says nothing of it."


@attrs.frozen
class Finding:
    """The tool that searches."""

    pages: Pages

    def search(
        self,
        *,
        q: ask.Words,
        as_read_on: ask.AsReadOn = None,
        recorded_through: ask.RecordedThrough = None,
    ) -> SearchAnswer:
        """Benchmarks, models, labs, papers and repositories by plain words that all have to occur,
        and code samples by the first 8 digits of their SHA-256 or more."""
        asked: Given = {"q": q, "as_read_on": as_read_on, "recorded_through": recorded_through}
        with self.pages.looking(asked, ("q",)) as look:
            words = words_asked(look.asked)
            cards = self.pages.site.cards.all(look.reader, look.moment, look.day)
            found = named(look.reader, look.store, look.moment, words)
            told = moment_json(look.moment)
        answer = {**told, **_found([one for one in cards if one.has(words)], found)}
        return SearchAnswer.model_validate(
            {
                "answer": answer,
                "caveats": [BY_NAME, frozen(told)],
                "permalink": self.pages.link("public.index", {}, {"q": q, **pinned(told)}),
            }
        )


def _found(cards: Sequence[Card], found: NamedHits) -> Json:
    code = found.code
    return {
        "benchmarks": _listed((_card(one) for one in cards[:MOST]), len(cards)),
        "models": _hits(found.models),
        "labs": _hits(found.labs),
        "papers": _listed(
            ({"id": one.slug, "title": one.title} for one in code.papers), code.papers_in_all
        ),
        "repositories": _listed(map(_repository, code.repositories), code.repositories_in_all),
        "samples": list(code.samples),
    }


def _listed(found: Iterable[dict[str, Any]], in_all: int) -> Json:
    return {"in_all": in_all, "found": list(found)}


def _hits(hits: Hits) -> Json:
    return _listed(map(attrs.asdict, hits.found), hits.in_all)


def _repository(hit: RepositoryHit) -> dict[str, Any]:
    return {"slug": hit.slug, "name": hit.name, "papers": [one.slug for one in hit.papers]}


def _card(card: Card) -> dict[str, Any]:
    return {
        "slug": card.slug,
        "name": card.name,
        "category": card.category,
        "headline": card.headline,
        "status": card.status.word,
        "models": card.models,
    }
