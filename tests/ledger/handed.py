"""A bundle as somebody was handed it, with the log's key, and ways to spoil it."""

from collections.abc import Callable, Iterator
from typing import Any

import attrs
import orjson
import pytest

from ledger.proof.bundle import check_bundle
from ledger.proof.note import VerifierKey
from reports.bundle import board_bundle
from tests.reports.shop import Shop, open_shop


@attrs.frozen
class Given:
    """A bundle as it was handed out, with the log's key, and the shop that it comes from."""

    shop: Shop
    data: bytes
    key: VerifierKey

    def spoiled(self, spoil: Callable[[Any], object]) -> bytes:
        """The bundle with something done to it."""
        document = orjson.loads(self.data)
        spoil(document)
        return orjson.dumps(document)

    def problems(self, spoil: Callable[[Any], object]) -> tuple[str, ...]:
        """What is found wrong with it then."""
        return check_bundle(self.spoiled(spoil), [self.key]).problems


@pytest.fixture(scope="session")
def given(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Given]:
    """The small board of the demo, after its decision."""
    with open_shop(tmp_path_factory.mktemp("given")) as shop:
        moment, metric = shop.moment(), "accuracy"
        bundle = board_bundle(shop.records, moment, "code-interpreter", metric=metric)
        yield Given(shop, bundle.data, shop.workspace.seals.keys()[0])


def event_of(document: Any, kind: str, number: int = 0) -> Any:
    """An event of a document by its kind."""
    found = [one for one in document["events"] if f'"type":"{kind}' in one["stored"]]
    return found[number]


def change_score(document: Any) -> None:
    """Put a digit before the first score."""
    one = event_of(document, "claim-recorded/")
    one["stored"] = one["stored"].replace('"score":"', '"score":"1')
