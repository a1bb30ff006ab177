"""A tournament from the entry list to the last standing."""

from datetime import date

import pytest

from scoring.scorebook.models import Game, HandState, Seat
from scoring.scorebook.refusals import AlreadyStands, Refused
from tests.people import make_club, make_player
from tests.scoring.scorebook.book import dispute
from tests.tournaments.cups import (
    DRAWN,
    SECOND_WINS,
    close_round,
    correct,
    finish,
    fresh,
    make_cup,
    post,
    seated_cup,
    tables,
)
from tournaments.models import Placement, RoundState, Tournament, TournamentState
from tournaments.seating.services import seating
from tournaments.setup import services as setup_services
from tournaments.steps import services

pytestmark = pytest.mark.django_db


def refusals_of(call: object, **kwargs: object) -> list[tuple[str, str]]:
    with pytest.raises(Refused) as refusal:
        call(**kwargs)  # type: ignore[operator]
    return [(problem.code, problem.message) for problem in refusal.value.problems]


@pytest.mark.parametrize(
    ("changed_fields", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 300}, "name"),
        ({"name": "<b>Cup</b>"}, "name"),
        ({"rounds": 0}, "rounds"),
        ({"rounds": 10**9}, "rounds"),
        ({"hands_a_round": 0}, "hands_a_round"),
        ({"hands_a_round": None}, "hands_a_round"),
        ({"minutes_a_round": 0}, "minutes_a_round"),
        ({"minutes_a_round": 30, "at_the_bell": "never"}, "at_the_bell"),
        ({"start_stake": -1}, "start_stake"),
        ({"start_stake": 2000, "rules": "baggaley"}, "start_stake"),
        ({"ranks_by": ["beauty"]}, "ranks_by"),
        ({"by_standing_from": 1}, "by_standing_from"),
        ({"by_standing_from": 6}, "by_standing_from"),
        ({"bands": 0}, "bands"),
        ({"rounds": 1, "has_final": True}, "has_final"),
    ],
)
def test_a_tournament_that_cannot_be_is_refused(
    changed_fields: dict[str, object], field: str
) -> None:
    fields = {"club": make_club(), "name": "Cup", "held_on": date(2026, 11, 21), **changed_fields}
    with pytest.raises(Refused) as refusal:
        setup_services.make_tournament(**fields)  # type: ignore[arg-type]
    assert [problem.path for problem in refusal.value.problems] == [field]
    assert Tournament.objects.count() == 0


def test_a_name_is_used_once_in_a_club() -> None:
    club = make_club()
    cup = make_cup(entrants=0, club=club)
    fields = {"name": "Autumn  Cup", "held_on": cup.held_on}
    assert refusals_of(setup_services.make_tournament, club=club, **fields) == [
        ("name_taken", "There is already a tournament with that name.")
    ]
    elsewhere = make_club("Hill Top Tiles", "hill-top")
    assert make_cup(entrants=0, club=elsewhere).name == "Autumn Cup"


def test_entrants_are_numbered_and_known_by_their_names() -> None:
    cup = make_cup(entrants=2)
    zoe = make_player(cup.club, "Zoë Łukasiewicz")
    setup_services.enter_names(tournament=cup, names=["zoe lukasiewicz", "Someone Else"])
    assert list(cup.entrants.values_list("number", "name", "player")) == [
        (1, "Player 1", None),
        (2, "Player 2", None),
        (3, "zoe lukasiewicz", zoe.pk),
        (4, "Someone Else", None),
    ]


def test_every_line_that_cannot_be_an_entrant_is_named_and_none_is_entered() -> None:
    cup = make_cup(entrants=1)
    names = ["Ann", "player 1", "", "x" * 300, "Ann"]
    assert refusals_of(setup_services.enter_names, tournament=cup, names=names) == [
        ("name_taken", "Line 2: player 1 is already entered."),
        ("bad_name", "Line 4: That name is too long. Use 80 characters or fewer."),
        ("name_taken", "Line 5: Ann is on line 1 too."),
    ]
    assert cup.entrants.count() == 1


def test_the_club_of_an_entrant_must_fit_too() -> None:
    cup = make_cup(entrants=0)
    assert refusals_of(
        setup_services.enter_entrant, tournament=cup, name="Ann", from_club="x" * 81
    ) == [("bad_name", "Use 80 characters or fewer for a club’s name.")]


def test_the_entry_list_is_closed_once_the_tournament_is_finished() -> None:
    cup = seated_cup(rounds=1, hands=1)
    finish(cup, DRAWN)
    closed_refusals = [
        ("tournament_finished", "This tournament is finished, so its entries cannot change.")
    ]
    assert refusals_of(setup_services.enter_entrant, tournament=cup, name="Ann") == closed_refusals
    assert (
        refusals_of(setup_services.withdraw, tournament=cup, entrant=cup.entrants.all()[0])
        == closed_refusals
    )


