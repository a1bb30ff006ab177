"""The club's settings: what it is called, and what the page says of the present state."""

import re
from collections.abc import Iterator
from datetime import date
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from time_machine import travel

from clubs.accounts.services import invite, make_token
from clubs.core.audit_log import audit_rows
from clubs.house.services import change_club, give_role, start_rehearsal
from clubs.models import AuditEntry, Backup, Club, Installation, Retention, Role
from clubs.tenancy import club_scope
from clubs.webhooks.services import add_webhook
from scoring.scorebook.refusals import Refused
from tests.api import api_client, patch
from tests.clubs.nights import make_players
from tests.clubs.outbox import write
from tests.clubs.tables import seated_evening
from tests.clubs.visits import Visitor, errors
from tests.clubs.year import make_series
from tests.people import Cast, make_cast, make_player

CLUB = "/c/riverside/"
SETTINGS = f"{CLUB}settings/"
PREVIEW = f"{SETTINGS}public/preview/"
NAME = f"{CLUB}settings/name/"


@pytest.fixture
def cast(db: None) -> Iterator[Cast]:
    cast = make_cast()
    with club_scope(cast.club.pk):
        yield cast


def test_the_secretary_renames_the_club_and_its_address_stays(cast: Cast, alice: Visitor) -> None:
    practice = start_rehearsal(club=cast.club).club
    messages = alice.messages_after(NAME, name="  Riverside   Winds ", mark_colour="red")
    assert messages == ["The club is now called Riverside Winds."]
    assert "Riverside Winds" in alice.read(CLUB)
    practice.refresh_from_db()
    assert practice.name == "Practice: Riverside Winds"
    assert [entry.made_by for entry in AuditEntry.objects.filter(what="club-name")] == [
        cast.secretary
    ]


@pytest.mark.parametrize("page", [NAME, PREVIEW, f"{SETTINGS}public/"])
def test_the_clubs_address_is_the_one_that_was_chosen_for_phones(
    cast: Cast, alice: Visitor, settings: Any, page: str
) -> None:
    settings.SITE_ADDRESS = ""
    Installation.objects.create(pk=1, address="http://192.168.1.20:8000")
    Club.objects.update(shows_results=page.endswith("public/"))
    assert "http://192.168.1.20:8000/c/riverside/" in alice.read(page)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "Enter the name of the club."),
        ("HILL TOP club", "There is already a club with that name."),
        ("<b>", "A name cannot contain < or >."),
        ("...", "Enter a name with at least one letter."),
    ],
)
def test_a_name_that_cannot_be_is_refused_and_stays_on_the_form(
    cast: Cast, alice: Visitor, name: str, message: str
) -> None:
    Club.objects.create(name="Hill Top Club", slug="hill-top-club")
    page = alice.post(NAME, {"name": name, "mark_colour": "red"})
    assert (page.status_code, errors(page)) == (422, {"name": [message]})
    assert page.context["form"]["name"].value() == name
    cast.club.refresh_from_db()
    assert cast.club.name == "Riverside Mah-Jong Club"


def test_no_renaming_makes_a_club_tongbox(cast: Cast, alice: Visitor) -> None:
    data = {"name": "Tongbox Security", "mark_colour": "red"}
    answer = alice.post(reverse("club-name", args=["riverside"]), data)
    assert errors(answer) == {"name": ["Choose another name, such as that of your town."]}
    program = api_client(cast.secretary)
    response = patch(program, "/api/v1/clubs/riverside/settings/name/", name="Admin")
    assert response.status_code == 400
    cast.club.refresh_from_db()
    assert cast.club.name == "Riverside Mah-Jong Club"


def test_the_secretary_chooses_the_colour_of_the_mark(cast: Cast, alice: Visitor) -> None:
    practice = start_rehearsal(club=cast.club).club
    assert 'data-mark-colour="red"' in alice.read(CLUB)
    messages = alice.messages_after(NAME, name=cast.club.name, mark_colour="blue")
    assert messages == ["The club’s mark is now blue."]
    for page in (alice.read(CLUB), alice.read(f"/c/{practice.slug}/")):
        assert 'data-mark-colour="blue"' in page
        assert page.count("mark-blue.svg") == 2  # the icon of the browser's tab, and the masthead
    entry = AuditEntry.objects.get(what="club-name")
    assert audit_rows(cast.club, [entry])[0].sentence == "Alice changed the club’s name or mark."


