"""From what somebody typed to a report, field by field; nothing that was typed is lost."""

from collections.abc import Sequence
from datetime import UTC, datetime

import attrs
import pytest

from ledger.events import Change, Statement
from ledger.values import Digest, PartialDate, Score, Slug, name_key, skeleton
from ledger.vocabulary import REASONS
from web.reporting.filled import Filled, as_remark, asked_for
from web.reporting.forms import Messages, blank, filled, relevant, typed_from
from web.reporting.targets import WISHES, About, NoTarget, parse_target
from web.reporting.words import FIELD_WORDS, REASON_WORDS, longest

FULL_WIDTH = "\uff28eron-7B"
CLAIM = "claims/c" + "0" * 23
SAYS = Statement(
    name="Heron-7B",
    metric=Slug("accuracy"),
    score=Score("72.5"),
    split="test",
    unit="%",
    published_on=PartialDate("2025-06"),
)
HERON = About(
    target=parse_target(CLAIM),
    title="Heron-7B on KiteBench: 72.5%",
    says=SAYS,
    shows=SAYS,
    model="heron-7b",
    metrics={"accuracy": "Accuracy", "hours": "Hours needed"},
    splits=frozenset({"test", "dev"}),
    settings=frozenset({"5-shot"}),
)
BOARD = About(
    target=parse_target("benchmarks/kitebench"),
    title="KiteBench",
    metrics=HERON.metrics,
    settings=HERON.settings,
)


@attrs.frozen
class Known:
    """A few names, by key."""

    models: dict[str, str] = attrs.field(
        factory=lambda: {"Heron-7B": "heron-7b", "Ibis-13B": "ibis-13b", "모델-3": "model-3"}
    )

    def model(self, text: str) -> str | None:
        """By name."""
        return self.models.get(name_key(text))

    def looks_like(self, text: str) -> Sequence[str]:
        """By skeleton."""
        key = name_key(text)
        return [one for one in self.models if skeleton(one) == skeleton(key) and one != key]


def read(about: About = HERON, **typed: str) -> Filled | Messages:
    """What a form comes to; fields are given with underscores for hyphens."""
    said = {"wish": about.wishes[0], "reason": "wrong-value"}
    said |= {(name.replace("__", "-")): text for name, text in typed.items()}
    return filled(said, about, Known())


def report(about: About = HERON, **typed: str) -> Filled:
    """A form that makes sense."""
    found = read(about, **typed)
    assert isinstance(found, Filled), found
    return found


def messages(about: About = HERON, **typed: str) -> Messages:
    """What is wrong with a form."""
    found = read(about, **typed)
    assert not isinstance(found, Filled)
    return found


# --- what goes where --------------------------------------------------------------------------


def test_a_proposed_number_keeps_its_digits_beside_what_the_source_said() -> None:
    """It is strictly formed, so the event may hold it."""
    assert report(set__score=" 70.10 ").proposes == (Change("score", "72.5", "70.10"),)


def test_several_fields_can_be_wrong_at_once() -> None:
    """One report, one change for each field."""
    found = report(set__score="70.1", set__published_on="2025-06-10", set__split="dev")
    assert {(one.field, one.to) for one in found.proposes} == {
        ("score", "70.1"),
        ("published_on", "2025-06-10"),
        ("split", "dev"),
    }
    assert found.private_words is None


def test_free_text_is_private_and_no_part_of_the_event() -> None:
    """A setting that nobody used so far is somebody's own words; a known one is not."""
    found = report(set__setting="told to me by Dana", words="See table 4.")
    assert found.proposes == ()
    assert found.private_words == "Asked for: setting = told to me by Dana\n\nSee table 4."
    assert report(set__setting="5-shot").proposes == (Change("setting", None, "5-shot"),)


def test_what_stands_at_the_head_of_the_words_can_be_taken_apart_again() -> None:
    """Proposals first, line by line, then what was written."""
    found = report(set__setting="a = b", set__unit="bananas", words="Line 1\nLine 2")
    asked, rest = asked_for(found.private_words or "")
    assert asked == (("unit", "bananas"), ("setting", "a = b"))
    assert rest == "Line 1\nLine 2"
    assert asked_for("Only words.") == ((), "Only words.")


def test_the_order_holds_a_digest_and_no_words() -> None:
    """Who files it has only to add the number, the digest and the time."""
    found = report(set__score="70.1", words="My words", contact="dana@example.org", credit="Dana")
    order = found.order(7, Digest("0" * 64), datetime(2025, 7, 1, tzinfo=UTC))
    for told in ("My words", "dana@example.org", "Dana"):
        assert told not in repr(order)


