"""The secretary's desk over the API."""

from tests.api import api_client, faults, send
from tests.people import Cast, make_player

PEOPLE = "/api/v1/clubs/riverside/players/"


def test_the_secretary_adds_a_member(cast: Cast) -> None:
    sent = send(api_client(cast.secretary), PEOPLE, {"name": "Zoë Adams", "phone": "01234 5678"})
    assert (sent.status_code, sent.json()["name"]) == (201, "Zoë Adams")
    assert cast.club.players.get(pk=sent.json()["id"]).phone == "01234 5678"


def test_a_name_that_is_there_already_is_refused_in_a_sentence(cast: Cast) -> None:
    make_player(cast.club, "Zoë Adams")
    sent = send(api_client(cast.secretary), PEOPLE, {"name": "zoe adams"})
    assert (sent.status_code, [where for _, where in faults(sent)]) == (400, ["name"])


def test_what_the_form_finds_is_told_at_its_field(cast: Cast) -> None:
    sent = send(api_client(cast.secretary), PEOPLE, {"name": "Zoë", "wants_results": True, "x": 1})
    assert faults(sent) == [("unknown_field", "x")]
    sent = send(
        api_client(cast.secretary), PEOPLE, {"name": "Zoë", "wants_results": True, "email": ""}
    )
    assert [where for _, where in faults(sent)] == ["email"]


def test_what_is_not_sent_stays(cast: Cast) -> None:
    player = make_player(cast.club, "Zoë Adams", phone="01234", email="zoe@example.org")
    address = f"{PEOPLE}{player.pk}/"
    sent = api_client(cast.secretary).patch(
        address, {"phone": "09876"}, content_type="application/json"
    )
    assert sent.status_code == 200, sent.json()
    player.refresh_from_db()
    assert (player.name, player.phone, player.email) == ("Zoë Adams", "09876", "zoe@example.org")


def test_a_player_of_the_club_may_not_add_members(cast: Cast) -> None:
    assert send(api_client(cast.player), PEOPLE, {"name": "Zoë"}).status_code == 403
