import uuid

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def draw_uids(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Give each club of before a number of its own: the column's default is drawn only once."""
    clubs = apps.get_model("clubs", "Club").objects.using(schema_editor.connection.alias)
    for club in clubs.all():
        club.uid = uuid.uuid4()
        club.save(update_fields=["uid"])


class Migration(migrations.Migration):
    dependencies = [("clubs", "0007_mail")]

    operations = [
        migrations.AddField(
            model_name="club",
            name="uid",
            field=models.UUIDField(default=uuid.uuid4, editable=False, null=True),
        ),
        migrations.RunPython(draw_uids, migrations.RunPython.noop, elidable=True),
        migrations.AlterField(
            model_name="club",
            name="uid",
            field=models.UUIDField(
                default=uuid.uuid4,
                editable=False,
                help_text="the same wherever the club moves",
                unique=True,
            ),
        ),
    ]
