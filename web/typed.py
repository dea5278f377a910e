"""What somebody typed into a form that was refused, so that it can be shown and sent again.

Passwords are never shown, and files cannot be: a browser lets nobody choose them but its user.
"""

import attrs
from flask import request
from werkzeug.exceptions import HTTPException

from ledger.errors import Refused
from web.forged import FIELD, csrf_token, from_elsewhere

LONG = 60
"""Characters from which on a value is shown in several lines."""


@attrs.frozen
class Entry:
    """One field of the form."""

    name: str
    value: str

    @property
    def label(self) -> str:
        """The field's name as words."""
        return self.name.replace("_", " ").replace("-", " ")

    @property
    def is_long(self) -> bool:
        """Whether it takes several lines."""
        return len(self.value) > LONG or "\n" in self.value


@attrs.frozen
class Typed:
    """A form as it came in. ``token`` is there when it may be sent again from the answer."""

    entries: tuple[Entry, ...]
    files: tuple[str, ...]
    address: str
    token: str | None


def typed() -> Typed | None:
    """What this request brought; ``None`` when that is nothing, or cannot be read."""
    try:
        form, files = request.form, request.files
    except HTTPException:
        return None  # such as a body that is too large: it was never read
    entries = tuple(
        Entry(name, value) for name, value in form.items(multi=True) if value and _may_show(name)
    )
    names = tuple(file.filename for _, file in files.items(multi=True) if file.filename)
    if not entries and not names:
        return None
    return Typed(entries, names, request.full_path.rstrip("?"), _token())


def _may_show(name: str) -> bool:
    return name != FIELD and "password" not in name


def _token() -> str | None:
    """What it takes to send the form again: only for whoever sent it from here."""
    try:
        return None if from_elsewhere() else csrf_token()
    except Refused:
        return None  # the private store is not there; what was typed is shown all the same
