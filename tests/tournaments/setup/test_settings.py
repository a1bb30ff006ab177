"""A tournament's settings: the kinds to begin with, and what can change until when."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from icalendar import Calendar
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from clubs.house.services import save_house_rules
from scoring.hands.hand import join_words
from scoring.house import read_house_rules
from scoring.scorebook.models import Game
from scoring.scorebook.refusals import Refused
from scoring.scorebook.verifying import recount
from scoring.table.ranking import METRICS
from tests.api import api_client
from tests.clubs.year import make_series
from tests.paper import words_of
from tests.people import Cast
from tests.tournaments.cups import (
    DRAWN,
    SECOND_WINS,
    close_round,
    finish,
    fresh,
    make_cup,
    page_of,
    play_round,
    post,
    seated_cup,
    tables,
)
from tournaments.models import RoundState, Tournament, TournamentState, ranking_default
from tournaments.results.selectors.standings import standings_of
from tournaments.rounds.selectors import rounds_of
from tournaments.seating.selectors import unmet_criteria
from tournaments.seating.services.changes import NEW_DRAW
from tournaments.setup import services as setup_services
from tournaments.setup.forms import TournamentForm, settings_form_data, settings_of
from tournaments.setup.selectors import PRESETS, SETTINGS, Preset, fixed_settings, preset_of
from tournaments.steps import services

pytestmark = pytest.mark.django_db


def as_it_is(cup: Tournament) -> dict[str, Any]:
    """What the settings' form sends when nothing is touched."""
    settings = settings_of(fresh(cup))
    return {
        name: "" if value is None else value
        for name, value in settings.items()
        if value is not False
    }


def change(cup: Tournament, **changed_fields: Any) -> setup_services.RoundChanges:
    cup = Tournament.objects.select_related("club").get(pk=cup.pk)
    form = TournamentForm(as_it_is(cup), club=cup.club, initial=settings_of(cup))
    assert form.is_valid(), form.errors
    fields = {name: form.cleaned_data[name] for name in SETTINGS}
    return setup_services.change_tournament(tournament=cup, **(fields | changed_fields))


def refusal(cup: Tournament, **changed_fields: Any) -> list[tuple[str, str]]:
    values_before = Tournament.objects.values().get(pk=cup.pk)
    with pytest.raises(Refused) as error:
        change(cup, **changed_fields)
    assert Tournament.objects.values().get(pk=cup.pk) == values_before
    return [(problem.path, problem.message) for problem in error.value.problems]


def own_rules(cup: Tournament, limit: int = 50) -> str:
    declared_rules = read_house_rules({"base": "bmja", "name": "Quick rules", "limit": limit})
    return save_house_rules(club=cup.club, declared_rules=declared_rules).edition.key


def seated_rounds(cup: Tournament) -> list[int]:
    return list(cup.rounds.values_list("number", flat=True))


def seats_of(cup: Tournament, number: int) -> list[tuple[int, int]]:
    (round_,) = cup.rounds.filter(number=number)
    return sorted(round_.placements.values_list("entrant", "seat__number"))


def test_before_the_first_hand_everything_can_be_changed() -> None:
    cup = make_cup()
    change(
        cup,
        name=" Spring  Open ",
        held_on=date(2027, 4, 1),
        rounds=7,
        hands_a_round=None,
        minutes_a_round=75,
        at_the_bell="one_more",
        start_stake=0,
        ranks_by=["total"],
        rules="tallies",
        by_standing_from=5,
        bands=2,
        has_final=True,
    )
    cup.refresh_from_db()
    assert (cup.name, cup.held_on, cup.plan) == (
        "Spring Open",
        date(2027, 4, 1),
        "7 rounds of 75 minutes",
    )
    assert (cup.rules, cup.ranks_by, cup.by_standing_from) == ("tallies/2", ["total"], 5)
    assert fixed_settings(cup) == {}
    change(cup, rules="", ranks_by=[])
    cup.refresh_from_db()
    assert (cup.rules, cup.ranks_by) == ("tallies/2", ["total"])