def test_another_model_is_meant_by_its_name_or_left_to_a_person() -> None:
    """A known name becomes its model's slug; an unknown one stays words."""
    assert report(set__model="Ibis-13B").proposes == (Change("model", "heron-7b", "ibis-13b"),)
    found = report(set__model="Osprey 1")
    assert (found.proposes, found.asked) == ((), (("model", "Osprey 1"),))
    assert "already" in messages(set__model=FULL_WIDTH)["set-model"]


def test_a_number_that_is_missing_is_told_field_by_field() -> None:
    """Model, score and metric in the event, where it is stated in the words."""
    found = report(
        BOARD,
        missing__model="Ibis-13B",
        missing__score="81.0",
        missing__metric="Accuracy",
        missing__url="https://example.org/ibis",
    )
    assert found.proposes == (
        Change("model", None, "ibis-13b"),
        Change("score", None, "81.0"),
        Change("metric", None, "accuracy"),
    )
    assert found.asked == (("stated at", "https://example.org/ibis"),)


def test_retraction_merge_caveat_and_link_are_wishes_of_their_own() -> None:
    """Each has its own fields, and says what is missing."""
    retracted = report(wish="retract", words="The run was stopped early.")
    assert retracted.proposes == (Change("standing", "stated", "retracted"),)
    assert "why" in messages(wish="retract")["words"]
    model = About(target=parse_target("models/heron-7b"), title="Heron-7B", model="heron-7b")
    merged = report(model, same__as="Ibis-13B")
    assert merged.proposes == (Change("model", "heron-7b", "ibis-13b"),)
    assert "other" in messages(model, same__as="Heron-7B")["same-as"]
    dead = report(wish="link", link__dead="https://example.org/gone")
    assert dead.asked == (("dead link", "https://example.org/gone"),)
    added = report(BOARD, wish="caveat", caveat__text="The judge\nchanged.")
    assert added.asked == (("add caveat", "The judge changed."),)


def test_a_caveat_can_be_changed_or_dropped_where_it_stands() -> None:
    """Its part of the page says which one is meant."""
    target = parse_target("benchmarks/kitebench#caveat-judge")
    caveat = About(target=target, title="A caveat", caveat="Two judges.")
    assert caveat.wishes[0] == "caveat"
    dropped = report(caveat, caveat__do="drop")
    assert dropped.proposes == (Change("caveat/judge", "stated", None),)
    changed = report(caveat, caveat__do="change", caveat__text="Three judges.")
    assert changed.asked == (("change caveat", "Three judges."),)
    assert "caveat-do" in messages(BOARD, wish="caveat", caveat__do="drop")


# --- what is not taken ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("set-score", "7O.1", "not a plain decimal number"),
        ("set-score", "70.1%", "not a plain decimal number"),
        ("set-score", "NaN", "not a plain decimal number"),
        ("set-score", "1e400", "exponent"),
        ("set-score", "72.50", "says already"),
        ("set-published_on", "2025-13-01", "month"),
        ("set-published_on", "10/06/2025", "YYYY-MM-DD"),
        ("set-passed", "many", "whole number"),
        ("set-url", "javascript:alert(1)", "https://"),
        ("set-split", "de\u202ev", "U+202E"),
        ("set-model", "\u200b", "U+200B"),
        ("set-model", "gpt-\u202e5-tpg", "U+202E"),
        ("contact", "dana", "e-mail"),
        ("contact", "a@b.example\nBcc: all@example.org", "U+000A"),
        ("contact", "a b@example.org", "e-mail"),
        ("credit", "Da\u200bna", "U+200B"),
        ("addresses", "javascript:alert(1)", "https://"),
        ("addresses", "data:text/html,hi", "https://"),
        ("addresses", "https://exa mple.org", "spaces"),
        ("addresses", "\n".join(f"https://example.org/{n}" for n in range(6)), "at most 5"),
    ],
)
def test_what_does_not_fit_a_field_is_said_beside_it(field: str, text: str, said: str) -> None:
    """One message, at the field, saying why."""
    found = messages(HERON, **{field.replace("-", "__"): text, "words": "Because."})
    assert said in found[field], found


def test_nothing_is_proposed_nothing_said_is_no_report() -> None:
    """Each wish says what it needs."""
    assert "one field" in messages()["set-score"]
    assert "words" in messages(wish="remark")
    assert "words" in messages(reason="other", set__score="70.1")
    assert "missing-model" in messages(BOARD)
    assert "link-dead" in messages(wish="link")


def test_a_field_of_another_wish_is_not_silently_dropped() -> None:
    """Whoever filled in a score and then chose a remark is asked which it is."""
    assert "“Score”" in messages(wish="remark", set__score="70.1", words="Hm.")["wish"]


