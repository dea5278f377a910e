"""A bundle, and the PDF that it is attached to: what was altered in either is found and named."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pypdfium2 as pdfium
import pytest

from reports.pdf import pdf_of
from tests.web.corrigenda import Corrigenda, Toy

Alter = Callable[[dict[str, Any]], None]


def exported(toy: Toy) -> Path:
    """The toy's board as a bundle."""
    out = toy.corrigenda.home.parent / "toy.json"
    toy.corrigenda.done("export", "board", "toy", "--bundle", str(out))
    return out


def altered(bundle: Path, alter: Alter) -> Path:
    """The bundle with something else in it, in the same form."""
    document = orjson.loads(bundle.read_bytes())
    alter(document)
    bundle.write_bytes(orjson.dumps(document, option=orjson.OPT_SORT_KEYS) + b"\n")
    return bundle


def told(toy: Toy, target: Path, *words: str) -> Any:
    """The document of ``verify FILE --json``."""
    result = toy.corrigenda.run("verify", str(target), *words, "--json")
    return orjson.loads(result.stdout)


# --- bundles ----------------------------------------------------------------------------------


def test_a_bundle_holds_under_the_key_of_its_log(toy: Toy) -> None:
    """With the key from elsewhere nothing is taken on its own word."""
    bundle = exported(toy)
    key = toy.corrigenda.done("key", "show").strip()
    found = told(toy, bundle, "--key", key)
    assert (found["kind"], found["holds"], found["notes"]) == ("bundle", True, [])
    (note,) = told(toy, bundle)["notes"]
    assert note.startswith(f"nobody named a key, so the bundle's own word was taken: {key};")


def test_a_bundle_is_held_against_what_was_seen_of_its_log(toy: Toy) -> None:
    """Its key, and its checkpoint: of one size there is one root."""
    bundle = exported(toy)
    assert told(toy, toy.corrigenda.home)["holds"] is True
    assert told(toy, bundle)["notes"] == []
    other = Corrigenda(toy.corrigenda.home.parent / "other")
    other.done("init")
    stranger = other.done("key", "show").strip()
    (found,) = told(toy, bundle, "--key", stranger)["findings"]
    assert found["kind"] == "bundle-unproved"
    assert "no key that is trusted has signed the note" in found["says"]


def other_score(document: dict[str, Any]) -> None:
    document["shows"]["rows"][0]["score"] = "99.9"


def other_event(document: dict[str, Any]) -> None:
    event = document["events"][-1]
    event["stored"] = event["stored"].replace('"recorded_by":"ada"', '"recorded_by":"eve"')


def one_event_less(document: dict[str, Any]) -> None:
    del document["events"][0]


def other_checkpoint(document: dict[str, Any]) -> None:
    document["log"]["checkpoint"] = document["log"]["checkpoint"].replace("\n", "\n1", 1)


@pytest.mark.parametrize(
    ("alter", "kind", "says"),
    [
        (other_score, "bundle-unfit", 'shows.rows[0].score: the bundle says "99.9"'),
        (other_event, "bundle-unproved", "does not lead to the root"),
        (one_event_less, "bundle-unproved", "has version 2 where 1 is due"),
        (other_checkpoint, "bundle-unproved", "is not valid"),
    ],
)
def test_what_was_altered_in_a_bundle_is_named(
    toy: Toy, alter: Alter, kind: str, says: str
) -> None:
    """By its path, or by the event whose proof does not hold."""
    found = told(toy, altered(exported(toy), alter))["findings"]
    assert kind in [one["kind"] for one in found]
    assert any(says in one["says"] for one in found if one["kind"] == kind)


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[1]", b"\xff", b'{"format": "corrigenda-bundle/1"}']
)
def test_what_is_no_bundle_is_said_so(toy: Toy, tmp_path: Path, data: bytes) -> None:
    """Whatever it is instead."""
    file = tmp_path / "file.json"
    file.write_bytes(data)
    assert [one["kind"] for one in told(toy, file)["findings"]] == ["bundle-malformed"]


# --- paper ------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def paper_once(toy_once: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """The toy's board as a bundle, and as the PDF of it."""
    corrigenda = Corrigenda(toy_once / "home")
    out = tmp_path_factory.mktemp("paper") / "toy.json"
    corrigenda.done("export", "board", "toy", "--bundle", str(out))
    bundle = out.read_bytes()
    return bundle, pdf_of(bundle)


def papers(toy: Toy, data: bytes) -> Any:
    """What is found of a PDF."""
    file = toy.corrigenda.home.parent / "paper.pdf"
    file.write_bytes(data)
    return told(toy, file)


def reworked(paper: bytes, work: Callable[[Any], None]) -> bytes:
    """The PDF as some other program writes it after working on it."""
    document = pdfium.PdfDocument(paper)
    work(document)
    out = io.BytesIO()
    document.save(out)
    document.close()
    return out.getvalue()


def attached(document: Any) -> Any:
    """The bundle in it."""
    files = [document.get_attachment(at) for at in range(document.count_attachments())]
    return next(file for file in files if file.get_name() == "bundle.json")


def test_a_paper_holds_byte_for_byte(toy: Toy, paper_once: tuple[bytes, bytes]) -> None:
    """Its bundle is proved, rebuilt, and printed again to the same bytes."""
    found = papers(toy, paper_once[1])
    assert (found["kind"], found["holds"]) == ("paper", True)
    assert found["checked"]["bytes"] == len(paper_once[1])


def test_a_number_that_was_altered_on_paper_is_named(
    toy: Toy, paper_once: tuple[bytes, bytes]
) -> None:
    """Though the attached bundle is the true one: by page, with what it would say."""
    bundle, _ = paper_once
    document = orjson.loads(bundle)
    document["shows"]["rows"][0]["score"] = "99.9"
    lying = pdf_of(orjson.dumps(document, option=orjson.OPT_SORT_KEYS) + b"\n")
    found = papers(toy, reworked(lying, lambda pdf: attached(pdf).set_data(bundle)))
    kinds = {one["kind"] for one in found["findings"]}
    assert kinds == {"paper-changed", "paper-digest"}
    assert any("99.9" in one["says"] for one in found["findings"])


def test_what_cannot_be_seen_on_paper_is_found_too(
    toy: Toy, paper_once: tuple[bytes, bytes]
) -> None:
    """Another program wrote the file: its pages read the same, its bytes are others."""
    found = papers(toy, reworked(paper_once[1], lambda _: None))
    assert [one["kind"] for one in found["findings"]] == ["paper-bytes"]


def test_a_page_that_is_gone_is_named(toy: Toy, paper_once: tuple[bytes, bytes]) -> None:
    """The last one here, which says how to check it."""
    pages = len(pdfium.PdfDocument(paper_once[1]))
    found = papers(toy, reworked(paper_once[1], lambda pdf: pdf.del_page(0)))["findings"]
    assert ("paper-page-missing", {"page": pages}) in [(one["kind"], one["place"]) for one in found]


def test_a_paper_without_its_bundle_proves_nothing(
    toy: Toy, paper_once: tuple[bytes, bytes]
) -> None:
    """And what is no PDF at all is said so."""

    def strip(pdf: Any) -> None:
        for at in reversed(range(pdf.count_attachments())):
            pdf.del_attachment(at)

    found = papers(toy, reworked(paper_once[1], strip))["findings"]
    assert [one["kind"] for one in found] == ["paper-without-bundle"]
    found = papers(toy, b"%PDF-1.7 is what it says")["findings"]
    assert [one["kind"] for one in found] == ["paper-unread"]
