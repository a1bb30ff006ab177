"""The director seats a round by hand, or reads in a whole plan; each is one change."""

from functools import partial

import pytest
from django.test import Client
from django.urls import reverse

from scoring.scorebook.refusals import Refused
from tests.people import Cast, make_club
from tests.threads import at_once
from tests.tournaments.cups import (
    Fours,
    exchange_seats,
    fours,
    fresh,
    make_cup,
    seated_cup,
    written_round,
)
from tournaments.models import (
    OddNumber,
    Placement,
    SeatingChange,
    Table,
    Tournament,
    TournamentState,
)
from tournaments.seating.selectors import round_by_hand, seated_rounds
from tournaments.seating.services import by_hand, changes
from tournaments.setup import services as setup_services
from tournaments.steps import services

pytestmark = pytest.mark.django_db


def seat(cup: Tournament, number: int, tables: list[list[str]], *, rests: bool = False) -> str:
    change = by_hand.seat_by_hand(
        tournament=cup,
        written_round=written_round(number, tables, rests=rests),
        mark=by_hand.round_digest(cup, number),
        made_by="user 1",
    )
    return change.what


def refusals(cup: Tournament, tables: list[list[str]], *, rests: bool = False) -> list[str]:
    with pytest.raises(Refused) as refusal:
        by_hand.weigh_plan(tournament=cup, written_rounds=[written_round(2, tables, rests=rests)])
    return [problem.message for problem in refusal.value.problems]


def test_a_round_is_seated_by_hand_and_back_again() -> None:
    cup = seated_cup(entrants=16, rounds=3)
    tables_before = fours(cup, 2)
    cards = set(Table.objects.values_list("link_key", flat=True))
    version = cup.version
    assert seat(cup, 2, exchange_seats(tables_before)) == "Round 2 seated manually"
    assert fours(cup, 2) == exchange_seats(tables_before)
    assert set(Table.objects.values_list("link_key", flat=True)) == cards
    assert Tournament.objects.get().version > version
    changes.undo_change(tournament=cup)
    assert fours(cup, 2) == tables_before


def test_names_are_known_without_capitals_and_accents() -> None:
    cup = seated_cup(entrants=16, rounds=2)
    new_tables = exchange_seats(fours(cup, 2))
    seat(cup, 2, [[f"  {name.upper()} " for name in names] for names in new_tables])
    assert fours(cup, 2) == new_tables


def test_everything_that_is_wrong_is_said_at_once() -> None:
    cup = seated_cup(entrants=8, rounds=2)
    setup_services.withdraw(tournament=cup, entrant=cup.entrants.get(number=8))
    tables = [
        ["Player 1", "Player 1", "Tom Bell", ""],
        ["Player 2", "Player 3", "Player 4", "Player 8"],
    ]
    assert refusals(cup, tables) == [
        "Table 1 has no North.",
        "No player called Tom Bell is in this tournament.",
        "Player 8 is withdrawn.",
        "Player 1 has more than one seat: at table 1 as East and at table 1 as South.",
        "Player 5, Player 6 and Player 7 have no seat.",
    ]
    assert refusals(cup, [["", "", "", ""]]) == ["No one is seated at any table."]
    assert not cup.changes.exists()


def test_whoever_is_left_over_sits_out_where_that_is_ticked() -> None:
    cup = seated_cup(entrants=16, rounds=2)
    tables = fours(cup, 2)
    seat(cup, 2, tables[:3], rests=True)
    assert fours(cup, 2) == tables[:3]
    resting_names = cup.rounds.get(number=2).sitting_out.values_list("name", flat=True)
    assert sorted(resting_names) == sorted(tables[3])
    changes.undo_change(tournament=cup)
    assert fours(cup, 2) == tables


def test_what_it_costs_is_told_before_it_is_saved() -> None:
    cup = seated_cup(entrants=16, rounds=2)
    cup.entrants.filter(name__in=fours(cup, 1)[0][:2]).update(team="Bath")
    first = fours(cup, 1)
    same_plan = by_hand.weigh_plan(tournament=cup, written_rounds=[written_round(2, fours(cup, 2))])
    assert [entry.is_kept for entry in same_plan.remarks] == [True, True, True]
    repeat_plan = by_hand.weigh_plan(tournament=cup, written_rounds=[written_round(2, first)])
    sentences = [entry.sentence for entry in repeat_plan.remarks]
    assert sentences[0].startswith("24 pairs meet more than once: ")
    assert sentences[0].endswith("(rounds 1 and 2) and 16 more.")
    assert sentences[1] == ("Over all rounds 24 meetings with someone met before; without it 0.")
    assert "in one wind more often than necessary." in sentences[2]
    assert sentences[3].endswith("of Bath sit together in round 2.")
    entry, partner = fours(cup, 1)[1][:2]
    cup.entrants.filter(name=entry).update(couple=partner)
    repeat_plan = by_hand.weigh_plan(tournament=cup, written_rounds=[written_round(2, first)])
    assert f"{entry} and {partner} are a couple and sit together in round 2." in [
        criterion.sentence for criterion in repeat_plan.remarks if criterion.is_kept is False
    ]
    assert fours(cup, 2) != first


