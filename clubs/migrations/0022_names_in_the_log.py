"""Entries of the activity log under names of the API that are gone take those that say the same.

Games have had one address in the API since; and what only a page needs has left it.
"""

from typing import Final

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Case, Value, When

AT_A_TABLE: Final = {
    "": "api-game-hands",
    "-agree": "api-game-agree",
    "-correct": "api-game-correct",
    "-dealer": "api-game-dealer",
    "-decide": "api-game-decide",
    "-dispute": "api-game-dispute",
    "-new-link": "api-game-new-link",
    "-repair-back": "api-game-correction-undo",
    "-repair-figures": "api-game-correct-scores",
    "-repair-seats": "api-game-correct-seats",
    "-repair-sheets": "api-game-correct-sheets",
    "-repair-winner": "api-game-correct-winner",
    "-send": "api-game-batch",
    "-sheet": "api-game-sheet",
    "-tiles": "api-game-tiles",
    "-tiles:delete": "api-game-tiles:delete",
    "-undo": "api-game-undo",
}
NAMES_NOW: Final = {
    **{f"api-evening-table{what}": name for what, name in AT_A_TABLE.items()},
    **{f"api-tournament-table{what}": name for what, name in AT_A_TABLE.items()},
    "api-ruling-back": "api-game-ruling-cancel",
    "api-table-call-answered": "api-game-call-answer",
    "api-table-minutes": "api-game-minutes",
    "api-table-rulings": "api-game-rulings",
    "api-table-stop": "api-game-stop",
    # The club
    "api-club-address": "club-address",
    "api-club-email": "club-email",
    "api-first-steps:delete": "first-steps-hide",
    "api-house-list": "house-keep",
    "api-house-offer": "house-offer",
    "api-house-retire": "house-retire",
    "api-rehearsal-again": "rehearsal-again",
    "api-rehearsal-play": "rehearsal-play",
    "api-rehearsal:delete": "rehearsal-wipe",
    "api-rehearse": "rehearse",
    # Messages
    "api-batch": "batch-text",
    "api-batch-again": "batch-again",
    "api-batch-leave-out": "batch-leave-out",
    "api-batch-send": "batch-send",
    "api-batch-stop": "batch-stop",
    "api-batch-take-in": "batch-take-in",
    "api-batch-told": "batch-told",
    "api-letter": "message",
    "api-messages": "messages-write",
    # People
    "api-kept": "keeping",
    "api-kept:delete": "keeping-stop",
    "api-merge-undo": "merge-undo",
    "api-people": "role-invite",
    "api-person": "role-change",
    "api-person:delete": "role-remove",
    "api-player-apart": "member-apart",
    "api-player-email-again": "member-email-again",
    "api-player-erase": "member-erase",
    "api-player-me": "member-me",
    "api-player-merge": "member-merge",
    "api-role-invitation-again": "role-send-again",
    "api-role-invitation:delete": "role-withdraw",
    "api-two-people-undo": "two-people-undo",
    # The league and the calendar
    "api-invitations": "standby",
    "api-season-adopt": "season-adopt",
    "api-season-credit": "season-credit",
    "api-season-credit-back": "season-credit-back",
    "api-season-handicap": "season-handicap",
    "api-season-rules": "season-rules",
    "api-standby": "standby",
    "api-standby-person:delete": "standby",
    "api-wish:delete": "wish-back",
    "api-wishes": "wish-add",
}


def rename_entries(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    alias = schema_editor.connection.alias
    entries = apps.get_model("clubs", "AuditEntry").objects.using(alias)
    names = (When(what=before, then=Value(now)) for before, now in NAMES_NOW.items())
    entries.filter(what__in=NAMES_NOW).update(what=Case(*names))


class Migration(migrations.Migration):
    dependencies = [("clubs", "0021_one_database")]

    operations = [migrations.RunPython(rename_entries, migrations.RunPython.noop)]
