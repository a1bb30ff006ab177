"""The pages on which a director seats by hand."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests.people import Cast
from tests.tournaments.byhand import Fours, fours, turned
from tests.tournaments.cups import make_cup, seated_cup
from tournaments.models import OddNumber, Placement, Tournament, TournamentState
from tournaments.seating.selectors import round_by_hand
from tournaments.seating.services import by_hand, changes, seating
from tournaments.setup import services as setup_services
from tournaments.steps import services

pytestmark = pytest.mark.django_db


def address(cup: Tournament, name: str, *more: int) -> str:
    return reverse(name, args=[cup.club.slug, cup.pk, *more])


def filled(cup: Tournament, tables: Fours, **more: str) -> dict[str, str]:
    """What the browser sends for round 2."""
    seats = {
        f"t{number}-{wind}": name
        for number, names in enumerate(tables, start=1)
        for wind, name in zip("ESWN", names, strict=True)
    }
    return {"mark": by_hand.mark_of(cup, 2), **seats, **more}


def test_the_page_begins_with_who_sits_there_now(cast: Cast, director: Client) -> None:
    cup = seated_cup(entrants=16, rounds=2, club=cast.club)
    page = director.get(address(cup, "seating-by-hand", 2)).content.decode()
    assert page.count("<option selected>") == 16
    assert "What it costs</h2>" not in page


@pytest.mark.parametrize("entrants", [4, 12])
def test_as_many_queries_for_three_tables_as_for_one(
    entrants: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = seated_cup(entrants=entrants, rounds=2)
    with django_assert_num_queries(3):
        there = round_by_hand(cup, 2)
    assert there is not None
    assert len(there.tables) == entrants // 4


def test_the_cost_is_shown_before_anything_is_saved(cast: Cast, director: Client) -> None:
    cup = seated_cup(entrants=16, rounds=2, club=cast.club)
    before = fours(cup, 2)
    sent = filled(cup, fours(cup, 1))
    page = director.post(address(cup, "seating-by-hand", 2), sent)
    assert "24 pairs meet more than once" in page.content.decode()
    part = director.post(address(cup, "seating-by-hand", 2), sent, headers={"HX-Request": "true"})
    assert part.content.decode().lstrip().startswith('<section class="card stack">')
    assert fours(cup, 2) == before


def test_saved_it_is_explained_and_can_be_undone(cast: Cast, director: Client) -> None:
    cup = seated_cup(entrants=16, rounds=2, club=cast.club)
    told = turned(fours(cup, 2))
    page = director.post(
        address(cup, "seating-by-hand", 2), filled(cup, told, save="yes"), follow=True
    ).content.decode()
    assert fours(cup, 2) == told
    assert "Round 2 seated manually. This is the new seating." in page
    assert address(cup, "seating-undo") in page


def test_nothing_chosen_is_lost_when_it_cannot_be_saved(cast: Cast, director: Client) -> None:
    cup = seated_cup(entrants=16, rounds=2, club=cast.club)
    before = fours(cup, 2)
    told = [["Player 1", "Player 1", *before[0][2:]], *before[1:]]
    answer = director.post(address(cup, "seating-by-hand", 2), filled(cup, told, save="yes"))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Player 1 has more than one seat: at table" in page
    assert page.count("<option selected>Player 1</option>") >= 2
    assert fours(cup, 2) == before


def test_a_round_that_has_begun_says_so(cast: Cast, director: Client) -> None:
    cup = seated_cup(entrants=16, rounds=2, club=cast.club)
    page = director.get(address(cup, "seating-by-hand", 1)).content.decode()
    assert "This round has started" in page
    assert director.get(address(cup, "seating-by-hand", 3)).status_code == 404


def test_before_the_draw_a_whole_plan_is_asked_for(cast: Cast, director: Client) -> None:
    cup = make_cup(rounds=2, club=cast.club)
    page = director.get(address(cup, "seating-by-hand", 1)).content.decode()
    assert "This round is not seated yet" in page
    assert address(cup, "seating-list") in page


def test_many_names_are_typed_with_a_list_to_help(cast: Cast, director: Client) -> None:
    cup = seated_cup(entrants=104, rounds=2, club=cast.club)
    page = director.get(address(cup, "seating-by-hand", 2)).content.decode()
    assert page.count('list="people"') == 104
    assert page.count("<option") == 104


def test_who_sits_out_needs_no_table(cast: Cast) -> None:
    cup = make_cup(entrants=6, rounds=2, club=cast.club)
    setup_services.set_entry_rules(tournament=cup, odd_number=OddNumber.SIT_OUT, places=None)
    seating.seat_rounds(tournament=cup)
    there = round_by_hand(Tournament.objects.get(pk=cup.pk), 1)
    assert there is not None
    assert (len(there.tables), there.rests, there.others) == (1, True, (2,))


def test_a_seating_goes_out_as_a_list_and_comes_back(cast: Cast, director: Client) -> None:
    cup = seated_cup(entrants=16, rounds=2, club=cast.club)
    told = turned(fours(cup, 2))
    text = director.get(address(cup, "seating-csv")).content.decode("utf-8-sig")
    assert text.splitlines()[0] == "round,table,East,South,West,North"
    lines = [f"2,{at},{','.join(names)}" for at, names in enumerate(told, start=1)]
    shown = director.post(address(cup, "seating-list"), {"text": "\n".join(lines)})
    assert "1 round found. Check your import" in shown.content.decode()
    assert fours(cup, 2) != told
    sent = {"text": "\n".join(lines), "seat": "yes"}
    director.post(address(cup, "seating-list"), sent)
    assert fours(cup, 2) == told


def test_a_list_in_which_someone_withdrawn_sits_out_is_read_back(
    cast: Cast, director: Client
) -> None:
    cup = make_cup(entrants=9, rounds=2, club=cast.club)
    setup_services.set_entry_rules(tournament=cup, odd_number=OddNumber.SIT_OUT, places=None)
    seating.seat_rounds(tournament=cup)
    resting = cup.rounds.get(number=2).sitting_out.get()
    setup_services.withdraw(tournament=cup, entrant=resting)
    changes.substitute(tournament=cup, entrant=resting, name="Joan", number=1)
    text = director.get(address(cup, "seating-csv")).content.decode("utf-8-sig")
    assert f"2,out,{resting.name}" in text
    shown = director.post(address(cup, "seating-list"), {"text": text})
    assert "2 rounds found. Check your import" in shown.content.decode()


def test_a_list_taken_away_mid_tournament_is_read_back(cast: Cast, director: Client) -> None:
    cup = make_cup(entrants=9, rounds=3, club=cast.club)
    setup_services.set_entry_rules(tournament=cup, odd_number=OddNumber.SIT_OUT, places=None)
    seating.seat_rounds(tournament=cup)
    services.start_round(tournament=cup)
    leaver = Placement.objects.filter(round__tournament=cup, round__number=2)[0].entrant
    setup_services.withdraw(tournament=cup, entrant=leaver)
    changes.substitute(tournament=cup, entrant=leaver, name="Joan", number=1)
    before = [fours(cup, number) for number in (1, 2, 3)]
    text = director.get(address(cup, "seating-csv")).content.decode("utf-8-sig")
    assert "1,out,Player" in text
    shown = director.post(address(cup, "seating-list"), {"text": text})
    assert "2 rounds found. Check your import" in shown.content.decode()
    director.post(address(cup, "seating-list"), {"text": text, "seat": "yes"})
    assert [fours(cup, number) for number in (1, 2, 3)] == before
    joan = Placement.objects.filter(round__tournament=cup, substitute="Joan")
    assert set(joan.values_list("entrant", flat=True)) == {leaver.pk}
    assert cup.changes.get().what == "Rounds 2 to 3 seated from an imported list"


def test_a_round_that_has_begun_is_not_changed_by_a_list(cast: Cast, director: Client) -> None:
    cup = seated_cup(entrants=8, rounds=2, club=cast.club)
    lines = [f"1,{at},{','.join(four)}" for at, four in enumerate(turned(fours(cup, 1)), start=1)]
    refused = director.post(address(cup, "seating-list"), {"text": "\n".join(lines)})
    assert "Round 1 has started, so it cannot be reseated." in refused.content.decode()
    lines = [f"1,{at},{','.join(four)}" for at, four in enumerate(fours(cup, 1), start=1)]
    refused = director.post(address(cup, "seating-list"), {"text": "\n".join(lines)})
    assert "Every round in the list has already started" in refused.content.decode()


def test_a_list_with_mistakes_stays_on_the_page(cast: Cast, director: Client) -> None:
    cup = make_cup(entrants=4, rounds=1, club=cast.club)
    answer = director.post(address(cup, "seating-list"), {"text": "1,1,Player 1,Player 2,Tom,"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "No player called Tom is in this tournament." in page
    assert "1,1,Player 1,Player 2,Tom," in page
    assert Tournament.objects.get(pk=cup.pk).state == TournamentState.ENTERING
