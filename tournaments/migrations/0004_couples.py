"""Couples among the entrants, who are seated apart."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0003_rulings_on_hands")]

    operations = [
        migrations.AddField(
            model_name="entrant",
            name="couple",
            field=models.CharField(
                blank=True,
                default="",
                help_text="the partner's name, or a word that both share: they are seated apart",
                max_length=80,
            ),
            preserve_default=False,
        )
    ]
