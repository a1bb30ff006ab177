"""The sample tournament: sixteen players, the first round closed, the second half played."""

from datetime import date

from clubs.models import Club
from tournaments import services
from tournaments.models import RoundState, Tournament
from tournaments.sample.cast import REGULARS
from tournaments.sample.dealing import Dealer
from tournaments.sample.table import play

CUP = "Riverside Autumn Cup"
HANDS_A_ROUND = 8
HANDS_IN_ROUND_2 = (8, 6, 4, 0)
VISITORS = {
    "Ingrid Sørensen": "Hill Top Tiles",
    "Rajesh Patel": "Hill Top Tiles",
    "Winifred Bone": "Three Rivers Mah-Jong",
    "Tomasz Wójcik": "Three Rivers Mah-Jong",
}


def make_cup(club: Club, dealer: Dealer, today: date) -> Tournament:
    """Twelve members and four visitors over five rounds, caught in the middle of the second."""
    cup = services.make_tournament(
        club=club, name=CUP, held_on=today, rounds=5, hands_a_round=HANDS_A_ROUND
    )
    services.enter_many(tournament=cup, names=REGULARS[:12])
    for name, from_club in VISITORS.items():
        services.enter(tournament=cup, name=name, from_club=from_club)
    services.seat_rounds(tournament=cup)
    _play_round(cup, dealer, (HANDS_A_ROUND,) * 4)
    services.close_round(tournament=cup)
    _play_round(cup, dealer, HANDS_IN_ROUND_2)
    return cup


def _play_round(cup: Tournament, dealer: Dealer, hands: tuple[int, ...]) -> None:
    services.start_round(tournament=cup)
    playing = cup.rounds.get(state=RoundState.PLAYING)
    for table, count in zip(playing.tables.select_related("game"), hands, strict=True):
        play(table, services.post_hand, dealer, count)
