"""Telling people what happens to reports: the operator by webhook, reporters by mail.

What there is to tell follows from the ledger: :func:`collect` goes through it from where it stood
last and puts messages into the outbox, in one transaction with the new place; so a decision whose
process died right after it was recorded is told all the same, and none is put there twice.
:func:`work` sends what is due. What went wrong in a way that is known is tried again, later and
later, at most :data:`MOST_ATTEMPTS` times; what may have arrived (we died, or the connection broke,
while the answer was awaited) is *unsure* and not sent again by itself: no one is told twice.

Nothing here fails a decision: what cannot be told now waits, and is logged without anybody's
address.
"""

import logging
import secrets
import threading
from collections.abc import Iterable, Iterator
from datetime import timedelta

import attrs

from ledger import events as ev
from ledger.errors import BadValue, Refused
from ledger.report import stream_of
from ledger.values import Instant
from web.private import outbox
from web.private.outbox import DROPPED, FAILED, SENT, UNSURE, Message
from web.private.reporters import letter_with, letters_about
from web.settings import Settings
from web.telling import mailing, messages, posting
from web.wiring import Workspace

LOG = logging.getLogger("corrigenda.telling")

WEBHOOK, MAIL = "webhook", "mail"
BATCH = 2_000
AT_ONCE = 200
"""Messages of one round."""

PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 2 * 60, 6 * 60, 24 * 60))
MOST_ATTEMPTS = len(PAUSES) + 1

EVENTS: dict[type, str] = {
    ev.ReportFiled: messages.RECEIVED,
    ev.ReviewStarted: messages.IN_REVIEW,
    ev.DecisionMade: messages.DECIDED,
    ev.DecisionReversed: messages.REVERSED,
    ev.ReportWithdrawn: messages.WITHDRAWN,
}


# --- channels ---------------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Webhook:
    """Where the operator listens, and the secret that signs."""

    url: str
    secret: str = attrs.field(repr=False)


@attrs.frozen(kw_only=True)
class Mail:
    """Through which server, and from whom."""

    relay: mailing.Relay
    sender: str


@attrs.frozen(kw_only=True)
class Channels:
    """The ways that the operator set up."""

    webhook: Webhook | None
    mail: Mail | None

    @property
    def any(self) -> bool:
        """Whether anything can be told."""
        return self.webhook is not None or self.mail is not None


def channels_of(settings: Settings) -> Channels:
    """The channels of these settings; refused, without repeating a secret, where one is only half
    set up."""
    return Channels(webhook=_webhook(settings), mail=_mail(settings))


def _webhook(settings: Settings) -> Webhook | None:
    if settings.webhook_url is None:
        return None
    posting.check(settings.webhook_url)
    if settings.webhook_secret is None:
        why = "give CORRIGENDA_WEBHOOK_SECRET too, or nobody can tell that it is you"
        raise BadValue(what="CORRIGENDA_WEBHOOK_URL", shown="without a secret", why=why)
    return Webhook(url=settings.webhook_url, secret=settings.webhook_secret)


def _mail(settings: Settings) -> Mail | None:
    if settings.smtp_url is None:
        return None
    relay = mailing.Relay.of(settings.smtp_url)
    if settings.mail_from is None or not mailing.is_sender(settings.mail_from):
        why = "give CORRIGENDA_MAIL_FROM too, such as corrections@example.org"
        raise BadValue(what="CORRIGENDA_SMTP_URL", shown="without a sender", why=why)
    return Mail(relay=relay, sender=settings.mail_from)


# --- what there is to tell --------------------------------------------------------------------


def tell(workspace: Workspace, number: int, event: str) -> None:
    """Something happened to a report and is recorded: put into the outbox what is to be told.

    ``event`` says what it was, for the log; what is told follows from the ledger, so saying it
    twice, or never, tells nobody twice and forgets nobody.
    """
    LOG.debug("report %d: %s", number, event)
    private = workspace.private
    try:
        if outbox.told_through(private) is None:
            _begin(workspace, number)
        behind = workspace.ledger.store.head() - (outbox.told_through(private) or 0)
        if behind <= BATCH or not channels_of(workspace.settings).any:
            collect(workspace)
        # After a large import, whoever sends goes through it: nobody waits for that here.
    except Refused as why:
        LOG.warning("report %d: nothing was put into the outbox (%s)", number, type(why).__name__)


def _begin(workspace: Workspace, number: int | None) -> None:
    """Begin with the latest event of a report, else with what comes next: nobody is told of what
    happened before telling was set up."""
    store = workspace.ledger.store
    stream = store.stream(stream_of(number)) if number is not None else []
    through = stream[-1].position - 1 if stream else store.head()
    outbox.put(workspace.private, (), since=None, through=through)


def collect(workspace: Workspace) -> None:
    """Put into the outbox all that the ledger holds beyond what was put there."""
    channels = channels_of(workspace.settings)
    if outbox.told_through(workspace.private) is None:
        _begin(workspace, None)
    while True:
        since = outbox.told_through(workspace.private) or 0
        if not channels.any:
            head = workspace.ledger.store.head()
            outbox.put(workspace.private, (), since=since, through=max(since, head))
            return
        records = workspace.ledger.store.after(since, BATCH)
        if not records:
            return
        made = list(_messages(workspace, records, channels))
        outbox.put(workspace.private, made, since=since, through=records[-1].position)
        # When somebody else was faster, it is put there already: go on from where they came to.


