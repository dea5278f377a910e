"""The page of formats says what the formats say, and its mapping is one."""

import re

from ledger.importing.formats.every import FORMATS
from ledger.importing.formats.mapping import read_mapping
from tests.web.formats_page import PAGE, made, page_with


def test_the_page_has_what_every_format_says_of_itself() -> None:
    """``python -m tests.web.formats_page`` brings it up to date."""
    assert page_with(made()) == PAGE.read_text(encoding="utf-8")


def test_every_format_has_a_name_and_a_clause_for_each_place() -> None:
    """No name twice, and none that is a word of the command already."""
    names = [one.name for one in FORMATS]
    assert len(set(names)) == len(names)
    assert not {"auto", "records", "git-history"} & set(names)
    for one in FORMATS:
        assert all(ending.startswith(".") for ending in one.endings)
        assert one.title
        assert not one.title.endswith(".")


def test_the_mapping_on_the_page_is_a_mapping() -> None:
    """Whoever copies it has one that is read."""
    (shown,) = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    mapping = read_mapping("shown.yaml", shown.encode())
    assert mapping.key == ("Model", "Shots")
    assert [one.name for one in mapping.metrics] == ["Accuracy", "Time"]
