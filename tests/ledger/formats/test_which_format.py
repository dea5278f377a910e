"""Which format a file has: one knows it and says why, or nobody guesses."""

import pytest

from ledger.importing.formats.every import FORMATS, chosen
from ledger.importing.formats.format import Candidate
from tests.ledger.formats import (
    test_aider,
    test_eval_results,
    test_evalplus,
    test_every_eval_ever,
    test_model_index,
    test_swe_bench,
)
from tests.ledger.formats.broken import JUNK, REAL, Sample, candidate

SAMPLES: tuple[Sample, ...] = (
    test_aider.TestBroken.sample,
    test_eval_results.TestBroken.sample,
    test_evalplus.TestBroken.sample,
    test_every_eval_ever.TestBroken.sample,
    test_every_eval_ever.TestBrokenLines.sample,
    test_model_index.TestBroken.sample,
    test_swe_bench.TestBroken.sample,
)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda one: f"{one.form.name}-{one.name}")
def test_one_format_alone_knows_a_file(sample: Sample) -> None:
    """The right one, also when all others look at it too."""
    assert chosen(sample.file()).format is sample.form


def test_of_the_real_files_none_is_claimed_twice() -> None:
    """Whatever lies beside the checkout: each is of one format, or of none."""
    folder = REAL / "formats"
    if not folder.is_dir():
        pytest.skip("the real files are not beside the checkout")
    for path in sorted(folder.rglob("*.*")):
        knowing = [one.name for one in FORMATS if one.known_by(Candidate.at(path))]
        assert len(knowing) < 2, path.name


def test_junk_is_of_no_format() -> None:
    """Under any ending that a format has."""
    for ending in {ending for one in FORMATS for ending in one.endings}:
        for junk in JUNK:
            file = candidate(f"junk{ending}", junk)
            knowing = [one.name for one in FORMATS if one.known_by(file)]
            assert not knowing, (ending, junk[:20])
