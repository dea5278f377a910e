"""The charts as pictures at addresses of their own, and what draws them where scripts are on.

A picture is SVG, drawn here; the page says how large it is and has a table beside it. The same
address with ``.json`` is its Vega-Lite specification, and ``charts.js`` lets a reader explore that:
with a program of other people which is served by ourselves, and only to whoever asks for it.
"""

from collections.abc import Callable, Mapping
from importlib.metadata import version

import orjson
import vl_convert
from flask import Blueprint, Response, request, url_for

from ledger.errors import BadValue, NotFound
from projections.decisions.per_month import outcomes_per_month
from reports.charts.corrections import Months, corrections_picture
from reports.charts.drawn import (
    SCHEMES,
    WIDTHS,
    Picture,
    Spec,
    Style,
    drawing,
    explorable,
    spec_of,
    style_of,
)
from reports.charts.months import months_of
from web import access
from web.api.told import told
from web.asked import BOARD, TIME
from web.headers import kept, tag_of, unchanged
from web.showing.charts import Draw
from web.showing.kept import moment_key
from web.site import Look, site

charts = Blueprint("charts", __name__)

LOOKS = ("scheme", "width")
PROGRAM = "vega.js"
WHOLE = "window.vegaEmbed=vegaEmbed;"
"""The one name by which our own script calls it."""


# --- pictures ---------------------------------------------------------------------------------


@charts.get(
    "/benchmarks/<slug:slug>/charts/<any(leaders,scores,posts):name>.<any(svg,json):ending>"
)
@access.public
@told("A chart of a board as Vega-Lite.", "VegaLite", (*BOARD, *LOOKS))
def of_board(slug: str, name: str, ending: str) -> Response:
    """One chart of a benchmark's page."""

    def make(look: Look) -> Response:
        here = {key: value for key, value in look.asked.items() if key not in LOOKS}

        def draw(style: Style) -> Picture | None:
            shown = site().boards.at(look.reader, slug, look.moment, here, look.day)
            return shown.charted.drawn[name](style)

        return _answer(look, ("board", slug, name, tuple(sorted(here.items()))), draw, ending)

    return site().answer(make, (*BOARD, *LOOKS))


@charts.get("/corrections/charts/months.<any(svg,json):ending>")
@access.public
@told("Corrections per month as Vega-Lite.", "VegaLite", (*TIME, *LOOKS))
def of_corrections(ending: str) -> Response:
    """Corrections per month."""

    def make(look: Look) -> Response:
        def draw(style: Style) -> Picture | None:
            return corrections_picture(months_shown(look), style)

        return _answer(look, ("corrections",), draw, ending)

    return site().answer(make, (*TIME, *LOOKS))


def months_shown(look: Look) -> Months:
    """The decisions of each month, as the log of the moment has them."""
    return months_of(outcomes_per_month(look.reader, look.moment))


def _answer(look: Look, about: tuple[object, ...], draw: Draw, ending: str) -> Response:
    scheme = _one_of(look.asked, "scheme", SCHEMES)
    width = _one_of(look.asked, "width", WIDTHS)
    style = style_of(scheme, width)

    def spec() -> Spec:
        picture = draw(style)
        if picture is None:
            raise NotFound(what="chart", name="/".join(str(one) for one in about[:3]))
        return spec_of(picture, style)

    forms: Mapping[str, tuple[str, Callable[[], bytes]]] = {
        "svg": ("image/svg+xml", lambda: drawing(spec()).encode()),
        "json": ("application/json", lambda: orjson.dumps(explorable(spec())) + b"\n"),
    }
    kind, make = forms[ending]
    key = (about, ending, scheme, width, moment_key(look.moment, look.day))
    return Response(site().drawn.at(key, make), mimetype=kind)


def _one_of(asked: Mapping[str, str], name: str, known: Mapping[str, object]) -> str:
    """A look that is asked for, else the first there is; refused where there is no such look."""
    value = asked.get(name, next(iter(known)))
    if value not in known:
        raise BadValue(what=name, shown=repr(value), why=f"it is one of {', '.join(known)}")
    return value


# --- what draws them in a browser -------------------------------------------------------------


@charts.get(f"/charts/{PROGRAM}")
@access.public
def program() -> Response:
    """Vega, Vega-Lite and Vega-Embed in one file, as our own drawing uses them; a reader who does
    not explore a chart never loads it."""
    release = vega_release()
    tag = tag_of(release)
    response = unchanged(tag)
    if response is None:
        made = site().drawn.at((PROGRAM, release), _program)
        response = Response(made, mimetype="text/javascript")
    return kept(response, tag, for_ever=request.args.get("v") == release)


def _program() -> bytes:
    bundle: str = vl_convert.javascript_bundle(WHOLE)
    return bundle.encode()


def vega_release() -> str:
    """Of which release the program is; its address bears it."""
    return f"{version('vl-convert-python')}-{vl_convert.get_vega_version()}"


@charts.app_template_global()
def vega_address() -> str:
    """Where the program is."""
    return url_for("charts.program", v=vega_release())