def test_what_is_not_touched_stays() -> None:
    cup = seated_cup(entrants=8, rounds=3)
    values_before = Tournament.objects.values().get(pk=cup.pk)
    seats = [seats_of(cup, number) for number in (1, 2, 3)]
    assert change(cup) == setup_services.RoundChanges((), ())
    values_after = Tournament.objects.values().get(pk=cup.pk)
    assert values_after | {"version": values_before["version"]} == values_before
    assert [seats_of(cup, number) for number in (1, 2, 3)] == seats


def test_tables_that_are_laid_play_the_new_rules_until_a_hand_is_in() -> None:
    cup = seated_cup(rounds=2, hands=2)
    key = own_rules(cup)
    change(cup, rules=key)
    assert set(Game.objects.values_list("rules", flat=True)) == {key}
    (hand,) = post(tables(cup)[0], DRAWN)
    assert hand.limit == 50
    assert recount().differences == ()


@time_machine.travel(datetime(2026, 11, 21, 14, 5, tzinfo=UTC))
def test_the_rules_are_frozen_at_the_first_hand() -> None:
    cup = seated_cup(rounds=2)
    post(tables(cup)[0], DRAWN)
    message = "This cannot change after the first hand (2:05pm)."
    assert fixed_settings(cup)["rules"] == message
    assert refusal(cup, rules="safalra") == [("rules", message)]
    assert refusal(cup, rules=own_rules(cup)) == [("rules", message)]
    assert set(Game.objects.values_list("rules", flat=True)) == {"bmja/2008"}


def test_on_a_later_day_the_day_is_said_too() -> None:
    with time_machine.travel(datetime(2026, 11, 21, 14, 5, tzinfo=UTC)):
        cup = seated_cup(rounds=2)
        post(tables(cup)[0], DRAWN)
    with time_machine.travel(datetime(2026, 11, 22, 9, 0, tzinfo=UTC)):
        message = "This cannot change after the first hand (2:05pm on 21 November)."
        assert fixed_settings(cup)["rules"] == message


def test_the_name_of_the_rules_may_be_sent_again_when_they_are_frozen() -> None:
    cup = seated_cup(rounds=1)
    post(tables(cup)[0], DRAWN)
    change(cup, rules="bmja", name="Renamed")
    assert Tournament.objects.get().name == "Renamed"


def test_while_a_round_is_played_its_length_stays() -> None:
    cup = seated_cup(rounds=2, hands=2)
    message = "Round 1 is being played. This can be changed once it is closed."
    assert refusal(cup, hands_a_round=6, minutes_a_round=60) == [
        ("hands_a_round", message),
        ("minutes_a_round", message),
    ]


def test_rounds_not_begun_take_another_number_of_hands() -> None:
    cup = seated_cup(entrants=4, rounds=3, hands=1)
    close_round(cup, SECOND_WINS)
    change(cup, hands_a_round=2)
    games = Game.objects.order_by("tournament_table__round__number")
    assert list(games.values_list("hands_planned", flat=True)) == [1, 2, 2]
    assert [row.table_points for row in standings_of(cup)] == [4, 2, 1, 0]


def test_a_round_opened_again_is_done_with_the_hands_it_was_planned_for() -> None:
    cup = seated_cup(entrants=4, rounds=2, hands=1)
    close_round(cup, SECOND_WINS)
    change(cup, hands_a_round=2)
    services.reopen_round(tournament=cup, reason="a slip", made_by="user 1")
    cup.refresh_from_db()
    assert [row.table_points for row in standings_of(cup)] == [4, 2, 1, 0]
    assert [table.state for table in rounds_of(cup)[0].tables] == ["done"]


def test_rounds_that_are_no_longer_planned_lose_their_seats() -> None:
    cup = seated_cup(entrants=8, rounds=5, hands=1)
    seats_before = [seats_of(cup, number) for number in (1, 2, 3)]
    assert change(cup, rounds=3) == setup_services.RoundChanges((), (4, 5))
    assert seated_rounds(cup) == [1, 2, 3]
    assert [seats_of(cup, number) for number in (1, 2, 3)] == seats_before


