"""People over the API: read in, made one, renewed, erased, and what each may know of themselves."""

from datetime import date
from typing import Any

import pytest
import time_machine

from clubs.models import Membership, Player, PlayerKind, Role, ShownAs, User
from tests.api import api_client, faults, send
from tests.people import Cast, make_player

AT = "/api/v1/clubs/riverside/"


def change(client: Any, address: str, **data: Any) -> Any:
    """Change some of what is there."""
    return client.patch(address, data, content_type="application/json")


def test_a_list_is_looked_at_before_it_is_stored(cast: Cast) -> None:
    margaret = make_player(cast.club, "Margaret Hill", phone="01225 1")
    text = "name,phone\nMargaret Hill,01225 2\nNgaio Marsh,\nPeggy Hill,\n"
    seen = send(api_client(cast.secretary), f"{AT}imports/preview/", {"text": text}).json()["lines"]
    assert [(row["line"], row["is_new"], row["is_doubtful"]) for row in seen] == [
        (2, False, False),
        (3, True, False),
        (4, False, True),
    ]
    changes = [{"what": "phone", "was": "01225 1", "becomes": "01225 2"}]
    assert (seen[0]["people"][0]["id"], seen[0]["changes"]) == (margaret.pk, changes)
    assert not cast.club.players.filter(name="Ngaio Marsh").exists()


def test_a_line_in_doubt_waits_for_a_word(cast: Cast) -> None:
    make_player(cast.club, "Margaret Hill")
    client, data = api_client(cast.secretary), {"people": [{"name": "Peggy Hill"}]}
    refused = send(client, f"{AT}imports/", data)
    assert faults(refused) == [("choose", "lines.2")]
    stored = send(client, f"{AT}imports/", {**data, "choices": {"2": "new"}})
    assert (stored.status_code, stored.json()["added"]) == (201, 1)


def test_people_told_one_by_one_are_read_as_a_list_is(cast: Cast) -> None:
    data = {
        "name": "=Olwen; Rees",
        "kind": "guest",
        "joined_on": "2026-01-02",
        "nicknames": ["Olly"],
        "shown_as": "initial",
    }
    stored = send(api_client(cast.secretary), f"{AT}imports/", {"people": [data]})
    assert stored.status_code == 201, stored.json()
    olwen = cast.club.players.get(name="=Olwen; Rees")
    assert (olwen.kind, olwen.joined_on) == (PlayerKind.GUEST, date(2026, 1, 2))
    assert (olwen.shown_as, olwen.aliases.get().name) == (ShownAs.INITIAL, "Olly")


def test_a_list_is_taken_back_once(cast: Cast) -> None:
    client = api_client(cast.secretary)
    made = send(client, f"{AT}imports/", {"text": "name\nOlwen"}).json()["id"]
    first = send(client, f"{AT}imports/{made}/undo/", {})
    assert (first.status_code, first.json()["undone_at"] is None) == (200, False)
    assert not cast.club.players.filter(name="Olwen").exists()
    assert faults(send(client, f"{AT}imports/{made}/undo/", {})) == [("undone", "")]


@pytest.mark.parametrize(
    "data", [{}, {"text": "name\nOlwen", "people": [{"name": "Olwen"}]}, {"people": []}]
)
def test_a_list_is_sent_in_one_way(cast: Cast, data: dict[str, Any]) -> None:
    assert send(api_client(cast.secretary), f"{AT}imports/", data).status_code == 400


def test_a_field_that_a_person_has_not_is_named(cast: Cast) -> None:
    data = {"people": [{"name": "Olwen", "shoe_size": 5}]}
    sent = send(api_client(cast.secretary), f"{AT}imports/preview/", data)
    assert faults(sent) == [("unknown_field", "people.0.shoe_size")]


def test_two_records_are_looked_at_made_one_and_two_again(cast: Cast) -> None:
    kept, gone = make_player(cast.club, "Maud Hill"), make_player(cast.club, "M Hill")
    client, at = api_client(cast.secretary), f"{AT}players/{kept.pk}/merge/"
    seen = client.get(f"{at}?gone={gone.pk}").json()
    assert (seen["gone_id"], seen["problems"]) == (gone.pk, [])
    made = send(client, at, {"gone": gone.pk})
    assert (made.status_code, made.json()["gone"]) == (201, "M Hill")
    assert client.get(f"{AT}players/{gone.pk}/").status_code == 404
    undone = send(client, f"{AT}merges/{made.json()['id']}/undo/", {})
    assert undone.json()["undone_at"] is not None
    assert client.get(f"{AT}players/{gone.pk}/").status_code == 200


