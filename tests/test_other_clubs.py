"""Clubs are kept apart: no query of a club's rows without saying which club, by construction.

Every address is tried by everyone with the numbers of another club's rows: nothing is there.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pytest
from django.apps import apps
from django.db.models import ForeignKey, Model
from django.test import Client
from django_scopes import scope
from django_scopes.exceptions import ScopeError

from clubs.core.queue import CLUB_FILE, make_job
from clubs.evenings.event import EveningTable
from clubs.evenings.services.evenings import touch
from clubs.house.services import save_house_rules
from clubs.members.services.imports import import_members
from clubs.members.services.merging import mark_as_two_people, merge_players
from clubs.models import Club, Player, Session, User, Wish, WishKind
from clubs.table import services as at_table
from clubs.tenancy import (
    ClubManager,
    across_clubs,
    club_scope,
    find_by_key,
    request_scope,
    set_current_club,
)
from scoring.house import read_house_rules
from scoring.scorebook.models import RepairKind
from scoring.scorebook.services import Mistake
from tests.addresses import addresses
from tests.api import handlers_of
from tests.clubs.nights import SECOND_WINS, make_season, post as post_at_night
from tests.clubs.outbox import write
from tests.clubs.tables import seated_evening
from tests.clubs.year import make_series
from tests.people import Cast, browser_of, make_player
from tests.tournaments.cups import case, post, seated_cup, tables
from tournaments.models import Printing, PrizeKind, Tournament
from tournaments.printing import JOB_KIND
from tournaments.table.services import adjust_points

ROOT = Path(__file__).resolve().parent.parent

OF_NO_CLUB = {
    "AgreedTerms": "it is one text that many clubs have agreed to",
    "AwayCopy": "it is of the whole installation",
    "Backup": "it is of the whole installation",
    "Club": "it is looked up by its address, before anything of it",
    "DeletedClub": "its club is gone",
    "FoundingRequest": "there is no club yet",
    "Installation": "it is the one row about the whole installation",
    "KeptAnswer": "it is looked up by the digest of who asked",
    "SentMails": "it is looked up by a digest, and is of the whole installation",
    "User": "a person may be in several clubs",
}
BEFORE_THE_CLUB_IS_KNOWN = {
    "Membership": "it says who may come in",
    "ApiToken": "it says who asks",
    "ReplacedLink": "it says that a printed card opens nothing any more",
}
# Who may look at all clubs, and why.
ACROSS_CLUBS = {
    "clubs/tenancy.py": "it is made here, and a secret key is looked up",
    "clubs/accounts/signin.py": "a sign-in is noted for each club that the person organises",
    "clubs/core/audit_log.py": "a sign-in is told to each club that its person runs",
    "clubs/core/club_rows.py": "each table’s rows are those that lead to one club",
    "clubs/backup/databases.py": "every row of every table is copied to another database",
    "clubs/clubfile/contents.py": "each table’s rows are those that lead to one club",
    "clubs/clubfile/selectors.py": "the rows of one club’s books are numbered",
    "clubs/table/event.py": "a game is looked up by its number, before its club is known",
    "clubs/webhooks/services.py": "events are claimed by number and sent within the club",
    "clubs/hosting/selectors.py": "an operator reads how large every club is",
    "clubs/messages/services.py": "a report of a mail server names a message by its sealed key",
    "clubs/house/services.py": "jobs are claimed by their number, then done within their club",
    "clubs/privacy/services.py": "which clubs' timetables are due",
    "config/doctor.py": "when something was last changed, to see whether the clock is right",
    "config/metrics/exposition.py": "how much of all clubs waits is counted",
    "config/warming.py": "which rules are played, to reckon their totals beforehand",
    "tournaments/management/commands/verify.py": "the whole score book is read",
    "tournaments/backup.py": "all clubs move at once",
}
DAY: Final = date(2026, 11, 17)
NEWS: Final = {
    "id": str(uuid4()),
    "kind": "evening.opened",
    "at": "2026-11-17T19:00:00Z",
    "club": "riverside",
    "about": {},
    "address": "https://example.org/",
}
METHODS: Final = ("get", "post", "patch", "delete")
NOT_THERE: Final = {401, 403, 404, 405}
# What was sent, nothing, was refused before anything was looked up.
NOT_DONE: Final = {400, 415, 422}
PARAMETER: Final = re.compile(r"<(?:(?P<kind>\w+):)?(?P<name>\w+)>")

# What an address asks for that is no row of a club: a day, a kind, a number within an event; and
# under the name of a part of the club, what only that part has.
NO_ROW: Final = {
    "day": str(DAY),
    "held_on": str(DAY),
    "year": "2026",
    "kind": "apart",
    "printout": "sheets",
    "seasons/printout": "table",
    "form": "csv",
    "page": "1",
    "key": "bmja",
    "code": "x",
    "number": "1",
    "round": "1",
    "seat": "1",
    "step": "seat",
    "what": "hide",
    "name": "x",
}
# Which row an address means, by the words before its first number, else by the number's own name.
ROWS: Final = {
    "evenings": "evening",
    "settings/house-rules": "house",
    "house-rules": "house",
    "seasons": "season",
    "jobs": "job",
    "club-file": "club file",
    "settings/club-file": "club file",
    "members/import": "import",
    "imports": "import",
    "members/duplicates": "merge",
    "merges": "merge",
    "members/two-people": "pair",
    "two-people": "pair",
    "members": "player",
    "players": "player",
    "stand-by": "player",
    "calendar/regular": "series",
    "series": "series",
    "calendar/closed-dates": "holiday",
    "closed-dates": "holiday",
    "wishes": "wish",
    "seating-preferences": "wish",
    "messages": "batch",
    "tournaments": "tournament",
    "webhooks": "webhook",
    "settings/webhooks": "webhook",
    "settings/people": "membership",
    "settings/people/invited": "role invitation",
    "settings/invitations": "role invitation",
}

OF_TOURNAMENTS: Final = {"hand": "cup hand", "job": "printing"}


def make_everything(club: Club, user: User) -> dict[str, str]:
    """A club with one of everything that an address can point to: the numbers, by what they are."""
    season = make_season(club)
    make_series(club)
    evening = seated_evening(club, held_on=DAY)
    player = make_player(club, "Pat Hill")
    merge = merge_players(kept_player=player, merged_player=make_player(club, "P Hill"))
    batch = write(club, [player], user)
    hook = club.webhooks.create(address="https://example.org/", secret="x")
    declared_rules = read_house_rules({"base": "bmja"})
    row_ids = {
        **_evening_ids(evening),
        **_ruling_ids(seated_cup(club=club)),
        "membership": club.memberships.get(user=user).pk,
        "role invitation": club.role_invitations.create(email="b@example.org", role="scorer").pk,
        "house": save_house_rules(club=club, declared_rules=declared_rules).pk,
        "season": season.pk,
        "job": make_job(club=club, kind="season pack", subject_key=season.pk).pk,
        "import": import_members(club=club, text="name\nHemi").pk,
        "merge": merge.pk,
        "pair": mark_as_two_people(person=player, other_person=make_player(club, "Pat Hall")).pk,
        "player": player.pk,
        "series": club.series.get().pk,
        "holiday": club.holidays.get().pk,
        "wish": Wish.objects.create(club=club, kind=WishKind.TABLE, player=player, table=1).pk,
        "batch": batch.pk,
        "message": batch.messages.get().pk,
        "credit": evening.credits.create(player=player).pk,
        "webhook": hook.pk,
        "delivery": hook.deliveries.create(kind="evening.opened", payload=NEWS).pk,
    }
    return {name: str(number) for name, number in row_ids.items()}


def _evening_ids(evening: Session) -> dict[str, int]:
    table = evening.tables.get()
    (hand,) = post_at_night(table, SECOND_WINS)
    mistake = Mistake(kind=RepairKind.SEATS, game_id=table.game_id, first=1, seats=(1, 2))
    details = {"description": "seats", "reason": "seen on paper", "made_by": "user 1"}
    result = at_table.repair_hands(table=EveningTable(table), mistake=mistake, **details)
    return {"evening": evening.pk, "hand": hand.pk, "repair": result.repair.pk}


def _ruling_ids(cup: Tournament) -> dict[str, int]:
    table = tables(cup)[0]
    (hand,) = post(table, SECOND_WINS)
    prize = cup.prizes.create(number=1, name="First", kind=PrizeKind.PLACE, place=1)
    return {
        "tournament": cup.pk,
        "cup hand": hand.pk,
        "entrant": cup.entrants.earliest("number").pk,
        "drawing": cup.drawings.latest("pk").pk,
        "prize": prize.pk,
        "ruling": adjust_points(case=case(table, 1), points=-10).pk,
    }


def jobs_of(club: Club) -> dict[str, str]:
    """A job for each address that knows one kind alone."""
    cup = Tournament.objects.get(club=club)
    printing = make_job(club=club, kind=JOB_KIND, subject_key=cup.pk)
    Printing.objects.create(job=printing, tournament=cup, kind="sheets")
    file = make_job(club=club, kind=CLUB_FILE, subject_key=club.pk)
    return {"printing": str(printing.pk), "club file": str(file.pk)}


@dataclass(frozen=True, slots=True)
class Clubs:
    """Two clubs alike, the people of the first, and what each has."""

    cast: Cast
    other_club: Club
    ours_has: dict[str, str]
    theirs_has: dict[str, str]

    def snapshot(self) -> dict[str, list[dict[str, Any]]]:
        """Every row of the other club."""
        rows_by_label: dict[str, list[dict[str, Any]]] = {}
        for app in ("clubs", "tournaments"):
            for model in apps.get_app_config(app).get_models():
                manager: Any = model._default_manager
                if isinstance(manager, ClubManager):
                    rows = manager.filter(**{manager.club_lookup: self.other_club}).order_by("pk")
                    rows_by_label[model._meta.label] = list(rows.values())
        return rows_by_label


@pytest.fixture
def clubs(cast: Cast) -> Clubs:
    """The cast's club and another one, each with one of everything."""
    other_club = Club.objects.get(slug="hill-top")
    return Clubs(
        cast,
        other_club,
        make_everything(cast.club, cast.secretary) | jobs_of(cast.club),
        make_everything(other_club, cast.stranger) | jobs_of(other_club),
    )


