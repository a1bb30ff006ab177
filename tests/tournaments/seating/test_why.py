"""Who sits where, and why: the pages, the drawings and the command line."""

import json

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape
from pytest_django.asserts import assertContains

from clubs.seating import Plan, plan
from clubs.seating.request import request_from_json
from tests.clubs.visits import Visitor
from tests.paper import words_of
from tests.people import Cast
from tests.tournaments.cups import DRAWN, close_round, make_cup, next_round, seated_cup
from tournaments.models import Drawing, OddNumber, Placement, RoundState, Tournament
from tournaments.rounds.selectors import PlaceRow, RoundView, TableRow
from tournaments.seating.selectors import (
    Fairness,
    Sitting,
    fairness_report,
    players_named,
    seated_rounds,
    seats_by_player,
)
from tournaments.seating.services import changes, seating
from tournaments.setup import services as setup_services

pytestmark = pytest.mark.django_db


def a_round(number: int, *tables: str) -> RoundView:
    """A round whose tables seat one letter a player, East first."""
    return RoundView(
        number,
        RoundState.SEATED,
        tuple(
            TableRow(
                number=table_number,
                game_id=table_number,
                link_key="",
                places=tuple(
                    PlaceRow(seat, "ESWN"[seat - 1], ord(name), name, 0)
                    for seat, name in enumerate(table, start=1)
                ),
                hands=0,
                hands_planned=8,
                disputed_hands=(),
                last_at=None,
            )
            for table_number, table in enumerate(tables, start=1)
        ),
    )


def test_everybody_finds_table_and_wind_of_every_round() -> None:
    players = seats_by_player([a_round(1, "DABC", "EFGH"), a_round(2, "EFGH", "ABCD")])
    assert [player.name for player in players] == list("ABCDEFGH")
    assert players[0].sittings == (Sitting(1, 1, "S"), Sitting(2, 2, "E"))
    assert players[4].sittings == (Sitting(1, 2, "E"), Sitting(2, 1, "E"))
    assert [player.name for player in players_named(players, "b")] == ["B"]
    assert players_named(players, "") == ()


def test_a_good_seating_says_so() -> None:
    assert fairness_report([a_round(1, "ABCD", "EFGH", "IJKL", "MNOP"), a_round(2, "FKPA")]) == (
        Fairness(is_kept=True, sentence="No one meets anyone twice."),
        Fairness(
            is_kept=True,
            sentence="Everyone starts in each wind equally often, as far as the number of rounds "
            "allows.",
        ),
    )


def test_meeting_again_and_the_same_wind_again_are_counted() -> None:
    first_round = a_round(1, "ABCD")
    assert fairness_report([first_round, a_round(2, "ABEF")]) == (
        Fairness(is_kept=False, sentence="1 pair meets more than once."),
        Fairness(is_kept=False, sentence="2 players start in one wind more often than necessary."),
    )
    assert fairness_report(
        [first_round, a_round(2, "AEFG"), a_round(3, "BCDA"), a_round(4, "DCBA")]
    ) == (
        Fairness(is_kept=False, sentence="6 pairs meet more than once, at most 3 times."),
        Fairness(is_kept=False, sentence="2 players start in one wind more often than necessary."),
    )


def read_page(cast: Cast, cup: Tournament, name: str = "seating-why", find: str = "") -> str:
    address = reverse(name, args=[cast.club.slug, cup.pk])
    page = Visitor(cast.player).get(address, {"name": find} if find else {})
    return page.content.decode()


def test_the_page_says_first_that_nobody_meets_twice(cast: Cast) -> None:
    cup = seated_cup(entrants=16, rounds=5, club=cast.club)
    page = read_page(cast, cup)
    assert "No one meets anyone twice." in page
    assert "no one needs to meet twice" in page
    assert page.count('<g class="once"') == 2 * 16 * 15 // 2 + 1  # and one in the key
    assert "draw.json" not in page


def test_a_player_finds_their_own_rounds(cast: Cast) -> None:
    cup = seated_cup(entrants=16, rounds=6, club=cast.club)
    page = read_page(cast, cup, find="Player 7")
    assert "Shares a table 18 times with 15 other players" in page
    assert 'class="me"' in page
    assert "Nobody there" not in read_page(cast, cup, find="Nobody there")


def test_before_the_draw_the_page_waits(cast: Cast) -> None:
    assert "No seating yet" in read_page(cast, make_cup(club=cast.club))


