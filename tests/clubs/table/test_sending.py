"""Hands that a phone kept without a network: sent once, never written over what stands."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.evenings.services import evenings
from clubs.models import SessionTable
from clubs.table.event import seat_key
from clubs.table.pages.entering import entered_at
from scoring.scorebook.models import Game, Hand

SOUTH_WINS = {"winner": "2", "score_1": "20", "score_2": "60", "score_3": "8", "score_4": "4"}


@pytest.fixture
def link(table: SessionTable) -> str:
    return reverse("table", args=[table.link_key])


def kept(number: int = 1, **typed: str) -> dict[str, str]:
    """What a phone sends of a hand that it has kept."""
    typed = typed or SOUTH_WINS
    return {"submission_id": str(uuid4()), "number": str(number), **typed}


def test_a_kept_hand_is_saved(client: Client, link: str) -> None:
    hand = kept()
    answer = client.post(f"{link}send/", hand)
    assert (answer.status_code, answer.json()) == (
        201,
        {"saved": hand["submission_id"], "number": 1},
    )
    assert Hand.objects.get().gains == {1: -64, 2: 240, 3: -80, 4: -96}


def test_the_same_hand_sent_again_is_one_hand(client: Client, link: str) -> None:
    hand = kept()
    answers = [client.post(f"{link}send/", hand) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 200, 200]
    assert {answer.json()["saved"] for answer in answers} == {hand["submission_id"]}
    assert Hand.objects.count() == 1


def test_equal_figures_from_another_phone_are_one_hand(client: Client, link: str) -> None:
    client.post(f"{link}send/", kept())
    second = kept()
    answer = client.post(f"{link}send/", second)
    assert (answer.status_code, answer.json()["saved"]) == (200, second["submission_id"])
    assert Hand.objects.count() == 1


def test_what_stands_is_shown_and_not_written_over(client: Client, link: str) -> None:
    client.post(f"{link}send/", kept())
    answer = client.post(f"{link}send/", kept() | {"score_1": "22"})
    assert answer.status_code == 409
    shown = answer.json()["page"]
    assert "Hand 1 was already entered" in shown
    assert reverse("table-dispute", args=[link.split("/")[2], Hand.objects.get().pk]) in shown
    assert Hand.objects.get().gains == {1: -64, 2: 240, 3: -80, 4: -96}


def test_an_impossible_total_is_refused_with_its_sentence(client: Client, link: str) -> None:
    answer = client.post(f"{link}send/", kept() | {"score_2": "61"})
    assert answer.status_code == 422
    assert "61 cannot be scored" in answer.json()["problems"]["score_2"][0]["message"]
    assert "Edit hand 1" in answer.json()["page"]


def test_nobody_chosen_is_refused_with_its_sentence(client: Client, link: str) -> None:
    answer = client.post(f"{link}send/", kept(score_1="4"))
    assert answer.status_code == 422
    assert "Choose who went Mah-Jong, or choose “Nobody (drawn hand)”." in answer.json()["page"]


def test_a_hand_out_of_turn_may_be_changed_to_the_next(client: Client, link: str) -> None:
    answer = client.post(f"{link}send/", kept(3))
    assert answer.status_code == 422
    assert 'name="number" value="1"' in answer.json()["page"]


def test_a_finished_evening_takes_no_hand(client: Client, table: SessionTable, link: str) -> None:
    evenings.close_session(session=table.session)
    answer = client.post(f"{link}send/", kept())
    assert answer.status_code == 403
    assert "Try again" in answer.json()["page"]


def test_a_hand_that_was_taken_back_stays_taken_back(client: Client, link: str) -> None:
    hand = kept()
    client.post(f"{link}send/", hand)
    client.post(f"{link}hands/{Hand.objects.get().pk}/undo/")
    answer = client.post(f"{link}send/", hand)
    assert (answer.status_code, answer.json()["saved"]) == (200, hand["submission_id"])
    assert not Hand.objects.get().is_current
    assert "was undone at" in client.get(link).content.decode()


def test_an_old_page_needs_no_token_the_link_is_the_key(link: str) -> None:
    guarded = Client(enforce_csrf_checks=True)
    assert guarded.post(link, kept()).status_code == 403
    assert guarded.post(f"{link}send/", kept()).status_code == 201


def test_a_link_that_opens_nothing_saves_nothing(client: Client, link: str) -> None:
    assert client.post(f"{link[:-3]}xy/send/", kept()).status_code == 404


def test_the_seat_that_sends_has_agreed(client: Client, table: SessionTable) -> None:
    answer = client.post(reverse("table-send", args=[seat_key(table, 2)]), kept())
    assert answer.status_code == 201
    assert [told.seat for told in Hand.objects.get().agreements.all()] == [2]


def test_the_time_of_a_kept_hand_is_when_it_was_entered(client: Client, link: str) -> None:
    client.post(f"{link}send/", {**kept(), "kept_for": "600"})
    ago = timezone.now() - Hand.objects.get().sent_at
    assert timedelta(minutes=10) <= ago < timedelta(minutes=11)


@pytest.mark.parametrize("nonsense", ["", "-5", "1e9", "9999999", "soon"])
def test_a_nonsense_time_is_now(nonsense: str) -> None:
    now = timezone.now()
    assert entered_at(nonsense, now=now) == now


def test_no_hand_is_older_than_half_a_day() -> None:
    now = timezone.now()
    assert entered_at("999999", now=now) == now - timedelta(hours=12)


def test_the_page_says_where_the_table_stands(client: Client, link: str) -> None:
    client.post(f"{link}send/", kept())
    now = client.get(link).context["page"].now
    states = client.get(f"{link}ahead/").json()["states"]
    assert (now["number"], now["left"], now["race"]) == (2, None, False)
    assert now["key"] == states[0][0]
    assert now["chairs"] == {"1": 1, "2": 2, "3": 3, "4": 4}


def test_there_is_a_form_for_every_deal_ahead(client: Client, link: str) -> None:
    told = client.get(f"{link}ahead/").json()
    needed = {f"{deal['winds']}.{deal['dealer']}" for deal in told["deals"]}
    assert set(told["forms"]) == needed
    assert len(needed) == 4
    assert set(told["prevailing"]) == {deal["prevailing"] for deal in told["deals"]} == set("ESWN")


def test_the_forms_ahead_name_each_seat_under_its_wind(client: Client, link: str) -> None:
    form = client.get(f"{link}ahead/").json()["forms"]["1N2E3S4W.2"]
    rows = form[form.index('class="entry') :]
    assert [rows.index(f"score_{seat}") for seat in (2, 3, 4, 1)] == sorted(
        rows.index(f"score_{seat}") for seat in (1, 2, 3, 4)
    )


def test_what_is_told_ahead_is_told_anew_when_a_name_changes(
    client: Client, table: SessionTable, link: str
) -> None:
    before = client.get(link).context["page"].now["version"]
    player = table.places.all()[0].player
    player.name = "Someone Else"
    player.save()
    assert client.get(link).context["page"].now["version"] != before


def test_a_game_of_so_many_hands_says_how_many_are_left(client: Client, link: str) -> None:
    Game.objects.update(hands_planned=2)
    client.post(f"{link}send/", kept())
    assert client.get(link).context["page"].now["left"] == 1
    client.post(f"{link}send/", kept(2))
    assert client.get(f"{link}ahead/").status_code == 204
    assert client.get(link).context["page"].now == {}


def test_a_race_says_that_its_end_is_not_known(client: Client, link: str) -> None:
    Game.objects.update(rules="baggaley/2007")
    assert client.get(link).context["page"].now["race"]


@pytest.mark.parametrize("name", ["table-worker", "round-table-worker"])
def test_the_worker_is_served_beside_the_links(client: Client, name: str) -> None:
    answer = client.get(reverse(name))
    assert answer["Content-Type"] == "text/javascript"
    assert b"outbox-send" in answer.content


def test_what_comes_ahead_takes_few_queries(
    client: Client, link: str, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(4):
        client.get(f"{link}ahead/")
