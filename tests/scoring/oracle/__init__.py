"""A slow scorer of five rule sets, written apart from the engine, to hold it to account.

Every way of laying out a hand is tried and each is counted with plain ifs, from the books alone.
"""

from tests.scoring.oracle.hands import a_hand
from tests.scoring.oracle.table import Game, Settlement, a_game, a_settlement, play, settle
from tests.scoring.oracle.verdict import BOOKS, Answer, Verdict, judge

__all__ = [
    "BOOKS",
    "Answer",
    "Game",
    "Settlement",
    "Verdict",
    "a_game",
    "a_hand",
    "a_settlement",
    "judge",
    "play",
    "settle",
]
