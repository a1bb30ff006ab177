"""The colour of a club's mark."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clubs", "0003_installation")]

    operations = [
        migrations.AddField(
            model_name="club",
            name="mark_colour",
            field=models.CharField(
                choices=[
                    ("red", "Red"),
                    ("green", "Green"),
                    ("blue", "Blue"),
                    ("plum", "Plum"),
                    ("brown", "Brown"),
                    ("black", "Black"),
                ],
                default="red",
                max_length=10,
            ),
        )
    ]