def test_one_record_is_not_merged_with_itself_or_with_anothers(cast: Cast) -> None:
    kept = make_player(cast.club, "Maud Hill")
    stranger = Player.objects.get(club__slug="hill-top")
    at = f"{AT}players/{kept.pk}/merge/"
    for gone in (kept.pk, stranger.pk, 10**15):
        sent = send(api_client(cast.secretary), at, {"gone": gone})
        assert faults(sent) == [("invalid_choice", "gone")]


def test_a_subscription_is_renewed_and_a_guest_joins(cast: Cast) -> None:
    zoe = make_player(cast.club, "Zoë", kind=PlayerKind.GUEST, paid_until=date(2026, 3, 30))
    client, at = api_client(cast.secretary), f"{AT}players/{zoe.pk}/"
    with time_machine.travel("2026-03-01T10:00Z", tick=False):
        assert send(client, f"{at}join/", {}).json()["kind"] == "member"
        due = client.get(f"{AT}subscriptions/").json()["due"]
        assert [(row["name"], row["is_over"]) for row in due] == [("Zoë", False)]
        assert send(client, f"{at}renew/", {}).json()["paid_until"] == "2027-03-30"
        assert send(client, f"{at}lapse/", {}).json()["lapsed_on"] == "2026-03-01"


def test_guests_may_be_asked_later_or_never(cast: Cast) -> None:
    client = api_client(cast.secretary)
    assert change(client, f"{AT}subscriptions/", visits=5).json()["visits"] == 5
    assert change(client, f"{AT}subscriptions/", visits=None).json()["visits"] is None
    assert change(client, f"{AT}subscriptions/").json()["visits"] is None


def test_somebody_chooses_how_their_own_name_is_read(cast: Cast) -> None:
    client = api_client(cast.player)
    answer = change(client, f"{AT}me/", shown_as="hidden").json()
    assert (answer["name"], answer["shown_as"]) == ("Pat", "hidden")
    assert [way["name"] for way in answer["ways"]] == ["Pat", "Pat", "A member"]
    assert cast.club.players.get(name="Pat").shown_as == ShownAs.HIDDEN


def test_a_sign_in_that_is_nobody_on_the_list_is_told_so(cast: Cast) -> None:
    helper = User.objects.create_user("helper@example.org", "x")
    Membership.objects.create(club=cast.club, user=helper, role=Role.SCORER)
    assert api_client(helper).get(f"{AT}me/").status_code == 404


def test_a_player_reads_everything_on_themselves_and_on_nobody_else(cast: Cast) -> None:
    client = api_client(cast.player)
    assert client.get(f"{AT}me/everything/").json()["name"] == "Pat"
    alice = cast.club.players.get(name="Alice")
    assert client.get(f"{AT}players/{alice.pk}/everything/").status_code == 403


def test_a_person_is_erased_with_the_name_typed(cast: Cast) -> None:
    zoe = make_player(cast.club, "Zoë Adams", email="zoe@example.org")
    client, at = api_client(cast.secretary), f"{AT}players/{zoe.pk}/erase/"
    seen = client.get(at).json()
    assert (seen["former"], seen["why_not"]) == ("A former player", "")
    assert faults(send(client, at, {"name": "Zoë"})) == [("invalid", "name")]
    assert send(client, at, {"name": "zoe adams"}).json()["name"] == "A former player"
    assert client.get(at).status_code == 404
    assert client.get(f"{AT}erasures/").json()["results"][0]["by"] == "Alice"


def test_a_timetable_is_agreed_to_and_stopped(cast: Cast) -> None:
    client = api_client(cast.secretary)
    assert client.get(f"{AT}kept/").json()["is_agreed"] is False
    answer = change(client, f"{AT}kept/", guests=6, money=None).json()
    assert (answer["is_agreed"], answer["guests"], answer["lapsed"], answer["money"]) == (
        True,
        6,
        24,
        None,
    )
    assert client.delete(f"{AT}kept/").status_code == 204
    assert client.get(f"{AT}kept/").json()["is_agreed"] is False


def test_the_whole_list_is_taken_along(cast: Cast) -> None:
    zoe = make_player(cast.club, "Zoë", email="zoe@example.org")
    zoe.aliases.create(club=cast.club, name="Zo", name_key="zo")
    client = api_client(cast.secretary)
    (row,) = client.get(f"{AT}members/?search=zo").json()["results"]
    assert (row["name"], row["email"], row["nicknames"]) == ("Zoë", "zoe@example.org", ["Zo"])
    lines = client.get(f"{AT}members/?as=csv").content.decode("utf-8-sig").splitlines()
    assert len(lines) == 1 + cast.club.players.count()
