"""What every address of the API does: ETags, keys of requests, shares of a minute, files."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from io import BytesIO
from time import sleep
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from openpyxl import load_workbook
from rest_framework.settings import api_settings
from time_machine import travel

from clubs.api import retries
from clubs.api.callers import count_once_more
from clubs.evenings.services import evenings
from clubs.members.services import people as services_people
from clubs.models import KeptAnswer, Player, Session, SessionTable
from config.settings import REST_FRAMEWORK
from tests.api import api_client, faults, game_at, hand_payload, link_client, refusal, send
from tests.clubs.nights import make_players, night
from tests.people import Cast, make_player

PLAYERS = "/api/v1/clubs/riverside/players/"
EVENINGS = "/api/v1/clubs/riverside/evenings/"
DAY = date(2026, 11, 17)
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def post_with_key(client: Client, key: str, address: str = PLAYERS, **fields: Any) -> Any:
    headers = {"idempotency-key": key}
    return client.post(address, fields, content_type="application/json", headers=headers)


def player(cast: Cast, name: str = "Pat") -> str:
    return f"{PLAYERS}{Player.objects.get(club=cast.club, name=name).pk}/"


# ETags


def test_what_is_held_already_is_not_sent_again(cast: Cast) -> None:
    client = api_client(cast.player)
    first = client.get(PLAYERS)
    for tag in (first["ETag"], f"W/{first['ETag']}", f'"other", {first["ETag"]}', "*"):
        second_response = client.get(PLAYERS, headers={"if-none-match": tag})
        assert (second_response.status_code, second_response.content, second_response["ETag"]) == (
            304,
            b"",
            first["ETag"],
        )
    make_player(cast.club, "Zoe")
    assert client.get(PLAYERS, headers={"if-none-match": first["ETag"]}).status_code == 200


def test_the_same_page_reads_otherwise_for_another_and_has_another_tag(cast: Cast) -> None:
    Player.objects.filter(name="Pat").update(shown_as="hidden")
    etags = {
        user: api_client(user).get(PLAYERS)["ETag"] for user in (cast.secretary, cast.director)
    }
    assert len(set(etags.values())) == 1
    Player.objects.filter(name="Dev").update(shown_as="hidden")
    assert api_client(cast.player).get(PLAYERS)["ETag"] not in etags.values()


def test_a_change_is_made_only_to_what_was_read(cast: Cast) -> None:
    client, address = api_client(cast.secretary), player(cast)
    tag = client.get(address)["ETag"]

    def change(name: str, tag: str) -> Any:
        data, headers = {"name": name}, {"if-match": tag}
        return client.patch(address, data, content_type="application/json", headers=headers)

    assert change("Patricia", tag).status_code == 200
    assert refusal(change("Patrick", tag)) == (412, [("changed", "")])
    assert change("Patrick", "*").status_code == 200
    assert Player.objects.filter(name="Patrick").exists()


# Idempotency-Key


def test_the_same_request_with_the_same_key_is_done_once(program: Client) -> None:
    first, repeat = (post_with_key(program, "k1", name="Zoe") for _ in range(2))
    assert (first.status_code, repeat.status_code) == (201, 201)
    assert first.json() == repeat.json()
    assert ("Idempotency-Replayed" in first, repeat["Idempotency-Replayed"]) == (False, "true")
    assert Player.objects.filter(name="Zoe").count() == 1


def test_the_key_of_another_request_is_refused(program: Client) -> None:
    post_with_key(program, "k1", name="Zoe")
    assert refusal(post_with_key(program, "k1", name="Yan")) == (422, [("key_used", "")])


def test_a_key_that_an_earlier_release_left_open_is_said_to_be_open(program: Client) -> None:
    post_with_key(program, "k1", name="Zoe")
    KeptAnswer.objects.update(status=None)
    assert refusal(post_with_key(program, "k1", name="Zoe")) == (409, [("in_progress", "")])


def test_a_refused_request_leaves_its_key_free(program: Client) -> None:
    assert post_with_key(program, "k1", name="Pat").status_code == 409
    assert post_with_key(program, "k1", name="Patience").status_code == 201


def test_two_people_may_use_the_same_key(cast: Cast) -> None:
    assert post_with_key(api_client(cast.secretary), "k1", name="Zoe").status_code == 201
    assert post_with_key(api_client(cast.secretary), "k1", name="Yan").status_code == 201


def test_a_key_is_kept_for_a_day(program: Client) -> None:
    post_with_key(program, "k1", name="Zoe")
    assert retries.delete_old_answers(now=timezone.now() + timedelta(hours=23)) == 0
    assert retries.delete_old_answers(now=timezone.now() + timedelta(hours=25)) == 1
    assert post_with_key(program, "k1", name="Yan").status_code == 201


@pytest.mark.parametrize("key", ["", "x" * 201, "a\tb"])
def test_what_is_no_key_is_said_to_be_none(program: Client, key: str) -> None:
    assert refusal(post_with_key(program, key, name="Zoe")) == (400, [("bad_key", "")])


def test_where_a_secret_is_answered_no_answer_is_kept(program: Client) -> None:
    answer = post_with_key(program, "k1", "/api/v1/keys/", scopes=["read"])
    assert refusal(answer) == (400, [("bad_key", "")])


def test_a_request_that_broke_leaves_its_key_free(
    program: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patches:
        patches.setattr("clubs.members.services.people.add_player", fails)
        with pytest.raises(RuntimeError):
            post_with_key(program, "k1", name="Zoe")
    assert post_with_key(program, "k1", name="Zoe").status_code == 201


def fails(**_: Any) -> None:
    raise RuntimeError("the machine is on fire")


@pytest.mark.django_db(transaction=True)
def test_of_two_at_the_same_moment_exactly_one_acts(program: Client) -> None:
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(sent_apart, [program] * 8)) == {201}
    assert Player.objects.filter(name="Zoe").count() == 1
    assert post_with_key(program, "k1", name="Zoe").status_code == 201


@pytest.mark.django_db(transaction=True)
def test_a_key_comes_into_the_book_with_what_was_done(
    program: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So whoever is killed in the middle leaves neither, and the same key does it."""
    add, row_counts = services_people.add_player, []

    def add_and_look(**person: Any) -> Player:
        new_player = add(**person)
        row_counts.append(rows_for_others("clubs_keptanswer"))
        return new_player

    monkeypatch.setattr(services_people, "add_player", add_and_look)
    assert post_with_key(program, "k1", name="Zoe").status_code == 201
    assert (row_counts, rows_for_others("clubs_keptanswer")) == ([0], 1)


