"""The totals that each seat of a deal can have, in points."""

from collections.abc import Mapping

from scoring import Deal, RuleSet, Wind, possible_totals


def totals_at(deal: Deal, rules: RuleSet, winner: Wind | None) -> Mapping[Wind, tuple[int, ...]]:
    """Every total that can be, by wind, if that one went Mah-Jong."""
    return {
        wind: possible_totals(
            rules,
            won=wind == winner,
            seat_wind=wind,
            prevailing_wind=deal.prevailing_wind,
            players=len(deal.winds),
            goulash=deal.goulash,
            dealer=seat == deal.dealer,
        )
        for seat, wind in deal.winds.items()
    }
