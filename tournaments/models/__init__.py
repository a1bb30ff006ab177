"""Tournaments, their entrants, rounds and tables; standings are derived and not stored."""

from tournaments.models.people import Capacity, Entrant, EntrantState, Placement, Prize, PrizeKind
from tournaments.models.rounds import Round, RoundState, SeatingChange, Table
from tournaments.models.rulings import Call, Ruling, RulingKind, StepBack
from tournaments.models.tournament import (
    A_MEAN_PLACE,
    AtTheBell,
    Drawing,
    OddNumber,
    SittingOut,
    Tournament,
    TournamentState,
    ranking_default,
)

__all__ = [
    "A_MEAN_PLACE",
    "AtTheBell",
    "Call",
    "Capacity",
    "Drawing",
    "Entrant",
    "EntrantState",
    "OddNumber",
    "Placement",
    "Prize",
    "PrizeKind",
    "Round",
    "RoundState",
    "Ruling",
    "RulingKind",
    "SeatingChange",
    "SittingOut",
    "StepBack",
    "Table",
    "Tournament",
    "TournamentState",
    "ranking_default",
]
