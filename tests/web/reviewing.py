"""A review page as it is used: what was reported, what is typed, and what is pressed."""

from datetime import timedelta

from werkzeug.test import TestResponse

from ledger import commands as orders
from ledger import events as ev
from ledger.events import Change
from ledger.values import Digest
from tests.web.desk import BENCHMARK, HERON, LOON, START, Desk, Office
from tests.web.flat_page import Page
from tests.web.people import Person
from tests.web.sent import Fields, form_of, opened
from web.reporting.filing import file_numbered

HOSTILE = "<script>alert('x')</script>"
PDF = "application/pdf"


def filed_with_words(desk: Desk, words: str = f"Table 3 says 70.1. {HOSTILE}") -> int:
    """A report on Heron-7B with something said in private."""
    digest = desk.workspace.private.keep_words(words)
    return file_numbered(
        desk.workspace,
        "dana",
        lambda number: orders.FileReport(
            number=number,
            target=f"claims/{HERON}",
            reason="wrong-value",
            proposes=(Change("score", "72.5", "70.1"),),
            words=digest,
            received_at=desk.clock(),
        ),
    )


def typed(person: Person, number: int, **said: str | list[str]) -> Fields:
    """The form of a report's page, with some of it said otherwise; nothing is pressed yet."""
    fields = opened(person, f"/review/{number}")
    for name, value in said.items():
        fields[name.replace("__", "-")] = [value] if isinstance(value, str) else value
    return fields


def ready(person: Person, desk: Desk, number: int, **said: str | list[str]) -> Fields:
    """A decision that has all it needs: what was asked for, checked, from the start."""
    told: dict[str, str | list[str]] = {
        "outcome": "accepted",
        "applies": "start",
        "snapshot": str(desk.snapshot()),
        "statement": "Table 3 says so.",
        "type": "correction",
    }
    return typed(person, number, **(told | said))


def press(person: Person, number: int, do: str, fields: Fields) -> TestResponse:
    """Press a button of the page."""
    return person.post(f"/review/{number}", {**fields, "do": do})


# --- what is on the page ----------------------------------------------------------------------


def frozen(desk: Desk, data: bytes, media_type: str) -> Digest:
    """Freeze another reading of the leaderboard."""
    digest = desk.workspace.ledger.archive.put(data)
    fact = ev.SourceFrozen(
        digest=digest,
        media_type=media_type,
        size=len(data),
        read_at=START + timedelta(days=1),
        benchmark=BENCHMARK,
    )
    desk.workspace.ledger.do(orders.Assert(stream="source:kite-board", fact=fact), "curator")
    desk.workspace.follower.catch_up()
    return digest


def pdf_with(text: str) -> bytes:
    """A PDF of one page, written by hand."""
    stream = f"BT /F1 12 Tf 20 100 Td ({text}) Tj ET".encode()
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources 6 0 R >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Font << /F1 5 0 R >> >>",
    ]
    body = b"%PDF-1.4\n"
    places = []
    for number, part in enumerate(parts, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 7\n0000000000 65535 f \n" + table
    return body + head + b"trailer\n<< /Size 7 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % len(body)


# --- the second person ------------------------------------------------------------------------


def proposed(office: Office) -> int:
    """A report of which a removal is proposed by boris."""
    number, boris = office.desk.file(LOON, (Change("standing", "stated", "retracted"),)), None
    boris = office.reviewer()
    fields = ready(boris, office.desk, number, type="retraction")
    response = press(boris, number, "decide", fields)
    assert response.headers["Location"].endswith("done=proposed")
    return number


# --- the queue --------------------------------------------------------------------------------


def picked(person: Person, numbers: list[int]) -> Fields:
    """The queue's form with the lines of some reports ticked."""
    page = Page.of(person.get("/review").text)
    lines = [
        value or ""
        for tag, name, value in page.attributes
        if (tag, name) == ("input", "value") and value and value.count(":") == 3
    ]
    chosen = [line for line in lines if int(line.partition(":")[0]) in numbers]
    return form_of(person.get("/review").text) | {"chosen": chosen}
