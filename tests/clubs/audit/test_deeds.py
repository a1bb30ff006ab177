"""Who did what: written down by itself, told on page and over the API, kept for two years."""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from clubs.accounts.services import make_token
from clubs.core.audit_log import (
    ACTS_WITHOUT_ADDRESS,
    CATEGORIES,
    AuditContext,
    audit_entries,
    audit_rows,
    known_acts,
    log_changes,
)
from clubs.evenings.services.evenings import open_session, tick
from clubs.members.services.people import add_player
from clubs.models import AuditEntry, Backup, Club, Membership, Player, Role, Scope, Session, User
from clubs.privacy import services
from clubs.table.api.games import LINK_ACCESS
from clubs.tenancy import club_scope
from scoring.scorebook.refusals import Refused, refuse
from tests.api import api_client, faults, send
from tests.clubs.tables import seated_evening
from tests.clubs.visits import Visitor, confirmed_visitor
from tests.page_forms import pages_with_a_form
from tests.people import PASSWORD, Cast, make_club
from tests.test_doors import DECIDED_BY_ALLAUTH, decision, patterns
from tests.tournaments.cups import seated_cup

DAY = date(2026, 11, 17)
WRITES = ("post", "put", "patch", "delete")
BY_LINK = "anyone with the link"
# What is sent is previewed, scored or refused.
CHANGES_NOTHING = {
    "house-rules",
    "house-lines",
    "how-it-looks",
    "operator-bring",  # the club that it brings says so in its own activity log
    "email-test",  # it sends an email and stores nothing
    "api-score",
    "api-score-taps",
}


def log_sentences(club: Club) -> list[str]:
    """The sentences of the club, newest first."""
    with club_scope(club.pk):
        return [row.sentence for row in audit_rows(club, audit_entries(club))]


def create_entry(club: Club, user: User, act: str, **entry_fields: Any) -> AuditEntry:
    """A line of who did what."""
    with club_scope(club.pk):
        return AuditEntry.objects.create(club=club, made_by=user, what=act, **entry_fields)


def context_of(club: Club, user: User, name: str = "close", **url_kwargs: Any) -> AuditContext:
    """Someone's press, as a door tells of it."""
    return AuditContext(
        name=name,
        method="POST",
        subjects=url_kwargs,
        read_data=dict,
        clubs=lambda: [club.pk],
        made_by=user.pk,
    )


def acts() -> Iterator[str]:
    """The name of every address at which something can be changed, and by which methods."""
    for pattern in patterns(get_resolver()):
        name, view = str(pattern.name), getattr(pattern.callback, "cls", None)
        if name in DECIDED_BY_ALLAUTH or decision(pattern) in {BY_LINK, LINK_ACCESS, "everybody"}:
            continue
        if name in pages_with_a_form():
            yield name
        if any(hasattr(view, method) for method in WRITES):
            yield name


def test_every_act_has_a_sentence() -> None:
    known_names = {name.partition(":")[0] for name in known_acts()}
    assert sorted(set(acts()) - known_names - CHANGES_NOTHING) == []


def test_every_sentence_is_of_an_act_that_there_is() -> None:
    url_names = {str(pattern.name) for pattern in patterns(get_resolver())}
    known_names = {name.partition(":")[0] for name in known_acts()}
    assert sorted(known_names - url_names - ACTS_WITHOUT_ADDRESS.keys()) == []


def test_every_sentence_is_in_a_drawer() -> None:
    drawers = {act.drawer for act in known_acts().values()}
    assert drawers == CATEGORIES.keys()


def test_what_a_secretary_presses_is_told_in_a_sentence(cast: Cast, alice: Visitor) -> None:
    alice.post(reverse("evenings", args=["riverside"]), {"held_on": "2026-11-17"})
    evening = Session.objects.get()
    alice.post(reverse("member-add", args=["riverside"]), {"name": "Zoë Hill", "kind": "member"})
    assert log_sentences(cast.club) == [
        "Alice added Zoë Hill to the list.",
        "Alice opened the evening of 17 November 2026.",
    ]
    assert evening.held_on == DAY


