"""A bundle as W3C PROV, read back with the outside libraries that read PROV and RDF."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest
from prov.model import ProvDocument
from rdflib import BNode, Graph, URIRef

from ledger import commands as orders
from reports.bundle import Bundle, claim_bundle
from reports.bundle.records import bundle_of
from reports.prov import FORMS, prov_bytes, prov_document
from tests.reports.shop import Shop
from tests.reports.stories import bundles, records, tell
from tests.reports.test_bundle import KINDS
from tests.web.desk import LOON, Desk
from web.cli.demo import CLAIM

PREFIXES = """
PREFIX prov: <http://www.w3.org/ns/prov#>
PREFIX term: <urn:corrigenda:terms:>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
"""


def graph_of(bundle: Bundle) -> Graph:
    """The Turtle, read by another library."""
    return Graph().parse(data=prov_bytes(bundle.document, "turtle"), format="turtle")


def asked(graph: Graph, query: str) -> list[tuple[str, ...]]:
    """The answers to a query, as text in order."""
    found: Any = graph.query(PREFIXES + query)
    return sorted(tuple(str(value) for value in row) for row in found)


# --- read back --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_prov_json_is_read_back_to_the_same(shop: Shop, kind: str) -> None:
    """The ``prov`` library finds the document that was written, record by record."""
    document = KINDS[kind](shop).document
    text = prov_bytes(document, "json").decode()
    back = ProvDocument.deserialize(content=text, format="json")
    assert back == prov_document(document)
    lines = prov_bytes(document, "provn").decode().splitlines()
    assert len(lines) == len(back.get_provn().splitlines())


@pytest.mark.parametrize("kind", KINDS)
def test_turtle_has_no_blank_node_and_every_triple(shop: Shop, kind: str) -> None:
    """So it is the same in every process; what PROV-JSON says is in it."""
    bundle = KINDS[kind](shop)
    graph = graph_of(bundle)
    assert [node for node in graph.all_nodes() if isinstance(node, BNode)] == []
    made = prov_document(bundle.document)
    named = {URIRef(one.identifier.uri) for one in made.get_records() if one.identifier}
    assert named <= set(graph.subjects())


def test_a_query_leads_from_a_claim_to_its_snapshot(shop: Shop) -> None:
    """With the digest of the frozen bytes, and the number as the source has it."""
    graph = graph_of(claim_bundle(shop.records, shop.moment(), CLAIM))
    found = asked(
        graph,
        """SELECT ?digest ?score WHERE {
            ?claim a term:Claim .
            ?revision prov:specializationOf ?claim ;
                prov:wasDerivedFrom ?snapshot ; term:score ?score .
            ?snapshot a term:Snapshot ; term:sha256 ?digest .
        }""",
    )
    reading = shop.workspace.ledger.claim(CLAIM).readings[-1]
    assert found == [(reading.digest, "73.1")]


def test_a_query_leads_from_a_correction_to_all_that_belongs_to_it(shop: Shop) -> None:
    """Who proposed it, who let it take effect, what was checked, and what it revised."""
    graph = graph_of(KINDS["a correction"](shop))
    assert asked(
        graph,
        """SELECT ?handle ?role WHERE {
            ?decision a term:Decision ; prov:qualifiedAssociation ?did .
            ?did prov:agent ?person ; prov:hadRole ?role .
            ?person a prov:Person ; rdfs:label ?handle .
        }""",
    ) == [
        ("demo-reviewer", "urn:corrigenda:terms:proposer"),
        ("demo-second-reviewer", "urn:corrigenda:terms:decider"),
    ]
    ((corrected, digest),) = asked(
        graph,
        """SELECT ?corrected ?digest WHERE {
            ?after prov:wasGeneratedBy ?decision ; prov:wasRevisionOf ?before ;
                term:corrected ?corrected .
            ?before prov:wasGeneratedBy ?import .
            ?import a term:Import .
            ?decision prov:used ?snapshot .
            ?snapshot term:sha256 ?digest .
        }""",
    )
    assert corrected == "metric: executable-code-rate → accuracy; split: All → Math"
    assert digest == shop.workspace.ledger.claim(CLAIM).readings[-1].digest


def test_importing_and_deciding_are_at_the_instant_when_they_were_recorded(shop: Shop) -> None:
    """Activities begin and end at ``recorded_at``; importers are people too."""
    bundle = KINDS["a claim"](shop)
    instants = {orjson.loads(one["stored"])["recorded_at"] for one in bundle.document["events"]}
    found = asked(
        graph_of(bundle),
        """SELECT ?kind ?start ?end ?role WHERE {
            ?activity a prov:Activity ; a ?kind ; prov:startedAtTime ?start ;
                prov:endedAtTime ?end ; prov:qualifiedAssociation/prov:hadRole ?role .
            FILTER(?kind != prov:Activity)
        }""",
    )
    assert {(kind, role) for kind, _, _, role in found} == {
        ("urn:corrigenda:terms:Import", "urn:corrigenda:terms:importer"),
        ("urn:corrigenda:terms:Decision", "urn:corrigenda:terms:proposer"),
        ("urn:corrigenda:terms:Decision", "urn:corrigenda:terms:decider"),
    }
    for _, start, end, _ in found:
        assert start == end
        assert _recorded(start) in instants


def _recorded(text: str) -> str:
    """An instant of XML Schema in the form of the ledger."""
    day, _, offset = text.partition("+")
    assert offset == "00:00"
    return day + ("Z" if "." in day else ".000000Z")


# --- what becomes of claims -------------------------------------------------------------------


ENDED = """SELECT ?score ?kind WHERE {
    ?revision prov:wasInvalidatedBy ?by ; term:score ?score . ?by a ?kind .
    FILTER(?kind != prov:Activity)
}"""


def test_a_retraction_ends_what_a_claim_says(desk: Desk) -> None:
    """It is the decision that ends it; whoever reinstates it revises what had ended."""
    retract = orders.Retract(claim=LOON, version=1, applies_from="start")
    desk.approve(desk.decide(desk.order(desk.file(LOON), retract)))
    reinstate = orders.Reinstate(claim=LOON, version=2, applies_from="start")
    made = desk.decide(desk.order(desk.file(LOON), reinstate))
    assert not made.proposed
    graph = graph_of(claim_bundle(records(desk), desk.workspace.moment(), LOON))
    assert asked(graph, ENDED) == [("40", "urn:corrigenda:terms:Decision")]
    revised = """SELECT ?effect ?score WHERE {
        ?after prov:wasRevisionOf ?before ; term:effect ?effect . ?before term:score ?score .
    }"""
    assert asked(graph, revised) == [("reinstated", "40")]


def test_what_a_source_no_longer_states_has_ended(desk: Desk) -> None:
    """A reading that leaves a row out ends it, and one that has it again says so anew."""
    desk.read_again("model,score\nHeron-7B,72.5\nIbis-13B,80.0\n")
    desk.read_again("model,score\nHeron-7B,72.5\nLoon-3B,41\n", "2025-07-12T080000Z.csv")
    graph = graph_of(claim_bundle(records(desk), desk.workspace.moment(), LOON))
    assert asked(graph, ENDED) == [("40", "urn:corrigenda:terms:Import")]
    shown = (
        "SELECT ?score WHERE { ?s a term:Shown ; prov:wasDerivedFrom ?r . ?r term:score ?score }"
    )
    assert asked(graph, shown) == [("41",)]


@pytest.mark.parametrize("form", FORMS)
def test_every_kind_of_event_can_be_told(desk: Desk, form: str) -> None:
    """No history of claims is beyond PROV, in any of its forms."""
    tell(desk)
    for bundle in bundles(desk):
        assert prov_bytes(bundle.document, form)


# --- names and bytes --------------------------------------------------------------------------


def test_things_are_called_by_the_addresses_of_their_pages(shop: Shop) -> None:
    """Where the ledger knows what these are; under the log's own name else."""
    bundle = KINDS["a claim"](shop)
    origin = bundle.document["log"]["origin"]
    assert (
        f"<urn:corrigenda:{origin}/claims/{CLAIM}>"
        in prov_bytes(bundle.document, "turtle").decode()
    )
    known = bundle_of({**bundle.document, "site": "https://corrections.example.org"})
    claim = URIRef(f"https://corrections.example.org/claims/{CLAIM}")
    assert (claim, None, None) in graph_of(known)


AGAIN = """
import sys
from pathlib import Path
import orjson
from reports.prov import FORMS, prov_bytes
document = orjson.loads(Path(sys.argv[1]).read_bytes())
for form in FORMS:
    sys.stdout.buffer.write(prov_bytes(document, form))
"""


def test_equal_bundles_give_equal_prov_in_any_process(shop: Shop, tmp_path: Path) -> None:
    """Whatever order Python keeps its sets in, from the bundle's file alone."""
    bundle = KINDS["the small one after"](shop)
    made = b"".join(prov_bytes(bundle.document, form) for form in FORMS)
    file = tmp_path / "a.bundle.json"
    file.write_bytes(bundle.data)
    for seed in ("1", "2"):
        found = subprocess.run(
            [sys.executable, "-c", AGAIN, str(file)],
            capture_output=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PATH": os.environ["PATH"]},
            cwd=Path(__file__).parents[2],
        )
        assert found.stdout == made
