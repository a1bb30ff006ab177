"""Two records with similar names may be said to be two people."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clubs", "0018_names_of_backup_programs")]

    operations = [
        migrations.CreateModel(
            name="TwoPeople",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="two_people",
                        to="clubs.club",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "one",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="not_the_other",
                        to="clubs.player",
                    ),
                ),
                (
                    "other",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="not_the_one",
                        to="clubs.player",
                    ),
                ),
            ],
            options={
                "verbose_name": "answer that two records are two people",
                "verbose_name_plural": "answers that two records are two people",
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("one", "other"), name="two_people_once"),
                    models.CheckConstraint(
                        condition=models.Q(("one", models.F("other")), _negated=True),
                        name="two_people_are_not_one",
                    ),
                ],
            },
        )
    ]
