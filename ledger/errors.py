"""Every no, and why.

A refusal is a class; its docstring is the message that a person sees, with the fields filled in,
and says what to do next. Whoever catches one shows ``str(refusal)`` and loses nothing.
"""

import inspect
from typing import Any


class Refused(Exception):
    """This was refused."""

    def __init__(self, **fields: Any) -> None:
        self.fields = fields
        message = inspect.cleandoc(type(self).__doc__ or "").replace("\n", " ")
        super().__init__(message.format(**fields))


class BadValue(Refused):
    """{what} {shown}: {why}."""


class NotFound(Refused):
    """There is no {what} called {name}."""


class NotKnownYet(Refused):
    """{what}: {why}."""


class AlreadyExists(Refused):
    """The {what} {name} is registered already; describe or rename it instead."""


class Conflict(Refused):
    """{stream} has moved on to version {actual} since version {expected} was read; look again
    and repeat the command."""


class Busy(Refused):
    """The ledger is busy with another writer; nothing was recorded, try again in a moment."""


class InTheFuture(Refused):
    """{what} {when} lies in the future (now is {now}); give the day on which it was really read."""


class BeyondHead(Refused):
    """The ledger holds nothing beyond position {head}; {asked} does not exist yet."""


class NothingChanges(Refused):
    """This would change nothing: {why}."""


class AlreadyDecided(Refused):
    """Report {number} was decided already ({outcome}, by {by}); reverse that decision instead."""


class SelfReview(Refused):
    """{by} filed report {number}, and nobody decides their own report; ask somebody else."""


class NeedsSecondPerson(Refused):
    """{by} proposed decision {decision}, and it takes a second person to approve it."""


class AwaitsSecondPerson(Refused):
    """Decision {decision} on report {number}, proposed by {by}, awaits a second person; approve or
    return it first."""


class NoSnapshotChecked(Refused):
    """A decision names the frozen snapshot that was checked; give its SHA-256 (the claim's page
    lists them)."""


class NotAReading(Refused):
    """{digest} is not a snapshot that any of these claims rests on; check one of: {known}."""


class CircularReference(Refused):
    """{what} {name} would come to refer to itself; name one that does not refer back to it."""


class ReplacedAlready(Refused):
    """Decision {decision} is not in force any more: {later} came after it. Name the one that is in
    force."""


class ReportClosed(Refused):
    """Report {number} is {state}; {hint}."""


class TooLate(Refused):
    """applies_from {applies_from} is later than the decision itself ({now}); a correction cannot
    apply from the future."""


class CountsDisagree(Refused):
    """{what} do not add up: {sum}. Look at the record again; if it does say so, leave the counts
    out and report it."""


class BlameSwapped(Refused):
    """The outcome {outcome} blames {blames}, and never {said}; leave the blame out, as it follows
    from the outcome."""


class WindowClosed(Refused):
    """Probe window {window} was closed at {closed_at} and takes no more probes; open another
    one."""


class OutsideWindow(Refused):
    """A probe at {when} lies outside of probe window {window}, which lasts from {first_day} to
    {last_day} (UTC); put it into the window that it belongs to."""


class SeveralSamples(Refused):
    """{digits} begins the SHA-256 of several samples ({known}); give more digits."""


class FileRefused(Refused):
    """{file}: {why}."""
