"""Filing a report: under the next free number, with its words, its letter and its evidence.

The order of the steps is what keeps a crash harmless: the letter comes first, in one commit with
all that came along, so that whoever was told a secret link finds something there; then the words,
then the event, then the evidence. The report belongs to the letter whose handle filed it at that
time. Each step looks whether it was done: the same form, sent again, does what a crash left out.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType

import attrs

from ledger import commands as orders
from ledger import faults
from ledger.errors import AlreadyDecided, BadValue, Conflict, Refused, ReportClosed
from ledger.events import EvidenceAdded, ReportAmended, ReportFiled
from ledger.report import must_be_open, stream_of
from ledger.values import Digest, Instant
from projections.review.queue import WaitingReport, next_report_number, reports_of
from web.private import reporters, uploads
from web.private.reporters import AlreadySent, Letter
from web.private.suspected import Apart, with_letter
from web.private.uploads import Along
from web.reporting.filled import Filled
from web.telling.messages import RECEIVED
from web.telling.outgoing import tell
from web.wiring import Workspace

ATTEMPTS = 20


def file_numbered(
    workspace: Workspace,
    by: str,
    order_with: Callable[[int], orders.FileReport],
    filed: Callable[[], int | None] = lambda: None,
) -> int:
    """File a report under the next free number; another one when somebody else took that.

    ``filed`` gives the number under which this very report is there already. It is asked once a
    number was chosen: whoever files the same one later either takes that number, or sees it here.
    """
    for attempt in range(1, ATTEMPTS + 1):
        workspace.catch_up()
        with workspace.views.read() as reader:
            number = next_report_number(reader)
        already = filed()
        if already is not None:
            return already
        try:
            workspace.ledger.do(order_with(number), by)
        except (BadValue, Conflict) as why:
            if attempt == ATTEMPTS or not _is_taken(why):
                raise
        else:
            return number
    raise AssertionError


def _is_taken(why: BadValue | Conflict) -> bool:
    """Whether somebody else filed under the number meanwhile."""
    return isinstance(why, Conflict) or why.fields.get("what") == "report"


@contextmanager
def kept_words(workspace: Workspace, words: str | None) -> Iterator[Digest | None]:
    """Keep some words while they are recorded; they are erased again when that is refused."""
    digest = workspace.private.keep_words(words) if words else None
    # Crash here: words that no report names, which say nothing to anybody.
    faults.here("file:words")
    try:
        yield digest
    except Refused:
        if digest is not None:
            workspace.private.erase(digest)
        raise


# --- of people without an account -------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Posted:
    """A form that came in: what was typed, by whom it was sent, with which files staged.

    ``by`` is the handle of who is logged in, ``None`` for somebody without an account. ``sender``
    and ``once`` mark the very form that we gave out; ``form`` is the digest of the id
    that the browser's drafts are kept under.
    """

    typed: Mapping[str, str] = attrs.field(repr=False)
    sender: str | None = attrs.field(default=None, repr=False)
    once: str | None = attrs.field(default=None, repr=False)
    form: str | None = attrs.field(default=None, repr=False)
    staged: str | None = None
    by: str | None = None
    received_at: Instant


def open_for(
    workspace: Workspace,
    posted: Posted,
    filled: Filled | None,
    *,
    apart: Apart | None = None,
    join_to: int | None = None,
) -> tuple[str, Letter, bool]:
    """A letter for a form that came in: its secret, itself, and whether it is new.

    ``apart`` says that it waits apart, ``join_to`` that it stands behind another's report; then
    what was written is evidence. It is one commit with all that comes along: a crash leaves all of
    it or nothing. The same form with the same content comes to the same letter.
    """
    private = workspace.private
    along = Along(
        staged=posted.staged,
        addresses=filled.addresses if filled else (),
        text=filled.private_words if filled and join_to is not None else None,
    )
    try:
        secret = reporters.open_letter(
            private,
            join_to,
            filled.contact if filled else None,
            secret=_secret_of(workspace, posted),
            handle=posted.by,
            opened_at=posted.received_at,
            credit=filled.credit if filled else None,
            typed=posted.typed,
            form=posted.form,
            joined=join_to is not None,
            suspected=apart is not None,
            along=with_letter(private, along, apart),
        )
    except AlreadySent as before:
        return before.secret, _letter(workspace, before.secret), False
    return secret, _letter(workspace, secret), True


def sent_before(workspace: Workspace, posted: Posted) -> str | None:
    """The secret of the letter that this very form came to when it was sent before.

    What a crash left out of the report is done now, and files that came along now are added.
    ``None`` also for a letter of which a crash left nothing but itself, or whose report was closed
    before what it says was there: it is filed now.
    """
    secret = _secret_of(workspace, posted)
    letter = None if secret is None else reporters.letter_of(workspace.private, secret)
    if letter is None:
        return None
    if posted.staged is not None:
        uploads.move_uploads(workspace.private, posted.staged, uploads.of_letter(letter.key))
    return secret if letter.suspected or _is_whole(workspace, letter) else None


def _is_whole(workspace: Workspace, letter: Letter) -> bool:
    """Whether all of a letter is in a report, at the latest now."""
    if letter.number is None:
        workspace.catch_up()
    number = number_of_letter(workspace, letter)
    if number is None:
        return False
    if add_while_open(workspace, letter, number) or not letter.joined:
        return True
    reporters.part_letter(workspace.private, letter.key)
    return False


def _secret_of(workspace: Workspace, posted: Posted) -> str | None:
    """The secret that belongs to this form with this content; ``None`` for a form without marks."""
    if posted.sender is None or posted.once is None:
        return None
    content = (f"{name}\x1f{text}" for name, text in sorted(posted.typed.items()))
    return reporters.new_secret(workspace.private, posted.sender, posted.once, *content)


def _letter(workspace: Workspace, secret: str) -> Letter:
    found = reporters.letter_of(workspace.private, secret)
    assert found is not None  # noqa: S101 -- it was just opened, or met
    return found


def file_report(workspace: Workspace, posted: Posted, filled: Filled) -> str:
    """File what was posted, and give the secret of its letter.

    A refusal leaves nothing behind but the staged files.
    """
    secret, letter, is_new = open_for(workspace, posted, filled)
    # Crash here: a letter without a report, which the same form sent again files.
    faults.here("file:opened")
    if letter.suspected or letter.number is not None:
        return secret
    if not is_new and posted.staged is not None:
        uploads.move_uploads(workspace.private, posted.staged, uploads.of_letter(letter.key))
    try:
        number = _record(workspace, letter, filled, letter.opened_at)
    except Exception:
        if is_new:
            _close(workspace, posted, letter)
        raise
    _finish(workspace, letter, number)
    return secret


def join_report(workspace: Workspace, posted: Posted, filled: Filled, number: int) -> str:
    """Let what was posted stand behind another's open report, as evidence for it; gives the secret
    of its own letter.

    Refused when the report is closed meanwhile; that leaves nothing behind but the staged files.
    """
    must_be_open(workspace.ledger.report(number))
    secret, letter, is_new = open_for(workspace, posted, filled, join_to=number)
    # Crash here: the letter has all that was said, and the same form sent again adds it.
    faults.here("join:opened")
    if letter.suspected:
        return secret
    if letter.number is None:
        # A crash left it alone; or the report that it stood behind was closed.
        reporters.join_letter(workspace.private, letter.key, number, filled.private_words)
        letter = _letter(workspace, secret)
    try:
        add_evidence(workspace, letter, letter.number or number)
    except Exception:
        if is_new:
            _close(workspace, posted, letter)
        raise
    return secret


def file_letter(workspace: Workspace, letter: Letter, filled: Filled, received_at: Instant) -> int:
    """File the report of a letter that was set apart, received at an instant; gives its number.

    Where a process died in the midst of it, what that one left out.
    """
    number = _record(workspace, letter, filled, received_at)
    _finish(workspace, letter, number)
    return number


def _record(workspace: Workspace, letter: Letter, filled: Filled, received_at: Instant) -> int:
    """The one event, with its words; of somebody else's try where that was first."""
    with kept_words(workspace, filled.private_words) as words:
        number = file_numbered(
            workspace,
            letter.handle,
            lambda number: filled.order(number, words, received_at),
            lambda: filed_as(workspace, letter),
        )
    if words is not None and words not in words_digests(workspace, number):
        workspace.private.erase(words)
    return number


