"""What the seating of an evening heeds: the tables that were chosen, and the season so far."""

from datetime import date, timedelta
from time import process_time

import pytest
from pytest_django.asserts import assertNumQueries

from clubs.evenings.selectors.seating import EveningExplanation, explain_evening, seating_memory
from clubs.evenings.services import evenings
from clubs.models import Club, Session
from clubs.seating.history import SITTING_OUT, turns_taken
from clubs.seats.selectors import PersonalSeating
from tests.clubs.nights import (
    DRAWN,
    SECOND_WINS,
    evening_of,
    make_players,
    make_season,
    night,
    page_of,
    post,
    post_next,
    table_at,
)
from tests.clubs.visits import Visitor
from tests.paper import words_of
from tests.people import Cast, make_club, make_player

TONIGHT = date(2026, 11, 17)
LATE = "Those tables no longer fit the number of people checked in. Choose the tables again."


@pytest.fixture
def eleven(cast: Cast) -> Session:
    """An evening on which eleven are here."""
    return evening_of(cast.club, make_players(cast.club, 11))


def table_sizes(session: Session) -> list[int]:
    return sorted(table.places.count() for table in session.tables.all())


def weeks_before(count: int) -> date:
    return TONIGHT - timedelta(weeks=count)


def person(explanation: EveningExplanation, name: str) -> PersonalSeating:
    personal_seating = explanation.person(name)
    assert personal_seating is not None
    return personal_seating


def test_the_door_offers_the_ways_to_sit(alice: Visitor, eleven: Session) -> None:
    page = alice.get(page_of("evening", eleven))
    assert page.context["door"].choices == (
        ("4,4,3", "two fours and one three"),
        ("5,3,3", "one five and two threes"),
    )
    assert "With one more: three fours. With one fewer: two fives." in page.content.decode()


def test_the_tables_are_those_that_were_chosen_until_somebody_is_late(
    alice: Visitor, eleven: Session
) -> None:
    assert alice.messages_after(page_of("seat", eleven), split="5,3,3") == ["Everyone is seated."]
    assert table_sizes(eleven) == [3, 3, 5]
    split = alice.get(page_of("evening", eleven)).context["door"].current_split
    alice.post(page_of("seat", eleven), {"split": split})
    assert table_sizes(eleven) == [3, 3, 5]
    evenings.add_guest(session=eleven, name="Beryl")
    assert alice.get(page_of("evening", eleven)).context["door"].current_split == ""
    assert alice.messages_after(page_of("seat", eleven), split=split) == [LATE]
    assert table_sizes(eleven) == [3, 3, 5]


def test_the_page_says_that_numbers_do_not_divide_only_where_they_do_not(cast: Cast) -> None:
    players = make_players(cast.club, 11)
    eleven = night(cast.club, TONIGHT, players[:3], players[3:7], players[7:])
    eight = night(cast.club, TONIGHT + timedelta(days=7), players[:3], players[3:8])
    messages = [
        [
            line.sentence
            for line in explain_evening(session).seating.remarks
            if "table" in line.sentence
        ]
        for session in (eleven, eight)
    ]
    assert "11 players do not divide by four: table 1 has three." in messages[0]
    message = "Not every table has four: table 1 has three and table 2 has five."
    assert message in messages[1]


def test_without_a_choice_the_tables_are_the_usual_ones(alice: Visitor, eleven: Session) -> None:
    for inputs in ({}, {"split": "many"}):
        alice.post(page_of("seat", eleven), inputs)
        assert table_sizes(eleven) == [3, 4, 4]


@pytest.mark.sampled(law="long plays")
def test_threes_are_taken_in_turn_all_season(club: Club) -> None:
    make_season(club)
    players = make_players(club, 11)
    for week in range(11, 0, -1):
        evenings.seat_session(session=evening_of(club, players, weeks_before(week)))
    turns = turns_taken(seating_memory(evening_of(club, players)).season)[3]
    assert [turns[str(player.pk)] for player in players] == [3] * 11


