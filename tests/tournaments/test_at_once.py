"""Phones, directors and clocks at the same moment: nobody waits in a ring, nothing is lost."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from clubs.house.services import save_house_rules
from clubs.models import HouseRules
from scoring.house import read_house_rules
from scoring.scorebook.models import Edition, Hand
from scoring.scorebook.refusals import Refused
from scoring.scorebook.services import RecordedHand
from scoring.scorebook.verifying import recount
from tests.people import make_club
from tests.threads import at_once
from tests.tournaments.cups import (
    DRAWN,
    SECOND_WINS,
    correct,
    fresh,
    play_round,
    post,
    seated_cup,
    seated_cups,
    send_hand,
    tables,
)
from tests.tournaments.seating.test_by_standings import cup_of_a_final
from tournaments.models import Round, RoundState, Table, Tournament
from tournaments.seating.services import seating
from tournaments.setup import services as setup_services
from tournaments.setup.selectors import settings_fields
from tournaments.steps import services

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def test_hands_of_four_tables_at_once_are_all_there() -> None:
    cup = seated_cup(entrants=16, rounds=1, hands=2)
    answers = at_once([partial(post, table, SECOND_WINS, DRAWN) for table in tables(cup)])
    assert [type(answer) for answer in answers] == [list] * 4
    assert Hand.objects.count() == 8
    assert Tournament.objects.get().version == cup.version + 8


def test_a_round_is_closed_with_the_last_hand_in_or_not_at_all() -> None:
    for cup in seated_cups(rounds=1, hands=1):
        table = tables(cup)[0]
        close = partial(services.close_round, tournament=cup)
        post_result, close_result = at_once([partial(post, table, SECOND_WINS), close])
        assert isinstance(post_result, list)
        state = cup.rounds.get().state
        if isinstance(close_result, Refused):
            assert str(close_result) == "Table 1: 0 of 1 hands entered."
            assert state == RoundState.PLAYING
        else:
            assert state == RoundState.CLOSED


def test_a_ruling_and_the_close_of_the_round_both_happen() -> None:
    for cup in seated_cups(rounds=1, hands=1):
        play_round(cup, SECOND_WINS)
        table = tables(cup)[0]
        close = partial(services.close_round, tournament=cup)
        correction_result, close_result = at_once([partial(correct, table, DRAWN), close])
        assert (isinstance(correction_result, Hand), close_result) == (True, None)
    assert recount().differences == ()


def test_a_hand_and_a_change_of_rules_come_one_after_the_other() -> None:
    for cup in seated_cups(rounds=2, hands=2):
        declared_rules = read_house_rules({"base": "bmja", "name": "Quick rules", "limit": 50})
        key = save_house_rules(club=cup.club, declared_rules=declared_rules).edition.key
        fields: Any = settings_fields(cup) | {"rules": key}
        (table,) = tables(cup)
        change = partial(setup_services.change_tournament, tournament=cup, **fields)
        post_result, answer = at_once([partial(post, table, DRAWN), change])
        assert isinstance(post_result, list)
        cup.refresh_from_db()
        table.game.refresh_from_db()
        played_by = (cup.rules, table.game.rules, post_result[0].limit)
        if isinstance(answer, Refused):
            assert str(answer).startswith("This cannot change after the first hand")
            assert played_by == ("bmja/2008", "bmja/2008", 1000)
        else:
            assert played_by == (key, key, 50)
    assert recount().differences == ()


def test_house_rules_kept_by_two_at_once_are_kept_once() -> None:
    club = make_club()
    declared_rules = read_house_rules({"base": "bmja", "name": "Quick rules", "limit": 50})
    results = at_once([partial(save_house_rules, club=club, declared_rules=declared_rules)] * 4)
    assert [type(result) for result in results] == [HouseRules] * 4
    assert (HouseRules.objects.count(), Edition.objects.count()) == (1, 1)


def test_a_round_by_standing_is_seated_once_however_often_it_is_pressed() -> None:
    cup = cup_of_a_final(make_club(), rounds=2)
    press = partial(seating.seat_by_standing, tournament=cup, made_by="user 1")
    first_result, second_result = at_once([press, press])
    assert first_result == second_result
    assert cup.rounds.count() == 2
    assert cup.changes.count() == 1


def since_an_hour(cup: Tournament) -> Tournament:
    """The cup is against the clock, its round begun an hour ago."""
    Tournament.objects.filter(pk=cup.pk).update(minutes_a_round=75, hands_a_round=None)
    started_at = timezone.now() - timedelta(minutes=60)
    Round.objects.filter(tournament=cup, number=1).update(started_at=started_at)
    return fresh(cup)


def test_a_table_that_stops_while_it_sends_has_its_hand_or_hears_why_not() -> None:
    for cup in map(since_an_hour, seated_cups(hands=8)):
        (table,) = tables(cup)
        stop = partial(services.stop_table, table=table)
        hand_result, stop_result = at_once([partial(send_hand, table, by_players=True), stop])
        assert stop_result is None
        assert Table.objects.get(pk=table.pk).stopped_at is not None
        hands = Hand.objects.filter(game=table.game).count()
        assert hands == int(isinstance(hand_result, RecordedHand))
        assert hands or (
            isinstance(hand_result, Refused) and "This table stopped" in str(hand_result)
        )


def test_two_who_press_the_same_button_add_its_minutes_once() -> None:
    cup = since_an_hour(seated_cup(hands=8))
    press = partial(services.add_minutes, tournament=cup, minutes=5, seen=0)
    assert sorted(at_once([press, press, press])) == [0, 0, 5]  # type: ignore[type-var]
    assert Round.objects.get(tournament=cup, number=1).minutes_added == 5


def test_two_who_let_the_clock_go_on_count_its_rest_once() -> None:
    cup = since_an_hour(seated_cup(hands=8))
    paused_at = timezone.now() - timedelta(minutes=10)
    Round.objects.filter(tournament=cup, number=1).update(paused_at=paused_at)
    at_once([partial(services.resume_clock, tournament=cup)] * 3)
    playing = Round.objects.get(tournament=cup, number=1)
    assert (playing.paused_at, playing.paused_seconds // 60) == (None, 10)
