"""What is said of a benchmark."""

from collections.abc import Mapping

from ledger.events.parts import fact
from ledger.values import Instant, PartialDate, Slug


@fact
class BenchmarkRegistered:
    """A benchmark got its lasting slug."""

    slug: Slug
    name: str
    read_at: Instant
    why: str | None = None


@fact
class BenchmarkDescribed:
    """Facts about a benchmark were stated or replaced (those given; ``None`` takes one back)."""

    facts: Mapping[str, str | None]
    read_at: Instant
    why: str


@fact
class EvaluationChanged:
    """How a benchmark is evaluated changed: a judge, a test set, a version."""

    what: str
    changed_on: PartialDate
    before: str | None = None
    after: str | None = None
    effect: str | None = None
    read_at: Instant
    why: str


@fact
class RankingRuleSet:
    """How a metric is ranked from now on.

    ``splits`` lists the splits that rank, in order; ``None`` means any. With ``combine="mean"``
    the score is the mean over all of ``splits``. ``ordinal`` is the metric's place in the file
    that introduced it: the first is the headline where no rule says ``headline``. ``met``: nobody
    set it, an import met the metric in a reading; it yields to any rule known by then.
    """

    metric: Slug
    name: str
    unit: str | None = None
    higher_is_better: bool = True
    splits: tuple[str, ...] | None = None
    combine: str = "best"
    decimals: int = 2
    headline: bool = False
    ordinal: int = 0
    met: bool = False
    read_at: Instant
    why: str


@fact
class CaveatStated:
    """A warning that readers of a benchmark should see; ``text=None`` retires it."""

    caveat: Slug
    text: str | None
    read_at: Instant
    why: str
