"""How often an evening was finished, so that a page left open notices that it was reopened."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0021_plain_words"),
    ]

    operations = [
        migrations.AddField(
            model_name="session",
            name="times_closed",
            field=models.PositiveIntegerField(default=0),
        ),
    ]