def test_name_and_mark_change_together(cast: Cast, alice: Visitor) -> None:
    messages = alice.messages_after(NAME, name="Winds", mark_colour="plum")
    assert messages == ["The club is now called Winds. The club’s mark is now plum."]


@pytest.mark.parametrize("colour", ["", "pink"])
def test_only_a_colour_of_the_list_can_be_chosen(cast: Cast, alice: Visitor, colour: str) -> None:
    page = alice.post(NAME, {"name": "Winds", "mark_colour": colour})
    assert (page.status_code, errors(page)) == (422, {"mark_colour": ["Choose a colour."]})
    cast.club.refresh_from_db()
    assert (cast.club.name, cast.club.mark_colour) == ("Riverside Mah-Jong Club", "red")


def test_anyone_sees_the_mark_in_its_colour(cast: Cast) -> None:
    Club.objects.update(mark_colour="green", shows_results=True, shows_league=True)
    session = seated_evening(cast.club)
    public = [
        reverse("club", args=["riverside"]),
        reverse("wall", args=[session.wall_key]),
        reverse("table", args=[session.tables.get().link_key]),
    ]
    for address in public:
        page = Client().get(address).content.decode()
        assert 'data-mark-colour="green"' in page, address
    assert "data-mark-colour" not in Client().get("/style/").content.decode()


def test_a_new_practice_evening_has_the_mark_of_the_club(cast: Cast) -> None:
    change_club(club=cast.club, name=cast.club.name, mark_colour="brown")
    assert start_rehearsal(club=cast.club).club.mark_colour == "brown"


def test_a_program_chooses_the_colour_of_the_mark(cast: Cast) -> None:
    address = "/api/v1/clubs/riverside/settings/name/"
    program = api_client(cast.secretary)
    answer = patch(program, address, mark_colour="black")
    assert answer.json() == {"name": "Riverside Mah-Jong Club", "mark_colour": "black"}
    assert patch(program, address, mark_colour="pink").status_code == 400
    cast.club.refresh_from_db()
    assert cast.club.mark_colour == "black"


def test_a_practice_evening_is_not_renamed(cast: Cast) -> None:
    with pytest.raises(Refused, match="takes these from its club"):
        change_club(club=start_rehearsal(club=cast.club).club, name="Tuesday", mark_colour="red")


def test_a_program_renames_the_club(cast: Cast) -> None:
    address = "/api/v1/clubs/riverside/settings/name/"
    program = api_client(cast.secretary)
    now = {"name": "Riverside Winds", "mark_colour": "red"}
    assert patch(program, address, name="Riverside Winds").json() == now
    assert program.get(address).json() == now
    assert Client().get(address).status_code == 401


def test_a_name_that_a_practice_evening_has_is_refused(cast: Cast) -> None:
    other_club = Club.objects.create(name="Hill Top", slug="hill-top-club")
    start_rehearsal(club=cast.club)
    with pytest.raises(Refused, match="already a club with that name"):
        change_club(club=other_club, name="Practice: Riverside Mah-Jong Club", mark_colour="red")
    Club.objects.create(name="Practice: Winds", slug="winds")
    with pytest.raises(Refused, match="already a club with that name"):
        change_club(club=cast.club, name="Winds", mark_colour="red")
    cast.club.refresh_from_db()
    assert cast.club.name == "Riverside Mah-Jong Club"


def states(page: str) -> list[str]:
    """What each section of the Settings page says of the present state."""
    texts = re.findall(r'<p class="group-of__state">(.*?)</p>', page)
    return [unescape(re.sub(r"\s+", " ", state)).strip() for state in texts]


def test_the_settings_say_how_everything_is_set(cast: Cast, alice: Visitor) -> None:
    assert states(alice.read(SETTINGS)) == [
        "The club is called Riverside Mah-Jong Club. The tile beside its name is red.",
        "The public sees nothing: only members who sign in can open the club.",
        "1 secretary, 1 tournament director, 1 scorer and 1 player can sign in.",
        "You play BMJA rules. Ratings are off.",
        "No evening is planned. There is no table money.",
        "No messages are waiting in the Outbox.",
        "The retention schedule is off: nothing is deleted automatically.",
        "No backup has been tested successfully yet.",
        "There are no webhooks. You have no API keys.",
        "Nothing has been changed yet.",
        "No practice evening has been started.",
    ]


