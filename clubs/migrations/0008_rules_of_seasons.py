"""How a season ranks moves from three columns into its first version of rules."""

from django.db import migrations
from django.utils import timezone

SCALES = {"2": "4-0", "3": "4-2-0", "4": "4-2-1-0", "5": "4-2-1-0-0"}


def declare(apps, schema_editor):
    """Version 1 of every season, adopted: what its columns said."""
    season_rules = apps.get_model("clubs", "SeasonRules")
    for season in apps.get_model("clubs", "Season").objects.filter(versions=None):
        season_rules.objects.create(
            season=season, number=1, adopted_at=timezone.now(), declaration=declaration(season)
        )


def declaration(season):
    """The declaration of the season's columns."""
    is_best = season.ranks_by == "best" and season.best_of
    return {
        "brings": "points",
        "scales": SCALES,
        "hands": None,
        "handicaps": False,
        "attendance_points": "0",
        "adds_up": "average" if season.ranks_by == "average" else "total",
        "best": str(season.best_of) if is_best else "",
        "least": str(season.least_attendance or ""),
        "least_members": 0,
        "credit_most": 0,
        "credit_points": "",
        "ties": ["mahjongs", "best_hand"],
    }


class Migration(migrations.Migration):
    dependencies = [("clubs", "0007_the_clubs_year")]

    operations = [
        migrations.RunPython(declare, migrations.RunPython.noop),
        migrations.RemoveConstraint(model_name="season", name="best_evenings_say_how_many"),
        migrations.RemoveField(model_name="season", name="ranks_by"),
        migrations.RemoveField(model_name="season", name="best_of"),
        migrations.RemoveField(model_name="season", name="least_attendance"),
    ]
