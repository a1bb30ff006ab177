"""The arithmetic detective: the likeliest slips behind a sheet or a claim that does not fit."""

from scoring.detective.sheets import SheetRow, examine_row, examine_sheet
from scoring.detective.slips import (
    Claim,
    ClaimedLine,
    Comparison,
    Finding,
    Guess,
    Kind,
    Slip,
    compare,
    examine_claim,
    guess_total,
)