def _finish(workspace: Workspace, letter: Letter, number: int) -> None:
    # Crash here: the report is filed; its letter finds it by the handle that filed it.
    faults.here("file:recorded")
    reporters.number_letter(workspace.private, letter.key, number)
    add_while_open(workspace, letter, number)
    workspace.catch_up()
    tell(workspace, number, RECEIVED)


def _close(workspace: Workspace, posted: Posted, letter: Letter) -> None:
    """Take a letter back whose report could not be filed; its files wait for the next try."""
    if posted.staged is not None:
        uploads.move_uploads(workspace.private, uploads.of_letter(letter.key), posted.staged)
    reporters.drop_letter(workspace.private, letter.key)


def add_evidence(workspace: Workspace, letter: Letter, number: int) -> None:
    """Record what came with a letter and is not recorded yet."""
    known = evidence_of(workspace, number)
    for one in uploads.uploads_of(workspace.private, uploads.of_letter(letter.key)):
        if one.digest not in known:
            _add(workspace, letter, number, one.digest)
            # Crash here: the rest is added when the same form comes again.
            faults.here("evidence:recorded")


def add_while_open(workspace: Workspace, letter: Letter, number: int) -> bool:
    """The same, unless the report was closed before it was there: then its letter alone has it."""
    try:
        add_evidence(workspace, letter, number)
    except (AlreadyDecided, ReportClosed):
        return False
    return True


