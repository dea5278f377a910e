"""Models and sources of a board, as they were described at a moment."""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import attrs

from ledger.values import PartialDate, partial_date
from ledger.vocabulary import SOURCE_KINDS
from projections.asserted import (
    DESCRIBED,
    MOST,
    Span,
    content_of,
    described,
    spans_of,
)
from projections.keeping.tables import ALWAYS, FOREVER
from projections.keeping.views import Reader
from projections.moment import Moment


@attrs.frozen
class ModelOf:
    """The model that a row is about; ``lab`` is the lab's name, ``lab_slug`` the slug that was
    said, registered or not."""

    id: str
    name: str
    version: str | None
    lab: str | None
    released: PartialDate | None
    lab_slug: str | None = None

    @property
    def full_name(self) -> str:
        """The name with its version."""
        return f"{self.name} {self.version}" if self.version else self.name


@attrs.frozen
class SourceOf:
    """The source of a row."""

    slug: str
    kind: str
    name: str
    independent: bool = attrs.field(init=False)
    """Whether the number comes from somebody else than the model's lab."""

    @independent.default
    def _independent(self) -> bool:
        return SOURCE_KINDS[self.kind][0] == "independent"


def sources_at(reader: Reader, slugs: Iterable[str], moment: Moment) -> dict[str, SourceOf]:
    """These sources, as they were described by the moment."""
    found = described(reader, [f"source:{slug}" for slug in slugs], moment)
    return {
        stream.partition(":")[2]: SourceOf(
            stream.partition(":")[2], content["kind"], content["name"]
        )
        for stream, content in found.items()
    }


# --- models -----------------------------------------------------------------------------------


class Through(NamedTuple):
    """A model through all days: another one from each of the turns (microseconds) on."""

    turns: Sequence[int]
    models: Sequence[ModelOf]

    def on(self, day: int) -> ModelOf:
        """The model as it was described by a day."""
        return self.models[bisect_right(self.turns, day) - 1]


def models_at(
    reader: Reader, slugs: Collection[str | None], moment: Moment
) -> Mapping[str | None, ModelOf]:
    """These models, as they were described by the moment.

    A board has hundreds, and somebody waits: what a position knows of a model through all days is
    remembered, so that one more day is looked up and not worked out.
    """
    held: dict[str, Through] = reader.recalled(Through, moment.position, dict)
    known = {slug: held[slug] for slug in slugs if slug in held}
    missing = [slug for slug in slugs if slug and slug not in known]
    if missing:
        found = _through_all_days(reader, missing, moment.position)
        known |= found
        if len(held) < MOST:
            held.update(found)
    day = moment.day
    return {slug: through.on(day) for slug, through in known.items()}


def _through_all_days(reader: Reader, slugs: Sequence[str], position: int) -> dict[str, Through]:
    told = spans_of(reader, [f"model:{slug}" for slug in slugs], DESCRIBED, position)
    labs = {content_of(span.text).get("lab") for spans in told.values() for span in spans}
    lab_told = spans_of(reader, [f"lab:{lab}" for lab in labs if lab], DESCRIBED, position)
    return {slug: _through(slug, told[f"model:{slug}"], lab_told) for slug in slugs}


def _through(slug: str, told: Sequence[Span], lab_told: Mapping[str, Sequence[Span]]) -> Through:
    labs = {f"lab:{content_of(span.text).get('lab')}" for span in told}
    spans = [*told, *(span for lab in labs for span in lab_told.get(lab, ()))]
    turns = {ALWAYS, *(day for span in spans for day in (span.read_from, span.read_to))}
    days = sorted(turns - {FOREVER})
    return Through(days, [_on(slug, told, lab_told, day) for day in days])


def _on(
    slug: str, told: Sequence[Span], lab_told: Mapping[str, Sequence[Span]], day: int
) -> ModelOf:
    text = _said(told, day)
    lab = content_of(text).get("lab")
    lab_text = _said(lab_told.get(f"lab:{lab}", ()), day)
    return _model(slug, text, lab and str(content_of(lab_text).get("name", lab)))


def _said(spans: Sequence[Span], day: int) -> str | None:
    return next((span.text for span in spans if span.holds(day)), None)


@lru_cache(maxsize=50_000)
def _model(slug: str, text: str | None, lab: str | None) -> ModelOf:
    content = content_of(text)
    released = content.get("released")
    return ModelOf(
        slug,
        str(content.get("name", slug)),
        content.get("version"),
        lab,
        partial_date(released) if released else None,
        content.get("lab"),
    )
