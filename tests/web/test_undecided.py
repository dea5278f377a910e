"""A report that is not decided is nowhere to be found, but by its reporter and the reviewers.

Each address that the app knows stands in a table (a new one fails here until it does): those that
can name something of a report answer like one that never was, and all others say at every stage
what they said before it was filed. Public is how far the ledger has come, in positions and hashes,
and how many reports wait.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import chain

import attrs
import pypdfium2 as pdfium
import pytest
from werkzeug.test import TestResponse

from tests.web.orchard import Orchard
from tests.web.people import Person, signed_in, stranger
from tests.web.undecided import NUMBER, REVIEWER, SECOND, Undecided
from tests.web.undecided_addresses import GUESSED, MOMENTS, NAMING, OTHERS, PRINTED, SEALED
from web.private.reporters import new_secret, open_letter

WHO = ["nobody", "curator", "auditor", "administrator"]
"""Who is not to see it: people without an account, and those with every role but one."""

TABLES = (NAMING, OTHERS, SEALED, PRINTED)
Said = dict[str, list[str]]
"""What addresses answer: status, headers and body, line by line."""


@pytest.fixture
def undecided(orchard: Orchard) -> Undecided:
    """A report that is about to be filed."""
    return Undecided(orchard)


def somebody(orchard: Orchard, who: str) -> Person:
    """Somebody who is no reviewer."""
    if who == "nobody":
        return stranger(orchard.app, orchard.workspace)
    return signed_in(orchard.app, orchard.workspace, f"an-{who}", who)


# --- every address is in a table --------------------------------------------------------------


def test_no_address_is_forgotten(orchard: Orchard) -> None:
    """Whoever adds one says whether it can name something of a report."""
    rules = {
        rule.rule for rule in orchard.app.url_map.iter_rules() if "GET" in (rule.methods or ())
    }
    assert rules - NAMING.keys() - OTHERS.keys() - SEALED.keys() - PRINTED.keys() == set()


def test_each_address_that_is_tried_is_of_its_rule(orchard: Orchard) -> None:
    """So none is tried in vain; what leads nowhere is not there for everybody."""
    filled = Known(NUMBER, 3, "0" * 64, "k" * 43, "t" * 43)
    known = {rule.rule for rule in orchard.app.url_map.iter_rules()}
    ask = orchard.app.url_map.bind("localhost").match
    for rule, forms in chain.from_iterable(
        table.items() for table in (NAMING, OTHERS, SEALED, PRINTED)
    ):
        for form in forms if rule in known else ():
            path = form.format(**attrs.asdict(filled), position=7, head=9).partition("?")[0]
            assert ask(path, return_rule=True)[0].rule == rule


# --- what can name it -------------------------------------------------------------------------


@attrs.frozen
class Known:
    """What somebody puts into an address: of the report, or made up."""

    number: int
    entry: int
    digest: str
    kept: str
    theirs: str

    def address(self, form: str) -> str:
        """An address with these in it."""
        return form.format(**attrs.asdict(self))

    def without(self, text: str) -> str:
        """A text without what was put into the address."""
        for value in (self.digest, self.kept):
            text = re.sub(f"{re.escape(value)}|{re.escape(value[:40])}", "…", text)
        return re.sub(rf"\b({self.number}|{self.entry})\b", "…", text)


def tries(undecided: Undecided, forms: Sequence[str]) -> Iterator[tuple[str, Known, Known]]:
    """Each form of address, with what is the report's, and with what never was."""
    digests = undecided.digests
    for form in forms:
        for digest in digests if "{digest}" in form else digests[:1]:
            yield (form, *known(undecided, digest))


def known(undecided: Undecided, digest: str) -> tuple[Known, Known]:
    """What is the report's, and what never was."""
    private = undecided.orchard.workspace.private
    theirs = open_letter(private, None, None)
    kept = undecided.letter.key[:43]
    return (
        Known(NUMBER, 3, digest, kept, theirs),
        Known(88_888, 9, "0123456789abcdef" * 4, new_secret(private), theirs),
    )