@travel("2026-11-18 12:00+00:00", tick=False)
def test_the_settings_say_what_has_been_changed(cast: Cast, alice: Visitor) -> None:
    club, secretary = cast.club, cast.secretary
    for email in ("bea@example.org", "cy@example.org"):
        invite(club=club, email=email, role=Role.SCORER, invited_by=secretary)
    give_role(club=club, email="sam@example.org", role=Role.SECRETARY)
    make_series(club, last_on=date(2026, 12, 15))
    club.table_money, club.rates = 250, True
    club.save()
    write(
        club, [make_player(club, name, email="m@example.org") for name in ("Maud", "Mo")], secretary
    )
    Retention.objects.create(club=club, guests=12)
    add_webhook(club=club, address="https://tongbox.invalid/", kinds=["hand.recorded"])
    make_token(user=secretary, name="Board", scopes=["read"])
    Backup.objects.create(is_good=True, file="tongbox.tar.gz", made_at=timezone.now())
    start_rehearsal(club=club)
    alice.messages_after(f"{SETTINGS}public/", shows_results="on", shows_league="on")
    assert states(alice.read(SETTINGS)) == [
        "The club is called Riverside Mah-Jong Club. The tile beside its name is red.",
        "The public sees the results and the league.",
        (
            "2 secretaries, 1 tournament director, 1 scorer and 1 player can sign in. "
            "2 invitations have not been accepted yet."
        ),
        "You play BMJA rules. Ratings are on.",
        "The next evening is Tuesday 24 November at 2pm. Table money is £2.50 per person.",
        "1 message is waiting in the Outbox.",
        "The retention schedule is on: old data is deleted automatically.",
        "The last good backup was made on Wednesday 18 November 2026 at 12 noon.",
        "1 webhook is on. You have 1 API key.",
        "Latest change, 18 November, 12 noon: Alice changed what the public sees.",
        "A practice evening has been started.",
    ]


@pytest.mark.parametrize("people", [1, 3])
def test_the_settings_ask_the_same_however_much_there_is(
    cast: Cast, alice: Visitor, people: int, django_assert_num_queries: Any
) -> None:
    for number in range(people):
        email = f"p{number}@example.org"
        invite(club=cast.club, email=email, role=Role.SCORER, invited_by=cast.secretary)
        add_webhook(club=cast.club, address="https://tongbox.invalid/", kinds=["hand.recorded"])
        make_series(cast.club)
    alice.messages_after(f"{SETTINGS}public/", shows_results="on")
    alice.get(SETTINGS)
    with django_assert_num_queries(13):
        assert alice.get(SETTINGS).status_code == 200


def test_a_practice_evening_has_no_public_and_no_people(cast: Cast) -> None:
    practice = start_rehearsal(club=cast.club).club
    page = Visitor(cast.secretary).read(f"/c/{practice.slug}/settings/")
    assert states(page)[0] == "You play BMJA rules. Ratings are off."
    assert states(page)[-1] == "You are on a practice evening. Nothing here counts."
    assert "settings/public/" not in page


def test_the_secretary_sees_what_a_visitor_sees(cast: Cast, alice: Visitor) -> None:
    Club.objects.update(shows_results=True)
    preview, visit = alice.read(PREVIEW), Client().get(CLUB).content.decode()
    body = re.compile(r'<section class="hero".*?</main>', re.DOTALL)
    header = re.compile(r"<header.*</header>", re.DOTALL)
    assert body.findall(preview)[0].split() == body.findall(visit)[0].split()
    assert "Sign in" in header.findall(preview)[0]
    assert "Settings" not in header.findall(preview)[0]
    assert "Start today’s evening" in alice.read(CLUB)


def test_a_visitor_to_a_club_that_shows_nothing_is_asked_to_sign_in(alice: Visitor) -> None:
    assert "Visitors are asked to sign in" in alice.read(PREVIEW)


def test_settings_messages_and_outbox_count_the_same_messages(cast: Cast, alice: Visitor) -> None:
    players = make_players(cast.club, 3)
    for _ in range(2):
        write(cast.club, players, cast.secretary)
    assert "2 messages are waiting in the Outbox." in states(alice.read(SETTINGS))
    assert "2 messages are waiting in the Outbox" in alice.read("/c/riverside/messages/")
    assert "2 messages not sent yet" in alice.read("/c/riverside/messages/outbox/")
