"""The audit pages: the log, its events with their proofs, checkpoints; and how to check them."""

import re
import subprocess
from collections.abc import Iterator
from hashlib import sha256

import pytest

from ledger import commands as orders
from ledger import events as ev
from ledger.proof.merkle import check_consistency, check_inclusion, leaf_hash
from ledger.values import Slug
from tests.web.orchard import BIRCH, DECIDED, WRONG, Orchard, correct
from tests.web.page import page_of
from tests.web.people import signed_in
from web.audit.path import grown_of, path_of
from web.site import NAME, Site

CORRECTED, DECISION, FILED = 40, 39, 38
"""Positions in the orchard: the claim is corrected by the decision on a report that was filed."""


@pytest.fixture(autouse=True)
def sealed(orchard: Orchard) -> None:
    """The log is sealed before anybody looks."""
    orchard.workspace.seal()


def file_another(orchard: Orchard, number: int = 9) -> None:
    """A report that nobody decides."""
    filed = orders.FileReport(
        number=number, target="site", reason="other", received_at=orchard.workspace.ledger.clock()
    )
    orchard.workspace.ledger.do(filed, by="reader")


def positions(orchard: Orchard, address: str) -> list[int]:
    """The positions on a list of events."""
    return [one["position"] for one in orchard.json(address)["events"]]


# --- the list ---------------------------------------------------------------------------------


def test_every_event_stands_in_the_log_once(orchard: Orchard) -> None:
    """Going on from page to page by the links gives every position, the last first."""
    found, address = [], "/audit/events.json?count=7"
    while address:
        page = orchard.json(address)
        found += [one["position"] for one in page["events"]]
        address = page["next"]
    assert found == list(range(orchard.head, 0, -1))


def test_a_page_stays_what_it_is_when_more_is_recorded(orchard: Orchard) -> None:
    """What lies before a position is the same for ever; what is new comes on other pages."""
    address = "/audit/events.json?count=5&before=30"
    before = orchard.json(address)["events"]
    file_another(orchard)
    assert orchard.json(address)["events"] == before
    assert positions(orchard, "/audit/events.json?after=40") == [41]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("type=claim-corrected/1", [CORRECTED]),
        ("stream=claim:" + WRONG, [CORRECTED, 18]),
        ("who=reviewer", [CORRECTED, DECISION]),
        ("who=reviewer&type=decision-made/1", [DECISION]),
        ("shown=withheld", [FILED]),
        ("stream=report:1", [DECISION]),
        ("day=2025-08-10&count=3", [CORRECTED, DECISION, FILED]),
        ("day=2025-08-09", []),
        ("day=2030-01-01", []),
        ("who=nobody", []),
        ("type=&stream=&who=&day=&shown=&count=1", [CORRECTED]),
        ("recorded_through=20&count=2", [20, 19]),
    ],
)
def test_the_log_is_narrowed(orchard: Orchard, query: str, expected: list[int]) -> None:
    """By what happened, stream, author, day, and whether it is published; one or several."""
    assert positions(orchard, f"/audit/events.json?{query}") == expected
    html = orchard.page(f"/audit/events?{query}")
    shown = re.findall(r'href="/audit/events/(\d+)"', html)
    assert [int(one) for one in shown] == expected


@pytest.mark.parametrize(
    "query",
    [
        "type=report-filed/1",
        "type=nonsense",
        "shown=all",
        "day=2025-02-30",
        "before=3&after=1",
        "before=-1",
        "before=1.5",
        "count=0",
        "count=501",
        "after=9999999999999999",
        "who=%E2%80%AEadmin",
        "as_read_on=2025-08-10",
        "offset=3",
        "recorded_through=99999",
    ],
)
def test_what_cannot_be_asked_of_the_log_is_refused(orchard: Orchard, query: str) -> None:
    """Before anything is looked up."""
    for form in ("", ".json"):
        assert orchard.get(f"/audit/events{form}?{query}").status_code == 400