def test_who_sits_out_and_house_players_are_counted(cast: Cast) -> None:
    cup = seated_cup(entrants=18, rounds=4, club=cast.club, odd=OddNumber.SIT_OUT, starts=False)
    explanation = seated_rounds(cup).explanation()
    assert sum(len(player.detail.sits_out) for player in explanation.players) == 8
    seating.clear_rounds(tournament=cup)
    setup_services.set_entry_rules(tournament=cup, odd_number=OddNumber.HOUSE, places=None)
    seating.seat_rounds(tournament=cup)
    assert seated_rounds(cup).names[-2:] == ("House player", "House player 2")


def test_a_change_by_hand_stands_on_the_page(cast: Cast) -> None:
    cup = seated_cup(entrants=16, rounds=5, club=cast.club)
    entrant, other_entrant = cup.entrants.all()[:2]
    changes.swap(tournament=cup, number=2, one=entrant, other=other_entrant, made_by="user 1")
    page = read_page(cast, cup)
    assert "Manual changes since" in page
    assert "Player 1 and Player 2 swapped places in round 2" in page
    changes.undo_change(tournament=cup)
    assert "Manual changes since" not in read_page(cast, cup)


def test_whoever_holds_the_walls_link_may_read_why(client: Client) -> None:
    cup = seated_cup(entrants=16, rounds=6)
    page = client.get(reverse("why-open", args=[cup.wall_key]), {"name": "Player 7"})
    assert "Shares a table 18 times with 15 other players" in page.content.decode()
    assert "draw.json" not in page.content.decode()
    assert client.get(reverse("why-open", args=["no-such-key"])).status_code == 404


def test_what_a_round_by_standing_gave_up_is_told(cast: Cast) -> None:
    cup = seated_cup(entrants=16, rounds=2, club=cast.club)
    cup.rounds.filter(number=2).update(traded=["Ann sits at table 2 for Ben."])
    criterion = seated_rounds(cup).explanation().remarks[-1]
    assert (criterion.sentence, criterion.is_kept) == (
        "Round 2: Ann sits at table 2 for Ben.",
        None,
    )


def test_the_paper_and_the_draw_are_fetched(cast: Cast, director: Client) -> None:
    cup = seated_cup(entrants=16, rounds=5, club=cast.club)
    url_args = [cast.club.slug, cup.pk]
    paper = director.get(reverse("seating-why-pdf", args=url_args))
    assert "Autumn Cup: 16 players, 5 rounds, 4 tables" in words_of(paper.content)[0]
    drawing = cup.drawings.get()
    draw = director.get(reverse("seating-draw-json", args=[*url_args, drawing.pk]))
    assert json.loads(draw.content) == drawing.asked
    assert "attachment" in draw["Content-Disposition"]
    page = director.get(reverse("seating-why", args=url_args)).content.decode()
    assert reverse("seating-draw-json", args=[*url_args, drawing.pk]) in page


def test_before_anybody_is_seated_there_is_nothing_to_print(cast: Cast) -> None:
    url_args = [cast.club.slug, make_cup(club=cast.club).pk]
    answer = Visitor(cast.player).get(reverse("seating-why-pdf", args=url_args), follow=True)
    assert answer.redirect_chain == [(reverse("seating-why", args=url_args), 302)]
    assert "nothing to print" in answer.content.decode()


def test_players_have_the_numbers_of_the_entry_list(cast: Cast, client: Client) -> None:
    cup = make_cup(entrants=8, rounds=2, club=cast.club, odd=OddNumber.HOUSE)
    setup_services.withdraw(tournament=cup, entrant=cup.entrants.get(number=3))
    seating.seat_rounds(tournament=cup)
    explanation = seated_rounds(cup).explanation()
    people = dict(cup.entrants.people().values_list("name", "number"))
    numbers = {player.name: player.number for player in explanation.players}
    assert {name: numbers[name] for name in people} == people
    assert explanation.counts == "7 players, 1 house player, 2 rounds, 2 tables"
    assert [label.text for label in explanation.picture().numbers][:3] == ["1", "2", "4"]


