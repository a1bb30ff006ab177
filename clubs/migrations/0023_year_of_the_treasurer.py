from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clubs", "0022_names_in_the_log")]

    operations = [
        migrations.AddField(
            model_name="club",
            name="year_begins",
            field=models.PositiveSmallIntegerField(
                default=1, help_text="the month in which the treasurer's year begins, from 1 to 12"
            ),
        )
    ]