def test_whoever_sat_at_the_table_of_three_sits_at_a_four_next_time(club: Club) -> None:
    players = make_players(club, 7)
    night(club, weeks_before(1), players[:3], players[3:])
    session = evening_of(club, players)
    evenings.seat_session(session=session)
    threes = session.places.filter(table__game__size=3).values_list("player", flat=True)
    assert not set(threes) & {player.pk for player in players[:3]}
    (_, _, _, turn) = explain_evening(session).seating.remarks
    assert turn.is_kept
    assert turn.sentence.endswith("none of them has sat at a table of three in the last year yet.")


def test_turns_are_counted_in_the_season_and_company_also_before_it(club: Club) -> None:
    players = make_players(club, 8)
    night(club, date(2026, 8, 25), players[:3], players[3:7])
    make_season(club)
    last = night(club, weeks_before(1), players[4:7], players[:4])
    evenings.tick(session=last, player=players[7], is_here=True)
    memory = seating_memory(evening_of(club, players))
    assert [night.held_on for night in memory.nights] == [date(2026, 8, 25), weeks_before(1)]
    assert [night.is_of_season for night in memory.nights] == [False, True]
    assert memory.period == "this season"
    turns = turns_taken(memory.season)
    assert set(turns[3]) == {str(player.pk) for player in players[4:7]}
    assert turns[SITTING_OUT] == {str(players[7].pk): 1}  # was here without a table
    ann, ben = (str(player.pk) for player in players[:2])
    assert memory.meeting_dates[frozenset((ann, ben))] == (date(2026, 8, 25), weeks_before(1))


def test_evenings_of_another_club_and_later_ones_are_not_remembered(club: Club) -> None:
    players = make_players(club, 4)
    other_club = make_club("Hill Top Tiles", "hill-top")
    night(other_club, weeks_before(1), make_players(other_club, 4))
    session = evening_of(club, players)
    night(club, TONIGHT + timedelta(weeks=1), players)
    assert seating_memory(session).nights == ()


def test_a_player_reads_how_often_it_was_their_turn(club: Club) -> None:
    make_season(club)
    players = make_players(club, 7)
    for week in (2, 1):
        night(club, weeks_before(week), players[:3], players[3:])
    explanation = explain_evening(night(club, TONIGHT, players[:3], players[3:]))
    turn = explanation.seating.remarks[-1]
    assert turn.sentence == (
        "At table 1: Ann, Ben and Cy have twice sat at a table of three this season. Di, Ed, Flo "
        "and Gus have had fewer turns. Seating preferences, late arrivals or manual moves came "
        "first."
    )
    assert turn.is_kept is False
    ann = person(explanation, "Ann").sentences
    assert ann[-1] == "Before this evening twice at a table of three this season."
    assert ann[0] == "Ben was at the same table on 3 November and 10 November."
    assert "three" not in " ".join(person(explanation, "Di").sentences)


def test_many_evenings_together_are_told_by_the_last_of_them(club: Club) -> None:
    players = make_players(club, 4)
    for week in range(8, 0, -1):
        night(club, weeks_before(week), players)
    explanation = explain_evening(night(club, TONIGHT, players))
    assert explanation.memory == "8 evenings, back to 22 September"
    assert person(explanation, "Ann").sentences[0] == (
        "Ben was at the same table on 10 November, the last of 8 times."
    )


@pytest.mark.parametrize("weeks", [1, 3])
def test_a_season_is_read_in_as_many_queries_as_an_evening(club: Club, weeks: int) -> None:
    make_season(club)
    players = make_players(club, 8)
    for week in range(weeks, 0, -1):
        night(club, weeks_before(week), players[:4], players[4:])
    session = evening_of(club, players)
    with assertNumQueries(3):
        assert len(seating_memory(session).nights) == weeks


@pytest.mark.sampled(law="long plays")
def test_forty_people_are_seated_in_two_seconds(club: Club) -> None:
    make_season(club)
    players = [make_player(club, f"Player {number}") for number in range(41)]
    fours = [players[index : index + 4] for index in range(0, 36, 4)]
    for week in range(8, 0, -1):
        night(club, weeks_before(week), *fours, players[36:])
    session = evening_of(club, players)
    began = process_time()
    evenings.seat_session(session=session)
    assert process_time() - began < 2
    assert session.places.count() == 41


@pytest.fixture
def repeat_evening(cast: Cast) -> Session:
    """Ann, Ben, Cy and Di sat together last week; tonight Ann sits with Ben again."""
    ann, ben, cy, di, ed, flo, gus, hal = make_players(cast.club, 8)
    night(cast.club, weeks_before(1), [ann, ben, cy, di])
    return night(cast.club, TONIGHT, [ann, ben, ed, flo], [cy, gus, hal])


