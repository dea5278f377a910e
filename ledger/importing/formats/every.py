"""Every format that files come in, and which one a file has.

A file is looked at by each format, by its name and its beginning alone. The one that knows it is
taken, and says why; when several claim it, or none does, nobody guesses.
"""

import attrs

from ledger.errors import BadValue, Refused
from ledger.importing.formats.aider import AIDER
from ledger.importing.formats.epoch import EPOCH
from ledger.importing.formats.eval_results import EVAL_RESULTS
from ledger.importing.formats.evalplus import EVALPLUS
from ledger.importing.formats.every_eval_ever import EVERY_EVAL_EVER
from ledger.importing.formats.format import Candidate, Format
from ledger.importing.formats.generic import TABLE
from ledger.importing.formats.helm import HELM
from ledger.importing.formats.inspect_log import INSPECT_LOG
from ledger.importing.formats.lm_eval import LM_EVAL
from ledger.importing.formats.model_index import MODEL_INDEX
from ledger.importing.formats.our_board import OUR_BOARD
from ledger.importing.formats.papers_with_code import PAPERS_WITH_CODE
from ledger.importing.formats.snapshot import SNAPSHOT
from ledger.importing.formats.swe_bench import SWE_BENCH

FORMATS: tuple[Format, ...] = (
    SNAPSHOT,
    OUR_BOARD,
    AIDER,
    EVAL_RESULTS,
    EVALPLUS,
    EVERY_EVAL_EVER,
    MODEL_INDEX,
    SWE_BENCH,
    EPOCH,
    HELM,
    INSPECT_LOG,
    LM_EVAL,
    PAPERS_WITH_CODE,
    TABLE,
)
"""All formats; their names are what ``--format`` takes."""


class NoFormatKnows(Refused):
    """{file}: no format knows this file ({looked_for}); say --format NAME, or --format table
    for a table of any shape."""


class SeveralFormatsClaim(Refused):
    """{file}: {claims}; say --format NAME."""


@attrs.frozen
class Choice:
    """A format for a file, and why this one, as a clause."""

    format: Format
    why: str


def named(name: str) -> Format:
    """The format of a name."""
    for one in FORMATS:
        if one.name == name:
            return one
    known = ", ".join(one.name for one in FORMATS)
    raise BadValue(what="format", shown=repr(name[:80]), why=f"known are {known}")


def chosen(file: Candidate, asked_format: str | None = None) -> Choice:
    """The format that a file is read with: the one asked for, else the one that knows it.

    Raises ``NoFormatKnows`` or ``SeveralFormatsClaim``, which say what was looked for.
    """
    if asked_format is not None:
        return Choice(named(asked_format), "it was asked for")
    knowing = [(one, why) for one in FORMATS if (why := one.known_by(file)) is not None]
    if not knowing:
        looked_for = "; ".join(f"{one.name}: {one.title}" for one in FORMATS)
        raise NoFormatKnows(file=file.name, looked_for=looked_for)
    if len(knowing) > 1:
        claims = ", ".join(f"{one.name} claims it ({why})" for one, why in knowing)
        raise SeveralFormatsClaim(file=file.name, claims=claims)
    (only,) = knowing
    return Choice(*only)
