"""Filing a report as a program: ``POST /api/reports``, with the form's own rules and limits.

Nothing is asked of whoever sends it; a token files it under its account. What is suspected gets
the same answer as a report, as with the form.
"""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, url_for

from ledger.errors import BadValue, Conflict, Refused
from ledger.values import instant_text
from web.access import account, by_token, largest, public
from web.addresses import absolute
from web.api import limited
from web.api.sent import Done, document_sent, key_sent, once, sender
from web.api.shapes_reviewing import SAID_ALREADY
from web.api.told import told
from web.private.reporters import letter_of
from web.reporting import filing, screening
from web.reporting.filled import Filled
from web.reporting.forms import Messages, filled, relevant, typed_from
from web.reporting.pages import LARGEST_FIELDS, known_of, names
from web.reporting.words import FIELD_WORDS, MOST_ADDRESSES
from web.site import site

NEEDED = ("target", "reason")
JOIN = "join"
REFUSE = SAID_ALREADY[0]
WISH = "remark"
"""What should happen where nothing is said of that."""

filing_api = Blueprint("filing_api", __name__)
filing_api.after_request(limited.told)


class NotFiled(Refused):
    """This is no report yet, so nothing was filed. {said}"""

    def __init__(self, messages: Messages) -> None:
        super().__init__(said=" ".join(f"{name}: {text}" for name, text in messages.items()))
        self.messages = messages

    @property
    def beside(self) -> Mapping[str, Any]:
        """What a problem document says beside: what is wrong, field by field."""
        return {"fields": self.messages}


class SaidAlready(Conflict):
    """An open report says the same of the same thing, so nothing was filed; send it again with
    said_already as join, to add to that, or as anyway."""


@filing_api.post("/api/reports")
@public
@by_token("report", alone=True)
@largest(LARGEST_FIELDS)
@told("File a report.", "FiledReport", status=201, body="NewReport", scope="report")
def file_report() -> Response:
    """File a report, and give its secret link."""
    limited.stated(limited.SENDING, limited.FILING)
    limited.counted(limited.SENDING)
    return once(_file, keep=False)


def _file() -> Done:
    document = _document()
    said_already = str(document.pop("said_already", REFUSE))
    typed = typed_from({"wish": WISH, **document})
    known = known_of(typed.get("target", ""))
    read = filled(typed, known, names())
    if not isinstance(read, Filled):
        raise NotFiled(read)
    who = account()
    posted = filing.Posted(
        typed=relevant(typed),
        sender=sender(),
        once=key_sent(),
        by=who.handle if who else None,
        received_at=site().workspace.ledger.clock(),
    )
    before = filing.sent_before(site().workspace, posted)
    return _filed(before or _new(posted, read, said_already), read.target)


def _new(posted: filing.Posted, read: Filled, said_already: str) -> str:
    """Join, set apart or file, whatever it comes to."""
    workspace = site().workspace
    site().freshness.reached()
    same = screening.same_report(workspace, read)
    if same is not None and said_already == REFUSE:
        raise SaidAlready
    limited.counted(limited.FILING)
    join_to = same if said_already == JOIN else None
    return screening.take_in(workspace, posted, read, join_to=join_to)


def _filed(secret: str, target: str) -> Done:
    letter = letter_of(site().workspace.private, secret)
    assert letter is not None  # noqa: S101 -- it was just opened, or met
    told = {
        "letter": absolute(url_for("letters.letter", secret=secret)),
        "target": target,
        "received_at": instant_text(letter.opened_at),
    }
    return told, 201


# --- what is sent -----------------------------------------------------------------------------


def _document() -> dict[str, str]:
    """The fields of a report as the form sends them; what is not known is refused."""
    said = document_sent()
    if not isinstance(said, dict):
        raise BadValue(what="document", shown="of another type", why="give an object")
    for name in NEEDED:
        if name not in said:
            raise BadValue(what=name, shown="left out", why="it has to be said")
    return {name: _field(name, value) for name, value in said.items()}


def _field(name: str, value: object) -> str:
    if name == "addresses":
        return _addresses(value)
    if name == "said_already":
        if value not in SAID_ALREADY:
            why = f"it is one of {', '.join(SAID_ALREADY)}"
            raise BadValue(what=name, shown=repr(value)[:80], why=why)
        return str(value)
    if name not in FIELD_WORDS:
        why = f"known are {', '.join(FIELD_WORDS)}"
        raise BadValue(what="field", shown=ascii(name[:40]), why=why)
    if not isinstance(value, str):
        raise BadValue(what=name, shown=repr(value)[:80], why="give text")
    return value


def _addresses(value: object) -> str:
    """Addresses as the form has them, one a line."""
    if not isinstance(value, list) or len(value) > MOST_ADDRESSES:
        why = f"give a list of at most {MOST_ADDRESSES}"
        raise BadValue(what="addresses", shown=repr(value)[:80], why=why)
    for one in value:
        if not isinstance(one, str) or not one.strip() or len(one.splitlines()) != 1:
            raise BadValue(what="addresses", shown=repr(one)[:80], why="give each as one line")
    return "\n".join(value)