def test_what_we_filled_in_ourselves_is_no_such_field() -> None:
    """The link that shows in the form is dropped unless it is what the report is about."""
    linked = attrs.evolve(HERON, link="https://example.org/board")
    typed = {**blank(linked), "reason": "wrong-value", "set-score": "70.1"}
    assert isinstance(filled(typed, linked, Known()), Filled)
    assert "link-dead" not in relevant(typed)


def test_reasons_and_wishes_that_nobody_offered_are_refused() -> None:
    """Forms made by hand get the same messages."""
    found = messages(reason="spite", wish="destroy", words="x")
    assert set(found) == {"reason", "wish"}
    assert "wish" in messages(wish="merge", words="x")


def test_every_reason_of_the_vocabulary_has_plain_words() -> None:
    """And no reason is offered that the ledger would refuse."""
    offered = [slug for group in REASON_WORDS.values() for slug in group]
    assert sorted(offered) == sorted(REASONS)


def test_whatever_was_typed_comes_back() -> None:
    """Only what we never asked for is left out."""
    form = {"words": "a\r\nb", "set-score": "x", "csrf": "secret", "evil": "1", "credit": ""}
    assert typed_from(form) == {"words": "a\nb", "set-score": "x"}


def test_a_remark_is_made_of_anything() -> None:
    """What was set apart and rescued loses nothing but its order."""
    snowman = "☃"
    typed = {"target": "nonsense", "reason": "spite", "set-score": "7O.1", "words": snowman}
    found = as_remark(typed, "site")
    assert (found.target, found.reason) == ("site", "other")
    assert found.private_words == f"Asked for: Score = 7O.1\n\n{snowman}"


# --- names that look like others (P042) -------------------------------------------------------


@pytest.mark.parametrize("name", ["\u041deron-7B", "heron-7b", "Heron\u20117B"])
def test_a_look_alike_is_left_to_a_person_who_sees_the_code_points(name: str) -> None:
    """It is no model of ours, and the words say what it could be mistaken for."""
    found = report(set__model=name)
    assert found.proposes == ()
    (what, note) = found.asked[1]
    assert (found.asked[0], what) == (("model", name), "note")
    assert "looks like Heron-7B" in note
    for letter in name:
        if not letter.isascii():
            assert f"U+{ord(letter):04X}" in note


def test_full_width_is_the_same_name_and_other_scripts_are_names() -> None:
    """NFKC joins what is one; an honest name in any script passes."""
    assert "already" in messages(set__model=FULL_WIDTH)["set-model"]
    assert report(set__model="모델-3").proposes[0].to == "model-3"


# --- hostile lengths and patterns (P044) ------------------------------------------------------

HOSTILE = [
    "a" * 40 + "!",
    "a-" * 50_000,
    "[[" + " " * 200 + "|" + " " * 200 + "]",
    "a" * 100_000,
    "(a+)+$" * 10_000,
    "\u0301" * 100_000,
    "\u041d" * 100_000,
    "@" * 100_000,
    "1" * 100_000,
    "https://" + "a." * 50_000,
]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: f"{text[:6]!a}x{len(text)}")
def test_no_text_takes_long_whatever_field_it_is_in(text: str) -> None:
    """Lengths come first; each field answers with a message or a report, and none hangs."""
    for name in FIELD_WORDS:
        for about in (HERON, BOARD):
            found = read(about, **{name.replace("-", "__"): text})
            if len(text) > longest(name):
                assert isinstance(found, dict)
                assert "At most" in found[name]


def test_every_target_has_its_wishes_and_nothing_else_is_a_target() -> None:
    """Kinds are those with pages; everything else is refused before it is looked up."""
    names = {
        "claims": CLAIM.partition("/")[2],
        "snapshots": "0" * 64,
        "samples": "0" * 16,
        "labels": "l" + "0" * 23,
        "corrections": "12",
        "site": "",
    }
    for kind in WISHES:
        name = names.get(kind, "some-slug")
        target = parse_target(f"{kind}/{name}" if name else kind)
        assert (target.kind, target.name) == (kind, name)
        assert str(parse_target(str(target))) == str(target)
    for text in (
        "",
        "claims",
        "claims/",
        "claims/C" + "0" * 23,
        "reports/1",
        "users/ada",
        "models/../etc",
        "models/a#B",
        "corrections/1e3",
        "//evil.example",
        "javascript:alert(1)",
        "x" * 100_000,
        "benchmarks/kitebench#" + "a" * 300,
    ):
        with pytest.raises(NoTarget):
            parse_target(text)
