from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F
from django.utils import timezone


def note_days(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """People of before are on the list since the day that was stored as their joining day."""
    people = apps.get_model("clubs", "Player").objects.using(schema_editor.connection.alias)
    people.update(added_on=F("joined_on"))


def fill_days(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The way back: the release of before takes who never said for joining when they were added."""
    people = apps.get_model("clubs", "Player").objects.using(schema_editor.connection.alias)
    people.filter(joined_on=None).update(joined_on=F("added_on"))


class Migration(migrations.Migration):
    dependencies = [("clubs", "0011_club_places")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="added_on",
            field=models.DateField(
                default=timezone.localdate,
                editable=False,
                help_text="since when on the club's list",
            ),
        ),
        migrations.AlterField(
            model_name="player",
            name="joined_on",
            field=models.DateField(blank=True, help_text="empty: nobody has said", null=True),
        ),
        migrations.RunPython(note_days, fill_days, elidable=True),
    ]