@pytest.mark.parametrize("who", WHO)
def test_every_address_of_it_answers_like_one_that_never_was(
    undecided: Undecided, who: str
) -> None:
    """The same status, the same headers, the same body, at every stage."""
    asker = somebody(undecided.orchard, who)
    forms = [*(form for forms in NAMING.values() for form in forms), *GUESSED]
    for stage in undecided.stages:
        stage()
        for form, its, nothing in tries(undecided, forms):
            there, nowhere = asker.get(its.address(form)), asker.get(nothing.address(form))
            assert there.status_code == 404, form
            assert answer(there, its) == answer(nowhere, nothing), (stage.__name__, form)


def answer(response: TestResponse, known: Known) -> tuple[int, list[tuple[str, str]], str]:
    """All that comes back, but for the time and what was asked for."""
    return response.status_code, headers(response), known.without(response.text)


def headers(response: TestResponse) -> list[tuple[str, str]]:
    """All headers but the time."""
    return sorted((name, value) for name, value in response.headers if name != "Date")


# --- what is about something else -------------------------------------------------------------


@pytest.mark.parametrize("who", WHO)
def test_nothing_else_says_a_word_of_it(undecided: Undecided, who: str) -> None:
    """Board, claim, source, model, log, exports, feed and searches: at every stage as before it was
    filed."""
    asker, before = somebody(undecided.orchard, who), undecided.orchard.head
    first = said(asker, MOMENTS[:1], before, before)
    for stage in undecided.stages:
        stage()
        says_nothing(undecided, first, said(asker, MOMENTS[:1], before, undecided.orchard.head))


@pytest.mark.timeout(900)
def test_views_of_other_times_say_nothing_of_it_either(undecided: Undecided) -> None:
    """All of the same as read on other days, as recorded by others, and pinned: when it is filed,
    and when all has happened that can without a decision."""
    asker, before = somebody(undecided.orchard, "nobody"), undecided.orchard.head
    first = said(asker, MOMENTS[1:], before, before)
    filed, *rest = undecided.stages
    for stages in ([filed], rest):
        for stage in stages:
            stage()
        says_nothing(undecided, first, said(asker, MOMENTS[1:], before, undecided.orchard.head))


def says_nothing(undecided: Undecided, first: Said, now: Said) -> None:
    """What was said at first is said now, and nothing of the report is in it."""
    assert list(differing(first, now)) == []
    for where, lines in now.items():
        if not undecided.found_in(where):  # what somebody looks for is said again
            assert undecided.found_in("\n".join(lines)) == [], where


def differing(first: Said, now: Said) -> Iterator[tuple[str, list[str]]]:
    """Where something else is said, and in which lines."""
    for where, lines in now.items():
        if lines != first[where]:
            yield where, [line for line in lines if line not in first[where]]


def said(asker: Person, moments: Sequence[str], before: int, head: int) -> Said:
    """What every other address says, moment by moment."""
    found: Said = {}
    for address in (one for addresses in OTHERS.values() for one in addresses):
        for moment in moments:
            form = f"{address}{'&' if '?' in address else '?'}{moment}" if moment else address
            response = asker.get(form.format(before=before, head=head))
            is_pinned = "{before}" in moment
            found[form] = as_it_is(response) if is_pinned else but_public(response, head)
    return found


def as_it_is(response: TestResponse) -> list[str]:
    """All of it: what is pinned never changes."""
    told = (f"{name}: {value}" for name, value in headers(response))
    return [response.status, *told, *once(response.text).splitlines()]


def but_public(response: TestResponse, head: int) -> list[str]:
    """All of it, but for what is public: the ledger's last position, and how many reports wait."""
    return [public(line, head) for line in as_it_is(response) if not line.startswith(DEPENDS)]


DEPENDS = ("ETag: ", "Content-Length: ")
"""Headers that change with the ledger's position."""


