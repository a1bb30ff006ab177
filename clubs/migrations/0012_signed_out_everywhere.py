from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clubs", "0011_many_clubs_one_installation")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="signed_out",
            field=models.PositiveIntegerField(
                default=0, help_text="how often they signed out everywhere"
            ),
        ),
    ]
