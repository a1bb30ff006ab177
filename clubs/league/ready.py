"""Leagues as clubs play them, to begin with."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from clubs.league.rules import AddsUp, Brings, LeagueRules, Quota, Tie, scales

HALF: Final = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class ReadyMade:
    """A league with its name and what it is like."""

    key: str
    name: str
    note: str
    rules: LeagueRules


READY_MADE: Final = (
    ReadyMade("total", "Everything counts", "The total of all evenings.", LeagueRules()),
    ReadyMade(
        "best",
        "The best evenings",
        "Missing a few evenings costs nothing.",
        LeagueRules(best=Quota(8), least=Quota(6)),
    ),
    ReadyMade(
        "average",
        "The average evening",
        "Fair to those who cannot always come.",
        LeagueRules(adds_up=AddsUp.AVERAGE, least=Quota(50, is_percent=True)),
    ),
    ReadyMade(
        "average-hand",
        "The average hand",
        "Fair where tables play different numbers of hands.",
        LeagueRules(adds_up=AddsUp.HAND, least=Quota(50, is_percent=True)),
    ),
    ReadyMade(
        "groene-hart",
        "Table points, as in Groene Hart",
        "Points for the places at each table, and one for attending.",
        LeagueRules(
            brings=Brings.TABLE_POINTS,
            scales=scales((4, 2), (4, 2, 1), (4, 2, 1, HALF), (4, 2, 1, HALF, 0)),
            attendance_points=Fraction(1),
            best=Quota(75, is_percent=True),
            least=Quota(75, is_percent=True),
            least_members=8,
            ties=(Tie.MAHJONGS, Tie.GIVEN_AWAY),
        ),
    ),
    ReadyMade(
        "pe-ling",
        "Points and a premium, as at Pe-ling",
        "What you gain, and 3,000 points for attending.",
        LeagueRules(attendance_points=Fraction(3000)),
    ),
    ReadyMade(
        "wins",
        "Tables won",
        "One point for the winner of each table, none for the others.",
        LeagueRules(
            brings=Brings.TABLE_POINTS,
            scales=scales((1, 0), (1, 0, 0), (1, 0, 0, 0), (1, 0, 0, 0, 0)),
            ties=(Tie.POINTS, Tie.MAHJONGS),
        ),
    ),
)


def ready_made(key: str) -> LeagueRules:
    """The rules of that key. Raises KeyError for a key that is none."""
    return {league.key: league.rules for league in READY_MADE}[key]
