"""A change saves what was changed and nothing else, however long ago its page or row was read."""

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs.evenings.services import calendar, evenings
from clubs.evenings.services.calendar import add_wish
from clubs.league import services
from clubs.members.services import people
from clubs.members.services.imports import import_members, undo_import
from clubs.members.services.merging import merge_players, undo_merge
from clubs.models import Alias, Player, PlayerKind, ShownAs, WishKind
from clubs.privacy.services import erase_player
from scoring.scorebook.refusals import Refused
from tests.api import patch, send
from tests.clubs.visits import Visitor, errors, inputs
from tests.people import Cast, make_player

TODAY = date(2026, 11, 24)
PAID = date(2026, 8, 31)


@pytest.fixture
def maud(cast: Cast) -> Player:
    return make_player(
        cast.club, "Maud Pemberton", email="maud@example.org", phone="01632 960114", paid_until=PAID
    )


@pytest.fixture
def stale(maud: Player) -> Player:
    """Maud's row as it was read before anything else happened."""
    return Player.objects.get(pk=maud.pk)


def edit_url(player: Player) -> str:
    return reverse("member-change", args=["riverside", player.pk])


ACTS: dict[str, Callable[..., Any]] = {
    "change": partial(people.change_player, changes={"phone": "1", "is_active": True}),
    "rename": partial(people.change_player, changes={"name": "Maud Pemberton"}),
    "choose how the name is shown": partial(people.show_name, shown_as=ShownAs.HIDDEN),
    "renew": partial(people.renew_subscription, today=TODAY),
    "lapse": partial(people.end_membership, today=TODAY),
    "join": partial(people.make_member, today=TODAY),
    "stand by": partial(calendar.set_stand_by, is_glad=True),
}


def row(player: Player) -> dict[str, Any]:
    return dict(Player.objects.filter(pk=player.pk).values().get())


GONE: dict[str, tuple[Callable[..., Any], str]] = {
    "erased": (partial(erase_player, today=TODAY), "This person’s data was deleted"),
    "merged": (
        lambda player: merge_players(
            kept_player=make_player(player.club, "M Pemberton"), merged_player=player
        ),
        "are now one record",
    ),
}


@pytest.mark.parametrize(("remove", "message"), GONE.values(), ids=GONE)
@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_who_is_erased_or_merged_is_not_brought_back(
    maud: Player, stale: Player, act: Any, remove: Callable[..., Any], message: str
) -> None:
    remove(player=maud)
    row_before = row(maud)
    with pytest.raises(Refused, match=message):
        act(player=stale)
    assert row(maud) == row_before


def test_an_erased_person_is_asked_for_nothing(cast: Cast, maud: Player, stale: Player) -> None:
    pat = cast.club.players.get(name="Pat")
    tonight = evenings.open_session(club=cast.club, held_on=TODAY)
    erase_player(player=maud, today=TODAY)
    invitation_fields: Any = {
        "club": cast.club,
        "held_on": date(2099, 1, 1),
        "asked_by": cast.secretary,
    }
    acts: list[Callable[[], Any]] = [
        partial(evenings.tick, session=tonight, player=stale, is_here=True),
        partial(add_wish, club=cast.club, kind=WishKind.APART, player=stale, other=pat),
        partial(add_wish, club=cast.club, kind=WishKind.APART, player=pat, other=stale),
        partial(services.give_credit, session=tonight, player=stale, reason="helped"),
        partial(calendar.invite_substitute, **invitation_fields, player=stale),
    ]
    for act in acts:
        with pytest.raises(Refused, match="This person’s data was deleted"):
            act()


def test_a_change_keeps_a_renewal_made_in_between(maud: Player, stale: Player) -> None:
    paid_until = people.renew_subscription(player=maud, today=TODAY).paid_until
    people.change_player(player=stale, changes={"phone": "01632 960115"})
    assert (row(maud)["paid_until"], row(maud)["phone"]) == (paid_until, "01632 960115")


