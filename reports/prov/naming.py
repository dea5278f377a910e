"""What things are called in PROV: under the pages' own addresses where these are known.

A claim, snapshot, source or correction has the address of its page. Where nobody said what that is,
a URN with the log's name stands in its place, so that names of two ledgers never meet.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import attrs
from prov.model import Namespace, ProvDocument, QualifiedName

HERE = "here"
TERM = "term"
TERMS = "urn:corrigenda:terms:"
Attributes = dict[str | QualifiedName, Any]


@attrs.frozen
class Names:
    """The two namespaces of a document: its things, and our terms for what they are."""

    here: Namespace
    terms: Namespace

    def thing(self, *path: object) -> QualifiedName:
        """Something of this ledger, by the parts of its path."""
        return self.here["/".join(map(str, path))]

    def term(self, name: str) -> QualifiedName:
        """One of our terms."""
        return self.terms[name]

    def typed(self, kind: str, label: str | None = None) -> Attributes:
        """What a thing is, and what people call it."""
        named: Attributes = {} if label is None else {"prov:label": label}
        return {"prov:type": self.term(kind)} | named

    def said(self, values: Mapping[str, Any]) -> Attributes:
        """Attributes under our terms; what is not said is left out."""
        return {self.term(name): value for name, value in values.items() if value is not None}


def names_in(made: ProvDocument, document: Mapping[str, Any]) -> Names:
    """The namespaces for a bundle, entered in its PROV document."""
    site = document["site"]
    base = f"{site}/" if site else f"urn:corrigenda:{quote(document['log']['origin'])}/"
    return Names(made.add_namespace(HERE, base), made.add_namespace(TERM, TERMS))
