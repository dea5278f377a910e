"""``create_app``: the pages on one open ledger."""

from pathlib import Path

from flask import Flask, request
from jinja2 import StrictUndefined
from werkzeug.exceptions import RequestURITooLarge
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import BaseConverter, Map

from reports.code import words as code_words
from web import access, benchmark_words, errors, words
from web.agents import calls
from web.agents.pages import agents
from web.api.filing import filing_api
from web.api.lists import lists
from web.api.pages import api
from web.asked import LONGEST_ADDRESS
from web.audit.arrivals import arrivals
from web.audit.pages import audit
from web.audit.sealed import sealed
from web.changes import changes
from web.charts import charts
from web.compressed import compressed
from web.counted import Counted
from web.crawlers import crawlers
from web.exporting import exporting
from web.exports_tables import tables
from web.freshness import Freshness
from web.headers import secured
from web.health import health
from web.log import notice_words
from web.log.pages import corrections
from web.login import login
from web.made_before import remember
from web.memento import memento
from web.metrics import NAME as COUNTED
from web.metrics import metrics
from web.observed import observe
from web.papers import papers
from web.pinned_pages import PinnedPages
from web.printing.pages import printing
from web.public import public
from web.reporting.letters import letters
from web.reporting.pages import reporting
from web.reporting.suspects import suspects
from web.reviewing.decisions_api import decisions_api
from web.reviewing.pages import review
from web.reviewing.queue import queue
from web.site import NAME, Site, release_of
from web.tiles import tiles
from web.when import words as change_words
from web.when.citations import citing
from web.when.whole_citations import whole_citing
from web.wiring import Workspace

HERE = Path(__file__).parent
LARGEST_BODY = 64 * 1024


class SlugConverter(BaseConverter):
    """A slug; what is none has no page."""

    regex = r"[a-z0-9][a-z0-9._-]{0,127}"


class ClaimConverter(BaseConverter):
    """A claim's id."""

    regex = r"c[0-9a-f]{23}"


class LabelConverter(BaseConverter):
    """A label's id."""

    regex = r"l[0-9a-f]{23}"


class CodeConverter(BaseConverter):
    """The digits of a code's SHA-256, or as many as name it."""

    regex = r"[0-9a-f]{16,64}"


class NumberConverter(BaseConverter):
    """A number from 1 on, in the one way to write it."""

    regex = r"[1-9][0-9]{0,8}"

    def to_python(self, value: str) -> int:
        """The number."""
        return int(value)


class CountConverter(BaseConverter):
    """A number from 0 on, in the one way to write it."""

    regex = r"0|[1-9][0-9]{0,14}"

    def to_python(self, value: str) -> int:
        """The number."""
        return int(value)


class DigestConverter(BaseConverter):
    """A SHA-256."""

    regex = r"[0-9a-f]{64}"


def create_app(workspace: Workspace, counted: Counted | None = None) -> Flask:
    """The pages on an open ledger. Make one in each process, after it has forked."""
    app = Flask("web", static_folder=None, template_folder=str(HERE / "templates"))
    app.config.update(
        PROVIDE_AUTOMATIC_OPTIONS=False,
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        MAX_FORM_MEMORY_SIZE=LARGEST_BODY,
    )
    ledger = workspace.ledger
    freshness = Freshness(ledger.store, workspace.follower, seal=workspace.seal)
    app.extensions[NAME] = site = Site(workspace, freshness, _release())
    app.extensions[COUNTED] = counted = counted or Counted()
    _route_strictly(app.url_map)
    _speak(app)
    errors.install(app)
    app.wsgi_app = PinnedPages(app.wsgi_app)  # type: ignore[method-assign]
    _behind(app, workspace.settings.proxies)
    observe(app, site, counted)
    app.before_request(_bounded)
    app.after_request(remember)  # they run from the last to the first
    app.after_request(compressed)
    app.after_request(secured)
    app.register_blueprint(public)
    app.register_blueprint(papers)
    app.register_blueprint(citing)
    app.register_blueprint(whole_citing)
    app.register_blueprint(changes)
    app.register_blueprint(charts)
    app.register_blueprint(memento)
    app.register_blueprint(crawlers)
    app.register_blueprint(corrections)
    app.register_blueprint(exporting)
    app.register_blueprint(tables)
    app.register_blueprint(printing)
    app.register_blueprint(agents)
    app.register_blueprint(health)
    app.register_blueprint(metrics)
    app.register_blueprint(tiles)
    app.register_blueprint(audit)
    app.register_blueprint(arrivals)
    app.register_blueprint(sealed)
    app.register_blueprint(login)
    app.register_blueprint(reporting)
    app.register_blueprint(letters)
    app.register_blueprint(suspects)
    app.register_blueprint(queue)
    app.register_blueprint(review)
    app.register_blueprint(decisions_api)
    app.register_blueprint(filing_api)
    app.register_blueprint(lists)
    app.register_blueprint(api)
    access.install(app)  # the last, so that it sees every view
    return app


def _release() -> str:
    return release_of(HERE / "templates", HERE / "static")


def _route_strictly(addresses: Map) -> None:
    """One address for each page, and no redirects: there is nothing to lead astray."""
    addresses.merge_slashes = False
    addresses.strict_slashes = True
    addresses.redirect_defaults = False
    addresses.converters.update(
        slug=SlugConverter,
        claim=ClaimConverter,
        label=LabelConverter,
        code=CodeConverter,
        digest=DigestConverter,
        number=NumberConverter,
        count=CountConverter,
    )


def _speak(app: Flask) -> None:
    """Give the templates our words; everything that they print is escaped."""
    app.jinja_options = {
        "autoescape": True,
        "undefined": StrictUndefined,
        "trim_blocks": True,
        "lstrip_blocks": True,
    }
    app.jinja_env.filters.update(
        day=words.date_words,
        when=words.when_words,
        instant=words.instant_words,
        reading=words.reading_words,
        size=words.size_words,
        kind=words.kind_words,
        term=words.term_words,
        counted=words.counted,
        listed=words.listed,
        visible=words.visible,
        web_address=words.web_address,
        differing=words.differing,
        but=words.other_marks,
        facts=benchmark_words.facts_of,
        status_words=benchmark_words.status_words,
        **notice_words.FILTERS,
        **change_words.FILTERS,
    )
    app.jinja_env.globals.update(
        score_words=words.score_words,
        view_names=words.VIEW_NAMES,
        view_meanings=words.VIEW_MEANINGS,
        said=benchmark_words,
        code=code_words,
        **notice_words.GLOBALS,
        **calls.GLOBALS,
        release=app.extensions[NAME].release,
    )


def _behind(app: Flask, proxies: int) -> None:
    """Believe who is asking, and whether under TLS, from as many proxies as there are."""
    if proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=proxies)  # type: ignore[method-assign]


def _bounded() -> None:
    """Look at no address that is longer than ours ever are."""
    if len(request.full_path) > LONGEST_ADDRESS or len(request.query_string) > LONGEST_ADDRESS:
        raise RequestURITooLarge