def public(text: str, head: int) -> str:
    """A text with the last position and the count of what waits left out."""
    for pattern in POSITIONS:
        text = re.sub(pattern.format(head), r"\1HEAD", text)
    return re.sub(r'No report waits|\b\d+ reports? waits?|"open":\d+', "OPEN", text)


POSITIONS = (
    r"(position[ -]|-p|Position: )({})\b",
    r'("position":|"version":")({})\b',
    r"(recorded_through(?:=|%3D|=&#34;|=&quot;))({})\b",
    r'(name="recorded_through"[^>]* value=")({})(?=")',
)


def once(text: str) -> str:
    """A page without the mark of the form that it gives out, which is another one each time."""
    return re.sub(r'(name="once" value=)"[0-9a-f]+"', r"\1", text)


# --- what says how the log hangs together -----------------------------------------------------


def test_proofs_and_exports_say_nothing_of_it(undecided: Undecided) -> None:
    """Of its events there are hashes and nothing else, in whatever form."""
    asker = somebody(undecided.orchard, "nobody")
    for stage in undecided.stages:
        stage()
    events = undecided.positions
    forms = {"position": events[-1], "head": undecided.orchard.head}
    for address in (form.format(**forms) for form in chain(*SEALED.values())):
        response = asker.get(address)
        assert response.status_code in (200, 404), address
        text = response.data.decode(errors="replace")
        assert undecided.found_in(text) == [], address
        if address.partition("?")[0].endswith(".bundle.json") and response.status_code == 200:
            assert not {one["position"] for one in response.json["events"]} & set(events)  # type: ignore[index]


def test_each_event_of_it_is_withheld(undecided: Undecided) -> None:
    """What was recorded cannot be told from what else is withheld."""
    asker = somebody(undecided.orchard, "nobody")
    for stage in undecided.stages:
        stage()
    for position in undecided.positions:
        told = asker.get(f"/events/{position}.json").json
        assert told is not None
        assert told.keys() == {"position", "index", "entry", "withheld", "stored"}
        assert (told["withheld"], told["stored"]) == (True, None)


def test_nothing_of_it_is_on_paper(undecided: Undecided) -> None:
    """The board, the claim, the notice and the log, printed when all of it has happened; it has no
    notice of its own."""
    asker = somebody(undecided.orchard, "nobody")
    for stage in undecided.stages:
        stage()
    its, nothing = known(undecided, undecided.digests[0])
    for form in ("/corrections/{entry}.pdf", "/corrections/{number}.pdf"):
        there, nowhere = asker.get(its.address(form)), asker.get(nothing.address(form))
        assert there.status_code == 404
        assert answer(there, its) == answer(nowhere, nothing)
    for address in chain(*PRINTED.values()):
        with closing(asker.get(address)) as response:
            assert response.mimetype == "application/pdf", response.text
            with closing(pdfium.PdfDocument(response.data)) as printed:
                pages = [page.get_textpage().get_text_bounded() for page in printed]
        assert "Birch" in "".join(pages)
        assert undecided.found_in("\n".join(pages)) == [], address


def test_the_log_tells_its_events_from_no_other_that_is_withheld(undecided: Undecided) -> None:
    """Whoever looks for its stream, its reviewers or what happens to reports finds what they would
    find had it never been; and of each of its events there is a place and an entry."""
    asker = somebody(undecided.orchard, "auditor")
    for stage in undecided.stages:
        stage()
    for form in ("/audit/events{}?{}", "/audit/events{}?{}&shown=withheld"):
        for query in (f"stream=report:{NUMBER}", f"who={REVIEWER}", f"who={SECOND}"):
            found = asker.get(form.format(".json", query)).json
            assert found is not None
            assert (found["events"], found["next"]) == ([], None), query
    assert asker.get("/audit/events?type=report-filed/1").status_code == 400
    log = asker.get("/audit/events.json?shown=withheld&count=500").json
    assert log is not None
    told = {one["position"]: one for one in log["events"]}
    for position in undecided.positions:
        assert told[position].keys() == {"position", "entry", "withheld", "stored"}
