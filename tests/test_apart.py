"""Clubs are kept apart by construction: no query of a club's rows without saying which club."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db.models import ForeignKey, Model
from django.test import Client
from django_scopes import scope
from django_scopes.exceptions import ScopeError

from clubs.models import Club, Player, Session
from clubs.tenancy import OfOneClub, answering, by_key, keep_to, within
from tests.clubs.tables import seated_evening
from tests.people import Cast, make_player

ROOT = Path(__file__).resolve().parent.parent

OF_NO_CLUB = {
    "Backup": "it is of the whole installation",
    "Club": "it is looked up by its address, before anything of it",
    "KeptAnswer": "it is looked up by the digest of who asked",
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
    "clubs/backup/databases.py": "every row of every table is copied to another database",
    "clubs/webhooks/services.py": "events are claimed by number and sent within the club",
    "clubs/house/services.py": "jobs are claimed by their number, then done within their club",
    "clubs/privacy/services.py": "which clubs' timetables are due",
    "config/metrics/exposition.py": "how much of all clubs waits is counted",
    "config/warming.py": "which rules are played, to reckon their totals beforehand",
    "tournaments/management/commands/verify.py": "the whole score book is read",
    "tournaments/backup.py": "all clubs move at once",
}


def models() -> Iterator[type[Model]]:
    for app in ("clubs", "tournaments"):
        yield from apps.get_app_config(app).get_models()


def kept_apart() -> list[Any]:
    named = OF_NO_CLUB | BEFORE_THE_CLUB_IS_KNOWN
    return [model for model in models() if model.__name__ not in named]


@pytest.mark.parametrize("model", kept_apart(), ids=lambda model: model.__name__)
def test_a_query_without_its_club_is_an_error(db: None, model: Any) -> None:
    with scope(), pytest.raises(ScopeError):
        model.objects.first()


@pytest.mark.parametrize("model", kept_apart(), ids=lambda model: model.__name__)
def test_the_way_from_a_row_leads_to_its_club(model: Any) -> None:
    manager: OfOneClub[Any] = model.objects
    at: type[Model] = model
    for step in manager.way.split("__"):
        field = at._meta.get_field(step)
        assert isinstance(field, ForeignKey), (model, step)
        at = field.related_model
    assert at is Club


def test_only_a_few_may_look_across_clubs() -> None:
    looking = {
        str(path.relative_to(ROOT))
        for house in ("clubs", "tournaments", "config")
        for path in (ROOT / house).rglob("*.py")
        if "migrations" not in path.parts and _looks_across(path)
    }
    assert looking == set(ACROSS_CLUBS)


def _looks_across(path: Path) -> bool:
    ways = {"across_clubs", "scopes_disabled", "with_scopes_disabled", "_base_manager"}
    return any(
        (isinstance(node, ast.Name) and node.id in ways)
        or (isinstance(node, ast.Attribute) and node.attr in ways)
        for node in ast.walk(ast.parse(path.read_text()))
    )


def test_pages_and_programs_never_ask_the_score_book_by_themselves() -> None:
    """Its rows know no club: whoever asks for one comes by way of a table that does."""
    book = {model.__name__ for model in apps.get_app_config("scorebook").get_models()}
    asking = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for house in ("clubs", "tournaments")
        for path in (ROOT / house).rglob("*.py")
        if {"views", "api", "forms"} & {*path.parts, path.stem}
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and node.attr == "objects"
        and isinstance(node.value, ast.Name)
        and node.value.id in book
    ]
    assert asking == []


def test_within_a_club_only_its_rows_are_there(cast: Cast) -> None:
    elsewhere = Club.objects.get(slug="hill-top")
    there = make_player(elsewhere, "Ngaio")
    with within(cast.club.pk):
        assert not Player.objects.filter(pk=there.pk).exists()
        assert not Player.objects.filter(pk=there.pk).update(name="Someone else")
        assert not Player.objects.filter(pk=there.pk).delete()[0]
    there.refresh_from_db()
    assert there.name == "Ngaio"


def test_a_key_opens_its_own_club_and_no_other(cast: Cast) -> None:
    evening = seated_evening(cast.club)
    elsewhere = Club.objects.get(slug="hill-top")
    with answering():
        found = by_key(Session.objects.all, wall_key=evening.wall_key)
        assert found == evening
        assert set(Player.objects.values_list("club", flat=True)) == {cast.club.pk}
        with answering(), pytest.raises(ScopeError):
            Player.objects.first()
        keep_to(elsewhere.pk)
        assert set(Player.objects.values_list("club", flat=True)) == {elsewhere.pk}


def test_one_request_leaves_nothing_behind_for_the_next(cast: Cast, client: Client) -> None:
    evening = seated_evening(cast.club)
    with scope():
        assert client.get(f"/w/{evening.wall_key}/").status_code == 200
        with pytest.raises(ScopeError):
            Player.objects.first()