def test_a_list_through_a_position_may_be_kept_for_ever(orchard: Orchard) -> None:
    """It is the same after more was recorded, and on another day; any other is asked for again."""
    for address in ("/audit/events", "/audit/imports", "/audit/snapshots", "/audit/imports/37"):
        pinned = f"{address}?recorded_through=40"
        first, loose = orchard.get(pinned), orchard.get(address)
        assert "immutable" in first.headers["Cache-Control"], address
        assert loose.headers["Cache-Control"] == "no-cache"
        file_another(orchard, number=10 + orchard.head)
        orchard.clock.now = orchard.clock.now.replace(day=25)
        assert orchard.get(pinned).data == first.data
    for query in ("recorded_through=2025-08-10", "recorded_through=40&nonsense=1"):
        assert "immutable" not in orchard.get(f"/audit/events?{query}").headers["Cache-Control"]


def test_everybody_sees_the_same(orchard: Orchard) -> None:
    """An auditor who is logged in no more than a stranger; and nobody gets a cookie."""
    file_another(orchard)
    auditor = signed_in(orchard.app, orchard.workspace, "otto", "auditor")
    for address in ("/audit", "/audit/events", "/audit/events/41", "/audit/checkpoints"):
        seen = auditor.get(address)
        assert seen.data == orchard.get(address).data
        assert "Set-Cookie" not in seen.headers


# --- one event --------------------------------------------------------------------------------


def test_an_event_is_shown_as_it_is_stored(orchard: Orchard) -> None:
    """The very bytes that are hashed, who recorded them, and the pages that show what they say."""
    page = page_of(orchard.page(f"/audit/events/{CORRECTED}"))
    (record,) = orchard.workspace.ledger.store.after(CORRECTED - 1, 1)
    texts = ["".join(one.words()) for one in page.main.all("pre")]
    assert record.stored.decode() in texts
    assert sha256(record.stored).hexdigest() in page.main.text
    assert page.main.links()["the claim"] == f"/claims/{WRONG}"
    decision = page_of(orchard.page(f"/audit/events/{DECISION}"))
    assert decision.main.links()["correction 1"] == "/corrections/1"


def test_a_withheld_event_shows_its_entry_and_its_proof_alone(orchard: Orchard) -> None:
    """Not what it is, not when it was, not by whom."""
    page = page_of(orchard.page(f"/audit/events/{FILED}"))
    (record,) = orchard.workspace.ledger.store.after(FILED - 1, 1)
    assert page.main.one("h1").text == f"Event {FILED}"
    assert sha256(record.stored).hexdigest() in page.main.text
    for said in ("report filed", "report:1", "reader", record.envelope.salt, "10 Aug 2025"):
        assert said not in page.main.text
    assert page.main.all("ol", "path")


@pytest.mark.parametrize("position", [1, 17, FILED, CORRECTED])
def test_the_steps_lead_from_the_entry_to_the_signed_root(orchard: Orchard, position: int) -> None:
    """Each step is drawn with both its sides; the last gives the root that is in the note."""
    page = page_of(orchard.page(f"/audit/events/{position}"))
    proof = orchard.json(f"/proof/inclusion?position={position}")
    *_, root = page.main.one("ol", "path").all("li")
    hashes = [one.text for one in page.main.one("ol", "path").all("code")]
    assert hashes[0] == proof["entry"]
    assert hashes[1] == leaf_hash(bytes.fromhex(proof["entry"])).hex()
    assert hashes[-1] == hashes[-2] == root.one("code").text
    assert len(page.main.one("ol", "path").all("div", "pair")) == len(proof["proof"])


def test_a_path_is_drawn_for_every_leaf_of_every_tree() -> None:
    """Up to 33 leaves: the steps say what the proof proves, and growth is drawn between any two."""
    for size in range(1, 34):
        entries = [bytes([one]) * 32 for one in range(size)]
        for index in range(size):
            proof = _proof(entries, index)
            steps = path_of(entries[index], index, size, proof)
            root = bytes.fromhex(steps[-1].gives) if steps else leaf_hash(entries[0])
            leaf = leaf_hash(entries[index])
            check_inclusion(leaf, index=index, size=size, proof=proof, root=root)
            assert root == _root(entries)
        for old in range(1, size + 1):
            grown_proof = _growth(entries, old)
            grown = grown_of(old, _root(entries[:old]), size, grown_proof)
            assert grown.old == _root(entries[:old]).hex()
            assert grown.new == _root(entries).hex()
            check_consistency(
                old_size=old,
                old_root=bytes.fromhex(grown.old),
                new_size=size,
                new_root=bytes.fromhex(grown.new),
                proof=grown_proof,
            )


