"""Every migration has a way back, also with rows that use what it brought: as roll-back.md says."""

import json
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Final
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connections
from django.db.migrations import AddField, CreateModel, Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.models import F
from django.utils.timezone import now

from clubs.backup.databases import SECOND_ALIAS, copy_all
from clubs.evenings.services import ending
from clubs.evenings.services.evenings import open_session
from clubs.models import (
    AgreedTerms,
    ApiToken,
    AwayCopy,
    Backup,
    Club,
    DeletedClub,
    Delivery,
    Installation,
    Job,
    MarkColour,
    MemberImport,
    Player,
    SentMails,
    Series,
    Webhook,
)
from clubs.tenancy import across_clubs
from scoring.scorebook.models import Book, Game, Hand
from tests.clubs.hosting.whole_club import make_whole_club
from tests.clubs.nights import SECOND_WINS, make_players, night, post
from tests.tournaments.backup.test_backups import open_second_database
from tournaments.backup import run_command_on
from tournaments.models import Entrant, Placement, Ruling

APPS: Final = ("clubs", "tournaments", "scorebook")
DAY: Final = date(2026, 10, 6)


def later_migrations() -> Iterator[Migration]:
    """All migrations of ours but the first of each app, in an order in which they can be undone."""
    loader = MigrationLoader(None)
    plan = MigrationExecutor(connections["default"]).migration_plan(
        loader.graph.leaf_nodes(), clean_start=True
    )
    own_migrations = [migration for migration, _ in plan if migration.app_label in APPS]
    yield from (
        migration for migration in reversed(own_migrations) if not migration.name.startswith("0001")
    )


@pytest.fixture
def club(db: None) -> Club:
    """A club with rows in every table, and in what has to be undone with care."""
    terms = AgreedTerms.objects.create(digest="x", terms="x", privacy="x")
    club = make_whole_club("riverside", "Riverside", terms)
    with across_clubs():
        use_what_is_new(club)
    return club


def use_what_is_new(club: Club) -> None:
    players = make_players(club, 4)
    for day in (DAY, DAY - timedelta(days=1)):
        post(night(club, day, players).tables.get(), SECOND_WINS)
        ending.cancel_session(session=club.sessions.get(held_on=day), reason="by mistake")
        open_session(club=club, held_on=day)
    person = Player.objects.filter(club=club).latest("pk")
    Player.objects.filter(pk=person.pk).update(
        added_on=DAY,
        email_failed_on=DAY,
        failed_email="x@example.org",
        joined_on=None,
        refuses_results=True,
        second_phone="01632 960 115",
        wants_messages=False,
    )
    Series.objects.update(version=2)
    ApiToken.objects.update(parent=F("pk"), scopes=["read", "printouts"])
    Webhook.objects.update(kinds=["hand.undone", "hand.recorded"])
    Delivery.objects.update(kind="hand.undone", payload={"kind": "hand.undone"})
    Job.objects.update(bytes=4)
    MemberImport.objects.update(press=uuid4())
    SentMails.objects.create(about="x", on=DAY, number=1)
    Installation.objects.update_or_create(pk=1, defaults={"address": "x", "founding_full_on": DAY})
    DeletedClub.objects.create(name="x", slug="x", is_by_operator=True)
    backup = Backup.objects.create(made_at=now(), file="x")
    AwayCopy.objects.create(backup=backup, place="x", name="x")
    Entrant.objects.update(couple="x")
    Ruling.objects.update(hand_number=1, mistake="x")
    Placement.objects.update(earlier_sitters=[[2, "x"]])
    Book.objects.update(moves=[["x", 1, 2]])
    first, second = Game.objects.order_by("pk")[:2]
    Game.objects.filter(pk=second.pk).update(continues=first, opening={"seats": [1, 2, 3, 4]})
    # Last, as nothing can be done in a closed club.
    Club.objects.filter(pk=club.pk).update(
        closed_at=now(),
        closed_because="x",
        closed_until=DAY,
        contact_email="x@example.org",
        delete_on=DAY,
        founded_at=now(),
        is_deletion_by_operator=True,
        mails_a_day=5,
        mark_colour=MarkColour.BLUE,
        shows_first_steps=True,
        year_begins=9,
    )


