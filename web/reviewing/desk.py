"""Pages of the review desk: forms of a bounded size, and one script of ours, for key strokes."""

from typing import Any

from flask import Blueprint, Response, request

from web.headers import POLICY

MOST_PARTS = 2_000
"""Fields of one form."""

WITH_OUR_SCRIPT = f"{POLICY}; script-src 'self'"


def desk_pages(name: str, *, largest_form: int) -> Blueprint:
    """A blueprint of such pages; ``largest_form`` is how many bytes of a form are taken."""
    pages = Blueprint(name, __name__)

    @pages.url_value_preprocessor
    def _bounded(_endpoint: str | None, _values: dict[str, Any] | None) -> None:
        """How much of a form is taken, before anything is read."""
        request.max_form_memory_size = largest_form
        request.max_form_parts = MOST_PARTS

    @pages.after_request
    def _with_script(response: Response) -> Response:
        """These pages may run our own file of key strokes, and nothing else."""
        response.headers.setdefault("Content-Security-Policy", WITH_OUR_SCRIPT)
        return response

    return pages
