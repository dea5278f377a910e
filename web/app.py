"""``create_app``: the pages on one open ledger."""

from pathlib import Path

from flask import Flask, request
from jinja2 import StrictUndefined
from werkzeug.exceptions import RequestURITooLarge
from werkzeug.routing import BaseConverter, Map

from projections.documents import labs_of
from web import errors, words
from web.asked import LONGEST_ADDRESS
from web.freshness import Freshness
from web.headers import secured
from web.health import health
from web.public import public
from web.site import NAME, Site, release_of
from web.wiring import Workspace

HERE = Path(__file__).parent
LARGEST_BODY = 64 * 1024


class SlugConverter(BaseConverter):
    """A slug; what is none has no page."""

    regex = r"[a-z0-9][a-z0-9._-]{0,127}"


class ClaimConverter(BaseConverter):
    """A claim's id."""

    regex = r"c[0-9a-f]{23}"


class DigestConverter(BaseConverter):
    """A SHA-256."""

    regex = r"[0-9a-f]{64}"


def create_app(workspace: Workspace) -> Flask:
    """The pages on an open ledger. Make one in each process, after it has forked."""
    app = Flask("web", static_folder=None, template_folder=str(HERE / "templates"))
    app.config.update(
        PROVIDE_AUTOMATIC_OPTIONS=False,
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        MAX_FORM_MEMORY_SIZE=LARGEST_BODY,
    )
    ledger = workspace.ledger
    freshness = Freshness(ledger.store, workspace.follower)
    app.extensions[NAME] = Site(workspace, freshness, _release())
    _route_strictly(app.url_map)
    _speak(app)
    errors.install(app)
    app.before_request(_bounded)
    app.after_request(secured)
    app.register_blueprint(public)
    app.register_blueprint(health)
    return app


def _release() -> str:
    return release_of(HERE / "templates", HERE / "static")


def _route_strictly(addresses: Map) -> None:
    """One address for each page, and no redirects: there is nothing to lead astray."""
    addresses.merge_slashes = False
    addresses.strict_slashes = True
    addresses.redirect_defaults = False
    addresses.converters.update(slug=SlugConverter, claim=ClaimConverter, digest=DigestConverter)


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
        web_address=words.web_address,
        differing=words.differing,
        but=words.other_marks,
        facts=words.facts_of,
        status_words=words.status_words,
        coverage_words=words.coverage_words,
        labs_of=labs_of,
    )
    app.jinja_env.globals.update(
        score_words=words.score_words,
        view_names=words.VIEW_NAMES,
        view_meanings=words.VIEW_MEANINGS,
        release=app.extensions[NAME].release,
    )


def _bounded() -> None:
    """Look at no address that is longer than ours ever are."""
    if len(request.full_path) > LONGEST_ADDRESS or len(request.query_string) > LONGEST_ADDRESS:
        raise RequestURITooLarge
