"""Prizes: who has which, and how the director declares, orders and prints them."""

import re
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from clubs.paper.formats import Format, Letters
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report
from tests.clubs.visits import Visitor
from tests.paper import outside, overlapping, words_of
from tests.people import Cast
from tests.tournaments.cups import (
    DRAWN,
    SECOND_WINS,
    case,
    close_round,
    finish,
    fresh,
    make_cup,
    page_of,
    post,
    seated_cup,
    sits,
    tables,
)
from tests.tournaments.results.test_standings import SPECIAL
from tournaments.models import Capacity, Prize, PrizeKind, Tournament
from tournaments.results import services as results_services
from tournaments.results.papers import prize_giving_pdf, results_pdf
from tournaments.results.selectors.results import PrizeRow, prize_giving, results_of
from tournaments.steps import services
from tournaments.table import services as table_services

pytestmark = pytest.mark.django_db

# With the first seat as East: +480 for the first, then by what is in the hands.
FIRST_WINS = Report(winner=1, totals={1: 80, 2: 20, 3: 8, 4: 4})


def cup_of(*reports: Report, entrants: int = 4, one_each: bool = False) -> Tournament:
    """One round in which every table reports these hands; finished."""
    cup = seated_cup(entrants=entrants, rounds=1, hands=len(reports))
    cup = finish(cup, *reports)
    cup.one_prize_each = one_each
    cup.save()
    return cup


def declare(cup: Tournament, *prizes: dict[str, Any]) -> None:
    for number, fields in enumerate(prizes, 1):
        Prize.objects.create(tournament=cup, number=number, **fields)


def place(number: int, **prize_fields: Any) -> dict[str, Any]:
    return {"name": f"Place {number}", "kind": PrizeKind.PLACE, "place": number, **prize_fields}


def best(metric: str) -> dict[str, Any]:
    return {"name": metric, "kind": PrizeKind.BEST, "of": metric}


def won(cup: Tournament) -> list[tuple[str, tuple[str, ...], str]]:
    return [(row.title, row.names, row.figure) for row in results_of(cup).prizes]


def test_declared_prizes_take_the_place_of_the_usual_ones() -> None:
    cup = cup_of(SECOND_WINS)
    declare(cup, place(2, gift="A tin of biscuits"), best("mahjongs"))
    first, second = results_of(cup).prizes
    assert (first.names, first.figure, first.gift) == (
        (sits(cup, 1),),
        "Table points: 2",
        "A tin of biscuits",
    )
    assert (second.names, second.figure) == ((sits(cup, 2),), "Mah-Jongs: 1")


def test_players_who_share_places_share_their_prizes() -> None:
    cup = cup_of(SECOND_WINS, entrants=8)
    declare(cup, place(1, gift="Port"), place(2, gift="Chocolates"), place(3))
    winners = tuple(sorted((sits(cup, 2), sits(cup, 2, table=2))))
    first, second, third = results_of(cup).prizes
    assert first.names == second.names == winners
    assert first.note == f"{winners[0]} and {winners[1]} share places 1 and 2."
    assert len(third.names) == 2
    assert set(third.names).isdisjoint(winners)
    steps = results_of(cup).podium
    assert [(step.place, step.names, step.gifts) for step in steps] == [
        (1, winners, ("Port", "Chocolates")),
        (3, third.names, ()),
    ]


def test_the_most_of_something_is_shared_in_words() -> None:
    cup = cup_of(SECOND_WINS, FIRST_WINS)
    declare(cup, best("mahjongs"), best("best_hand"), best("special_hands"))
    mahjongs, best_hand = results_of(cup).prizes
    both_names = tuple(sorted((sits(cup, 1), sits(cup, 2))))
    assert tuple(sorted(mahjongs.names)) == both_names
    assert mahjongs.note.startswith("Shared: ")
    assert (best_hand.names, best_hand.figure, best_hand.note) == (
        (sits(cup, 1),),
        "Points: 80",
        "",
    )


def test_a_substitute_has_the_feats_and_the_player_has_the_place() -> None:
    cup = cup_of(SECOND_WINS)
    seat = tables(cup)[0].placements.get(seat__number=2)
    seat.capacity, seat.substitute = Capacity.SUBSTITUTE, "Sub Sue"
    seat.save()
    declare(cup, place(1), best("best_hand"), best("mahjongs"))
    assert [names for _, names, _ in won(cup)] == [(seat.entrant.name,), ("Sub Sue",), ("Sub Sue",)]
    records = results_of(cup).records
    assert [hand.name for hand in records.highest] == ["Sub Sue"]
    assert records.most_mahjongs == ("Sub Sue",)