def addresses_of_clubs() -> Iterator[tuple[str, Any]]:
    """Every address below a club, its parameters as they are declared, and its view."""
    for address, entry in addresses():
        if "<slug:club>/" in address:
            yield address, entry.callback


def row_meant(address: str, match: re.Match[str]) -> str | None:
    """Which row of a club the parameter means; None for what is none."""
    prefix = address[address.index("<slug:club>/") + len("<slug:club>/") : match.start()]
    if prefix.strip("/") in ROWS and match["kind"] in {"int", "uuid"}:
        return ROWS[prefix.strip("/")]
    if prefix.startswith("tournaments") and match["name"] in OF_TOURNAMENTS:
        return OF_TOURNAMENTS[match["name"]]
    return None if match["name"] in NO_ROW else match["name"]


def filled_addresses(
    address: str, own_rows: dict[str, str], other_rows: dict[str, str]
) -> Iterator[str]:
    """The address with another club's row in the place of each row that it asks for, in turn."""
    matches = [match for match in PARAMETER.finditer(address) if match["name"] != "club"]
    for foreign in matches:
        if row_meant(address, foreign) is not None:
            yield _fill_address(
                address, {match: other_rows if match is foreign else own_rows for match in matches}
            )


def _fill_address(address: str, numbers_by_match: dict[re.Match[str], dict[str, str]]) -> str:
    result = address.replace("<slug:club>", "riverside")
    for match, numbers in numbers_by_match.items():
        row_name = row_meant(address, match)
        result = result.replace(
            match[0], _no_row(address, match) if row_name is None else numbers[row_name], 1
        )
    return result