@pytest.fixture
def pat(cast: Cast) -> Visitor:
    return Visitor(cast.player)


def test_the_company_of_the_evenings_before_is_weighed(repeat_evening: Session) -> None:
    explanation = explain_evening(repeat_evening)
    assert explanation.evenings == ("10 November",)
    assert [line.sentence for line in explanation.seating.remarks] == [
        "1 pair is together as on 10 November, the last evening: Ann and Ben.",
        "Of the 9 pairs who share a table, 8 had never sat together before and 1 once.",
        "7 players do not divide by four: table 2 has three.",
        (
            "At table 2 it was their turn: none of them has sat at a table of three in the last "
            "year yet."
        ),
    ]
    marks = {mark.title: mark.kind for mark in explanation.seating.picture().marks}
    assert marks["Ann and Ben: this evening and 10 November"] == "again"
    assert marks["Ann and Cy: 10 November"] == "past"
    assert marks["Ann and Ed: this evening"] == "once"


def test_somebody_asks_why_they_sit_with_the_same_person_again(
    pat: Visitor, repeat_evening: Session
) -> None:
    explanation = explain_evening(repeat_evening)
    assert person(explanation, "Ann").sentences == (
        "Ben was at the same table on 10 November.",
        "Of the 6 others, 2 sat with them on those evenings.",
    )
    assert person(explanation, "Gus").sentences[0] == (
        "They have not shared a table with anyone at this table on recent evenings."
    )
    page = pat.get(page_of("evening-why", repeat_evening), {"name": "Ann"}).content.decode()
    assert "Ben was at the same table on 10 November." in page


def test_the_paper_tells_the_same(pat: Visitor, repeat_evening: Session) -> None:
    first = words_of(pat.get(page_of("evening-why-pdf", repeat_evening)).content)[0]
    assert "Tuesday 17 November 2026: 7 players at 2 tables" in first
    assert "On earlier evenings only" in first


@pytest.fixture
def substitute_evening(club: Club) -> Session:
    """Last week Ann, Ben, Cy and Di played two hands; Ed took Di's seat for another."""
    ann, ben, cy, di, ed = make_players(club, 5)
    session = night(club, weeks_before(1), [ann, ben, cy, di])
    post(table_at(session, 1), SECOND_WINS, DRAWN)
    evenings.tick(session=session, player=ed, is_here=True)
    evenings.take_over(session=session, leaver=di, player=ed, goes_home=True)
    return session


def company(club: Club, player_name: str) -> dict[str, int]:
    """How many evenings each other person has shared a table with this one, for 17 November."""
    names = {str(pk): name for pk, name in club.players.values_list("pk", "name")}
    meetings = seating_memory(evening_of(club, ())).meeting_dates
    pairs = {tuple(sorted(names[key] for key in pair)): days for pair, days in meetings.items()}
    return {
        (set(pair) - {player_name}).pop(): len(days)
        for pair, days in sorted(pairs.items())
        if player_name in pair
    }


def test_an_early_leaver_has_met_the_table_and_a_substitute_those_who_stayed(
    substitute_evening: Session,
) -> None:
    post_next(table_at(substitute_evening, 1), SECOND_WINS)
    assert company(substitute_evening.club, "Di") == {"Ann": 1, "Ben": 1, "Cy": 1}
    tonight = substitute_evening.club.sessions.get(held_on=TONIGHT)
    assert seating_memory(tonight).nights[0].evening.present_players == {
        str(pk) for pk in substitute_evening.club.players.values_list("pk", flat=True)
    }


def test_those_who_stayed_have_shared_one_evening_whoever_came_and_went(
    substitute_evening: Session,
) -> None:
    post_next(table_at(substitute_evening, 1), SECOND_WINS)
    assert company(substitute_evening.club, "Ann") == {"Ben": 1, "Cy": 1, "Di": 1, "Ed": 1}


def test_whoever_sat_down_for_no_hand_has_met_nobody(substitute_evening: Session) -> None:
    assert company(substitute_evening.club, "Ed") == {}


