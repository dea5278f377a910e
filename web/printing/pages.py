"""The ``.pdf`` addresses of pages, and of large PDFs the jobs: begun by a form, never by a link.

What was printed once is served from disk. A small PDF is printed while whoever asks waits, within
limits; for a large one the address shows a button, and its job a page that says how far it has
come, needs no script, and can be left and come back to.
"""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from threading import BoundedSemaphore

from flask import Blueprint, Response, redirect, render_template, request, send_file, url_for

from ledger.errors import NotFound
from reports.bundle.making import made
from reports.pdf import pdf_of
from web import access
from web.asked import BOARD, TIME, asked
from web.exporting import since_when
from web.exports import file_name, of_a_day, records_of
from web.headers import kept, tag_of, unchanged
from web.log.asked import PERIOD
from web.printing.jobs import Job, Jobs, OneAtATime, PressBusy
from web.printing.keeping import Exports, Finished
from web.printing.wanted import Wanted, wanted
from web.settings import Settings
from web.site import Look, site
from web.subjects import (
    Subject,
    board_subject,
    claim_subject,
    correction_subject,
    log_subject,
    paper_subject,
)

printing = Blueprint("printing", __name__)

QUARTER = 15 * 60
PRINTED, PRINTED_BY_ACCOUNT, BEGUN = 20, 120, 6
"""How many small PDFs one client, and one account, may have printed in a quarter of an hour, and
how many large ones either may begin; what is on disk counts for nothing."""
AT_ONCE = 2
PATIENCE = 120.0
"""Seconds that a small PDF may take; half of that is waited for its turn."""
REFRESH = 3
"""Seconds after which the page of a job looks again."""
_TURN = BoundedSemaphore(AT_ONCE)


LOG = (*TIME, *PERIOD)
"""The parameters of a log."""


@printing.get("/benchmarks/<slug:slug>.pdf")
@access.public
def board(slug: str) -> Response:
    """A board with its provenance."""
    return _answer(board_subject(slug), BOARD)


@printing.post("/benchmarks/<slug:slug>.pdf")
@access.public
def begin_board(slug: str) -> Response:
    """Begin the job of a large board."""
    return _answer(board_subject(slug), BOARD)


@printing.get("/claims/<claim:claim>.pdf")
@access.public
def claim(claim: str) -> Response:
    """The dossier of one number."""
    return _answer(claim_subject(claim))


@printing.get("/papers/<slug:name>.pdf")
@access.public
def paper(name: str) -> Response:
    """The dossier of one paper."""
    return _answer(paper_subject(name))


@printing.post("/papers/<slug:name>.pdf")
@access.public
def begin_paper(name: str) -> Response:
    """Begin the job of a paper with many samples."""
    return _answer(paper_subject(name))


@printing.get("/corrections/<number:number>.pdf")
@access.public
def correction(number: int) -> Response:
    """The notice of one decision."""
    return _answer(correction_subject(number))


@printing.get("/corrections.pdf")
@access.public
def log() -> Response:
    """What was decided in a period."""
    return _answer(log_subject(), LOG)


@printing.post("/corrections.pdf")
@access.public
def begin_log() -> Response:
    """Begin the job of a long period."""
    return _answer(log_subject(), LOG)


# --- finished ones ----------------------------------------------------------------------------


@printing.get("/exports/<digest:digest>.pdf")
@access.public
def finished(digest: str) -> Response:
    """A finished PDF by the SHA-256 of its bytes; it never changes."""
    found = exports().finished(digest)
    if found is None:
        raise NotFound(what="finished PDF", name=digest)
    tag = tag_of(digest)
    return kept(unchanged(tag) or _file(found), tag, for_ever=True)


def exports() -> Exports:
    """The finished PDFs of this ledger."""
    return Exports(site().workspace.settings.home.absolute() / "exports")


def _file(found: Finished) -> Response:
    response = send_file(
        found.path, mimetype="application/pdf", download_name=found.name, etag=False
    )
    response.headers.pop("Last-Modified", None)
    return response


# --- the PDF of a page ------------------------------------------------------------------------