def test_special_hands_are_counted_all_of_them() -> None:
    cup = cup_of(*(SPECIAL for _ in range(14)))
    declare(cup, best("special_hands"))
    assert won(cup) == [("special_hands", (sits(cup, 3),), "Special hands: 14")]


def test_one_prize_a_person_passes_on_to_the_next_in_line() -> None:
    cup = cup_of(SECOND_WINS, FIRST_WINS, one_each=True)
    declare(cup, best("best_hand"), place(1), best("mahjongs"))
    highest, first, most = prize_giving(cup).rows
    winner, runner_up = sits(cup, 1), sits(cup, 2)
    assert first.names == (winner,)
    assert (highest.names, highest.figure) == ((runner_up,), "Points: 60")
    assert highest.note == f"{winner} has “Place 1”; {runner_up} is next in line."
    assert most.names == ()
    assert most.note == (
        f"{winner} has “Place 1”, {runner_up} has “best_hand”, and no one else is in line."
    )


def test_without_that_wish_somebody_may_have_two() -> None:
    cup = cup_of(SECOND_WINS)
    declare(cup, place(1), best("best_hand"))
    assert [names for _, names, _ in won(cup)] == [(sits(cup, 2),)] * 2


def test_a_house_player_and_who_has_left_are_passed_over() -> None:
    cup = cup_of(SECOND_WINS, FIRST_WINS)
    loser = cup.entrants.get(name=sits(cup, 4))
    declare(cup, {"name": "Spoon", "kind": PrizeKind.LAST}, best("best_hand"))
    assert won(cup)[0] == ("Spoon", (loser.name,), "Place 4")
    cup.entrants.filter(pk=loser.pk).update(state="withdrawn")
    cup.entrants.filter(name=sits(cup, 2)).update(is_house=True)
    assert won(cup)[0][1] == (sits(cup, 3),)
    assert won(cup)[1][1] == (sits(cup, 1),)


def test_the_best_of_a_club_and_of_our_own() -> None:
    cup = cup_of(SECOND_WINS)
    visitor, member = sits(cup, 3), sits(cup, 4)
    cup.entrants.filter(name=visitor).update(from_club="Hill Top Tiles")
    player = cup.club.players.create(name=member, name_key=member.casefold())
    cup.entrants.filter(name=member).update(player=player)
    declare(
        cup,
        {"name": "Guest", "kind": PrizeKind.CLUB, "of": "hill top tiles"},
        {"name": "Ours", "kind": PrizeKind.CLUB},
        {"name": "Nobody", "kind": PrizeKind.CLUB, "of": "Elsewhere"},
    )
    assert won(cup) == [("Guest", (visitor,), "Place 3"), ("Ours", (member,), "Place 4")]


def test_what_the_director_chooses_is_shown_once_it_is_chosen() -> None:
    cup = cup_of(DRAWN)
    declare(cup, {"name": "Best hat", "kind": PrizeKind.CHOSEN})
    assert results_of(cup).prizes == ()
    cup.prizes.update(chosen=cup.entrants.get(number=3))
    assert won(cup) == [("Best hat", ("Player 3",), "")]


def test_teams_have_prizes_of_their_own_that_are_no_persons() -> None:
    cup = cup_of(SECOND_WINS, one_each=True)
    for seat, team in ((1, "Bamboo"), (2, "Bamboo"), (3, "Circle"), (4, "Circle")):
        cup.entrants.filter(name=sits(cup, seat)).update(team=team)
    declare(cup, {"name": "Best team", "kind": PrizeKind.TEAM, "place": 1}, place(1))
    results = results_of(cup)
    assert [row.names for row in results.prizes] == [("Bamboo",), (sits(cup, 2),)]
    assert results.won_by(sits(cup, 2)) == ("Place 1",)
    assert results.won_by("Bamboo") == ()


