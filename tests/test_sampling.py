"""No case of a long law is forgotten: the samples of successive days hold them all."""

import os
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.sampling import places_in_sample
from tests.scoring import test_oracle

ROOT = Path(__file__).parents[1]
LAWS = st.text("abc_", min_size=1)
NAMES = st.integers(0, 60).map(lambda number: [f"case {place}" for place in range(number)])
DAYS = st.integers(2, 9)
DATES = st.dates(date(2026, 1, 1), date(2030, 1, 1))


@given(law=LAWS, names=NAMES, days=DAYS, first=DATES)
def test_successive_days_try_every_case(law: str, names: list[str], days: int, first: date) -> None:
    tried_places = {
        place
        for number in range(days)
        for place in places_in_sample(names, law=law, days=days, day=first + timedelta(days=number))
    }
    assert tried_places == set(range(len(names)))


@given(law=LAWS, names=NAMES.filter(bool), days=DAYS, day=DATES)
def test_a_day_tries_the_first_case_and_its_share_of_the_others(
    law: str, names: list[str], days: int, day: date
) -> None:
    places = places_in_sample(names, law=law, days=days, day=day)
    assert places[0] == 0
    assert (len(names) - 1) // days <= len(places) - 1 <= (len(names) - 1) // days + 1


def cases_run(sample: str, *cases: str) -> int:
    """How many cases run of a law that has a hundred, or of those named."""
    law = f"{Path(test_oracle.__file__).relative_to(ROOT)}::test_a_hand_scores_what_the_book_says"
    laws = [f"{law}[{case}]" for case in cases] or [law]
    command = [sys.executable, "-m", "pytest", "--collect-only", *laws]
    environment = os.environ | {"TONGBOX_SAMPLE": sample}
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True)  # noqa: S603
    return result.stdout.decode().count("::test_a_hand_scores")


@pytest.mark.sampled(law="long plays")
def test_a_day_runs_the_first_case_of_a_hundred_and_a_seventh_of_the_others() -> None:
    assert cases_run("2026-11-23") in {15, 16}


@pytest.mark.sampled(law="long plays")
def test_cases_that_are_named_run_on_any_day() -> None:
    assert cases_run("2026-11-23", "bmja-7", "bmja-8", "bmja-9") == 3


@pytest.mark.sampled(law="long plays")
def test_a_whole_run_takes_every_case() -> None:
    assert cases_run("whole") == 100
