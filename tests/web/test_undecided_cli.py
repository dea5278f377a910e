"""The commands that tell what the pages tell say nothing of a report that is not decided.

The other commands are for those who run the server: they hold its stores in their hands anyway.
"""

import re

import pytest

from tests.web.corrigenda import Corrigenda
from tests.web.orchard import BIRCH, TARGET, Orchard
from tests.web.undecided import Undecided

DAY = ("--as-read-on", "2025-08-20")
COMMANDS = [
    ("board", "orchard", *DAY),
    ("board", "orchard", *DAY, "--view", "all", "--every-claim"),
    ("board", "orchard", *DAY, "--csv"),
    ("claim", BIRCH, *DAY),
    ("leaders", "orchard", *DAY),
    ("changes", "orchard", "--from", "2025-07-01", "--to", "2025-08-20"),
    ("source", str(TARGET.source), *DAY),
    ("corrections",),
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_commands_say_what_they_said_before_it_was_filed(
    orchard: Orchard, words: tuple[str, ...]
) -> None:
    """As text and as JSON, at every stage; only the ledger's last position moves on."""
    undecided = Undecided(orchard)
    corrigenda = Corrigenda(orchard.workspace.settings.home, by="stranger")
    forms = [()] if "--csv" in words else [(), ("--json",)]
    before = [said(corrigenda, words + form, orchard.head) for form in forms]
    for stage in undecided.stages:
        stage()
        now = [said(corrigenda, words + form, orchard.head) for form in forms]
        assert now == before, stage.__name__
        assert undecided.found_in("".join(now)) == []


def said(corrigenda: Corrigenda, words: tuple[str, ...], head: int) -> str:
    """What a command prints, without the ledger's last position."""
    position = rf'(position(?:"\s*:)?\s*)({head})\b'
    return re.sub(position, r"\1HEAD", corrigenda.done(*words))
