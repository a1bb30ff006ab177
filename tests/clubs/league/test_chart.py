"""The chart of a season: round numbers at its side, every evening in its place."""

from datetime import date
from itertools import pairwise

from hypothesis import given, strategies as st

from clubs.league.selectors.players import Stop, chart, scale_of

values = st.integers(min_value=-100_000, max_value=100_000)


def tuesdays(*points: int | None) -> list[Stop]:
    return [
        Stop(date(2026, 11, 3 + 7 * at), 0, value, f"{value}") for at, value in enumerate(points)
    ]


@given(st.lists(values, min_size=1))
def test_the_scale_holds_every_value_in_at_most_seven_equal_steps(numbers: list[int]) -> None:
    lines = scale_of(numbers)
    assert lines[0] <= min(numbers)
    assert max(numbers) <= lines[-1]
    assert len({high - low for low, high in pairwise(lines)}) == 1
    assert 2 <= len(lines) <= 7


def test_a_scale_has_round_numbers() -> None:
    assert scale_of([-1234, 2345]) == [-2000, -1000, 0, 1000, 2000, 3000]
    assert scale_of([0, 0]) == [0, 1]


def test_one_evening_makes_no_line() -> None:
    assert chart(tuesdays(240)) is None
    assert chart(tuesdays(240, None)) is None


def test_there_is_a_dot_for_every_evening_that_was_played() -> None:
    picture = chart(tuesdays(240, None, 120))
    assert picture is not None
    assert [dot.words for dot in picture.dots] == ["240", "120"]
    assert len(picture.middle.split()) == 4
    assert [day.words for day in picture.days] == ["3 Nov", "17 Nov"]


def test_more_points_stand_higher() -> None:
    picture = chart(tuesdays(100, 300))
    assert picture is not None
    first, second = (float(dot.y.rstrip("%")) for dot in picture.dots)
    assert second < first < float(picture.zero.rstrip("%"))
    assert not picture.falls


def test_gains_carry_their_sign_and_scores_do_not() -> None:
    gains, scores = chart(tuesdays(0, 1500), signed=True), chart(tuesdays(0, 1500))
    losses = chart(tuesdays(0, -1500), signed=True)
    assert [curve and curve.end.words for curve in (gains, scores, losses)] == [
        "+1,500",
        "1,500",
        "−1,500",
    ]
