"""A hand with names."""

from clubs.table.rows import HandLine, HandView
from scoring import Wind
from scoring.scorebook.models import Hand, HandState
from scoring.scorebook.selectors import hand_row

NAMES = {1: "Margaret", 2: "Dilip", 3: "Zoë", 4: "Ngaio"}


def test_the_lines_of_a_hand_begin_with_east() -> None:
    deal = {
        "winds": {"1": "N", "2": "E", "3": "S", "4": "W"},
        "dealer": 2,
        "prevailing_wind": "E",
        "goulash": False,
    }
    hand = Hand(
        number=2, deal=deal, winner=3, report={}, state=HandState.REPORTED,
        score_1=4, score_2=20, score_3=60, score_4=8,
        gain_1=-96, gain_2=-64, gain_3=240, gain_4=-80,
    )  # fmt: skip
    assert HandView(hand_row(hand), NAMES).lines == (
        HandLine(2, "Dilip", Wind.E, is_dealer=True, is_winner=False, score=20, gain=-64),
        HandLine(3, "Zoë", Wind.S, is_dealer=False, is_winner=True, score=60, gain=240),
        HandLine(4, "Ngaio", Wind.W, is_dealer=False, is_winner=False, score=8, gain=-80),
        HandLine(1, "Margaret", Wind.N, is_dealer=False, is_winner=False, score=4, gain=-96),
    )
