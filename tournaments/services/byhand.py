"""Rounds seated by hand: written down with names, checked, weighed, and laid as one change."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from clubs.core.stale_forms import Shown
from clubs.models.names import ORGANISER, name_key
from clubs.seating import Round, Said, Table
from clubs.seating.cost import cost_of
from clubs.seating.review import places
from scoring.scorebook.refusals import refuse
from tournaments.models import (
    Entrant,
    OddNumber,
    Placement,
    RoundState,
    SeatingChange,
    Tournament,
    TournamentState,
)
from tournaments.selectors.why import WINDS, SeatedRounds, seated_rounds
from tournaments.services.house import call_house_players
from tournaments.services.laying import LaidRound, keeping_substitutes, laid, lay, unseated
from tournaments.services.locks import move, touch
from tournaments.services.seating import hold
from tournaments.services.stages import SEATING, last_step
from tournaments.services.written import WrittenRound, read_written


@dataclass(frozen=True, slots=True)
class Weighed:
    """Rounds by hand that can be laid, and what they cost."""

    rounds: tuple[Round, ...]
    numbers: tuple[int, ...]
    said: tuple[Said, ...]

    @property
    def numbered(self) -> tuple[tuple[int, Round], ...]:
        """Each round with its number."""
        return tuple(zip(self.numbers, self.rounds, strict=True))


def mark_of(tournament: Tournament, number: int) -> str:
    """Stands for who sits where in a round, so that a later change is noticed."""
    told = [one.as_json() for one in laid(tournament.rounds.filter(number=number))]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def weigh(*, tournament: Tournament, written: Sequence[WrittenRound]) -> Weighed:
    """What the rounds would cost; nothing is stored. Refused with all that is wrong with them.

    Rounds that have begun and stand in the list as they were seated are passed over.
    """
    with transaction.atomic():
        seated = seated_rounds(tournament, reader=ORGANISER)
        found = _checked(tournament, to_be_seated(tournament, written))
        weighed = _weighed(tournament, seated, found)
        transaction.set_rollback(True)
    return weighed


@transaction.atomic
def seat_by_hand(
    *, tournament: Tournament, written: WrittenRound, mark: str, made_by: str
) -> SeatingChange:
    """Seat one round that has not begun as it is written; can be undone.

    mark: `mark_of` the round as it was looked at; refused where it has been changed since.
    """
    tournament = hold(tournament)
    number = written.number
    if mark != mark_of(tournament, number):
        changed = f"The seats of round {number} have changed, or the round has started."
        raise refuse(
            "seating_changed",
            f"{last_step(tournament, SEATING) or changed} Your choices are still here: check them "
            "before you save again.",
        )
    found = _checked(tournament, [written])
    return _kept(tournament, found, f"Round {number} seated manually", made_by)


@transaction.atomic
def seat_as_written(
    *,
    tournament: Tournament,
    written: Sequence[WrittenRound],
    made_by: str,
    shown: Shown | None = None,
) -> SeatingChange:
    """Seat every round of a written plan, from the entries or later; can be undone.

    Rounds that have begun are not touched, and every round that is drawn at once must be there.
    """
    tournament = hold(tournament, shown)
    found = _checked(tournament, to_be_seated(tournament, written))
    first, last = found[0].number, found[-1].number
    which = f"Round {first}" if first == last else f"Rounds {first} to {last}"
    return _kept(tournament, found, f"{which} seated from an imported list", made_by)


def _kept(
    tournament: Tournament, found: Sequence[LaidRound], what: str, made_by: str
) -> SeatingChange:
    numbers = [one.number for one in found]
    before = laid(tournament.rounds.filter(number__in=numbers))
    new = {*numbers} - {one.number for one in before}
    lay(tournament, keeping_substitutes(tournament, found, before))
    if tournament.state == TournamentState.ENTERING:
        move(tournament, TournamentState.PLAYING)
    else:
        touch(tournament)
    return SeatingChange.objects.create(
        tournament=tournament,
        what=what,
        before=[one.as_json() for one in (*before, *(unseated(number) for number in sorted(new)))],
        made_by=made_by,
    )


def _checked(tournament: Tournament, written: Sequence[WrittenRound]) -> list[LaidRound]:
    """The rounds ready to be laid. Refused with everything that is wrong."""
    _check_numbers(tournament, [one.number for one in written])
    filled: dict[int, set[int]] = defaultdict(set)
    waiting = Placement.objects.filter(round__tournament=tournament).exclude(substitute="")
    for number, entrant in waiting.values_list("round__number", "entrant"):
        filled[number].add(entrant)
    return read_written(_callable(tournament), written, filled)


def to_be_seated(tournament: Tournament, written: Sequence[WrittenRound]) -> Sequence[WrittenRound]:
    """The rounds of a list without those that have begun as they stand there.

    Refused where none is left.
    """
    keys = dict(tournament.entrants.values_list("pk", "name_key"))
    begun = {
        one.number: {
            (table.number, tuple(keys[sitter.entrant] for sitter in table.seats))
            for table in one.tables
        }
        for one in laid(tournament.rounds.exclude(state=RoundState.SEATED))
    }
    left = [one for one in written if begun.get(one.number) != _seats(one)]
    if not left:
        raise refuse(
            "round_begun", "Every round in the list has already started with this seating."
        )
    return left


def _seats(one: WrittenRound) -> set[tuple[int, tuple[str, ...]]]:
    return {
        (table.number, tuple(map(name_key, table.names)))
        for table in one.tables
        if not table.is_empty
    }


def _check_numbers(tournament: Tournament, numbers: Sequence[int]) -> None:
    states = dict(tournament.rounds.values_list("number", "state"))
    for number in numbers:
        if states.get(number, RoundState.SEATED) != RoundState.SEATED:
            raise refuse(
                "round_begun",
                f"Round {number} has started, so it cannot be reseated. You can still swap two "
                "players before their first hand, or add a substitute.",
            )
        if not 1 <= number <= tournament.rounds_planned:
            said = f"There is no round {number}. Rounds are 1 to {tournament.rounds_planned}."
            raise refuse("no_round", said)
    needed = range(1, max(tournament.drawn, *numbers) + 1)
    if missing := sorted(set(needed) - set(numbers) - states.keys()):
        which = "Round" if len(missing) == 1 else "Rounds"
        are = "is" if len(missing) == 1 else "are"
        named = ", ".join(map(str, missing))
        raise refuse("rounds_missing", f"{which} {named} {are} missing. Seat all rounds at once.")


def _callable(tournament: Tournament) -> list[Entrant]:
    """Everyone who may be named, with house players where they fill the last table."""
    entered = tournament.entrants.entered().count()
    if tournament.odd_number == OddNumber.HOUSE and entered >= len(WINDS):
        call_house_players(tournament, -entered % len(WINDS))
    return list(tournament.entrants.order_by("name_key"))


def _weighed(tournament: Tournament, seated: SeatedRounds, found: Sequence[LaidRound]) -> Weighed:
    entrants = tournament.entrants.values_list("pk", "name", "team")
    names = {pk: name for pk, name, _ in entrants}
    before = dict(zip(seated.numbers, seated.rounds, strict=True))
    after = before | {one.number: _named(one, names) for one in found}
    numbers = sorted(after)
    there = {name for one in (*before.values(), *after.values()) for name in places(one)}
    changed = tuple(one.number for one in found)
    said = cost_of(
        [before[number] for number in sorted(before)],
        [after[number] for number in numbers],
        changed=[numbers.index(number) + 1 for number in changed],
        players=sorted(there),
        teams={name: team for _, name, team in entrants if team},
    )
    return Weighed(tuple(after[number] for number in changed), changed, said)


def _named(one: LaidRound, names: dict[int, str]) -> Round:
    tables = (
        Table(
            table.number,
            {wind: names[sitter.entrant] for wind, sitter in zip(WINDS, table.seats, strict=True)},
        )
        for table in one.tables
    )
    return Round(tuple(tables), tuple(names[entrant] for entrant in one.sitting_out))
