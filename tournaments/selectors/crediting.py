"""What a round counts for whoever sits it out, and how that is said."""

from fractions import Fraction
from math import floor

from scoring.ranking import Number
from tournaments.models import SittingOut, Tournament

Sums = dict[str, Number]

COUNTED = (
    *("rounds", "table_points", "total", "mahjongs", "best_hand"),
    *("done", "done_total", "done_mahjongs", "sat_out", "mahjongs_credited"),
)
"""An entrant's sums; `done` are those of the tables that have finished."""


def credit(sums: Sums, rounds: int, tournament: Tournament) -> None:
    """Add to an entrant's sums what so many rounds sat out count in this tournament.

    Points of gain are added in whole numbers, halves upwards; table points and Mah-Jongs exactly.
    """
    sums["sat_out"] = rounds
    if tournament.sitting_out_counts == SittingOut.FIXED:
        sums["table_points"] += rounds * Fraction(tournament.sitting_out_table_points)
        sums["total"] += rounds * tournament.sitting_out_points
    elif tournament.sitting_out_counts == SittingOut.AVERAGE and sums["done"]:
        share = Fraction(rounds, int(sums["done"]))
        sums["table_points"] += share * sums["table_points"]
        sums["total"] += floor(share * sums["done_total"] + Fraction(1, 2))
        sums["mahjongs_credited"] = share * sums["done_mahjongs"]
        sums["mahjongs"] += sums["mahjongs_credited"]