def rows_for_others(table: str) -> int:
    other_connection = connection.copy()
    try:
        with other_connection.cursor() as cursor:
            cursor.execute(f"SELECT count(*) FROM {table}")  # noqa: S608
            return int(cursor.fetchone()[0])
    finally:
        other_connection.close()


def sent_apart(client: Client) -> int:
    try:
        return int(post_with_key(client, "k1", name="Zoe").status_code)
    finally:
        connection.close()


def test_a_hand_of_a_printed_link_is_kept_once_by_either_way(table: SessionTable) -> None:
    hand, hands = hand_payload(), f"{game_at(table)}hands/"
    phone = link_client(table.link_key)
    first, repeat = (post_with_key(phone, "k1", hands, **hand) for _ in range(2))
    assert (first.status_code, repeat.status_code) == (201, 201)
    assert first.json() == repeat.json()
    assert send(phone, hands, hand).status_code == 200


# Shares of a minute


@pytest.fixture
def low_rates(settings: Any) -> None:
    rates = dict.fromkeys(("key", "person", "link", "address"), "3/min")
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": rates}
    assert str(api_settings.DEFAULT_THROTTLE_RATES["key"]) == "3/min"


def test_whoever_asks_too_often_waits_for_the_next_minute(cast: Cast, low_rates: None) -> None:
    client, other_client = api_client(cast.player), api_client(cast.player)
    with travel("2026-11-17T19:45:20Z", tick=False) as now:
        *tries, late_response = (client.get(PLAYERS) for _ in range(4))
        assert [answer.status_code for answer in tries] == [200, 200, 200]
        assert (refusal(late_response), late_response["Retry-After"]) == (
            (429, [("throttled", "")]),
            "40",
        )
        assert other_client.get(PLAYERS).status_code == 200
        now.shift(40)
        assert client.get(PLAYERS).status_code == 200


def test_each_table_has_its_own_share(cast: Cast, low_rates: None) -> None:
    club, people = cast.club, make_players(cast.club, 8)
    nights = [
        night(club, DAY + timedelta(days=start), people[start : start + 4]) for start in (0, 4)
    ]
    first, second = (session.tables.get() for session in nights)
    phone = link_client(first.link_key)
    assert [phone.get(game_at(first)).status_code for _ in range(4)] == [200, 200, 200, 429]
    assert link_client(second.link_key).get(game_at(second)).status_code == 200


