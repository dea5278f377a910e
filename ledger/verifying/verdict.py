"""What came of checking one thing: how much was looked at, what is wrong, what is worth knowing."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import attrs

from ledger.verifying.finding import Finding

MOST = 100
"""Findings of one kind that are kept; the others are counted."""

VERIFIES: dict[str, str] = {
    "home": "the ledger in a home",
    "bundle": "a provenance bundle",
    "paper": "a PDF made by export",
    "log": "another Corrigenda over HTTP",
}


@attrs.define
class Verdict:
    """The result for one target, whose kind is one of :data:`VERIFIES`."""

    target: str
    kind: str
    checked: dict[str, int] = attrs.field(factory=dict)
    findings: list[Finding] = attrs.field(factory=list)
    notes: list[str] = attrs.field(factory=list)
    """What is no finding and good to know, such as which key was believed."""
    _kinds: Counter[str] = attrs.field(factory=Counter, init=False)

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong."""
        return not self._kinds

    @property
    def more(self) -> dict[str, int]:
        """How many findings of each kind there are beyond those that are kept."""
        return {kind: count - MOST for kind, count in self._kinds.items() if count > MOST}

    def add(self, findings: Iterable[Finding]) -> None:
        """Take what a check yields."""
        for one in findings:
            self._kinds[one.kind] += 1
            if self._kinds[one.kind] <= MOST:
                self.findings.append(one)

    def has(self, *kinds: str) -> bool:
        """Whether there is any finding of these kinds."""
        return any(kind in self._kinds for kind in kinds)

    def as_json(self) -> dict[str, Any]:
        """As one document."""
        return {
            "target": self.target,
            "kind": self.kind,
            "holds": self.holds,
            "checked": self.checked,
            "findings": [one.as_json() for one in self.findings],
            "more": self.more,
            "notes": self.notes,
        }
