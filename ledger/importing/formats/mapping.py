"""A mapping: which column of a table is what. A person writes it, from a draft.

Nothing in it is guessed when it is read: where it still says ``?`` the table is refused, and every
field that it has must be one that is known.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from ledger.benchmark import check_unit
from ledger.errors import BadValue, FileRefused
from ledger.importing.formats.documents import Document, yaml_document
from ledger.importing.limits import decode_utf8
from ledger.values import parse_name, parse_slug

VERSION = "corrigenda-mapping/1"
OPEN = "?"
"""What a draft says where somebody has to decide."""
LARGEST = 1 << 20
PLACES = ("date", "lab", "url", "split", "setting", "passed", "completed", "total")
"""What a column may hold beside key, name, metric and score; each under the column of our own."""
FIELDS = (
    "mapping",
    "table",
    "source",
    "benchmark",
    "whole",
    "decimal",
    "nothing",
    "apostrophes",
    "model",
    "key",
    *PLACES,
    "metrics",
    "metric",
    "score",
    "unit",
    "unit-column",
)
METRIC_FIELDS = ("column", "name", "unit", "lower-is-better", "split", "setting")


@attrs.frozen(kw_only=True)
class MetricColumn:
    """A column with the scores of one metric."""

    column: str
    name: str
    unit: str | None
    lower_is_better: bool = False
    split: str | None = None
    setting: str | None = None


@attrs.frozen(kw_only=True)
class TableMapping:
    """Which column is what.

    ``metrics`` are the columns of a wide table. A long one has ``score``, and ``metric`` for the
    column that names the metric, with one ``unit`` for all or a ``unit_column``.
    """

    name: str
    table: str | None = None
    source: str | None = None
    benchmark: str | None = None
    whole: bool
    decimal: str = "."
    nothing: frozenset[str] = frozenset()
    apostrophes: bool = False
    model: str
    key: tuple[str, ...]
    places: Mapping[str, str] = attrs.field(factory=dict)
    metrics: tuple[MetricColumn, ...] = ()
    metric: str | None = None
    score: str | None = None
    unit: str | None = None
    unit_column: str | None = None

    def columns(self) -> Iterator[str]:
        """Every column that it names."""
        yield from (self.model, *self.key, *self.places.values())
        yield from (one.column for one in self.metrics)
        yield from (one for one in (self.metric, self.score, self.unit_column) if one is not None)


def read_mapping(name: str, data: bytes) -> TableMapping:
    """The mapping in a YAML file.

    Raises :class:`~ledger.errors.FileRefused` with the line and the field of what is wrong; all
    that is still open is named at once.
    """
    if len(data) > LARGEST:
        raise FileRefused(file=name, why=f"a mapping of more than {LARGEST} bytes is none")
    document = yaml_document(name, decode_utf8(name, data))
    fields = document.objects(document.content, "")
    _known(document, fields, FIELDS, "")
    if fields.get("mapping") != VERSION:
        document.refuse("mapping", f"it does not say mapping: {VERSION}")
    _refuse_open(document)
    reader = _Reader(document, fields)
    places = {one: column for one in PLACES if (column := reader.said(one)) is not None}
    mapping = TableMapping(
        name=name,
        table=reader.said("table"),
        source=reader.slug("source"),
        benchmark=reader.slug("benchmark"),
        whole=reader.truth(fields, "whole", "whole"),
        decimal=reader.one_of("decimal", (".", ",")),
        nothing=frozenset(reader.texts("nothing")),
        apostrophes=reader.one_of("apostrophes", ("kept", "given back")) == "given back",
        model=_text(document, fields, "model", ""),
        key=tuple(reader.texts("key")) or (_text(document, fields, "model", ""),),
        places=places,
        metrics=tuple(reader.metrics()),
        metric=reader.said("metric"),
        score=reader.said("score"),
        unit=reader.unit(fields, "unit"),
        unit_column=reader.said("unit-column"),
    )
    if bool(mapping.metrics) is (mapping.score is not None):
        document.refuse("", "it has to have either metrics (a column each) or a column for score")
    if mapping.metrics and (mapping.metric or mapping.unit or mapping.unit_column):
        document.refuse("", "metric, unit and unit-column go with score; metrics have their own")
    if not mapping.metrics and (mapping.unit is None) is (mapping.unit_column is None):
        document.refuse("", "with score it has to have either a unit for all or a unit-column")
    return mapping


def _known(document: Document, found: Mapping[str, Any], known: Sequence[str], path: str) -> None:
    for name in found:
        if name not in known:
            below = f"{path}.{name}" if path else name
            document.refuse(below, f"nothing is called {name}; known are {', '.join(known)}")


def _text(document: Document, within: Mapping[str, Any], name: str, path: str) -> str:
    """A text that has to be there."""
    value = within.get(name)
    if not isinstance(value, str) or not value.strip():
        document.refuse(path, f"{name} has to be text")
    return value.strip()


def _refuse_open(document: Document) -> None:
    """Refuse while anything is undecided."""
    places = [document.where(path) for path in _open_in(document.content, "")]
    if places:
        why = f"it still says {OPEN} where somebody has to decide: {'; '.join(places)}"
        raise FileRefused(file=document.file, why=why)


def _open_in(content: Any, path: str) -> Iterator[str]:
    if isinstance(content, dict):
        for name, one in content.items():
            if name != "nothing":  # there a question mark is what a cell says
                yield from _open_in(one, f"{path}.{name}" if path else name)
    elif isinstance(content, list):
        for place, one in enumerate(content):
            yield from _open_in(one, f"{path}[{place}]")
    elif content == OPEN:
        yield path


@attrs.frozen
class _Reader:
    """Fields one by one, each checked."""

    document: Document
    fields: Mapping[str, Any]

    def said(self, name: str) -> str | None:
        """A text, where there is one."""
        if self.fields.get(name) is None:
            return None
        return _text(self.document, self.fields, name, name)

    def slug(self, name: str) -> str | None:
        """An address part."""
        text = self.said(name)
        return None if text is None else self._checked(name, parse_slug, text)

    def texts(self, name: str) -> list[str]:
        """A list of texts, or one text."""
        value = self.fields.get(name)
        if value is None:
            return []
        found = value if isinstance(value, list) else [value]
        if not all(isinstance(one, str) for one in found):
            self.document.refuse(name, "it has to be a text or a list of texts")
        return [str(one) for one in found]

    def truth(self, within: Mapping[str, Any], name: str, path: str, *, default: str = "") -> bool:
        """``true`` or ``false``."""
        value = within.get(name, default) or default
        if value not in ("true", "false"):
            self.document.refuse(path, f"{name} has to be true or false")
        return bool(value == "true")

    def one_of(self, name: str, known: Sequence[str]) -> str:
        """One of some words, the first where nothing is said."""
        value = self.said(name) or known[0]
        if value not in known:
            self.document.refuse(name, f"it has to be one of {', '.join(known)}")
        return value

    def unit(self, within: Mapping[str, Any], path: str) -> str | None:
        """A unit of ours."""
        if within.get("unit") is None:
            return None
        return self._checked(path, _checked_unit, _text(self.document, within, "unit", path))

    def metrics(self) -> Iterator[MetricColumn]:
        """The columns of a wide table."""
        document, content = self.document, self.fields.get("metrics")
        if content is None:
            return
        for place, one in enumerate(document.listed(content, "metrics")):
            path = f"metrics[{place}]"
            fields = document.objects(one, path)
            _known(document, fields, METRIC_FIELDS, path)
            column = _text(document, fields, "column", path)
            name = _text(document, fields, "name", path) if fields.get("name") else column
            if fields.get("unit") is None:
                document.refuse(path, f"the metric {name} has no unit; say one, such as % or count")
            yield MetricColumn(
                column=column,
                name=self._checked(path, parse_name, name),
                unit=self.unit(fields, f"{path}.unit"),
                lower_is_better=self.truth(fields, "lower-is-better", path, default="false"),
                split=_text(document, fields, "split", path) if fields.get("split") else None,
                setting=_text(document, fields, "setting", path) if fields.get("setting") else None,
            )

    def _checked(self, path: str, check: Any, text: str) -> str:
        try:
            return str(check(text))
        except BadValue as why:
            self.document.refuse(path, str(why).removesuffix("."))


def _checked_unit(text: str) -> str:
    check_unit(text)
    return text
