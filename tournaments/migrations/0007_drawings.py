"""What was asked of the seating when rounds were drawn."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0006_rounds_by_standing_and_one_prize_each"),
    ]

    operations = [
        migrations.CreateModel(
            name="Drawing",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("first_round", models.PositiveSmallIntegerField()),
                ("last_round", models.PositiveSmallIntegerField()),
                (
                    "asked",
                    models.JSONField(help_text="the request of `python -m clubs.seating`"),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="drawings",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
    ]
