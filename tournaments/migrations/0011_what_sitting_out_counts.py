"""What a round counts for whoever sits it out; in tournaments there are already, nothing."""

from decimal import Decimal

from django.db import migrations, models

COUNTS = [
    ("average", "As the average of the player’s own rounds"),
    ("fixed", "A fixed score"),
    ("nothing", "Nothing"),
]


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0010_books_of_tournaments"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="sitting_out_counts",
            field=models.CharField(choices=COUNTS, default="nothing", max_length=8),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="sitting_out_counts",
            field=models.CharField(choices=COUNTS, default="average", max_length=8),
        ),
        migrations.AddField(
            model_name="tournament",
            name="sitting_out_points",
            field=models.IntegerField(
                default=0, help_text="of gain, for each round sat out, where the score is fixed"
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="sitting_out_table_points",
            field=models.DecimalField(
                decimal_places=2,
                default=Decimal("1.75"),
                help_text="for each round sat out, where the score is fixed",
                max_digits=4,
            ),
        ),
    ]
