"""The list of members: on the pages and over the API; subscriptions, guests, names as chosen."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from clubs.evenings.selectors.door import door_list
from clubs.evenings.services import evenings
from clubs.members.files import csv_of_members
from clubs.members.import_plan import plan_import
from clubs.members.selectors import likely_duplicates, subscriptions
from clubs.members.services import people
from clubs.models import Club, Membership, Player, PlayerKind, Role, Session, ShownAs, User
from scoring.scorebook.refusals import Refused
from tests.api import api_client, faults, patch, send
from tests.clubs.nights import evening_of, make_players
from tests.clubs.visits import Visitor, errors
from tests.people import Cast, make_player

ADD, DUE = "/c/riverside/members/add/", "/c/riverside/members/due/"
NO_ADDRESS = "Enter an email address in the correct format, like name@example.org."
NOWHERE = "Enter an email address for the results, or untick “Email each evening’s result”."
TAKEN = "Pat is already a member. If this is someone else, add an initial or a middle name."


def test_a_member_is_added_and_the_next_at_once(alice: Visitor, cast: Cast) -> None:
    details = {"email": "zoe@example.org", "wants_results": "on", "shown_as": "hidden"}
    assert alice.messages_after(ADD, name="  Zoë   Łukasiewicz ", **details) == [
        "Zoë Łukasiewicz added."
    ]
    zoe = cast.club.players.get(email="zoe@example.org")
    assert (zoe.name, zoe.kind, zoe.wants_results) == ("Zoë Łukasiewicz", "member", True)
    assert zoe.shown_as == ShownAs.HIDDEN
    response = alice.post(ADD, {"name": "Ngaio", "another": "yes"})
    assert response.headers["Location"] == ADD


@time_machine.travel("2026-11-24T12:00Z")
def test_today_is_proposed_as_the_joining_day_of_a_new_member(alice: Visitor, cast: Cast) -> None:
    form = alice.get(ADD).context["form"]
    assert form["joined_on"].value() == date(2026, 11, 24)
    assert alice.messages_after(ADD, name="Zoë Hill", joined_on="2019-09-01") == ["Zoë Hill added."]
    assert alice.messages_after(ADD, name="Ngaio Marsh", joined_on="") == ["Ngaio Marsh added."]
    days = dict(cast.club.players.values_list("name", "joined_on"))
    assert (days["Zoë Hill"], days["Ngaio Marsh"]) == (date(2019, 9, 1), None)


def test_a_joining_day_can_be_emptied(alice: Visitor, cast: Cast) -> None:
    zoe = make_player(cast.club, "Zoë Hill", joined_on=date(2026, 11, 24))
    change = reverse("member-change", args=["riverside", zoe.pk])
    form = alice.get(change).context["form"]
    form_data = {name: form[name].value() or "" for name in form.fields}
    alice.post(change, form_data | {"joined_on": ""})
    zoe.refresh_from_db()
    assert zoe.joined_on is None
    page = alice.get(reverse("player", args=["riverside", zoe.pk])).content.decode()
    assert "<dt>Joined</dt>" not in page


@pytest.mark.parametrize(
    ("fields", "form_errors"),
    [
        ({"name": ""}, {"name": ["Enter a name."]}),
        ({"name": "Pat"}, {"name": [TAKEN]}),
        ({"name": "PÁT."}, {"name": [TAKEN.replace("Pat", "PÁT.")]}),
        ({"name": "x" * 300}, {"name": ["That name is too long. Use 80 characters or fewer."]}),
        ({"name": "<script>"}, {"name": ["A name cannot contain < or >."]}),
        ({"name": "Ngaio", "email": "ngaio"}, {"email": [NO_ADDRESS]}),
        ({"name": "Ngaio", "wants_results": "on"}, {"email": [NOWHERE]}),
    ],
)
def test_what_is_wrong_is_said_and_nothing_typed_is_lost(
    alice: Visitor, cast: Cast, fields: dict[str, str], form_errors: dict[str, list[str]]
) -> None:
    count_before = cast.club.players.count()
    page = alice.post(ADD, fields)
    form = page.context["form"]
    assert (page.status_code, errors(page)) == (422, form_errors)
    form_values = {name: True if value == "on" else value for name, value in fields.items()}
    assert {name: form[name].data for name in fields} == form_values
    assert cast.club.players.count() == count_before


def test_a_member_is_changed_but_takes_nobody_elses_name(alice: Visitor, cast: Cast) -> None:
    player = make_player(cast.club, "Ngaio")
    address = reverse("member-change", args=["riverside", player.pk])
    assert alice.messages_after(address, name="Ngaio P.", kind="guest") == ["Ngaio P. saved."]
    player.refresh_from_db()
    assert (player.name, player.kind, player.is_active) == ("Ngaio P.", "guest", False)
    page = alice.post(address, {"name": "pat", "kind": "member"})
    assert errors(page) == {"name": [TAKEN.replace("Pat", "pat")]}


def test_the_list_is_by_surname(alice: Visitor, cast: Cast) -> None:
    for name in ("Ann Young", "Zoë Łukasik", "Ben Abbott", "Cy Abbott"):
        make_player(cast.club, name)
    page = alice.get(reverse("members", args=["riverside"]))
    names = [member.name for member in page.context["members"] if " " in member.name]
    assert names == ["Ben Abbott", "Cy Abbott", "Zoë Łukasik", "Ann Young"]


def test_those_who_have_left_come_last_on_the_list(alice: Visitor, cast: Cast) -> None:
    ann = make_player(cast.club, "Ann")
    Player.objects.filter(pk=ann.pk).update(is_active=False)
    make_player(cast.club, "Zoë")
    names = [row.name for row in alice.get("/c/riverside/members/").context["members"]]
    assert names == ["Alice", "Dev", "Pat", "Sunil", "Zoë", "Ann"]


def test_e_mail_addresses_are_for_the_secretary(alice: Visitor, cast: Cast) -> None:
    people.add_player(club=cast.club, name="Zoë", email="zoe@example.org")
    pages = [visitor.read("/c/riverside/members/") for visitor in (alice, Visitor(cast.player))]
    assert ["zoe@example.org" in page for page in pages] == [True, False]


def test_a_phone_number_on_the_list_is_dialled_with_one_press(alice: Visitor, cast: Cast) -> None:
    player = make_player(cast.club, "Zoë")
    Player.objects.filter(pk=player.pk).update(phone="01225 22 33", second_phone="07700 900123")
    page = alice.read("/c/riverside/members/")
    assert '<a href="tel:012252233">01225 22 33</a>' in page
    assert '<a href="tel:07700900123">07700 900123</a>' in page
    assert "tel:" not in Visitor(cast.player).read("/c/riverside/members/")


def test_a_founder_is_joined_to_their_own_record(alice: Visitor, cast: Cast) -> None:
    cast.secretary.memberships.update(player=None)
    own_record = cast.club.players.get(name="Alice")
    assert "Are you Alice on this list?" in alice.read("/c/riverside/members/")
    assert "This is me" in alice.read(f"/c/riverside/members/{own_record.pk}/")
    pat = cast.club.players.get(name="Pat")
    alice.post(f"/c/riverside/members/{pat.pk}/me/")
    assert cast.secretary.memberships.get().player is None
    alice.post(f"/c/riverside/members/{own_record.pk}/me/")
    membership = cast.secretary.memberships.get()
    assert (membership.player, membership.role) == (own_record, "secretary")
    assert "This is me" not in alice.read(f"/c/riverside/members/{own_record.pk}/")
    assert "Are you Alice" not in alice.read("/c/riverside/members/")
    other_player = make_player(cast.club, "Zoë")
    alice.post(f"/c/riverside/members/{other_player.pk}/me/")
    assert cast.secretary.memberships.get().player == own_record


@pytest.mark.parametrize("method", ["page", "program"])
def test_a_member_added_by_mistake_is_deleted_after_a_look(
    alice: Visitor, cast: Cast, program: Client, method: str
) -> None:
    wrong = people.add_player(club=cast.club, name="Tel. 01328 12", email="x@example.org")
    address = f"/c/riverside/members/{wrong.pk}/delete/"
    assert "was never checked in" in alice.read(address)
    assert cast.club.players.filter(pk=wrong.pk).exists()
    if method == "page":
        alice.post(address)
    else:
        assert program.delete(f"{AT}players/{wrong.pk}/").status_code == 204
    assert not cast.club.players.filter(pk=wrong.pk).exists()


def test_whom_the_club_has_seen_is_not_deleted(alice: Visitor, cast: Cast, program: Client) -> None:
    pat = cast.club.players.get(name="Pat")
    evening_of(cast.club, [pat])
    page = alice.read(f"/c/riverside/members/{pat.pk}/delete/")
    assert all(deed in page for deed in ("was here on an evening", "can sign in"))
    assert "button--danger" not in page
    alice.post(f"/c/riverside/members/{pat.pk}/delete/")
    assert program.delete(f"{AT}players/{pat.pk}/").status_code == 409
    assert cast.club.players.filter(pk=pat.pk).exists()


@pytest.mark.parametrize("place", ["add/", "{}/change/"], ids=["new", "changed"])
def test_a_telephone_is_a_number(alice: Visitor, cast: Cast, place: str) -> None:
    pat = cast.club.players.get(name="Pat")
    address = f"/c/riverside/members/{place.format(pat.pk)}"
    form_data = {"name": "Pat", "kind": "member", "is_active": "on"}
    answer = alice.post(address, {**form_data, "phone": "hello", "second_phone": "01328 1 (home)"})
    (field, faults), *other_errors = answer.context["form"].errors.items()
    assert (field, faults, other_errors) == (
        "phone",
        ["Enter a phone number, such as 01328 123456."],
        [],
    )
    assert 'value="hello"' in answer.content.decode()
    assert not cast.club.players.exclude(phone="").exists()


ASKING: dict[str, tuple[Callable[[Visitor, Club], object], int]] = {
    "the list": (lambda alice, _: alice.get("/c/riverside/members/"), 7),
    "subscriptions": (lambda alice, _: alice.get(DUE), 3),
    "twins": (lambda _, club: likely_duplicates(club), 4),
    "reading a list in": (lambda _, club: plan_import(club=club, text="name\nNgaio\nZoë\nCy"), 5),
    "taking the list along": (lambda _, club: csv_of_members(club), 2),
}


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("operation", ASKING)
def test_more_members_ask_no_more_of_the_database(
    alice: Visitor, cast: Cast, operation: str, count: int, django_assert_num_queries: Any
) -> None:
    for player in make_players(cast.club, count):
        make_player(cast.club, f"{player.name} Bell")
    ask, queries = ASKING[operation]
    with django_assert_num_queries(queries):
        ask(alice, cast.club)


TODAY = date(2026, 11, 24)


@pytest.fixture
def ann(cast: Cast) -> Player:
    return make_player(cast.club, "Ann", paid_until=date(2026, 8, 31))


@pytest.fixture
def guest(cast: Cast) -> Player:
    return make_player(cast.club, "Gus", kind="guest")


def came(guest: Player, times: int) -> None:
    for day in range(times):
        session = evenings.open_session(club=guest.club, held_on=date(2026, 11, 1 + day))
        evenings.tick(session=session, player=guest, is_here=True)


def said_at_the_door(guest: Player, session: Session) -> str:
    row = door_list(session).row(guest.pk)
    assert row
    return row.asks


@pytest.mark.parametrize(
    ("paid", "expected"),
    [
        (date(2026, 12, 31), date(2027, 12, 31)),
        (date(2026, 8, 31), date(2027, 8, 31)),
        (date(2025, 11, 24), date(2026, 11, 24)),
        (date(2025, 11, 23), date(2027, 11, 23)),
        (date(2028, 2, 29), date(2029, 2, 28)),
        (None, date(2027, 11, 23)),
    ],
)
def test_a_year_is_added_to_what_is_paid(ann: Player, paid: date | None, expected: date) -> None:
    Player.objects.filter(pk=ann.pk).update(paid_until=paid)
    assert people.renew_subscription(player=ann, today=TODAY).paid_until == expected


def test_who_lapses_leaves_the_door_and_keeps_the_results(ann: Player) -> None:
    came(ann, 2)
    people.end_membership(player=ann, today=TODAY)
    tonight = evenings.open_session(club=ann.club, held_on=TODAY)
    assert door_list(tonight).row(ann.pk) is None
    assert ann.attendances.count() == 2
    people.renew_subscription(player=ann, today=TODAY)
    ann.refresh_from_db()
    assert (ann.is_active, ann.lapsed_on) == (True, None)
    assert door_list(tonight).row(ann.pk)


def test_a_guest_becomes_a_member_once(guest: Player) -> None:
    member = people.make_member(player=guest, today=TODAY)
    assert (member.kind, member.joined_on) == ("member", TODAY)
    with pytest.raises(Refused, match="Gus is already a member"):
        people.make_member(player=guest, today=TODAY)


@pytest.mark.parametrize(
    ("visits", "asked_from", "door_note"),
    [
        (1, 3, ""),
        (2, 3, "3rd visit: ask them to join"),
        (3, 3, "4th visit: ask them to join"),
        (5, None, ""),
    ],
)
def test_a_guest_is_asked_to_join_after_so_many_visits(
    guest: Player, visits: int, asked_from: int | None, door_note: str
) -> None:
    people.set_guest_visits(club=guest.club, visits=asked_from)
    came(guest, visits)
    tonight = evenings.open_session(club=guest.club, held_on=TODAY)
    assert said_at_the_door(guest, tonight) == door_note
    evenings.tick(session=tonight, player=guest, is_here=True)
    assert said_at_the_door(guest, tonight) == door_note


def test_a_member_is_never_asked_to_join(ann: Player) -> None:
    came(ann, 5)
    assert said_at_the_door(ann, Session.objects.latest("held_on")) == ""


def test_the_list_says_who_is_due_the_longest_first(cast: Cast, ann: Player) -> None:
    for name, paid in (("Ben", date(2026, 12, 23)), ("Cy", date(2027, 8, 31)), ("Di", TODAY)):
        make_player(cast.club, name, paid_until=paid)
    people.end_membership(
        player=make_player(cast.club, "Ed", paid_until=date(2020, 1, 1)), today=TODAY
    )
    due = subscriptions(cast.club, TODAY)
    rows = [(row.name, row.is_over) for row in due.due]
    assert rows == [("Ann", True), ("Di", False), ("Ben", False)]
    assert [row.name for row in due.unknown] == ["Alice", "Dev", "Pat", "Sunil"]
    assert [(row.name, row.since) for row in due.lapsed] == [("Ed", TODAY)]


def test_renewing_letting_go_and_joining_are_one_press(
    alice: Visitor, ann: Player, guest: Player
) -> None:
    message_lists = [
        alice.messages_after(reverse(name, args=["riverside", player.pk]), from_list="yes")
        for name, player in (("member-renew", ann), ("member-lapse", ann), ("member-join", guest))
    ]
    assert message_lists[0][0].startswith("Ann is paid until ")
    assert message_lists[1:] == [
        ["Ann no longer appears at check-in. All their results are kept."],
        ["Gus is now a member."],
    ]
    messages = alice.messages_after(reverse("member-join", args=["riverside", guest.pk]))
    assert messages == ["Gus is already a member."]


def test_the_club_sets_from_which_visit_guests_are_asked(alice: Visitor, cast: Cast) -> None:
    alice.messages_after(DUE, visits="5")
    assert Club.objects.get(pk=cast.club.pk).guest_visits == 5
    alice.messages_after(DUE, visits="", sent="yes")
    assert Club.objects.get(pk=cast.club.pk).guest_visits is None
    assert alice.post(DUE, {"visits": "0"}).status_code == 422


def test_no_subscription_due_is_not_said_of_members_who_have_no_date(
    alice: Visitor, cast: Cast
) -> None:
    Player.objects.filter(club=cast.club).update(paid_until=None)
    count = cast.club.players.filter(kind=PlayerKind.MEMBER, is_active=True).count()
    page = alice.read(DUE)
    assert f"No subscription is known to be due. {count} members have no payment date." in page
    Player.objects.filter(club=cast.club).update(paid_until=date(2999, 12, 31))
    assert "No subscription is due." in alice.read(DUE)


def name_style(cast: Cast, name: str = "Pat") -> str:
    return Player.objects.get(club=cast.club, name=name).shown_as


def test_a_player_chooses_how_others_read_the_name(cast: Cast) -> None:
    me = Visitor(cast.player)
    assert "Name shown as your name as you chose" not in me.read("/c/riverside/my-name/")
    messages = ["Saved. Your name is now shown as you chose."]
    assert me.messages_after("/c/riverside/my-name/", shown_as="hidden") == messages
    assert name_style(cast) == ShownAs.HIDDEN


@pytest.mark.parametrize(
    ("club", "style", "status", "message"),
    [("riverside", "loud", 422, "Choose one of the three."), ("hill-top", "hidden", 403, "")],
)
def test_a_choice_that_is_none_or_for_another_club_changes_nothing(
    cast: Cast, club: str, style: str, status: int, message: str
) -> None:
    answer = Visitor(cast.player).post(f"/c/{club}/my-name/", {"shown_as": style})
    assert (answer.status_code, name_style(cast)) == (status, ShownAs.FULL)
    assert message in answer.content.decode()


def test_whoever_is_nobody_on_the_list_is_told_so(cast: Cast) -> None:
    cast.player.memberships.update(player=None)
    answer = Visitor(cast.player).post("/c/riverside/my-name/", {"shown_as": "hidden"})
    assert "You are not in the member list" in answer.content.decode()
    assert set(cast.club.players.values_list("shown_as", flat=True)) == {"full"}


@pytest.mark.parametrize(
    ("chosen_fields", "becomes"),
    [({"shown_as": "initial"}, ShownAs.INITIAL), ({}, ShownAs.HIDDEN)],
    ids=["chosen", "not said"],
)
def test_the_secretary_chooses_for_a_member_or_leaves_it(
    alice: Visitor, cast: Cast, chosen_fields: dict[str, str], becomes: ShownAs
) -> None:
    pat = cast.club.players.get(name="Pat")
    Player.objects.filter(pk=pat.pk).update(shown_as=ShownAs.HIDDEN)
    data = {"name": "Pat", "kind": "member", "is_active": "on", **chosen_fields}
    alice.post(f"/c/riverside/members/{pat.pk}/change/", data)
    assert name_style(cast) == becomes


AT = "/api/v1/clubs/riverside/"


def test_a_list_is_looked_at_before_it_is_stored(cast: Cast, program: Client) -> None:
    margaret = make_player(cast.club, "Margaret Hill", phone="01225 1")
    text = "name,phone\nMargaret Hill,01225 2\nNgaio Marsh,\nPeggy Hill,\n"
    preview = send(program, f"{AT}imports/?dry_run=1", {"text": text}).json()["lines"]
    lines = [(row["line"], row["is_new"], row["is_doubtful"]) for row in preview]
    assert lines == [(2, False, False), (3, True, False), (4, False, True)]
    changes = [{"what": "phone", "was": "01225 1", "becomes": "01225 2"}]
    assert (preview[0]["people"][0]["id"], preview[0]["changes"]) == (margaret.pk, changes)
    margaret.refresh_from_db()
    assert margaret.phone == "01225 1"
    assert not cast.club.players.filter(name="Ngaio Marsh").exists()
    strange = {"people": [{"name": "Olwen", "shoe_size": 5}]}
    response = send(program, f"{AT}imports/?dry_run=1", strange)
    assert faults(response) == [("unknown_field", "people.0.shoe_size")]


def test_a_program_says_what_columns_become_and_leaves_lines_out(
    cast: Cast, program: Client
) -> None:
    data = {"text": "Members 2026\nWho,Email,Ring\nOlwen,,1\nRhys,rhys,2\nTotal,,2\n"}
    preview = send(program, f"{AT}imports/?dry_run=1", data).json()
    assert preview["problems"] == ["Choose which column holds the names."]
    assert [row["becomes"] for row in preview["columns"]] == ["", "email", ""]
    assert faults(send(program, f"{AT}imports/", data)) == [("wrong_columns", "columns")]
    chosen_data = {**data, "columns": {"1": "name", "3": "phone"}}
    preview = send(program, f"{AT}imports/?dry_run=1", chosen_data).json()
    assert [row["line"] for row in preview["skipped"]] == [1, 5]
    assert [row["problems"] for row in preview["lines"]] == [
        [],
        ["rhys is not a valid email address."],
    ]
    assert faults(send(program, f"{AT}imports/", chosen_data)) == [("bad_line", "lines.4")]
    response = send(program, f"{AT}imports/", {**chosen_data, "choices": {"4": "out"}})
    assert (response.status_code, response.json()["added"]) == (201, 1)
    assert cast.club.players.get(name="Olwen").phone == "1"


@pytest.mark.parametrize("columns", [{"1": "shoe size"}, {"first": "name"}])
def test_columns_that_cannot_be_are_refused(program: Client, columns: dict[str, str]) -> None:
    data = {"text": "name\nOlwen", "columns": columns}
    assert send(program, f"{AT}imports/?dry_run=1", data).status_code == 400


def test_a_line_in_doubt_waits_for_a_word(cast: Cast, program: Client) -> None:
    make_player(cast.club, "Margaret Hill")
    data = {"people": [{"name": "Peggy Hill"}]}
    assert faults(send(program, f"{AT}imports/", data)) == [("choose", "lines.2")]
    response = send(program, f"{AT}imports/", {**data, "choices": {"2": "new"}})
    assert (response.status_code, response.json()["added"]) == (201, 1)


def test_people_told_one_by_one_are_read_as_a_list_is(cast: Cast, program: Client) -> None:
    data = {"name": "=Olwen; Rees", "kind": "guest", "joined_on": "2026-01-02"}
    extra_fields = {"nicknames": ["Olly"], "shown_as": "initial"}
    response = send(program, f"{AT}imports/", {"people": [data | extra_fields]})
    assert response.status_code == 201, response.json()
    olwen = cast.club.players.get(name="=Olwen; Rees")
    assert (olwen.kind, olwen.joined_on) == (PlayerKind.GUEST, date(2026, 1, 2))
    assert (olwen.shown_as, olwen.aliases.get().name) == (ShownAs.INITIAL, "Olly")


def test_a_list_is_taken_back_once(cast: Cast, program: Client) -> None:
    import_id = send(program, f"{AT}imports/", {"text": "name\nOlwen"}).json()["id"]
    first = send(program, f"{AT}imports/{import_id}/undo/", {})
    assert (first.status_code, first.json()["undone_at"] is None) == (200, False)
    assert not cast.club.players.filter(name="Olwen").exists()
    assert faults(send(program, f"{AT}imports/{import_id}/undo/", {})) == [("undone", "")]


@pytest.mark.parametrize(
    "data", [{}, {"text": "name\nOlwen", "people": [{"name": "Olwen"}]}, {"people": []}]
)
def test_a_list_is_sent_in_one_way(program: Client, data: dict[str, Any]) -> None:
    assert send(program, f"{AT}imports/", data).status_code == 400


def test_a_subscription_is_renewed_and_a_guest_joins(cast: Cast, program: Client) -> None:
    zoe = make_player(cast.club, "Zoë", kind=PlayerKind.GUEST, paid_until=date(2026, 3, 30))
    url = f"{AT}players/{zoe.pk}/"
    with time_machine.travel("2026-03-01T10:00Z", tick=False):
        assert send(program, f"{url}join/", {}).json()["kind"] == "member"
        due = program.get(f"{AT}subscriptions/").json()["due"]
        assert [(row["name"], row["is_over"]) for row in due] == [("Zoë", False)]
        assert send(program, f"{url}renew/", {}).json()["paid_until"] == "2027-03-30"
        assert send(program, f"{url}lapse/", {}).json()["lapsed_on"] == "2026-03-01"


def test_guests_may_be_asked_later_or_never(program: Client) -> None:
    changes: list[dict[str, Any]] = [{"visits": 5}, {"visits": None}, {}]
    answers = [patch(program, f"{AT}subscriptions/", **change).json() for change in changes]
    assert [answer["visits"] for answer in answers] == [5, None, None]


def test_somebody_chooses_how_their_own_name_is_read(cast: Cast) -> None:
    answer = patch(api_client(cast.player), f"{AT}me/", shown_as="hidden").json()
    assert (answer["name"], answer["shown_as"]) == ("Pat", "hidden")
    assert [style["name"] for style in answer["styles"]] == ["Pat", "Pat", "A member"]
    assert cast.club.players.get(name="Pat").shown_as == ShownAs.HIDDEN


def test_a_sign_in_that_is_nobody_on_the_list_is_told_so(cast: Cast) -> None:
    helper = User.objects.create_user("helper@example.org", "x")
    Membership.objects.create(club=cast.club, user=helper, role=Role.SCORER)
    assert api_client(helper).get(f"{AT}me/").status_code == 404


def test_a_player_reads_everything_on_themselves_and_on_nobody_else(cast: Cast) -> None:
    client = api_client(cast.player)
    assert client.get(f"{AT}me/data-export/").json()["name"] == "Pat"
    alice = cast.club.players.get(name="Alice")
    assert client.get(f"{AT}players/{alice.pk}/data-export/").status_code == 403


def test_the_whole_list_is_taken_along(cast: Cast, program: Client) -> None:
    zoe = make_player(cast.club, "Zoë", email="zoe@example.org")
    zoe.aliases.create(club=cast.club, name="Zo", name_key="zo")
    (row,) = program.get(f"{AT}members/?search=zo").json()["results"]
    assert (row["name"], row["email"], row["nicknames"]) == ("Zoë", "zoe@example.org", ["Zo"])
    lines = program.get(f"{AT}members/?as=csv").content.decode("utf-8-sig").splitlines()
    assert len(lines) == 1 + cast.club.players.count()


def test_home_and_the_list_count_the_same_members(cast: Cast, alice: Visitor) -> None:
    make_players(cast.club, 3)
    make_player(cast.club, "Gus Guest", kind=PlayerKind.GUEST)
    make_player(cast.club, "Leo Left", is_active=False)
    members = cast.club.players.filter(kind=PlayerKind.MEMBER, is_active=True).count()
    assert f"{members} members, 1 guest and 1 who left" in alice.read("/c/riverside/members/")
    assert f"<span>{members} members</span>" in alice.read("/c/riverside/")


def test_the_file_of_members_is_by_surname(cast: Cast) -> None:
    cast.club.players.all().delete()
    for name in ("Ann Young", "Zoë Abbott"):
        make_player(cast.club, name)
    _, *lines = csv_of_members(cast.club).decode("utf-8-sig").splitlines()
    assert [line.partition(",")[0] for line in lines] == ["Zoë Abbott", "Ann Young"]
