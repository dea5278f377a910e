"""What tools are given: the parameters of pages under the same names, bounded, with their meaning.

What a value may be is the pages' own matter, which refuse the rest with a sentence; here stands
only how long it may be.
"""

from typing import Annotated

from pydantic import Field

from ledger.vocabulary import OUTCOMES, REASONS, UPDATE_TYPES, VIEWS
from projections.decisions.about_code import ABOUT
from web.asked import LONGEST_VALUE

LARGEST_NUMBER = 999_999_999
LARGEST_POSITION = 10**15


def _words(*values: str) -> str:
    return ", ".join(values)


Slug = Annotated[
    str, Field(max_length=128, description="The last part of the page's address, as in its call.")
]
ClaimId = Annotated[str, Field(max_length=24, description="A claim's id, as rows give it.")]
Number = Annotated[int, Field(ge=1, le=LARGEST_NUMBER, description="The number in the public log.")]
CodeSha256 = Annotated[
    str,
    Field(max_length=64, description="The SHA-256 of the code, or its first 16 digits or more."),
]
ArxivId = Annotated[str, Field(max_length=40, description="As arXiv writes it: 2402.14658.")]

View = Annotated[
    str | None,
    Field(max_length=20, description=f"Whose numbers: {_words(*VIEWS)}; else the benchmark's own."),
]
Metric = Annotated[
    str | None,
    Field(max_length=LONGEST_VALUE, description="Which metric ranks; else the headline."),
]
EveryClaim = Annotated[bool, Field(description="One row for each claim, not for each model.")]
AsReadOn = Annotated[
    str | None,
    Field(
        max_length=LONGEST_VALUE,
        description="Only what had been read by then: YYYY-MM-DD (to the end of that UTC day) or an"
        " instant with an offset; else now.",
    ),
]
Corrected = Annotated[
    str | None,
    Field(
        max_length=10,
        description="then: only corrections decided by that day (the default). since: also those"
        " decided later.",
    ),
]
RecordedThrough = Annotated[
    Annotated[str, Field(max_length=LONGEST_VALUE)]
    | Annotated[int, Field(ge=0, le=LARGEST_POSITION)]
    | None,
    Field(description="Only what the ledger held by then: a position, or an instant; else all."),
]
PublishedBy = Annotated[
    str | None,
    Field(max_length=LONGEST_VALUE, description="Only what counts from this day or earlier."),
]
Day = Annotated[
    str | None, Field(max_length=LONGEST_VALUE, description="YYYY-MM-DD or an instant; included.")
]
Words = Annotated[
    str,
    Field(
        min_length=1, max_length=LONGEST_VALUE, description="Plain words that all have to occur."
    ),
]
Q = Annotated[
    str | None,
    Field(max_length=LONGEST_VALUE, description="Plain words that all have to occur."),
]
Benchmark = Annotated[str | None, Field(max_length=128, description="A benchmark's slug.")]
Paper = Annotated[str | None, Field(max_length=128, description="A paper's id.")]
Outcome = Annotated[str | None, Field(max_length=40, description=f"{_words(*OUTCOMES)}, reversed.")]
Type = Annotated[str | None, Field(max_length=40, description=_words(*UPDATE_TYPES))]
Reason = Annotated[str | None, Field(max_length=40, description=_words(*REASONS))]
Year = Annotated[int | None, Field(ge=1970, le=9998, description="The year of the decision.")]
About = Annotated[
    str | None, Field(max_length=20, description=f"What was decided about: {_words(*ABOUT)}.")
]
Handle = Annotated[str | None, Field(max_length=128, description="The handle of who decided.")]
After = Annotated[
    int | None, Field(ge=1, le=LARGEST_NUMBER, description="Only those with a higher number.")
]
Before = Annotated[
    int | None, Field(ge=1, le=LARGEST_NUMBER, description="Only those with a lower number.")
]
Count = Annotated[int, Field(ge=1, le=1_000, description="How many at most.")]