def test_whoever_moves_is_named_by_the_name_of_today(cast: Cast, alice: Visitor) -> None:
    pat = Player.objects.get(club=cast.club, name="Pat")
    evening = open_session(club=cast.club, held_on=DAY)
    alice.post(reverse("tick", args=["riverside", evening.pk]), {"here": pat.pk})
    assert log_sentences(cast.club) == ["Alice checked in Pat for the evening of 17 November 2026."]
    Player.objects.filter(pk=pat.pk).update(name="A former player")
    assert "Pat" not in log_sentences(cast.club)[0]


def test_a_guest_is_named_and_when_erased_no_more(cast: Cast, alice: Visitor) -> None:
    evening = open_session(club=cast.club, held_on=DAY)
    alice.post(reverse("guest", args=["riverside", evening.pk]), {"name": "Yan"})
    ending = "as a guest of the evening of 17 November 2026."
    assert log_sentences(cast.club) == [f"Alice added Yan {ending}"]
    Player.objects.get(name="Yan").attendances.all().delete()
    Player.objects.get(name="Yan").delete()
    assert log_sentences(cast.club) == [f"Alice added someone {ending}"]


def test_whoever_changes_places_is_named(cast: Cast) -> None:
    table = seated_evening(cast.club, held_on=DAY).tables.get()
    with club_scope(cast.club.pk):
        ann, ben = [place.player for place in table.places.all()[:2]]
    data = {"way": "places", "places-one": ann.pk, "places-other": ben.pk, "save": "1"}
    address = reverse("evening-move", args=["riverside", table.session_id])
    assert Visitor(cast.secretary).post(address, data).status_code == 302
    text = f"Alice swapped {ann} and {ben} on the evening of 17 November 2026."
    assert log_sentences(cast.club) == [text]


def test_entrants_who_change_places_are_named(cast: Cast) -> None:
    cup = seated_cup(club=cast.club)
    entrant, other_entrant = cup.entrants.all()[:2]
    swap_data = {"number": 1, "one": entrant.pk, "other": other_entrant.pk}
    form_data = {"way": "swap"} | {f"swap-{name}": value for name, value in swap_data.items()}
    address = reverse("seating-changes", args=["riverside", cup.pk])
    assert Visitor(cast.secretary).post(address, form_data).status_code == 302
    api = reverse("api-seating-swap", args=["riverside", cup.pk])
    assert send(api_client(cast.secretary), api, swap_data).status_code == 201
    text = f"swapped {entrant.name} and {other_entrant.name} in {cup.name}."
    assert log_sentences(cast.club) == [f"A key called “A test” (Alice’s) {text}", f"Alice {text}"]


def test_a_key_by_password_is_told(cast: Cast) -> None:
    data = {"email": cast.secretary.email, "password": PASSWORD, "name": "club website"}
    answer = send(Client(), "/api/v1/token/", data)
    assert answer.status_code == 201, answer.content
    assert log_sentences(cast.club) == ["Alice created an API key."]


def test_looking_and_what_is_refused_are_not_written_down(cast: Cast, alice: Visitor) -> None:
    alice.get(reverse("members", args=["riverside"]))
    alice.post(reverse("member-add", args=["riverside"]), {"name": ""})
    evening = open_session(club=cast.club, held_on=DAY)
    alice.post(reverse("reopen", args=["riverside", evening.pk]))
    assert log_sentences(cast.club) == []


@transaction.atomic
def begun_and_refused(club: Club) -> None:
    """Something is changed, then refused."""
    add_player(club=club, name="Zoë Hill")
    raise refuse("not_now", "Not today.")


def test_what_is_rolled_back_was_not_done(cast: Cast) -> None:
    with club_scope(cast.club.pk), log_changes(context_of(cast.club, cast.secretary)):
        with pytest.raises(Refused):
            begun_and_refused(cast.club)
        assert not AuditEntry.objects.exists()
        add_player(club=cast.club, name="Ngaio Marsh")
        add_player(club=cast.club, name="Ann Smith")
    assert len(log_sentences(cast.club)) == 1