def _messages(
    workspace: Workspace, records: Iterable[ev.Recorded], channels: Channels
) -> Iterator[Message]:
    for record in records:
        event = EVENTS.get(type(record.event))
        if event is None or (event == messages.IN_REVIEW and not _is_first(workspace, record)):
            continue
        report = int(record.envelope.stream.partition(":")[2])
        if channels.webhook is not None:
            yield _message(WEBHOOK, record, report, event, "")
        if channels.mail is not None and event in messages.MAILED:
            for letter in letters_about(workspace.private, report):
                if letter.contact is not None:
                    yield _message(MAIL, record, report, event, letter.key)


def _is_first(workspace: Workspace, record: ev.Recorded) -> bool:
    """Whether a review was started for the first time."""
    stream = workspace.ledger.store.stream(record.envelope.stream)
    started = (one.position for one in stream if isinstance(one.event, ev.ReviewStarted))
    return next(started, None) == record.position


def _message(channel: str, record: ev.Recorded, report: int, event: str, letter: str) -> Message:
    return Message(
        key=secrets.token_hex(16),
        channel=channel,
        position=record.position,
        letter=letter,
        report=report,
        event=event,
    )


# --- sending ----------------------------------------------------------------------------------


def work(workspace: Workspace) -> int:
    """Collect what there is to tell and send what is due; how many messages were tried."""
    channels = channels_of(workspace.settings)
    collect(workspace)
    outbox.forget_sent(workspace.private)
    for tried in range(AT_ONCE):
        message = outbox.claim_due(workspace.private)
        if message is None:
            return tried
        _attempt(workspace, channels, message)
    return AT_ONCE


def work_off(workspace: Workspace) -> int:
    """The same until nothing is due any more."""
    in_all = 0
    while tried := work(workspace):
        in_all += tried
    return in_all


def _attempt(workspace: Workspace, channels: Channels, message: Message) -> None:
    store = workspace.private
    try:
        sent = _send(workspace, channels, message)
    except (posting.NotTaken, mailing.NotSent) as why:
        _try_later(workspace, message, str(why))
    except mailing.RefusedForGood as why:
        outbox.note(store, message, FAILED, str(why))
    except mailing.NobodyKnows as why:
        outbox.note(store, message, UNSURE, str(why))
    except Exception as why:  # nothing went out yet, or we would be in one of the cases above
        LOG.exception("message %s about report %d failed", message.key, message.report)
        _try_later(workspace, message, type(why).__name__)
    else:
        outbox.note(store, message, SENT if sent else DROPPED)


def _send(workspace: Workspace, channels: Channels, message: Message) -> bool:
    """Send one message; ``False`` when there is nowhere to send it any more."""
    told = messages.told_of(workspace, message.event, message.report, message.position)
    now = workspace.ledger.clock()
    if message.channel == WEBHOOK:
        return _post(channels.webhook, message, told, now)
    letter = letter_with(workspace.private, message.letter)
    to = mailing.mail_address(letter.contact) if letter and letter.contact else None
    if to is None or channels.mail is None:
        return False
    made = mailing.message_of(
        sender=channels.mail.sender,
        to=to,
        subject=messages.subject_of(told),
        text=messages.text_of(told),
        key=message.key,
        now=now,
    )
    mailing.send(channels.mail.relay, made)
    return True


def _post(webhook: Webhook | None, message: Message, told: messages.Told, now: Instant) -> bool:
    if webhook is None:
        return False
    body = messages.body_of(told)
    posting.post(webhook.url, webhook.secret, message.key, int(now.timestamp()), body)
    return True


def _try_later(workspace: Workspace, message: Message, why: str) -> None:
    if message.attempts >= MOST_ATTEMPTS:
        outbox.note(workspace.private, message, FAILED, why)
        LOG.warning("message %s about report %d given up: %s", message.key, message.report, why)
        return
    until = workspace.ledger.clock() + PAUSES[message.attempts - 1]
    outbox.put_off(workspace.private, message, until, why)


# --- beside the pages -------------------------------------------------------------------------


@attrs.define
class Teller:
    """A thread that tells what there is to tell, every few seconds, until it is stopped."""

    workspace: Workspace
    every: float = 5.0
    _stopped: threading.Event = attrs.field(factory=threading.Event, init=False)
    _thread: threading.Thread | None = attrs.field(default=None, init=False)

    def start(self) -> None:
        """Begin, if anything can be told."""
        if channels_of(self.workspace.settings).any:
            self._thread = threading.Thread(target=self._run, name="teller", daemon=True)
            self._thread.start()

    def stop(self, patience: float) -> None:
        """Begin nothing more, and wait so many seconds for what is under way."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join(patience)

    def _run(self) -> None:
        while not self._stopped.wait(self.every):
            try:
                work(self.workspace)
            except Exception:
                LOG.exception("nothing could be told; it goes on waiting")
