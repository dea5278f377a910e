"""The checklist of the seed pages is whole: every id has its page and its test, or says why not."""

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import attrs
import pytest

HERE = Path(__file__).parents[2]
CHECKLIST = HERE / "docs" / "seed-features.md"
FEATURES = HERE.parent / "shared" / "seed-features.md"
SECTIONS = "ABCDEFGHIJKL"
LINE = re.compile(r"^\| (?P<id>[A-Z]{2}-\d\d) \| (?P<where>[^|]*) \| (?P<shown>[^|]*) \|$")
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


@attrs.frozen
class Item:
    """One line of the checklist."""

    id: str
    where: str
    shown: str

    @property
    def tests(self) -> list[tuple[str, str]]:
        """The tests that show it: file and name."""
        return TEST.findall(self.shown)


def items() -> Iterator[Item]:
    """Every line of the checklist."""
    for line in CHECKLIST.read_text(encoding="utf-8").splitlines():
        if found := LINE.match(line):
            yield Item(found["id"], found["where"].strip(), found["shown"].strip())


ITEMS = list(items())


@lru_cache
def names_in(file: str) -> frozenset[str]:
    """The names of the tests in a file."""
    tree = ast.parse((HERE / file).read_text(encoding="utf-8"))
    return frozenset(one.name for one in ast.walk(tree) if isinstance(one, ast.FunctionDef))


def wanted() -> set[str]:
    """The ids of sections A to L of the list of features, as they stand at the start of a line."""
    text = FEATURES.read_text(encoding="utf-8")
    parts = re.split(r"^## ([A-Z])\. .*$", text, flags=re.MULTILINE)
    by_section = dict(zip(parts[1::2], parts[2::2], strict=True))
    inside = "".join(by_section[section] for section in SECTIONS)
    return set(re.findall(r"^- ([A-Z]{2}-\d\d) ", inside, flags=re.MULTILINE))


@pytest.mark.skipif(
    not FEATURES.is_file(),
    reason="the list of features (../shared/seed-features.md) is not beside this checkout",
)
def test_every_id_of_the_seed_pages_has_a_line() -> None:
    """None is missing, and none was made up."""
    assert {one.id for one in ITEMS} == wanted()


def test_no_id_stands_there_twice() -> None:
    """Each has one line."""
    ids = [one.id for one in ITEMS]
    assert len(ids) == len(set(ids)) > 100


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_every_line_names_a_page_and_a_test_or_says_why_it_is_open(item: Item) -> None:
    """An open one gives its reason, any other a test that is there."""
    if item.shown.startswith("open: "):
        assert not item.tests
        assert len(item.shown) > len("open: ") + 10
        return
    assert item.where
    assert item.tests, f"{item.id} names no test"
    for file, name in item.tests:
        assert name in names_in(file), f"{item.id}: {file} has no {name}"
