"""The page why a tournament sits as it sits."""

import json

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests.paper import words_of
from tests.people import PASSWORD, Cast
from tests.tournaments.cups import make_cup, seated_cup
from tournaments.models import OddNumber, Tournament
from tournaments.seating.selectors import changes_by_hand, drawings_of, seated_rounds
from tournaments.seating.services import changes, seating
from tournaments.setup import services

pytestmark = pytest.mark.django_db


def asked(cast: Cast, cup: Tournament, name: str = "seating-why", find: str = "") -> str:
    client = Client()
    client.login(email=cast.player.email, password=PASSWORD)
    address = reverse(name, args=[cast.club.slug, cup.pk])
    return client.get(address, {"name": find} if find else {}).content.decode()


@pytest.mark.parametrize("rounds", [1, 3])
def test_as_many_queries_for_three_rounds_as_for_one(
    rounds: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = seated_cup(entrants=16, rounds=rounds)
    with django_assert_num_queries(4):
        seated = seated_rounds(cup)
        found = seated.explained()
    assert (len(found.rounds), len(found.players)) == (rounds, 16)
    with django_assert_num_queries(2):
        drawings_of(cup)
        changes_by_hand(cup, seated)


def test_the_page_says_first_that_nobody_meets_twice(cast: Cast) -> None:
    cup = seated_cup(entrants=16, rounds=5, club=cast.club)
    page = asked(cast, cup)
    assert "No one meets anyone twice." in page
    assert "no one needs to meet twice" in page
    assert page.count('<g class="once"') == 2 * 16 * 15 // 2 + 1  # and one in the key
    assert "draw.json" not in page


def test_a_player_finds_their_own_rounds(cast: Cast) -> None:
    cup = seated_cup(entrants=16, rounds=6, club=cast.club)
    page = asked(cast, cup, find="Player 7")
    assert "Shares a table 18 times with 15 other players" in page
    assert 'class="me"' in page
    assert "Nobody there" not in asked(cast, cup, find="Nobody there")


def test_before_the_draw_the_page_waits(cast: Cast) -> None:
    assert "No seating yet" in asked(cast, make_cup(club=cast.club))


def test_who_sits_out_and_house_players_are_counted(cast: Cast) -> None:
    cup = make_cup(entrants=18, rounds=4, club=cast.club)
    services.set_entry_rules(tournament=cup, odd_number=OddNumber.SIT_OUT, places=None)
    seating.seat_rounds(tournament=cup)
    found = seated_rounds(cup).explained()
    assert sum(len(player.detail.sits_out) for player in found.players) == 8
    seating.clear_rounds(tournament=cup)
    services.set_entry_rules(tournament=cup, odd_number=OddNumber.HOUSE, places=None)
    seating.seat_rounds(tournament=cup)
    assert seated_rounds(cup).names[-2:] == ("House player", "House player 2")


def test_a_change_by_hand_stands_on_the_page(cast: Cast) -> None:
    cup = seated_cup(entrants=16, rounds=5, club=cast.club)
    one, other = cup.entrants.all()[:2]
    changes.swap(tournament=cup, number=2, one=one, other=other, made_by="user 1")
    page = asked(cast, cup)
    assert "Manual changes since" in page
    assert "Player 1 and Player 2 swapped places in round 2" in page
    changes.undo_change(tournament=cup)
    assert "Manual changes since" not in asked(cast, cup)


def test_whoever_holds_the_walls_link_may_read_why(client: Client) -> None:
    cup = seated_cup(entrants=16, rounds=6)
    page = client.get(reverse("why-open", args=[cup.wall_key]), {"name": "Player 7"})
    assert "Shares a table 18 times with 15 other players" in page.content.decode()
    assert "draw.json" not in page.content.decode()
    assert client.get(reverse("why-open", args=["no-such-key"])).status_code == 404


def test_what_a_round_by_standing_gave_up_is_told(cast: Cast) -> None:
    cup = seated_cup(entrants=16, rounds=2, club=cast.club)
    cup.rounds.filter(number=2).update(traded=["Ann sits at table 2 for Ben."])
    said = seated_rounds(cup).explained().said[-1]
    assert (said.sentence, said.is_kept) == ("Round 2: Ann sits at table 2 for Ben.", None)


def test_the_paper_and_the_draw_are_fetched(cast: Cast, client: Client) -> None:
    cup = seated_cup(entrants=16, rounds=5, club=cast.club)
    client.login(email=cast.director.email, password=PASSWORD)
    here = [cast.club.slug, cup.pk]
    paper = client.get(reverse("seating-why-pdf", args=here))
    assert "Autumn Cup: 16 players, 5 rounds, 4 tables" in words_of(paper.content)[0]
    drawing = cup.drawings.get()
    draw = client.get(reverse("seating-draw-json", args=[*here, drawing.pk]))
    assert json.loads(draw.content) == drawing.asked
    assert "attachment" in draw["Content-Disposition"]
    page = client.get(reverse("seating-why", args=here)).content.decode()
    assert reverse("seating-draw-json", args=[*here, drawing.pk]) in page


def test_before_anybody_is_seated_there_is_nothing_to_print(cast: Cast, client: Client) -> None:
    here = [cast.club.slug, make_cup(club=cast.club).pk]
    client.login(email=cast.player.email, password=PASSWORD)
    answer = client.get(reverse("seating-why-pdf", args=here), follow=True)
    assert answer.redirect_chain == [(reverse("seating-why", args=here), 302)]
    assert "nothing to print" in answer.content.decode()


def test_players_have_the_numbers_of_the_entry_list(cast: Cast, client: Client) -> None:
    cup = make_cup(entrants=8, rounds=2, club=cast.club)
    services.withdraw(tournament=cup, entrant=cup.entrants.get(number=3))
    services.set_entry_rules(tournament=cup, odd_number=OddNumber.HOUSE, places=None)
    seating.seat_rounds(tournament=cup)
    found = seated_rounds(cup).explained()
    people = dict(cup.entrants.people().values_list("name", "number"))
    listed = {one.name: one.number for one in found.players}
    assert {name: listed[name] for name in people} == people
    assert found.counts == "7 players, 1 house player, 2 rounds, 2 tables"
    assert [label.text for label in found.picture().numbers][:3] == ["1", "2", "4"]
