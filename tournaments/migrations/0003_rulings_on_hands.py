"""A ruling knows the hand that it is about, and the mistake of the rules' scale."""

import re

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

OF_HAND = re.compile(r"pays the winner of hand (\d+) for everyone$")


def read_hand_numbers(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The number stood only in the words of the ruling."""
    rulings = apps.get_model("tournaments", "Ruling").objects.using(schema_editor.connection.alias)
    for ruling in rulings.filter(kind="pays_for_all").iterator():
        if found := OF_HAND.search(ruling.what):
            ruling.hand_number = int(found[1])
            ruling.save(update_fields=["hand_number"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0002_long_printouts")]

    operations = [
        migrations.AddField(
            model_name="ruling",
            name="hand_number",
            field=models.PositiveSmallIntegerField(
                blank=True, help_text="the hand that it is about, if it is about one", null=True
            ),
        ),
        migrations.AddField(
            model_name="ruling",
            name="mistake",
            field=models.CharField(
                blank=True,
                default="",
                help_text="key of the mistake in the rules' scale, if it is one",
                max_length=40,
            ),
            preserve_default=False,
        ),
        migrations.RunPython(read_hand_numbers, migrations.RunPython.noop),
    ]