def _split(count: int) -> int:
    return 1 << (count - 1).bit_length() - 1


def _root(entries: list[bytes]) -> bytes:
    """The root as RFC 6962 defines it."""
    if len(entries) == 1:
        return leaf_hash(entries[0])
    middle = _split(len(entries))
    return sha256(b"\x01" + _root(entries[:middle]) + _root(entries[middle:])).digest()


def _proof(entries: list[bytes], index: int) -> list[bytes]:
    """PATH of RFC 6962, section 2.1.1."""
    if len(entries) == 1:
        return []
    middle = _split(len(entries))
    left, right = entries[:middle], entries[middle:]
    if index < middle:
        return [*_proof(left, index), _root(right)]
    return [*_proof(right, index - middle), _root(left)]


def _growth(entries: list[bytes], old: int, *, whole: bool = True) -> list[bytes]:
    """SUBPROOF of RFC 6962, section 2.1.2."""
    if old == len(entries):
        return [] if whole else [_root(entries)]
    middle = _split(len(entries))
    left, right = entries[:middle], entries[middle:]
    if old <= middle:
        return [*_growth(left, old, whole=whole), _root(right)]
    return [*_growth(right, old - middle, whole=False), _root(left)]


def commands(html: str) -> Iterator[str]:
    """The commands that a page shows and that ask nobody."""
    for one in page_of(html).main.all("pre"):
        text = "".join(one.words())
        if text.startswith("python3 - <<"):
            yield text


def test_the_commands_that_are_shown_prove_it(orchard: Orchard) -> None:
    """Pasted into a shell as they stand; and with one digit changed they prove nothing."""
    file_another(orchard)
    shown = [
        *commands(orchard.page(f"/audit/events/{CORRECTED}")),
        *commands(orchard.page("/audit/events/41?size=41")),
        *commands(orchard.page("/audit/consistency?from=40&to=41")),
    ]
    assert len(shown) == 3
    for command in shown:
        assert run(command) == "proved: True"
    wrong = shown[0].replace('over("00", "', 'over("00", "00" + "')
    assert run(wrong) == "proved: False"


def run(command: str) -> str:
    """What a shell prints for a command."""
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_an_event_under_a_checkpoint_that_is_named_never_changes(orchard: Orchard) -> None:
    """Its page may be kept for ever, and says nothing of what came after; without a size it is
    proved under the newest checkpoint."""
    address = f"/audit/events/{CORRECTED}?size=40"
    first = orchard.get(address)
    assert "immutable" in first.headers["Cache-Control"]
    file_another(orchard)
    assert orchard.get(address).data == first.data
    loose = orchard.get(f"/audit/events/{CORRECTED}")
    assert loose.headers["Cache-Control"] == "no-cache"
    assert "checkpoint 41" in loose.text
    assert "/audit/events/41" in loose.text
    for missing in ("?size=39", "?size=7000", "?size=x"):
        assert orchard.get(f"/audit/events/{CORRECTED}{missing}").status_code in (400, 404)
    assert orchard.get("/audit/events/41?size=40").status_code == 404
    assert orchard.get("/audit/events/42").status_code == 404


def test_an_event_may_say_anything_in_any_script(orchard: Orchard) -> None:
    """Its bytes are UTF-8, as is what is served of them; what would be markup is text."""
    name = "Müller & 田中 <b>"
    stated = ev.LabRegistered(slug=Slug("mueller"), name=name, read_at=DECIDED)
    orchard.workspace.ledger.do(orders.Assert(stream="lab:mueller", fact=stated), by="curator")
    orchard.page("/audit")
    told = orchard.json(f"/events/{orchard.head}.json")
    assert sha256(told["stored"].encode()).hexdigest() == told["entry"]
    html = orchard.page(f"/audit/events/{orchard.head}")
    assert "Müller &amp; 田中 &lt;b&gt;" in html


# --- checkpoints ------------------------------------------------------------------------------


