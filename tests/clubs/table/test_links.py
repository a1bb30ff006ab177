"""Links that open tables: sealed, replaced by a press; and what a phone has kept is not lost."""

import secrets
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings as configured
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import given, strategies as st
from pytest_django.asserts import assertNumQueries

from clubs.models import Session, SessionTable, link_key
from clubs.models.people import is_own_link_key
from clubs.table.event import is_seat_key, seat_key
from clubs.table.pages.entering import entered_at
from clubs.table.services import replace_links
from scoring.scorebook.models import Agreement, Game, Hand
from scoring.table.sticks import START_POINTS
from tests.api import game_at, link_client
from tests.clubs.table.phones import TYPED, At, AtEvening, AtRound, Phone
from tests.people import Cast
from tests.tournaments.cups import STARTED, at_minute, tables, timed_cup
from tournaments.models import AtTheBell
from tournaments.steps import services as steps

LETTERS = st.characters(whitelist_categories=("Ll", "Lu", "Nd"), max_codepoint=127)
SECRET = "another key of fifty letters, made for this one test alone"


def renew(game_table: At) -> Phone:
    """A new card; the phone that has scanned it."""
    replace_links(table=game_table.event)
    game_table.row.refresh_from_db()
    return game_table.phone


def kept_hand(number: int = 1, **inputs: Any) -> dict[str, str]:
    """What a phone sends of a hand that it has kept."""
    fields = {name: str(value) for name, value in (inputs or TYPED).items()}
    return {"submission_id": str(uuid4()), "number": str(number), **fields}


def send(phone: Phone, number: int = 1, **extra_fields: str) -> Any:
    return phone.press("send/", **kept_hand(number) | extra_fields)


# Keys


def test_no_two_links_are_alike_and_each_is_sealed() -> None:
    keys = {link_key() for _ in range(1000)}
    assert len(keys) == 1000
    assert all(len(key) == 24 and is_own_link_key(key) for key in keys)


@given(st.text(LETTERS, min_size=24, max_size=24))
def test_a_forged_key_is_none_of_ours(forged_key: str) -> None:
    assert not is_own_link_key(forged_key)


def test_a_key_with_one_letter_changed_is_none_of_ours() -> None:
    key = link_key()
    for place in range(24):
        letter = "A" if key[place] != "A" else "B"
        assert not is_own_link_key(key[:place] + letter + key[place + 1 :])


def test_links_go_on_working_under_a_new_secret_key_that_names_the_old(settings: Any) -> None:
    key = link_key()
    settings.SECRET_KEY_FALLBACKS = [configured.SECRET_KEY]
    settings.SECRET_KEY = SECRET
    assert is_own_link_key(key)
    assert is_own_link_key(link_key())
    settings.SECRET_KEY_FALLBACKS = []
    assert not is_own_link_key(key)


BY_KEY = ["table", "round-table", "wall", "tournament-wall", "results", "find-me", "why-open"]
FORGED = ["A" * 24, f"12s3_{'0' * 28}", "x", "A" * 17]


@pytest.mark.parametrize(
    ("name", "forged_key"),
    [(name, forged_key) for name in BY_KEY for forged_key in FORGED]
    + [(name, "A" * 24) for name in ("calendar-feed", "standby-answer", "table-send")],
)
def test_a_forged_key_costs_no_query(client: Client, db: None, name: str, forged_key: str) -> None:
    with assertNumQueries(0):
        method = client.post if name == "table-send" else client.get
        answer = method(reverse(name, args=[forged_key]))
    assert answer.status_code == 404


def test_a_card_printed_before_links_were_sealed_opens_its_table(evening: AtEvening) -> None:
    old = secrets.token_urlsafe(12)
    SessionTable.objects.update(link_key=old)
    Session.objects.update(wall_key=old)
    evening.row.refresh_from_db()
    phone_before = evening.phone
    for name in ("table", "wall"):
        assert phone_before.client.get(reverse(name, args=[old])).status_code == 200
    renew(evening)
    assert phone_before.look().status_code == 410


def test_a_seats_link_is_known_before_the_database_is_asked(table: SessionTable) -> None:
    key = seat_key(table, 2)
    assert is_seat_key(key)
    assert not is_seat_key(key.replace("s2_", "s3_"))


# Cards replaced


