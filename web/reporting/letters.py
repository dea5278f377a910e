"""The reporter's page behind the secret link: what became of a report, and what they may still do.

Whoever holds the link may amend, add evidence or withdraw until it is decided. Without it every
address here answers like one that does not exist; no search engine is to keep it.
"""

from collections.abc import Mapping
from typing import Any

import attrs
from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound as NoSuchPage

from ledger import commands as orders
from ledger.errors import BadValue, Refused
from ledger.report import stream_of
from ledger.vocabulary import WITHDRAWALS
from projections.decisions.corrections import numbers_of
from web.access import client_key, largest, limit, public
from web.headers import SANDBOX
from web.private import reporters, uploads
from web.private.reporters import Letter
from web.reporting import filing, screening
from web.reporting.filled import Filled
from web.reporting.forms import filled, readable_addresses, relevant, sentence, typed_from
from web.reporting.pages import (
    LARGEST_FIELDS,
    LARGEST_POST,
    MOST_PARTS,
    POSTS,
    QUARTER,
    keep_files,
    known_of,
    names,
    show_form,
)
from web.reporting.steps import RECEIVED, Step, steps_of
from web.reporting.targets import About
from web.reporting.words import FIELD_WORDS, LIMITS, in_words
from web.site import site
from web.telling.messages import WITHDRAWN
from web.telling.outgoing import tell

LINK = "/reports/<string(length=43):secret>"

CHANGES = (20, 86_400)
"""How often one report may be amended, in so many seconds; each is an event for good."""

letters = Blueprint("letters", __name__)


@letters.url_value_preprocessor
def _bounded(_endpoint: str | None, _values: dict[str, Any] | None) -> None:
    request.max_form_memory_size = LARGEST_FIELDS
    request.max_form_parts = MOST_PARTS


@letters.after_request
def _not_listed(response: Response) -> Response:
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response


# --- the page ---------------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Progress:
    """How far a report has come: its state, each step, and whether it may still be changed."""

    state: str
    steps: tuple[Step, ...]

    @property
    def is_open(self) -> bool:
        """Whether anything of it waits to be decided."""
        return self.state in ("open", "apart")


@letters.get(LINK)
@public
def letter(secret: str) -> ResponseReturnValue:
    """What was reported, and each step since."""
    return _page(secret, _letter(secret))


def _page(
    secret: str, mine: Letter, messages: Mapping[str, str] | None = None, addresses: str = ""
) -> Response:
    number = filing.number_of_letter(site().workspace, mine)
    html = render_template(
        "letter.html",
        secret=secret,
        letter=mine,
        number=number,
        about=_about(mine),
        said=in_words(mine.typed, but=("target", "addresses")),
        progress=_progress(mine, number),
        sent=_sent(mine),
        messages=messages or {},
        addresses=addresses,
        withdrawals=WITHDRAWALS,
        labels=FIELD_WORDS,
    )
    return Response(html, 400 if messages else 200, mimetype="text/html")


def _letter(secret: str) -> Letter:
    """The letter of a secret; whoever has none is told what everybody is told."""
    site().freshness.reached()
    found = reporters.letter_of(site().workspace.private, secret)
    if found is None:
        raise NoSuchPage
    return found


def _about(mine: Letter) -> About | None:
    try:
        return known_of(mine.typed.get("target", ""))
    except Refused:
        return None  # a suspected post may say anything, and a page may have gone


def _sent(mine: Letter) -> list[uploads.Evidence]:
    """The evidence that was sent along and later."""
    private, owner = site().workspace.private, uploads.of_letter(mine.key)
    found = (uploads.evidence(private, one.digest) for one in uploads.uploads_of(private, owner))
    return [one for one in found if one is not None]


def _progress(mine: Letter, number: int | None) -> Progress:
    workspace = site().workspace
    if number is None:
        return Progress(state="received", steps=(Step(mine.opened_at, RECEIVED),))
    records = workspace.ledger.store.stream(stream_of(number))
    decisions = [getattr(one.event, "decision", None) for one in records]
    with workspace.views.read() as reader:
        notices = numbers_of(reader, [one for one in decisions if one])
    steps = steps_of(records, notices, mine.handle)
    if mine.joined:
        joined = Step(mine.opened_at, "Received, and added to an open report that says the same")
        steps = [joined, *(one for one in steps if one.at > mine.opened_at)]
    return Progress(state=workspace.ledger.report(number).state, steps=tuple(steps))


# --- amending ---------------------------------------------------------------------------------


@letters.get(f"{LINK}/amend")
@public
def amend(secret: str) -> ResponseReturnValue:
    """The form again, with what was said."""
    mine, _ = _open_one(secret)
    return show_form(known_of(mine.typed.get("target", "")), mine.typed, amends=_address_of(secret))


