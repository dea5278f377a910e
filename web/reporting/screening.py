"""Keeping rubbish out without losing anybody: what is suspected waits apart, and can be rescued.

A post is suspected for what a program does and a person does not: it filled in the field that
nobody sees, it says nothing but links to places we do not know, it brings the same advertisement
again and again, or it comes with very many others. Such posts are in the private store alone and
can be purged without a trace; everything else is a report and waits for a reviewer. All of it is
linear in the length of the text, which is bounded, and no regular expression is run over it.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from urllib.parse import urlsplit

import attrs

from ledger import commands as orders
from ledger import faults
from ledger.errors import (
    AlreadyDecided,
    BadValue,
    Busy,
    Conflict,
    NotFound,
    NothingChanges,
    Refused,
    ReportClosed,
)
from ledger.events import ReportScreened
from ledger.report import stream_of
from ledger.values import Instant
from projections.keeping.views import Reader
from projections.review.queue import WaitingReport, reports
from projections.sources import source_addresses
from web.private import reporters, suspected
from web.private.alone import alone
from web.private.keys import day_salt, digest_under
from web.private.limits import TooMany, count_try
from web.private.suspected import Apart, Suspect
from web.reporting import forms
from web.reporting.filing import (
    Posted,
    file_letter,
    file_report,
    filed_as,
    join_report,
    open_for,
    words_digests,
)
from web.reporting.filled import Filled, as_remark
from web.reporting.targets import SITE, KnownNames, about, parse_target
from web.reporting.words import longest
from web.wiring import Workspace

LOG = logging.getLogger("corrigenda.reporting")

HIDDEN_FIELD = "filled the hidden field"
ONLY_LINKS = "nothing but links"
SAME_TEXT = "the same text again"
TOO_MANY = "one of very many"

HOUR, DAY = 3600, 86_400
INTAKE = (120, HOUR)
"""How many posts become reports in so many seconds; what is beyond it waits apart."""
SAME = (3, DAY)
"""How often the same text with links to unknown places comes through."""

ALIKE = 0.6
"""The share of words from which on two texts say the same."""
COMPARED = 50
MOST_WORDS = 2_000
BULK = 5_000
LONGEST_REASON = 500
PUNCTUATION = ".,;:!?()[]{}<>\"'“”\u2018\u2019«»"


# --- what is suspected ------------------------------------------------------------------------


def suspicion(workspace: Workspace, filled: Filled) -> str | None:
    """Why a post is suspected; ``None`` when it is a report like any other."""
    links = _strange_links(workspace, filled)
    if links:
        own_words = [word for word in _all_words(filled) if not _is_link(word)]
        if len(own_words) <= len(links) and not filled.proposes:
            return ONLY_LINKS
        if _too_often(workspace, "same-text", " ".join(sorted(set(own_words))), SAME):
            return SAME_TEXT
    return TOO_MANY if _too_often(workspace, "intake", "all", INTAKE) else None


def _all_words(filled: Filled) -> list[str]:
    asked = " ".join(text for _, text in filled.asked)
    return f"{asked} {filled.words}".split()[:MOST_WORDS]


def _is_link(word: str) -> bool:
    plain = word.strip(PUNCTUATION).casefold()
    return "://" in plain or plain.startswith("www.")


def _strange_links(workspace: Workspace, filled: Filled) -> list[str]:
    """The links of a post that lead to no place where any source is."""
    given = [word for word in (*_all_words(filled), *filled.addresses) if _is_link(word)]
    if not given:
        return []
    with workspace.views.read() as reader:
        known = _known_hosts(workspace, reader)
    return [link for link in given if _host(link) not in known]


def _known_hosts(workspace: Workspace, reader: Reader) -> frozenset[str]:
    found = map(_host, source_addresses(reader, workspace.moment()))
    return frozenset(host for host in found if host)


def _host(link: str) -> str:
    plain = link.strip(PUNCTUATION)
    try:
        host = urlsplit(plain if "://" in plain else f"https://{plain}").hostname or ""
    except ValueError:
        return ""
    return host.casefold().removeprefix("www.")


def _too_often(workspace: Workspace, name: str, what: str, allowed: tuple[int, int]) -> bool:
    """Whether something came more often than allowed; only a digest under the day's key is kept."""
    private = workspace.private
    try:
        count_try(private, name, digest_under(day_salt(private), what), *allowed)
    except TooMany:
        return True
    return False