def test_a_shortened_tournament_can_be_finished() -> None:
    cup = seated_cup(entrants=4, rounds=3, hands=1)
    close_round(cup, SECOND_WINS)
    change(cup, rounds=1)
    services.finish_tournament(tournament=cup)
    cup.refresh_from_db()
    assert (cup.state, seated_rounds(cup)) == (TournamentState.FINISHED, [1])


def test_rounds_that_have_begun_stay() -> None:
    cup = seated_cup(entrants=4, rounds=3, hands=1)
    close_round(cup, SECOND_WINS)
    services.start_round(tournament=cup)
    assert refusal(cup, rounds=1) == [
        ("rounds", "2 rounds have already started, so you cannot have fewer rounds.")
    ]


def test_rounds_planned_besides_are_seated_and_everybody_else_keeps_a_seat() -> None:
    cup = seated_cup(entrants=16, rounds=3, hands=1)
    seats_before = [seats_of(cup, number) for number in (1, 2, 3)]
    assert change(cup, rounds=5) == setup_services.RoundChanges((4, 5), ())
    assert seated_rounds(cup) == [1, 2, 3, 4, 5]
    assert [seats_of(cup, number) for number in (1, 2, 3)] == seats_before
    meetings = [
        frozenset(table.placements.values_list("entrant", flat=True))
        for round_ in cup.rounds.all()
        for table in round_.tables.all()
    ]
    # 16 players can sit five rounds and nobody meets twice.
    assert (
        max(
            len(meeting & other_meeting)
            for meeting in meetings
            for other_meeting in meetings
            if meeting != other_meeting
        )
        == 1
    )


def test_later_rounds_by_standing_wait_for_their_turn() -> None:
    cup = seated_cup(entrants=8, rounds=4, hands=1)
    assert change(cup, by_standing_from=3) == setup_services.RoundChanges((), (3, 4))
    assert change(cup, by_standing_from=None) == setup_services.RoundChanges((3, 4), ())


def test_a_finished_tournament_keeps_all_but_its_name_and_day() -> None:
    cup = seated_cup(entrants=4, rounds=1, hands=1)
    finish(cup, SECOND_WINS)
    message = "The tournament is finished, so this cannot change."
    assert refusal(cup, ranks_by=["total"], rounds=2) == [("rounds", message), ("rank_1", message)]
    change(cup, name="Autumn Cup 2026", held_on=date(2026, 11, 22))
    cup.refresh_from_db()
    assert (cup.name, cup.held_on) == ("Autumn Cup 2026", date(2026, 11, 22))


def test_what_no_tournament_can_be_is_refused_all_at_once() -> None:
    cup = make_cup()
    setup_services.make_tournament(club=cup.club, name="Taken", held_on=date(2026, 11, 21))
    assert [field for field, _ in refusal(cup, name="Taken", rounds=99, start_stake=-1)] == [
        "name",
        "rounds",
        "start_stake",
    ]


def test_points_on_the_table_go_only_with_rules_by_which_players_pay() -> None:
    cup = make_cup()
    change(cup, start_stake=2000)
    assert [field for field, _ in refusal(cup, rules="safalra")] == ["start_stake"]


def test_a_new_tournament_opens_the_rest_of_its_form_only_where_something_is_wrong(
    director: Client, cast: Cast
) -> None:
    address = reverse("tournament-add", args=[cast.club.slug])
    assert not director.get(address).context["form"].has_errors_below
    form_data = settings_form_data(PRESETS[0].settings) | {"name": "", "held_on": "2026-11-17"}
    page = director.post(
        address, {name: value for name, value in form_data.items() if value is not None}
    )
    assert (page.status_code, page.context["form"].has_errors_below) == (422, False)
    form_data |= {"name": "Cup", "rounds": "many"}
    page = director.post(
        address, {name: value for name, value in form_data.items() if value is not None}
    )
    assert (page.status_code, page.context["form"].has_errors_below) == (422, True)