def _add(workspace: Workspace, letter: Letter, number: int, digest: Digest) -> None:
    """Record one piece, unless it is there; again when somebody else was faster with theirs."""
    order = orders.AddEvidence(number=number, digest=digest, private=True)
    for attempt in range(1, ATTEMPTS + 1):
        try:
            workspace.ledger.do(order, letter.handle)
        except Conflict:
            if attempt == ATTEMPTS:
                raise
        else:
            return


def evidence_of(workspace: Workspace, number: int) -> Mapping[str, Instant]:
    """The digests of a report's evidence, and when each was added."""
    added: dict[str, Instant] = {
        record.event.digest: record.envelope.recorded_at
        for record in workspace.ledger.store.stream(stream_of(number))
        if isinstance(record.event, EvidenceAdded) and record.event.digest is not None
    }
    return MappingProxyType(added)


def words_digests(workspace: Workspace, number: int) -> list[Digest]:
    """The digests of what was written in a report, the latest last."""
    return [
        record.event.words
        for record in workspace.ledger.store.stream(stream_of(number))
        if isinstance(record.event, ReportFiled | ReportAmended) and record.event.words is not None
    ]


def private_digests(workspace: Workspace, number: int) -> list[Digest]:
    """The digests of all that a report's people wrote and sent, for erasing it."""
    return [*words_digests(workspace, number), *map(Digest, evidence_of(workspace, number))]


def _belongs_to_another(workspace: Workspace, report: WaitingReport, letter: Letter) -> bool:
    """Whether a report, filed at this very time by the same account, came with another letter."""
    known = reporters.letters_about(workspace.private, report.number)
    return any(one.key != letter.key and not one.joined for one in known)


def number_of_letter(workspace: Workspace, letter: Letter) -> int | None:
    """The number of a letter's report; ``None`` also for what waits apart."""
    return letter.number if letter.suspected else filed_as(workspace, letter)


def filed_as(workspace: Workspace, letter: Letter) -> int | None:
    """The number under which a letter was filed; where a crash left it out it is that of the report
    that the letter's sender filed at its very time."""
    if letter.number is not None:
        return letter.number
    with workspace.views.read() as reader:
        by_them = reports_of(reader, letter.handle)
    mine = [
        one.number
        for one in by_them
        if one.received_at == letter.opened_at and not _belongs_to_another(workspace, one, letter)
    ]
    if not mine:
        return None
    reporters.number_letter(workspace.private, letter.key, mine[0])
    return mine[0]