def test_a_round_that_has_begun_stays() -> None:
    cup = seated_cup(entrants=16, rounds=2)
    with pytest.raises(Refused, match="Round 1 has started"):
        seat(cup, 1, exchange_seats(fours(cup, 1)))
    with pytest.raises(Refused, match="There is no round 9"):
        by_hand.weigh_plan(tournament=cup, written_rounds=[written_round(9, fours(cup, 1))])


def test_a_seating_changed_meanwhile_is_not_overwritten() -> None:
    cup = seated_cup(entrants=16, rounds=2)
    mark, tables = by_hand.round_digest(cup, 2), exchange_seats(fours(cup, 2))
    entrant, other_entrant = cup.entrants.all()[:2]
    changes.swap(tournament=cup, number=2, one=entrant, other=other_entrant, made_by="user 2")
    with pytest.raises(Refused, match="have changed, or the round has started"):
        by_hand.seat_by_hand(
            tournament=cup, written_round=written_round(2, tables), mark=mark, made_by="user 1"
        )


def test_a_substitute_goes_along() -> None:
    cup = seated_cup(entrants=16, rounds=2)
    entrant = cup.entrants.get(number=1)
    changes.set_substitute(tournament=cup, entrant=entrant, name="Wendy", number=2)
    seat(cup, 2, exchange_seats(fours(cup, 2)))
    assert entrant.placements.get(round__number=2).sitter == "Wendy"


def another_cup() -> Tournament:
    """A cup of sixteen at another club, not seated yet."""
    return make_cup(entrants=16, rounds=3, club=make_club("Other", "other"))


def plan_of(cup: Tournament) -> str:
    """The seating as its own list."""
    seating_plan = seated_rounds(cup)
    return "round,table,East,South,West,North\n" + "\n".join(
        f"{number},{table.number},{','.join(table.names)}"
        for number, round_ in zip(seating_plan.numbers, seating_plan.rounds, strict=True)
        for table in round_.tables
    )


def test_a_whole_plan_is_read_in_from_the_entries() -> None:
    text = plan_of(seated_cup(entrants=16, rounds=3))
    cup = another_cup()
    plan = by_hand.read_plan(text, rests=False)
    change = by_hand.seat_as_written(tournament=cup, written_rounds=plan, made_by="user 1")
    assert change.what == "Rounds 1 to 3 seated from an imported list"
    assert fresh(cup).state == TournamentState.PLAYING
    assert plan_of(cup) == text
    changes.undo_change(tournament=cup)
    cup.refresh_from_db()
    assert (cup.state, cup.rounds.count()) == (TournamentState.ENTERING, 0)


def test_a_plan_leaves_what_has_begun_and_misses_no_round() -> None:
    cup = seated_cup(entrants=16, rounds=3)
    text = plan_of(cup)
    plan = by_hand.read_plan(text, rests=False)
    assert by_hand.weigh_plan(tournament=cup, written_rounds=plan).numbers == (2, 3)
    last = "\n".join(line for line in text.splitlines() if line.startswith("3"))
    by_hand.seat_as_written(
        tournament=cup, written_rounds=by_hand.read_plan(last, rests=False), made_by="user 1"
    )
    fresh = another_cup()
    with pytest.raises(Refused, match=r"Rounds 1, 2 are missing\. Seat all rounds at once\."):
        by_hand.weigh_plan(tournament=fresh, written_rounds=by_hand.read_plan(last, rests=False))