def test_the_settings_fold_what_is_as_usual_and_say_it(director: Client, cast: Cast) -> None:
    cup = make_cup(club=cast.club)
    page = director.get(page_of(cup, "settings/"))
    assert page.context["form"].unusual == []
    assertContains(page, '<details class="fold">', count=4)
    first, *other_metrics = [METRICS[metric] for metric in ranking_default()]
    assertContains(page, f"By {first}, then {join_words(other_metrics)}.")


@pytest.mark.parametrize(
    ("changed_fields", "part"),
    [
        ({"agreement": "two"}, "telling"),
        ({"ranks_by": ["mahjongs", "total"]}, "ranking"),
        ({"has_final": True}, "drawing"),
        ({"by_standing_from": 3, "bands": 2}, "drawing"),
        ({"sitting_out_counts": "fixed"}, "resting"),
    ],
)
def test_the_settings_show_what_is_not_as_usual(
    director: Client, cast: Cast, changed_fields: dict[str, Any], part: str
) -> None:
    cup = make_cup(club=cast.club)
    change(cup, **changed_fields)
    page = director.get(page_of(cup, "settings/"))
    assert page.context["form"].unusual == [part]
    assertContains(page, '<details class="fold" open>', count=1)


def test_what_is_wrong_in_the_settings_is_not_folded(director: Client, cast: Cast) -> None:
    cup = make_cup(club=cast.club)
    for wrong, parts in (
        ({"rounds": "many"}, []),
        ({"rank_4": "table_points"}, ["ranking"]),
        ({"bands": "none"}, ["drawing"]),
        ({"sitting_out_points": "none"}, ["resting"]),
    ):
        page = director.post(page_of(cup, "settings/"), as_it_is(cup) | wrong)
        assert (page.status_code, page.context["form"].unusual) == (422, parts)


def test_the_page_changes_the_settings(director: Client, cast: Cast) -> None:
    cup = make_cup(club=cast.club)
    key = own_rules(cup)
    page = director.get(page_of(cup, "settings/"))
    assertContains(page, "Quick rules")
    form_data = as_it_is(cup) | {"name": "Spring Open", "rounds": "6", "rules": key}
    answer = director.post(page_of(cup, "settings/"), form_data)
    assertRedirects(answer, page_of(cup))
    cup.refresh_from_db()
    assert (cup.name, cup.rounds_planned, cup.rules) == ("Spring Open", 6, key)
    assertContains(director.get(page_of(cup)), f'using <a href="/rules/{key}/">Quick rules</a>')


def test_the_page_says_since_when_the_rules_are_frozen(director: Client, cast: Cast) -> None:
    cup = seated_cup(club=cast.club)
    assertNotContains(director.get(page_of(cup, "settings/")), "cannot change after the first hand")
    post(tables(cup)[0], DRAWN)
    page = director.get(page_of(cup, "settings/"))
    assertContains(page, "This cannot change after the first hand (")
    assertNotContains(page, 'name="rules"')


@pytest.mark.sampled(law="long plays")
def test_whoever_saves_a_page_from_before_the_first_hand_is_told(
    director: Client, cast: Cast
) -> None:
    cup = seated_cup(club=cast.club)
    form_data = as_it_is(cup) | {"rules": "safalra", "name": "Typed meanwhile"}
    post(tables(cup)[0], DRAWN)
    page = director.post(page_of(cup, "settings/"), form_data)
    assertContains(page, "This cannot change after the first hand", status_code=422)
    assertContains(page, 'value="Typed meanwhile"', status_code=422)
    assert Tournament.objects.get().rules == "bmja/2008"


def test_a_page_from_before_that_changes_nothing_settled_is_saved(
    director: Client, cast: Cast
) -> None:
    cup = seated_cup(club=cast.club)
    form_data = as_it_is(cup) | {"name": "Renamed"}
    post(tables(cup)[0], DRAWN)
    assertRedirects(director.post(page_of(cup, "settings/"), form_data), page_of(cup))
    assert Tournament.objects.get().name == "Renamed"


