"""The page of a paper: what it states, its repositories, what ran of their code."""

import orjson
import pytest

from ledger.importing.records import import_records, parse_records
from ledger.vocabulary import LABELS, POINTER_ONLY, RUN_OUTCOMES
from tests.shelf import LABEL, RECORD
from tests.web.orchard import Orchard
from tests.web.paper_reading import cells, ids, on
from tests.web.shelved import (
    ABSTRACT,
    GRAFTS,
    LINK,
    OPEN_CODE,
    WINDOW,
    Shelved,
    paper,
    paper_once,
    shelved,
)

__all__ = ["paper", "paper_once", "shelved"]

TITLE = "OpenCodeInterpreter: Integrating Code Generation with Execution and Refinement"
RAN = "ran-syntology"


OTHER = "2403.00001"
LINKS_THE_SAME = [
    {
        "record": "file",
        "format": "corrigenda-records/1",
        "read_at": "2026-09-01",
        "why": "as read",
    },
    {"record": "paper", "slug": OTHER, "title": "Another paper", "arxiv_id": OTHER},
    {"record": "paper-reading", "source": "paper-archive", "paper": OTHER},
    {
        "record": "listed-repository",
        "repository": "opencodeinterpreter--opencodeinterpreter",
        "official": False,
        "mentioned": True,
    },
]


def test_samples_of_which_no_outcome_is_told_are_not_said_not_to_have_run(paper: Orchard) -> None:
    """Another paper has the samples and not the record's counts of them: three ran, and nothing
    here says which, so no number of these is more than the least that it can be."""
    data = b"\n".join(orjson.dumps(line) for line in LINKS_THE_SAME)
    workspace = paper.workspace
    records = parse_records("other.jsonl", data, workspace.ledger.clock())
    import_records(workspace.ledger, workspace.known(), records, by="curator")
    workspace.catch_up()
    page = on(paper, f"/papers/{OTHER}")
    said = [one.text for one in page.main.one("ul", "tiles").all("li")][1:]
    assert said == [
        "at least 0 of 3 samples ran, of which at least 0 honoured the contract drafted",
        "at least 0 ran and violated it: the code is to blame",
        "at least 0 say nothing of the code: the instrument failed",
    ]
    ran = page.section(RAN).text
    assert "At least 0 of 3 samples from 1 repository ran; at least 0 without a recorded" in ran
    told = [one.text for one in on(paper, OPEN_CODE).main.one("ul", "tiles").all("li")]
    assert told[1].startswith("3 of 3 samples ran, of which 0 honoured")


# --- the paper itself -------------------------------------------------------------------------


def test_title_authors_and_ids_head_the_page(paper: Orchard) -> None:
    """In their order; the paper itself is a link."""
    page = on(paper, OPEN_CODE)
    assert page.main.one("h1").text == TITLE
    authors = page.main.one("p", "authors").text
    assert authors.startswith("Tianyu Zheng, Ge Zhang,")
    assert authors.endswith("Xiang Yue")
    assert "arXiv:2402.14658" in page.main.text
    assert page.main.links()["the paper itself"] == "https://arxiv.org/abs/2402.14658"


def test_the_abstract_is_a_quotation_with_source_and_licence(shelved: Shelved) -> None:
    """To the byte, its errors too, and as text alone."""
    section = on(shelved.pages, GRAFTS).section("abstract")
    assert "".join(section.one("blockquote").words()) == ABSTRACT
    caption = section.one("figcaption").text
    assert caption == "As Archive of papers had it, read 28 Jul 2025; licence: CC0-1.0"


def test_the_scores_of_the_abstract_are_claims(paper: Orchard) -> None:
    """Average and plus beside each other, each leading to its claim and to the form."""
    page = on(paper, OPEN_CODE)
    found = {
        (cells(one)["Name as written"], cells(one)["Setting"]): one["Numbers"]
        for one in page.rows("claims-table")
    }
    scores = {key: [one.text.split()[0] for one in cell.all("li")] for key, cell in found.items()}
    assert scores == {
        ("OpenCodeInterpreter-33B", ""): ["83.2", "76.4"],
        ("GPT-4", ""): ["84.2", "76.2"],
        ("OpenCodeInterpreter-33B", "with synthesized human feedback from GPT-4"): ["91.6", "84.6"],
    }
    for cell in found.values():
        for one in cell.all("a"):
            assert paper.get(one.attributes["href"]).status_code == 200


def test_results_that_an_archive_does_not_have_are_said_with_its_day(paper: Orchard) -> None:
    """And what is hidden is counted."""
    said = on(paper, OPEN_CODE).section("results").text
    assert "no leaderboard rows for this paper when frozen, 28 Jul 2025." in said
    assert "1 task tag of Paper archive without a page, not shown." in said


def test_every_section_says_whose_content_it_is(paper: Orchard) -> None:
    """The authors', an archive's with its freeze date, a record's with its reading, or ours."""
    page = on(paper, OPEN_CODE)
    chips = [one.text for one in page.main.all("span", "from")]
    assert chips == [
        "the authors’ words",
        "Paper archive",
        "Syntology, read 24 Sep 2026",
        "Paper archive, frozen 28 Jul 2025",
        "these pages",
        "these pages",
    ]


# --- repositories, samples --------------------------------------------------------------------


def test_labels_say_who_asserts_them_and_the_official_one_is_first(shelved: Shelved) -> None:
    """A label is a value, an asserter and a date; samples come in the same order."""
    page = on(shelved.pages, GRAFTS)
    rows = [cells(one) for one in page.rows("repositories")]
    assert [one["Label"].partition(" added")[0] for one in rows] == [
        "official repository",
        "community (archive-listed)",
    ]
    assert {one["Asserted by"] for one in rows} == {"Archive of papers"}
    assert [one["As of"] for one in rows] == ["Jul 2025", "not stated"]
    samples = [cells(one) for one in page.rows(f"samples-{RECORD}")]
    assert [one["Repository"] for one in samples] == [
        "Wren/grafts official repository",
        "Finch/grafts community (archive-listed)",
    ]


