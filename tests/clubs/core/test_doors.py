"""Who may pass which door of a club: every address tried by the whole cast."""

from copy import deepcopy
from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs.core.queue import make_job
from clubs.house.services import save_house_rules
from clubs.models import HouseRules, Job, Season, Session, link_key
from scoring.house import read_house_rules
from tests.admission import (
    MEMBERS,
    ORGANISERS,
    PEOPLE,
    SCORERS,
    SECRETARY,
    Entry,
    differences,
    statuses,
)
from tests.clubs.nights import make_season
from tests.clubs.outbox import MESSAGES, message_places, write
from tests.clubs.places import (
    calendar_places,
    of_season,
    people_places,
    program_places,
    table_places,
    wish_places,
)
from tests.clubs.tables import seated_evening
from tests.clubs.year import make_series
from tests.people import PASSWORD, Cast, make_cast

PRINTED = (
    "result-pdf "
    "sheets-pdf cards-pdf papers seating-cards-pdf blank-sheets-pdf seats-pdf door-pdf tally-pdf "
    "emergency-pdf"
)
OF_NO_CLUB = """
    account account_email sign-out-everywhere keys score how-it-looks guides wall-worker
    set-up start start-sent start-bring terms privacy operator operator-bring
    offline worker web-app bring-club
"""
OF_AN_EVENING = """
    evening result tick tick-usual guest seat clear close reopen evening-delete evening-cancel
    evening-restore evening-sheets
    evening-repairs money money-file crib-pdf evening-why evening-why-pdf evening-move
    evening-change
"""
AT_A_TABLE = ("table", "new-link", "sheet", "repair", "change-undo")
BELOW_A_TABLE = ("tiles", "hand", "repair-back")
SIGNED_IN = PEOPLE[:-1]
NO_ONE: tuple[str, ...] = ()  # of the cast; tests/clubs/hosting has the operators
EVERYBODY = dict.fromkeys(PEOPLE, 200)

GETS = statuses(
    {
        (PEOPLE, 200): """
            how-it-looks guides guide rules rules-aid score score-rules score-link wall
            offline worker web-app
            wall-worker table table-aid table-standings table-seats table-ahead table-worker
            table-hands table-more
            table-tiles table-tapped calendar-feed calendar-day standby-answer stop-emails
        """,
        (PEOPLE, 302): "account_email table-dispute table-undo",
        (PEOPLE, 404): """
            set-up start start-sent terms privacy table-formerly table-receipt table-hand-receipt
            bring-club
        """,
        (PEOPLE, 410): "account_confirm_email role-invitation start-link start-link-bring",
        (NO_ONE, 403): "operator operator-club operator-bring",
        (SIGNED_IN, 200): "account keys",
        (SIGNED_IN, 404): "start-bring",
        (MEMBERS, 200): """
            calendar club members my-name my-emails player special-hands special-hands-pdf
            special-hands-csv club-web-app
            evenings evening result seasons season crib-pdf season-pdf season-poster-pdf
            evening-why evening-why-pdf
        """,
        (MEMBERS, 302): "season-now tonight",
        (MEMBERS, 404): "rating season-why",
        (("secretary", "player"), 200): "everything everything-file everything-data",
        (ORGANISERS, 200): f"""
            evening-new-link evening-tiles evening-tapped evening-table evening-sheet
            evening-sheets season-papers club-papers club-blank-sheets-pdf club-crib-pdf {PRINTED}
        """,
        (ORGANISERS, 404): "rehearsal",
        (SCORERS, 200): "evening-repair evening-repairs",
        (SECRETARY, 200): """
            series-add money money-file money-year money-year-file standby series-change holidays
            outbox messages-sent messages messages-write batch batch-text message batch-by-hand
            batch-letters-pdf batch-phone-pdf member-add members-import members-due members-twins
            webhooks who-did-what who-did-what-csv members-csv members-xlsx members-pdf
            member-merge
            member-change club-rules settings club-name club-public club-email club-address
            email-test roles house-rules house-lines
            season-add club-preview season-change season-rules season-try season-given job keeping
            close evening-delete member-erase evening-move evening-change evening-cancel wishes
            wish-add club-file
        """,
        (SECRETARY, 302): "seat substitutes money-now club-delete role-links",
        (SECRETARY, 404): "club-file-download",
    }
)
POSTS = statuses(
    {
        (PEOPLE, 200): "standby-answer stop-emails",
        (PEOPLE, 302): "sign-out-everywhere keys how-it-looks table-tiles table-dispute",
        (PEOPLE, 404): "set-up start table-agree table-undo mail-reports bring-club",
        (PEOPLE, 410): "role-invitation start-link start-link-bring",
        (NO_ONE, 403): """
            operator-close operator-reopen operator-announce operator-keep operator-bring
            operator-mails
        """,
        (PEOPLE, 422): "table table-send",
        (SIGNED_IN, 404): "key-revoke start-bring",
        (MEMBERS, 200): "my-emails",
        (MEMBERS, 422): "my-name",
        (ORGANISERS, 200): "evening-sheet season-papers",
        (ORGANISERS, 302): "evening-tiles evening-new-link rehearse",
        (ORGANISERS, 404): "rehearsal-play",
        (ORGANISERS, 422): "evening-table",
        (SCORERS, 200): "evening-repair",
        (SCORERS, 302): "evening-hand",
        (SCORERS, 404): "evening-repair-back",
        (SECRETARY, 200): """
            evening-move evening-change webhook-secret house-rules email-test
        """,
        (SECRETARY, 302): """
            batch-send batch-stop batch-again batch-leave-out money standby series-remove close
            evening-delete tick-usual
            holiday-remove tick seat clear evening-change-undo wish-back reopen season-pack
            season-book members-store members-due merge-undo member-renew member-lapse member-join
            member-apart two-people-undo
            keeping keeping-stop members-take-back webhook-test webhook-switch webhook-remove
            club-public role-invite role-change role-remove house-retire house-offer season-adopt
            first-steps-hide evening-restore club-delete club-email member-email-again club-file
            member-delete member-me
            role-send-again role-withdraw
        """,
        (SECRETARY, 404): """
            batch-take-in batch-told season-credit-back
            rehearsal-again rehearsal-wipe
        """,
        (SECRETARY, 422): """
            evenings messages-write batch-text message series-add money-year series-change
            holidays guest wish-add member-add member-change members-import member-merge
            club-address member-erase webhooks club-name club-rules house-lines house-keep
            season-add season-change season-rules season-handicap season-credit evening-cancel
        """,
    }
)
OPENS = {
    "shows_results": """
        club club-web-app player evenings evening evening-why result special-hands special-hands-pdf
        special-hands-csv
    """,
    "shows_league": "club club-web-app season seasons season-pdf season-poster-pdf",
    "shows_calendar": "club club-web-app calendar",
}
PUBLIC = sorted({name for names in OPENS.values() for name in names.split()})


