"""The kinds of tournaments that a director begins with."""

import pytest
from django.test import Client
from pytest_django.asserts import assertContains

from scoring.table.ranking import METRICS
from tests.people import PASSWORD, Cast
from tournaments.models import Tournament, ranking_default
from tournaments.setup.forms import TournamentForm, as_form
from tournaments.setup.selectors import PRESETS, Preset, preset_of


@pytest.mark.parametrize("preset", PRESETS, ids=[preset.key for preset in PRESETS])
def test_a_kind_can_be_made_as_it_stands(cast: Cast, preset: Preset) -> None:
    typed = {"name": "Cup", "held_on": "2026-11-21", **as_form(preset.settings)}
    form = TournamentForm(typed, club=cast.club)
    assert form.is_valid(), form.errors
    assert tuple(form.cleaned_data["ranks_by"]) == preset.ranks_by
    assert set(preset.ranks_by) <= METRICS.keys()


def test_the_first_kind_ranks_as_every_tournament_does() -> None:
    assert list(preset_of("no such kind").ranks_by) == ranking_default()


def test_a_kind_fills_in_the_form(cast: Cast) -> None:
    client = Client()
    assert client.login(email=cast.director.email, password=PASSWORD)
    page = client.get("/c/riverside/tournaments/new/?preset=weekend")
    assertContains(page, 'name="rounds" value="8"')
    assertContains(page, 'name="hands_a_round" value="16"')


@pytest.mark.parametrize(
    ("hands", "minutes", "words"),
    [
        (8, None, "5 rounds of 8 hands"),
        (1, None, "5 rounds of 1 hand"),
        (None, 75, "5 rounds of 75 minutes"),
        (8, 75, "5 rounds of 75 minutes, at most 8 hands"),
    ],
)
def test_a_tournament_says_how_long_its_rounds_are(
    hands: int | None, minutes: int | None, words: str
) -> None:
    made = Tournament(rounds_planned=5, hands_a_round=hands, minutes_a_round=minutes)
    assert made.plan == words
