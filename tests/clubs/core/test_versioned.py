"""What many ask for at once is made once."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest

from clubs.core.versioned_cache import get_or_compute


@pytest.fixture
def key() -> str:
    return f"standings-{uuid4()}"


@pytest.fixture
def numbers() -> Iterator[int]:
    return iter(range(1, 100))


def test_the_same_version_is_made_once(key: str, numbers: Iterator[int]) -> None:
    values = [get_or_compute(key, lambda: next(numbers), seconds=60) for _ in range(3)]
    assert values == [1, 1, 1]


def test_another_version_is_made_anew(key: str, numbers: Iterator[int]) -> None:
    assert get_or_compute(f"{key}-1", lambda: next(numbers), seconds=60) == 1
    assert get_or_compute(f"{key}-2", lambda: next(numbers), seconds=60) == 2


def test_nothing_can_be_kept_as_well(key: str, numbers: Iterator[int]) -> None:
    def compute_nothing() -> None:
        next(numbers)

    assert get_or_compute(key, compute_nothing, seconds=60) is None
    assert get_or_compute(key, compute_nothing, seconds=60) is None
    assert next(numbers) == 2


def test_of_many_at_the_same_moment_one_makes_it(key: str, numbers: Iterator[int]) -> None:
    def slowly() -> int:
        time.sleep(0.2)
        return next(numbers)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: get_or_compute(key, slowly, seconds=60), range(8)))
    assert answers == [1] * 8


def test_who_waits_for_somebody_that_failed_makes_it(key: str, numbers: Iterator[int]) -> None:
    def fails() -> int:
        raise ConnectionError

    with pytest.raises(ConnectionError):
        get_or_compute(key, fails, seconds=60)
    assert get_or_compute(key, lambda: next(numbers), seconds=60) == 1