def test_the_page_says_which_rounds_lost_their_seats(director: Client, cast: Cast) -> None:
    cup = seated_cup(entrants=8, rounds=4, club=cast.club)
    play_round(cup, SECOND_WINS)
    form_data = as_it_is(cup) | {"rounds": "2"}
    page = director.post(page_of(cup, "settings/"), form_data, follow=True)
    assertContains(page, "No longer seated: rounds 3 and 4.")
    assert cup.rounds.filter(state=RoundState.PLAYING).count() == 1


UNEVEN = "players start in one wind more often than necessary."


def test_whoever_plans_another_round_reads_what_it_costs(director: Client, cast: Cast) -> None:
    cup = seated_cup(entrants=28, rounds=7, starts=False, club=cast.club)
    form_data = as_it_is(cup) | {"rounds": "8"}
    page = director.post(page_of(cup, "settings/"), form_data, follow=True)
    assertContains(page, "Also seated: round 8.")
    repeat_text, uneven = unmet_criteria(rounds_of(fresh(cup)))
    assert (repeat_text.split(" ", 1)[1], uneven.split(" ", 1)[1]) == (
        "pairs meet more than once.",
        UNEVEN,
    )
    assertContains(
        page, f"{repeat_text} {uneven} To see whether new seats are better, press “Seating”,"
    )
    options_page = director.get(page_of(cup, "seating/changes/ways/"))
    assertContains(options_page, uneven)
    assertContains(options_page, "No one starts in one wind more often than necessary.")
    director.post(page_of(cup, "seating/changes/anew/"), {"plan": NEW_DRAW})
    assert unmet_criteria(rounds_of(fresh(cup))) == ()


def test_another_round_that_costs_nothing_is_seated_without_a_warning(
    director: Client, cast: Cast
) -> None:
    cup = seated_cup(entrants=16, rounds=3, club=cast.club)
    page = director.post(page_of(cup, "settings/"), as_it_is(cup) | {"rounds": "5"}, follow=True)
    assertContains(page, "Also seated: rounds 4 and 5.")
    assertNotContains(page, "To see whether new seats are better")


def test_a_program_that_plans_another_round_is_answered_as_it_would_read(cast: Cast) -> None:
    cup = seated_cup(entrants=28, rounds=7, starts=False, club=cast.club)
    url = reverse("api-tournament-settings", args=[cast.club.slug, cup.pk])
    program = api_client(cast.director)
    for rounds in (8, 7):
        response = program.patch(url, {"rounds": rounds}, content_type="application/json")
        assert response.json() == program.get(url).json()
        assert fresh(cup).rounds.count() == rounds


def test_the_page_of_a_finished_tournament_still_takes_its_name(
    director: Client, cast: Cast
) -> None:
    cup = seated_cup(rounds=1, hands=1, club=cast.club)
    finish(cup, SECOND_WINS)
    assertContains(
        director.get(page_of(cup, "settings/")), "you can still correct its name and date"
    )
    assertContains(director.get(page_of(cup, "settings/")), '<details class="fold">', count=1)
    assert settings_sent(director, cup, name="Renamed") == 302
    assert settings_sent(director, cup, rounds="3") == 422
    cup.refresh_from_db()
    assert (cup.name, cup.rounds_planned) == ("Renamed", 1)


def settings_sent(client: Client, cup: Tournament, **changed_fields: str) -> int:
    return client.post(page_of(cup, "settings/"), as_it_is(cup) | changed_fields).status_code


def test_a_game_under_house_rules_is_printed_by_them(director: Client, cast: Cast) -> None:
    cup = seated_cup(club=cast.club)
    change(cup, rules=own_rules(cup))
    pdf = director.get(page_of(cup, "print/sheets.pdf")).getvalue()
    assert "\nQuick rules\n" in words_of(pdf)[0]