def _no_row(address: str, match: re.Match[str]) -> str:
    part = address.partition("<slug:club>/")[2].partition("/")[0]
    return NO_ROW.get(f"{part}/{match['name']}", NO_ROW[match["name"]])


def methods_of(view: Any) -> tuple[str, ...]:
    """Those that the address answers at all: an API view names its own, a page has two."""
    return tuple(handlers_of(view)) if hasattr(view, "cls") else METHODS[:2]


def as_sent(address: str) -> dict[str, str]:
    return {"content_type": "application/json"} if address.startswith("/api/") else {}


TO_SIGN_IN: Final = ("/accounts/login/", "/accounts/reauthenticate/")


def found_there(answer: Any, method: str, address: str) -> bool:
    """Whether anything but a refusal came back.

    Nobody signed in is sent to sign in, and someone whose password was entered long ago to enter it
    again; a page of ours may send back to the page above it.
    """
    if answer.status_code == 302:
        target = answer["Location"].partition("?")[0]
        return target not in TO_SIGN_IN and not address.startswith(target)
    refused_statuses = NOT_THERE if method == "get" else NOT_THERE | NOT_DONE
    return answer.status_code not in refused_statuses


# Ours is there, but what the address tells of it is not: no result, no hand, no place, undone.
NOTHING_YET: Final = re.compile(
    r"/jobs/.*/result|/club-file/.*/result|/settings/club-file/|/long/.*/(result|file)\.pdf"
    r"|/seasons/\d+/(standings/\d+/explanation|why/\d+)/|/corrections/\d+/undo/|/hands/\d+/$"
)

