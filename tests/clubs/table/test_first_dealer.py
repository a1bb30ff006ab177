"""Who deals first, where the rules leave it to the dice: named at the table, shown everywhere."""

from typing import Any

import pytest

from clubs.evenings.selectors.evenings import linked_tables
from clubs.evenings.services.evenings import leave_table
from clubs.models import AuditEntry
from clubs.table import services
from clubs.table.papers.cards import SeatedTable
from clubs.table.papers.grid import GridLine, grid_lines
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Game
from scoring.scorebook.refusals import Refused
from scoring.scorebook.verifying import recount
from tests.api import api_client, faults, game_at, link_client, send
from tests.clubs.table.phones import At, AtEvening, AtRound, Phone, playing
from tests.people import Cast
from tests.scoring.scorebook.book import open_game
from tests.scoring.scorebook.tampering import all_discrepancies
from tests.tournaments.cups import seated_cup, tables
from tournaments.steps import services as steps

SECOND_WINS: dict[str, Any] = {"winner": 2, "score": 100, "last_tile": "wall"}
QUESTION = "Who deals first?"


def evening_of(cast: Cast) -> AtEvening:
    return AtEvening.create(playing("tallies", cast))


def round_of(cast: Cast) -> AtRound:
    club = playing("tallies", cast).club
    return AtRound(tables(seated_cup(hands=1, club=club))[0])


@pytest.fixture
def evening(cast: Cast) -> AtEvening:
    return evening_of(cast)


@pytest.fixture(params=[evening_of, round_of], ids=["evening", "round"])
def game_table(request: pytest.FixtureRequest, cast: Cast) -> At:
    game_table: At = request.param(cast)
    return game_table


def api(game_table: At) -> str:
    return game_at(game_table.row)


def name(phone: Phone, seat: object) -> str:
    """Press a name, and read the page that follows."""
    return str(phone.press(follow=True, dealer=seat).content.decode())


def dealer_winds(phone: Phone) -> list[str]:
    """The winds of those who are marked as dealing."""
    return [str(chair.wind) for chair in phone.look().context["square"] if chair.dealer]


# At either kind of table


def test_the_chosen_dealer_deals_the_first_hand_and_pays_and_is_paid_double(game_table: At) -> None:
    phone, own_phone = game_table.phone, game_table.own_phone(3)
    dealer_name = phone.page.view.names[2]
    assert QUESTION in phone.text()
    assert dealer_winds(phone) == ["E"]
    assert "deals the first hand." in name(own_phone, 2), (
        "each player's own phone may name the dealer"
    )
    assert dealer_winds(phone) == ["S"]
    assert f"{dealer_name} deals first" in phone.text()
    hand = phone.enter(**SECOND_WINS)
    assert (hand.deal["dealer"], hand.gains) == (2, {1: -200, 2: 600, 3: -200, 4: -200})


def test_after_the_first_hand_the_first_dealer_stays(game_table: At) -> None:
    name(game_table.phone, 2)
    game_table.phone.enter(**SECOND_WINS)
    page = name(game_table.phone, 3)
    assert "Hand 1 of this table is saved" in page
    assert QUESTION not in page
    program = link_client(game_table.row.link_key)
    assert faults(send(program, f"{api(game_table)}dealer/", {"seat": 3})) == [
        ("hands_recorded", "")
    ]
    assert Game.objects.get(pk=game_table.row.game_id).first_dealer == 2
    assert recount().differences == ()


def test_what_is_over_keeps_its_first_dealer(game_table: At) -> None:
    if isinstance(game_table, AtRound):
        game_table.phone.enter(**SECOND_WINS)
        steps.close_round(tournament=game_table.cup)
        reason = "round 1, which is closed"
    else:
        game_table.finish()
        reason = "This evening is finished"
    assert QUESTION not in game_table.phone.text()
    assert reason in name(game_table.phone, 2)
    with pytest.raises(Refused, match=reason):
        services.name_first_dealer(table=game_table.event, seat=2)


# At an evening


def test_once_the_first_hand_is_undone_another_may_be_chosen_and_is_sealed(
    evening: AtEvening,
) -> None:
    phone = evening.phone
    name(phone, 2)
    hand = phone.enter(**SECOND_WINS)
    phone.press(f"hands/{hand.pk}/undo/")
    assert QUESTION in name(phone, 3)
    assert all_discrepancies() == []
    assert phone.enter(**SECOND_WINS).deal["dealer"] == 3
    assert all_discrepancies() == []
    assert recount().differences == ()
    Game.objects.update(first_dealer=4)
    (finding,) = all_discrepancies()
    assert finding.text == "first_dealer is 4, but seat 3 dealt hand 1 as sealed"
    (difference,) = recount().differences
    assert "'dealer': 3" in difference


