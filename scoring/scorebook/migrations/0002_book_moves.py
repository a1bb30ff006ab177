from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scorebook", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="book",
            name="moves",
            field=models.JSONField(
                blank=True,
                default=list,
                help_text="of a book from elsewhere: keys that its links seal, and the keys here",
            ),
        )
    ]
