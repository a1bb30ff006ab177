"""The director's view of the hall: the current round, and the next step."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeVar

from django.db.models import Count, Q
from django.utils import timezone

from clubs.language.words import player_count_words, whole_number
from clubs.models.names import PUBLIC_READER, Reader, surname_key
from tournaments.core import names_of
from tournaments.models import (
    MOST_TABLES,
    EntrantState,
    Round,
    RoundState,
    Table,
    Tournament,
    TournamentState,
)
from tournaments.rounds.clock import Clock, clock_of
from tournaments.rounds.selectors import RoundView, TableRow, round_view
from tournaments.rounds.watch import Watch, watch_for_spectators, watch_round
from tournaments.seating.selectors import moved_since
from tournaments.steps.selectors import Step, StepLink, next_step, undo_links


class _HasState(Protocol):
    @property
    def state(self) -> str: ...


RoundT = TypeVar("RoundT", bound=_HasState)


@dataclass(frozen=True, slots=True)
class DeskState:
    """The desk: the next step, the current round, its tables with problems first.

    ``now`` is the round being played, else the next one, else the last; None before the seating.
    ``entrant_names`` and ``withdrawn``: who plays, and how many withdrew after they were seated.
    ``hands`` are those recorded in all rounds; ``clock`` is the round's, if any.
    """

    step: Step
    rounds: tuple[Round, ...]
    now: RoundView | None
    watch: Watch
    entrant_names: tuple[str, ...]
    withdrawn: int
    hands: int
    undo_steps: tuple[StepLink, ...]
    clock: Clock | None

    @property
    def tables(self) -> tuple[TableRow, ...]:
        return () if self.now is None else self.now.tables

    @property
    def players(self) -> str:
        """How many play, and how many withdrew: ``30 players, 1 withdrew``."""
        return player_count_words(len(self.entrant_names), self.withdrawn)


def desk_state(
    tournament: Tournament,
    *,
    to_officials: bool = True,
    watched_at: datetime | None = None,
    reader: Reader = PUBLIC_READER,
) -> DeskState:
    """The floor of a tournament; seven queries however many tables and rounds.

    With a time of watching, also what officials monitor: one query more. If a round seated by
    standing waits, whether the standing has changed: two more.
    """
    hand_count = Count("tables__game__hands", filter=Q(tables__game__hands__is_current=True))
    rounds_with_counts = list(tournament.rounds.annotate(recorded=hand_count).order_by("number"))
    rounds, hands = tuple(rounds_with_counts), sum(round_.recorded for round_ in rounds_with_counts)
    current = current_round_of(rounds)
    now, watch = None, Watch()
    if current is not None:
        now = round_view(current, tournament, to_officials=to_officials, reader=reader)
        if watched_at is None or tournament.state == TournamentState.FINISHED:
            watch = watch_for_spectators(now)
        else:
            watch = watch_round(tournament, now, watched_at=watched_at)
    people = list(tournament.entrants.ranked().select_related("player"))
    playing = [entrant for entrant in people if entrant.state == EntrantState.ENTERED]
    entrant_names = tuple(sorted(names_of(playing, reader).values(), key=surname_key))
    return DeskState(
        step=next_step(
            tournament,
            rounds,
            now,
            len(entrant_names),
            moved_since(tournament, current, reader=reader),
        ),
        rounds=rounds,
        now=now,
        watch=watch,
        entrant_names=entrant_names,
        withdrawn=len(people) - len(playing),
        hands=hands,
        undo_steps=undo_links(tournament, rounds, now, hands),
        clock=None if current is None else clock_of(current, now=watched_at or timezone.now()),
    )


def find_current_table(tournament: Tournament, number: str) -> Table | None:
    """The table of that typed number in the current round; two queries."""
    current = current_round_of(tuple(tournament.rounds.all()))
    table_number = whole_number(number, most=MOST_TABLES)
    if current is None or table_number is None:
        return None
    return Table.objects.select_related("round").filter(round=current, number=table_number).first()


def current_round_of(rounds: Sequence[RoundT]) -> RoundT | None:
    """The round being played, else the next one, else the last; None before the seating."""
    for state in (RoundState.PLAYING, RoundState.SEATED):
        for round_ in rounds:
            if round_.state == state:
                return round_
    return rounds[-1] if rounds else None
