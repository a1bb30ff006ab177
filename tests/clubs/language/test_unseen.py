"""Names and texts with characters that nobody sees."""

from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs.evenings.services import evenings
from clubs.language.words import text_fault
from clubs.members.services.imports import import_members
from clubs.models import Player, Series, SessionTable
from clubs.models.names import name_fault
from scoring.scorebook.refusals import Refused
from tests.api import faults, game_at, hand_payload, link_client, refusal, send
from tests.clubs.visits import Visitor, errors
from tests.people import Cast
from tests.tournaments.cups import make_cup
from tournaments.setup import services as tournaments

UNSEEN = {
    "a zero-width space": "Ann\u200b Smith",
    "nothing but a zero-width space": "\u200b",
    "nothing but joiners": "\u200d\u200c",
    "a right-to-left override": "\u202eAnn",
    "a right-to-left mark": "Ann\u200f",
    "an isolate": "\u2067Ann\u2069",
    "a joiner in a Latin name": "An\u200dn",
    "a joiner at the end of a Persian name": "علی\u200c",
    "a soft hyphen": "An\u00adn",
    "a byte order mark": "\ufeffAnn",
    "a Hangul filler": "\u3164",
    "a Braille blank": "\u2800\u2800",
    "a variation of a Latin letter": "A\ufe00nn",
    "a tag": "Ann\U000e0041",
}
SEEN = {
    "Persian with a non-joiner": "علی\u200cرضا",
    "Hindi with a joiner": "क्\u200dषमा",
    "Malayalam that ends with a joined virama": "അവന്\u200d",
    "Sinhala": "ශ්\u200dරී",
    "Hebrew": "שרה כהן",
    "Chinese": "李小龍",
    "an ideograph's variation": "葛\U000e0100城",
    "accents": "Zoë Łukasiewicz",
    "an apostrophe": "Niamh O’Brien",
}


@pytest.mark.parametrize("name", UNSEEN.values(), ids=UNSEEN)
def test_a_name_shows_all_that_it_holds(name: str) -> None:
    assert name_fault(name)


@pytest.mark.parametrize("name", SEEN.values(), ids=SEEN)
def test_names_are_spelt_as_their_scripts_need(name: str) -> None:
    assert name_fault(name) == ""


@pytest.mark.parametrize(
    ("text", "is_fine"),
    [
        ("", True),
        ("  ", True),
        ("The hall is let.\nSorry!", True),
        ("שלום\u200f!", True),
        ("Well done 👩\u200d🎓", True),
        ("\u202egnola", False),
        ("a \u2067b", False),
        ("\u200b", False),
        ("\u3164 \u2800", False),
    ],
)
def test_a_text_turns_no_line_about_and_shows_something(text: str, is_fine: bool) -> None:
    assert (text_fault(text) == "") == is_fine


ANN = "An\u200bn"


def test_no_member_has_such_a_name(cast: Cast, alice: Visitor, program: Client) -> None:
    answer = alice.post("/c/riverside/members/add/", {"name": ANN})
    message = "This name contains a hidden character. Type it instead of pasting it."
    assert errors(answer) == {"name": [message]}
    answer = send(program, "/api/v1/clubs/riverside/players/", {"name": ANN})
    assert refusal(answer) == (400, [("bad_name", "name")])
    with pytest.raises(Refused, match="hidden character"):
        import_members(club=cast.club, text=f"name\n{ANN}")
    assert not Player.objects.filter(name=ANN).exists()


def test_no_guest_entrant_team_or_tournament_has_such_a_name(cast: Cast) -> None:
    cup = make_cup(club=cast.club, entrants=4)
    tonight = evenings.open_session(club=cast.club, held_on=date(2026, 11, 24))
    acts: list[Any] = [
        lambda: evenings.add_guest(session=tonight, name=ANN),
        lambda: tournaments.enter_entrant(tournament=cup, name=ANN),
        lambda: tournaments.enter_entrant(tournament=cup, name="Ann", from_club=ANN),
        lambda: tournaments.enter_entrant(tournament=cup, name="Ann", team=ANN),
        lambda: tournaments.enter_names(tournament=cup, names=[ANN]),
        lambda: tournaments.make_tournament(club=cast.club, name=ANN, held_on=cup.held_on),
    ]
    for act in acts:
        with pytest.raises(Refused, match="hidden character"):
            act()


def test_no_text_for_others_turns_a_line_about(alice: Visitor) -> None:
    data = {"name": "\u202eClub", "first_on": "2026-12-01", "last_on": "2026-12-15"}
    extra_data = {"how": "every", "starts_at": "14:00", "ends_at": "16:30", "save": "yes"}
    answer = alice.post(reverse("series-add", args=["riverside"]), data | extra_data)
    assert list(errors(answer)) == ["name"]
    assert not Series.objects.exists()


def test_a_dispute_turns_no_line_about(table: SessionTable) -> None:
    client, card = link_client(table.link_key), game_at(table)
    hand = send(client, f"{card}hands/", hand_payload()).json()
    data = {"seat": 1, "text": "\u202eno"}
    answer = send(client, f"{card}hands/{hand['id']}/dispute/", data)
    assert ("unseen", "text") in faults(answer)
