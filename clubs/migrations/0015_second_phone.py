from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clubs", "0014_versions_of_series")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="second_phone",
            field=models.CharField(blank=True, max_length=40),
        )
    ]