def test_an_organiser_makes_a_new_card_and_reads_first_what_it_does(
    cast: Cast, game_table: At
) -> None:
    old = game_table.phone
    seat = game_table.own_phone(2)
    page = Phone(game_table.desk_url("new-link"), cast.director)
    game_table.row.refresh_from_db()
    assert "stops working straight away" in page.text()
    assert game_table.row.link_key not in page.text()
    assert old.look().status_code == 200, "looking alone changes nothing"
    assert [Phone(page.address, user).press().status_code for user in (None, cast.player)] == [
        302,
        403,
    ]
    response = page.press(follow=True)
    for void in (old.look(), seat.look(), old.look("standings/"), old.look("seats/")):
        assert void.status_code == 410
        assert "Scan the new one on your table, or ask the organiser" in void.content.decode()
    game_table.row.refresh_from_db()
    assert response.context["address"].endswith(game_table.phone.address)
    assert game_table.phone.look().status_code == 200
    assert page.client.get(response.context["card"])["Content-Type"] == "application/pdf"


def test_a_program_is_told_as_well_that_a_card_was_replaced(evening: AtEvening) -> None:
    keys = [evening.row.link_key, seat_key(evening.row, 2)]
    renew(evening)
    game = game_at(evening.row)
    for address in (game, f"{game}seats/", f"{game}result/", "/api/v1/link/"):
        answers = [link_client(key).get(address) for key in keys]
        codes = [(answer.status_code, answer.json()["problems"][0]["code"]) for answer in answers]
        assert codes == [(410, "replaced")] * 2
        assert link_client(evening.row.link_key).get(address).status_code == 200
        assert link_client(link_key()).get(address).status_code == 401


def test_a_replaced_card_writes_nothing(evening: AtEvening) -> None:
    phone = evening.phone
    form_data = phone.sheet(step="save", winner=2, score_2=60)
    renew(evening)
    assert phone.press(**form_data).status_code == 410
    assert not Hand.objects.exists()


def test_a_hand_kept_under_the_old_card_stays_on_the_phone_and_goes_with_the_new(
    evening: AtEvening,
) -> None:
    hand, phone, old = kept_hand(), evening.phone, evening.row.link_key
    renew(evening)
    new = renew(evening)
    response = phone.press("send/", **hand)
    assert response.status_code == 410
    assert "Hands saved on this phone are not lost" in response.json()["page"]
    assert new.look(f"formerly/{old}/").status_code == 204
    assert [new.press("send/", **hand).status_code for _ in range(2)] == [201, 200]
    assert Hand.objects.count() == 1


def test_a_table_takes_nothing_over_from_another(evening: AtEvening) -> None:
    new = renew(evening)
    for other_key in (link_key(), "nothing", evening.row.link_key[::-1]):
        assert new.look(f"formerly/{other_key}/").status_code == 404


# Cards of a round


def test_the_next_round_has_other_links(round_: AtRound) -> None:
    keys = [table.link_key for number in (1, 2) for table in tables(round_.cup, number)]
    assert len(set(keys)) == len(keys) == 2


@pytest.mark.parametrize("seat", [None, 2])
def test_the_link_of_a_closed_round_reads_and_writes_no_hand(
    round_: AtRound, seat: int | None
) -> None:
    phone = round_.own_phone(seat) if seat else round_.phone
    form_data = phone.sheet(step="save", winner=2, score_2=60)
    round_.close()
    hands_before = list(Hand.objects.values_list("pk", "is_current"))
    assert phone.look().status_code == phone.look("standings/").status_code == 200
    phone.press(**form_data)
    assert send(phone, 3).status_code == 403
    phone.press(f"hands/{Hand.objects.latest('pk').pk}/undo/", sent="yes")
    assert list(Hand.objects.values_list("pk", "is_current")) == hands_before


def test_a_closed_rounds_card_opens_no_table_of_the_next(round_: AtRound) -> None:
    round_.close()
    steps.start_round(tournament=round_.cup)
    send(round_.phone)
    assert not Hand.objects.filter(game__tournament_table__round__number=2).exists()
    assert not Agreement.objects.filter(hand__game__tournament_table__round__number=2).exists()


@pytest.mark.parametrize(
    ("at_the_bell", "minute", "entries", "answers"),
    [
        # What was entered before the bell counts whenever it arrives; what was long after does not.
        *((bell, 90, [(1, 20), (2, 20), (3, 20)], [201] * 3) for bell in AtTheBell.values),
        (AtTheBell.STOP, 95, [(1, 5)], [403]),
        # The hand on the table at the bell counts after those before it.
        (AtTheBell.FINISH, 90, [(1, 20), (2, 18), (3, 10), (4, 2)], [201, 201, 201, 403]),
    ],
)
def test_a_hand_kept_while_the_bell_rang_counts_by_when_it_was_entered(
    db: None, at_the_bell: str, minute: int, entries: list[tuple[int, int]], answers: list[int]
) -> None:
    round_table = AtRound(tables(timed_cup(at_the_bell=at_the_bell))[0])
    with at_minute(minute):
        drawn_hands = [
            kept_hand(number, winner="nobody") | {"kept_for": f"{60 * ago}"}
            for number, ago in entries
        ]
        assert [
            round_table.phone.press("send/", **hand).status_code for hand in drawn_hands
        ] == answers
    entry_minutes = {(hand.sent_at - STARTED).total_seconds() / 60 for hand in Hand.objects.all()}
    outcomes = zip(entries, answers, strict=True)
    assert entry_minutes == {minute - ago for (_, ago), status in outcomes if status == 201}


