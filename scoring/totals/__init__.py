"""Which totals are possible: exactly those that some hand scores, and what people typed."""

from scoring.totals.possible import nearest, possible_totals, witness
from scoring.totals.typed import check_totals

__all__ = ["check_totals", "nearest", "possible_totals", "witness"]
