from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0005_bell_rung_by_hand"),
    ]

    operations = [
        migrations.AddField(
            model_name="round",
            name="seated_in_order",
            field=models.JSONField(
                blank=True,
                default=list,
                help_text="entrants by standing when seated so; empty: drawn",
            ),
        ),
        migrations.AddField(
            model_name="round",
            name="traded",
            field=models.JSONField(
                blank=True,
                default=list,
                help_text="what seating by standing gave up for what, sentences",
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="one_prize_each",
            field=models.BooleanField(
                default=False,
                help_text="who has a prize passes any other on to the next in line",
            ),
        ),
    ]
