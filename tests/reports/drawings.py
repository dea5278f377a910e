"""What charts are drawn of in the tests, and a drawing taken apart."""

import re
from datetime import date
from typing import Any

from reports.charts.corrections import corrections_picture
from reports.charts.drawn import Picture, Style, drawing, spec_of, style_of
from reports.charts.leaders import Holder, Lane, leaders_picture
from reports.charts.posts import LEFT_OUT, LISTED, NOT_READ, Tick, posts_picture
from reports.charts.scores import Dot, Scale, scores_picture

UNTIL = date(2026, 11, 30)
WIDE = style_of("light", "wide")


def leader(name: str, score: str, since: str) -> dict[str, Any]:
    """A holder of number one as the outside contract tells it."""
    model = {"id": name.lower(), "name": name, "version": None, "lab": None}
    return {"model": model, "score": score, "unit": "%", "since": since, "claim_id": None}


LEADERS = [
    leader("Heron", "56.1", "2024-06"),
    leader("Ibis & <Loon>", "1,059.2", "2026-04-24"),
    leader("An owl whose name is longer than a drawing has room for", "1,060.60", "2026"),
]


def holder(name: str, lab: str, since: date, score: str = "56.1%") -> Holder:
    """Somebody who held number one."""
    return Holder(name=name, score=score, lab=lab, since=since, said=since.isoformat())


LANES = [
    Lane(
        name="Own leaderboard",
        told="1 leader",
        holders=(holder("Heron", "Marsh Lab", date(2024, 6, 1)),),
        fresh_until=date(2025, 4, 5),
    ),
    Lane(
        name="Lab claims",
        told="2 leaders",
        holders=(
            holder("Ibis", "Delta Lab", date(2025, 2, 26), "45.5%"),
            holder("Owl", "Marsh Lab", date(2026, 9, 10), "60.6%"),
        ),
        fresh_until=UNTIL,
    ),
]


def dot(name: str, value: float, day: date, side: int = 1) -> Dot:
    """One score."""
    return Dot(
        name=name,
        value=value,
        score=f"{value}%",
        day=day,
        published=day.isoformat(),
        side=side,
        source="A board",
    )


DOTS = [
    dot("Heron", 51.6, date(2023, 6, 1)),
    dot("Ibis", 40, date(2024, 1, 1), 0),
    dot("Ibis", 33.5, date(2024, 1, 1), 2),
    dot("Owl", 60.6, date(2026, 9, 10), 0),
]
SHARES = Scale(
    unit="%",
    higher_is_better=True,
    ceiling=85,
    sides=("By the lab", "By somebody else", "Collected"),
)
TICKS = [
    Tick(name="Ibis post", lab="Delta Lab", day=date(2025, 2, 26), state=LISTED),
    Tick(name="Crake post", lab="Delta Lab", day=date(2025, 8, 1), state=NOT_READ),
    Tick(name="Heron post", lab="Marsh Lab", day=date(2025, 5, 8), state=LISTED),
    Tick(name="Rail post", lab="Marsh Lab", day=date(2024, 12, 1), state=LEFT_OUT),
    Tick(name="Quail post", lab="Dry Lab", day=date(2024, 2, 1), state=LEFT_OUT),
]
MONTHS = {(2025, 11): {"changed something": 3, "changed nothing": 2}, (2026, 1): {"x": 0}}


def pictures(style: Style) -> dict[str, Picture | None]:
    """Every chart there is."""
    return {
        "leaders": leaders_picture(LANES, UNTIL, style),
        "scores": scores_picture(DOTS, SHARES, UNTIL, style),
        "posts": posts_picture(TICKS, UNTIL, style),
        "corrections": corrections_picture(MONTHS, style),
    }


def drawn(picture: Picture | None, style: Style = WIDE) -> str:
    """A picture that is there, as SVG."""
    assert picture is not None
    return drawing(spec_of(picture, style))


def rows_of(layer: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows that a layer has marks for."""
    found: list[dict[str, Any]] = layer["data"]["values"]
    return found


def words(svg: str) -> list[str]:
    """All texts of a drawing."""
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)
