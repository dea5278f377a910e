"""One message to one reporter, through the operator's mail server.

Nothing that a server says goes into a reason: it may repeat the address. What the server refuses
for good, what may be tried again, and what nobody can know (the connection broke after the text was
handed over) are three different answers.
"""

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from email.policy import SMTP as ON_THE_WIRE
from email.utils import format_datetime, parseaddr
from ipaddress import ip_address
from urllib.parse import unquote, urlsplit

import attrs

from ledger.errors import BadValue
from ledger.values import Instant

PATIENCE = 15.0
"""Seconds that the server may take for each answer."""

LONGEST_ADDRESS = 254
SCHEMES = {"smtp": 25, "smtp+starttls": 587, "smtps": 465}


class NotSent(Exception):
    """It was not delivered; the same may work later."""


class RefusedForGood(Exception):
    """The server will not deliver it, whenever it is tried."""


class NobodyKnows(Exception):
    """It was handed over, and no answer came."""


@attrs.frozen(kw_only=True)
class Relay:
    """A mail server: TLS from the start (``smtps``), asked for (``smtp+starttls``), or used where
    the server offers it (``smtp``)."""

    scheme: str
    host: str
    port: int
    user: str | None = attrs.field(repr=False)
    password: str = attrs.field(repr=False)

    @classmethod
    def of(cls, url: str) -> "Relay":
        """The server at ``scheme://[user:password@]host[:port]``; the message of a refusal does not
        repeat it."""
        parts = urlsplit(url)
        try:
            port = parts.port
        except ValueError:
            port = 0
        if parts.scheme not in SCHEMES or not parts.hostname or port == 0:
            why = f"write it as scheme://host:port with one of {', '.join(SCHEMES)}"
            raise BadValue(what="CORRIGENDA_SMTP_URL", shown="as given", why=why)
        return cls(
            scheme=parts.scheme,
            host=parts.hostname,
            port=port or SCHEMES[parts.scheme],
            user=unquote(parts.username) if parts.username else None,
            password=unquote(parts.password or ""),
        )

    @property
    def is_local(self) -> bool:
        """Whether nobody else can listen on the way there."""
        try:
            return self.host == "localhost" or ip_address(self.host).is_loopback
        except ValueError:
            return False


# --- the message ------------------------------------------------------------------------------


def mail_address(contact: str) -> str | None:
    """The one plain address that a contact is; ``None`` for anything else, which cannot be mailed.

    Nothing gets into a header by this: no space, no comma, no line end, no name before it.
    """
    text = contact.strip()
    name, parsed = parseaddr(text)
    user, at, domain = text.rpartition("@")
    plain = text.isascii() and text.isprintable() and not set(' ",;:<>()[]\\') & set(text)
    fits = len(text) <= LONGEST_ADDRESS and user and at and "@" not in user and "." in domain
    return text if plain and fits and not name and parsed == text else None


def is_sender(text: str) -> bool:
    """Whether messages can come from it: an address, perhaps with a name before it."""
    return text.isprintable() and mail_address(parseaddr(text)[1]) is not None


def message_of(
    *, sender: str, to: str, subject: str, text: str, key: str, now: Instant
) -> EmailMessage:
    """A plain message; ``key`` makes the same ``Message-ID`` however often it is tried."""
    made = EmailMessage()
    made["From"] = sender
    made["To"] = to
    made["Subject"] = subject
    made["Date"] = format_datetime(now)
    made["Message-ID"] = f"<{key}@{parseaddr(sender)[1].rpartition('@')[2] or 'localhost'}>"
    made["Auto-Submitted"] = "auto-generated"
    made.set_content(text)
    return made


# --- the conversation -------------------------------------------------------------------------


def send(relay: Relay, message: EmailMessage) -> None:
    """Hand one message over; raises one of the three answers that are no success."""
    sender, to = parseaddr(str(message["From"]))[1], str(message["To"])
    with _open(relay) as server:
        _expect(server.mail(sender)[0], "MAIL", for_good=False)
        _expect(server.rcpt(to)[0], "RCPT", for_good=True)
        text = message.as_bytes(policy=ON_THE_WIRE)
        try:
            code = server.data(text)[0]
        except smtplib.SMTPDataError as why:
            code = why.smtp_code
        except (smtplib.SMTPServerDisconnected, OSError) as why:
            raise NobodyKnows(f"no answer to DATA ({type(why).__name__})") from None
        _expect(code, "DATA", for_good=True)
        with suppress(smtplib.SMTPException, OSError):  # it has the message; this is politeness
            server.quit()


def _expect(code: int, stage: str, *, for_good: bool) -> None:
    if code // 100 == 2:
        return
    refused = RefusedForGood if for_good and code // 100 == 5 else NotSent
    raise refused(f"{code} at {stage}")


@contextmanager
def _open(relay: Relay) -> Iterator[smtplib.SMTP]:
    """A greeted server, under TLS and logged in as far as the address asks for it."""
    server: smtplib.SMTP | None = None
    try:
        server = _connected(relay)
        _greet(relay, server)
        yield server
    except smtplib.SMTPException as why:
        raise NotSent(_said(why)) from None
    except OSError as why:
        raise NotSent(f"no connection ({type(why).__name__})") from None
    finally:
        if server is not None:
            server.close()


def _connected(relay: Relay) -> smtplib.SMTP:
    if relay.scheme != "smtps":
        return smtplib.SMTP(relay.host, relay.port, timeout=PATIENCE)
    context = ssl.create_default_context()
    return smtplib.SMTP_SSL(relay.host, relay.port, timeout=PATIENCE, context=context)


def _greet(relay: Relay, server: smtplib.SMTP) -> None:
    server.ehlo_or_helo_if_needed()
    offered = relay.scheme == "smtp" and server.has_extn("starttls") and not relay.is_local
    secure = relay.scheme == "smtps"
    if relay.scheme == "smtp+starttls" or offered:
        server.starttls(context=ssl.create_default_context())
        server.ehlo()
        secure = True
    if relay.user is not None:
        if not (secure or relay.is_local):
            raise NotSent("the password would have been readable on the way")
        server.login(relay.user, relay.password)


def _said(why: smtplib.SMTPException) -> str:
    code = getattr(why, "smtp_code", None)
    return f"{type(why).__name__} {code}" if code else type(why).__name__
