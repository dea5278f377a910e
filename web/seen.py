"""What is noted of one request while it is answered, in its own environment.

Whoever learns something worth counting or logging leaves it here; :mod:`web.observed` reads it when
the answer is out. An application that nobody observes leaves its notes where nobody reads them.
"""

from typing import TYPE_CHECKING

import attrs

from ledger.store import Appended

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

PLACE = "corrigenda.seen"


@attrs.define
class Seen:
    """One request. ``route`` is the rule of its address, never the address; ``position`` is how far
    the read model had come."""

    id: str = ""
    method: str = ""
    route: str | None = None
    status: int = 500
    position: int | None = None
    refused: str | None = None
    is_pinned: bool = False
    appended: list[Appended] = attrs.field(factory=list)

    def given(self, route: str | None) -> None:
        """Note that it was answered with a page that was kept whole."""
        self.route, self.is_pinned = route, True

    def recorded(self, appended: Appended) -> None:
        """Note what was recorded; who hears it twice notes it once."""
        if appended not in self.appended:
            self.appended.append(appended)


def seen_in(environ: "WSGIEnvironment") -> Seen:
    """The note of a request, begun if nobody has begun it."""
    found = environ.setdefault(PLACE, Seen())
    assert isinstance(found, Seen)  # noqa: S101 -- nobody else has a name of ours
    return found
