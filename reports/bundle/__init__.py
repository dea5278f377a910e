"""The provenance bundle: one JSON document with a board, a claim, a paper or a decision, the
events behind it, and the proof that they are in the log."""

from reports.bundle.making import (
    board_bundle,
    claim_bundle,
    correction_bundle,
    corrections_bundle,
    paper_bundle,
)
from reports.bundle.records import Bundle, Records

__all__ = [
    "Bundle",
    "Records",
    "board_bundle",
    "claim_bundle",
    "correction_bundle",
    "corrections_bundle",
    "paper_bundle",
]
