"""What each ratio should reach, and the table that says whether it did."""

from collections.abc import Mapping, Sequence

import attrs
from rich.console import Console
from rich.table import Table

Figures = Mapping[str, float]


@attrs.frozen
class Aim:
    """A figure's aim; ``more`` is better, or less is. PostgreSQL has its own where it differs."""

    more: bool
    on_sqlite: float
    on_postgres: float | None = None

    def of(self, engine: str) -> float:
        """The aim on an engine."""
        own = self.on_postgres if engine == "postgres" else None
        return self.on_sqlite if own is None else own

    def met(self, engine: str, value: float) -> bool:
        """Whether a value reaches it."""
        return value >= self.of(engine) if self.more else value <= self.of(engine)


AIMS: Mapping[str, Aim] = {
    "import, show and seal / raw insert": Aim(more=True, on_sqlite=0.16, on_postgres=0.10),
    "rebuild / read and decode": Aim(more=True, on_sqlite=0.4),
    "decision / single insert": Aim(more=True, on_sqlite=0.3),
    "verify the log / read and hash": Aim(more=True, on_sqlite=0.3),
    "board p50 / plain p50": Aim(more=False, on_sqlite=1.5),
    "board p99 / board p50": Aim(more=False, on_sqlite=5),
    "ten times the history / usual history": Aim(more=False, on_sqlite=1.3),
    "board p50 / period table p50": Aim(more=False, on_sqlite=1),
    "board p50 / JSON in git p50": Aim(more=False, on_sqlite=1),
    "board p50 / naive replay p50": Aim(more=False, on_sqlite=1),
    "peak memory of the import, MB": Aim(more=False, on_sqlite=300),
    "pinned page / constant view": Aim(more=True, on_sqlite=0.8),
    "warm page / constant view": Aim(more=True, on_sqlite=0.2),
    "a fact at the smallest size / at this size": Aim(more=False, on_sqlite=1.5),
}


@attrs.frozen
class Measured:
    """The figures of one size on one engine."""

    engine: str
    figures: Figures

    @property
    def title(self) -> str:
        """What its column is called."""
        return f"{self.figures['facts']:,.0f} facts, {self.engine}"


def show(results: Sequence[Measured]) -> None:
    """One table; what has an aim says whether it was met."""
    table = Table(title="Ratios of one run (absolute figures are this machine's)")
    table.add_column("figure")
    for result in results:
        table.add_column(result.title, justify="right")
    for figure in dict.fromkeys(name for one in results for name in one.figures):
        if figure != "facts":
            table.add_row(figure, *(_cell(figure, one) for one in results))
    Console(width=78 + 26 * len(results)).print(table)


def _cell(figure: str, result: Measured) -> str:
    value = result.figures.get(figure)
    if value is None:
        return "–"
    shown = f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
    aim = AIMS.get(figure)
    if aim is None:
        return shown
    sign = "≥" if aim.more else "≤"
    said = "met" if aim.met(result.engine, value) else "NOT MET"
    return f"{shown} {said} ({sign} {aim.of(result.engine):g})"
