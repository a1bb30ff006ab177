"""A book that was put back says from which backup."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0017_secrets_of_webhooks"),
    ]

    operations = [
        migrations.AddField(
            model_name="backup",
            name="put_back_at",
            field=models.DateTimeField(
                blank=True,
                help_text="when the book that this is in was put back from it",
                null=True,
            ),
        ),
    ]