WAYS_TO_WRITE: dict[str, Callable[[Player], object]] = {
    "create": lambda pat: Player.objects.create(
        club=pat.club, name="Zoë Hill", name_key="zoe hill"
    ),
    "save": lambda pat: pat.save(),
    "save of a column": lambda pat: pat.save(update_fields=["name"]),
    "delete": lambda pat: Player.objects.filter(pk=pat.pk).delete(),
    "update": lambda pat: Player.objects.filter(pk=pat.pk).update(name="Zoë Hill"),
    "update in bulk": lambda pat: Player.objects.bulk_update([pat], ["name"]),
    "create in bulk": lambda pat: Player.objects.bulk_create(
        [Player(club=pat.club, name="Zoë Hill", name_key="zoe hill")]
    ),
    "create what is not there": lambda pat: Player.objects.bulk_create(
        [Player(club=pat.club, name="Zoë Hill", name_key="zoe hill")], ignore_conflicts=True
    ),
    "create or update": lambda pat: Player.objects.bulk_create(
        [pat], update_conflicts=True, unique_fields=["id"], update_fields=["name"]
    ),
}


@pytest.mark.services
@pytest.mark.parametrize("method", WAYS_TO_WRITE)
def test_a_row_written_in_any_of_djangos_ways_is_noted(cast: Cast, method: str) -> None:
    pat = Player.objects.create(club=cast.club, name="Pat Moss")
    with club_scope(cast.club.pk), log_changes(context_of(cast.club, cast.secretary)):
        WAYS_TO_WRITE[method](pat)
    assert len(log_sentences(cast.club)) == 1


def test_a_program_is_named_by_its_key(cast: Cast) -> None:
    secret = make_token(user=cast.secretary, name="club website", scopes=list(Scope)).key
    program = Client(headers={"Authorization": f"Bearer {secret}"})
    answer = send(program, "/api/v1/clubs/riverside/players/", {"name": "Zoë Hill"})
    assert answer.status_code == 201, answer.content
    assert (
        log_sentences(cast.club)[0]
        == "A key called “club website” (Alice’s) added Zoë Hill to the list."
    )


def test_hands_told_by_a_tables_link_cost_no_line(cast: Cast) -> None:
    table = seated_evening(cast.club, held_on=DAY).tables.get()
    Client().post(reverse("table", args=[table.link_key]), {"step": "totals"})
    assert log_sentences(cast.club) == []


def test_somebody_who_is_gone_leaves_no_name(cast: Cast) -> None:
    with club_scope(cast.club.pk), log_changes(context_of(cast.club, cast.director, "seat")):
        add_player(club=cast.club, name="Zoë Hill")
    cast.director.delete()
    assert log_sentences(cast.club) == ["A former user seated an evening."]


def test_the_lines_are_found_by_person_by_kind_and_by_day(cast: Cast, alice: Visitor) -> None:
    for user, name in ((cast.secretary, "seat"), (cast.director, "member-add")):
        with club_scope(cast.club.pk), log_changes(context_of(cast.club, user, name)):
            add_player(club=cast.club, name=f"Guest of {user.name}")
    address = reverse("who-did-what", args=["riverside"])
    filters = (
        {"doer": cast.director.pk},
        {"drawer": "evenings"},
        {"day": "2020-01-01"},
        {"doer": "?"},
    )
    results = [
        [row.sentence for row in alice.get(address, query).context["rows"]] for query in filters
    ]
    dev, seating_line = "Dev added Guest of Dev to the list.", "Alice seated an evening."
    assert results == [[dev], [seating_line], [], [dev, seating_line]]


def test_the_lines_can_be_taken_along(cast: Cast, alice: Visitor) -> None:
    create_entry(cast.club, cast.secretary, "seat")
    answer = alice.get(reverse("who-did-what-csv", args=["riverside"]))
    lines = answer.content.decode("utf-8-sig").splitlines()
    assert lines[0] == "Day,Time,What,About,Reference"
    assert "Alice seated an evening.,Evenings" in lines[1]


