"""The arithmetic detective: the likeliest slips behind a sheet or a claim that does not fit."""

from scoring.detective.sheets import examine_row
from scoring.detective.slips import (
    Claim,
    ClaimedLine,
    Comparison,
    DifferenceKind,
    Finding,
    Guess,
    Slip,
    compare,
    examine_claim,
    guess_total,
)

__all__ = [
    "Claim",
    "ClaimedLine",
    "Comparison",
    "DifferenceKind",
    "Finding",
    "Guess",
    "Slip",
    "compare",
    "examine_claim",
    "examine_row",
    "guess_total",
]