@pytest.mark.parametrize("entrants", [0, 3, 6, 15])
def test_entrants_must_fill_tables_of_four(entrants: int) -> None:
    cup = make_cup(entrants=entrants)
    assert refusals_of(seating.seat_rounds, tournament=cup) == [
        (
            "not_fours",
            (
                f"{entrants} have entered. Tables seat four, so you need 4, 8, 12, 16 and so on. "
                "On the Entries page you can add house players, or let players sit out in turn."
            ),
        )
    ]


def test_the_seating_can_be_done_anew() -> None:
    cup = seated_cup()
    seating.seat_rounds(tournament=cup)
    assert (Game.objects.count(), Seat.objects.count(), Placement.objects.count()) == (2, 8, 8)


def test_cleared_rounds_open_the_entry_list_again() -> None:
    cup = seated_cup()
    seating.clear_rounds(tournament=cup)
    assert (Game.objects.count(), cup.rounds.count()) == (0, 0)
    assert setup_services.enter_entrant(tournament=cup, name="Ann").number == 5


def test_a_round_is_not_closed_before_every_table_is_done() -> None:
    cup = seated_cup(entrants=16)
    first, second, third, _ = tables(cup)
    post(first, DRAWN, SECOND_WINS)
    post(second, DRAWN)
    disputed_hand = post(third, SECOND_WINS)[0]
    dispute(disputed_hand)
    assert refusals_of(services.close_round, tournament=cup) == [
        ("round_incomplete", "Table 2: 1 of 2 hands entered."),
        ("round_incomplete", "Table 3: hand 1 is not agreed, 1 of 2 hands entered."),
        ("round_incomplete", "Table 4: 0 of 2 hands entered."),
    ]
    assert cup.rounds.get(number=1).state == RoundState.PLAYING


def test_a_round_starts_once_it_is_seated_and_none_is_played() -> None:
    assert refusals_of(services.start_round, tournament=make_cup_elsewhere()) == [
        ("no_round", "There are no more rounds to start.")
    ]
    assert refusals_of(services.start_round, tournament=seated_cup()) == [
        ("round_open", "A round is being played. Close it first.")
    ]


def test_a_round_takes_hands_while_it_is_played_and_as_many_as_are_planned() -> None:
    cup = seated_cup(hands=1)
    assert refusals_of(lambda: post(tables(cup, 2)[0], DRAWN)) == [
        ("round_not_open", "Round 2 has not been started yet. The director will start it.")
    ]
    assert refusals_of(lambda: post(tables(cup)[0], DRAWN, DRAWN)) == [
        ("after_the_end", "All the hands of this game have been played.")
    ]
    services.close_round(tournament=cup)
    assert services.start_round(tournament=cup).number == 2
    closed_text = "This card is for round 1, which is closed. Round 2 is being played: "
    assert refusals_of(lambda: post(tables(cup, 1)[0], SECOND_WINS, DRAWN)) == [
        ("round_not_open", f"{closed_text}use the card of that round.")
    ]


def test_a_hand_raises_the_version_once() -> None:
    cup = seated_cup()
    version_before = cup.version
    post(tables(cup)[0], DRAWN)
    post(tables(cup)[0], DRAWN)
    assert Tournament.objects.get().version == version_before + 1
    with pytest.raises(AlreadyStands):
        post(tables(cup)[0], SECOND_WINS)


def test_the_scorer_corrects_a_closed_round_until_the_tournament_is_finished() -> None:
    cup = seated_cup(rounds=1, hands=1)
    (table,) = tables(cup)
    post(table, SECOND_WINS)
    services.close_round(tournament=cup)
    corrected_hand = correct(table, DRAWN)
    assert (corrected_hand.winner, corrected_hand.state) == (None, HandState.DECIDED)
    services.finish_tournament(tournament=cup)
    assert refusals_of(lambda: correct(table, SECOND_WINS)) == [
        ("tournament_finished", "This tournament is finished, so its results cannot change.")
    ]


def test_a_tournament_is_finished_when_every_round_is_closed() -> None:
    cup = seated_cup(rounds=3, hands=1)
    assert refusals_of(services.finish_tournament, tournament=make_cup_elsewhere()) == [
        ("not_seated", "No round has been seated yet.")
    ]
    close_round(cup, DRAWN)
    assert refusals_of(services.finish_tournament, tournament=cup) == [
        ("round_open", "Round 2 has not been closed."),
        ("round_open", "Round 3 has not been closed."),
    ]
    for _ in range(2):
        services.start_round(tournament=cup)
        close_round(cup, DRAWN)
    services.finish_tournament(tournament=cup)
    services.finish_tournament(tournament=cup)
    assert fresh(cup).state == TournamentState.FINISHED
    assert refusals_of(services.close_round, tournament=cup) == [
        ("no_round", "No round is being played.")
    ]
    assert refusals_of(seating.seat_rounds, tournament=cup) == [
        ("tournament_finished", "This tournament is finished.")
    ]


def make_cup_elsewhere() -> Tournament:
    return make_cup(entrants=4, club=make_club("Hill Top Tiles", "hill-top"))
