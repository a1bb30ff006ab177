"""The arithmetic detective: the likeliest slips behind a sheet or a claim that does not fit."""

from scoring.detective.claims import examine_claim
from scoring.detective.findings import Finding, Slip
from scoring.detective.guesses import Guess, guess_total
from scoring.detective.rows import examine_row
from scoring.detective.sheets import SheetRow, examine_sheet

__all__ = [
    "Finding",
    "Guess",
    "SheetRow",
    "Slip",
    "examine_claim",
    "examine_row",
    "examine_sheet",
    "guess_total",
]