def test_whoever_withdrew_is_counted_apart_everywhere(cast: Cast, director: Client) -> None:
    cup = seated_cup(entrants=16, rounds=2, hands=1, club=cast.club)
    close_round(cup, DRAWN)
    setup_services.withdraw(tournament=cup, entrant=cup.entrants.get(number=3))
    counts, url_args = "15 players, 1 withdrew", [cast.club.slug, cup.pk]
    for page in ("tournament", "standings", "seating-why"):
        assertContains(director.get(reverse(page, args=url_args)), f'"lede">{counts}')
    for page in ("standings-pdf", "seating-why-pdf"):
        paper = director.get(reverse(page, args=url_args)).content
        assert any(counts in text for text in words_of(paper))
    for door in ("api-tournament-results", "api-seating-why"):
        assert counts in director.get(reverse(door, args=url_args)).content.decode()
    desk = director.get(reverse("api-tournament-desk", args=url_args)).json()
    assert (desk["entered"], desk["withdrawn"]) == (15, 1)
    Tournament.objects.filter(pk=cup.pk).update(published_at=timezone.now())
    assertContains(director.get(reverse("results", args=[cup.wall_key])), f'"lede">{counts}, ')


def test_whoever_withdrew_before_a_seat_is_not_counted(cast: Cast, director: Client) -> None:
    cup = make_cup(entrants=9, rounds=2, club=cast.club)
    setup_services.withdraw(tournament=cup, entrant=cup.entrants.get(number=3))
    seating.seat_rounds(tournament=cup)
    for page in ("tournament", "seating-why"):
        response = director.get(reverse(page, args=[cast.club.slug, cup.pk]))
        assertContains(response, '"lede">8 players, ')


def test_names_to_find_stand_by_surname(cast: Cast, director: Client) -> None:
    cup = seated_cup(entrants=8, rounds=1, club=cast.club)
    names = ("Zoë Abbott", "Mrs Ann Baker", "Dr Cy Carr", "Piet van Dyk", "Ann Webb")
    for number, name in enumerate(reversed(names), start=1):
        cup.entrants.filter(number=number).update(name=name)
    for page, list_tag in (("seating", "<datalist"), ("seating-why", "<select")):
        html = director.get(reverse(page, args=[cast.club.slug, cup.pk])).content.decode()
        list_html = html.partition(list_tag)[2]
        places = [list_html.index(escape(name)) for name in names]
        assert places == sorted(places)


def asked_again(drawing: Drawing) -> Plan:
    """What the command line answers to the remembered request."""
    return plan(request_from_json(json.dumps(drawing.asked).encode()))


def seat_rows(cup: Tournament) -> set[tuple[int, int, str, str]]:
    """Round, table, wind and name of every seat."""
    places = Placement.objects.filter(round__tournament=cup)
    rows = places.values_list("round__number", "table__number", "seat__number", "entrant__name")
    return {(number, table, "ESWN"[seat - 1], name) for number, table, seat, name in rows}


def plan_rows(seating_plan: Plan) -> set[tuple[int, int, str, str]]:
    return {
        (number, table.number, wind, name)
        for number, round_ in enumerate(seating_plan.rounds, start=1)
        for table in round_.tables
        for wind, name in table.seats.items()
    }


@pytest.mark.parametrize(
    ("entrants", "odd_number"),
    [(16, OddNumber.WAIT), (18, OddNumber.HOUSE), (17, OddNumber.SIT_OUT)],
)
def test_the_same_request_seats_everybody_alike(entrants: int, odd_number: OddNumber) -> None:
    cup = make_cup(entrants=entrants, rounds=3, odd=odd_number)
    cup.entrants.filter(number__lte=4).update(team="Bath")
    seating.seat_rounds(tournament=cup)
    drawing = cup.drawings.get()
    assert (drawing.first_round, drawing.last_round) == (1, 3)
    assert plan_rows(asked_again(drawing)) == seat_rows(cup)


def test_rounds_drawn_anew_are_remembered_too() -> None:
    cup = seated_cup(entrants=18, rounds=5, hands=1, odd=OddNumber.SIT_OUT)
    next_round(cup, DRAWN)
    close_round(cup, DRAWN)
    setup_services.withdraw(tournament=cup, entrant=cup.entrants.get(number=5))
    changes.reseat_rounds(tournament=cup, made_by="user 1", plan=changes.NEW_DRAW)
    drawing = cup.drawings.last()
    assert drawing is not None
    assert (drawing.first_round, drawing.last_round) == (3, 5)
    assert plan_rows(asked_again(drawing)) == seat_rows(cup)


def test_a_seating_taken_away_takes_its_drawings_along() -> None:
    cup = make_cup(rounds=2)
    seating.seat_rounds(tournament=cup)
    seating.clear_rounds(tournament=cup)
    assert not cup.drawings.exists()
