"""Which totals are possible: exactly those that some hand scores, and what people typed."""

from scoring.totals.possible import check_totals, nearest, possible_totals, witness

__all__ = ["check_totals", "nearest", "possible_totals", "witness"]