def set_apart(workspace: Workspace, posted: Posted, why: str, filled: Filled | None = None) -> str:
    """Keep a suspected post apart; its secret link is as good as any other."""
    kept = {name: text[: longest(name)] for name, text in posted.typed.items()}
    apart = Apart(why=why, typed=kept, received_at=posted.received_at)
    secret, _, is_new = open_for(workspace, posted, filled, apart=apart)
    # Crash here: it waits, and the same form sent again is told what it would have been told.
    faults.here("apart:kept")
    if is_new:
        suspected.shed(workspace.private)
    return secret


# --- what was said before ---------------------------------------------------------------------


def similar(one: str, other: str) -> float:
    """How much of two texts is the same words: 0 for none, 1 for all."""
    mine, theirs = _vocabulary(one), _vocabulary(other)
    either = mine | theirs
    return len(mine & theirs) / len(either) if either else 1.0


def _vocabulary(text: str) -> frozenset[str]:
    words = (word.strip(PUNCTUATION).casefold() for word in text.split()[:MOST_WORDS])
    return frozenset(word for word in words if word)


def same_report(workspace: Workspace, filled: Filled) -> int | None:
    """An open report that says the same of the same thing, for the same reason."""
    with workspace.views.read() as reader:
        waiting = [
            one
            for one in reports(reader, "open")
            if (one.target, one.reason) == (filled.target, filled.reason)
        ]
    return next((one.number for one in waiting[:COMPARED] if _same(workspace, one, filled)), None)


def _same(workspace: Workspace, report: WaitingReport, filled: Filled) -> bool:
    wanted = {(one.field, one.to) for one in filled.proposes}
    if wanted != {(one["field"], one["to"]) for one in report.proposes}:
        return False
    if wanted and not filled.asked:
        return True
    return similar(_words_of(workspace, report.number), filled.private_words or "") >= ALIKE


def _words_of(workspace: Workspace, number: int) -> str:
    digest = words_digests(workspace, number)[-1:]
    kept = workspace.private.words(digest[0]) if digest else None
    return (kept or b"").decode()


# --- what a person makes of it ----------------------------------------------------------------


@attrs.frozen
class Rejected:
    """What one rejection of many came to: how many, and which were not there to be rejected."""

    count: int
    skipped: tuple[str, ...] = ()


def take_in(workspace: Workspace, posted: Posted, filled: Filled, *, join_to: int | None) -> str:
    """Set apart, join to an open report or file, whatever it comes to; the secret of its letter.

    The form, the interface for programs and the agents' tool take reports in here alone.
    """
    why = suspicion(workspace, filled)
    if why is not None:
        return set_apart(workspace, posted, why, filled)
    if join_to is not None:
        return join_report(workspace, posted, filled, join_to)
    return file_report(workspace, posted, filled)


def reject(
    workspace: Workspace,
    by: str,
    reason: str,
    *,
    numbers: Iterable[int] = (),
    keys: Iterable[str] = (),
) -> Rejected:
    """Reject many at once for one reason: reports are set apart, suspected posts marked.

    Both can be brought back. Reports that somebody decided meanwhile are left alone, and named.
    """
    reason = " ".join(reason.split())
    if not 1 <= len(reason) <= LONGEST_REASON:
        why = f"give one reason, of up to {LONGEST_REASON} characters"
        raise BadValue(what="reason", shown=f"of {len(reason)} characters", why=why)
    chosen, posts = sorted(set(numbers)), sorted(set(keys))
    if not 1 <= len(chosen) + len(posts) <= BULK:
        why = f"choose 1 to {BULK:,}"
        raise BadValue(what="selection", shown=f"of {len(chosen) + len(posts):,}", why=why)
    finish_rescues(workspace)
    together = f"rejected-together:{workspace.private.nonce().hex()}"
    aside = {one for one in chosen if _set_aside(workspace, by, reason, one, together)}
    done = suspected.reject_suspects(workspace.private, posts, by, reason)
    workspace.catch_up()
    skipped = [str(one) for one in chosen if one not in aside]
    if done < len(posts):
        skipped.append(f"{len(posts) - done} suspected")
    return Rejected(len(aside) + done, tuple(skipped))


