"""At the table a hand is told by scores, by counted sticks or by its winner, as the club likes."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from clubs.models import SessionTable
from scoring.scorebook.models import Hand, TappedHand
from scoring.scorebook.verifying import recount
from tests.api import api_client, send, told
from tests.clubs.tables import seated_evening, sheet
from tests.people import PASSWORD, Cast
from tests.tournaments.cups import seated_tournament
from tournaments.models import Table, Tournament

SOUTH_WINS: dict[str, str | int] = {
    "winner": 2, "score_1": 20, "score_2": 60, "score_3": 8, "score_4": 4
}  # fmt: skip
COUNTED: dict[str, str | int] = {
    "way": "tallies",
    "winner": 2,
    "count_1": 1936,
    "count_2": 2240,
    "count_3": 1920,
    "count_4": 1904,
}
UNEXPLAINED = COUNTED | {"count_2": 2242, "count_4": 1902}


def names(table: SessionTable) -> dict[int, str]:
    places = table.places.select_related("player", "seat")
    return {place.seat.number: place.player.name for place in places}


def enter(client: Client, phone: str, **typed: str | int) -> Hand:
    answer = client.post(phone, sheet(client.get(phone), step="save", **typed))
    hand = Hand.objects.latest("pk")
    assert (answer.status_code, answer["Location"]) == (302, f"{phone}?saved={hand.number}")
    return hand


# The ways, and the way from one to another


def test_a_page_begins_with_the_clubs_way(client: Client, cast: Cast, phone: str) -> None:
    assert client.get(phone).context["form"].told_by == "totals"
    cast.club.record_by = "tallies"
    cast.club.save()
    assert client.get(phone).context["form"].told_by == "tallies"


def test_one_tap_chooses_another_way_and_keeps_what_was_typed(client: Client, phone: str) -> None:
    typed = sheet(client.get(phone), step="tell:tallies", winner=2, score_2=60)
    page = client.post(phone, typed)
    form = page.context["form"]
    assert (form.told_by, form["winner"].value(), form.kept) == ("tallies", "2", {"score_2": "60"})
    assert form["submission_id"].value() == typed["submission_id"]
    assertContains(page, "had 2,000", count=4)
    back = client.post(phone, sheet(page, step="tell:totals", **form.kept)).context["form"]
    assert back["score_2"].value() == "60"


def test_the_way_is_remembered_through_check_and_change(client: Client, phone: str) -> None:
    page = client.post(phone, sheet(client.get(phone), **COUNTED))
    carried = page.context["form"].typed
    changed = client.post(phone, {**carried, "step": "change"}).context["form"]
    assert (changed.told_by, changed["count_2"].value()) == ("tallies", "2240")
    client.post(phone, {**carried, "step": "save"})
    assert Hand.objects.get().report["tallies"] == {"1": 1936, "2": 2240, "3": 1920, "4": 1904}
    assert client.get(phone).context["form"].told_by == "totals"


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (SOUTH_WINS | {"score_2": 62}, "Scored"),
        (COUNTED, "Has now"),
        ({"way": "winner", "winner": 3}, "No points are recorded."),
    ],
)
def test_whoever_enters_a_hand_second_reads_it_in_the_way_it_was_entered(
    client: Client, phone: str, typed: dict[str, str | int], words: str
) -> None:
    first, second = client.get(phone), client.get(phone)
    client.post(phone, sheet(first, step="save", **SOUTH_WINS))
    page = client.post(phone, sheet(second, step="save", **typed))
    assert page.status_code == 409
    assert words in page.content.decode().partition("What you entered")[2]


# Counted sticks


def test_counted_sticks_are_settled_and_shown_before_they_are_saved(
    client: Client, phone: str
) -> None:
    page = client.post(phone, sheet(client.get(phone), **COUNTED))
    assert [line.gain for line in page.context["hand"].lines] == [-64, 240, -80, -96]
    assertContains(page, "Mah-Jong</span> with 60")
    assertContains(page, "Has now")
    assert enter(client, phone, **COUNTED).scores == {2: 60}
    assert recount().differences == ()


def test_the_next_count_begins_with_the_last(client: Client, phone: str) -> None:
    enter(client, phone, **COUNTED)
    page = client.post(phone, sheet(client.get(phone), step="tell:tallies"))
    assert [had for _, _, had in page.context["form"].counts] == [2240, 1920, 1904, 1936]


def test_one_tap_puts_the_count_right_that_does_not_fit(client: Client, phone: str) -> None:
    typed = sheet(client.get(phone), **COUNTED | {"count_4": 1894})
    page = client.post(phone, typed)
    assertContains(page, "10 are missing", status_code=422)
    ((put, figure),) = page.context["form"].guesses["count_4"]
    assert figure == 1904
    again = client.post(phone, {**typed, "put": put})
    assert again.context["hand"].row.gains == {1: -64, 2: 240, 3: -80, 4: -96}


def test_counts_without_scores_are_saved_at_the_second_look(client: Client, phone: str) -> None:
    typed = sheet(client.get(phone), **UNEXPLAINED)
    page = client.post(phone, typed)
    assertContains(page, "The counts are right", status_code=422)
    checked = client.post(phone, {**typed, "as_counted": "on"})
    assertContains(checked, "so they were saved as counted")
    client.post(phone, {**checked.context["form"].typed, "step": "save"})
    assert Hand.objects.get().gains == {1: -64, 2: 242, 3: -80, 4: -98}
    assertContains(client.get(phone), "went Mah-Jong")


def test_at_a_table_of_five_four_count(client: Client, cast: Cast) -> None:
    table = seated_evening(cast.club, players=5).tables.get()
    phone = reverse("table", args=[table.link_key])
    page = client.post(phone, sheet(client.get(phone), step="tell:tallies"))
    assert len(list(page.context["form"].counts)) == 4
    assert enter(client, phone, **COUNTED).gains == {1: -64, 2: 240, 3: -80, 4: -96}


def test_the_points_on_the_table_are_where_a_tournaments_counts_begin(
    client: Client, cast: Cast
) -> None:
    tournament = seated_tournament(cast.club)
    Tournament.objects.update(start_stake=1000, record_by="tallies")
    key = Table.objects.get(round__tournament=tournament, round__number=1).link_key
    phone = reverse("round-table", args=[key])
    assertContains(client.get(phone), "had 1,000", count=4)
    counts = {"count_1": 936, "count_2": 1240, "count_3": 920, "count_4": 904}
    assert enter(client, phone, **COUNTED | counts).gains == {1: -64, 2: 240, 3: -80, 4: -96}


def test_a_counted_hand_is_corrected_as_it_was_told(client: Client, cast: Cast, phone: str) -> None:
    hand = enter(client, phone, **COUNTED)
    client.login(username=cast.scorer.email, password=PASSWORD)
    where = ["riverside", hand.game.session_table.session_id, 1, hand.pk]
    address = reverse("evening-hand", args=where)
    form = client.get(address).context["form"]
    assert (form.told_by, form["count_4"].value()) == ("tallies", 1904)
    right = COUNTED | {"count_1": 1932, "count_4": 1908, "reason": "Margaret had miscounted"}
    client.post(address, {**right, "as_counted": "on", "step": "save"})
    assert Hand.objects.get(is_current=True).gains == {1: -68, 2: 240, 3: -80, 4: -92}
    assert recount().differences == ()


# Only the winner


def test_only_the_winner_takes_two_presses(client: Client, cast: Cast, phone: str) -> None:
    cast.club.record_by = "winner"
    cast.club.save()
    page = client.post(phone, sheet(client.get(phone), winner=2))
    assertContains(page, "no points are recorded for this hand")
    hand = enter(client, phone, winner=2)
    assert hand.report == {"winner": 2, "only_winner": True}
    assert client.get(phone).context["deal"].dealer == 2
    assertContains(client.get(phone), "Only the winner was entered")


@pytest.mark.parametrize(
    "typed", [{"way": "winner", "winner": 2}, COUNTED], ids=["winner", "sticks"]
)
def test_tiles_that_were_tapped_are_put_aside_where_a_hand_is_told_otherwise(
    client: Client, table: SessionTable, phone: str, typed: dict[str, str | int]
) -> None:
    TappedHand.objects.create(game=table.game, number=1, seat=2, draft="SE.B111..won")
    page = client.post(phone, sheet(client.get(phone), **typed))
    saved = client.post(phone, {**page.context["form"].typed, "step": "save"})
    assertRedirects(saved, f"{phone}?saved=1")
    assert "tiles" not in Hand.objects.get().report
    assert not TappedHand.objects.exists()


# Sentences and sticks


def test_the_hand_is_said_in_sentences_before_it_is_saved(
    client: Client, table: SessionTable, phone: str
) -> None:
    page = client.post(phone, sheet(client.get(phone), **SOUTH_WINS))
    east, south, west, north = (names(table)[seat] for seat in (1, 2, 3, 4))
    assert page.context["said"] == [
        f"{east} pays {south} 120; {west} and {north} pay 60 each.",
        f"{west} pays {east} 24.",
        f"{north} pays {east} 32 and {west} 4.",
    ]


def test_one_who_pays_for_everybody_is_said_to(client: Client, table: SessionTable) -> None:
    phone = reverse("table", args=[table.link_key])
    page = client.post(phone, sheet(client.get(phone), **SOUTH_WINS, pays_for_all=3))
    west, south = names(table)[3], names(table)[2]
    assert page.context["said"] == [f"{west} pays {south} 240, for everyone."]


def test_it_is_said_which_sticks_to_pass(client: Client, table: SessionTable, phone: str) -> None:
    page = client.post(phone, sheet(client.get(phone), **SOUTH_WINS))
    east, south = names(table)[1], names(table)[2]
    assertContains(page, f"{east} gives {south} 1\xa0×\xa0100, 2\xa0×\xa010.")


def test_sticks_that_were_counted_are_not_passed_again(client: Client, phone: str) -> None:
    assertNotContains(
        client.post(phone, sheet(client.get(phone), **COUNTED)), "Which sticks to pass"
    )


# Slips


def test_an_impossible_total_has_the_nearest_ones_as_buttons(client: Client, phone: str) -> None:
    typed = sheet(client.get(phone), **SOUTH_WINS | {"score_3": 65})
    page = client.post(phone, typed)
    assert page.status_code == 422
    assert [figure for _, figure in page.context["form"].guesses["score_3"]] == [56, 64, 66]
    assertContains(page, "Perhaps two digits were swapped (56).", status_code=422)
    again = client.post(phone, {**typed, "put": "score_3:56"})
    assert again.context["hand"].row.scores[3] == 56


def test_a_hand_with_four_totals_takes_three_presses_beyond_its_fields(
    client: Client, phone: str
) -> None:
    """Winner and four fields are five taps; check, save and agree make eight, of twelve."""
    checked = client.post(phone, sheet(client.get(phone), **SOUTH_WINS))
    saved = client.post(phone, {**checked.context["form"].typed, "step": "save"})
    assertRedirects(saved, f"{phone}?saved=1")
    assertContains(client.get(phone), "All agree")


# What the club and the tournament choose


def test_the_secretary_chooses_how_hands_are_told(client: Client, cast: Cast) -> None:
    client.login(username=cast.secretary.email, password=PASSWORD)
    address = reverse("club-rules", args=["riverside"])
    client.post(address, {"rules": "bmja", "record_by": "winner", "agreement": "two"})
    cast.club.refresh_from_db()
    assert (cast.club.record_by, cast.club.agreement) == ("winner", "two")


def test_a_club_where_nobody_pays_counts_no_sticks(client: Client, cast: Cast) -> None:
    client.login(username=cast.secretary.email, password=PASSWORD)
    address = reverse("club-rules", args=["riverside"])
    page = client.post(address, {"rules": "safalra", "record_by": "tallies", "agreement": "all"})
    assertContains(page, "so you cannot count sticks", status_code=422)


def test_a_tournaments_running_tables_follow_its_agreement(client: Client, cast: Cast) -> None:
    tournament = seated_tournament(cast.club)
    client.login(username=cast.director.email, password=PASSWORD)
    address = reverse("tournament-settings", args=["riverside", tournament.pk])
    form = client.get(address).context["form"]
    sent = {field.html_name: field.value() for field in form if field.value() is not None}
    client.post(address, {**sent, "record_by": "winner", "agreement": "scorer"})
    tournament.refresh_from_db()
    assert (tournament.record_by, tournament.agreement) == ("winner", "scorer")
    agreed = Table.objects.filter(round__tournament=tournament).values_list("game__agreement")
    assert set(agreed) == {("scorer",)}


# Other programs


def test_other_programs_tell_sticks_and_winners(cast: Cast, table: SessionTable) -> None:
    address = f"/api/v1/clubs/riverside/evenings/{table.session_id}/tables/1/"
    scorer = api_client(cast.scorer)
    tallies = {"1": 1936, "2": 2240, "3": 1920, "4": 1904}
    first = told(1, winner=2, tallies=tallies)
    first.pop("scores", None)
    kept = send(scorer, address, first)
    assert (kept.status_code, kept.json()["told_by"]) == (201, "tallies")
    assert kept.json()["gains"] == {"1": -64, "2": 240, "3": -80, "4": -96}
    assert send(scorer, address, first).status_code == 200
    second = {**first, "number": 2, "only_winner": True, "winner": 3}
    second.pop("tallies")
    second["submission_id"] = "0b9c3d64-3f0e-4a55-8a53-6f1f2c1f9d11"
    assert send(scorer, address, second).json()["told_by"] == "winner"
    assert recount().differences == ()
