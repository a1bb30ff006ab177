"""Names under which the API has ever logged a change: each still ends at a sentence."""

from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from django.apps import apps
from django.db import connection

from clubs.core.audit_log import UNKNOWN_ACT, audit_entries, audit_rows, known_acts
from clubs.evenings.services.evenings import open_session
from clubs.models import AuditEntry
from clubs.tenancy import across_clubs, club_scope
from tests.people import Cast
from tests.tournaments.cups import seated_cup

MIGRATIONS: Final = [
    import_module(f"clubs.migrations.{name}")
    for name in ("0022_names_in_the_log", "0024_addresses_in_the_log", "0025_viewsets_in_the_log")
]
EVER: Final = Path(__file__).with_name("names_of_the_api.txt").read_text().split()


def test_every_name_that_was_ever_logged_has_a_sentence() -> None:
    now = {name: name for name in EVER}
    for migration in MIGRATIONS:
        now = {name: migration.NAMES_NOW.get(new_name, new_name) for name, new_name in now.items()}
    assert {name: new_name for name, new_name in now.items() if new_name not in known_acts()} == {}


def test_every_name_of_today_is_in_the_list() -> None:
    """So that whoever takes an operation away learns what becomes of its entries."""
    today = {name for name in known_acts() if name.startswith("api-")}
    assert sorted(today - {*EVER}) == []
    assert sorted(set().union(*(migration.NAMES_NOW for migration in MIGRATIONS)) - {*EVER}) == []


def test_every_entry_that_was_ever_written_says_what_was_done(cast: Cast) -> None:
    with club_scope(cast.club.pk):
        for name in EVER:
            AuditEntry.objects.create(club=cast.club, made_by=cast.secretary, what=name)
        rename()
        rows = audit_rows(cast.club, audit_entries(cast.club))
    assert [row.act_name for row in rows if not row.drawer or UNKNOWN_ACT in row.sentence] == []


def test_entries_of_operations_that_are_gone_read_as_before(cast: Cast) -> None:
    evening = open_session(club=cast.club, held_on=date(2026, 11, 17)).pk
    cup = seated_cup(club=cast.club)
    pat = cast.club.players.get(name="Pat")
    at_evening = {"evening": evening, "number": 3, "hand": 5}
    at_cup = {"tournament": cup.pk, "round": 1, "number": 2}
    entries: dict[str, dict[str, Any]] = {
        "api-evening-table": at_evening,
        "api-evening-table-agree": at_evening,
        "api-evening-table-repair-sheets": at_evening,
        "api-evening-table-tiles:delete": at_evening,
        "api-tournament-table-undo": {**at_cup, "hand": 5},
        "api-table-minutes": at_cup,
        "api-player-merge": {"player": pat.pk},
        "api-person:delete": {"person": 7},
        "api-kept:delete": {},
        "api-players": {"made": pat.pk},
        "api-evening-tick": {"evening": evening, "player": pat.pk},
        "api-close-stopped": {"tournament": cup.pk, "number": 2},
        "api-close-stopped-all": {"tournament": cup.pk},
    }
    with club_scope(cast.club.pk):
        for act, context in entries.items():
            AuditEntry.objects.create(
                club=cast.club, made_by=cast.secretary, what=act, about=context
            )
        rename()
        sentences = [row.sentence for row in audit_rows(cast.club, audit_entries(cast.club))]
    place = "table 3 on the evening of 17 November 2026"
    assert [line.removeprefix("Alice ") for line in reversed(sentences)] == [
        f"entered a hand for {place}.",
        f"agreed to hand 5 of {place}.",
        f"corrected two paper score sheets that were swapped, at {place}.",
        f"removed tapped tiles from {place}.",
        f"undid hand 5 of table 2 in round 1 of {cup.name}.",
        f"changed the minutes for table 2 of {cup.name}.",
        "merged two records of Pat.",
        "removed someone’s role.",
        "turned off the retention schedule.",
        "added Pat to the list.",
        "changed the check-in of Pat for the evening of 17 November 2026.",
        f"closed table 2 of {cup.name} where play had stopped.",
        f"stopped all tables of {cup.name} that were still playing.",
    ]


def test_entries_of_other_names_stay(cast: Cast) -> None:
    with club_scope(cast.club.pk):
        for act in ("api-player-list", "seat"):
            AuditEntry.objects.create(club=cast.club, made_by=cast.secretary, what=act)
        rename()
        assert {entry.what for entry in audit_entries(cast.club)} == {"api-player-list", "seat"}


def rename() -> None:
    """What the migrations do, in their order."""
    with across_clubs():
        for migration in MIGRATIONS:
            migration.rename_entries(apps, connection.SchemaEditorClass(connection))
