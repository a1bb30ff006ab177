"""Which settings can still be changed, and the kinds of tournament to begin with."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from clubs.evenings.selectors.calendar import Occasion
from clubs.language.moments import moment
from clubs.models import Club
from scoring.scorebook.models import Hand
from tournaments.models import Round, RoundState, Ruling, SittingOut, Tournament, TournamentState

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


@dataclass(frozen=True, slots=True)
class Preset:
    """A kind of tournament: rounds of hands or minutes, and metrics of the ranking in order."""

    key: str
    name: str
    words: str
    rounds: int
    hands_a_round: int | None
    ranks_by: tuple[str, ...]
    minutes_a_round: int | None = None
    sitting_out_counts: str = SittingOut.AVERAGE

    def as_initial(self) -> dict[str, Any]:
        """What the form for a new tournament begins with; rankings left over are empty."""
        ranks = (*self.ranks_by, "", "", "", "")[:4]
        return {
            "rounds": self.rounds,
            "hands_a_round": self.hands_a_round,
            "minutes_a_round": self.minutes_a_round,
            "sitting_out_counts": self.sitting_out_counts,
            **{f"rank_{place}": metric for place, metric in enumerate(ranks, start=1)},
        }


ALL_COUNT: Final = ("table_points", "total", "mahjongs", "best_hand")
PRESETS: Final = (
    Preset("day", "A day out", "Five rounds of eight hands, by table points.", 5, 8, ALL_COUNT),
    Preset(
        "afternoon",
        "An afternoon",
        "Three rounds of six hands, by total gain.",
        3,
        6,
        ("total", "mahjongs", "best_hand"),
    ),
    Preset(
        "weekend",
        "A weekend",
        "Eight rounds of sixteen hands, each a whole game of four winds, by table points.",
        8,
        16,
        ALL_COUNT,
    ),
    Preset(
        "wins",
        "Count the Mah-Jongs",
        "Four rounds of eight hands; most Mah-Jongs wins.",
        4,
        8,
        ("mahjongs", "total"),
    ),
    Preset(
        "clock",
        "Against the clock",
        "Five rounds of 75 minutes with as many hands as time allows, by table points.",
        5,
        None,
        ALL_COUNT,
        minutes_a_round=75,
    ),
)


def preset_of(key: str) -> Preset:
    """The preset of that key, or the first."""
    return next((preset for preset in PRESETS if preset.key == key), PRESETS[0])
