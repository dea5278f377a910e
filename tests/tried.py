"""How many histories a property is tried on, and which."""

import os
from collections.abc import Callable

import hypothesis
from hypothesis import HealthCheck
from hypothesis import strategies as st

from tests.strategies import Action, histories, lives_of_one_claim

TIMES = int(os.environ.get("TIMES_AS_MANY", "1"))
hypothesis.settings.register_profile(
    "ci",
    deadline=None,
    derandomize=TIMES == 1,
    database=None,
    print_blob=False,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.function_scoped_fixture,
    ],
)


def examples(count: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """How many examples a property is held against."""
    profile = hypothesis.settings.get_profile("ci")
    return hypothesis.settings(profile, max_examples=count * TIMES)


def anything(most: int = 12) -> st.SearchStrategy[list[Action]]:
    """Any history at all."""
    return st.one_of(histories(most), lives_of_one_claim(most))
