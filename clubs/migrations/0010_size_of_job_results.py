from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clubs", "0009_away_copies")]

    operations = [
        migrations.AddField(
            model_name="job",
            name="bytes",
            field=models.PositiveBigIntegerField(
                blank=True,
                help_text="how large the result is; empty: none, or not known",
                null=True,
            ),
        )
    ]
