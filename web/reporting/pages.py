"""Reporting without an account: the form at ``/report``, filled in with what it is about.

Whatever is not taken comes back with all that was typed, and is saved as a draft under a cookie.
Files wait on the server until the form is sent. What is suspected gets the same answer as a report.
"""

from collections.abc import Mapping
from typing import Any

import attrs
from flask import Blueprint, Response, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import FileStorage

from ledger.errors import BadValue
from ledger.values import Instant
from ledger.vocabulary import UNITS
from projections.moment import moment_at
from web.access import account, client_key, largest, limit, public
from web.cookies import DRAFT, FORM, SESSION, cookie, new_secret, set_later
from web.private import drafts, uploads
from web.private.uploads import LARGEST_FILE, MOST_FILES
from web.reporting import filing, screening
from web.reporting.filled import Filled
from web.reporting.forms import Messages, Typed, blank, filled, relevant, sentence, typed_from
from web.reporting.targets import SITE, About, KnownNames, about, parse_target
from web.reporting.words import CAVEAT_DOES, FIELD_WORDS, REASON_WORDS, WISH_WORDS, longest
from web.site import site

LARGEST_FIELDS = 256 * 1024
LARGEST_POST = LARGEST_FIELDS + MOST_FILES * LARGEST_FILE
MOST_PARTS = 80
MOST_KEPT, MOST_WAITING = 2 * 10**9, 2 * 10**8
"""Bytes of evidence for which there is room in all (beyond it people are asked for addresses), and
of files that wait for a form to be sent (beyond it the oldest go)."""

QUARTER = 15 * 60
POSTS, REPORTS = 60, 10
"""How often one client may send a form, and file a report, in a quarter of an hour."""

TRAP = "website"
"""A field that nobody sees; programs fill it in."""

reporting = Blueprint("reporting", __name__)


@reporting.url_value_preprocessor
def _bounded(_endpoint: str | None, _values: dict[str, Any] | None) -> None:
    """Before anything is read: how much of a form is taken (the whole body has its own limit)."""
    request.max_form_memory_size = LARGEST_FIELDS
    request.max_form_parts = MOST_PARTS


# --- the form ---------------------------------------------------------------------------------


@reporting.get("/report")
@public
def report() -> ResponseReturnValue:
    """The form, filled in with its target, or as it was left."""
    known = known_of(request.args.get("target", SITE))
    left = _draft(known)
    typed = {**blank(known), **(left.typed if left else {})}
    return show_form(known, typed, saved_at=left.saved_at if left else None)


@reporting.post("/report")
@public
@largest(LARGEST_POST)
def send() -> ResponseReturnValue:
    """File what was typed, save it as a draft, or say what is missing."""
    limit("report-posts", client_key(), POSTS, QUARTER)
    typed = typed_from(request.form)
    if request.form.get(TRAP):
        return _trapped(typed)
    known = known_of(typed.get("target", SITE))
    match request.form.get("do", "send"):
        case "discard":
            _discard(known)
            return _back_to(known)
        case "save":
            messages = _take_files(known)
            _save(known, typed)
            return show_form(known, typed, messages) if messages else _back_to(known)
        case wanted:
            return _sent(known, typed, wanted)


def _trapped(typed: Typed) -> Response:
    """A program, most likely; it is told what everybody is told."""
    _limit_reports()
    posted = _posted(typed)
    return _thanks(screening.set_apart(site().workspace, posted, screening.HIDDEN_FIELD))


def _sent(known: About, typed: Typed, wanted: str) -> ResponseReturnValue:
    """File what makes sense, or show what does not."""
    messages, read = _take_files(known), filled(typed, known, names())
    if isinstance(read, Filled) and not messages:
        posted = attrs.evolve(_posted(relevant(typed)), form=_form_digest(), staged=_staged(known))
        before = filing.sent_before(site().workspace, posted)
        if before is None:
            return _file(known, posted, read, wanted)
        _discard(known)
        return _thanks(before)
    _save(known, typed)
    return show_form(known, typed, (read if isinstance(read, dict) else {}) | messages)


def _posted(typed: Typed) -> filing.Posted:
    """What came in just now, and from whom as far as that is known."""
    who = account()
    return filing.Posted(
        typed=typed,
        sender=_sender(),
        once=_once(),
        by=who.handle if who else None,
        received_at=site().workspace.ledger.clock(),
    )


def _file(known: About, posted: filing.Posted, read: Filled, wanted: str) -> ResponseReturnValue:
    """Join, set apart or file, whatever it comes to; the draft has done its work then."""
    workspace = site().workspace
    site().freshness.reached()
    same = screening.same_report(workspace, read)
    if same is not None and wanted not in ("join", "anyway"):
        _save(known, posted.typed)
        return show_form(known, posted.typed, offer=True)
    _limit_reports()
    join_to = same if wanted == "join" else None
    secret = screening.take_in(workspace, posted, read, join_to=join_to)
    _discard(known)
    return _thanks(secret)