@pytest.mark.parametrize("preset", PRESETS, ids=[preset.key for preset in PRESETS])
def test_a_kind_can_be_made_as_it_stands(cast: Cast, preset: Preset) -> None:
    form_data = {"name": "Cup", "held_on": "2026-11-21", **settings_form_data(preset.settings)}
    form = TournamentForm(form_data, club=cast.club)
    assert form.is_valid(), form.errors
    assert tuple(form.cleaned_data["ranks_by"]) == preset.ranks_by
    assert set(preset.ranks_by) <= METRICS.keys()


def test_the_first_kind_ranks_as_every_tournament_does() -> None:
    assert list(preset_of("no such kind").ranks_by) == ranking_default()


def test_a_kind_fills_in_the_form(director: Client) -> None:
    page = director.get("/c/riverside/tournaments/new/?preset=weekend")
    assertContains(page, 'name="rounds" value="8"')
    assertContains(page, 'name="hands_a_round" value="16"')


def test_another_kind_keeps_the_name_the_date_and_the_rules(director: Client) -> None:
    address = "/c/riverside/tournaments/new/"
    form_data = {"name": "Spring Cup", "held_on": "2026-11-21", "rules": "english", "rounds": "5"}
    page = director.post(address, {**form_data, "preset": "day", "choose": "weekend"})
    assertContains(page, 'value="Spring Cup"')
    assertContains(page, 'value="2026-11-21"')
    assert page.context["form"]["rules"].value() == "english"
    assertContains(page, "The club’s usual rules")
    assertContains(page, 'name="rounds" value="8"')
    assertContains(page, '<input type="hidden" name="preset" value="weekend">', html=True)
    assert not Tournament.objects.exists()


def test_another_kind_chooses_no_rules_that_there_are_not(director: Client) -> None:
    form_data = {"name": "Spring Cup", "rules": "no such rules", "choose": "weekend"}
    page = director.post("/c/riverside/tournaments/new/", form_data)
    assertContains(page, 'value="Spring Cup"')
    assertNotContains(page, "no such rules")


@pytest.mark.parametrize(
    ("hands", "minutes", "text"),
    [
        (8, None, "5 rounds of 8 hands"),
        (1, None, "5 rounds of 1 hand"),
        (None, 75, "5 rounds of 75 minutes"),
        (8, 75, "5 rounds of 75 minutes, at most 8 hands"),
    ],
)
def test_a_tournament_says_how_long_its_rounds_are(
    hands: int | None, minutes: int | None, text: str
) -> None:
    cup = Tournament(rounds_planned=5, hands_a_round=hands, minutes_a_round=minutes)
    assert cup.plan == text


NEW = "/c/riverside/tournaments/new/"
TYPED = {
    "name": "Spring Open",
    "held_on": "2026-04-18",
    "rounds": "5",
    "hands_a_round": "16",
    "rank_1": "table_points",
    "rank_2": "mahjongs",
    "rank_3": "",
    "rank_4": "",
}
NO_STAKE = "No one pays under these rules, so there are no starting points."
A_ROUND = "Enter the number of a round, 2 or later."


@pytest.mark.parametrize(
    ("form_fields", "draw_settings"),
    [
        ({}, (None, 1, False)),
        ({"seated_by": "drawn", "by_standing_from": "3", "bands": "2"}, (None, 1, False)),
        ({"seated_by": "near", "by_standing_from": "3", "bands": "2"}, (3, 1, False)),
        ({"seated_by": "bands", "by_standing_from": "2", "bands": "3"}, (2, 3, False)),
        ({"seated_by": "drawn", "has_final": "on"}, (None, 1, True)),
    ],
)
def test_the_director_says_how_rounds_are_seated(
    director: Client, form_fields: dict[str, str], draw_settings: tuple[int | None, int, bool]
) -> None:
    assert director.post(NEW, TYPED | form_fields).status_code == 302
    cup = Tournament.objects.get()
    assert (cup.by_standing_from, cup.bands, cup.has_final) == draw_settings


