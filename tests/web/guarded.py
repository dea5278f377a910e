"""The orchard with a public form and pages that need a role, and who stands before them."""

import pytest
from flask import Flask, render_template_string, request

from tests.web.orchard import Orchard
from tests.web.people import Person, signed_in, stranger
from web.access import account, client_key, limit, needs, public

TEXT = "The table says 70.1, <script>alert('x')</script>\nand \"not\" 72.5."
FORM_PAGE = '<form method="post"><input name="csrf" value="{{ csrf_token() }}"></form>'


def add_views(app: Flask) -> None:
    """A public form, and pages that need a role, as the other blueprints have them."""

    @app.get("/form")
    @public
    def form() -> str:
        return render_template_string(FORM_PAGE)

    @app.post("/form")
    @public
    def send() -> str:
        return f"recorded {request.form['words']}"

    @app.post("/seldom")
    @public
    def seldom() -> str:
        limit("seldom", client_key(), 2, 900)
        return "recorded"

    @app.route("/inside", methods=["GET", "POST"])
    @needs("reviewer", "curator")
    def inside() -> str:
        who = account()
        assert who is not None
        return f"hello {who.handle}"

    @app.route("/inside/<int:number>", methods=["GET", "POST"])
    @needs("reviewer")
    def one(number: int) -> str:
        return f"report {number}"

    @app.get("/inside.json")
    @needs("reviewer")
    def listed() -> str:
        return "[]"


@pytest.fixture
def pages(orchard: Orchard) -> Orchard:
    """The orchard with a few pages more."""
    add_views(orchard.app)
    return orchard


@pytest.fixture
def visitor(pages: Orchard) -> Person:
    """Somebody without an account, at a form."""
    return stranger(pages.app, pages.workspace)


@pytest.fixture
def ada(pages: Orchard) -> Person:
    """A reviewer."""
    return signed_in(pages.app, pages.workspace, "ada", "reviewer")