def _limit_reports() -> None:
    limit("reports", client_key(), REPORTS, QUARTER)
    limit("reports-form", _sender(), REPORTS, QUARTER)


def _back_to(known: About) -> ResponseReturnValue:
    return redirect(url_for(".report", target=str(known.target)), 303)


def _thanks(secret: str) -> Response:
    response = redirect(url_for("letters.letter", secret=secret), 303)
    assert isinstance(response, Response)  # noqa: S101 -- Flask's redirect makes our own class
    return response


# --- what it is about -------------------------------------------------------------------------


def known_of(text: str) -> About:
    """What is known now of the target that a form names; refused when there is no such thing."""
    target = parse_target(text)
    here = site()
    reached, now = here.freshness.reached(), here.workspace.ledger.clock()
    with here.workspace.views.read() as reader:
        return about(reader, here.workspace.ledger.store, moment_at(reached, now), target)


def names() -> KnownNames:
    """The names that the ledger knows now."""
    workspace = site().workspace
    return KnownNames(workspace.known(), workspace.ledger.store, workspace.ledger.clock())


def show_form(
    known: About,
    typed: Typed,
    messages: Mapping[str, str] | None = None,
    *,
    saved_at: Instant | None = None,
    offer: bool = False,
    amends: str | None = None,
) -> Response:
    """The form with what was typed; with messages it was not taken (400), with an offer somebody
    reported the same (409). ``amends`` is the address of the letter that it changes."""
    html = render_template(
        "report.html",
        about=known,
        typed=typed,
        messages=messages or {},
        labels=FIELD_WORDS,
        limits={name: longest(name) for name in FIELD_WORDS},
        reasons=REASON_WORDS,
        wishes=WISH_WORDS,
        caveat_does=CAVEAT_DOES,
        units=[(unit, unit) for unit in UNITS],
        megabytes=LARGEST_FILE // 1_000_000,
        most_files=MOST_FILES,
        saved_at=saved_at,
        offer=offer,
        amends=amends,
        action=request.path,
        trap=TRAP,
        files=() if amends else _files(known),
        once=_once() or site().workspace.private.nonce().hex(),
    )
    return Response(html, 400 if messages else 409 if offer else 200, mimetype="text/html")


# --- the sender, drafts and files -------------------------------------------------------------


def _sender() -> str:
    """Whom the form was given to; the form's token was checked against this."""
    return cookie(SESSION) or cookie(FORM) or ""


def _once() -> str | None:
    """The mark of this very form, so that sending it twice files it once."""
    given = request.form.get("once", "")
    return given if 0 < len(given) <= 64 else None


def _browser() -> str:
    """The id under which this browser's drafts are kept; a new one if need be."""
    held = _held()
    if held is None:
        held = g.new_draft = new_secret()
        set_later(DRAFT, held)
    return held


def _held() -> str | None:
    return cookie(DRAFT) or g.get("new_draft")


def _form_digest() -> str | None:
    held = _held()
    return None if held is None else drafts.hashed(held)


def _draft(known: About) -> drafts.Draft | None:
    held = _held()
    if held is None:
        return None
    return drafts.draft_of(site().workspace.private, held, str(known.target))


def _save(known: About, typed: Typed) -> None:
    drafts.save_draft(site().workspace.private, _browser(), str(known.target), typed)


def _discard(known: About) -> None:
    held, owner = _held(), _staged(known)
    if held is not None and owner is not None:
        drafts.drop_draft(site().workspace.private, held, str(known.target))
        uploads.drop_uploads(site().workspace.private, owner)


def _staged(known: About) -> str | None:
    held = _held()
    if held is None:
        return None
    return uploads.staged(drafts.hashed(held), drafts.hashed(str(known.target)))


def _files(known: About) -> Any:
    owner = _staged(known)
    return () if owner is None else uploads.uploads_of(site().workspace.private, owner)


def _take_files(known: About) -> Messages:
    """Keep the files that came with the form until it is sent; and drop those that are ticked."""
    sent = [file for file in request.files.getlist("files") if file.filename]
    private = site().workspace.private
    owner = _staged(known)
    for digest in request.form.getlist("remove")[:MOST_FILES]:
        if owner is not None and len(digest) == 64:
            uploads.drop_upload(private, owner, digest)
    if not sent:
        return {}
    form = drafts.hashed(_browser())
    owner = uploads.staged(form, drafts.hashed(str(known.target)))
    return keep_files(owner, sent, form)


def keep_files(owner: str, sent: list[FileStorage], form: str | None = None) -> Messages:
    """Keep files for an owner; what is wrong with them, if anything."""
    private = site().workspace.private
    if uploads.kept_bytes(private) > MOST_KEPT:
        return {"files": "There is no room for files at the moment; give addresses instead."}
    for file in sent:
        content = file.stream.read(LARGEST_FILE + 1)
        try:
            uploads.keep_file(private, owner, file.filename or "", content, form=form)
        except BadValue as why:
            return {"files": sentence(why)}
    uploads.shed_staged(private, MOST_WAITING)
    return {}
