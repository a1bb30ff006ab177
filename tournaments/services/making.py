"""A new tournament, and what can be wrong with any."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import TypedDict, Unpack

from django.db import transaction

from clubs.core.locks import lock_club
from clubs.models import Club
from clubs.models.names import name_fault, tidy_name
from scoring.scorebook import services as scorebook
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import AgreementPolicy, Recording
from scoring.scorebook.refusals import Refusal, Refused
from tournaments.models import (
    AtTheBell,
    SittingOut,
    Tournament,
    ranking_default,
)

RANKING = ("table_points", "total", "mahjongs", "best_hand")
MOST_ROUNDS, MOST_HANDS, MOST_TABLES = 30, 100, 100
MOST_MINUTES, MOST_STAKE = 600, 100_000
MOST_TABLE_POINTS = 4


class Credit(TypedDict, total=False):
    """What a round counts for whoever sits it out; what is left out is as usual."""

    sitting_out_counts: str
    sitting_out_table_points: Decimal
    sitting_out_points: int


class Settings(Credit):
    """All that the form of a tournament asks; ``rules`` may be empty: as the club plays."""

    name: str
    held_on: date
    rounds: int
    hands_a_round: int | None
    minutes_a_round: int | None
    at_the_bell: str
    start_stake: int
    record_by: str
    agreement: str
    ranks_by: Sequence[str]
    rules: str
    by_standing_from: int | None
    bands: int
    has_final: bool


@transaction.atomic
def make_tournament(  # noqa: PLR0913 -- a tournament is all that its form asks
    *,
    club: Club,
    name: str,
    held_on: date,
    rounds: int = 5,
    hands_a_round: int | None = 8,
    minutes_a_round: int | None = None,
    at_the_bell: str = AtTheBell.FINISH,
    start_stake: int = 0,
    record_by: str = Recording.TOTALS,
    agreement: str = AgreementPolicy.ALL,
    ranks_by: Sequence[str] = (),
    rules: str = "",
    by_standing_from: int | None = None,
    bands: int = 1,
    has_final: bool = False,
    **sitting_out: Unpack[Credit],
) -> Tournament:
    """A tournament that takes entries, under the newest edition of these rules or the club's.

    A round ends with so many hands, or with the bell after so many minutes, or with whichever
    comes first; ``start_stake`` points lie before each player when it begins.
    ``by_standing_from`` is the first round seated by standing, ``bands`` how many tables make a
    band there (1: none); with ``has_final`` the first four meet at table 1 in the last round.
    ``sitting_out`` says what a round counts for whoever sits it out.
    """
    made = Tournament(
        book=scorebook.open_book(),
        club=lock_club(club.pk),
        name=tidy_name(name),
        held_on=held_on,
        rules=rule_set(rules or club.rules).key,
        rounds_planned=rounds,
        hands_a_round=hands_a_round,
        minutes_a_round=minutes_a_round,
        at_the_bell=at_the_bell,
        start_stake=start_stake,
        record_by=record_by,
        agreement=agreement,
        ranks_by=list(ranks_by) or ranking_default(),
        by_standing_from=by_standing_from,
        bands=bands,
        has_final=has_final,
        **sitting_out,
    )
    if problems := faults(made):
        raise Refused(problems)
    made.save()
    return made


def faults(made: Tournament) -> list[Refusal]:
    """Everything that is wrong with what a tournament is to be."""
    found = []
    if made.club.rehearsal_of_id is not None:
        said = "You cannot practise a tournament. Create it in the club itself."
        found.append(Refusal("rehearsal", said, "name"))
    if fault := name_fault(made.name):
        found.append(Refusal("bad_name", fault, "name"))
    elif made.club.tournaments.filter(name=made.name).exclude(pk=made.pk).exists():
        sentence = "There is already a tournament with that name."
        found.append(Refusal("name_taken", sentence, "name"))
    if not 1 <= made.rounds_planned <= MOST_ROUNDS:
        sentence = f"Enter 1 to {MOST_ROUNDS} rounds."
        found.append(Refusal("bad_value", sentence, "rounds"))
    if unknown := [metric for metric in made.ranks_by if metric not in RANKING]:
        sentence = f"“{unknown[0]}” is not a ranking option."
        found.append(Refusal("bad_value", sentence, "ranks_by"))
    found += [*measure_faults(made), *telling_faults(made)]
    return [*found, *drawing_faults(made), *resting_faults(made)]


def telling_faults(made: Tournament) -> list[Refusal]:
    """What is wrong with how its hands are told and agreed."""
    found = []
    if made.record_by not in Recording:
        found.append(Refusal("bad_value", "Choose how hands are entered.", "record_by"))
    elif made.record_by == Recording.TALLIES and not made.pays:
        sentence = "No one pays under these rules, so you cannot count sticks."
        found.append(Refusal("no_sticks", sentence, "record_by"))
    if made.agreement not in AgreementPolicy:
        found.append(Refusal("bad_value", "Choose who must agree.", "agreement"))
    return found


def measure_faults(made: Tournament) -> list[Refusal]:
    """What is wrong with how long its rounds are and what lies on the tables."""
    found = []
    hands, minutes = made.hands_a_round, made.minutes_a_round
    if hands is None and minutes is None:
        sentence = "Enter a number of hands or minutes for each round."
        found.append(Refusal("bad_value", sentence, "hands_a_round"))
    if hands is not None and not 1 <= hands <= MOST_HANDS:
        sentence = f"Enter 1 to {MOST_HANDS} hands per round."
        found.append(Refusal("bad_value", sentence, "hands_a_round"))
    if minutes is not None and not 1 <= minutes <= MOST_MINUTES:
        sentence = f"Enter 1 to {MOST_MINUTES} minutes per round."
        found.append(Refusal("bad_value", sentence, "minutes_a_round"))
    if made.at_the_bell not in AtTheBell:
        found.append(Refusal("bad_value", "Choose what happens at the bell.", "at_the_bell"))
    if not 0 <= made.start_stake <= MOST_STAKE:
        sentence = f"Starting points can be at most {MOST_STAKE:,}."
        found.append(Refusal("bad_value", sentence, "start_stake"))
    elif made.start_stake and not made.pays:
        sentence = "No one pays under these rules, so there are no starting points."
        found.append(Refusal("bad_value", sentence, "start_stake"))
    return found


def resting_faults(made: Tournament) -> list[Refusal]:
    """What is wrong with what a round counts for whoever sits it out."""
    found = []
    if made.sitting_out_counts not in SittingOut:
        sentence = "Choose what counts for a player who sits out a round."
        found.append(Refusal("bad_value", sentence, "sitting_out_counts"))
    if not 0 <= made.sitting_out_table_points <= MOST_TABLE_POINTS:
        sentence = f"Enter 0 to {MOST_TABLE_POINTS} table points for a round sat out."
        found.append(Refusal("bad_value", sentence, "sitting_out_table_points"))
    if abs(made.sitting_out_points) > MOST_STAKE:
        sentence = f"Enter {MOST_STAKE:,} points or fewer for a round sat out."
        found.append(Refusal("bad_value", sentence, "sitting_out_points"))
    return found


def drawing_faults(made: Tournament) -> list[Refusal]:
    """What is wrong with how its rounds are to be seated."""
    found = []
    first, rounds = made.by_standing_from, made.rounds_planned
    if first is not None and not 2 <= first <= rounds:
        sentence = (
            f"Round {first} cannot be the first by standings: there are {rounds} rounds, and "
            "there are no standings before round 1."
        )
        found.append(Refusal("bad_value", sentence, "by_standing_from"))
    if made.has_final and rounds < 2:
        sentence = "A final needs at least one round before it."
        found.append(Refusal("bad_value", sentence, "has_final"))
    if not 1 <= made.bands <= MOST_TABLES:
        sentence = f"Enter 1 to {MOST_TABLES} tables in a group."
        found.append(Refusal("bad_value", sentence, "bands"))
    return found