def test_a_merge_keeps_a_change_made_in_between(cast: Cast, maud: Player, stale: Player) -> None:
    merged_player = make_player(cast.club, "M Pemberton", joined_on=date(2001, 1, 1))
    people.change_player(player=maud, changes={"phone": "01632 960115"})
    merge = merge_players(kept_player=stale, merged_player=merged_player)
    assert (row(maud)["phone"], row(maud)["joined_on"]) == ("01632 960115", date(2001, 1, 1))
    undo_merge(merge=merge)
    assert row(maud)["phone"] == "01632 960115"


def test_what_a_list_did_not_change_stays_when_it_is_undone(cast: Cast, maud: Player) -> None:
    member_import = import_members(
        club=cast.club, text="name,telephone\nMaud Pemberton,01632 960116"
    )
    people.renew_subscription(player=maud, today=TODAY)
    undo_import(member_import=member_import)
    assert (row(maud)["phone"], row(maud)["paid_until"]) == ("01632 960114", date(2027, 8, 31))


def test_an_open_page_keeps_a_renewal_made_in_between(alice: Visitor, maud: Player) -> None:
    page = inputs(alice.get(edit_url(maud)))
    people.renew_subscription(player=maud, today=TODAY)
    assert alice.post(edit_url(maud), page | {"phone": "01632 960115"}).status_code == 302
    assert (row(maud)["paid_until"], row(maud)["phone"]) == (date(2027, 8, 31), "01632 960115")


def test_who_changed_the_same_field_meanwhile_is_not_overwritten_unawares(
    alice: Visitor, maud: Player
) -> None:
    page = inputs(alice.get(edit_url(maud)))
    changes = people.Details(phone="01632 960199", nicknames=("Maudie",), kind=PlayerKind.GUEST)
    people.change_player(player=maud, changes=changes)
    form_data = page | {"phone": "01632 960115", "nicknames": "Mau", "email": "m@example.org"}
    answer = alice.post(edit_url(maud), form_data)
    advice = "What you typed is not saved yet: press Save again to use it instead."
    assert answer.status_code == 422
    assert errors(answer) == {
        "phone": [
            f"While this page was open, someone else changed this to “01632 960199”. {advice}"
        ],
        "nicknames": [f"While this page was open, someone else changed this to “Maudie”. {advice}"],
    }
    assert row(maud)["phone"] == "01632 960199"
    second_inputs = inputs(answer)
    assert (second_inputs["phone"], second_inputs["email"]) == (["01632 960115"], ["m@example.org"])
    assert alice.post(edit_url(maud), second_inputs).status_code == 302
    assert (row(maud)["phone"], row(maud)["email"]) == ("01632 960115", "m@example.org")
    assert row(maud)["kind"] == PlayerKind.GUEST
    assert [alias.name for alias in Alias.objects.filter(player=maud)] == ["Mau"]


def test_what_somebody_else_emptied_is_said(alice: Visitor, maud: Player) -> None:
    page = inputs(alice.get(edit_url(maud)))
    people.change_player(player=maud, changes={"email": "", "paid_until": None})
    form_data = page | {"email": "m@example.org", "paid_until": "2027-08-31"}
    messages = [
        message.partition(".")[0]
        for [message] in errors(alice.post(edit_url(maud), form_data)).values()
    ]
    assert messages == ["While this page was open, someone else emptied this"] * 2


def test_both_who_type_the_same_are_content(alice: Visitor, maud: Player) -> None:
    page = inputs(alice.get(edit_url(maud)))
    people.change_player(player=maud, changes={"phone": "01632 960115"})
    assert alice.post(edit_url(maud), page | {"phone": "01632 960115"}).status_code == 302


