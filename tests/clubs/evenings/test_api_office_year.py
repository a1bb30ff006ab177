"""A club's year over the API: wishes, the calendar, who fills in, table money."""

from collections.abc import Iterator
from typing import Any

import pytest
import time_machine

from tests.api import api_client, faults, send
from tests.clubs.api.test_api_doors import SERIES
from tests.clubs.tables import seated_evening
from tests.clubs.year import TUESDAY, make_series
from tests.people import Cast, make_player

AT = "/api/v1/clubs/riverside/"


@pytest.fixture(autouse=True)
def before_it() -> Iterator[None]:
    with time_machine.travel("2026-11-15T10:00Z", tick=False):
        yield


def change(client: Any, address: str, **fields: Any) -> Any:
    """Change some of what is there."""
    return client.patch(address, fields, content_type="application/json")


def test_a_wish_is_noted_heard_and_taken_back(cast: Cast) -> None:
    ann, ben = make_player(cast.club, "Ann"), make_player(cast.club, "Ben")
    client = api_client(cast.secretary)
    inputs = {"kind": "apart", "player": ann.pk, "other": ben.pk, "reason": "a quarrel"}
    made = send(client, f"{AT}wishes/", inputs)
    assert made.status_code == 201
    assert made.json()["sentence"] == "Keep Ann and Ben apart."
    assert faults(send(client, f"{AT}wishes/", inputs)) == [("noted", "")]
    assert client.delete(f"{AT}wishes/{made.json()['id']}/").status_code == 204
    assert client.get(f"{AT}wishes/").json()["count"] == 0


@pytest.mark.parametrize(
    ("more", "where"),
    [
        ({"kind": "table", "table": 1, "other": 1}, "other"),
        ({"kind": "apart", "table": 1}, "table"),
        ({"kind": "apart"}, "other"),
        ({"kind": "table"}, "table"),
        ({"kind": "table", "table": 1, "until": "2026-11-14"}, "until"),
    ],
)
def test_a_wish_asks_what_its_kind_needs(cast: Cast, more: dict[str, Any], where: str) -> None:
    ann = make_player(cast.club, "Ann")
    sent = send(api_client(cast.secretary), f"{AT}wishes/", {"player": ann.pk, **more})
    assert (sent.status_code, [place for _, place in faults(sent)]) == (400, [where])


def test_a_series_is_planned_looked_at_and_moved(cast: Cast) -> None:
    client = api_client(cast.secretary)
    seen = send(client, f"{AT}series/preview/", SERIES).json()
    assert (seen["meetings"], seen["days"][0]) == (3, {"held_on": "2026-12-01", "off": ""})
    made = send(client, f"{AT}series/", SERIES)
    assert (made.status_code, made.json()["words"]) == (201, "Every Tuesday")
    moved = change(client, f"{AT}series/{made.json()['id']}/", starts_at="19:00", ends_at="21:00")
    assert (moved.json()["starts_at"], moved.json()["last_on"]) == ("19:00:00", "2026-12-15")
    year = client.get(f"{AT}calendar/").json()
    assert (year["meetings"], year["next"]["starts_at"]) == (3, "19:00:00")
    assert client.delete(f"{AT}series/{made.json()['id']}/").status_code == 204
    assert client.get(f"{AT}calendar/").json()["days"] == []


def test_a_feed_is_told_to_members_and_can_be_read(cast: Cast) -> None:
    make_series(cast.club)
    (feed,) = api_client(cast.player).get(f"{AT}series/").json()["results"]
    assert b"BEGIN:VCALENDAR" in api_client(None).get(feed["feed"]).content


def test_days_without_an_evening_are_left_out(cast: Cast) -> None:
    client = api_client(cast.secretary)
    send(client, f"{AT}series/", SERIES)
    inputs = {"name": "Snow", "first_on": "2026-12-08", "last_on": "2026-12-08"}
    made = send(client, f"{AT}days-without/", inputs)
    assert client.get(f"{AT}calendar/").json()["meetings"] == 2
    backwards = send(client, f"{AT}days-without/", {**inputs, "last_on": "2026-12-07"})
    assert faults(backwards) == [("bad_days", "last_on")]
    assert client.delete(f"{AT}days-without/{made.json()['id']}/").status_code == 204
    assert client.get(f"{AT}calendar/").json()["meetings"] == 3


def test_somebody_fills_in_by_their_link(cast: Cast) -> None:
    pat, client = cast.club.players.get(name="Pat"), api_client(cast.secretary)
    assert send(client, f"{AT}stand-by/", {"player": pat.pk}).status_code == 201
    day = f"{AT}stand-by/days/{TUESDAY}/"
    assert [row["name"] for row in client.get(day).json()["waiting"]] == ["Pat"]
    invited = send(client, f"{day}invitations/", {"player": pat.pk}).json()
    key = invited["address"].rstrip("/").rpartition("/")[2]
    answered = send(api_client(None), f"/api/v1/come/{key}/", {"answer": "yes"})
    assert (answered.status_code, answered.json()["answer"]) == (200, "yes")
    answer = client.get(day).json()
    assert [(row["name"], row["answer"]) for row in answer["asked"]] == [("Pat", "yes")]
    assert client.delete(f"{AT}stand-by/{pat.pk}/").status_code == 204


def test_a_link_that_nobody_has_opens_nothing(db: None) -> None:
    assert api_client(None).get("/api/v1/come/nothing/").status_code == 404
    assert send(api_client(None), "/api/v1/come/nothing/", {"answer": "no"}).status_code == 404


def test_after_the_day_nobody_answers(cast: Cast) -> None:
    pat, client = cast.club.players.get(name="Pat"), api_client(cast.secretary)
    invited = send(client, f"{AT}stand-by/days/{TUESDAY}/invitations/", {"player": pat.pk}).json()
    key = invited["address"].rstrip("/").rpartition("/")[2]
    with time_machine.travel("2026-11-18T10:00Z", tick=False):
        sent = send(api_client(None), f"/api/v1/come/{key}/", {"answer": "yes"})
    assert faults(sent) == [("day_over", "")]


def test_table_money_is_taken_once_and_given_back(cast: Cast) -> None:
    evening, client = seated_evening(cast.club, held_on=TUESDAY), api_client(cast.secretary)
    margaret, at = cast.club.players.get(name="Margaret"), f"{AT}evenings/{evening.pk}/money/"
    assert faults(send(client, at, {"player": margaret.pk})) == [("no_price", "price")]
    assert change(client, f"{AT}money/", pence=250).json() == {"pence": 250}
    for _ in range(2):
        assert send(client, at, {"player": margaret.pk}).json()["pence"] == 250
    sheet = client.get(at).json()
    assert (sheet["price"], sheet["total"], sheet["paid"], len(sheet["rows"])) == (250, 250, 1, 4)
    (year,) = client.get(f"{AT}money/2026/").json()["results"]
    assert (year["here"], year["paid"], year["pence"]) == (4, 1, 250)
    assert client.delete(f"{at}{margaret.pk}/").status_code == 204
    assert client.get(at).json()["total"] == 0
    assert client.get(f"{AT}money/1919/").status_code == 404


def test_the_cash_sheet_is_a_file_for_a_spreadsheet(cast: Cast) -> None:
    evening = seated_evening(cast.club, held_on=TUESDAY)
    at = f"{AT}evenings/{evening.pk}/money/?as=csv"
    lines = api_client(cast.secretary).get(at).content.decode("utf-8-sig").splitlines()
    assert lines[0] == "player_id,name,is_guest,pence"
    assert len(lines) == 5
