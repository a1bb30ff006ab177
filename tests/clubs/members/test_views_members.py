"""The list of members, one by one."""

from typing import Any

import pytest
from django.urls import reverse

from clubs.members import services as people
from clubs.models import Player
from tests.clubs.nights import make_players
from tests.clubs.visits import Visitor, errors
from tests.people import Cast, make_player

ADD = "/c/riverside/members/add/"
TAKEN = "Pat is already a member. If this is someone else, add an initial or a middle name."


@pytest.fixture
def alice(cast: Cast) -> Visitor:
    return Visitor(cast.secretary)


def test_a_member_is_added(alice: Visitor, cast: Cast) -> None:
    flashed = alice.told(
        ADD, name="  Zoë   Łukasiewicz ", email="zoe@example.org", wants_results="on"
    )
    zoe = cast.club.players.get(email="zoe@example.org")
    assert flashed == ["Zoë Łukasiewicz added."]
    assert (zoe.name, zoe.kind, zoe.wants_results) == ("Zoë Łukasiewicz", "member", True)


def test_the_next_member_can_be_added_at_once(alice: Visitor) -> None:
    response = alice.post(ADD, {"name": "Ngaio", "another": "yes"})
    assert response.headers["Location"] == ADD


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"name": ""}, {"name": ["Enter a name."]}),
        ({"name": "Pat"}, {"name": [TAKEN]}),
        ({"name": "PÁT."}, {"name": [TAKEN.replace("Pat", "PÁT.")]}),
        ({"name": "x" * 300}, {"name": ["That name is too long. Use 80 characters or fewer."]}),
        ({"name": "<script>"}, {"name": ["A name cannot contain < or >."]}),
        (
            {"name": "Ngaio", "email": "ngaio"},
            {"email": ["Enter an email address in the correct format, like name@example.org."]},
        ),
        (
            {"name": "Ngaio", "wants_results": "on"},
            {
                "email": [
                    (
                        "Enter an email address for the results, or untick “Email each evening’s "
                        "result”."
                    )
                ]
            },
        ),
    ],
)
def test_what_is_wrong_is_said_and_nothing_typed_is_lost(
    alice: Visitor, cast: Cast, fields: dict[str, str], said: dict[str, list[str]]
) -> None:
    before = cast.club.players.count()
    page = alice.post(ADD, fields)
    form = page.context["form"]
    assert (page.status_code, errors(page)) == (422, said)
    assert {name: form[name].data for name in fields} == {
        name: True if value == "on" else value for name, value in fields.items()
    }
    assert cast.club.players.count() == before


def test_a_member_who_leaves_keeps_the_results(alice: Visitor, cast: Cast) -> None:
    player = make_player(cast.club, "Ngaio")
    address = reverse("member-change", args=["riverside", player.pk])
    assert alice.told(address, name="Ngaio P.", kind="guest") == ["Ngaio P. saved."]
    changed = Player.objects.get(pk=player.pk)
    assert (changed.name, changed.kind, changed.is_active) == ("Ngaio P.", "guest", False)


def test_those_who_have_left_come_last_on_the_list(alice: Visitor, cast: Cast) -> None:
    ann = make_player(cast.club, "Ann")
    Player.objects.filter(pk=ann.pk).update(is_active=False)
    make_player(cast.club, "Zoë")
    names = [row.name for row in alice.get("/c/riverside/members/").context["members"]]
    assert names[-2:] == ["Zoë", "Ann"]


def test_two_members_cannot_share_a_name(alice: Visitor, cast: Cast) -> None:
    player = make_player(cast.club, "Ngaio")
    page = alice.post(
        reverse("member-change", args=["riverside", player.pk]), {"name": "pat", "kind": "member"}
    )
    assert errors(page) == {"name": [TAKEN.replace("Pat", "pat")]}


def test_e_mail_addresses_are_for_the_secretary(alice: Visitor, cast: Cast) -> None:
    people.add_player(club=cast.club, name="Zoë", email="zoe@example.org")
    seen = [
        b"zoe@example.org" in visitor.get("/c/riverside/members/").content
        for visitor in (alice, Visitor(cast.player))
    ]
    assert seen == [True, False]


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_asks_no_more_for_more_members(
    alice: Visitor, cast: Cast, count: int, django_assert_num_queries: Any
) -> None:
    make_players(cast.club, count)
    with django_assert_num_queries(5):
        page = alice.get("/c/riverside/members/")
    assert len(page.context["members"]) == 4 + count