WHO: Final = ("secretary", "director", "scorer", "player", "member of another club", "nobody")


@pytest.mark.sampled(law="long plays")
@pytest.mark.parametrize("person", WHO)
def test_nothing_of_another_club_is_found_or_changed(clubs: Clubs, person: str) -> None:
    client = browser_of(clubs.cast.people()[person])
    rows_before = clubs.snapshot()
    attempts = [
        (method, address)
        for declared_address, view in addresses_of_clubs()
        for address in filled_addresses(declared_address, clubs.ours_has, clubs.theirs_has)
        for method in methods_of(view)
    ]
    findings = [
        (method, address, answer.status_code)
        for method, address in attempts
        if found_there(
            answer := getattr(client, method)(address, **as_sent(address)), method, address
        )
    ]
    assert "\n".join(map(str, findings)) == ""
    assert len(attempts) > 500
    assert clubs.snapshot() == rows_before


@pytest.mark.sampled(law="long plays")
def test_ones_own_are_there(clubs: Clubs) -> None:
    """The same addresses with our own rows are answered, so that a refusal above says something."""
    client = browser_of(clubs.cast.secretary)
    own_rows = clubs.ours_has
    statuses = {
        address: client.get(address).status_code
        for declared_address, _ in addresses_of_clubs()
        for address in filled_addresses(declared_address, own_rows, own_rows)
    }
    missing = [
        address
        for address, code in statuses.items()
        if code == 404 and not NOTHING_YET.search(address)
    ]
    assert "\n".join(missing) == ""


def models() -> Iterator[type[Model]]:
    for app in ("clubs", "tournaments"):
        yield from apps.get_app_config(app).get_models()


def kept_apart() -> list[Any]:
    excluded_names = OF_NO_CLUB | BEFORE_THE_CLUB_IS_KNOWN
    return [model for model in models() if model.__name__ not in excluded_names]


@pytest.mark.parametrize("model", kept_apart(), ids=lambda model: model.__name__)
def test_a_query_without_its_club_is_an_error(db: None, model: Any) -> None:
    with scope(), pytest.raises(ScopeError):
        model.objects.first()


