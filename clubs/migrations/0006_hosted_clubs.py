"""Clubs founded by anyone: requests, agreed terms, closed and deleted clubs."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clubs", "0005_cancelled_evenings")]

    operations = [
        migrations.CreateModel(
            name="AgreedTerms",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "digest",
                    models.CharField(help_text="SHA-256 of both texts", max_length=64, unique=True),
                ),
                ("terms", models.TextField()),
                ("privacy", models.TextField()),
                ("made_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={"verbose_name_plural": "agreed terms", "ordering": ["-pk"]},
        ),
        migrations.CreateModel(
            name="DeletedClub",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("slug", models.SlugField(max_length=60)),
                ("founded_at", models.DateTimeField(blank=True, null=True)),
                (
                    "is_by_operator",
                    models.BooleanField(help_text="otherwise the club asked for it"),
                ),
                ("deleted_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={"ordering": ["-pk"]},
        ),
        migrations.AddField(
            model_name="club",
            name="closed_at",
            field=models.DateTimeField(
                blank=True, help_text="since when nothing can be changed; empty: open", null=True
            ),
        ),
        migrations.AddField(
            model_name="club",
            name="closed_because",
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AddField(
            model_name="club",
            name="closed_until",
            field=models.DateField(blank=True, help_text="as its people read it", null=True),
        ),
        migrations.AddField(
            model_name="club",
            name="delete_on",
            field=models.DateField(blank=True, help_text="when it will be deleted", null=True),
        ),
        migrations.AddField(
            model_name="club",
            name="founded_at",
            field=models.DateTimeField(blank=True, help_text="empty: not known", null=True),
        ),
        migrations.AddField(
            model_name="club",
            name="founded_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="founded_clubs",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="club",
            name="is_deletion_by_operator",
            field=models.BooleanField(
                default=False, help_text="only an operator can then cancel it"
            ),
        ),
        migrations.AddField(
            model_name="installation",
            name="founding_full_on",
            field=models.DateField(
                blank=True, help_text="the last day whose limit of new clubs was reached", null=True
            ),
        ),
        migrations.AddField(
            model_name="club",
            name="agreed_to",
            field=models.ForeignKey(
                blank=True,
                help_text="the terms that its founder agreed to",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="clubs",
                to="clubs.agreedterms",
            ),
        ),
        migrations.CreateModel(
            name="FoundingRequest",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(help_text="of the club", max_length=80)),
                ("person", models.CharField(max_length=80)),
                ("email", models.EmailField(max_length=254)),
                (
                    "digest",
                    models.CharField(
                        help_text="SHA-256 of the link's key", max_length=64, unique=True
                    ),
                ),
                (
                    "sent_from",
                    models.CharField(
                        help_text="keyed digest of the network address", max_length=64
                    ),
                ),
                ("asked_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("used_at", models.DateTimeField(blank=True, null=True)),
                (
                    "club",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="clubs.club",
                    ),
                ),
                (
                    "terms",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="clubs.agreedterms",
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
                "indexes": [models.Index(fields=["asked_at"], name="founding_requests_by_age")],
            },
        ),
    ]
