"""A new tournament says how its rounds are seated: all at once, by standing, with a final."""

import pytest
from django.test import Client
from pytest_django.asserts import assertContains

from tournaments.models import Tournament

NEW = "/c/riverside/tournaments/new/"
TYPED = {
    "name": "Spring Open",
    "held_on": "2026-04-18",
    "rounds": "5",
    "hands_a_round": "8",
    "rank_1": "table_points",
}
Drawing = tuple[int | None, int, bool]


def drawing() -> Drawing:
    made = Tournament.objects.get()
    return (made.by_standing_from, made.bands, made.has_final)


@pytest.mark.parametrize(
    ("told", "drawn"),
    [
        ({}, (None, 1, False)),
        ({"seated_by": "drawn", "by_standing_from": "3", "bands": "2"}, (None, 1, False)),
        ({"seated_by": "near", "by_standing_from": "3", "bands": "2"}, (3, 1, False)),
        ({"seated_by": "bands", "by_standing_from": "2", "bands": "3"}, (2, 3, False)),
        ({"seated_by": "drawn", "has_final": "on"}, (None, 1, True)),
    ],
)
def test_the_director_says_how_rounds_are_seated(
    director: Client, told: dict[str, str], drawn: Drawing
) -> None:
    assert director.post(NEW, TYPED | told).status_code == 302
    assert drawing() == drawn


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"seated_by": "near"}, "Enter the number of a round, 2 or later."),
        (
            {"seated_by": "near", "by_standing_from": "1"},
            "Enter the number of a round, 2 or later.",
        ),
        (
            {"seated_by": "near", "by_standing_from": "6"},
            "Round 6 cannot be the first by standings",
        ),
        ({"seated_by": "bands", "by_standing_from": "2"}, "Enter a number from 2 to 100."),
        (
            {"seated_by": "bands", "by_standing_from": "2", "bands": "1"},
            "Enter a number from 2 to 100.",
        ),
        (
            {"seated_by": "drawn", "rounds": "1", "has_final": "on"},
            "A final needs at least one round before",
        ),
        ({"seated_by": "cards"}, "Choose one."),
    ],
)
def test_what_cannot_be_is_said_beside_its_field(
    director: Client, told: dict[str, str], said: str
) -> None:
    answer = director.post(NEW, TYPED | told)
    assertContains(answer, said, status_code=422)
    assertContains(answer, 'value="Spring Open"', status_code=422)
    assert not Tournament.objects.exists()
