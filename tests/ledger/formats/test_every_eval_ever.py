"""Every Eval Ever: records of evaluations, single and by the line."""

import json
from datetime import UTC, datetime
from typing import Any

import jsonschema
import pytest

from ledger.importing.formats.every_eval_ever import EVERY_EVAL_EVER
from ledger.importing.formats.metric_scale import unit_of
from tests.ledger.formats.broken import (
    REAL,
    HoldsWhenBroken,
    HoldsWhenMixedUp,
    Sample,
    candidate,
    real,
    refusal,
    refused_somehow,
    stated,
)

FOLDER = ("formats", "every_eval_ever")


def result(dataset: str, score: object, **config: Any) -> dict[str, Any]:
    """One result of a record."""
    return {
        "evaluation_name": f"herons.{dataset}",
        "source_data": {"dataset_name": dataset, "source_type": "other"},
        "metric_config": {
            "metric_id": "accuracy",
            "metric_name": "Accuracy",
            "metric_unit": "proportion",
            "lower_is_better": False,
            "score_type": "continuous",
            "min_score": 0.0,
            "max_score": 1.0,
            **config,
        },
        "score_details": {"score": score},
    }


def record(*results: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A record of schema 0.3, made up."""
    return {
        "schema_version": "0.3.0",
        "evaluation_id": "herons/heron-lab_Heron-7B/1750000000.25",
        "evaluation_timestamp": "1749990000",
        "retrieved_timestamp": "1750000000.25",
        "source_metadata": {
            "source_name": "Herons Board",
            "source_type": "documentation",
            "source_organization_name": "Herons",
            "evaluator_relationship": "third_party",
        },
        "eval_library": {"name": "unknown", "version": "unknown"},
        "model_info": {
            "name": "Héron 7B",
            "id": "heron-lab/Heron-7B",
            "developer": "Héron Lab",
            "additional_details": {
                "deployment_type": "unknown",
                "model_availability": "unknown",
            },
        },
        "evaluation_results": list(results),
        **fields,
    }


def text_of(*results: dict[str, Any], **fields: Any) -> str:
    """The record as a file."""
    return json.dumps(record(*results, **fields), ensure_ascii=False, indent=1)


TEXT = text_of(result("nests", 0.125), result("eggs", 0.5)).replace("0.125", "0.5700")
TWICE = text_of(result("nests", 0.57), result("nests", 0.58), result("eggs", 0.5))


class TestBroken(HoldsWhenBroken, HoldsWhenMixedUp):
    """The contract of all formats."""

    sample = Sample(
        form=EVERY_EVAL_EVER, name="record.json", text=TEXT, score="0.5700", twice=TWICE
    )


class TestBrokenLines(HoldsWhenBroken):
    """The same for records by the line."""

    sample = Sample(
        form=EVERY_EVAL_EVER,
        name="aggregate.jsonl",
        text=json.dumps(
            record(result("nests", 0.125), result("eggs", 0.5)), ensure_ascii=False
        ).replace("0.125", "0.5700")
        + "\n",
        score="0.5700",
        twice=json.dumps(json.loads(TWICE)),
    )


def test_a_record_says_its_board_and_when_it_was_made() -> None:
    """Each dataset is a benchmark; the time of the run is kept beside, it is no publication."""
    read = stated(EVERY_EVAL_EVER, candidate("record.json", TEXT))
    assert {(one.source_name, one.kind, one.benchmark, one.whole) for one in read.sheets} == {
        ("Herons Board", "official-leaderboard", "nests", False),
        ("Herons Board", "official-leaderboard", "eggs", False),
    }
    assert read.sheets[0].read_at == datetime(2025, 6, 15, 15, 6, 40, 250_000, UTC)
    nests = next(says for (_, slug, *_), says in read.says.items() if slug == "nests")
    assert (nests.name, nests.lab, str(nests.score), nests.unit) == (
        "Héron 7B",
        "Héron Lab",
        "0.5700",
        "fraction",
    )
    assert (nests.metric, nests.split, nests.published_on) == ("accuracy", None, None)
    assert ("run_timestamp", "1749990000") in nests.extra
    assert ("model_id", "heron-lab/Heron-7B") in nests.extra
    assert "eval_library.name" in read.notes


def test_the_key_outlives_the_time_in_the_record() -> None:
    """A record that is made again is another reading of the same claims."""
    later = {
        "evaluation_id": "herons/heron-lab_Heron-7B/1760000000",
        "retrieved_timestamp": "1760000000",
    }
    first = stated(EVERY_EVAL_EVER, candidate("a.json", text_of(result("nests", 0.5))))
    again = stated(EVERY_EVAL_EVER, candidate("b.json", text_of(result("nests", 0.6), **later)))
    assert set(first.says) == set(again.says)
    assert first.sheets[0].read_at != again.sheets[0].read_at
    nameless = text_of(result("nests", 0.5), evaluation_id="herons/1760000000")
    ((_, _, key, _, _),) = stated(EVERY_EVAL_EVER, candidate("c.json", nameless)).says
    assert key == "herons · heron-lab/Heron-7B"


def test_setting_and_split_come_from_where_the_record_says_them() -> None:
    """What was evaluated, and with what the answers were made."""
    one = result("nests", 0.5)
    one["evaluation_name"] = "Reed Nests"
    one["source_data"]["hf_split"] = "test"
    one["generation_config"] = {"generation_args": {"temperature": 0.70, "prompt_template": "Q"}}
    read = stated(EVERY_EVAL_EVER, candidate("record.json", text_of(one)))
    (says,) = read.says.values()
    assert (says.split, says.setting) == ("Reed Nests/test", "temperature 0.7")
    assert ("generation_config.generation_args.prompt_template", "Q") in says.extra


def test_units_are_stated_and_never_guessed() -> None:
    """Not from the size of a score: from its unit, its kind, or its scale."""
    said: dict[str | None, list[dict[str, str]]] = {
        "fraction": [{"metric_unit": "proportion"}, {"min_score": "0.0", "max_score": "1.0"}],
        "%": [
            {"metric_unit": "percent", "max_score": "1"},
            {"metric_kind": "accuracy", "min_score": "0", "max_score": "100.0"},
        ],
        "elo": [{"metric_kind": "elo"}, {"metric_unit": "elo", "min_score": "0", "max_score": "1"}],
        "points": [{"min_score": "0", "max_score": "10"}, {"metric_unit": "points"}],
        None: [
            {},
            {"min_score": "0", "max_score": "100"},
            {"min_score": "0", "max_score": "Infinity"},
            {"metric_unit": "birds", "min_score": "0", "max_score": "1"},
            {"max_score": "1"},
        ],
    }
    for unit, configs in said.items():
        for config in configs:
            assert unit_of(config) == unit, config


def test_fractions_beside_numbers_without_a_unit_stay_apart() -> None:
    """The one bears its unit, the other none; nobody makes them one."""
    bare = result("nests", 57.0, metric_unit=None, min_score=None, max_score=None, metric_id="f1")
    read = stated(EVERY_EVAL_EVER, candidate("r.json", text_of(result("nests", 0.5), bare)))
    assert {(says.metric, says.unit) for says in read.says.values()} == {
        ("accuracy", "fraction"),
        ("f1", None),
    }


def test_what_the_record_calls_unknown_is_no_score() -> None:
    """A level of -1 where the metric says that it has an unknown level."""
    config = {"score_type": "levels", "has_unknown_level": True}
    read = stated(
        EVERY_EVAL_EVER,
        candidate("r.json", text_of(result("nests", -1, **config), result("eggs", 2, **config))),
    )
    assert read.digits == ["2"]
    assert not read.refused


def test_lower_is_better_where_the_record_says_so() -> None:
    """An error that ranks upside down would be worse than none."""
    one = result("nests", 0.5, metric_id="wer", lower_is_better=True)
    (sheet,) = stated(EVERY_EVAL_EVER, candidate("r.json", text_of(one))).sheets
    assert sheet.lower_is_better == {"wer"}
    assert sheet.metric_names == (("wer", "Accuracy"),)


@pytest.mark.parametrize(
    ("relation", "type_", "kind"),
    [
        ("first_party", "documentation", "model-card"),
        ("third_party", "evaluation_run", "independent-run"),
        ("third_party", "documentation", "official-leaderboard"),
        ("other", "documentation", "collected-claim"),
    ],
)
def test_the_kind_follows_from_who_evaluated(relation: str, type_: str, kind: str) -> None:
    """A lab's own numbers never stand among the independent ones."""
    who = record()["source_metadata"] | {"evaluator_relationship": relation, "source_type": type_}
    text = text_of(result("nests", 0.5), source_metadata=who)
    assert stated(EVERY_EVAL_EVER, candidate("r.json", text)).sheets[0].kind == kind


def test_files_that_hold_no_scores_are_refused_with_a_sentence() -> None:
    """Single samples, pointers, versions that nobody here reads."""
    sample = json.dumps({"schema_version": "0.3.0", "evaluation_id": "x", "sample_id": "1"})
    file = candidate("x_samples.jsonl", sample)
    assert EVERY_EVAL_EVER.known_by(file)
    assert "single samples" in refusal(EVERY_EVAL_EVER, file)
    old = candidate("r.json", text_of(result("nests", 0.5), schema_version="0.1.0"))
    assert "0.2 and 0.3 are read" in refusal(EVERY_EVAL_EVER, old)
    empty = candidate("r.json", text_of())
    assert "evaluation_results: it is empty" in refusal(EVERY_EVAL_EVER, empty)


def test_a_refusal_says_the_field() -> None:
    """Which part is wrong, and what stands there."""
    broken: dict[str, dict[str, Any]] = {
        "retrieved_timestamp": {"retrieved_timestamp": "yesterday"},
        "model_info": {"model_info": None},
        "evaluation_results: an object": {"evaluation_results": {}},
        "source_metadata: it has no source_organization_name": {"source_metadata": {}},
        "evaluation_results[0].source_data": {"evaluation_results": [{"source_data": 3}]},
        "evaluation_results[0].metric_config": {
            "evaluation_results": [{"source_data": {"dataset_name": "nests"}}]
        },
    }
    for why, fields in broken.items():
        text = text_of(**{"evaluation_results": [result("nests", 0.5)], **fields})
        assert why in refusal(EVERY_EVAL_EVER, candidate("r.json", text))


def test_a_result_without_a_score_is_refused_and_the_others_stand() -> None:
    """With its path in the record."""
    bare = result("nests", 0.5)
    del bare["score_details"]["score"]
    text = text_of(bare, result("eggs", 0.25))
    why, still = refused_somehow(EVERY_EVAL_EVER, candidate("r.json", text))
    assert "evaluation_results[0].score_details: it has no score" in why
    assert still is not None
    assert still.digits == ["0.25"]


def test_lines_are_records_and_a_bad_one_is_refused_with_its_number() -> None:
    """Several models in one file, each with its own instant."""
    two = record(result("nests", 0.25), evaluation_id="herons/egret/1", retrieved_timestamp="1")
    lines = [json.dumps(record(result("nests", 0.5))), "", json.dumps(two)]
    read = stated(EVERY_EVAL_EVER, candidate("a.jsonl", "\n".join(lines)))
    assert read.digits == ["0.25", "0.5"]
    assert [sheet.read_at.year for sheet in read.sheets if sheet.read_at] == [1970, 2025]
    assert "line 4" in refusal(EVERY_EVAL_EVER, candidate("a.jsonl", "\n".join([*lines, "{"])))


def test_one_benchmark_is_asked_for_only_where_there_is_one() -> None:
    """Two datasets under one slug would be one board."""
    assert "nests" in refusal(EVERY_EVAL_EVER, candidate("r.json", TEXT), benchmark="herons")
    one = candidate("r.json", text_of(result("nests", 0.5)))
    ((source, benchmark, *_),) = stated(EVERY_EVAL_EVER, one, source="x", benchmark="y").says
    assert (source, benchmark) == ("x", "y")


def test_what_our_export_wrote_comes_back_to_its_columns() -> None:
    """Slugs, key, day and unit as they were."""
    one = result("nests", 57.0, metric_unit="percent")
    one["score_details"]["details"] = {"corrigenda.key": "row 1", "corrigenda.date": "2025-05"}
    one["source_data"]["additional_details"] = {"corrigenda.benchmark": "nests_2"}
    who = {"additional_details": {"corrigenda.source": "s1", "corrigenda.kind": "system-card"}}
    text = text_of(one, source_metadata=record()["source_metadata"] | who)
    read = stated(EVERY_EVAL_EVER, candidate("r.json", text))
    (((source, benchmark, key, _, _), says),) = read.says.items()
    assert (source, benchmark, key, str(says.published_on)) == ("s1", "nests_2", "row 1", "2025-05")
    assert read.sheets[0].kind == "system-card"
    assert "corrigenda" not in str(says.extra)


def test_digits_that_json_cannot_write_come_back_where_the_number_is_the_same() -> None:
    """``3,471`` is 3471; another number in the details changes nothing."""
    for ours, digits in (("3,471", "3,471"), ("3,472", "3471"), ("many", "3471")):
        one = result("nests", 3471, metric_unit="elo")
        one["score_details"]["details"] = {"corrigenda.score": ours}
        assert stated(EVERY_EVAL_EVER, candidate("r.json", text_of(one))).digits == [digits]


def test_the_made_up_record_is_one_by_the_schema() -> None:
    """So that the tests above try what really comes."""
    path = REAL.joinpath(*FOLDER, "every_eval_ever.eval.schema.json")
    if not path.is_file():
        pytest.skip("the schema is not beside the checkout")
    jsonschema.validate(json.loads(TEXT), json.loads(path.read_bytes()))


@pytest.mark.parametrize(
    "name",
    [
        "98ea850e-7019-4728-a558-8b1819ec47c2.json",
        "f3a1c0de-4b2e-4c1a-9f6d-1b7e5a2c8d40.json",
    ],
)
def test_every_number_of_the_real_records_is_read(name: str) -> None:
    """Digit by digit, as fractions, on the board of its dataset."""
    file = real(*FOLDER, name)
    assert EVERY_EVAL_EVER.known_by(file)
    content = json.loads(file.data(), parse_float=str, parse_int=str)
    read = stated(EVERY_EVAL_EVER, file)
    assert not read.refused
    assert read.digits == sorted(
        one["score_details"]["score"] for one in content["evaluation_results"]
    )
    assert {says.unit for says in read.says.values()} == {"fraction"}
    assert {says.name for says in read.says.values()} == {content["model_info"]["name"]}
    names = {sheet.benchmark_name for sheet in read.sheets}
    assert names == {one["source_data"]["dataset_name"] for one in content["evaluation_results"]}


def test_the_real_line_only_points_at_a_record() -> None:
    """It is known for what it is, and says which file to import."""
    file = real(*FOLDER, "aggregate.jsonl")
    assert EVERY_EVAL_EVER.known_by(file)
    assert "676f4465" in refusal(EVERY_EVAL_EVER, file)


def test_the_schemas_themselves_are_no_records() -> None:
    """They bear the same words elsewhere."""
    for kind in ("eval", "instance_level_eval"):
        file = real(*FOLDER, f"every_eval_ever.{kind}.schema.json")
        assert EVERY_EVAL_EVER.known_by(file) is None
