"""Programs that try everything which the description allows, and what it does not, find nothing.

Schemathesis reads the description from the real server and sends it right and wrong requests by the
thousand: whatever comes back has to be told there, and what is wrong has to be refused. Who comes
with a token may review, so that is tried as well; pages of a browser are none of its matter.
"""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest
import schemathesis
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import from_schema
from schemathesis.engine.events import FatalError, NonFatalError, ScenarioFinished

from tests.web.orchard import BIRCH, Orchard
from tests.web.programs import token_of
from tests.web.served import served
from web.api.describing import operations

KNOWN = {
    "/benchmarks/": "orchard",
    "/claims/": BIRCH,
    "/models/": "birch",
    "/sources/": "birch-post",
    "/corrections/": 1,
    "/events/": 7,
    "/audit/imports/": 19,
    "/audit/checkpoints/": 40,
    "/api/reports/": 1,
}
"""What there is, so that not everything that is tried is not found."""

ALIKE = (
    *(".bundle.json", ".prov.json", ".csl.json", "/charts/{name}.json"),
    *("/sources/{slug}/claims.json", "/models/{slug}/claims.json", "/audit/snapshots.json"),
)
"""What knows the same parameters as something that is tried, and takes longer; but for these."""
BUT = ("/claims/{claim}.bundle.json", "/models/{name}.csl.json", "/corrections.prov.json")

# A day that has not come, a position that is not reached or a second look at a time that is asked
# for twice are refused though their form is right; and reports that nobody may see are not there.
EXPECTED = ["2xx", "400", "401", "403", "404", "409", "422", "429", "503"]


def config_for(address: str, token: str) -> SchemathesisConfig:
    """Few examples, always the same ones."""
    return SchemathesisConfig.from_dict(
        {
            "base-url": address,
            "headers": {"Authorization": f"Bearer {token}"},
            "generation": {
                "max-examples": 2,
                "deterministic": True,
                "with-security-parameters": False,
                "database": "none",
            },
            "phases": {
                "stateful": {"enabled": False},
                "coverage": {"unexpected-methods": ["DELETE"]},
            },
            "checks": {
                "positive_data_acceptance": {"expected-statuses": EXPECTED},
                "ignored_auth": {"enabled": False},
            },
        }
    )


def with_examples(document: Any) -> Any:
    """The description, with names that there are, and without what is like something else."""
    for path in [*document["paths"]]:
        if path.endswith(ALIKE) and path not in BUT:
            del document["paths"][path]
            continue
        known = next((name for begin, name in KNOWN.items() if path.startswith(begin)), None)
        for operation in document["paths"][path].values():
            for one in operation["parameters"]:
                if one["in"] == "path" and known is not None:
                    one["example"] = known
    return document


def findings(schema: Any, tried: set[str]) -> Iterator[str]:
    """Everything that is found, in words; ``tried`` gets the names of what was asked for."""
    for event in from_schema(schema).execute():
        if isinstance(event, FatalError | NonFatalError):
            yield str(event.exception if isinstance(event, FatalError) else event.info)
        if isinstance(event, ScenarioFinished):
            cases = event.recorder.cases
            for case, checks in event.recorder.checks.items():
                label = cases[case].value.operation.label
                tried.add(label)
                for check in checks:
                    if check.failure_info is not None:
                        found = check.failure_info.failure
                        yield f"{label}: {found.title}. {found.message} {cases[case].value}"


@pytest.mark.timeout(300)
def test_whoever_tries_everything_finds_nothing(orchard: Orchard) -> None:
    """Every address, with what it takes and what it does not, from a server on this machine."""
    token = token_of(orchard.workspace, "ada")
    with served(orchard.app) as address:
        document = orjson.loads(orchard.app.test_client().get("/api/openapi.json").data)
        config = config_for(address, token)
        schema = schemathesis.openapi.from_dict(with_examples(document), config=config)
        tried = set[str]()
        assert list(findings(schema, tried)) == []
    described = {f"{one.method} {one.path}" for one in operations(orchard.app)}
    left_out = {one for one in described if one.endswith(ALIKE) and one[4:] not in BUT}
    assert tried == described - left_out
