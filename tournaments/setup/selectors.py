"""Which settings of a tournament are fixed, since when, and why."""

from datetime import datetime

from clubs.evenings.selectors.calendar import Occasion
from clubs.language.moments import moment
from clubs.models import Club
from scoring.scorebook.models import Hand
from tournaments.models import Round, RoundState, Ruling, Tournament, TournamentState

ALWAYS_FREE = ("name", "held_on")
RULES = ("rules",)
LENGTH = ("hands_a_round", "minutes_a_round", "at_the_bell")
SETTINGS = (
    *ALWAYS_FREE,
    "rounds",
    *LENGTH,
    "start_stake",
    "record_by",
    "agreement",
    "ranks_by",
    *RULES,
    "by_standing_from",
    "bands",
    "has_final",
    "sitting_out_counts",
    "sitting_out_table_points",
    "sitting_out_points",
)


def settled(tournament: Tournament) -> dict[str, str]:
    """Each setting that cannot be changed now, with the reason; at most three queries."""
    if tournament.state == TournamentState.FINISHED:
        sentence = "The tournament is finished, so this cannot change."
        return dict.fromkeys([name for name in SETTINGS if name not in ALWAYS_FREE], sentence)
    result: dict[str, str] = {}
    if since := first_hand_at(tournament):
        sentence = f"This cannot change after the first hand ({moment(since)})."
        result |= dict.fromkeys(RULES, sentence)
    if playing := tournament.rounds.filter(state=RoundState.PLAYING).first():
        sentence = f"Round {playing.number} is being played. This can be changed once it is closed."
        result |= dict.fromkeys(LENGTH, sentence)
    return result


def first_hand_at(tournament: Tournament) -> datetime | None:
    """When the first hand or ruling was recorded; None if there is none."""
    hands = Hand.objects.filter(game__tournament_table__round__tournament=tournament)
    first = hands.order_by("sent_at").values_list("sent_at", flat=True).first()
    if first is not None:
        return first
    rulings = Ruling.objects.filter(table__round__tournament=tournament)
    return rulings.order_by("ruled_at").values_list("ruled_at", flat=True).first()


def begun(tournament: Tournament) -> int:
    """The number of rounds that have been started."""
    return Round.objects.filter(tournament=tournament).exclude(state=RoundState.SEATED).count()


def occasions(club: Club) -> list[Occasion]:
    """Every tournament of the club; one query."""
    tournaments = Tournament.objects.filter(club=club).values_list("pk", "name", "held_on")
    return [Occasion(f"tournament-{pk}", name, held_on) for pk, name, held_on in tournaments]