@pytest.mark.parametrize("count", [1, 3])
def test_the_page_asks_the_same_for_one_line_and_for_three(
    cast: Cast, alice: Visitor, django_assert_num_queries: DjangoAssertNumQueries, count: int
) -> None:
    evening = open_session(club=cast.club, held_on=DAY)
    pat = Player.objects.get(club=cast.club, name="Pat")
    for _ in range(count):
        tick(session=evening, player=pat, is_here=True)
        context = {"pk": evening.pk, "here": pat.pk}
        create_entry(cast.club, cast.secretary, "tick:here", about=context)
    with django_assert_num_queries(7):
        page = alice.get(reverse("who-did-what", args=["riverside"]))
    assert len(page.context["rows"]) == count


def sign_in(cast: Cast, browser: str, password: str = PASSWORD) -> None:
    """The secretary at the sign-in page."""
    data = {"login": cast.secretary.email, "password": password}
    Client(headers={"User-Agent": browser}).post(reverse("account_login"), data)


def test_a_sign_in_from_a_new_browser_is_told_as_such(cast: Cast) -> None:
    for browser in ("Firefox/131.0", "Firefox/132.0", "Safari/604.1"):
        sign_in(cast, browser)
    new = "Someone signed in as Alice from a new browser."
    assert log_sentences(cast.club) == [new, "Alice signed in.", new]


def test_the_fifth_failure_to_sign_in_is_told_once(cast: Cast) -> None:
    for _ in range(7):
        sign_in(cast, "Firefox/131.0", "not that")
    assert log_sentences(cast.club).count("Someone failed many times to sign in as Alice.") <= 1
    for _ in range(7):
        authenticate(email=cast.director.email, password="not that")
    assert log_sentences(cast.club)[0] == "Someone failed many times to sign in as Dev."


def test_a_players_own_sign_in_is_nobody_elses_business(cast: Cast) -> None:
    data = {"login": cast.player.email, "password": PASSWORD}
    Client().post(reverse("account_login"), data)
    assert log_sentences(cast.club) == []


def test_a_changed_password_is_told(cast: Cast) -> None:
    password_data = {
        "oldpassword": PASSWORD,
        "password1": "eight bamboos",
        "password2": "eight bamboos",
    }
    Visitor(cast.secretary).post(reverse("account_change_password"), password_data)
    assert log_sentences(cast.club)[0] == "Alice changed the password."


def test_a_command_is_told_as_the_machines(cast: Cast) -> None:
    call_command("give_role", "riverside", "ngaio@example.org", "scorer", stdout=StringIO())
    assert log_sentences(cast.club) == ["Tongbox administrator gave someone a role."]


def test_a_key_is_told_in_every_club_that_its_person_runs(cast: Cast) -> None:
    other_club = make_club("Another Club", "another")
    Membership.objects.create(club=other_club, user=cast.secretary, role=Role.DIRECTOR)
    data = {"name": "club website", "scopes": ["read"]}
    confirmed_visitor(cast.secretary).post(reverse("keys"), data)
    assert log_sentences(cast.club) == log_sentences(other_club) == ["Alice created an API key."]


def two_old_lines(club: Club, user: User) -> None:
    """Lines of 21 and 23 November 2024."""
    for day in (21, 23):
        old, moment = create_entry(club, user, "seat"), datetime(2024, 11, day, 12, tzinfo=UTC)
        AuditEntry.objects.filter(pk=old.pk).update(at=moment)


def test_lines_go_after_two_years_by_the_clubs_timetable(cast: Cast) -> None:
    two_old_lines(cast.club, cast.secretary)
    with club_scope(cast.club.pk):
        services.agree_to_schedule(club=cast.club, terms={"deeds": 24}, today=date(2026, 11, 21))
        services.run_schedule(club=cast.club, today=date(2026, 11, 22))
    deletion_line = "Retention schedule deleted expired data."
    assert log_sentences(cast.club) == [deletion_line, "Alice seated an evening."]


