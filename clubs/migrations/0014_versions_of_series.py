from django.db import migrations, models
from django.utils import timezone


class Migration(migrations.Migration):
    dependencies = [("clubs", "0013_refused_results")]

    operations = [
        migrations.AddField(
            model_name="series",
            name="version",
            field=models.PositiveIntegerField(
                default=0, help_text="goes up with every change of its dates or of the closed dates"
            ),
        ),
        migrations.AddField(
            model_name="series",
            name="changed_at",
            field=models.DateTimeField(default=timezone.now, help_text="when it last went up"),
        ),
    ]
