from typing import Any

from django.db import migrations, models

OF_EARLIER_CLUBS = 500


def let_earlier_clubs_send(apps: Any, schema_editor: Any) -> None:
    """Clubs that strangers started before have sent emails since: they go on."""
    clubs = apps.get_model("clubs", "Club").objects.using(schema_editor.connection.alias)
    clubs.filter(agreed_to__isnull=False).update(mails_a_day=OF_EARLIER_CLUBS)


class Migration(migrations.Migration):
    dependencies = [("clubs", "0015_second_phone")]

    operations = [
        migrations.AddField(
            model_name="club",
            name="mails_a_day",
            field=models.PositiveIntegerField(
                blank=True,
                help_text=(
                    "emails that an operator lets a hosted club send; empty: nobody has looked yet"
                ),
                null=True,
            ),
        ),
        migrations.CreateModel(
            name="SentMails",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "about",
                    models.CharField(
                        help_text="keyed digest of the club or the address", max_length=64
                    ),
                ),
                ("on", models.DateField()),
                ("number", models.PositiveIntegerField(default=0)),
            ],
            options={
                "verbose_name_plural": "sent mails",
                "ordering": ["-pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("about", "on"), name="one_count_a_day")
                ],
            },
        ),
        migrations.RunPython(let_earlier_clubs_send, migrations.RunPython.noop, elidable=False),
    ]