@letters.post(f"{LINK}/amend")
@public
@largest(LARGEST_FIELDS)
def send_amendment(secret: str) -> ResponseReturnValue:
    """Say it anew; the report's target and reason stay."""
    limit("report-posts", client_key(), POSTS, QUARTER)
    mine, number = _open_one(secret)
    limit("letter", mine.key, *CHANGES)
    workspace = site().workspace
    fixed = {name: mine.typed.get(name, "") for name in ("target", "reason")}
    typed = {**typed_from(request.form), **fixed, "addresses": ""}
    known = known_of(fixed["target"])
    read = filled(typed, known, names())
    if not isinstance(read, Filled):
        return show_form(known, typed, read, amends=_address_of(secret))
    with filing.kept_words(workspace, read.private_words) as words:
        order = orders.AmendReport(number=number, proposes=read.proposes, words=words)
        workspace.ledger.do(order, mine.handle)
    kept = {**relevant(typed), "addresses": mine.typed.get("addresses", "")}
    reporters.amend_letter(
        workspace.private, mine.key, {k: v for k, v in kept.items() if v}, read.contact, read.credit
    )
    return _back(secret)


# --- more evidence, and taking it back --------------------------------------------------------


@letters.post(f"{LINK}/evidence")
@public
@largest(LARGEST_POST)
def add_evidence(secret: str) -> ResponseReturnValue:
    """Add addresses and files."""
    limit("report-posts", client_key(), POSTS, QUARTER)
    mine, number = _open_one(secret, joined=True)
    limit("letter", mine.key, *CHANGES)
    given = request.form.get("addresses", "")
    owner = uploads.of_letter(mine.key)
    try:
        addresses = _few(given)
    except BadValue as why:
        return _page(secret, mine, {"addresses": sentence(why)}, given)
    sent = [file for file in request.files.getlist("files") if file.filename]
    if not addresses and not sent:
        return _page(secret, mine, {"addresses": "Give an address, or choose a file."}, given)
    messages = keep_files(owner, sent)
    if messages:
        return _page(secret, mine, messages, given)
    workspace = site().workspace
    for address in addresses:
        uploads.keep_address(workspace.private, owner, address)
    filing.add_evidence(workspace, mine, number)
    return _back(secret)


def _few(given: str) -> tuple[str, ...]:
    if len(given) > LIMITS["addresses"]:
        why = f"at most {LIMITS['addresses']:,} characters are read"
        raise BadValue(what="addresses", shown=f"of {len(given):,} characters", why=why)
    return readable_addresses(given)


@letters.post(f"{LINK}/withdraw")
@public
def withdraw(secret: str) -> ResponseReturnValue:
    """Take the report back; one that was set apart goes without a trace."""
    limit("report-posts", client_key(), POSTS, QUARTER)
    mine, workspace = _letter(secret), site().workspace
    if mine.suspected and screening.purge(workspace, [mine.key]):
        return redirect(url_for("public.index"), 303)
    mine, number = _open_one(secret)
    reason = request.form.get("reason", "")
    if reason not in WITHDRAWALS:
        return _page(secret, mine, {"withdraw": "Choose why you take it back."})
    # The event holds one of these, never words of one's own.
    order = orders.WithdrawReport(number=number, reason=WITHDRAWALS[reason])
    workspace.ledger.do(order, mine.handle)
    tell(workspace, number, WITHDRAWN)
    return _back(secret)


@letters.get(f"{LINK}/files/<digest:digest>")
@public
def file(secret: str, digest: str) -> ResponseReturnValue:
    """A file that one sent oneself, as a download that no browser runs or shows as a page."""
    owner = uploads.of_letter(_letter(secret).key)
    found = uploads.evidence(site().workspace.private, digest, owner)
    if found is None:
        raise NoSuchPage
    return as_download(found)


def as_download(found: uploads.Evidence) -> Response:
    """Evidence as a download; its name on disk is its digest, whatever its sender called it."""
    upload = found.upload
    ending = uploads.ENDINGS.get(upload.media_type, "txt")
    response = Response(found.content, content_type="application/octet-stream")
    response.headers["Content-Disposition"] = (
        f'attachment; filename="{upload.digest[:16]}.{ending}"'
    )
    response.headers["Content-Security-Policy"] = SANDBOX
    return response


def _open_one(secret: str, *, joined: bool = False) -> tuple[Letter, int]:
    """A letter whose report may still be changed, and its number."""
    mine = _letter(secret)
    number = filing.number_of_letter(site().workspace, mine)
    if number is None or (mine.joined and not joined):
        raise NotYours
    return mine, number


class NotYours(Refused):
    """This report cannot be changed from here: it waits for a first look, or somebody else said it
    before you; you may add evidence to that one."""


def _back(secret: str) -> ResponseReturnValue:
    site().freshness.reached()
    return redirect(_address_of(secret), 303)


def _address_of(secret: str) -> str:
    return url_for("letters.letter", secret=secret)
