"""The director's view of the hall: the round that counts now, and the next step."""

from dataclasses import dataclass

from tournaments.models import RoundState, Tournament, TournamentState
from tournaments.selectors.desk import RoundView, TableRow, rounds_of
from tournaments.selectors.steps import Step, by_trouble, next_step


@dataclass(frozen=True, slots=True)
class Floor:
    """What the desk shows: the next step, the round that counts now, its tables by trouble."""

    step: Step
    rounds: tuple[RoundView, ...]
    entered: tuple[str, ...]
    can_clear: bool

    @property
    def now(self) -> RoundView | None:
        """The round being played, else the next one, else the last; None before the seating."""
        for state in (RoundState.PLAYING, RoundState.SEATED):
            for one in self.rounds:
                if one.state == state:
                    return one
        return self.rounds[-1] if self.rounds else None

    @property
    def tables(self) -> list[TableRow]:
        """The tables of that round, trouble first while it is played."""
        if self.now is None:
            return []
        return by_trouble(self.now.tables)

    @property
    def hands(self) -> int:
        """Hands recorded in all rounds."""
        return sum(table.hands for one in self.rounds for table in one.tables)


def floor_of(tournament: Tournament, *, to_officials: bool = True) -> Floor:
    """The floor of a tournament; six queries however many tables."""
    rounds = rounds_of(tournament, to_officials=to_officials)
    entered = tuple(tournament.entrants.entered().values_list("name", flat=True))
    played = any(table.hands for one in rounds for table in one.tables)
    return Floor(
        step=next_step(tournament, rounds, len(entered)),
        rounds=rounds,
        entered=entered,
        can_clear=tournament.state == TournamentState.PLAYING and not played,
    )
