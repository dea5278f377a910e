"""Whatever bytes or text come in from outside: a value or one of our refusals, and nothing else.

Every reader is given whole files with pieces knocked out, doubled and exchanged, and things that
are no files at all. A few hundred in the suite, always the same ones; ``make fuzz`` tries other
ones, as many as ``FUZZ`` says. What takes for ever is ended by the test's timeout.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import values
from ledger.errors import Refused
from ledger.importing.board import Target
from ledger.importing.formats.every import FORMATS, chosen
from ledger.importing.formats.format import Candidate
from ledger.importing.formats.inspect_log import INSPECT_LOG
from ledger.importing.formats.mapping import read_mapping
from ledger.importing.formats.rows import Metrics
from ledger.importing.formats.snapshot import read_snapshot
from ledger.importing.records import parse_records
from ledger.proof.bundle import check_bundle
from ledger.proof.document import document_in
from ledger.proof.errors import Unproven
from ledger.proof.merkle import leaf_hash, root_of
from ledger.proof.note import (
    Checkpoint,
    SigningKey,
    checkpoint_in,
    opened_checkpoint,
    signed,
    signing_key,
    verifier_key,
)
from ledger.proof.receipt import Receipt, check_receipt, receipt_in
from ledger.proof.tiles import split_entries, split_hashes, tile_at
from ledger.proof.trust import successor
from ledger.verifying.remembered import remembered_in
from ledger.wire import decode
from projections.moment import moment_at
from tests.knocks import KNOCKS, PATIENCE, TEXTS, TIMES, Knocks, knocked
from tests.ledger.formats import (
    test_aider,
    test_epoch,
    test_eval_results,
    test_evalplus,
    test_every_eval_ever,
    test_inspect_log,
    test_lm_eval,
    test_model_index,
    test_papers_with_code,
    test_swe_bench,
)
from tests.ledger.formats.broken import Sample, asked, stated
from tests.ledger.formats.packed import as_packed
from tests.web.orchard import NOW
from web.fetching.addresses import place_of
from web.fetching.get import Fetched
from web.fetching.robots import robots_of
from web.fetching.warc import Response, response_record, responses_in
from web.settings import Settings

pytestmark = pytest.mark.timeout(PATIENCE)

DEMO = Path(__file__).parents[1] / "web" / "demo"
GOLDEN = Path(__file__).parent / "ledger" / "golden"

SAMPLES: tuple[Sample, ...] = tuple(
    module.TestBroken.sample
    for module in (
        *(test_aider, test_epoch, test_eval_results, test_evalplus, test_every_eval_ever),
        *(test_inspect_log, test_lm_eval, test_model_index, test_papers_with_code, test_swe_bench),
    )
)


def harmless(read: Callable[[], object]) -> None:
    """Read something: a value, or a refusal that says something."""
    try:
        read()
    except (Refused, Unproven) as why:
        assert str(why)  # noqa: PT017 -- a value is as good


# --- files that are brought in ----------------------------------------------------------------


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.form.name)
@TIMES
@given(knocks=KNOCKS)
def test_every_format_reads_or_refuses(sample: Sample, knocks: Knocks) -> None:
    """A file of the format, with pieces exchanged."""
    file = sample.file(knocked(sample.text.encode(), knocks))
    sample.form.known_by(file)
    harmless(partial(stated, sample.form, file, **sample.said))


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
@TIMES
@given(data=st.binary(max_size=60) | TEXTS.map(lambda text: text.encode("utf-8", "replace")))
def test_every_format_is_safe_with_what_is_none_of_its_files(form: Any, data: bytes) -> None:
    """Under every ending that it has, whatever is in the file."""
    for ending in form.endings:
        file = Candidate.of(f"file.{ending}", data)
        form.known_by(file)
        harmless(partial(_sheets, form, file))
        harmless(partial(chosen, file))


def _sheets(form: Any, file: Candidate) -> None:
    list(form.sheets(file, asked()))


@TIMES
@given(knocks=KNOCKS)
def test_a_packed_log_is_read_or_refused(knocks: Knocks) -> None:
    """An archive with pieces exchanged, its list of members among them."""
    file = Candidate.of("log.eval", knocked(as_packed(test_inspect_log.TEXT), knocks))
    INSPECT_LOG.known_by(file)
    harmless(partial(stated, INSPECT_LOG, file, **test_inspect_log.SAID))


TABLES = {
    "board.csv": b"key,model,score,unit,metric,date\nk1,Heron,71.50,%,pass,2025-01\n",
    "board.json": b'[{"key":"k1","model":"Heron","score":71.50,"date":"2025-01"}]',
    "board.yaml": b"- model: Heron\n  score: 71.50\n  date: 2025-01\n",
}


@pytest.mark.parametrize("name", TABLES)
@TIMES
@given(knocks=KNOCKS)
def test_a_snapshot_is_read_or_refused(name: str, knocks: Knocks) -> None:
    """CSV, JSON and YAML of our own form."""
    data = knocked(TABLES[name], knocks)
    target = Target(source=values.Slug("kite-board"), benchmark=values.Slug("kitebench"))
    harmless(partial(read_snapshot, name, data, target=target, metrics=Metrics(), now=NOW))


MAPPING = b"""name: Kite board
source: kite-board
benchmark: kitebench
model: Name
metrics:
  - column: Score
    metric: pass
    unit: "%"
"""


@TIMES
@given(knocks=KNOCKS)
def test_a_mapping_is_read_or_refused(knocks: Knocks) -> None:
    """The YAML that says what a table's columns are."""
    harmless(partial(read_mapping, "mapping.yaml", knocked(MAPPING, knocks)))


