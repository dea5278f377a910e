"""What the address of an export is about, before anything is looked up: the same for every form."""

from collections.abc import Callable

from ledger.errors import BadValue
from ledger.values import parse_day
from projections.moment import Moment
from reports.bundle.asked import (
    Asked,
    BoardAsked,
    ClaimAsked,
    CorrectionAsked,
    LogAsked,
    PaperAsked,
)
from web.asked import every_claim
from web.log.asked import PERIOD
from web.site import Look

Subject = Callable[[Look, Moment], Asked]


def board_subject(slug: str) -> Subject:
    """A board, by the parameters of its page."""

    def asked(look: Look, moment: Moment) -> Asked:
        return BoardAsked(
            moment=moment,
            slug=slug,
            view=look.asked.get("view"),
            metric=look.asked.get("metric"),
            every_claim=every_claim(look.asked),
        )

    return asked


def claim_subject(claim: str) -> Subject:
    """One claim."""
    return lambda _, moment: ClaimAsked(moment=moment, claim=claim)


def paper_subject(slug: str) -> Subject:
    """One paper."""
    return lambda _, moment: PaperAsked(moment=moment, slug=slug)


def correction_subject(number: int) -> Subject:
    """One decision."""
    return lambda _, moment: CorrectionAsked(moment=moment, number=number)


def log_subject() -> Subject:
    """What was decided from one day to another; refused without them."""

    def asked(look: Look, moment: Moment) -> Asked:
        for name in PERIOD:
            if name not in look.asked:
                raise BadValue(what=name, shown="left out", why="say from which day to which")
        start, end = (parse_day(look.asked[name], name) for name in PERIOD)
        return LogAsked(moment=moment, start=start, end=end)

    return asked
