"""What a robots.txt lets us ask for (RFC 9309): the group that names us, else the one for all.

The longest rule that fits counts, and of two equally long ones the one that allows. A file that is
not there allows everything; one that cannot be had for the server's sake allows nothing.
"""

import re
from collections.abc import Iterator
from urllib.parse import quote, unquote

import attrs

LARGEST = 512_000
"""How much of a robots.txt counts, in bytes (RFC 9309, 2.5: at least 500 KiB)."""

MOST_RULES = 5_000
_TOKEN = re.compile(r"[a-z_-]+")


@attrs.frozen
class Robots:
    """The rules for us: (whether it allows, the pattern)."""

    rules: tuple[tuple[bool, str], ...] = ()

    def allows(self, target: str) -> bool:
        """Whether a path, with its query, may be asked for."""
        if target == "/robots.txt":
            return True
        spelled = _spelled(target)
        fitting = [(len(rule), allow) for allow, rule in self.rules if _fits(rule, spelled)]
        return max(fitting, default=(0, True))[1]


NOTHING = Robots(((False, "/"),))
"""Allows nothing."""


def robots_of(data: bytes, name: str) -> Robots:
    """The rules of a robots.txt for a crawler of this name (small letters)."""
    ours: list[tuple[bool, str]] = []
    anybodys: list[tuple[bool, str]] = []
    named = False
    for agents, rules in _groups(data[:LARGEST].decode("utf-8-sig", errors="replace")):
        if name in agents:
            named = True
            ours += rules
        if "*" in agents:
            anybodys += rules
    return Robots(tuple((ours if named else anybodys)[:MOST_RULES]))


def _groups(text: str) -> Iterator[tuple[set[str], list[tuple[bool, str]]]]:
    """Each group: whom it is for, and its rules."""
    agents: set[str] = set()
    rules: list[tuple[bool, str]] = []
    in_rules = False
    for line in text.splitlines():
        field, colon, value = line.partition("#")[0].partition(":")
        field, value = field.strip().lower(), value.strip()
        if not colon:
            continue
        if field == "user-agent":
            if in_rules:
                yield agents, rules
                agents, rules, in_rules = set(), [], False
            token = _TOKEN.match(value.lower())
            agents.add("*" if value == "*" else token[0] if token else "")
        elif field in {"allow", "disallow"}:
            in_rules = True
            if value:
                rules.append((field == "allow", _spelled(value)))
    yield agents, rules


def _spelled(path: str) -> str:
    """A path in the one spelling in which two are compared."""
    return quote(unquote(path, errors="surrogateescape"), safe="/*$?&=", errors="surrogateescape")


def _fits(rule: str, target: str) -> bool:
    """Whether a pattern fits: ``*`` is anything, ``$`` at its end is the end.

    Looks for its parts one after the other, so no pattern can take long.
    """
    ends = rule.endswith("$")
    first, *rest = (rule[:-1] if ends else rule).split("*")
    if not target.startswith(first):
        return False
    if not rest:
        return not ends or target == first
    place, last = len(first), rest.pop() if ends else ""
    for part in rest:
        found = target.find(part, place)
        if found < 0:
            return False
        place = found + len(part)
    return not ends or (len(target) - len(last) >= place and target.endswith(last))