def test_checkpoints_are_listed_with_their_notes(orchard: Orchard) -> None:
    """The newest first; each leads to its note, which is served byte for byte, and to its key."""
    for number in range(3):
        file_another(orchard, number=20 + number)
        orchard.page("/audit")
    found = orchard.json("/audit/checkpoints.json")["checkpoints"]
    assert [one["size"] for one in found] == [43, 42, 41, 40]
    for one in found:
        assert one["checkpoint"] == orchard.get(f"/checkpoint/{one['size']}").text
        assert one["keys"] == orchard.json("/checkpoint/keys.json")["keys"]
    pages = page_of(orchard.page("/audit/checkpoints/41"))
    texts = ["".join(one.words()) for one in pages.main.all("pre")]
    assert found[2]["checkpoint"] in texts
    assert orchard.json("/audit/checkpoints/41.json") == found[2]


def test_checkpoints_are_paged_by_size(orchard: Orchard) -> None:
    """Both ways, each once."""
    for number in range(3):
        file_another(orchard, number=20 + number)
        orchard.page("/audit")

    def sizes(query: str) -> list[int]:
        page = orchard.json(f"/audit/checkpoints.json?count=2{query}")
        return [one["size"] for one in page["checkpoints"]]

    assert (sizes(""), sizes("&before=42"), sizes("&after=40")) == ([43, 42], [41, 40], [42, 41])
    assert orchard.json("/audit/checkpoints.json?count=2")["next"].endswith("before=42")
    assert orchard.json("/audit/checkpoints.json?count=2&before=42")["next"] is None


def test_growth_is_proved_between_two_checkpoints(orchard: Orchard) -> None:
    """Step by step to both roots; without two of them there is the form."""
    assert orchard.get("/audit/consistency").status_code == 200
    file_another(orchard)
    page = page_of(orchard.page("/audit/consistency?from=40&to="))
    assert page.main.one("h1").text == "From checkpoint 40 to 41"
    assert "nothing in them was changed, moved or removed" in page.main.text
    same = page_of(orchard.page("/audit/consistency?from=40&to=40"))
    assert "nothing in them was changed" in same.main.text
    for missing in ("from=39&to=40", "from=41&to=40", "from=0"):
        assert orchard.get(f"/audit/consistency?{missing}").status_code == 404
    assert orchard.get("/audit/consistency?from=x").status_code == 400


# --- where it stands --------------------------------------------------------------------------


def test_the_first_page_says_how_far_everything_has_come(orchard: Orchard) -> None:
    """Ledger, pages and sealed log; how many events of each type, and by whom."""
    told = orchard.json("/audit.json")
    assert (told["recorded"], told["shown"], told["behind"]) == (40, 40, 0)
    assert told["checkpoint"]["size"] == 40
    assert (told["events"], told["withheld"]) == (40, 1)
    assert sum(told["types"].values()) == sum(told["recorded_by"].values()) == 39
    page = page_of(orchard.page("/audit"))
    assert "nothing is left out" in page.section("state").text
    assert "corrigenda verify --all" in page.section("without-us").text


def test_pages_that_are_behind_say_by_how_much(
    orchard: Orchard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And speak of nothing beyond what they have reached."""
    orchard.page("/audit")
    monkeypatch.setattr(type(orchard.workspace.follower), "catch_up", lambda *_: 0)
    site: Site = orchard.app.extensions[NAME]
    site.freshness.patience = 0.01
    correct(orchard.workspace, 2, BIRCH, "69.9")
    told = orchard.json("/audit.json")
    assert (told["recorded"], told["shown"], told["behind"]) == (43, 40, 3)
    assert "3 positions behind" in orchard.page("/audit")
    assert positions(orchard, "/audit/events.json?count=1") == [40]
    assert orchard.get("/audit/events/41").status_code == 404


def test_every_page_leads_to_the_audit_pages(orchard: Orchard) -> None:
    """From the navigation, and from the place in the log that a claim or a decision names."""
    assert '<a href="/audit">Audit</a>' in orchard.page("/")
    assert "/audit</loc>" in orchard.get("/sitemap.xml").text
    story = page_of(orchard.page(f"/claims/{WRONG}"))
    assert story.section("steps").links()[str(CORRECTED)] == f"/audit/events/{CORRECTED}"
    notice = orchard.page("/corrections/1")
    assert f'href="/audit/events/{DECISION}"' in notice
