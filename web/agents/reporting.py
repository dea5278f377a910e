"""The one tool that changes anything: filing a report, as with the form and under its limits.

A report by an agent is filed under a handle that says so, in the ledger and to reviewers, and a
person decides it as any other. What is suspected gets the same answer as a report.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

import attrs
from pydantic import Field

from ledger.errors import BadValue, Refused
from ledger.vocabulary import REASONS
from web.access import client_key, limit
from web.agents.answers import Filed
from web.agents.asking import CALLER, Pages
from web.agents.handles import BEGINS, new_handle
from web.reporting import filing, screening
from web.reporting.filled import Filled
from web.reporting.forms import filled, relevant, typed_from
from web.reporting.pages import POSTS, QUARTER, REPORTS, known_of, names
from web.reporting.targets import LONGEST_TARGET
from web.reporting.words import (
    FIELD_WORDS,
    LONGEST_ADDRESS,
    LONGEST_CONTACT,
    LONGEST_WORDS,
    MOST_ADDRESSES,
    WISH_WORDS,
    longest,
)

OWN = ("target", "reason", "wish", "words", "addresses", "contact", "credit")
FIELDS = tuple(name for name in FIELD_WORDS if name not in OWN)
"""What may be filled in beside these, by what should happen."""

Target = Annotated[
    str,
    Field(
        max_length=LONGEST_TARGET,
        description="What it is about, as the page's path without its first slash: claims/c12…,"
        " benchmarks/<slug>, benchmarks/<slug>#caveat-<name>, sources/…, models/…, papers/…,"
        " samples/…, labels/…, probes/…, corrections/<number>, or site.",
    ),
]
Reason = Annotated[str, Field(max_length=40, description=", ".join(REASONS))]
Wish = Annotated[
    str,
    Field(
        max_length=20,
        description="; ".join(f"{name}: {words}" for name, words in WISH_WORDS.items()),
    ),
]
Words = Annotated[
    str, Field(max_length=LONGEST_WORDS, description="What is wrong, and how anybody can check it.")
]
Addresses = Annotated[
    list[Annotated[str, Field(max_length=LONGEST_ADDRESS)]] | None,
    Field(max_length=MOST_ADDRESSES, description="Addresses that show it."),
]
Contact = Annotated[
    str | None,
    Field(max_length=LONGEST_CONTACT, description="An e-mail address for the outcome, if wanted."),
]
Credit = Annotated[
    str | None,
    Field(max_length=longest("credit"), description="A person to thank, if it is right."),
]
Fields = Annotated[
    dict[str, Annotated[str, Field(max_length=LONGEST_ADDRESS)]] | None,
    Field(
        max_length=len(FIELDS),
        description="What should be different, by the form's own fields: "
        + "; ".join(f"{name}: {FIELD_WORDS[name]}" for name in FIELDS),
    ),
]
Same = Annotated[
    Literal["join", "anyway"] | None,
    Field(description="Where an open report says the same: join it, or file another one anyway."),
]
Once = Annotated[
    str | None,
    Field(
        min_length=8,
        max_length=64,
        description="A random text of your own; the same call with the same text files once.",
    ),
]


class NotFiled(Refused):
    """Nothing was filed. {said}"""


class SaidAlready(Refused):
    """An open report says the same of the same thing, so nothing was filed; call again with
    same="join" to add to it, or same="anyway" to file another one."""


@attrs.frozen
class Reporting:
    """The tool that files reports."""

    pages: Pages

    def file_report(
        self,
        *,
        target: Target,
        reason: Reason,
        wish: Wish,
        words: Words = "",
        fields: Fields = None,
        addresses: Addresses = None,
        contact: Contact = None,
        credit: Credit = None,
        same: Same = None,
        once: Once = None,
    ) -> Filed:
        """Report that something is wrong or missing. Nothing changes by it: a person checks it
        against the source first, and sees that an agent filed it. Gives a secret link to what
        happens to it, for whoever you report for."""
        form = {
            **_known(fields or {}),
            "target": target,
            "reason": reason,
            "wish": wish,
            "words": words,
            "addresses": "\n".join(addresses or ()),
            "contact": contact or "",
            "credit": credit or "",
        }
        with self.pages.called():
            secret, handle = self._file(form, same, once)
        return Filed(
            secret_link=self.pages.link("letters.letter", {"secret": secret}, {}),
            filed_as=f"{handle}: reviewers see that an agent filed it",
            next="A person checks it against its source; nothing has changed yet.",
        )

    def _file(self, form: Mapping[str, str], same: str | None, once: str | None) -> tuple[str, str]:
        """File, join or set apart, as the form does; gives the secret and the kind of handle."""
        workspace = self.pages.site.workspace
        limit("report-posts", client_key(), POSTS, QUARTER)
        typed = typed_from(form)
        known = known_of(form["target"])
        read = filled(typed, known, names())
        if not isinstance(read, Filled):
            raise NotFiled(said=_said(read))
        posted = filing.Posted(
            typed=relevant(typed),
            sender=f"agent {CALLER.get()}" if once else None,
            once=once,
            by=new_handle(workspace.private),
            received_at=workspace.ledger.clock(),
        )
        before = filing.sent_before(workspace, posted)
        return before or self._new(posted, read, same), f"{BEGINS}…"

    def _new(self, posted: filing.Posted, read: Filled, same: str | None) -> str:
        workspace = self.pages.site.workspace
        self.pages.site.freshness.reached()
        found = screening.same_report(workspace, read)
        if found is not None and same is None:
            raise SaidAlready
        limit("reports", client_key(), REPORTS, QUARTER)
        join_to = found if same == "join" else None
        return screening.take_in(workspace, posted, read, join_to=join_to)


def _known(fields: Mapping[str, str]) -> Mapping[str, str]:
    """The fields of the form that were filled in; one that it has not would be lost."""
    for name in fields:
        if name not in FIELDS:
            why = f"the form has {', '.join(FIELDS)}"
            raise BadValue(what="fields", shown=ascii(name[:40]), why=why)
    return fields


def _said(messages: Mapping[str, str]) -> str:
    """What has to be said differently, field by field."""
    return " ".join(f"{name}: {message}" for name, message in messages.items())