@pytest.mark.parametrize("rules", ["bmja", "english", "safalra", "baggaley"])
def test_where_the_rules_say_who_deals_nobody_is_asked(cast: Cast, rules: str) -> None:
    evening_table = AtEvening.create(playing(rules, cast))
    assert QUESTION not in evening_table.phone.text()
    assert "East deals first." in name(evening_table.phone, 2)
    program = link_client(evening_table.row.link_key)
    assert faults(send(program, f"{api(evening_table)}dealer/", {"seat": 2})) == [
        ("dealer_fixed", "")
    ]
    assert Game.objects.get(pk=evening_table.row.game_id).first_dealer == 1


@pytest.mark.parametrize("seat", ["5", "0", "-1", "two", "²", ""])
def test_a_seat_that_nobody_has_is_refused(evening: AtEvening, seat: str) -> None:
    message = "No one plays the first hand in that seat. Choose another."
    assert message in name(evening.phone, seat)
    assert dealer_winds(evening.phone) == ["E"]


def test_phones_that_are_open_or_without_a_network_know_of_the_dealer(evening: AtEvening) -> None:
    phone, mark = evening.phone, evening.phone.page.mark
    assert phone.look(v=mark).status_code == 204
    name(phone, 2)
    assert phone.look(v=mark).status_code == 200
    assert phone.look(v=phone.page.mark).status_code == 204
    ahead = phone.look("ahead/").json()
    assert ahead["deals"][ahead["states"][0][1]]["dealer"] == 2


def test_a_program_names_the_dealer(cast: Cast, evening: AtEvening) -> None:
    table = api(evening)
    client = link_client(evening.row.link_key)
    assert send(client, f"{table}dealer/", {"seat": 3}).status_code == 204
    assert client.get(table).json()["next_hand"]["dealer"] == 3
    for seat in (5, 6):
        assert faults(send(client, f"{table}dealer/", {"seat": seat})) == [("bad_seat", "seat")]
    assert send(api_client(cast.scorer), f"{table}dealer/", {"seat": 4}).status_code == 204
    assert Game.objects.get(pk=evening.row.game_id).first_dealer == 4


def test_the_desk_names_the_dealer_and_it_is_written_down(cast: Cast, evening: AtEvening) -> None:
    desk = evening.desk(cast.scorer)
    assert QUESTION in desk.text()
    name(desk, 2)
    assert dealer_winds(desk) == ["S"]
    assert AuditEntry.objects.latest("pk").what == "evening-table:dealer"
    sheet_text = " ".join(Phone(evening.desk_url("sheet"), cast.scorer).text().split())
    assert f"Deals: {evening.names[2]}" in sheet_text, (
        "the paper sheet that is typed in names them too"
    )
    assert f"East: {evening.names[1]}" not in sheet_text


def test_where_others_sit_down_east_deals_again(evening: AtEvening) -> None:
    phone = evening.phone
    name(phone, 2)
    leaver = evening.row.places.get(seat__number=3).player
    leave_table(session=evening.row.session, leaver=leaver, goes_home=True)
    assert dealer_winds(phone) == ["E"]
    assert QUESTION in phone.text()


def test_other_rules_make_east_deal_again(db: None) -> None:
    games = Game.objects.filter(pk=open_game(rules="tallies").pk)
    games.update(first_dealer=2)
    scorebook.replan_games(games, rules="tallies", hands_planned=4)
    assert games.get().first_dealer == 2
    scorebook.replan_games(games, rules="bmja", hands_planned=4)
    assert games.get().first_dealer == 1


@pytest.mark.parametrize(("rules", "ringed_seats"), [("tallies", [None, 3]), ("bmja", [1, 1])])
def test_paper_leaves_the_ring_to_the_dice_until_somebody_is_named(
    cast: Cast, rules: str, ringed_seats: list[int | None]
) -> None:
    evening_table = AtEvening.create(playing(rules, cast))

    def first_line() -> GridLine:
        (view,) = linked_tables(evening_table.row.session)
        return grid_lines(SeatedTable("Riverside", view.view, "http://localhost/"))[0]

    east_before = first_line().east
    name(evening_table.phone, 3)
    assert [east_before, first_line().east] == ringed_seats