# Hands that a phone kept without a network


def test_a_kept_hand_is_saved_once_and_its_seat_has_agreed(game_table: At) -> None:
    hand, own_phone = kept_hand(), game_table.own_phone(2)
    answers = [own_phone.press("send/", **hand) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 200, 200]
    assert answers[0].json() == {"saved": hand["submission_id"], "number": 1}
    assert {answer.json()["saved"] for answer in answers} == {hand["submission_id"]}
    stored_hand = Hand.objects.get()
    assert stored_hand.gains == {1: -64, 2: 240, 3: -80, 4: -96}
    assert [agreement.seat for agreement in stored_hand.agreements.all()] == [2]


@pytest.mark.parametrize(
    ("table_class", "hand_count", "queries"),
    [(AtEvening, 0, 14), (AtEvening, 3, 14), (AtRound, 0, 16), (AtRound, 1, 16)],
)
def test_a_kept_hand_is_saved_without_reading_names_or_the_hands_before_it(
    cast: Cast, table_class: type[AtEvening | AtRound], hand_count: int, queries: int
) -> None:
    phone = table_class.create(cast).phone
    for number in range(1, hand_count + 1):
        send(phone, number)
    with assertNumQueries(queries):
        assert send(phone, hand_count + 1).status_code == 201


def test_at_a_table_of_five_a_kept_hand_is_of_the_four_who_play(cast: Cast) -> None:
    phone = AtEvening.create(cast, players=5).phone
    statuses = [send(phone, number, winner="nobody").status_code for number in range(1, 4)]
    waits = next(chair.key for chair in phone.look().context["square"] if not chair.plays)
    resting = send(phone, 4, winner=waits)
    assert resting.json()["problems"]["winner"][0]["message"] == (
        "Choose one of the players of this hand."
    )
    assert [*statuses, resting.status_code] == [201, 201, 201, 422]


def test_a_kept_hand_in_sticks_is_set_against_what_each_had(phone: Phone) -> None:
    send(phone)
    gains = {1: -100, 2: 300, 3: -100, 4: -100}
    counts = {
        f"count_{seat}": START_POINTS + points + gains[seat]
        for seat, points in Hand.objects.get().gains.items()
    }
    sticks = kept_hand(2, way="tallies", winner=2, as_counted="on", **counts)
    assert phone.press("send/", **sticks).status_code == 201
    assert Hand.objects.get(number=2).gains == gains


def test_equal_figures_from_another_phone_are_one_hand(phone: Phone) -> None:
    send(phone)
    second = kept_hand()
    answer = phone.press("send/", **second)
    assert (answer.status_code, answer.json()["saved"]) == (200, second["submission_id"])
    assert Hand.objects.count() == 1


def test_what_stands_is_shown_and_not_written_over(phone: Phone) -> None:
    send(phone)
    answer = send(phone, score_1="22")
    assert answer.status_code == 409
    html = answer.json()["page"]
    assert "Hand 1 was already entered" in html
    assert f"{phone.address}hands/{Hand.objects.get().pk}/dispute/" in html
    assert Hand.objects.get().gains == {1: -64, 2: 240, 3: -80, 4: -96}


def test_a_hand_put_right_elsewhere_is_saved_whatever_the_phone_still_has(phone: Phone) -> None:
    key = str(uuid4())
    assert send(phone, submission_id=key, put_right="1").status_code == 201
    assert send(phone, submission_id=key, score_2="61").status_code == 409
    answer = send(phone, submission_id=key, score_2="61", put_right="1")
    assert (answer.status_code, answer.json()["number"]) == (200, 1)
    assert Hand.objects.get().gains == {1: -64, 2: 240, 3: -80, 4: -96}