@pytest.mark.parametrize("file", ["code-interpreter.jsonl", "opencodeinterpreter.jsonl"])
@TIMES
@given(knocks=KNOCKS)
def test_records_are_read_or_refused(file: str, knocks: Knocks) -> None:
    """Lines of JSON, of benchmarks and of papers."""
    now = datetime(2026, 12, 1, tzinfo=UTC)
    harmless(partial(parse_records, file, knocked((DEMO / file).read_bytes(), knocks), now))


ANSWER = response_record(
    Response(
        Fetched(
            asked="http://example.org/",
            found_at="http://example.org/",
            status=200,
            reason="OK",
            headers=(("content-type", "text/html"), ("content-length", "5")),
            body=b"kites",
            content=b"kites",
        ),
        NOW,
    )
)


@TIMES
@given(knocks=KNOCKS)
def test_a_warc_is_read_or_refused(knocks: Knocks) -> None:
    """Its own header lines, those of the answer in it, and the lengths that both state."""
    harmless(partial(responses_in, "answers.warc", knocked(ANSWER, knocks)))


@TIMES
@given(text=TEXTS, knocks=KNOCKS)
def test_what_servers_tell_a_crawler_is_read(text: str, knocks: Knocks) -> None:
    """A robots.txt, and the address that a page leads to."""
    rules = knocked(b"User-agent: *\nDisallow: /a*b$\nAllow: /\n", knocks)
    robots_of(rules, "corrigenda").allows("/" + text)
    harmless(partial(place_of, text))
    harmless(partial(place_of, "http://" + text))


# --- what is stored, and what proves it -------------------------------------------------------


@TIMES
@given(file=st.sampled_from(sorted(GOLDEN.glob("*.json"))), knocks=KNOCKS)
def test_stored_bytes_are_decoded_or_refused(file: Path, knocks: Knocks) -> None:
    """Somebody with the database can put any bytes there; whoever reads them says so."""
    harmless(partial(decode, 1, knocked(file.read_bytes(), knocks)))


KEY = SigningKey("log.example/fuzz", bytes(range(32)))
ENTRY = b"\x07" * 32
NOTE = signed(Checkpoint(KEY.name, 1, root_of([leaf_hash(ENTRY)])).text, KEY)
RECEIPT = str(Receipt(0, (), NOTE))


@TIMES
@given(knocks=KNOCKS, text=TEXTS)
def test_notes_checkpoints_and_receipts_hold_or_are_refused(knocks: Knocks, text: str) -> None:
    """Signed text with pieces exchanged, keys and tiles' names, and anything else."""
    known = [KEY.verifier]
    for changed in (text, knocked(NOTE.encode(), knocks).decode("utf-8", "replace")):
        for read in (checkpoint_in, verifier_key, signing_key, successor, tile_at, remembered_in):
            harmless(partial(_told, read, changed))
        harmless(partial(opened_checkpoint, changed, known))
    receipt = knocked(RECEIPT.encode(), knocks).decode("utf-8", "replace")
    harmless(lambda: check_receipt(receipt_in(receipt), ENTRY, known))
    for split in (split_hashes, split_entries):
        harmless(partial(split, knocked(bytes(64), knocks)))


def _told(read: Callable[[str], object], text: str) -> None:
    read(text)


BUNDLE = orjson.dumps(
    {
        "format": "corrigenda-bundle/1",
        "subject": {"kind": "board", "benchmark": "kitebench"},
        "checkpoint": NOTE,
        "keys": [str(KEY.verifier)],
        "ties": [],
        "events": [{"position": 1, "index": 0, "stored": "{}", "proof": []}],
        "facts": [{"events": [1]}],
    }
)


@TIMES
@given(knocks=KNOCKS, data=st.binary(max_size=60))
def test_a_bundle_is_checked_or_refused(knocks: Knocks, data: bytes) -> None:
    """JSON of any shape, from anywhere; what is no bundle at all is malformed."""
    for changed in (data, knocked(BUNDLE, knocks)):
        harmless(partial(document_in, changed))
        harmless(partial(check_bundle, changed))


# --- what people type -------------------------------------------------------------------------


READERS: tuple[Callable[[str], object], ...] = (
    values.score,
    values.parse_day,
    values.parse_instant,
    values.PartialDate,
    values.parse_digest,
    values.parse_slug,
    values.parse_name,
    values.parse_address,
    values.parse_count,
    partial(values.parse_text, what="words"),
)


@TIMES
@given(text=TEXTS)
def test_every_value_is_read_or_refused(text: str) -> None:
    """Scores, dates, instants, digests, slugs, names, addresses, counts."""
    for read in READERS:
        harmless(partial(read, text))
    values.skeleton(values.name_key(text))


@attrs.frozen
class Recorded:
    """A ledger of three positions."""

    def head(self) -> int:
        """The last one."""
        return 3

    def recorded_at(self, position: int) -> values.Instant | None:
        """All at one instant."""
        return NOW if position else None

    def position_at(self, instant: values.Instant) -> int:
        """Before that instant there is none."""
        return 3 if instant >= NOW else 0


@TIMES
@given(text=TEXTS, name=st.sampled_from(["as_read_on", "recorded_through", "published_by"]))
def test_every_moment_is_one_or_refused(text: str, name: str) -> None:
    """The time parameters, and a setting of the environment."""
    harmless(partial(moment_at, Recorded(), NOW, **{name: text}))
    named = f"CORRIGENDA_{'TWO_PERSON' if name == 'as_read_on' else 'PROXIES'}"
    harmless(partial(Settings.from_environment, {named: text, "CORRIGENDA_ADDRESS": text}))
