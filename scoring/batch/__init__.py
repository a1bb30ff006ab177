"""Totals only, of very many hands: needs numpy (`pip install tongbox[batch]`)."""

from scoring.batch.hands import Hands, hands_from
from scoring.batch.scoring import score_totals

__all__ = ["Hands", "hands_from", "score_totals"]
