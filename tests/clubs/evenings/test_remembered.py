"""A season is remembered: whose company, and whose turn at the table of three, in few queries."""

from datetime import date, timedelta
from time import process_time

import pytest
from pytest_django import DjangoAssertNumQueries

from clubs.evenings.selectors.seating import remembered, why_this_evening
from clubs.evenings.services import evenings
from clubs.models import Club, Player, Session
from clubs.seating.history import OUT, turns_taken
from tests.clubs.nights import make_players, make_season, night
from tests.people import make_club, make_player

pytestmark = pytest.mark.django_db
TONIGHT = date(2026, 11, 17)


def evening_of(club: Club, players: list[Player], day: date = TONIGHT) -> Session:
    session = evenings.open_session(club=club, held_on=day)
    for player in players:
        evenings.tick(session=session, player=player, is_here=True)
    return session


def weeks_before(count: int) -> date:
    return TONIGHT - timedelta(weeks=count)


def at_threes(session: Session) -> set[str]:
    places = session.places.filter(table__game__size=3)
    return set(places.values_list("player__name", flat=True))


@pytest.mark.sampled(law="long plays")
def test_threes_are_taken_in_turn_all_season() -> None:
    club = make_club()
    make_season(club)
    players = make_players(club, 11)
    for week in range(11, 0, -1):
        evenings.seat_session(session=evening_of(club, players, weeks_before(week)))
    taken = turns_taken(remembered(evening_of(club, players)).season)[3]
    assert [taken[str(player.pk)] for player in players] == [3] * 11


def test_whoever_sat_at_the_table_of_three_sits_at_a_four_next_time() -> None:
    club = make_club()
    players = make_players(club, 7)
    night(club, weeks_before(1), players[:3], players[3:])
    session = evening_of(club, players)
    evenings.seat_session(session=session)
    assert not at_threes(session) & {"Ann", "Ben", "Cy"}
    (_, _, _, turn) = why_this_evening(session).seating.said
    assert turn.is_kept
    assert turn.sentence.endswith("none of them has sat at a table of three in the last year yet.")


def test_turns_are_counted_in_the_season_and_company_also_before_it() -> None:
    club = make_club()
    players = make_players(club, 7)
    night(club, date(2026, 8, 25), players[:3], players[3:])
    make_season(club)
    night(club, weeks_before(1), players[4:], players[:4])
    past = remembered(evening_of(club, players))
    assert [night.held_on for night in past.nights] == [date(2026, 8, 25), weeks_before(1)]
    assert [night.is_of_season for night in past.nights] == [False, True]
    assert past.words == "this season"
    assert set(turns_taken(past.season)[3]) == {str(player.pk) for player in players[4:]}
    ann, ben = (str(player.pk) for player in players[:2])
    assert past.met[frozenset((ann, ben))] == (date(2026, 8, 25), weeks_before(1))


def test_evenings_of_another_club_and_later_ones_are_not_remembered() -> None:
    club = make_club()
    players = make_players(club, 4)
    other = make_club("Hill Top Tiles", "hill-top")
    night(other, weeks_before(1), make_players(other, 4))
    session = evening_of(club, players)
    night(club, TONIGHT + timedelta(weeks=1), players)
    assert remembered(session).nights == ()


def test_who_was_here_without_a_table_has_sat_out() -> None:
    club = make_club()
    players = make_players(club, 5)
    last = night(club, weeks_before(1), players[:4])
    evenings.tick(session=last, player=players[4], is_here=True)
    past = remembered(evening_of(club, players))
    assert turns_taken(past.season)[OUT] == {str(players[4].pk): 1}


def test_a_player_reads_how_often_it_was_their_turn() -> None:
    club = make_club()
    make_season(club)
    players = make_players(club, 7)
    night(club, weeks_before(2), players[:3], players[3:])
    night(club, weeks_before(1), players[:3], players[3:])
    session = night(club, TONIGHT, players[:3], players[3:])
    explained = why_this_evening(session)
    turn = explained.seating.said[-1]
    assert turn.sentence == (
        "At table 1: Ann, Ben and Cy have twice sat at a table of three this season. Di, Ed, Flo "
        "and Gus have had fewer turns. Seating preferences, late arrivals or manual moves came "
        "first."
    )
    assert turn.is_kept is False
    ann, di = explained.person("Ann"), explained.person("Di")
    assert ann is not None
    assert di is not None
    assert ann.sentences[-1] == "Before this evening twice at a table of three this season."
    assert ann.sentences[0] == "Ben was at the same table on 3 November and 10 November."
    assert "three" not in " ".join(di.sentences)


def test_many_evenings_together_are_told_by_the_last_of_them() -> None:
    club = make_club()
    players = make_players(club, 4)
    for week in range(8, 0, -1):
        night(club, weeks_before(week), players)
    explained = why_this_evening(night(club, TONIGHT, players))
    assert explained.memory == "8, from 22 September on"
    ann = explained.person("Ann")
    assert ann is not None
    assert ann.sentences[0] == "Ben was at the same table on 10 November, the last of 8 times."


@pytest.mark.parametrize("weeks", [1, 3])
def test_a_season_is_read_in_as_many_queries_as_an_evening(
    weeks: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    club = make_club()
    make_season(club)
    players = make_players(club, 8)
    for week in range(weeks, 0, -1):
        night(club, weeks_before(week), players[:4], players[4:])
    session = evening_of(club, players)
    with django_assert_num_queries(3):
        assert len(remembered(session).nights) == weeks


@pytest.mark.sampled(law="long plays")
def test_forty_people_are_seated_in_two_seconds() -> None:
    club = make_club()
    make_season(club)
    players = [make_player(club, f"Player {number}") for number in range(41)]
    fours = [players[at : at + 4] for at in range(0, 36, 4)]
    for week in range(8, 0, -1):
        night(club, weeks_before(week), *fours, players[36:])
    session = evening_of(club, players)
    began = process_time()
    evenings.seat_session(session=session)
    assert process_time() - began < 2
    assert session.places.count() == 41