def test_house_players_may_be_named() -> None:
    cup = make_cup(entrants=6, rounds=1, odd=OddNumber.HOUSE)
    tables = [
        ["Player 1", "Player 2", "Player 3", "House player"],
        ["Player 4", "Player 5", "Player 6", "House player 2"],
    ]
    by_hand.seat_as_written(
        tournament=cup, written_rounds=[written_round(1, tables)], made_by="user 1"
    )
    assert fours(cup, 1) == tables


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "The list has no tables."),
        ("round,table,E,S,W,N", "The list has no tables."),
        ("1,1,Ann,Ben,Cy", "Line 1 has 3 names. A table needs four"),
        ("1,1,Ann,Ben,Cy,Di,Ed", "Line 1 has 5 names. A table needs four"),
        ("1,1,Ann,Ben,Cy,Di\n1,one,Ann", "Line 2 must start with the numbers"),
        ("1,0,Ann,Ben,Cy,Di", "Line 1 must start with the numbers"),
        ("1,1,Ann,Ben,Cy,Di\n1,1,Ed,Flo,Gus,Hal", "Line 2: round 1 already has a table 1."),
        ("99999999999,1,A,B,C,D", "Line 1 must start with the numbers"),
        ("x\n" * 4000, "more than any tournament needs"),
    ],
)
def test_a_list_that_cannot_be_read_says_where(text: str, message: str) -> None:
    with pytest.raises(Refused, match=message.replace(".", r"\.")):
        by_hand.read_plan(text, rests=False)


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_a_list_may_come_from_any_spreadsheet(sign: str) -> None:
    line = sign.join(("2", "1", "Ann", "Ben", " Cy", "'Di", "", ""))
    (plan_round,) = by_hand.read_plan(f"Round{sign}Table\n\n{line}\n", rests=True)
    assert plan_round == written_round(2, [["Ann", "Ben", "Cy", "Di"]], rests=True)


@pytest.mark.django_db(transaction=True)
@pytest.mark.services
def test_of_two_who_seat_the_same_round_at_once_one_is_told() -> None:
    cup = seated_cup(entrants=16, rounds=2)
    mark, tables = by_hand.round_digest(cup, 2), fours(cup, 2)
    calls = [
        partial(
            by_hand.seat_by_hand,
            tournament=cup,
            written_round=written_round(2, new_tables),
            mark=mark,
            made_by="user 1",
        )
        for new_tables in (exchange_seats(tables), tables[::-1])
    ]
    answers = at_once(calls)
    assert sorted(type(answer).__name__ for answer in answers) == ["Refused", "SeatingChange"]
    assert SeatingChange.objects.count() == 1


@pytest.fixture
def cup(cast: Cast) -> Tournament:
    """Sixteen with seats in two rounds, the first of which is played."""
    return seated_cup(entrants=16, rounds=2, club=cast.club)


def address(cup: Tournament, name: str, *url_args: int) -> str:
    return reverse(name, args=[cup.club.slug, cup.pk, *url_args])


def seating_form(cup: Tournament, tables: Fours, **extra_fields: str) -> dict[str, str]:
    """What the browser sends for round 2."""
    seats = {
        f"t{number}-{wind}": name
        for number, names in enumerate(tables, start=1)
        for wind, name in zip("ESWN", names, strict=True)
    }
    return {"mark": by_hand.round_digest(cup, 2), **seats, **extra_fields}


def test_the_page_begins_with_who_sits_there_now(cup: Tournament, director: Client) -> None:
    page = director.get(address(cup, "seating-by-hand", 2)).content.decode()
    assert page.count("<option selected>") == 16
    assert "What it costs</h2>" not in page


def test_the_cost_is_shown_before_anything_is_saved(cup: Tournament, director: Client) -> None:
    tables_before = fours(cup, 2)
    form_data = seating_form(cup, fours(cup, 1))
    page = director.post(address(cup, "seating-by-hand", 2), form_data)
    assert "24 pairs meet more than once" in page.content.decode()
    part = director.post(
        address(cup, "seating-by-hand", 2), form_data, headers={"HX-Request": "true"}
    )
    assert part.content.decode().lstrip().startswith('<section class="card stack">')
    assert fours(cup, 2) == tables_before


def test_saved_it_is_explained_and_can_be_undone(cup: Tournament, director: Client) -> None:
    new_tables = exchange_seats(fours(cup, 2))
    page = director.post(
        address(cup, "seating-by-hand", 2), seating_form(cup, new_tables, save="yes"), follow=True
    ).content.decode()
    assert fours(cup, 2) == new_tables
    assert "Round 2 seated manually. This is the new seating." in page
    assert address(cup, "seating-undo") in page


def test_nothing_chosen_is_lost_when_it_cannot_be_saved(cup: Tournament, director: Client) -> None:
    tables_before = fours(cup, 2)
    new_tables = [["Player 1", "Player 1", *tables_before[0][2:]], *tables_before[1:]]
    answer = director.post(
        address(cup, "seating-by-hand", 2), seating_form(cup, new_tables, save="yes")
    )
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Player 1 has more than one seat: at table" in page
    assert page.count("<option selected>Player 1</option>") >= 2
    assert fours(cup, 2) == tables_before