def test_lines_go_after_two_years_also_without_a_timetable(cast: Cast) -> None:
    elsewhere = cast.stranger.memberships.get().club
    services.agree_to_schedule(club=elsewhere, terms={"deeds": None}, today=date(2026, 11, 21))
    for club in (cast.club, elsewhere):
        two_old_lines(club, cast.secretary)
    services.run_due_schedules(today=date(2026, 11, 22))
    assert (len(log_sentences(cast.club)), len(log_sentences(elsewhere))) == (1, 2)


AT = "/api/v1/clubs/riverside/activity/"


def sentences(answer: Any) -> list[str]:
    return [row["sentence"] for row in answer.json()["results"]]


def test_a_program_reads_the_same_lines_as_the_page(
    cast: Cast, alice: Visitor, program: Client
) -> None:
    send(program, "/api/v1/clubs/riverside/players/", {"name": "Zoë Hill"})
    alice.post(reverse("evenings", args=["riverside"]), {"held_on": "2026-11-17"})
    page = alice.get(reverse("who-did-what", args=["riverside"]))
    opening_entry, added_entry = program.get(AT).json()["results"]
    assert [opening_entry["sentence"], added_entry["sentence"]] == [
        row.sentence for row in page.context["rows"]
    ]
    by_hand = {"kind": "evenings", "program": "", "user": cast.secretary.pk}
    assert opening_entry.items() >= by_hand.items()
    assert (added_entry["kind"], added_entry["program"]) == ("people", "A key called “A test”")
    zoe = cast.club.players.get(name="Zoë Hill")
    assert added_entry["page"] == reverse("player", args=["riverside", zoe.pk])


SEATED = "Alice seated an evening."
CHANGED = "The website (Dev’s) changed someone’s details."


@pytest.mark.parametrize(
    ("query", "remaining_lines"),
    [
        ("kind=evenings", [SEATED]),
        ("kind=people", [CHANGED]),
        ("program=website", [CHANGED]),
        ("to=2020-01-01", []),
        ("since=2020-01-01T00:00:00Z", [CHANGED, SEATED]),
    ],
)
def test_a_program_asks_for_some_of_the_lines(
    cast: Cast, program: Client, query: str, remaining_lines: list[str]
) -> None:
    create_entry(cast.club, cast.secretary, "seat")
    create_entry(cast.club, cast.director, "member-change", by="The website")
    assert sentences(program.get(f"{AT}?{query}")) == remaining_lines


def test_a_program_asks_for_the_lines_of_one_sign_in(cast: Cast, program: Client) -> None:
    create_entry(cast.club, cast.secretary, "seat")
    create_entry(cast.club, cast.director, "seat")
    assert sentences(program.get(f"{AT}?user={cast.director.pk}")) == ["Dev seated an evening."]


def test_a_kind_that_there_is_not_is_refused(program: Client) -> None:
    assert faults(program.get(f"{AT}?kind=croquet")) == [("bad_parameter", "kind")]


def test_the_lines_are_taken_along_as_a_file(cast: Cast, program: Client) -> None:
    create_entry(cast.club, cast.secretary, "seat")
    answer = program.get(f"{AT}?as=csv")
    assert "Alice seated an evening." in answer.content.decode("utf-8-sig").splitlines()[1]


@pytest.mark.parametrize("count", [1, 3])
def test_one_line_and_three_ask_the_same_of_the_database(
    cast: Cast, program: Client, django_assert_num_queries: DjangoAssertNumQueries, count: int
) -> None:
    pat = cast.club.players.get(name="Pat")
    for _ in range(count):
        create_entry(cast.club, cast.secretary, "member-change", about={"player": pat.pk})
    program.get(AT)
    with django_assert_num_queries(6):
        lines = sentences(program.get(AT))
    assert lines == ["Alice changed Pat’s details."] * count


def test_a_program_hears_of_a_backup_that_was_not_good(program: Client) -> None:
    Backup.objects.create(made_at=timezone.now(), is_good=False, fault="The disk was full.")
    assert program.get("/api/v1/clubs/riverside/backup/").json() == {
        "good_at": None,
        "trouble": "The last backup failed its test.",
        "fault": "The disk was full.",
        "put_back_at": None,
        "away": [],
    }
