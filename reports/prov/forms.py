"""PROV in its three forms: PROV-JSON, PROV-N and RDF as Turtle; equal bundles give equal bytes."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import orjson
from prov.model import ProvDocument
from prov.serializers.provrdf import ProvRDFSerializer
from rdflib import RDFS, XSD, Graph, URIRef

from reports.prov.naming import TERM, TERMS
from reports.prov.telling import prov_document

PROV = "http://www.w3.org/ns/prov#"

QUALIFIED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "qualifiedGeneration": ("wasGeneratedBy", "activity"),
        "qualifiedInvalidation": ("wasInvalidatedBy", "activity"),
        "qualifiedUsage": ("used", "entity"),
        "qualifiedAssociation": ("wasAssociatedWith", "agent"),
        "qualifiedDerivation": ("wasDerivedFrom", "entity"),
        "qualifiedRevision": ("wasRevisionOf", "entity"),
        "qualifiedPrimarySource": ("hadPrimarySource", "entity"),
    }
)
"""What a qualified relation means without its details (PROV-O, section 3.3)."""


def _json(made: ProvDocument) -> bytes:
    found = orjson.loads(str(made.serialize(format="json")))
    return orjson.dumps(found, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2) + b"\n"


def _notation(made: ProvDocument) -> bytes:
    return f"{made.get_provn()}\n".encode()


def _turtle(made: ProvDocument) -> bytes:
    """All relations have names, so there is no blank node whose label could differ."""
    graph = Graph(bind_namespaces="none")
    for prefix, namespace in (("prov", PROV), ("rdfs", RDFS), ("xsd", XSD), (TERM, TERMS)):
        graph.bind(prefix, str(namespace))
    for subject, predicate, value, _ in ProvRDFSerializer(made).encode_document(made).quads():
        graph.add((subject, predicate, value))
    for qualified, (plain, of) in QUALIFIED.items():
        for subject, relation in list(graph.subject_objects(URIRef(PROV + qualified))):
            for value in graph.objects(relation, URIRef(PROV + of)):
                graph.add((subject, URIRef(PROV + plain), value))
    return graph.serialize(format="turtle", encoding="utf-8")


FORMS: Mapping[str, Callable[[ProvDocument], bytes]] = MappingProxyType(
    {"json": _json, "provn": _notation, "turtle": _turtle}
)


def prov_bytes(document: Mapping[str, Any], form: str) -> bytes:
    """A bundle's document as PROV in a form of :data:`FORMS`."""
    return FORMS[form](prov_document(document))
