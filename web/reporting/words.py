"""What the reporting form asks, in plain words, and how much each field takes."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from ledger.claim import CORRECTABLE

LONGEST_WORDS = 20_000
LONGEST_VALUE = 300
LONGEST_CAVEAT = 1_000
LONGEST_ADDRESS = 2_000
LONGEST_CONTACT = 254
MOST_ADDRESSES = 5

REASON_WORDS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "What the entry says": MappingProxyType(
            {
                "wrong-value": "The number is wrong",
                "wrong-unit-or-scale": "Wrong unit or scale",
                "wrong-metric-or-split": "Wrong metric or split",
                "wrong-setting": "Wrong setting (shots, tools, effort)",
                "wrong-model": "It is about another model",
                "wrong-date": "Wrong date",
                "duplicate": "The same thing twice",
                "missing-claim": "A number is missing",
            }
        ),
        "Where it comes from": MappingProxyType(
            {
                "wrong-source": "It names the wrong source",
                "source-changed": "The source says something else now",
                "source-withdrew-it": "The source took it back",
                "broken-link": "A link is dead",
            }
        ),
        "Whether it should count": MappingProxyType(
            {
                "run-invalid": "The run was not valid",
                "contamination": "The model had seen the tasks",
                "self-report-flag": "Self-reported, or not, and marked wrongly",
                "benchmark-version": "Another version of the benchmark",
                "not-comparable": "Not comparable with the rest",
            }
        ),
        "Anything else": MappingProxyType({"other": "Something else (say what)"}),
    }
)

WISH_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "change": "Change what it says",
        "missing": "Add a number that is missing",
        "retract": "Take it off the boards",
        "merge": "It is the same model as another",
        "caveat": "Add, change or drop a caveat",
        "link": "A link is dead or leads astray",
        "remark": "Only a remark",
    }
)

FIELD_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "target": "What it is about",
        "reason": "What is wrong",
        "wish": "What should happen",
        "words": "In your words",
        "addresses": "Addresses",
        "contact": "E-mail address",
        "credit": "Name to thank",
        "set-score": "Score",
        "set-unit": "Unit",
        "set-metric": "Metric",
        "set-split": "Split",
        "set-setting": "Setting",
        "set-published_on": "Published on",
        "set-model": "Model",
        "set-passed": "Passed",
        "set-completed": "Run",
        "set-total": "In all",
        "set-url": "Address given",
        "what": "What of it",
        "should": "What it should say",
        "missing-model": "Model that is missing",
        "missing-score": "Its score",
        "missing-metric": "Its metric",
        "missing-split": "Its split",
        "missing-setting": "Its setting",
        "missing-url": "Where it is stated",
        "same-as": "The other model",
        "caveat-do": "What to do with the caveat",
        "caveat-text": "The caveat",
        "link-dead": "The link that is dead",
        "link-now": "Where it works now",
    }
)

LIMITS: Mapping[str, int] = MappingProxyType(
    {
        "words": LONGEST_WORDS,
        "addresses": MOST_ADDRESSES * (LONGEST_ADDRESS + 2),
        "contact": LONGEST_CONTACT,
        "credit": 100,
        "target": 400,
        "caveat-text": LONGEST_CAVEAT,
        "set-url": LONGEST_ADDRESS,
        "missing-url": LONGEST_ADDRESS,
        "link-dead": LONGEST_ADDRESS,
        "link-now": LONGEST_ADDRESS,
    }
)

# Which fields belong to which wish; a claim's own fields are those that can be corrected.
CLAIM_FIELDS = tuple(f"set-{field}" for field in ("model", *CORRECTABLE))
BELONGING: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "change": (*CLAIM_FIELDS, "what", "should"),
        "missing": tuple(name for name in FIELD_WORDS if name.startswith("missing-")),
        "merge": ("same-as",),
        "caveat": ("caveat-text",),
        "link": ("link-dead", "link-now"),
    }
)
CAVEAT_DOES: Mapping[str, str] = MappingProxyType(
    {"add": "Add one", "change": "Say it differently", "drop": "Drop it"}
)


def longest(name: str) -> int:
    """How many characters of a field are read."""
    return LIMITS.get(name, LONGEST_VALUE)


def in_words(typed: Mapping[str, str], but: Iterable[str] = ()) -> list[tuple[str, str]]:
    """What was typed, field by field, in the form's own words."""
    reasons = {slug: words for group in REASON_WORDS.values() for slug, words in group.items()}
    choices: Mapping[str, Mapping[str, str]] = {"reason": reasons, "wish": WISH_WORDS}
    return [
        (FIELD_WORDS[name], choices.get(name, {}).get(text, text))
        for name, text in typed.items()
        if name in FIELD_WORDS and name not in but
    ]
