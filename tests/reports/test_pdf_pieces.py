"""Large papers: printed in pieces and joined, they are whole; only the bundle's parts are read."""

import re
import subprocess
import sys
from pathlib import Path

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reports.bundle import board_bundle
from reports.paper.document import NotABundle
from reports.paper.lazily import document_in
from reports.paper.sections import Section, pieces_of
from reports.pdf import press_environment
from tests.reports.papers import catalog, outside, resolved, run_together, structure, texts
from tests.reports.shop import Shop
from web.cli.demo import BIG

PIECE, LARGE = 30, 20

ORDER = """
import sys
from pathlib import Path
from reports.pdf.press import press
press(*map(Path, sys.argv[2:5]), piece=int(sys.argv[5]), large=int(sys.argv[6]))
"""


@pytest.fixture(scope="module")
def big(shop: Shop, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The larger board of the demo as a bundle: 83 rows."""
    path = tmp_path_factory.mktemp("big") / "bundle.json"
    path.write_bytes(board_bundle(shop.records, shop.moment(), BIG, view="all").data)
    return path


@pytest.fixture(scope="module")
def joined(big: Path) -> Path:
    """Its paper in pieces of 30 lines."""
    return press_apart(big, big.with_name("joined.pdf"))


def press_apart(bundle: Path, out: Path) -> Path:
    """Print in pieces, in a process of its own as always."""
    progress = out.with_suffix(".progress")
    root = Path(__file__).parents[2]
    paths = [str(path) for path in (root, bundle, out, progress)]
    subprocess.run(
        [sys.executable, "-c", ORDER, *paths, str(PIECE), str(LARGE)],
        env={**press_environment(), "PYTHONPATH": str(root)},
        check=True,
        capture_output=True,
    )
    return out


def test_other_programs_find_nothing_wrong(joined: Path) -> None:
    """A PDF that was put together is a PDF like any other."""
    done = subprocess.run(["qpdf", "--check", str(joined)], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    fonts = subprocess.run(["pdffonts", str(joined)], capture_output=True, text=True, check=True)
    rows = fonts.stdout.splitlines()[2:]
    assert rows
    assert all(line.split()[-5:-2] == ["yes", "yes", "yes"] for line in rows)


def test_every_claim_is_there_once(joined: Path, big: Path) -> None:
    """None was lost between two pieces, and none is in both."""
    text = run_together(joined.read_bytes())
    claims = [one["claim_id"] for one in orjson.loads(big.read_bytes())["claims"]]
    assert len(claims) > 80
    assert {claim: text.count(claim) for claim in claims} == dict.fromkeys(claims, 1)


def test_every_page_of_a_table_has_its_header(joined: Path, big: Path) -> None:
    """Wherever a row of the board stands, the columns are named above it."""
    rows = orjson.loads(big.read_bytes())["shows"]["rows"]
    pages = texts(joined.read_bytes())
    board = [page for page in pages if re.search(r"^Rank Model Score", page, re.MULTILINE)]
    for row in rows:
        line = re.compile(rf"^{row['rank']:,} {re.escape(row['model']['name'][:12])}", re.MULTILINE)
        assert any(line.search(page) for page in board), row["model"]["name"]


def test_every_page_says_which_part_it_is_of(joined: Path) -> None:
    """A page that got lost is missed, also where the paper has many parts."""
    told = [
        re.search(r"part (\d+) of (\d+), page (\d+) of (\d+)", page)
        for page in texts(joined.read_bytes())
    ]
    parts = [(int(one[1]), int(one[3])) for one in told if one]
    assert len(parts) == len(told)
    assert parts == sorted(set(parts))
    assert {int(one[2]) for one in told if one} == {parts[-1][0]}


def test_nothing_is_beyond_the_page(joined: Path) -> None:
    """Pieces are as wide as a whole."""
    assert outside(joined.read_bytes()) == []


def test_the_whole_is_tagged_and_has_bookmarks(joined: Path) -> None:
    """Each piece's tags and bookmarks hang in those of the whole."""
    told = subprocess.run(
        ["pdfinfo", "-struct-text", str(joined)], capture_output=True, text=True, check=True
    )
    assert told.stderr == ""
    assert told.stdout.count("TH <") > 200
    objects = structure(joined)
    outlines = resolved(objects, catalog(objects)["/Outlines"])
    titles, at, seen = [], outlines["/First"], 0
    while at is not None and seen < 100:
        entry = resolved(objects, at)
        titles.append(entry["/Title"])
        assert entry["/Parent"] == catalog(objects)["/Outlines"]
        at, seen = entry.get("/Next"), seen + 1
    assert titles[0] == "u:BigCodeBench"
    assert "u:Board, 31 to 60 of 83" in titles
    assert titles[-1] == "u:How to check this paper"


def test_marked_content_leads_back_to_its_tags(joined: Path) -> None:
    """Every page, and every annotation, has its own key in the parent tree."""
    objects = structure(joined)
    root = resolved(objects, catalog(objects)["/StructTreeRoot"])
    leaves = [resolved(objects, one) for one in resolved(objects, root["/ParentTree"])["/Kids"]]
    keys = [key for leaf in leaves for key in leaf["/Nums"][::2]]
    assert keys == list(range(len(keys)))
    assert all(leaf["/Limits"] == [leaf["/Nums"][0], leaf["/Nums"][-2]] for leaf in leaves)
    used = [
        one[name]
        for one in objects.values()
        if isinstance(one, dict)
        for name in ("/StructParents", "/StructParent")
        if name in one
    ]
    assert sorted(used) == keys


def test_table_headers_are_named_once(joined: Path) -> None:
    """Pieces count their tables from one, so their names are told apart."""
    named = [
        one["/ID"]
        for one in structure(joined).values()
        if isinstance(one, dict) and one.get("/S") == "/TH"
    ]
    assert len(named) == len(set(named))


def test_the_bundle_is_attached_once(joined: Path, big: Path, tmp_path: Path) -> None:
    """Whole, as in a small paper."""
    told = subprocess.run(["pdfdetach", "-list", str(joined)], capture_output=True, check=True)
    assert told.stdout.startswith(b"2 embedded files")
    subprocess.run(
        ["pdfdetach", "-saveall", "-o", str(tmp_path), str(joined)], check=True, capture_output=True
    )
    assert (tmp_path / "bundle.json").read_bytes() == big.read_bytes()


def test_pieces_are_the_same_bytes_again(joined: Path, big: Path, tmp_path: Path) -> None:
    """Joining adds nothing of its own."""
    assert press_apart(big, tmp_path / "again.pdf").read_bytes() == joined.read_bytes()


# --- the parts of it --------------------------------------------------------------------------


def test_a_bundle_read_piece_by_piece_says_the_same(big: Path) -> None:
    """What is cut out of the bytes is what reading all of them gives."""
    whole, lazy = orjson.loads(big.read_bytes()), document_in(big)
    lists = {name: list(lazy[name]) for name in ("claims", "events")}
    shown = {name: lazy["shows"][name] for name in ("rows", "unranked")}
    rows = {name: list(found) for name, found in shown.items()}
    assert {**lazy, **lists, "shows": {**lazy["shows"], **rows}} == whole
    assert list(lazy["claims"][3:7]) == whole["claims"][3:7]
    assert lazy["claims"][-1] == whole["claims"][-1]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(claims=st.lists(JSON, max_size=5), rest=st.dictionaries(st.text(), JSON, max_size=4))
def test_any_document_is_read_the_same(
    claims: list[object], rest: dict[str, object], tmp_path: Path
) -> None:
    """Quotes, backslashes and brackets within texts mislead nobody."""
    document = {**rest, "claims": claims, "events": [], "shows": {"rows": claims, "x": rest}}
    path = tmp_path / "any.json"
    path.write_bytes(orjson.dumps(document, option=orjson.OPT_SORT_KEYS) + b"\n")
    lazy = document_in(path)
    shows = {**lazy["shows"], "rows": list(lazy["shows"]["rows"])}
    read = {**lazy, "claims": list(lazy["claims"]), "events": list(lazy["events"]), "shows": shows}
    assert read == document


@pytest.mark.parametrize("broken", [b"[]", b'{"claims":', b'{"claims":[1,2', b'{"claims":1}', b"x"])
def test_what_is_no_bundle_is_refused(broken: bytes, tmp_path: Path) -> None:
    """Piece by piece as well as all at once."""
    path = tmp_path / "broken.json"
    path.write_bytes(broken)
    with pytest.raises(NotABundle):
        document_in(path)


@given(lengths=st.lists(st.integers(0, 50), min_size=1, max_size=8), most=st.integers(1, 20))
@settings(max_examples=60)
def test_pieces_hold_every_line_once_and_in_order(lengths: list[int], most: int) -> None:
    """Nothing is lost where sections are cut, and no piece is longer than it may be."""
    sections = [
        Section("t", f"s{at}", "S", list(range(count)), 1, count)
        for at, count in enumerate(lengths)
    ]
    pieces = pieces_of(sections, most)
    assert all(sum(len(one.lines) for one in piece) <= most for piece in pieces)
    for section in sections:
        parts = [one for piece in pieces for one in piece if one.anchor == section.anchor]
        assert [line for one in parts for line in one.lines] == section.lines
        assert [one.first for one in parts if one.begins] == [1]
        assert parts[-1].ends
