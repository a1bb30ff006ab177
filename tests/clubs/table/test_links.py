"""Links that open tables: sealed, replaced by a press, and what a phone has kept is not lost."""

import secrets
from typing import Any

import pytest
from django.conf import settings as configured
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from hypothesis import given, strategies as st

from clubs.models import Session, SessionTable, User, link_key
from clubs.models.accounts import is_ours
from clubs.table.event import is_a_seat, seat_key
from clubs.table.services import replace_link
from scoring.scorebook.models import Hand
from tests.clubs.table.test_sending import kept
from tests.clubs.tables import sheet
from tests.people import Cast

LETTERS = st.characters(whitelist_categories=("Ll", "Lu", "Nd"), max_codepoint=127)
SECRET = "another key of fifty letters, made for this one test alone"


def renew(table: SessionTable) -> SessionTable:
    replace_link(table=table, club=table.session.club)
    return SessionTable.objects.get(pk=table.pk)


def test_no_two_links_are_alike_and_each_is_sealed() -> None:
    keys = {link_key() for _ in range(1000)}
    assert len(keys) == 1000
    assert all(len(key) == 24 and is_ours(key) for key in keys)


@given(st.text(LETTERS, min_size=24, max_size=24))
def test_a_forged_key_is_none_of_ours(forged: str) -> None:
    assert not is_ours(forged)


def test_a_key_with_one_letter_changed_is_none_of_ours() -> None:
    key = link_key()
    for place in range(24):
        other = "A" if key[place] != "A" else "B"
        assert not is_ours(key[:place] + other + key[place + 1 :])


def test_links_go_on_working_under_a_new_secret_key_that_names_the_old(settings: Any) -> None:
    key = link_key()
    settings.SECRET_KEY_FALLBACKS = [configured.SECRET_KEY]
    settings.SECRET_KEY = SECRET
    assert is_ours(key)
    assert is_ours(link_key())
    settings.SECRET_KEY_FALLBACKS = []
    assert not is_ours(key)


@pytest.mark.parametrize(
    "name", ["table", "round-table", "wall", "tournament-wall", "results", "find-me", "why-open"]
)
@pytest.mark.parametrize("forged", ["A" * 24, f"12s3_{'0' * 28}", "x", "A" * 17])
def test_a_forged_key_costs_no_query(client: Client, db: None, name: str, forged: str) -> None:
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(reverse(name, args=[forged]))
    assert (answer.status_code, len(asked)) == (404, 0)


@pytest.mark.parametrize("name", ["calendar-feed", "standby-answer", "table-send"])
def test_a_forged_key_costs_no_query_elsewhere(client: Client, db: None, name: str) -> None:
    with CaptureQueriesContext(connection) as asked:
        method = client.post if name == "table-send" else client.get
        answer = method(reverse(name, args=["A" * 24]))
    assert (answer.status_code, len(asked)) == (404, 0)


def test_a_card_printed_before_links_were_sealed_opens_its_table(
    client: Client, table: SessionTable
) -> None:
    old = secrets.token_urlsafe(12)
    SessionTable.objects.filter(pk=table.pk).update(link_key=old)
    Session.objects.update(wall_key=old)
    for name in ("table", "wall"):
        assert client.get(reverse(name, args=[old])).status_code == 200
    renew(SessionTable.objects.get(pk=table.pk))
    assert client.get(reverse("table", args=[old])).status_code == 410


def test_a_seats_link_is_known_before_the_database_is_asked(table: SessionTable) -> None:
    key = seat_key(table, 2)
    assert is_a_seat(key)
    assert not is_a_seat(key.replace("s2_", "s3_"))


def test_a_replaced_card_says_so_and_the_new_one_opens_the_table(
    client: Client, table: SessionTable, phone: str
) -> None:
    seat = reverse("table", args=[seat_key(table, 2)])
    new = renew(table)
    for void in (phone, seat, f"{phone}standings/", f"{phone}seats/"):
        answer = client.get(void)
        assert answer.status_code == 410
        assert "Scan the new one on your table or ask the director" in answer.content.decode()
    assert client.get(reverse("table", args=[new.link_key])).status_code == 200


def test_a_program_is_told_as_well_that_a_card_was_replaced(
    client: Client, cast: Cast, table: SessionTable
) -> None:
    keys = [table.link_key, seat_key(table, 2)]
    stands = renew(table).link_key
    for name in ("api-table", "api-table-seats", "api-table-standings"):
        answers = [client.get(reverse(name, args=[key])) for key in keys]
        told = [(answer.status_code, answer.json()["problems"][0]["code"]) for answer in answers]
        assert told == [(410, "replaced")] * 2
        assert client.get(reverse(name, args=[stands])).status_code == 200
    assert client.get(reverse("api-table", args=[link_key()])).status_code == 404


def test_a_replaced_card_writes_nothing(client: Client, table: SessionTable, phone: str) -> None:
    typed = sheet(client.get(phone), step="save", winner=2, score_2=60)
    renew(table)
    assert client.post(phone, typed).status_code == 410
    assert not Hand.objects.exists()


def test_a_hand_kept_under_the_old_card_stays_on_the_phone_and_goes_with_the_new(
    client: Client, table: SessionTable, phone: str
) -> None:
    hand, old = kept(), table.link_key
    table = renew(renew(table))
    refused = client.post(f"{phone}send/", hand)
    assert refused.status_code == 410
    assert "Hands saved on this phone are not lost" in refused.json()["page"]
    new = reverse("table", args=[table.link_key])
    assert client.get(f"{new}formerly/{old}/").status_code == 204
    answers = [client.post(f"{new}send/", hand) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 200]
    assert Hand.objects.count() == 1


def test_a_table_takes_nothing_over_from_another(client: Client, table: SessionTable) -> None:
    new = reverse("table", args=[renew(table).link_key])
    for other in (link_key(), "nothing", table.link_key[::-1]):
        assert client.get(f"{new}formerly/{other}/").status_code == 404


def test_an_organiser_makes_a_new_card_and_reads_first_what_it_does(
    client: Client, cast: Cast, table: SessionTable, phone: str
) -> None:
    client.force_login(cast.scorer, backend="django.contrib.auth.backends.ModelBackend")
    here = reverse("evening-new-link", args=[cast.club.slug, table.session_id, 1])
    assert "stops working straight away" in client.get(here).content.decode()
    assert client.get(phone).status_code == 200, "looking alone changes nothing"
    made = client.post(here, follow=True)
    assert client.get(phone).status_code == 410
    table.refresh_from_db()
    assert made.context["address"].endswith(reverse("table", args=[table.link_key]))
    assert client.get(made.context["card"])["Content-Type"] == "application/pdf"


def test_a_page_of_a_table_tells_no_key_to_whoever_made_none(
    client: Client, cast: Cast, table: SessionTable
) -> None:
    client.force_login(
        User.objects.get(email="dev@example.org"), "django.contrib.auth.backends.ModelBackend"
    )
    here = reverse("evening-new-link", args=[cast.club.slug, table.session_id, 1])
    assert table.link_key not in client.get(here).content.decode()