def is_used(operation: Operation, app: str) -> bool:
    """Whether a row holds what an operation brought: a table's first, or a column's own value."""
    match operation:
        case CreateModel(name=name) if name.lower() in apps.all_models[app]:  # else gone since
            return bool(apps.get_model(app, name)._base_manager.exists())
        case AddField(model_name=name, name=column):
            model = apps.get_model(app, name)
            usual = (None, model._meta.get_field(column).get_default())
            rows = model._base_manager.values_list(column, flat=True)
            return any(value not in usual for value in rows)
    return True


def test_rows_use_what_each_migration_brought(club: Club) -> None:
    """A new migration is undone with rows in its table, and with a value of its own in a column."""
    with across_clubs():
        unused_operations = [
            f"{migration}: {operation.describe()}"
            for migration in later_migrations()
            for operation in migration.operations
            if not is_used(operation, migration.app_label)
        ]
    assert unused_operations == []


def evenings_there() -> list[tuple[date, str]]:
    """Day and state of each evening in the other database."""
    with connections[SECOND_ALIAS].cursor() as cursor:
        cursor.execute("SELECT held_on, state FROM clubs_session WHERE club_id = 1")
        return sorted((date.fromisoformat(str(day)), state) for day, state in cursor.fetchall())


def api_names_there() -> tuple[list[str], list[str], tuple[str, str]]:
    """The scopes of a key, the events of a webhook, and that of a delivery and what it sends."""
    with connections[SECOND_ALIAS].cursor() as cursor:
        cursor.execute(
            "SELECT scopes, kinds, kind, payload FROM clubs_apitoken, clubs_webhook, clubs_delivery"
        )
        scopes, kinds, kind, payload = cursor.fetchone()
    return json.loads(scopes), json.loads(kinds), (kind, json.loads(payload)["kind"])


@pytest.mark.sampled(law="long plays")
def test_every_migration_is_undone_and_done_again(club: Club, tmp_path: Path) -> None:
    file, evenings = tmp_path / "there.sqlite3", list[tuple[date, str]]()
    with open_second_database(file):
        call_command("migrate", database=SECOND_ALIAS, verbosity=0)
        copy_all(lambda *_: None)
        for migration in later_migrations():
            previous_migration = dict(migration.dependencies)[migration.app_label]
            call_command(
                "migrate",
                migration.app_label,
                previous_migration,
                database=SECOND_ALIAS,
                verbosity=0,
            )
            if migration.name == "0005_cancelled_evenings":
                evenings = evenings_there()
            if migration.name == "0026_plain_names_in_the_api":
                names = api_names_there()
        call_command("migrate", database=SECOND_ALIAS, verbosity=0)
        names_now = api_names_there()
        with connections[SECOND_ALIAS].cursor() as cursor:
            cursor.execute("SELECT count(*) FROM scorebook_hand")
            assert cursor.fetchone() == (Hand.objects.count(),)
    former, event = "hand.taken_back", "hand.undone"
    assert names == (["read", "papers"], [former, "hand.recorded"], (former, former))
    assert names_now == (["read", "printouts"], [event, "hand.recorded"], (event, event))
    days = [day for day, _ in evenings]
    assert len(days) == len(set(days))
    moved_evenings = [(DAY - timedelta(days=days), "playing") for days in (3, 2)]
    opened_since = [(DAY - timedelta(days=days), "arriving") for days in (1, 0)]
    assert [*moved_evenings, *opened_since] == [
        evening for evening in evenings if evening[0] <= DAY
    ]
    assert run_command_on(file, "recount").endswith(" hands, 0 differences")