def test_a_tournament_is_made_and_its_entry_list_follows(director: Client) -> None:
    answer = director.post(NEW, TYPED)
    cup = Tournament.objects.get()
    assertRedirects(answer, page_of(cup, "entrants/"))
    assert (cup.name, cup.held_on) == ("Spring Open", date(2026, 4, 18))
    assert (cup.rounds_planned, cup.hands_a_round) == (5, 16)
    assert cup.ranks_by == ["table_points", "mahjongs"]
    second_answer = director.post(NEW, TYPED)
    assertContains(second_answer, "There is already a tournament with that name.", status_code=422)


def test_a_tournament_against_the_clock_is_made_and_told_in_words(director: Client) -> None:
    clock = {"minutes_a_round": "75", "at_the_bell": "one_more", "start_stake": "2000"}
    director.post(NEW, TYPED | clock | {"hands_a_round": ""})
    cup = Tournament.objects.get()
    assert (cup.hands_a_round, cup.at_the_bell, cup.start_stake) == (None, "one_more", 2000)
    assertContains(director.get(page_of(cup)), "5 rounds of 75 minutes")


@pytest.mark.parametrize(
    ("changed_fields", "message"),
    [
        ({"name": ""}, "Enter a name."),
        ({"name": "x" * 300}, "That name is too long. Use 80 characters or fewer."),
        ({"name": "<b>Open</b>"}, "A name cannot contain &lt; or &gt;."),
        ({"held_on": "soon"}, "Enter a date like 24/11/2026."),
        ({"held_on": "0026-04-18"}, "Check the year. It must be 1900 or later."),
        ({"rounds": "0"}, "Enter a number from 1 to 30."),
        ({"rounds": "six"}, "Enter a number from 1 to 30."),
        ({"hands_a_round": "999999999999"}, "Enter a number from 1 to 100."),
        ({"hands_a_round": ""}, "Enter a number of hands or minutes for each round."),
        ({"minutes_a_round": "0"}, "Enter a number from 1 to 600."),
        ({"minutes_a_round": "75", "at_the_bell": "never"}, "Choose one."),
        ({"start_stake": "-1"}, "Enter a number from 0 to 100,000."),
        ({"start_stake": "2000", "rules": "baggaley"}, NO_STAKE),
        ({"rank_2": "table_points"}, "table points is already used above."),
        ({"rank_1": "beauty"}, "Choose from the list."),
        ({"seated_by": "near"}, A_ROUND),
        ({"seated_by": "near", "by_standing_from": "1"}, A_ROUND),
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
def test_what_cannot_be_a_tournament_is_said_and_nothing_typed_is_lost(
    director: Client, changed_fields: dict[str, str], message: str
) -> None:
    answer = director.post(NEW, TYPED | changed_fields)
    assertContains(answer, message, status_code=422)
    for name in {"name", "held_on", "rounds"} - changed_fields.keys():
        assertContains(answer, f'value="{TYPED[name]}"', status_code=422)
    assertContains(answer, changed_fields.get("hands_a_round", 'value="16"'), status_code=422)
    assert not Tournament.objects.exists()


def test_a_tournament_is_a_whole_day_in_the_calendars_of_its_club(
    cast: Cast, client: Client
) -> None:
    series = make_series(cast.club)
    cup = make_cup(club=cast.club)
    make_cup(club=cast.stranger.memberships.get().club)
    page = client.get(reverse("calendar-feed", args=[series.feed_key]))
    events = Calendar.from_ical(page.content).walk("VEVENT")
    (day,) = [event for event in events if str(event["uid"]).startswith("tournament-")]
    assert str(day["uid"]) == f"tournament-{cup.pk}@{cast.club.uid}"
    assert str(day["summary"]) == f"Autumn Cup, {cast.club.name}"
    assert (str(day.decoded("dtstart")), str(day.decoded("dtend"))) == ("2026-11-21", "2026-11-22")
