import uuid

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0004_couples")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="ruling",
                    name="submission_id",
                    field=models.UUIDField(default=uuid.uuid4, unique=True),
                )
            ]
        )
    ]