def _set_aside(workspace: Workspace, by: str, reason: str, number: int, together: str) -> bool:
    """Set a report apart, unless it is closed or apart already."""
    try:
        if workspace.ledger.report(number).state == "apart":
            return False
        order = orders.ScreenReport(number=number, passed=False, reason=reason)
        workspace.ledger.do(order, by, cause=together)
    except (Conflict, AlreadyDecided, ReportClosed, NotFound):
        return False
    return True


def bring_back(workspace: Workspace, number: int, by: str) -> None:
    """Put a report that was set apart into the queue again; its time is what it was."""
    if workspace.ledger.report(number).state != "apart":
        raise NothingChanges(why=f"report {number} is not set apart")
    workspace.ledger.do(orders.ScreenReport(number=number, passed=True, reason=None), by)
    workspace.catch_up()


def rescue(workspace: Workspace, key: str, by: str) -> int:
    """Make a report of a suspected post, received when it came in; gives its number.

    Two who rescue the same one at once make one report: the second is told that it is gone. Where a
    process died in the midst of it, what that one left out.
    """
    with alone(workspace.private):
        return _rescue(workspace, suspected.take(workspace.private, key, by), by)


def finish_rescues(workspace: Workspace) -> None:
    """Make whole what processes left that died while they made reports of suspected posts.

    What is refused is logged without its content, and refuses nothing else: it waits again, or as
    it is for the next who comes here.
    """
    with suppress(Busy):
        if not suspected.taken(workspace.private):
            return
        with alone(workspace.private):
            for found in suspected.taken(workspace.private):
                _finish_rescue(workspace, found)


def _finish_rescue(workspace: Workspace, found: Suspect) -> None:
    try:
        _rescue(workspace, found, found.taken_by or "")
    except Refused as why:
        LOG.warning("a suspected post could not be rescued (%s)", type(why).__name__)


def _rescue(workspace: Workspace, found: Suspect, by: str) -> int:
    # Crash here: it is marked as taken, and whoever rescues it next goes on.
    faults.here("rescue:taken")
    letter = reporters.letter_with(workspace.private, found.key)
    try:
        if letter is None:
            raise NotFound(what="letter", name=found.key[:12])  # noqa: TRY301
        filled = sense_of(workspace, found.typed)
        number = file_letter(workspace, letter, filled, found.received_at)
    except Exception:
        # What was recorded all the same stays taken, so that nobody purges a report's letter.
        if letter is None or filed_as(workspace, letter) is None:
            suspected.put_back(workspace.private, found)
        raise
    # Crash here: it is a report, and stays among the suspected until that is said in its stream.
    faults.here("rescue:filed")
    _say_rescued(workspace, number, found.taken_by or by, found.why)
    faults.here("rescue:said")
    suspected.forget_taken(workspace.private, found.key)
    workspace.catch_up()
    return number


def _say_rescued(workspace: Workspace, number: int, by: str, why: str) -> None:
    """Record that the report was looked at, unless somebody went on with it meanwhile."""
    stream = workspace.ledger.store.stream(stream_of(number))
    if any(isinstance(one.event, ReportScreened) for one in stream):
        return
    with suppress(AlreadyDecided, ReportClosed):
        workspace.ledger.do(orders.ScreenReport(number=number, passed=True, reason=why), by)


def sense_of(workspace: Workspace, typed: Mapping[str, str]) -> Filled:
    """What was posted as the report that it would have been, or as a plain remark."""
    try:
        target = parse_target(typed.get("target", SITE))
        with workspace.views.read() as reader:
            known = about(reader, workspace.ledger.store, workspace.moment(), target)
    except Refused:
        return as_remark(typed, SITE)
    names = KnownNames(workspace.known(), workspace.ledger.store, workspace.ledger.clock())
    read = forms.filled(typed, known, names)
    return read if isinstance(read, Filled) else as_remark(typed, str(target))


def purge(workspace: Workspace, keys: Sequence[str]) -> int:
    """Remove suspected posts as if they had never come; how many.

    Those of which a report was being made are reports now.
    """
    finish_rescues(workspace)
    return suspected.purge(workspace.private, keys)


def purge_rejected(workspace: Workspace, before: Instant) -> int:
    """Remove the posts that were rejected before an instant."""
    private = workspace.private
    old = suspected.keys_of(private, suspected.REJECTED, rejected_before=before)
    return purge(workspace, old)