@dataclass(frozen=True)
class House:
    """A club with one of everything that an address can point to."""

    cast: Cast
    session: Session
    season: Season
    job: Job
    house_rules: HouseRules

    def role_places(self) -> dict[str, list[Any]]:
        """A role that can be changed, an invitation that is none, and a link that is no more."""
        club = self.cast.club
        membership = club.memberships.get(user=self.cast.player)
        places: dict[str, list[Any]] = {
            key: [link_key()] for key in ("role-invitation", "start-link", "start-link-bring")
        }
        places |= {f"role-{act}": [club.slug, membership.pk] for act in ("change", "remove")}
        places |= {f"role-{act}": [club.slug, 0] for act in ("send-again", "withdraw")}
        return places

    def address(self, name: str) -> str:
        """Where the page of that name is, in the cast's club."""
        club, table = self.cast.club.slug, self.session.tables.get()
        evening = [club, self.session.pk]
        player = [club, self.cast.club.players.filter(name="Pat").get().pk]
        season = [club, self.season.pk]
        special: dict[str, list[Any]] = {
            **calendar_places(self.cast.club),
            **message_places(self.cast.club),
            **{page: [] for page in OF_NO_CLUB.split()},
            "key-revoke": [0],
            **self.role_places(),
            "account_confirm_email": ["x"],
            "guide": ["player"],
            **{page: ["bmja"] for page in ("rules", "rules-aid", "score-rules", "score-link")},
            "wall": [self.session.wall_key],
            **table_places(table.link_key),
            **{f"evening-{page}": [*evening, table.number, 1] for page in BELOW_A_TABLE},
            "evening-tapped": [*evening, table.number],
            **{f"evening-{page}": [*evening, table.number] for page in AT_A_TABLE},
            **{name: [club, 2026] for name in ("money-year", "money-year-file")},
            **{name: [club, self.job.pk] for name in ("job", "club-file-download")},
            **people_places(self.cast.club, player),
            **wish_places(self.cast.club),
            **program_places(self.cast.club),
            "house-retire": [club, self.house_rules.pk],
            "house-offer": [club, self.house_rules.pk],
            **of_season(season, player[1]),
            **dict.fromkeys(f"{OF_AN_EVENING} {PRINTED}".split(), evening),
        }
        return reverse(name, args=special.get(name, [club]))


