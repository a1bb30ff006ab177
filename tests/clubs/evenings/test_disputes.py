"""The queue of hands that wait for the scorer, on the evening's page and the director's desk."""

from datetime import date

import pytest
from django.test import Client

from clubs.evenings.selectors import floor
from clubs.evenings.services import evenings
from clubs.models import Session
from scoring.scorebook.models import Game
from tests.clubs.nights import DRAWN, SECOND_WINS, make_players, night, post
from tests.people import PASSWORD, Cast
from tests.scoring.scorebook.book import agree, decide, dispute
from tests.tournaments import cups
from tournaments.rounds import selectors as in_tournaments

TUESDAY = date(2026, 11, 17)


@pytest.fixture
def session(cast: Cast) -> Session:
    players = make_players(cast.club, 8)
    return night(cast.club, TUESDAY, players[:4], players[4:])


def test_who_has_waited_longest_comes_first_with_their_words(session: Session) -> None:
    first, second = session.tables.all()
    late, early = post(first, SECOND_WINS)[0], post(second, DRAWN, SECOND_WINS)[1]
    dispute(early, 3, "East is wrong")
    dispute(late, 2)
    queue = floor.disputes_of(session)
    assert [(dispute.table, dispute.number, dispute.hand) for dispute in queue] == [
        (2, 2, early.pk),
        (1, 1, late.pk),
    ]
    assert [(said.name, said.words) for said in queue[0].complaints] == [("Gus", "East is wrong")]


def test_what_is_settled_waits_no_more(session: Session) -> None:
    table = session.tables.first()
    assert table is not None
    first, other = post(table, SECOND_WINS, DRAWN)
    for hand in (first, other):
        dispute(hand)
    agree(first)
    decide(other)
    assert floor.disputes_of(session) == ()


def test_where_the_scorer_alone_agrees_every_hand_waits_for_a_look(session: Session) -> None:
    Game.objects.update(agreement="scorer")
    table = session.tables.first()
    assert table is not None
    (hand,) = post(table, SECOND_WINS)
    (waits,) = floor.disputes_of(session)
    assert (waits.hand, waits.complaints) == (hand.pk, ())


def test_organisers_see_the_queue_and_players_do_not(cast: Cast, session: Session) -> None:
    table = session.tables.first()
    assert table is not None
    dispute(post(table, SECOND_WINS)[0], 2, "my score was 46")
    address = f"/c/riverside/evenings/{session.pk}/"
    seen = {}
    for person in (cast.secretary, cast.scorer, cast.player):
        client = Client()
        client.login(email=person.email, password=PASSWORD)
        page, news = client.get(address), client.get(address, {"v": "0"})
        seen[person] = [b"my score was 46" in answer.content for answer in (page, news)]
    both = [True, True]
    assert seen == {cast.secretary: both, cast.scorer: both, cast.player: [False, False]}


def test_the_evening_says_how_many_hands_nobody_has_agreed_to(
    cast: Cast, session: Session, client: Client
) -> None:
    table = session.tables.first()
    assert table is not None
    agree(post(table, SECOND_WINS, DRAWN)[0])
    client.login(email=cast.secretary.email, password=PASSWORD)
    page = client.get(f"/c/riverside/evenings/{session.pk}/").content.decode()
    assert "1 hand has not been agreed by the players yet" in page
    evenings.close_session(session=session)


def test_the_director_sees_the_disputes_of_all_rounds(cast: Cast, client: Client) -> None:
    cup = cups.seated_cup(club=cast.club)
    (table,) = cups.tables(cup)
    dispute(cups.post(table, SECOND_WINS)[0], 4, "the winds are wrong")
    (queue,) = in_tournaments.disputes_of(cup)
    assert (queue.round, queue.table, queue.number) == (1, 1, 1)
    client.login(email=cast.director.email, password=PASSWORD)
    page = client.get(f"/c/riverside/tournaments/{cup.pk}/").content.decode()
    assert "the winds are wrong" in page
    assert f"/tournaments/{cup.pk}/rounds/1/tables/1/" in page
