"""What a view tells programs: its answer's shape and the parameters that it knows.

A view bears this beside its mark of access, so that nobody adds an address for programs without
saying what it gives; from these the description at ``/api/openapi.json`` is put together.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

import attrs

View = TypeVar("View", bound=Callable[..., Any])
TOLD = "_corrigenda_told"
NOTHING: Mapping[int, str] = MappingProxyType({})
JSON = "application/json"
CSL = "application/vnd.citationstyles.csl+json"
TAKEN: Mapping[str, str] = MappingProxyType({".bundle.json": "Bundle", ".prov.json": "Prov"})
"""What a page's exports give programs, by how their addresses end; others are no JSON."""


@attrs.frozen(kw_only=True)
class Told:
    """What a view tells.

    ``gives`` names the shape of its answer; where one view has several addresses it is a mapping
    from how they end. ``query`` are the parameters that it knows, or a
    mapping from how the addresses begin. ``body`` is the shape of what is
    sent to it, ``also`` are other answers that are no refusals, ``scope`` is what a token has to be
    allowed, ``refuses`` are statuses of refusals beyond those that any address may answer with.
    """

    about: str
    gives: str | Mapping[str, str]
    query: tuple[str, ...] | Mapping[str, tuple[str, ...]] = ()
    media: str = JSON
    status: int = 200
    body: str | None = None
    also: Mapping[int, str] = NOTHING
    scope: str | None = None
    open_to_all: bool = True
    refuses: tuple[int, ...] = ()

    def shape_at(self, rule: str) -> str | None:
        """The shape of the answer at one of the view's addresses; ``None`` where none is told."""
        if isinstance(self.gives, str):
            return self.gives
        return next((name for ending, name in self.gives.items() if rule.endswith(ending)), None)

    def query_at(self, rule: str) -> tuple[str, ...]:
        """The parameters that one of the view's addresses knows."""
        if not isinstance(self.query, Mapping):
            return self.query
        return next(known for begin, known in self.query.items() if rule.startswith(begin))


def told(
    about: str,
    gives: str | Mapping[str, str],
    query: Sequence[str] | Mapping[str, tuple[str, ...]] = (),
    **more: Any,
) -> Callable[[View], View]:
    """Say what a view tells programs: in a sentence, by the name of a shape, and what it knows."""
    known = query if isinstance(query, Mapping) else tuple(query)
    found = Told(about=about, gives=gives, query=known, **more)

    def mark(view: View) -> View:
        setattr(view, TOLD, found)
        return view

    return mark


def told_by(view: Callable[..., Any]) -> Told | None:
    """What a view tells; ``None`` where it says nothing of that."""
    found = getattr(view, TOLD, None)
    return found if isinstance(found, Told) else None
