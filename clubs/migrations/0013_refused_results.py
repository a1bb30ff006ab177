from typing import Any

from django.db import migrations, models


def note_who_stopped_them(apps: Any, schema_editor: Any) -> None:
    """Until now only those who wanted results had any: whoever no longer does has refused them."""
    database = schema_editor.connection.alias
    people = apps.get_model("clubs", "Player").objects.using(database).filter(wants_results=False)
    had = apps.get_model("clubs", "SentResult").objects.using(database).values("player_id")
    people.filter(pk__in=had, erased_on=None).update(refuses_results=True)


class Migration(migrations.Migration):
    dependencies = [("clubs", "0012_joining_days_that_are_known")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="refuses_results",
            field=models.BooleanField(
                default=False, help_text="wants no result by email, even one sent to everyone"
            ),
        ),
        migrations.RunPython(note_who_stopped_them, migrations.RunPython.noop),
    ]