def lay_house() -> House:
    """The cast's club with an evening, a season and a job."""
    cast = make_cast()
    season = make_season(cast.club)
    job = make_job(club=cast.club, kind="season pack", subject_key=season.pk)
    make_series(cast.club)
    pat = cast.club.players.get(name="Pat")
    cast.club.invitations.create(held_on=date(2026, 11, 17), player=pat)
    write(cast.club, [pat], cast.secretary)
    house_rules = save_house_rules(
        club=cast.club, declared_rules=read_house_rules({"base": "bmja"})
    )
    return House(
        cast, seated_evening(cast.club, held_on=date(2026, 11, 17)), season, job, house_rules
    )


@pytest.fixture(scope="module")
def shared_house(standing: None) -> House:
    return lay_house()


@pytest.fixture
def house(db: None, shared_house: House) -> House:
    return deepcopy(shared_house)


def status_for(house: House, person: str, address: str, method: str) -> int:
    client, user = Client(), house.cast.people()[person]
    if user is not None:
        assert client.login(email=user.email, password=PASSWORD)
    status: int = getattr(client, method)(address, {"sent": "yes"}).status_code
    return status


def answers(house: House, name: str, method: str) -> dict[str, int]:
    """The status that each person gets."""
    address = house.address(name)
    return {person: status_for(house, person, address, method) for person in PEOPLE}


def expected_statuses(allowed_statuses: dict[str, int]) -> dict[str, int]:
    """Whoever is not named is refused; nobody signed in is sent to sign in."""
    refused_statuses = dict.fromkeys(PEOPLE, 403) | {"nobody": 302}
    return refused_statuses | allowed_statuses


def test_the_doors_let_in_whom_the_tables_name(house: House) -> None:
    entries = [
        Entry(house.address(name), method, frozenset(allowed_statuses))
        for method, table in (("get", GETS), ("post", POSTS))
        for name, allowed_statuses in table.items()
    ]
    answer_status = lambda person, entry: status_for(house, person, entry.address, entry.method)  # noqa: E731
    assert differences(entries, house.cast, answer_status) == []


@pytest.mark.sampled
@pytest.mark.parametrize("name", GETS)
def test_who_may_see_a_page(house: House, name: str) -> None:
    assert answers(house, name, "get") == expected_statuses(GETS[name])


@pytest.mark.sampled
@pytest.mark.parametrize("name", POSTS)
def test_who_may_change_something(house: House, name: str) -> None:
    assert answers(house, name, "post") == expected_statuses(POSTS[name])


@pytest.mark.sampled
@pytest.mark.parametrize("name", PUBLIC)
@pytest.mark.parametrize("switch", OPENS)
def test_a_club_opens_each_part_by_its_own_switch(house: House, name: str, switch: str) -> None:
    setattr(house.cast.club, switch, True)
    house.cast.club.save()
    is_open = name in OPENS[switch].split()
    assert answers(house, name, "get") == (EVERYBODY if is_open else expected_statuses(GETS[name]))


def test_a_public_club_still_keeps_its_members_to_itself(house: House) -> None:
    for switch in OPENS:
        setattr(house.cast.club, switch, True)
    house.cast.club.save()
    assert answers(house, "members", "get") == expected_statuses(GETS["members"])
    assert answers(house, "evenings", "post")["member of another club"] == 403


@pytest.mark.parametrize(
    "name",
    [
        "tick",
        "tick-usual",
        "guest",
        "clear",
        "reopen",
        "evening-restore",
        "house-keep",
        "house-retire",
    ],
)
def test_actions_are_not_done_by_looking(house: House, name: str) -> None:
    assert answers(house, name, "get")["secretary"] == 405


@pytest.mark.parametrize(
    "name", ["evening", "result", "season", "player", "job", "member-change", *MESSAGES[2:]]
)
def test_nothing_of_another_club_is_found_under_ones_own(house: House, name: str) -> None:
    client = Client()
    client.login(email=house.cast.stranger.email, password=PASSWORD)
    address = house.address(name).replace("/riverside/", "/hill-top/")
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("address", ["/w/nothing/", "/rules/nothing/"])
def test_what_is_not_there_is_not_found(house: House, client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


def test_a_club_that_is_not_there_is_not_found_once_signed_in(house: House) -> None:
    assert status_for(house, "nobody", "/c/nothing/", "get") == 302
    assert status_for(house, "player", "/c/nothing/", "get") == 404
