"""Who deals first, where the rules leave it to the dice: named at the table, shown everywhere."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs.evenings.event import EveningTable
from clubs.evenings.selectors.evenings import linked_tables
from clubs.evenings.services import evenings
from clubs.evenings.services.seats import leave
from clubs.models import AuditEntry, SessionTable
from clubs.table import services as at_table
from clubs.table.event import seat_key
from clubs.table.papers.cards import SeatedTable
from clubs.table.papers.grid import Line, lines_of
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Game, Hand
from scoring.scorebook.refusals import Refused
from scoring.scorebook.verifying import recount
from tests.api import api_client, faults, send
from tests.clubs.tables import seated_evening, sheet
from tests.people import Cast
from tests.scoring.scorebook.tampering import everything

pytestmark = pytest.mark.django_db

SECOND_WINS = {"winner": 2, "score": 100, "last_tile": "wall"}
QUESTION = "Who deals first?"


@pytest.fixture
def table(cast: Cast, rules: str) -> SessionTable:
    cast.club.rules = rules
    cast.club.save()
    return seated_evening(cast.club).tables.get()


@pytest.fixture
def phone(table: SessionTable) -> str:
    return reverse("table", args=[table.link_key])


@pytest.fixture
def api(table: SessionTable) -> str:
    return f"/api/v1/t/{table.link_key}/"


def enter(client: Client, phone: str, **typed: Any) -> Hand:
    answer = client.post(phone, sheet(client.get(phone), step="save", **typed))
    assert answer.status_code == 302
    return Hand.objects.latest("pk")


def name_at(table: SessionTable, seat: int) -> str:
    """The name of who sits there."""
    return table.places.get(seat__number=seat).player.name


def press(client: Client, phone: str, seat: object) -> str:
    """Press a name, and read the page that follows."""
    return client.post(phone, {"dealer": seat}, follow=True).content.decode()


def first_line(table: SessionTable) -> Line:
    """The first row of the table's score sheet on paper."""
    (view,) = linked_tables(table.session)
    return lines_of(SeatedTable("Riverside", view.view, "http://localhost/"))[0]


def marked(client: Client, phone: str) -> list[str]:
    """The winds of those who are marked as dealing."""
    return [str(chair.wind) for chair in client.get(phone).context["square"] if chair.dealer]


@pytest.mark.parametrize("rules", ["tallies"])
def test_the_chosen_dealer_deals_the_first_hand(
    client: Client, phone: str, table: SessionTable, rules: str
) -> None:
    assert QUESTION in client.get(phone).content.decode()
    assert marked(client, phone) == ["E"]
    assert "deals the first hand." in press(client, phone, 2)
    assert marked(client, phone) == ["S"]
    assert f"{name_at(table, 2)} deals first" in client.get(phone).content.decode()
    assert enter(client, phone, **SECOND_WINS).deal["dealer"] == 2


@pytest.mark.parametrize("rules", ["tallies"])
@pytest.mark.parametrize(
    ("dealer", "gains"),
    [
        (1, {1: -200, 2: 400, 3: -100, 4: -100}),
        (2, {1: -200, 2: 600, 3: -200, 4: -200}),
        (3, {1: -100, 2: 400, 3: -200, 4: -100}),
    ],
)
def test_the_chosen_dealer_pays_and_is_paid_double(
    client: Client, phone: str, rules: str, dealer: int, gains: dict[int, int]
) -> None:
    press(client, phone, dealer)
    assert enter(client, phone, **SECOND_WINS).gains == gains


@pytest.mark.parametrize("rules", ["tallies"])
def test_after_the_first_hand_the_first_dealer_stays(
    client: Client, phone: str, api: str, table: SessionTable, rules: str
) -> None:
    press(client, phone, 2)
    enter(client, phone, **SECOND_WINS)
    assert QUESTION not in client.get(phone).content.decode()
    assert "Hand 1 of this table is saved" in press(client, phone, 3)
    assert faults(send(client, f"{api}dealer/", {"seat": 3})) == [("hands_recorded", "")]
    assert Game.objects.get(pk=table.game_id).first_dealer == 2
    assert recount().differences == ()


@pytest.mark.parametrize("rules", ["tallies"])
def test_once_the_first_hand_is_undone_another_may_be_chosen(
    client: Client, phone: str, table: SessionTable, rules: str
) -> None:
    hand = enter(client, phone, **SECOND_WINS)
    client.post(reverse("table-undo", args=[table.link_key, hand.pk]))
    assert QUESTION in press(client, phone, 4)
    assert enter(client, phone, **SECOND_WINS).deal["dealer"] == 4
    assert recount().differences == ()


@pytest.mark.parametrize("rules", ["bmja", "english", "safalra", "baggaley"])
def test_where_the_rules_say_who_deals_nobody_is_asked(
    client: Client, phone: str, api: str, table: SessionTable, rules: str
) -> None:
    assert QUESTION not in client.get(phone).content.decode()
    assert "East deals first." in press(client, phone, 2)
    assert faults(send(client, f"{api}dealer/", {"seat": 2})) == [("dealer_fixed", "")]
    assert Game.objects.get(pk=table.game_id).first_dealer == 1


@pytest.mark.parametrize("rules", ["tallies"])
@pytest.mark.parametrize("seat", ["5", "0", "-1", "two", "²", ""])
def test_a_seat_that_nobody_has_is_refused(
    client: Client, phone: str, rules: str, seat: str
) -> None:
    assert "No one plays the first hand in that seat. Choose another." in press(client, phone, seat)
    assert marked(client, phone) == ["E"]


