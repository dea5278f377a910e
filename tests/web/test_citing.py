"""Citations: as text, BibTeX and CSL-JSON, each pinned to what it speaks of."""

import re
from datetime import UTC, date, datetime
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.web.orchard import BIRCH, BOARD, HOSTILE, WRONG, Orchard, read_board
from tests.web.page import page_of
from web.when.citing import Citation, bibtex, csl_json, key_of, tex

DAY = "2025-07-28"
CITED = {
    BOARD: f"{BOARD}",
    f"/claims/{BIRCH}": f"/claims/{BIRCH}",
    "/models/birch": "/models/birch",
    "/sources/orchard-board": "/sources/orchard-board",
    "/models/birch/history": "/models/birch/history",
    f"{BOARD}/changes": f"{BOARD}/changes",
    "/labs/alder-labs": "/labs/alder-labs",
    "/corrections": "/corrections",
    "/benchmarks": "/",
}
ENTRY = re.compile(r"@misc\{(?P<key>[A-Za-z0-9-]+),\n(?P<fields>(?:  \w+ += .+,\n)+)\}\n")
FIELD = re.compile(r"  (\w+) += (.+),")


def fields(text: str) -> dict[str, str]:
    """The fields of a BibTeX entry, without the braces around them; its braces have to balance."""
    found = ENTRY.fullmatch(text)
    assert found is not None, text
    depth = 0
    for character in re.sub(r"\\[{}]", "", text):
        depth += {"{": 1, "}": -1}.get(character, 0)
        assert depth >= 0
    assert depth == 0
    told = dict(FIELD.findall(found["fields"]))
    return {"key": found["key"]} | {name: one.strip("{}") for name, one in told.items()}


@pytest.mark.parametrize("path", CITED)
def test_every_page_with_a_time_can_be_cited(orchard: Orchard, path: str) -> None:
    """The address in the citation is the pinned page itself, and says what the citation says."""
    query = "from=2025-07-20&to=2025-07-28" if path.endswith("changes") else f"as_read_on={DAY}"
    entry = fields(orchard.get(f"{path}.bib?{query}").text)
    (item,) = orchard.get(f"{path}.csl.json?{query}").get_json(force=True)
    assert item["id"] == entry["key"]
    assert item["URL"] == entry["url"]
    asked = parse_qs(urlsplit(entry["url"]).query)
    assert asked["recorded_through"] == [str(orchard.head)]
    assert item["version"] == f"ledger position {orchard.head}"
    assert item["issued"] == {"date-parts": [[2025, 7, 28]]}
    assert (entry["year"], entry["month"], entry["day"]) == ("2025", "jul", "28")
    page = orchard.get(entry["url"])
    assert page.headers["Cache-Control"].endswith("immutable")
    shown = page_of(page.text).root.text
    assert item["title"] in shown
    assert item["note"] in shown
    assert urlsplit(entry["url"]).path == CITED[path]


def test_a_citation_says_which_board_it_is_of(orchard: Orchard) -> None:
    """Whose numbers, under which metric, as read when, as the ledger stood."""
    query = f"view=independent&as_read_on={DAY}&published_by={DAY}&corrected=since"
    (item,) = orchard.get(f"{BOARD}.csl.json?{query}").get_json(force=True)
    assert item["title"] == "Orchard: Independent runs, share grown"
    assert item["type"] == "dataset"
    assert item["note"].startswith(
        "As read on 28 Jul 2025 (UTC), with corrections decided later, "
        "only what counts from 28 Jul 2025 or earlier; ledger position"
    )
    asked = parse_qs(urlsplit(item["URL"]).query)
    assert (asked["view"], asked["metric"]) == (["independent"], ["grown"])
    assert (asked["corrected"], asked["published_by"]) == (["since"], [DAY])


def test_a_claim_is_cited_with_its_number_and_its_source(orchard: Orchard) -> None:
    """As it shows: a corrected number is the corrected one."""
    entry = fields(orchard.get(f"/claims/{WRONG}.bib").text)
    assert entry["title"] == r"Birch on Orchard: 70.5\%, as stated by Birch launch post"
    before = fields(orchard.get(f"/claims/{WRONG}.bib?as_read_on={DAY}").text)
    assert before["title"] == r"Birch on Orchard: 71.0\%, as stated by Birch launch post"
    assert entry["key"] != before["key"]