def test_a_round_that_has_begun_says_so(cup: Tournament, director: Client) -> None:
    page = director.get(address(cup, "seating-by-hand", 1)).content.decode()
    assert "This round has started" in page
    assert director.get(address(cup, "seating-by-hand", 3)).status_code == 404
    changes_page = director.get(address(cup, "seating-changes")).content.decode()
    assert address(cup, "seating-by-hand", 1) not in changes_page
    assert address(cup, "seating-by-hand", 2) in changes_page


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
    cup = seated_cup(entrants=6, rounds=2, club=cast.club, odd=OddNumber.SIT_OUT, starts=False)
    manual_round = round_by_hand(fresh(cup), 1)
    assert manual_round is not None
    assert (len(manual_round.tables), manual_round.rests, manual_round.others) == (1, True, (2,))


def test_a_seating_goes_out_as_a_list_and_comes_back(cup: Tournament, director: Client) -> None:
    new_tables = exchange_seats(fours(cup, 2))
    text = director.get(address(cup, "seating-csv")).content.decode("utf-8-sig")
    assert text.splitlines()[0] == "Round,Table,East,South,West,North"
    lines = [f"2,{number},{','.join(names)}" for number, names in enumerate(new_tables, start=1)]
    preview = director.post(address(cup, "seating-list"), {"text": "\n".join(lines)})
    assert "1 round found. Check your import" in preview.content.decode()
    assert fours(cup, 2) != new_tables
    form_data = {"text": "\n".join(lines), "seat": "yes"}
    director.post(address(cup, "seating-list"), form_data)
    assert fours(cup, 2) == new_tables


def test_a_list_in_which_someone_withdrawn_sits_out_is_read_back(
    cast: Cast, director: Client
) -> None:
    cup = seated_cup(entrants=9, rounds=2, club=cast.club, odd=OddNumber.SIT_OUT, starts=False)
    resting = cup.rounds.get(number=2).sitting_out.get()
    setup_services.withdraw(tournament=cup, entrant=resting)
    changes.set_substitute(tournament=cup, entrant=resting, name="Joan", number=1)
    text = director.get(address(cup, "seating-csv")).content.decode("utf-8-sig")
    assert f"2,out,{resting.name}" in text
    preview = director.post(address(cup, "seating-list"), {"text": text})
    assert "2 rounds found. Check your import" in preview.content.decode()


def test_a_list_taken_away_mid_tournament_is_read_back(cast: Cast, director: Client) -> None:
    cup = seated_cup(entrants=9, rounds=3, club=cast.club, odd=OddNumber.SIT_OUT, starts=False)
    services.start_round(tournament=cup)
    leaver = Placement.objects.filter(round__tournament=cup, round__number=2)[0].entrant
    setup_services.withdraw(tournament=cup, entrant=leaver)
    changes.set_substitute(tournament=cup, entrant=leaver, name="Joan", number=1)
    rounds_before = [fours(cup, number) for number in (1, 2, 3)]
    text = director.get(address(cup, "seating-csv")).content.decode("utf-8-sig")
    assert "1,out,Player" in text
    preview = director.post(address(cup, "seating-list"), {"text": text})
    assert "2 rounds found. Check your import" in preview.content.decode()
    director.post(address(cup, "seating-list"), {"text": text, "seat": "yes"})
    assert [fours(cup, number) for number in (1, 2, 3)] == rounds_before
    joan = Placement.objects.filter(round__tournament=cup, substitute="Joan")
    assert set(joan.values_list("entrant", flat=True)) == {leaver.pk}
    assert cup.changes.get().what == "Rounds 2 to 3 seated from an imported list"


def test_a_round_that_has_begun_is_not_changed_by_a_list(cast: Cast, director: Client) -> None:
    cup = seated_cup(entrants=8, rounds=2, club=cast.club)
    lines = [
        f"1,{number},{','.join(four)}"
        for number, four in enumerate(exchange_seats(fours(cup, 1)), start=1)
    ]
    response = director.post(address(cup, "seating-list"), {"text": "\n".join(lines)})
    assert "Round 1 has started, so it cannot be reseated." in response.content.decode()
    lines = [f"1,{number},{','.join(four)}" for number, four in enumerate(fours(cup, 1), start=1)]
    response = director.post(address(cup, "seating-list"), {"text": "\n".join(lines)})
    assert "Every round in the list has already started" in response.content.decode()


def test_a_list_with_mistakes_stays_on_the_page(cast: Cast, director: Client) -> None:
    cup = make_cup(entrants=4, rounds=1, club=cast.club)
    answer = director.post(address(cup, "seating-list"), {"text": "1,1,Player 1,Player 2,Tom,"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "No player called Tom is in this tournament." in page
    assert "1,1,Player 1,Player 2,Tom," in page
    assert fresh(cup).state == TournamentState.ENTERING
