"""The director changes the seating by hand, and takes it back."""

import pytest

from scoring.scorebook.refusals import Refused
from tests.tournaments.cups import DRAWN, make_cup, play_round, post, seated_cup, tables
from tournaments.models import Capacity, Entrant, OddNumber, Placement, Table, Tournament
from tournaments.seating.services import changes, seating
from tournaments.setup import services as setup_services
from tournaments.steps import services

pytestmark = pytest.mark.django_db

Seats = list[tuple[int, int, int, str]]


def seats(cup: Tournament, number: int) -> Seats:
    """Table, seat, entrant and sitter of a round."""
    places = Placement.objects.filter(round__tournament=cup, round__number=number)
    return [
        (place.table.number, place.seat.number, place.entrant.number, place.sitter)
        for place in places.select_related("table", "seat", "entrant")
    ]


def links(cup: Tournament) -> set[tuple[int, int, str]]:
    """The printed links of every table."""
    found = Table.objects.filter(round__tournament=cup)
    return set(found.values_list("round__number", "number", "link_key"))


def player(cup: Tournament, number: int) -> Entrant:
    return cup.entrants.get(number=number)


def swap(cup: Tournament, one: int, other: int, *, number: int = 1) -> None:
    changes.swap(
        tournament=cup,
        number=number,
        one=player(cup, one),
        other=player(cup, other),
        made_by="user 1",
    )


def test_two_players_change_places_and_back_again() -> None:
    cup = seated_cup(entrants=8)
    before, cards = seats(cup, 1), links(cup)
    swap(cup, 1, 2)
    exchanged = {1: 2, 2: 1}
    assert [(table, seat, who) for table, seat, who, _ in seats(cup, 1)] == [
        (table, seat, exchanged.get(who, who)) for table, seat, who, _ in before
    ]
    assert changes.undo_change(tournament=cup).what == (
        "Player 1 and Player 2 swapped places in round 1"
    )
    assert (seats(cup, 1), links(cup)) == (before, cards)
    with pytest.raises(Refused, match="no seating change to undo"):
        changes.undo_change(tournament=cup)


def test_who_sits_out_takes_the_place_of_somebody_who_plays() -> None:
    cup = make_cup(entrants=5, rounds=1)
    setup_services.set_entry_rules(tournament=cup, odd_number=OddNumber.SIT_OUT, places=None)
    seating.seat_rounds(tournament=cup)
    (out,) = cup.rounds.get().sitting_out.all()
    seated = next(who for _, _, who, _ in seats(cup, 1))
    swap(cup, out.number, seated)
    assert [one.number for one in cup.rounds.get().sitting_out.all()] == [seated]
    assert out.number in [who for _, _, who, _ in seats(cup, 1)]
    changes.undo_change(tournament=cup)
    assert list(cup.rounds.get().sitting_out.all()) == [out]


def test_seats_stay_once_a_hand_is_recorded_at_the_table() -> None:
    cup = seated_cup(entrants=8)
    swap(cup, 1, 2)
    for table in tables(cup):
        post(table, DRAWN)
    with pytest.raises(Refused, match="A hand has been recorded at that table"):
        swap(cup, 1, 2)
    with pytest.raises(Refused, match="A hand has been recorded at that table"):
        changes.undo_change(tournament=cup)


