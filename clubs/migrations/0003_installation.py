"""The address chosen when the first club was set up, and the first steps of a new club."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clubs", "0002_press_of_a_member_import")]

    operations = [
        migrations.CreateModel(
            name="Installation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "address",
                    models.CharField(
                        blank=True,
                        help_text="where phones open Tongbox; empty: not known",
                        max_length=200,
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="club",
            name="shows_first_steps",
            field=models.BooleanField(
                default=False, help_text="the home page lists what a new club does first"
            ),
        ),
    ]
