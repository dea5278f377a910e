"""The real files of other projects beside the checkout, through the command, twice."""

from pathlib import Path

import orjson
import pytest

from tests.ledger.formats.packed import as_packed
from tests.web.corrigenda import Corrigenda

SHARED = Path(__file__).parents[3] / "shared" / "formats"

SAMPLES: dict[str, tuple[str, ...]] = {
    "epoch": ("--unit", "fraction"),
    "evalplus": (),
    "helm": ("--source", "helm-runs"),
    "huggingface": ("--unit", "%"),
    "inspect_ai": ("--source", "runs"),
    "lm_eval": ("--source", "runs"),
    "paperswithcode": ("--unit", "%"),
    "every_eval_ever": (),
}
"""What has to be said, since the files leave it open."""

REFUSED = {
    "model_versions.csv": "no score",
    "sample_invalid_model_index.md": "line 15, model-index[0].results[0]",
    "spec_eval_results.yaml": "does not name its model",
    "spec_modelcard.md": "line 38",
    "aggregate.jsonl": "line 1: object_path",
    "every_eval_ever.eval.schema.json": "no format knows",
    "every_eval_ever.instance_level_eval.schema.json": "no format knows",
    "source_rows.json": "no format knows",
}
"""Files that are no boards, or broken on purpose, and what is said of them."""


@pytest.mark.parametrize("folder", list(SAMPLES))
def test_real_files_come_in_once_and_their_boards_have_their_digits(
    corrigenda: Corrigenda, folder: str
) -> None:
    """Each file is read or refused with the place; again it gives nothing new."""
    files = SHARED / folder
    if not files.is_dir():
        pytest.skip(f"{folder} is not beside the checkout")
    text = b"".join(file.read_bytes() for file in files.iterdir()).decode()
    words = ("import", *SAMPLES[folder], "--json", str(files))
    first = orjson.loads(corrigenda.run(*words).stdout)["files"]
    boards = [entry for entry in first if "file_refused" not in entry and entry["recorded"]]
    for entry in first:
        if "file_refused" in entry:
            assert REFUSED[entry["file"]] in entry["file_refused"]
    assert boards
    for entry in boards[:5]:
        rows = corrigenda.json("board", entry["benchmark"], "--every-claim")["rows"]
        assert rows
        assert all(row["score"] in text for row in rows)
    before = corrigenda.json("events")
    again = orjson.loads(corrigenda.run(*words).stdout)["files"]
    assert [entry["file"] for entry in again] == [entry["file"] for entry in first]
    assert all(entry.get("known_already", True) for entry in again if entry["rows"])
    assert corrigenda.json("events") == before


def test_a_packed_log_makes_the_board_that_it_makes_in_json(
    corrigenda: Corrigenda, tmp_path: Path
) -> None:
    """Found by itself, in a folder too; and the same run in the other form changes no number."""
    plain = SHARED / "inspect_ai" / "data_pubmedqa_gpt4o_mini.json"
    if not plain.is_file():
        pytest.skip(f"{plain.name} is not beside the checkout")
    log = tmp_path / "logs" / "run.eval"
    log.parent.mkdir()
    log.write_bytes(as_packed(plain.read_text(encoding="utf-8")))
    words = ("import", *SAMPLES["inspect_ai"], "--json")
    (entry,) = orjson.loads(corrigenda.run(*words, str(log.parent)).stdout)["files"]
    assert (entry["format"], entry["recorded"]) == ("inspect", 1)
    assert "packed log" in entry["why"]
    rows = corrigenda.json("board", entry["benchmark"], "--every-claim")["rows"]
    scores = [row["score"] for row in rows]
    (again,) = orjson.loads(corrigenda.run(*words, str(plain)).stdout)["files"]
    assert again["unchanged"] == entry["recorded"]
    rows = corrigenda.json("board", entry["benchmark"], "--every-claim")["rows"]
    assert [row["score"] for row in rows] == scores
    assert all(score in plain.read_text(encoding="utf-8") for score in scores)
