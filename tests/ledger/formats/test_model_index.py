"""Hugging Face model cards: the model-index of a README.md or a YAML."""

from typing import Any

import yaml

from ledger.importing.formats.model_index import MODEL_INDEX
from tests.ledger.formats.broken import (
    HoldsWhenBroken,
    HoldsWhenMixedUp,
    Sample,
    candidate,
    real,
    refusal,
    refused_somehow,
    stated,
)

TEXT = """---
language: en
metrics:
- accuracy
model-index:
- name: Héron-7B
  results:
  - task:
      type: text-generation
      name: Text Generation
    dataset:
      name: Nests (0-Shot)
      type: herons/nests
      config: reed
      split: test
      args:
        num_few_shot: 0
    metrics:
    - type: accuracy
      value: 72.50
      name: Accuracy
    - type: wer
      value: 12.3
    source:
      url: https://herons.example/board
      name: Herons Board
  - dataset:
      name: Eggs
      type: eggs
    metrics:
    - type: perplexity
      value: 9.8
---

# Héron-7B

model-index: this is a sentence.
"""
ROW = """    - type: accuracy
      value: 72.50
      name: Accuracy
"""
FILE = "README.md"


class TestBroken(HoldsWhenBroken, HoldsWhenMixedUp):
    """The contract of all formats."""

    sample = Sample(
        form=MODEL_INDEX,
        name=FILE,
        text=TEXT,
        score="72.50",
        twice=TEXT.replace(ROW, ROW + ROW.replace("72.50", "72.6")),
        cut_shows=False,
    )


def test_a_card_is_the_source_and_each_dataset_a_benchmark() -> None:
    """Setting, split, address and the rest each in their place."""
    read = stated(MODEL_INDEX, candidate(FILE, TEXT))
    nests, eggs = read.sheets
    assert (nests.source_name, nests.kind, nests.whole) == (
        "Héron-7B model card",
        "model-card",
        True,
    )
    assert (nests.benchmark_name, eggs.benchmark) == ("Nests (0-Shot)", "eggs")
    one = read.one(metric="accuracy", key="Héron-7B · num_few_shot 0")
    assert (one.name, str(one.score), one.unit) == ("Héron-7B", "72.50", None)
    assert (one.split, one.setting) == ("reed/test", "num_few_shot 0")
    assert one.url == "https://herons.example/board"
    assert ("task.type", "text-generation") in one.extra
    assert ("source.name", "Herons Board") in one.extra
    assert read.one(metric="perplexity").unit == "perplexity"
    assert nests.lower_is_better == {"wer"}
    assert eggs.lower_is_better == {"perplexity"}


def test_a_shared_source_is_never_whole() -> None:
    """Many cards under one source: one of them says nothing about the others' rows."""
    read = stated(MODEL_INDEX, candidate(FILE, TEXT), source="cards")
    assert not any(sheet.whole for sheet in read.sheets)


def test_cards_of_one_name_and_two_owners_are_two_sources() -> None:
    """Many cards are called alike; none may speak for another."""
    where = {
        ("heron-lab", "Héron-7B"): "heron-lab/Héron-7B model card",
        ("models--egret--heron", "snapshots", "abc"): "egret/heron model card",
        ("cards", "heron"): "Héron-7B model card",
        ("Héron-7B",): "Héron-7B model card",
    }
    for folders, name in where.items():
        read = stated(MODEL_INDEX, candidate(FILE, TEXT, *folders))
        assert {sheet.source_name for sheet in read.sheets} == {name}
    assert (
        len({stated(MODEL_INDEX, candidate(FILE, TEXT, *one)).sheets[0].source for one in where})
        == 3
    )


def test_a_percent_sign_is_a_unit_and_its_absence_none() -> None:
    """Fractions and percents in one card stay what they are; somebody has to say which."""
    text = TEXT.replace("72.50", "72.50%").replace("12.3", "0.123")
    read = stated(MODEL_INDEX, candidate(FILE, text))
    assert {(says.metric, str(says.score), says.unit) for says in read.says.values()} == {
        ("accuracy", "72.50", "%"),
        ("wer", "0.123", None),
        ("perplexity", "9.8", "perplexity"),
    }