@pytest.mark.parametrize("model", kept_apart(), ids=lambda model: model.__name__)
def test_the_way_from_a_row_leads_to_its_club(model: Any) -> None:
    manager: ClubManager[Any] = model.objects
    target_model: type[Model] = model
    for step in manager.club_lookup.split("__"):
        field = target_model._meta.get_field(step)
        assert isinstance(field, ForeignKey), (model, step)
        target_model = field.related_model
    assert target_model is Club


def test_only_a_few_may_look_across_clubs() -> None:
    looking = {
        str(path.relative_to(ROOT))
        for house in ("clubs", "tournaments", "config")
        for path in (ROOT / house).rglob("*.py")
        if "migrations" not in path.parts and _looks_across(path)
    }
    assert looking == set(ACROSS_CLUBS)


def _looks_across(path: Path) -> bool:
    unscoped_names = {"across_clubs", "scopes_disabled", "with_scopes_disabled", "_base_manager"}
    return any(
        (isinstance(node, ast.Name) and node.id in unscoped_names)
        or (isinstance(node, ast.Attribute) and node.attr in unscoped_names)
        for node in ast.walk(ast.parse(path.read_text()))
    )


def test_pages_and_programs_never_ask_the_score_book_by_themselves() -> None:
    """Its rows know no club: whoever asks for one comes by way of a table that does."""
    book = {model.__name__ for model in apps.get_app_config("scorebook").get_models()}
    asking = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for house in ("clubs", "tournaments")
        for path in (ROOT / house).rglob("*.py")
        if {"views", "api", "forms"} & {*path.relative_to(ROOT).parts, path.stem}
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and node.attr != "none"  # which asks for nothing
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "objects"
        and isinstance(node.value.value, ast.Name)
        and node.value.value.id in book
    ]
    assert asking == []


def test_within_a_club_only_its_rows_are_there(cast: Cast) -> None:
    elsewhere = Club.objects.get(slug="hill-top")
    foreign_player = make_player(elsewhere, "Ngaio")
    with club_scope(cast.club.pk):
        assert not Player.objects.filter(pk=foreign_player.pk).exists()
        assert not Player.objects.filter(pk=foreign_player.pk).update(name="Someone else")
        assert not Player.objects.filter(pk=foreign_player.pk).delete()[0]
    foreign_player.refresh_from_db()
    assert foreign_player.name == "Ngaio"


def test_a_key_opens_its_own_club_and_no_other(cast: Cast) -> None:
    evening = seated_evening(cast.club)
    elsewhere = Club.objects.get(slug="hill-top")
    with request_scope():
        session = find_by_key(Session.objects.all, wall_key=evening.wall_key)
        assert session == evening
        assert set(Player.objects.values_list("club", flat=True)) == {cast.club.pk}
        with request_scope(), pytest.raises(ScopeError):
            Player.objects.first()
        set_current_club(elsewhere.pk)
        assert set(Player.objects.values_list("club", flat=True)) == {elsewhere.pk}


def test_the_version_of_another_clubs_evening_stays_as_it_is(cast: Cast) -> None:
    evening = seated_evening(cast.club)
    elsewhere = Club.objects.get(slug="hill-top")

    def version() -> int:
        with across_clubs():
            return Session.objects.get(pk=evening.pk).version

    version_before = version()
    with club_scope(elsewhere.pk):
        touch(evening)
    assert version() == version_before
    with scope(), request_scope(), pytest.raises(ScopeError):
        touch(evening)
    assert version() == version_before
    with club_scope(cast.club.pk):
        touch(evening)
    with across_clubs():
        touch(evening)
    assert version() == version_before + 2


def test_one_request_leaves_nothing_behind_for_the_next(cast: Cast, client: Client) -> None:
    evening = seated_evening(cast.club)
    with scope():
        assert client.get(f"/w/{evening.wall_key}/").status_code == 200
        with pytest.raises(ScopeError):
            Player.objects.first()