@pytest.mark.parametrize(
    ("one", "other", "number", "sentence"),
    [(1, 1, 1, "Choose two different players."), (1, 2, 9, "Round 9 is closed or does not exist.")],
)
def test_a_swap_that_cannot_be_is_refused(one: int, other: int, number: int, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        swap(seated_cup(), one, other, number=number)


def test_who_has_withdrawn_is_not_swapped_in() -> None:
    cup = seated_cup(entrants=8)
    setup_services.withdraw(tournament=cup, entrant=player(cup, 3))
    with pytest.raises(Refused, match="Player 3 is withdrawn"):
        swap(cup, 1, 3)


def test_rounds_seated_anew_leave_what_is_played_and_can_be_put_back() -> None:
    cup = seated_cup(entrants=16, rounds=3, hands=1)
    play_round(cup, DRAWN)
    services.close_round(tournament=cup)
    services.start_round(tournament=cup)
    before, cards = [seats(cup, number) for number in (1, 2, 3)], links(cup)
    setup_services.set_entry_rules(tournament=cup, odd_number=OddNumber.SIT_OUT, places=None)
    for number in (1, 2, 3, 4):
        setup_services.withdraw(tournament=cup, entrant=player(cup, number))
    change = changes.reseat_rounds(tournament=cup, made_by="user 1")
    assert change.what == "Round 3 reseated for 12 players"
    assert [seats(cup, number) for number in (1, 2)] == before[:2]
    assert len(seats(cup, 3)) == 12
    changes.undo_change(tournament=cup)
    assert [seats(cup, number) for number in (1, 2, 3)] == before
    assert links(cup) >= {card for card in cards if card[0] < 3 or card[1] < 4}


def test_who_sits_in_goes_on_sitting_in_when_the_rounds_are_seated_anew() -> None:
    cup = seated_cup(entrants=16, rounds=3)
    for number, stand_in in ((1, "Sue"), (2, "Stu")):
        changes.substitute(
            tournament=cup, entrant=player(cup, number), name=stand_in, number=number
        )
    setup_services.set_entry_rules(tournament=cup, odd_number=OddNumber.SIT_OUT, places=None)
    setup_services.enter(tournament=cup, name="Stu")
    changes.reseat_rounds(tournament=cup, made_by="user 1")
    sits_in = Placement.objects.filter(capacity=Capacity.SUBSTITUTE, round__number__gt=1)
    assert {(place.entrant.number, place.sitter) for place in sits_in} == {(1, "Sue")}


def test_no_round_is_left_to_seat_anew() -> None:
    cup = seated_cup(rounds=1)
    with pytest.raises(Refused, match="Every round has started"):
        changes.reseat_rounds(tournament=cup, made_by="user 1")


def test_a_substitute_sits_in_from_a_round_on_and_counts_for_the_entrant() -> None:
    cup = seated_cup(rounds=3, hands=1)
    play_round(cup, DRAWN)
    services.close_round(tournament=cup)
    one = player(cup, 1)
    told = {"tournament": cup, "entrant": one, "number": 1}
    assert changes.substitute(**told, name="Sue  Sub") == 2  # type: ignore[arg-type]
    places = one.placements.order_by("round__number")
    assert [(place.capacity, place.sitter) for place in places] == [
        (Capacity.ENTRANT, "Player 1"),
        (Capacity.SUBSTITUTE, "Sue Sub"),
        (Capacity.SUBSTITUTE, "Sue Sub"),
    ]
    assert changes.substitute(**told, name="") == 2  # type: ignore[arg-type]
    assert set(one.placements.values_list("capacity", flat=True)) == {Capacity.ENTRANT}


def test_a_substitute_for_one_round_only() -> None:
    cup = seated_cup(rounds=3)
    one = player(cup, 1)
    sat = changes.substitute(tournament=cup, entrant=one, name="Sue", number=2, goes_on=False)
    assert sat == 1
    substitutes = one.placements.filter(capacity=Capacity.SUBSTITUTE)
    assert list(substitutes.values_list("round__number", flat=True)) == [2]


@pytest.mark.parametrize(
    ("name", "number", "sentence"),
    [
        ("player 2", 1, "Player 2 already has a seat in round 1."),
        ("<b>", 1, "A name cannot contain"),
        ("Sue", 7, "Player 1 has no seat from round 7 on."),
    ],
)
def test_a_substitute_who_cannot_sit_is_refused(name: str, number: int, sentence: str) -> None:
    cup = seated_cup()
    with pytest.raises(Refused, match=sentence):
        changes.substitute(tournament=cup, entrant=player(cup, 1), name=name, number=number)