def _answer(subject: Subject, known: tuple[str, ...] = TIME) -> Response:
    since = since_when()

    def respond(look: Look) -> Response:
        moment = of_a_day(look.moment, look.asked, look.today)
        want = wanted(look, subject(look, moment), since)
        found = exports().asked(want.key)
        if found is not None:
            return _file(found)
        if request.method == "POST":
            return _begin(want)
        return _button(want) if want.is_large else _file(_print(want))

    return site().answer(respond, known, erasable=since)


def _print(want: Wanted) -> Finished:
    """Print a small one now. Raises ``TooMany``, :class:`PressBusy`, ``reports.pdf.Failed``."""
    who = access.account()
    key, most = _owner(), PRINTED_BY_ACCOUNT if who else PRINTED
    access.limit("pdf", key, most, QUARTER)
    if not _TURN.acquire(timeout=PATIENCE / 2):
        raise PressBusy
    try:
        bundle = made(records_of(site().workspace), want.asked)
        pdf = pdf_of(bundle.data, patience=PATIENCE)
    finally:
        _TURN.release()
    name = f"{file_name(bundle.document)}.pdf"
    with tempfile.TemporaryDirectory(dir=_room()) as folder:
        path = Path(folder) / "paper.pdf"
        path.write_bytes(pdf)
        return exports().keep(want.key, name, path)


def _room() -> Path:
    folder = exports().folder
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _owner() -> str:
    """Whose limits count: the account's, or those of the client's network today."""
    who = access.account()
    return f"account-{who.handle}" if who else f"client-{access.client_key()}"


# --- large ones -------------------------------------------------------------------------------


def _button(want: Wanted) -> Response:
    """The page with the button that begins the job."""
    html = render_template("export.html", want=want, back=_back(), action=request.full_path)
    return Response(html, mimetype="text/html")


def _begin(want: Wanted) -> Response:
    access.limit("pdf-jobs", _owner(), BEGUN, QUARTER)
    order = want.order(_back())
    try:
        name = jobs().start(_owner(), order, environment_of(site().workspace.settings))
    except OneAtATime as no:
        running = jobs().job(no.fields["job"])
        if running is None or running.key != want.key:
            raise
        return _to(running.id)
    return _to(name)


def _back() -> str:
    """The page that the PDF is of."""
    query = request.query_string.decode("ascii", "replace")
    return request.path.removesuffix(".pdf") + (f"?{query}" if query else "")


def jobs() -> Jobs:
    """The jobs of this ledger."""
    return Jobs(exports().jobs)


def environment_of(settings: Settings) -> Mapping[str, str]:
    """The environment in which another process of ours opens this very ledger."""
    told = {
        "CORRIGENDA_HOME": str(settings.home.absolute()),
        "CORRIGENDA_DATABASE_URL": settings.database_url,
        "CORRIGENDA_ADDRESS": settings.address,
        "CORRIGENDA_SIGNING_KEY": settings.signing_key,
    }
    rest = {name: value for name, value in os.environ.items() if name not in told}
    return rest | {name: value for name, value in told.items() if value}


@printing.get("/exports/jobs/<job>")
@access.public
def status(job: str) -> Response:
    """How far a job has come; once it is done, where its PDF is."""
    asked(request.args, ())
    found = _job(job)
    response = Response(
        render_template("export_job.html", job=found, refresh=REFRESH), mimetype="text/html"
    )
    if not found.is_over:
        response.headers["Refresh"] = str(REFRESH)
    return response


@printing.post("/exports/jobs/<job>/cancel")
@access.public
def cancel(job: str) -> Response:
    """End a job; whoever knows its address may."""
    _job(job)
    jobs().cancel(job)
    return _to(job)


def _job(name: str) -> Job:
    found = jobs().job(name) if len(name) == 32 and name.isalnum() and name.isascii() else None
    if found is None:
        raise NotFound(what="job", name=name[:40])
    return found


def _to(job: str) -> Response:
    response = redirect(url_for("printing.status", job=job), 303)
    assert isinstance(response, Response)  # noqa: S101 -- Flask's own class of responses
    return response