@pytest.mark.parametrize(
    ("page", "cited", "narrowed"),
    [
        ("/corrections", "/corrections", {"benchmark": "orchard", "from": "2025-08-01"}),
        ("/", "/benchmarks", {"q": "grafting", "category": "Gardening"}),
    ],
)
def test_a_list_is_cited_with_what_narrows_it(
    orchard: Orchard, page: str, cited: str, narrowed: dict[str, str]
) -> None:
    """The page leads to the files, and these to the same part of the list."""
    query = urlencode({**narrowed, "q": narrowed.get("q", "")})
    shown = page_of(orchard.get(f"{page}?{query}").text).root
    (file,) = [one for one in shown.links().values() if one.startswith(f"{cited}.csl.json")]
    (item,) = orchard.get(file).get_json(force=True)
    asked = {name: one for name, (one,) in parse_qs(urlsplit(item["URL"]).query).items()}
    assert asked == narrowed | {
        "as_read_on": "2025-08-20",
        "corrected": "then",
        "recorded_through": str(orchard.head),
    }
    assert orchard.get(item["URL"]).headers["Cache-Control"].endswith("immutable")


def test_a_pinned_citation_never_changes_and_a_file_is_named_after_its_key(
    orchard: Orchard,
) -> None:
    """It may be kept for ever, like its page."""
    address = f"{BOARD}.bib?as_read_on={DAY}&recorded_through={orchard.head}"
    before = orchard.get(address)
    assert before.mimetype == "application/x-bibtex"
    assert before.headers["Cache-Control"].endswith("immutable")
    key = fields(before.text)["key"]
    assert before.headers["Content-Disposition"] == f'attachment; filename="{key}.bib"'
    read_board(orchard.workspace, "2025-07-10T000000Z.csv", "model,score\nBirch,5\n")
    orchard.clock.now = datetime(2027, 1, 1, tzinfo=UTC)
    assert orchard.get(address).data == before.data


def test_a_hostile_name_is_no_command_of_tex(orchard: Orchard) -> None:
    """Nor does it end the entry."""
    name = r"\input{/etc/passwd} 100% $x$ #1 & ~^_<>"
    text = f'model,score\n"{name}",88\n'
    read_board(orchard.workspace, "2025-08-01T000000Z.csv", text)
    claim = orchard.json(f"{BOARD}.json?view=independent")["rows"][0]["claim_id"]
    title = fields(orchard.get(f"/claims/{claim}.bib").text)["title"]
    assert title.startswith(r"\textbackslash{}input\{/etc/passwd\} 100\% \$x\$ \#1 \& ")
    assert r"\textless{}\textgreater{}" in title
    hostile = orchard.json("/sources/orchard-board.json?as_read_on=2025-07-28")["claims"]
    (found,) = [one["claim"] for one in hostile if one["name"] == HOSTILE]
    assert fields(orchard.get(f"/claims/{found}.bib?as_read_on={DAY}").text)["title"]


@given(st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=60))
def test_any_title_makes_a_well_formed_entry(title: str) -> None:
    """Whatever a source calls a model."""
    one = Citation(
        key=key_of("corrigenda", title, DAY),
        kind="webpage",
        title=title,
        read=title,
        day=date(2025, 7, 28),
        position=7,
        recorded_at=None,
        address="https://example.org/claims/c0?as_read_on=2025-07-28",
    )
    text = bibtex(one)
    told = re.sub(r"\\[{}]", "", text)
    assert told.count("{") == told.count("}")
    assert re.fullmatch(r"[A-Za-z0-9-]+", one.key)
    assert tex(title) in text
    assert csl_json(one)[0]["title"] == title


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/benchmarks/unknown.bib", 404),
        (f"/claims/c{'0' * 23}.csl.json", 404),
        (f"{BOARD}.bib?metric=unknown", 404),
        (f"{BOARD}.bib?view=ours", 400),
        (f"{BOARD}.csl.json?sort=model", 400),
        ("/models/birch.bib?view=labs", 400),
        ("/labs/unknown.csl.json", 404),
        ("/labs/alder-labs.bib?q=oak", 400),
        ("/corrections.bib?outcome=maybe", 400),
        ("/corrections.csl.json?before=3", 400),
        ("/benchmarks.bib?q=a b c d e f g h i", 400),
        ("/benchmarks.csl.json?benchmark=orchard", 400),
    ],
)
def test_what_cannot_be_shown_cannot_be_cited(orchard: Orchard, address: str, status: int) -> None:
    """The same refusals as those of the page."""
    assert orchard.get(address).status_code == status