def test_before_the_end_only_officials_see_who_would_win() -> None:
    cup = seated_cup(rounds=1, hands=2)
    post(tables(cup)[0], SECOND_WINS)
    assert results_of(cup).prizes == ()
    rows: tuple[PrizeRow, ...] = prize_giving(cup).rows
    assert {row.title: row.names for row in rows}["Highest hand"] == (sits(cup, 2),)


@pytest.mark.parametrize("count", [1, 3])
def test_prizes_are_one_query_however_many(
    count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = cup_of(SECOND_WINS)
    chosen_entrant = cup.entrants.get(number=1)
    declare(
        cup,
        *(
            {"name": "Hat", "kind": PrizeKind.CHOSEN, "chosen": chosen_entrant}
            for _ in range(count)
        ),
    )
    with django_assert_num_queries(6):
        assert len(results_of(cup).prizes) == count


@pytest.fixture
def cup(cast: Cast) -> Tournament:
    """One round of four, won for 240; not finished."""
    new_cup = seated_cup(rounds=1, hands=1, club=cast.club)
    close_round(new_cup, SECOND_WINS)
    return new_cup


def prizes_url(cup: Tournament, path: str = "") -> str:
    return page_of(cup, f"prizes/{path}")


def names(cup: Tournament) -> list[str]:
    return list(cup.prizes.values_list("name", flat=True))


def test_until_prizes_are_declared_the_usual_ones_are_shown(
    director: Client, cup: Tournament
) -> None:
    page = director.get(prizes_url(cup))
    assertContains(page, "You have not added any prizes.")
    assertContains(page, "Highest hand")
    assertRedirects(director.post(prizes_url(cup, "usual/")), prizes_url(cup))
    assert names(cup) == ["First", "Second", "Third", "Highest hand", "Most Mah-Jongs"]
    second_response = director.post(prizes_url(cup, "usual/"), follow=True)
    assertContains(second_response, "There are already prizes.")
    assert cup.prizes.count() == 5


@pytest.mark.parametrize(
    ("form_data", "prize_fields"),
    [
        ({"kind": "place", "place": "4"}, ("Fourth", PrizeKind.PLACE, 4, "")),
        ({"kind": "place", "place": "12"}, ("Place 12", PrizeKind.PLACE, 12, "")),
        ({"kind": "team", "place": "1"}, ("Best team", PrizeKind.TEAM, 1, "")),
        ({"kind": "team", "place": "2"}, ("Second among the teams", PrizeKind.TEAM, 2, "")),
        ({"kind": "best_hand"}, ("Highest hand", PrizeKind.BEST, None, "best_hand")),
        ({"kind": "special_hands"}, ("Most special hands", PrizeKind.BEST, None, "special_hands")),
        ({"kind": "last", "place": "3"}, ("The last place", PrizeKind.LAST, None, "")),
        (
            {"kind": "club", "of": "="},
            ("Best of Riverside Mah-Jong Club", PrizeKind.CLUB, None, ""),
        ),
        ({"kind": "chosen", "name": "Best hat"}, ("Best hat", PrizeKind.CHOSEN, None, "")),
        ({"kind": "last", "name": "Spoon"}, ("Spoon", PrizeKind.LAST, None, "")),
    ],
)
def test_a_prize_is_called_by_what_it_is_for(
    director: Client, cup: Tournament, form_data: dict[str, str], prize_fields: tuple[Any, ...]
) -> None:
    assertRedirects(director.post(prizes_url(cup), form_data), prizes_url(cup))
    prize = cup.prizes.get()
    assert (prize.name, prize.kind, prize.place, prize.of) == prize_fields


@pytest.mark.parametrize(
    ("form_data", "message"),
    [
        ({"kind": "beauty"}, "Choose from the list."),
        ({"kind": "place", "place": ""}, "Enter a place from 1 to 400."),
        ({"kind": "place", "place": "0"}, "Enter a place from 1 to 400."),
        ({"kind": "place", "place": "99999999999"}, "Enter a place from 1 to 400."),
        ({"kind": "chosen"}, "Enter what the prize is for, for example “Best hat”."),
        ({"kind": "chosen", "name": "Hat", "chosen": "999999"}, "Choose from the list."),
        ({"kind": "club", "of": "Nowhere"}, "Choose from the list."),
        ({"kind": "club"}, "Choose from the list."),
        ({"kind": "last", "gift": "x" * 121}, "Use 120 characters or fewer."),
        ({"kind": "last", "name": "<b>"}, "A name cannot contain"),
    ],
)
def test_what_cannot_be_a_prize_is_said_and_what_was_typed_stays(
    director: Client, cup: Tournament, form_data: dict[str, str], message: str
) -> None:
    answer = director.post(prizes_url(cup), {"gift": "A cup", **form_data})
    assertContains(answer, message, status_code=422)
    assertContains(answer, form_data.get("gift", "A cup"), status_code=422)
    assert not cup.prizes.exists()


def test_prizes_are_put_in_order_changed_and_taken_away(director: Client, cup: Tournament) -> None:
    director.post(prizes_url(cup, "usual/"))
    third = cup.prizes.get(name="Third")
    director.post(prizes_url(cup, f"{third.pk}/move/"), {"up": ""})
    assert names(cup)[:3] == ["First", "Third", "Second"]
    director.post(prizes_url(cup, f"{third.pk}/move/"), {"down": ""})
    first = cup.prizes.get(name="First")
    director.post(prizes_url(cup, f"{first.pk}/move/"), {"up": ""})
    assert names(cup)[:3] == ["First", "Second", "Third"]
    assertContains(director.get(prizes_url(cup, f"{first.pk}/")), 'value="First"')
    director.post(
        prizes_url(cup, f"{first.pk}/"),
        {"kind": "place", "place": "1", "name": "Champion", "gift": "Cup"},
    )
    director.post(prizes_url(cup, f"{third.pk}/remove/"))
    assert names(cup) == ["Champion", "Second", "Highest hand", "Most Mah-Jongs"]
    assert cup.prizes.get(name="Champion").gift == "Cup"


def test_the_director_chooses_a_winner_and_one_prize_a_person(
    director: Client, cup: Tournament
) -> None:
    chosen_entrant = cup.entrants.get(number=3)
    director.post(
        prizes_url(cup), {"kind": "chosen", "name": "Best hat", "chosen": str(chosen_entrant.pk)}
    )
    director.post(prizes_url(cup, "rule/"), {"one_each": "on"})
    page = director.get(prizes_url(cup))
    assertContains(page, "Player 3")
    assertContains(page, 'name="one_each" checked')
    director.post(prizes_url(cup, "rule/"))
    assertNotContains(director.get(prizes_url(cup)), 'name="one_each" checked')


def test_published_prizes_stay_as_they_are(director: Client, cup: Tournament) -> None:
    director.post(prizes_url(cup, "usual/"))
    services.finish_tournament(tournament=cup)
    results_services.publish_results(tournament=cup)
    first = cup.prizes.get(name="First")
    answer = director.post(prizes_url(cup, f"{first.pk}/remove/"), follow=True)
    assertContains(
        answer,
        "The results are published, so you cannot change the prizes. Unpublish the results first.",
    )
    assert len(names(cup)) == 5
    assertContains(
        director.post(prizes_url(cup), {"kind": "last"}), "are published", status_code=422
    )


def test_prizes_wait_with_the_last_round_until_it_is_released(cast: Cast, cup: Tournament) -> None:
    results_services.hide_last_round(tournament=cup)
    services.finish_tournament(tournament=cup)
    player = Visitor(cast.player)
    address = page_of(cup, "standings/")
    assertNotContains(player.get(address), "podium")
    data = player.get(page_of(cup, "standings.json")).json()
    assert data["prizes"] == []
    results_services.release_results(tournament=cup)
    assertContains(player.get(address), "podium__step--1")


def test_a_prize_of_another_tournament_is_not_found(
    director: Client, cup: Tournament, cast: Cast
) -> None:
    cup.name = "Spring Cup"
    cup.save()
    other_cup = make_cup(entrants=4, club=cast.club)
    prize = results_services.save_prize(tournament=other_cup, kind=PrizeKind.LAST)
    for path in ("", "move/", "remove/"):
        assert director.post(prizes_url(cup, f"{prize.pk}/{path}")).status_code == 404
    with pytest.raises(Refused, match="has been deleted"):
        results_services.move_prize(tournament=cup, prize=prize, up=True)


def test_somebody_of_another_tournament_is_not_chosen(cup: Tournament, cast: Cast) -> None:
    cup.name = "Spring Cup"
    cup.save()
    stranger = make_cup(entrants=1, club=cast.club).entrants.get()
    with pytest.raises(Refused, match="Choose one of the players of this tournament"):
        results_services.save_prize(
            tournament=cup, kind=PrizeKind.CHOSEN, name="Best hat", chosen=stranger
        )


def test_the_sheet_gives_the_last_prize_first(director: Client, cup: Tournament) -> None:
    director.post(prizes_url(cup, "usual/"))
    cup.prizes.filter(name="First").update(gift="The cup")
    (text,) = words_of(director.get(prizes_url(cup, "sheet.pdf")).content)
    assert "Provisional: after round 1. Read from the top" in text.replace("\n", " ")
    titles = ["Most Mah-Jongs", "Highest hand", "Third", "Second", "First"]
    assert sorted(titles, key=text.index) == titles
    assert "The cup" in text


def test_forty_prizes_go_over_pages_and_stay_on_them(cup: Tournament) -> None:
    long_names = ", ".join(f"Bartholomew Featherstonehaugh the {number}th" for number in range(3))
    for number in range(40):
        Prize.objects.create(
            tournament=cup,
            number=number,
            kind=PrizeKind.CHOSEN,
            name=f"Prize {number}: {long_names}"[:80],
            gift="A very large hamper with everything that one could wish for" * 2,
            chosen=cup.entrants.get(number=1 + number % 4),
        )
    paper = prize_giving_pdf(cup, prize_giving(cup))
    assert len(words_of(paper)) > 4
    assert outside(paper) == []


def test_the_results_on_paper_name_every_prize(cup: Tournament) -> None:
    services.finish_tournament(tournament=cup)
    Prize.objects.create(
        tournament=cup, number=1, kind=PrizeKind.LAST, name="Wooden spoon", gift="A spoon"
    )
    finished_cup = fresh(cup)
    text = "\n".join(words_of(results_pdf(finished_cup, results_of(finished_cup))))
    assert "Wooden spoon" in text
    assert "A spoon" in text


@pytest.mark.parametrize("count", [1, 3])
def test_the_page_is_as_many_queries_for_one_prize_as_for_three(
    director: Client, cup: Tournament, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(count):
        results_services.save_prize(tournament=cup, kind=PrizeKind.LAST, name="Spoon")
    director.get(prizes_url(cup))
    with django_assert_num_queries(10):
        director.get(prizes_url(cup))


def test_rulings_are_printed_in_whole_sentences(cast: Cast) -> None:
    cup = seated_cup(rounds=1, hands=1, club=cast.club)
    (table,) = cup.rounds.get().tables.all()
    reason = "Called Mah-Jong with a chow too many, then looked at the wall and put a tile back"
    for number in range(30):
        table_services.adjust_points(case=case(table, 1, reason=f"{number}: {reason}"), points=-10)
    paper = results_pdf(cup, results_of(cup))
    text = " ".join("\n".join(words_of(paper)).split())
    assert all(f"{number}: {reason}" in text for number in range(30))
    assert outside(paper) == []


@pytest.mark.parametrize("form", [Format(), Format(letters=Letters.LARGE)], ids=["usual", "large"])
def test_the_last_ruling_is_never_alone_on_a_page(cast: Cast, form: Format) -> None:
    cup = seated_cup(rounds=1, hands=1, club=cast.club)
    (table,) = cup.rounds.get().tables.all()
    reason = "Called Mah-Jong with a chow too many, then looked at the wall and put a tile back"
    for number in range(1, 16):
        table_services.adjust_points(case=case(table, 1, reason=f"{number}: {reason}"), points=-10)
        paper = results_pdf(cup, results_of(cup), form)
        *_, last = (re.findall(r"\d+: Called", page) for page in words_of(paper))
        assert len(last) > min(1, number - 1), number
        assert overlapping(paper) == []
        assert all(not page.rstrip().endswith("Rulings") for page in words_of(paper))


def test_before_play_nobody_has_won_a_prize(director: Client, cast: Cast) -> None:
    cup = seated_cup(entrants=8, club=cast.club)
    giving = prize_giving(cup)
    assert {row.names for row in giving.rows} == {()}
    text = " ".join(words_of(prize_giving_pdf(cup, giving)))
    assert "no one yet" in text
    assert "Player 1" not in text
    assertNotContains(director.get(page_of(cup, "prizes/")), "share")
