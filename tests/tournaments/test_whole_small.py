"""Small tournaments under rules that pay otherwise, for numbers that are no multiple of four."""

from collections import Counter

import pytest

from scoring import rule_set
from tests.people import Cast
from tests.tournaments.whole import checks
from tests.tournaments.whole.dealing import Croupier
from tests.tournaments.whole.hall import Hall

ROUNDS, HANDS = 3, 4
NAMES = [f"Player {letter}" for letter in "ABCDEFGHIJKLMNOP"]
RANKS_BY = {
    "tallies": ("total", "mahjongs", "best_hand"),
    "baggaley": ("table_points", "total", "best_hand"),
}
PLAYERS = {"wait": 16, "house": 15, "sit_out": 14}


@pytest.mark.sampled(law="a whole tournament")
@pytest.mark.parametrize(("odd_number", "seed"), [("wait", 1), ("house", 2), ("sit_out", 3)])
@pytest.mark.parametrize("rules", RANKS_BY)
def test_whoever_fills_the_table_or_sits_out_the_hands_decide(
    cast: Cast, rules: str, odd_number: str, seed: int
) -> None:
    hall, names = Hall(cast, rules), NAMES[: PLAYERS[odd_number]]
    hall.open(RANKS_BY[rules], name="Small Cup", rounds=ROUNDS, hands_a_round=HANDS, rules=rules)
    hall.read_in("name\n" + "\n".join(names))
    hall.do("entrants/", way="rules", odd_number=odd_number, places="")
    hall.do("seat/")
    hall.take_cards()
    play_all_rounds(hall, Croupier(rules, seed))
    everybody_plays_as_often_as_the_number_allows(hall, names)
    hall.do("finish/")
    checks.every_table_shows_what_it_played(hall)
    sheets = hall.sheets.values()
    checks.the_standings_are(hall.standings(), sheets, names, RANKS_BY[rules], ROUNDS)
    checks.the_books_balance(pays=rule_set(rules).zero_sum)


def play_all_rounds(hall: Hall, croupier: Croupier) -> None:
    """Every table plays its hands, or until someone has won the race that the rules lay down."""
    for number in range(1, ROUNDS + 1):
        hall.do("start/")
        for sheet in hall.sit_down(number):
            while len(sheet.hands) < HANDS and not sheet.is_won:
                hall.enter(sheet, croupier)
        hall.do("close/")


def everybody_plays_as_often_as_the_number_allows(hall: Hall, names: list[str]) -> None:
    """Nobody sits out a second time before everyone has; nobody meets again who need not.

    At three tables some must: of fourteen players, three pairs.
    """
    seats = Counter(name for sheet in hall.sheets.values() for name in sheet.names)
    round_counts = [seats[name] for name in names]
    assert max(round_counts) - min(round_counts) <= 1
    four_tables = len(hall.sheets) == 4 * ROUNDS
    checks.the_seating_is_as_promised(hall, repeated_pairs=0 if four_tables else 3, uneven=0)
