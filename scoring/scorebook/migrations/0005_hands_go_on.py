"""The hands of a table go on counting after a change of players, in evenings played before too."""

from typing import Any

from django.db import migrations, models


def count_hands(apps: Any, editor: Any) -> None:
    """A game that carries on another one is told how many hands the table had played by then."""
    games = apps.get_model("scorebook", "Game").objects.using(editor.connection.alias)
    for game in games.exclude(continues=None).order_by("pk"):
        before = game.continues.opening or {}
        played = game.continues.hands.filter(is_current=True).count()
        game.opening = {**game.opening, "hands": before.get("hands", 0) + played}
        game.save(update_fields=["opening"])


def forget(apps: Any, editor: Any) -> None:
    """Every game counts from 1 again."""
    games = apps.get_model("scorebook", "Game").objects.using(editor.connection.alias)
    for game in games.exclude(continues=None):
        game.opening = {name: value for name, value in game.opening.items() if name != "hands"}
        game.save(update_fields=["opening"])


class Migration(migrations.Migration):
    dependencies = [("scorebook", "0004_links_of_copies")]

    operations = [
        migrations.AlterField(
            model_name="game",
            name="opening",
            field=models.JSONField(
                blank=True,
                help_text="seats: those of the game before that each seat carries on; "
                "state: how it stood; hands: how many the table had played",
                null=True,
            ),
        ),
        migrations.RunPython(count_hands, forget),
    ]
