"""On which days the pages of a lab, of all benchmarks and of the log changed; each is one query."""

from collections.abc import Collection

from sqlalchemy import BigInteger, ColumnElement, bindparam, func, select, true

from ledger.values import Instant, from_micros, micros
from projections.decisions.chain import known_by
from projections.keeping.views import Reader, recorded
from projections.moment import Moment
from projections.over_time.code_turns import nearest
from projections.over_time.moments_of_change import Around


def around_everything(reader: Reader, moment: Moment, start: Instant) -> Around:
    """The steps of any claim nearest to the day."""
    return _around(reader, true(), moment, start)


def around_lab(reader: Reader, models: Collection[str], moment: Moment, start: Instant) -> Around:
    """The steps nearest to the day of any claim that was ever about one of a lab's models, as known
    at the moment's position."""
    version = reader.tables.claim_version
    known = recorded(version, at_head=reader.at_head(moment.position))
    own = select(version.c.claim).where(version.c.model.in_(sorted(models)), known)
    return _around(reader, reader.tables.change.c.claim.in_(own), moment, start)


def around_log(reader: Reader, moment: Moment, start: Instant) -> Around:
    """The decisions nearest to the day, and how many came after it."""
    table = reader.tables.decision
    known = known_by(reader.tables, moment.position, None)
    found = reader.connection.scalars(select(table.c.decided_at).where(known))
    return nearest(map(from_micros, found), moment, start)


def _around(reader: Reader, which: ColumnElement[bool], moment: Moment, start: Instant) -> Around:
    table = reader.tables.change
    at = table.c.read_from
    match = recorded(table, at_head=reader.at_head(moment.position)) & which
    first, end = bindparam("start", type_=BigInteger), bindparam("end", type_=BigInteger)
    query = select(
        select(func.max(at)).where(match, at < first).scalar_subquery(),
        select(func.min(at)).where(match, at > end).scalar_subquery(),
    )
    asked = {"position": moment.position, "start": micros(start), "end": moment.day}
    previous, following = reader.connection.execute(query, asked).one()
    return Around(
        None if previous is None else from_micros(previous),
        None if following is None else from_micros(following),
    )
