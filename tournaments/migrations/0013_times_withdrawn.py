"""How often an entrant has withdrawn, so that a page left open notices a return."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0012_plain_words"),
    ]

    operations = [
        migrations.AddField(
            model_name="entrant",
            name="times_withdrawn",
            field=models.PositiveSmallIntegerField(default=0),
        ),
    ]