def test_four_phones_that_look_every_five_seconds_never_wait(
    table: SessionTable, settings: Any
) -> None:
    settings.REST_FRAMEWORK = REST_FRAMEWORK
    rates = REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]
    assert isinstance(rates, dict)
    assert int(rates["link"].split("/")[0]) >= 4 * 4 * (60 / 5)
    phone = link_client(table.link_key)
    answers = {phone.get(game_at(table)).status_code for _ in range(48)}
    assert answers == {200}


# Parameters, pages, files


def test_a_parameter_that_is_not_known_is_refused_in_a_sentence(cast: Cast) -> None:
    client = api_client(cast.player)
    strange = client.get(EVENINGS, {"colour": "red"})
    assert refusal(strange) == (400, [("unknown_parameter", "colour")])
    assert client.get(f"{EVENINGS}?page=1").status_code == 200


def test_evenings_are_asked_for_by_day_and_state(cast: Cast) -> None:
    for week in range(4):
        evenings.open_session(club=cast.club, held_on=DAY + timedelta(weeks=week))
    Session.objects.filter(held_on=DAY).update(state="closed")
    client = api_client(cast.player)

    def days(**query: str) -> list[str]:
        return [evening["held_on"] for evening in client.get(EVENINGS, query).json()["results"]]

    assert days(**{"from": "2026-11-24", "to": "2026-12-01"}) == ["2026-12-01", "2026-11-24"]
    assert days(state="closed") == ["2026-11-17"]
    wrong = client.get(EVENINGS, {"from": "yesterday", "state": "closed"})
    assert refusal(wrong) == (400, [("bad_parameter", "from")])
    assert client.get(EVENINGS, {"state": "raining"}).status_code == 400


def test_people_are_asked_for_by_their_letters(cast: Cast) -> None:
    people = api_client(cast.player).get(PLAYERS, {"search": "sUN"}).json()["results"]
    assert [person["name"] for person in people] == ["Sunil"]


def test_a_list_is_a_file_for_a_spreadsheet_with_all_of_its_rows(cast: Cast) -> None:
    for number in range(60):
        make_player(cast.club, f"=1+{number}")
    client = api_client(cast.secretary)
    file = client.get(PLAYERS, {"as": "csv"})
    lines = file.content.decode("utf-8-sig").splitlines()
    assert file["Content-Type"] == "text/csv; charset=utf-8"
    assert lines[0].split(",")[:2] == ["Player ID", "Name"]
    assert len(lines) == 1 + 60 + 4
    assert "'=1+59" in file.content.decode()
    assert client.get(PLAYERS, headers={"accept": "text/csv"}).content == file.content
    full_list = client.get(PLAYERS, {"as": "json"}).json()
    assert (full_list["count"], len(full_list["results"]), full_list["next"]) == (64, 64, None)


def test_a_workbook_holds_words_and_numbers_and_no_formula(cast: Cast) -> None:
    make_player(cast.club, "=1+1")
    file = api_client(cast.secretary).get(PLAYERS, {"as": "xlsx"})
    assert file["Content-Type"] == XLSX
    sheet = load_workbook(BytesIO(file.content)).active
    assert sheet is not None
    rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    assert {cell.data_type for row in sheet.iter_rows() for cell in row} <= {"s", "n", "b"}
    assert ["=1+1" in row for row in rows].count(True) == 1


def test_an_empty_list_is_a_file_with_its_headings(program: Client) -> None:
    file = program.get(EVENINGS, {"as": "csv"})
    headings = file.content.decode("utf-8-sig").splitlines()[0]
    assert headings.startswith("ID,Date,State,Cancel reason,Version")


def test_what_is_wrong_is_told_in_json_also_to_who_wanted_a_file(cast: Cast) -> None:
    answer = api_client(cast.stranger).get(PLAYERS, {"as": "csv"})
    assert (answer.status_code, answer["Content-Type"]) == (403, "application/problem+json")
    assert api_client(cast.player).get(PLAYERS, {"as": "pdf"}).status_code == 400


def test_a_kind_of_file_left_empty_is_refused(cast: Cast) -> None:
    answer = api_client(cast.player).get(PLAYERS, {"as": ""})
    assert faults(answer) == [("bad_parameter", "as")]


def test_each_time_is_counted_under_its_own_key() -> None:
    assert [count_once_more(key, 60) for key in ("south", "north", "south", "south")] == [
        1,
        1,
        2,
        3,
    ]


def test_a_count_begins_anew_when_its_time_is_over() -> None:
    assert [count_once_more("east", 1), count_once_more("east", 1)] == [1, 2]
    sleep(1.1)
    assert count_once_more("east", 1) == 1
