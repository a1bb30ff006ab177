"""Entries of the activity log take the names that the API’s addresses have now."""

from typing import Final

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Case, Value, When

NAMES_NOW: Final = {
    "api-close-stopped": "close-stopped",
    "api-close-stopped-all": "api-stop-tables",
    "api-evening-tick": "api-evening-check-in",
}


def rename_entries(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    alias = schema_editor.connection.alias
    entries = apps.get_model("clubs", "AuditEntry").objects.using(alias)
    names = (When(what=before, then=Value(now)) for before, now in NAMES_NOW.items())
    entries.filter(what__in=NAMES_NOW).update(what=Case(*names))


class Migration(migrations.Migration):
    dependencies = [("clubs", "0023_year_of_the_treasurer")]

    operations = [migrations.RunPython(rename_entries, migrations.RunPython.noop)]