def test_the_reasons_name_an_early_leavers_company(pat: Visitor, cast: Cast) -> None:
    ann, ben, cy, di, ed = make_players(cast.club, 5)
    last = night(cast.club, weeks_before(1), [ann, ben, cy, di])
    post(table_at(last, 1), SECOND_WINS)
    evenings.tick(session=last, player=ed, is_here=True)
    evenings.take_over(session=last, leaver=di, player=ed, goes_home=True)
    post_next(table_at(last, 1), DRAWN)
    session = night(cast.club, TONIGHT, [di, ann, ed])
    explanation = explain_evening(session)
    assert [line.sentence for line in explanation.seating.remarks][:2] == [
        "2 pairs are together as on 10 November, the last evening: Ann and Di and Ann and Ed.",
        "Of the 3 pairs who share a table, 1 had never sat together before and 2 once.",
    ]
    page = pat.get(page_of("evening-why", session), {"name": "Di"}).content.decode()
    assert "Ann was at the same table on 10 November." in page
    assert "Of the 2 others, 1 sat with them on those evenings." in page


def test_a_table_of_five_counts_as_a_turn_for_all_who_played_it_longest(club: Club) -> None:
    *five, flo = make_players(club, 6)
    session = night(club, weeks_before(1), five)
    post(table_at(session, 1), DRAWN, DRAWN)
    evenings.leave_table(session=session, leaver=five[4], goes_home=True)
    post_next(table_at(session, 1), DRAWN)
    evenings.tick(session=session, player=flo, is_here=True)
    evenings.join_table(session=session, player=flo, number=1)
    post_next(table_at(session, 1), DRAWN)
    turns = turns_taken(seating_memory(evening_of(club, ())).season)
    # Flo played only at a table of five; of the others nobody counts twice.
    assert turns[5] == {str(player.pk): 1 for player in (*five, flo)}
    assert turns[3] == turns[SITTING_OUT] == {}


def test_an_early_leaver_did_not_sit_out(club: Club) -> None:
    club.rules = "baggaley"
    club.save()
    *four, ed = make_players(club, 5)
    session = night(club, TONIGHT, four)
    evenings.tick(session=session, player=ed, is_here=True)
    assert explain_evening(session).turns.sitting_out == (str(ed.pk),)
    post(table_at(session, 1), DRAWN)
    evenings.take_over(session=session, leaver=four[3], player=ed, goes_home=True)
    assert explain_evening(session).turns.sitting_out == ()


@pytest.mark.parametrize("tables", [1, 3])
def test_as_many_queries_for_three_tables_as_for_one(club: Club, tables: int) -> None:
    players = make_players(club, 12)
    fours = [players[index : index + 4] for index in range(0, 4 * tables, 4)]
    night(club, weeks_before(1), *fours)
    session = night(club, TONIGHT, *fours)
    with assertNumQueries(5):
        assert explain_evening(session).seating.tables == tables
    with assertNumQueries(6):
        assert explain_evening(session, with_wishes=True).seating.tables == tables


def test_before_anybody_is_seated_there_is_nothing_to_explain_or_print(
    pat: Visitor, cast: Cast
) -> None:
    session = evening_of(cast.club, [])
    assert "No one is seated yet" in pat.get(page_of("evening-why", session)).content.decode()
    answer = pat.get(page_of("evening-why-pdf", session), follow=True)
    assert answer.redirect_chain == [(page_of("evening-why", session), 302)]
    assert "nothing to print" in answer.content.decode()


def test_the_first_evening_has_nothing_to_remember(pat: Visitor, cast: Cast) -> None:
    session = night(cast.club, TONIGHT, make_players(cast.club, 4))
    page = pat.get(page_of("evening-why", session)).content.decode()
    assert "There are no earlier evenings to take into account" in page


def test_reseating_draws_again_and_the_page_says_so(alice: Visitor, cast: Cast) -> None:
    session = evening_of(cast.club, make_players(cast.club, 12))
    draws = set()
    for _ in range(6):
        evenings.seat_session(session=session)
        draws.add(tuple(session.places.order_by("pk").values_list("table__number", "player")))
    assert len(draws) > 1
    page = alice.read(page_of("evening-why", session))
    assert "“Reseat everyone” makes a new draw" in page
    assert "gives the same tables" not in page
