"""A seat's best hand is the best with which it went Mah-Jong; the losers' hands are left out."""

from typing import Any

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

AT_ONCE = 500


def tell_best_hands_anew(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Every seat's best hand from the hands that stand."""
    hands, seats = apps.get_model("scorebook", "Hand"), apps.get_model("scorebook", "Seat")
    best: dict[tuple[int, int], int] = {}
    won = hands.objects.filter(is_current=True, winner__isnull=False)
    columns = ("game_id", "winner", *(f"score_{number}" for number in range(1, 6)))
    for game, winner, *scores in won.values_list(*columns).iterator():
        score = scores[winner - 1] or 0
        best[game, winner] = max(best.get((game, winner), 0), score)
    changed: list[Any] = []
    for seat in seats.objects.only("pk", "game_id", "number", "best_hand").iterator():
        made = best.get((seat.game_id, seat.number), 0)
        if seat.best_hand != made:
            seat.best_hand = made
            changed.append(seat)
    seats.objects.bulk_update(changed, ["best_hand"], batch_size=AT_ONCE)


class Migration(migrations.Migration):
    dependencies = [("scorebook", "0007_what_a_repair_keeps")]

    operations = [
        migrations.AlterField(
            model_name="seat",
            name="best_hand",
            field=models.PositiveIntegerField(default=0, help_text="highest score of a Mah-Jong"),
        ),
        migrations.RunPython(tell_best_hands_anew, migrations.RunPython.noop),
    ]
