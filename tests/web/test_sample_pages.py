"""The page of a code sample: which code, what became of it, where it is from."""

from ledger.sample import sample_id
from ledger.vocabulary import POINTER_ONLY
from tests.shelf import CODES, FULL, RECORD, TWIN, run, sample
from tests.web.orchard import Orchard
from tests.web.page import page_of
from tests.web.shelved import Shelved, paper, paper_once, shelved

__all__ = ["paper", "paper_once", "shelved"]

PREFIX = "/samples/e4428d012d3e4c4d"


def test_a_sample_known_by_its_first_digits_says_that_they_are_not_all(paper: Orchard) -> None:
    """The call has what is on record, and the page says that it may need the rest."""
    page = page_of(paper.page(PREFIX))
    said = page.section("identity").text
    assert "only its first 16 of 64 digits are on record" in said
    assert page.section("identity").one("code", "call").text == (
        'get_code(code_sha256="e4428d012d3e4c4d")'
    )
    (row,) = page.rows("outcomes-table")
    assert (row["Outcome"].text, row["Blames"].text) == ("not told sample by sample", "not known")
    assert (row["Ran on"].text, row["Read"].text) == ("not stated", "24 Sep 2026")


def test_a_sample_is_not_there_before_its_record_was_read(paper: Orchard) -> None:
    """Of an earlier day there is no such page."""
    assert paper.get(f"{PREFIX}?as_read_on=2026-09-23").status_code == 404
    assert paper.get(f"{PREFIX}?as_read_on=2026-09-24").status_code == 200


def test_outcome_blame_licence_and_file_are_told(shelved: Shelved) -> None:
    """With the day of the run and of the harvest, as precisely as they are stated."""
    page = page_of(shelved.pages.page(f"/samples/{CODES[0]}"))
    (row,) = page.rows("outcomes-table")
    assert [one.text for one in row.values()] == [
        "Greenhouse",
        "ran · honoured",
        "nobody",
        "30 Aug 2026",
        "24 Sep 2026",
    ]
    (copy,) = page.rows("copies-table")
    assert copy["Harvested"].text == "Aug 2026"
    assert copy["Licence at harvest"].text == "MIT"
    other = page_of(shelved.pages.page(f"/samples/{CODES[1]}"))
    assert (
        POINTER_ONLY["not-permissive"] in other.rows("copies-table")[0]["Licence at harvest"].text
    )


def test_a_prefix_and_its_whole_digest_are_one_page(shelved: Shelved) -> None:
    """By whichever of its digits it is asked for."""
    shelf, pages = shelved.shelf, shelved.pages
    shelf.read(RECORD, "2026-09-25", sample(FULL), run(FULL, "honoured"))
    for digits in (CODES[0], FULL[:20], FULL):
        page = page_of(pages.page(f"/samples/{digits}"))
        assert page.section("identity").one("code", "digits").text == FULL
        assert CODES[0] in page.section("identity").text


def test_digits_that_begin_several_samples_name_none_and_all_are_listed(
    shelved: Shelved,
) -> None:
    """Nothing is guessed: 404 with the list, as a page and as JSON."""
    shelf, pages = shelved.shelf, shelved.pages
    shelf.read(RECORD, "2026-09-25", sample(FULL), sample(TWIN))
    for form in ("", ".json"):
        refused = pages.get(f"/samples/{FULL[:16]}{form}")
        assert refused.status_code == 404
        assert FULL in refused.text
        assert TWIN in refused.text
    assert pages.get(f"/samples/{FULL}").status_code == 200


def test_a_corrected_outcome_shows_beside_what_the_record_says(shelved: Shelved) -> None:
    """On its own page, on the paper's, and in the log; before the decision nothing of it."""
    shelf, pages = shelved.shelf, shelved.pages
    target = f"samples/{CODES[1]}"
    shelf.correct(sample_id(CODES[1]), target, shelved.record, outcome="violated")
    page = page_of(pages.page(f"/{target}"))
    (row,) = page.rows("outcomes-table")
    assert row["Outcome"].text == (
        "ran · violated contract corrected; the record says ran · our draft was wrong"
    )
    assert row["Blames"].text == "the code"
    assert "Correction 1" in page.section("decisions").text
    last = page.rows("steps-table")[-1]
    assert last["By"].text == "correction 1"
    assert (last["From"].text, last["To"].text) == ("outcome: draft-wrong", "outcome: violated")
    on_paper = page_of(pages.page("/papers/2603.01234"))
    listed = on_paper.rows(f"samples-{RECORD}")[1]
    assert "ran · violated contract" in listed["Outcome"].text
    assert f"/{target}" in page_of(pages.page("/corrections")).main.links().values()
    before = page_of(pages.page(f"/{target}?as_read_on=2026-10-01"))
    assert before.rows("outcomes-table")[0]["Outcome"].text == "ran · our draft was wrong"


def test_a_sample_leads_to_its_form_and_has_json_and_citations(paper: Orchard) -> None:
    """As every page of a time."""
    page = page_of(paper.page(PREFIX))
    targets = {one.attributes["href"] for one in page.root.all("a") if "report-link" in one.names}
    assert {paper.get(one).status_code for one in targets} == {200}
    assert paper.json(f"{PREFIX}.json")["complete"] is False
    assert paper.get(f"{PREFIX}.bib").status_code == 200
    assert paper.get(f"{PREFIX}.csl.json").status_code == 200


def test_what_is_no_code_has_no_page(paper: Orchard) -> None:
    """Too few digits, or none at all."""
    for name in ("e4428d01", "zz" * 32, f"{'0' * 64}"):
        assert paper.get(f"/samples/{name}").status_code == 404
