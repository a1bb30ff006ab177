"""The sample tournaments: an autumn cup half played, a spring cup with published results."""

from datetime import date, timedelta

from django.utils import timezone

from clubs.evenings.practice_play import Dealer, play
from clubs.models import Club
from tournaments.models import RoundState, Tournament
from tournaments.results import services
from tournaments.rounds.selectors import names_at
from tournaments.sample.club import REGULARS
from tournaments.seating.services import seating
from tournaments.setup import services as setup_services
from tournaments.steps import services as steps_services
from tournaments.table import services as table_services

CUP = "Riverside Autumn Cup"
HANDS_A_ROUND, MINUTES_A_ROUND = 8, 75
PLAYED_IN_ROUND_2 = timedelta(minutes=56, seconds=30)
HANDS_IN_ROUND_2 = (8, 6, 4, 0)
PAST_CUP = "Riverside Spring Cup"
GIFTS = {
    "First": "The spring cup and a bottle of port",
    "Second": "A box of Turkish delight",
    "Third": "A pot of heather honey",
    "Highest hand": "A tong box of bamboo",
    "Most Mah-Jongs": "A fan",
}
VISITORS = {
    "Ingrid Sørensen": "Hill Top Tiles",
    "Rajesh Patel": "Hill Top Tiles",
    "Winifred Bone": "Three Rivers Mah-Jong",
    "Tomasz Wójcik": "Three Rivers Mah-Jong",
}


def make_cup(club: Club, dealer: Dealer, today: date) -> Tournament:
    """Twelve members and four visitors over five rounds, at the tea break of the second."""
    cup = setup_services.make_tournament(
        club=club,
        name=CUP,
        held_on=today,
        rounds=5,
        hands_a_round=HANDS_A_ROUND,
        minutes_a_round=MINUTES_A_ROUND,
    )
    setup_services.enter_many(tournament=cup, names=REGULARS[:12])
    for name, from_club in VISITORS.items():
        setup_services.enter(tournament=cup, name=name, from_club=from_club)
    services.declare_usual_prizes(tournament=cup)
    seating.seat_rounds(tournament=cup)
    _play_round(cup, dealer, (HANDS_A_ROUND,) * 4)
    steps_services.close_round(tournament=cup)
    _play_round(cup, dealer, HANDS_IN_ROUND_2)
    # The clock is stopped, so that the sample does not change with time.
    playing = cup.rounds.get(state=RoundState.PLAYING)
    playing.started_at = timezone.now() - PLAYED_IN_ROUND_2
    playing.save(update_fields=["started_at"])
    steps_services.pause_clock(tournament=cup)
    return cup


def _play_round(cup: Tournament, dealer: Dealer, hands: tuple[int, ...]) -> None:
    steps_services.start_round(tournament=cup)
    playing = cup.rounds.get(state=RoundState.PLAYING)
    for table, count in zip(playing.tables.select_related("game"), hands, strict=True):
        play(table, table_services.post_hand, dealer, count, names=names_at(table))


def make_past_cup(club: Club, dealer: Dealer, today: date) -> Tournament:
    """Eight members over three rounds in spring, with a penalty; the results are published."""
    cup = setup_services.make_tournament(
        club=club,
        name=PAST_CUP,
        held_on=today - timedelta(days=210),
        rounds=3,
        hands_a_round=HANDS_A_ROUND,
    )
    setup_services.enter_many(tournament=cup, names=REGULARS[:8])
    seating.seat_rounds(tournament=cup)
    for _ in range(cup.rounds_planned):
        _play_round(cup, dealer, (HANDS_A_ROUND,) * 2)
        _rule(cup, dealer)
        steps_services.close_round(tournament=cup)
    _declare_prizes(cup)
    steps_services.finish_tournament(tournament=cup)
    services.publish_results(tournament=cup)
    return cup


def _declare_prizes(cup: Tournament) -> None:
    services.declare_usual_prizes(tournament=cup)
    services.save_prize(
        tournament=cup, kind="last", name="Wooden spoon", gift="A spoon of olive wood"
    )
    for prize in cup.prizes.filter(name__in=GIFTS):
        services.save_prize(
            tournament=cup,
            prize=prize,
            kind=prize.kind,
            place=prize.place,
            of=prize.of,
            name=prize.name,
            gift=GIFTS[prize.name],
        )


def _rule(cup: Tournament, dealer: Dealer) -> None:
    """A call and a ruling at the first table of the first round."""
    playing = cup.rounds.get(state=RoundState.PLAYING)
    if playing.number > 1:
        return
    case = table_services.Case(
        table=playing.tables.get(number=1),
        seat=2,
        reason="Called Mah-Jong in hand 6 with a chow too many",
        ruled_by="user 1",
        submission_id=dealer.submission_id(),
    )
    table_services.penalise(case=case, incident="false_mahjong_exposed")
