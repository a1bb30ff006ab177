"""What is kept of a repaired game, in words that fit."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scorebook", "0006_what_a_link_seals")]
    operations = [
        migrations.AlterField(
            model_name="repairedgame",
            name="before",
            field=models.JSONField(
                help_text="exchanges, length, the reports of the hands that went, those disputed"
            ),
        ),
        migrations.AlterField(
            model_name="repairedgame",
            name="after",
            field=models.JSONField(
                help_text="exchanges and length, the keys of the hands that the repair wrote"
            ),
        ),
    ]