def test_only_what_was_probed_has_its_reachability(shelved: Shelved) -> None:
    """With cause and day; the other repository shows nothing."""
    page = on(shelved.pages, GRAFTS)
    probed, other = page.rows("repositories")
    assert probed["Reachability"].text == "unreachable (not-found), probed 17 Sep 2026"
    assert probed["Reachability"].one("a").attributes["href"] == f"/probes/{WINDOW}"
    assert other["Reachability"].text == ""
    assert "It probed 1 of these repositories" in page.section("code").text


def test_licences_and_reasons_are_words_on_the_page(shelved: Shelved) -> None:
    """Nothing waits for a pointer: no element has a title to hover over."""
    page = on(shelved.pages, GRAFTS)
    own, other = page.rows(f"samples-{RECORD}")
    assert own["Licence at harvest"].text == "MIT"
    reason = f"pointer only: {POINTER_ONLY['not-permissive']}"
    assert other["Licence at harvest"].text == f"GPL-3.0 {reason}"
    assert own["File"].one("a").attributes["href"] == f"{LINK}/blob/c0ffee1/a.py"
    assert "at commit c0ffee1" in own["File"].text
    assert "which may have changed since" in other["File"].text
    assert not [one for one in page.root.every() if "title" in one.attributes]
    assert not page.root.all("script")


def test_outcomes_bear_their_blame_sample_by_sample(shelved: Shelved) -> None:
    """What is only counted is said to be."""
    page = on(shelved.pages, GRAFTS)
    own, other = page.rows(f"samples-{RECORD}")
    assert (own["Outcome"].text, own["Blames"].text) == ("ran · honoured", "nobody")
    assert (other["Outcome"].text, other["Blames"].text) == (
        "ran · our draft was wrong",
        "the instrument",
    )
    assert "1 sample counted, and not known one by one." in page.section(f"ran-{RECORD}").text


def test_calls_stand_there_whole_with_the_pages_own_ids(paper: Orchard) -> None:
    """One for the paper, one for each sample; digits that are missing are said to be."""
    section = on(paper, OPEN_CODE).section(RAN)
    calls = [one.text for one in section.all("code", "call")]
    assert calls[0] == 'get_harvested_code_for_paper(arxiv_id="2402.14658")'
    assert calls[1] == 'get_code(code_sha256="e4428d012d3e4c4d")'
    assert len(calls) == 4
    assert "first 16 of 64 digits" in section.text


def test_every_word_has_its_meaning_on_the_page(paper: Orchard) -> None:
    """Five labels, five outcomes, four reasons, and the licences that are no reason."""
    said = on(paper, OPEN_CODE).section("words").text
    meant = {name: means for name, means, _ in LABELS.values()}
    meant |= {name: means for name, _, means in RUN_OUTCOMES.values()}
    assert len(meant) == 10
    for name, means in meant.items():
        assert f"{name} {means}" in said
    for reason in POINTER_ONLY.values():
        assert reason in said
    assert "Every such list has Apache-2.0, BSD-2-Clause, BSD-3-Clause and MIT" in said


def test_caveats_stand_before_the_code_each_with_its_form(paper: Orchard) -> None:
    """What “ran” means, that no text stands here, that stars are not tracked."""
    page = on(paper, OPEN_CODE)
    assert ids(page)[0] == "caveats"
    said = page.section("caveats").text
    for words in ("neither its output nor the paper's results", "No text of any sample", "Stars"):
        assert words in said
    assert on(paper, OPEN_CODE, "2025-08-01").main.text.count("Stars of") == 0


# --- reporting, the log -----------------------------------------------------------------------


@pytest.mark.parametrize("which", ["paper", "shelved"])
def test_paper_sample_label_caveat_and_section_lead_to_their_forms(
    which: str, request: pytest.FixtureRequest
) -> None:
    """Every link for reporting is to something that can be reported."""
    found = request.getfixturevalue(which)
    pages, address = (found.pages, GRAFTS) if which == "shelved" else (found, OPEN_CODE)
    page = on(pages, address)
    targets = {one.attributes["href"] for one in page.root.all("a") if "report-link" in one.names}
    for kind in ("papers/", "samples/", "labels/", "caveat-", "results"):
        assert any(kind in one for one in targets), kind
    for one in sorted(targets):
        assert pages.get(one).status_code == 200, one


def test_a_corrected_label_stands_over_what_was_frozen(shelved: Shelved) -> None:
    """From its decision on: both values, the decision, and where it is in the log."""
    shelf, pages = shelved.shelf, shelved.pages
    shelf.correct(LABEL, f"labels/{LABEL}", shelved.archive, label="named-in-paper")
    page = on(pages, GRAFTS)
    row = next(one for one in page.rows("repositories") if "Wren" in one["Repository"].text)
    assert "named in the paper" in row["Label"].text
    assert "correct" in row["Label"].text
    assert "marked official" in row["Repository"].text
    own = on(pages, f"/labels/{LABEL}")
    says = own.section("says").text
    assert "Says official repository" in says
    assert "Shows named in the paper corrected" in says
    assert "Correction 1" in own.section("decisions").text
    assert f"/labels/{LABEL}" in on(pages, "/corrections").main.links().values()
    before = on(pages, GRAFTS, "2026-10-01")
    assert "official repository" in before.rows("repositories")[0]["Label"].text
    assert "after this day 1 decision changed what is shown here" in before.main.text