def test_two_numbers_of_one_metric_are_told_apart_by_its_name() -> None:
    """Only where they would be one claim: keys stay short otherwise."""
    more = ROW.replace("72.50", "90.1").replace("name: Accuracy", "name: Top-5")
    read = stated(MODEL_INDEX, candidate(FILE, TEXT.replace(ROW, ROW + more)))
    assert not read.refused
    assert {key for (_, _, key, metric, _) in read.says if metric == "accuracy"} == {
        "Héron-7B · num_few_shot 0 · Accuracy",
        "Héron-7B · num_few_shot 0 · Top-5",
    }


def test_a_card_without_a_dataset_is_refused_with_line_and_field() -> None:
    """There is no board for the number."""
    text = TEXT.replace(
        "  - dataset:\n      name: Eggs\n      type: eggs\n    metrics", "  - metrics"
    )
    why = refusal(MODEL_INDEX, candidate(FILE, text))
    assert "line 27, model-index[0].results[1]: it has no dataset" in why


def test_other_faults_say_line_and_field_too() -> None:
    """Whatever is missing, or of another kind."""
    broken = {
        ("- name: Héron-7B", "- nam: Héron-7B"): "line 6, model-index[0]: it has no name",
        ("type: eggs", "id: eggs"): "line 27, model-index[0].results[1].dataset: it has no type",
        ("model-index:", "model-index: none\nother:"): "line 5, model-index: the text 'none'",
        ("      name: Eggs\n", "      name: Eggs\n      name: Eggs\n"): "name stands twice",
        ("name: Eggs", "name: *eggs"): "line 28: an alias",
        ("\n---\n\n#", "\n\n#"): "does not end",
    }
    for (old, new), why in broken.items():
        assert why in refusal(MODEL_INDEX, candidate(FILE, TEXT.replace(old, new)))


def test_a_metric_without_value_or_type_is_refused_and_the_others_stand() -> None:
    """With its line; a value of null would state nothing."""
    for part in ("      value: 12.3\n", "type: wer\n      "):
        text = TEXT.replace(part, "")
        why, still = refused_somehow(MODEL_INDEX, candidate(FILE, text))
        assert "line 22, model-index[0].results[0].metrics[1]: it has no" in why
        assert still is not None
        assert still.digits == ["72.50", "9.8"]


def test_a_yaml_without_fences_is_read_too() -> None:
    """Some keep the card's data in a file of its own."""
    body = TEXT.split("---")[1].lstrip()
    file = candidate("card.yaml", body)
    assert MODEL_INDEX.known_by(file) == "its top level has a model-index"
    assert stated(MODEL_INDEX, file).digits == ["12.3", "72.50", "9.8"]


def test_prose_that_speaks_of_a_model_index_is_no_card() -> None:
    """Only the front matter counts."""
    assert MODEL_INDEX.known_by(candidate(FILE, TEXT.split("---")[2])) is None


def _numbers(card: dict[str, Any]) -> list[str]:
    return sorted(
        metric["value"]
        for model in card["model-index"]
        for result in model["results"]
        for metric in result["metrics"]
    )


def test_every_number_of_the_real_cards_is_read() -> None:
    """Digit by digit, unit left open, the names and titles as they stand there."""
    for name in (
        "real_model_card_RYS-XLarge.yaml",
        "real_model_card_distilbert-ner.yaml",
        "sample_simple_model_index.md",
    ):
        file = real("formats", "huggingface", name)
        card = yaml.load(file.data().split(b"---")[1], Loader=yaml.CBaseLoader)  # noqa: S506 -- text alone
        read = stated(MODEL_INDEX, file)
        assert MODEL_INDEX.known_by(file)
        assert not read.refused
        assert read.digits == _numbers(card)
        assert {says.unit for says in read.says.values()} == {None}
        assert {says.name for says in read.says.values()} == {card["model-index"][0]["name"]}


def test_the_invalid_card_is_refused_with_line_and_field() -> None:
    """Its result has no dataset."""
    file = real("formats", "huggingface", "sample_invalid_model_index.md")
    assert MODEL_INDEX.known_by(file)
    why = refusal(MODEL_INDEX, file)
    assert "line 15, model-index[0].results[0]: it has no dataset" in why


def test_the_specification_with_its_blanks_is_refused() -> None:
    """Its braces are blanks to fill in, and no names."""
    why = refusal(MODEL_INDEX, real("formats", "huggingface", "spec_modelcard.md"))
    assert "line 38, model-index[0].results[0].dataset.args: a key that is not a word" in why
