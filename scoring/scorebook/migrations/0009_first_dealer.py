"""A game knows which seat deals its first hand."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scorebook", "0008_best_hand_is_a_mahjong")]

    operations = [
        migrations.AddField(
            model_name="game",
            name="first_dealer",
            field=models.PositiveSmallIntegerField(
                default=1,
                help_text="seat that deals the first hand; 1 unless the rules leave it open",
            ),
        ),
    ]