def test_a_page_without_its_hidden_inputs_is_compared_with_what_is_held(
    alice: Visitor, maud: Player
) -> None:
    form_data = {"name": "Maud Pemberton", "kind": "member", "is_active": "on", "email": ""}
    assert alice.post(edit_url(maud), form_data).status_code == 302
    assert (row(maud)["email"], row(maud)["is_active"]) == ("", True)


def test_hidden_inputs_that_cannot_be_read_are_no_fault_of_the_page(
    alice: Visitor, maud: Player
) -> None:
    page = inputs(alice.get(edit_url(maud))) | {"initial-paid_until": "soon"}
    answer = alice.post(edit_url(maud), page | {"paid_until": "2027-01-01"})
    assert list(errors(answer)) == ["paid_until"]


def test_a_second_press_adds_no_second_year(alice: Visitor, maud: Player) -> None:
    renew = reverse("member-renew", args=["riverside", maud.pk])
    message_lists = [alice.messages_after(renew, paid_until="2026-08-31") for _ in range(2)]
    assert message_lists == [
        ["Maud Pemberton is paid until 31 August 2027."],
        ["Maud Pemberton is paid until 31 August 2027. No further year was added."],
    ]
    assert row(maud)["paid_until"] == date(2027, 8, 31)
    second_messages = alice.messages_after(renew, paid_until="2027-08-31")
    assert second_messages == ["Maud Pemberton is paid until 31 August 2028."]


@pytest.mark.parametrize("page", ["members-due", "player"])
def test_the_button_sends_the_last_day_paid_for(alice: Visitor, maud: Player, page: str) -> None:
    url_args = ["riverside", maud.pk] if page == "player" else ["riverside"]
    button = '<input type="hidden" name="paid_until" value="2026-08-31">'
    assert button in alice.read(reverse(page, args=url_args))


def test_a_day_that_is_none_renews_nothing(alice: Visitor, maud: Player) -> None:
    renew = reverse("member-renew", args=["riverside", maud.pk])
    assert alice.post(renew, {"paid_until": "soon"}).status_code == 400
    assert row(maud)["paid_until"] == PAID


def test_a_program_changes_only_what_it_sends(program: Client, maud: Player) -> None:
    """Between reading what is held and saving, someone else renews; nothing of that is lost."""
    address = reverse("api-player-detail", args=["riverside", maud.pk])
    assert patch(program, address, phone="01632 960115").json()["phone"] == "01632 960115"
    assert (row(maud)["email"], row(maud)["paid_until"]) == ("maud@example.org", PAID)


@pytest.mark.parametrize(
    ("tag_source", "status", "paid_until"),
    [
        ("never", 200, date(2028, 8, 31)),
        ("since", 200, date(2028, 8, 31)),
        ("before", 412, date(2027, 8, 31)),
        ("elsewhere", 412, date(2027, 8, 31)),
    ],
)
def test_a_program_says_what_it_renews(
    program: Client, maud: Player, tag_source: str, status: int, paid_until: date
) -> None:
    address = reverse("api-player-detail", args=["riverside", maud.pk])
    tag_before = program.get(address).headers["ETag"]
    people.renew_subscription(player=maud, today=TODAY)
    patch(program, address, phone="01632 960115")
    tag_after = program.get(address).headers["ETag"]
    patch(program, address, phone="01632 960116")
    tag = {"never": "", "since": tag_after, "before": tag_before, "elsewhere": '"elsewhere"'}[
        tag_source
    ]
    answer = send(program, f"{address}renew/", {}, tag=tag)
    assert (answer.status_code, row(maud)["paid_until"]) == (status, paid_until)


def test_who_has_never_paid_is_renewed_once(program: Client, maud: Player) -> None:
    Player.objects.filter(pk=maud.pk).update(paid_until=None)
    address = reverse("api-player-detail", args=["riverside", maud.pk])
    tag = program.get(address).headers["ETag"]
    statuses = [send(program, f"{address}renew/", {}, tag=tag).status_code for _ in range(2)]
    assert statuses == [200, 412]
