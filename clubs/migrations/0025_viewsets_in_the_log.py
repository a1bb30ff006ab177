"""Entries of the activity log take the names that the addresses of the API's viewsets have."""

from typing import Final

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Case, Value, When

NAMES_NOW: Final = {
    "api-entrant": "api-entrant-detail",
    "api-entrants": "api-entrant-list",
    "api-entrants-members": "api-entrant-member-list",
    "api-evening:delete": "api-evening-detail:delete",
    "api-evenings": "api-evening-list",
    "api-holiday:delete": "api-holiday-detail:delete",
    "api-holidays": "api-holiday-list",
    "api-imports": "api-import-list",
    "api-key:delete": "api-key-detail:delete",
    "api-keys": "api-key-list",
    "api-player": "api-player-detail",
    "api-player:delete": "api-player-detail:delete",
    "api-players": "api-player-list",
    "api-prize": "api-prize-detail",
    "api-prize:delete": "api-prize-detail:delete",
    "api-prizes": "api-prize-list",
    "api-prizes-rule": "api-prize-rule",
    "api-prizes-usual": "api-prize-standard",
    "api-season": "api-season-detail",
    "api-seasons": "api-season-list",
    "api-series": "api-series-detail",
    "api-series:delete": "api-series-detail:delete",
    "api-tournament:delete": "api-tournament-detail:delete",
    "api-tournaments": "api-tournament-list",
    "api-webhook": "api-webhook-detail",
    "api-webhook:delete": "api-webhook-detail:delete",
    "api-webhooks": "api-webhook-list",
}


def rename_entries(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    alias = schema_editor.connection.alias
    entries = apps.get_model("clubs", "AuditEntry").objects.using(alias)
    names = (When(what=before, then=Value(now)) for before, now in NAMES_NOW.items())
    entries.filter(what__in=NAMES_NOW).update(what=Case(*names))


class Migration(migrations.Migration):
    dependencies = [("clubs", "0024_addresses_in_the_log")]

    operations = [migrations.RunPython(rename_entries, migrations.RunPython.noop)]
