from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clubs", "0019_two_people")]

    operations = [
        migrations.AddField(
            model_name="apitoken",
            name="parent",
            field=models.PositiveBigIntegerField(
                blank=True,
                help_text="the API key that created it, perhaps in another database; empty: a person",
                null=True,
            ),
        )
    ]
