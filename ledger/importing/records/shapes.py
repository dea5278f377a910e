"""Every kind of record there is, for the reader of files and for the documentation's test."""

from collections.abc import Mapping
from types import MappingProxyType

from ledger.importing.records.kinds import CLAIM, FACTS, HEADER, READING, Shape
from ledger.importing.records.papers import PAPER_LINES, PAPER_READING

SHAPES: Mapping[str, Shape] = MappingProxyType(
    {"file": HEADER}
    | {name: kind.shape for name, kind in FACTS.items()}
    | {"reading": READING, "claim": CLAIM}
    | {"paper-reading": PAPER_READING}
    | {name: line.shape for name, line in PAPER_LINES.items()}
)
