"""Who sat in a seat before someone else came in mid-round."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0005_rulings_of_copies")]

    operations = [
        migrations.AddField(
            model_name="placement",
            name="earlier_sitters",
            field=models.JSONField(
                blank=True,
                default=list,
                help_text="who sat there before a change in mid-round: last hand and substitute",
            ),
        ),
        migrations.AlterField(
            model_name="placement",
            name="substitute",
            field=models.CharField(
                blank=True, help_text="substitute who plays for the entrant now", max_length=80
            ),
        ),
    ]