def test_what_cannot_be_is_refused_with_its_sentence(phone: Phone) -> None:
    answer = send(phone, score_2="61")
    assert answer.status_code == 422
    assert "61 cannot be scored" in answer.json()["problems"]["score_2"][0]["message"]
    assert "Edit hand 1" in answer.json()["page"]
    no_winner_answer = phone.press("send/", **kept_hand(score_1="4"))
    assert no_winner_answer.status_code == 422
    assert (
        "Choose who went Mah-Jong, or choose “Nobody (drawn hand)”."
        in no_winner_answer.json()["page"]
    )
    unscored_answer = phone.press("send/", **kept_hand(winner=2, score_1=4))
    name = phone.page.view.names[2]
    message = f"Enter what {name} scored for the Mah-Jong."
    assert message in unscored_answer.json()["problems"]["score_2"][0]["message"]
    late_answer = send(phone, 3)
    assert late_answer.status_code == 422
    assert 'name="number" value="1"' in late_answer.json()["page"], "it may be changed to the next"


def test_what_is_over_takes_no_kept_hand(game_table: At) -> None:
    game_table.finish()
    count_before = Hand.objects.count()
    answer = send(game_table.phone)
    assert answer.status_code == 403
    assert "Try again" in answer.json()["page"]
    assert Hand.objects.count() == count_before


def test_a_hand_that_was_taken_back_stays_taken_back(phone: Phone) -> None:
    hand = kept_hand()
    phone.press("send/", **hand)
    phone.press(f"hands/{Hand.objects.get().pk}/undo/")
    answer = phone.press("send/", **hand)
    assert (answer.status_code, answer.json()["saved"]) == (200, hand["submission_id"])
    assert not Hand.objects.get().is_current
    assert "was undone at" in phone.text()


def test_an_old_page_needs_no_token_the_link_is_the_key(phone: Phone) -> None:
    phone.client = Client(enforce_csrf_checks=True)
    assert phone.press(**kept_hand()).status_code == 403
    assert send(phone).status_code == 201


def test_the_time_of_a_kept_hand_is_when_it_was_entered(phone: Phone) -> None:
    send(phone, kept_for="600")
    ago = timezone.now() - Hand.objects.get().sent_at
    assert timedelta(minutes=10) <= ago < timedelta(minutes=11)


@pytest.mark.parametrize(
    ("kept_for", "hours"),
    [("", 0), ("-5", 0), ("1e9", 0), ("9999999", 0), ("soon", 0), ("999999", 12)],
)
def test_a_nonsense_time_is_now_and_none_is_older_than_half_a_day(
    kept_for: str, hours: int
) -> None:
    now = timezone.now()
    assert entered_at(kept_for, now=now) == now - timedelta(hours=hours)


# What a phone knows without a network


def test_the_page_says_where_the_table_stands(phone: Phone) -> None:
    send(phone)
    now, states = phone.page.now, phone.look("ahead/").json()["states"]
    assert (now["number"], now["left"], now["race"]) == (2, None, False)
    assert now["key"] == states[0][0]
    assert now["chairs"] == {"1": 1, "2": 2, "3": 3, "4": 4}


def test_there_is_a_form_for_every_deal_ahead(phone: Phone) -> None:
    with assertNumQueries(4):
        ahead = phone.look("ahead/").json()
    needed_forms = {f"{deal['winds']}.{deal['dealer']}" for deal in ahead["deals"]}
    assert set(ahead["forms"]) == needed_forms
    assert len(needed_forms) == 4
    assert (
        set(ahead["prevailing"]) == {deal["prevailing"] for deal in ahead["deals"]} == set("ESWN")
    )
    # Each names the seats under their winds.
    form = ahead["forms"]["1N2E3S4W.2"]
    rows = form[form.index('class="entry') :]
    places = [rows.index(f"score_{seat}") for seat in (2, 3, 4, 1)]
    assert places == sorted(places)


def test_what_is_told_ahead_is_told_anew_when_a_name_changes(
    table: SessionTable, phone: Phone
) -> None:
    version_before = phone.page.now["version"]
    player = table.places.all()[0].player
    player.name = "Someone Else"
    player.save()
    assert phone.page.now["version"] != version_before


def test_a_game_of_so_many_hands_says_how_many_are_left(phone: Phone) -> None:
    Game.objects.update(hands_planned=2)
    send(phone)
    assert phone.page.now["left"] == 1
    send(phone, 2)
    assert phone.look("ahead/").status_code == 204
    assert phone.page.now == {}


def test_a_race_says_that_its_end_is_not_known(phone: Phone) -> None:
    Game.objects.update(rules="baggaley/2007")
    assert phone.page.now["race"]


@pytest.mark.parametrize("name", ["table-worker", "round-table-worker"])
def test_the_worker_is_served_beside_the_links(client: Client, name: str) -> None:
    answer = client.get(reverse(name))
    assert answer["Content-Type"] == "text/javascript"
    assert b"outbox-send" in answer.content