@pytest.mark.parametrize("rules", ["tallies"])
def test_an_evening_that_is_finished_keeps_its_first_dealer(
    client: Client, phone: str, table: SessionTable, rules: str
) -> None:
    evenings.close_session(session=table.session)
    assert QUESTION not in client.get(phone).content.decode()
    assert "This evening is finished" in press(client, phone, 2)
    with pytest.raises(Refused, match="This evening is finished"):
        at_table.name_first_dealer(table=EveningTable(table), seat=2)


@pytest.mark.parametrize("rules", ["tallies"])
def test_each_players_own_phone_may_name_the_dealer(
    client: Client, phone: str, table: SessionTable, rules: str
) -> None:
    own = reverse("table", args=[seat_key(table, 3)])
    assert QUESTION in press(client, own, 3)
    assert marked(client, phone) == ["W"]


@pytest.mark.parametrize("rules", ["tallies"])
def test_phones_that_are_open_hear_of_the_dealer(client: Client, phone: str, rules: str) -> None:
    seen = client.get(phone).context["page"].mark
    assert client.get(phone, {"v": seen}).status_code == 204
    press(client, phone, 2)
    assert client.get(phone, {"v": seen}).status_code == 200
    now = client.get(phone).context["page"].mark
    assert client.get(phone, {"v": now}).status_code == 204


@pytest.mark.parametrize("rules", ["tallies"])
def test_a_phone_without_a_network_looks_ahead_from_the_dealer(
    client: Client, phone: str, table: SessionTable, rules: str
) -> None:
    press(client, phone, 2)
    told = client.get(reverse("table-ahead", args=[table.link_key])).json()
    assert told["deals"][told["states"][0][1]]["dealer"] == 2


@pytest.mark.parametrize("rules", ["tallies"])
def test_a_program_names_the_dealer(
    client: Client, cast: Cast, api: str, table: SessionTable, rules: str
) -> None:
    assert send(client, f"{api}dealer/", {"seat": 3}).status_code == 204
    assert client.get(api).json()["next_hand"]["dealer"] == 3
    assert faults(send(client, f"{api}dealer/", {"seat": 6})) == [("bad_seat", "seat")]
    assert faults(send(client, f"{api}dealer/", {"seat": 5})) == [("bad_seat", "seat")]
    desk = f"/api/v1/clubs/{cast.club.slug}/evenings/{table.session_id}/tables/1/dealer/"
    assert send(api_client(cast.scorer), desk, {"seat": 4}).status_code == 204
    assert Game.objects.get(pk=table.game_id).first_dealer == 4


@pytest.mark.parametrize("rules", ["tallies"])
def test_the_desk_names_the_dealer_and_it_is_written_down(
    client: Client, cast: Cast, table: SessionTable, rules: str
) -> None:
    client.force_login(cast.scorer)
    desk = reverse("evening-table", args=[cast.club.slug, table.session_id, 1])
    assert QUESTION in client.get(desk).content.decode()
    press(client, desk, 2)
    assert marked(client, desk) == ["S"]
    assert AuditEntry.objects.latest("pk").what == "evening-table:dealer"


@pytest.mark.parametrize("rules", ["tallies"])
def test_the_paper_sheet_that_is_typed_in_names_the_dealer(
    client: Client, cast: Cast, phone: str, table: SessionTable, rules: str
) -> None:
    press(client, phone, 2)
    client.force_login(cast.scorer)
    typed = client.get(reverse("evening-sheet", args=[cast.club.slug, table.session_id, 1]))
    page = " ".join(typed.content.decode().split())
    assert f"Deals: {name_at(table, 2)}" in page
    assert f"East: {name_at(table, 1)}" not in page


@pytest.mark.parametrize("rules", ["tallies"])
def test_where_others_sit_down_east_deals_again(
    client: Client, cast: Cast, phone: str, table: SessionTable, rules: str
) -> None:
    press(client, phone, 2)
    late = table.places.get(seat__number=3).player
    leave(session=table.session, leaver=late, goes_home=True)
    assert marked(client, phone) == ["E"]
    assert QUESTION in client.get(phone).content.decode()


def test_other_rules_make_east_deal_again(db: None) -> None:
    games = Game.objects.filter(pk=scorebook.open_game(rules="tallies", size=4).pk)
    games.update(first_dealer=2)
    scorebook.replan_games(games, rules="tallies", hands_planned=4)
    assert games.get().first_dealer == 2
    scorebook.replan_games(games, rules="bmja", hands_planned=4)
    assert games.get().first_dealer == 1


@pytest.mark.parametrize("rules", ["tallies"])
def test_the_recount_finds_another_first_dealer(client: Client, phone: str, rules: str) -> None:
    enter(client, phone, **SECOND_WINS)
    Game.objects.update(first_dealer=2)
    (difference,) = recount().differences
    assert "'dealer': 1" in difference


@pytest.mark.parametrize(("rules", "ringed"), [("tallies", [None, 3]), ("bmja", [1, 1])])
def test_paper_leaves_the_ring_to_the_dice_until_somebody_is_named(
    client: Client, phone: str, table: SessionTable, rules: str, ringed: list[int | None]
) -> None:
    before = first_line(table).east
    press(client, phone, 3)
    assert [before, first_line(table).east] == ringed


@pytest.mark.parametrize("rules", ["tallies"])
def test_the_sealed_book_holds_whoever_dealt(
    client: Client, phone: str, table: SessionTable, rules: str
) -> None:
    press(client, phone, 2)
    hand = enter(client, phone, **SECOND_WINS)
    client.post(reverse("table-undo", args=[table.link_key, hand.pk]))
    press(client, phone, 3)
    assert everything() == []
    enter(client, phone, **SECOND_WINS)
    assert everything() == []
    Game.objects.update(first_dealer=4)
    (finding,) = everything()
    assert finding.words == "first_dealer is 4, but seat 3 dealt hand 1 as sealed"
