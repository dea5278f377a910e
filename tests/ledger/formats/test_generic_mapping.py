"""Mappings: what is undecided or wrong is refused, what is drafted, and which format is meant."""

import pytest
import yaml

from ledger.errors import FileRefused
from ledger.importing.formats.drafting import drafted
from ledger.importing.formats.every import NoFormatKnows, SeveralFormatsClaim, chosen, named
from ledger.importing.formats.format import Asked
from ledger.importing.formats.generic import TABLE, NoMapping
from tests.ledger.formats.broken import NOW, candidate
from tests.ledger.formats.pond import KEPT_IN, MAPPING, delimited, numbers, read, table

# --- mappings ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("whole: true", 'whole: "?"', "line 4, whole"),
        ("whole: true", "whole: yes", "true or false"),
        ('MMLU, unit: "%"', 'MMLU, unit: "?"', r"metrics\[0\].unit"),
        ('MMLU, unit: "%"', "MMLU", "has no unit"),
        ('MMLU, unit: "%"', "MMLU, unit: furlongs", "furlongs"),
        ("corrigenda-mapping/1", "corrigenda-mapping/2", "corrigenda-mapping/1"),
        ("lab: Lab", "labs: Lab", "nothing is called labs"),
        ("lab: Lab", "score: Lab", "either"),
        ("source: pond", "source: The Pond", "source"),
        ("key: [Model, Shots]", "key: {a: b}", "key"),
        ("model: Model", "model: &x Model", "alias|Model"),
        ("date: Date", "date: Date\ndate: Lab", "twice"),
        ("model: Model", "model: null", "model has to be text"),
    ],
)
def test_a_mapping_that_is_not_decided_or_wrong_is_refused(old: str, new: str, why: str) -> None:
    """With its line and its field; all that is open at once."""
    assert old in MAPPING
    if "&x" in new:
        new = f"{new}\nurl: *x"
    with pytest.raises(FileRefused, match=why):
        table(MAPPING.replace(old, new))


def test_a_mapping_names_columns_that_are_there() -> None:
    """A column that is gone is not taken for one without numbers."""
    with pytest.raises(FileRefused, match="no column Speed"):
        read(table(), candidate("b.csv", "Model,Shots,MMLU,Date,Lab\nHeron,0,1,,\n"))


def test_a_table_without_a_mapping_is_not_read() -> None:
    """A first run drafts one; and no table is ever known by itself."""
    with pytest.raises(NoMapping):
        read(TABLE, candidate("b.csv", delimited(",")))
    assert TABLE.known_by(candidate("b.csv", delimited(","))) is None


@pytest.mark.parametrize("name", list(KEPT_IN))
def test_a_draft_says_what_is_guessed_and_open_and_is_a_mapping_once_decided(name: str) -> None:
    """In whatever the table is kept."""
    file = candidate(name, KEPT_IN[name])
    draft = drafted(file, Asked(source="pond", benchmark="reeds", now=NOW))
    assert any("key" in one and "Heron-7B" in one for one in draft.undecided)
    assert any("MMLU" in one for one in draft.undecided)
    with pytest.raises(FileRefused, match="still says"):
        table(draft.text)
    content = yaml.safe_load(draft.text)
    content |= {"whole": "true", "key": ["Model", "Shots"]}
    content["metrics"] = [
        {"column": one["column"], "unit": "%"}
        for one in content["metrics"]
        if one["column"] in ("MMLU", "Speed")
    ]
    made = read(table(yaml.safe_dump(content)), file)
    assert len(numbers(made)) == 5
    assert made.statements["Heron-7B | 0"][0].lab == "Lab A"


def test_a_draft_takes_a_percent_sign_for_what_it_is_and_guesses_no_unit_from_size() -> None:
    """0.57 may be a fraction or a little over half a percent."""
    text = "Model,A,B,C (%)\nHeron,57%,0.57,1\nIbis,5%,0.6,2\n"
    draft = drafted(candidate("b.csv", text), Asked(now=NOW))
    units = {one["column"]: one["unit"] for one in yaml.safe_load(draft.text)["metrics"]}
    assert units == {"A": "%", "B": "?", "C (%)": "%"}


# --- which format -----------------------------------------------------------------------------


def test_nobody_guesses_between_formats() -> None:
    """None, or several: it is said which look for what, and which claim it."""
    with pytest.raises(NoFormatKnows, match="--format NAME"):
        chosen(candidate("b.csv", "a,b\n1,2\n"))
    assert chosen(candidate("b.csv", "model,score\n")).format.name == "snapshot"
    assert chosen(candidate("b.csv", "a,b\n"), "table").format is TABLE
    assert named("table") is TABLE
    assert "x.csv: a claims it (b)" in str(
        SeveralFormatsClaim(file="x.csv", claims="a claims it (b)")
    )
