"""What a change by hand costs, and who keeps whom company."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from clubs.language.words import counted
from clubs.seating.request import Round
from clubs.seating.why import Said, in_rounds, listed, review, wind_imbalance, winds_of

Past = Mapping[frozenset[str], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Together:
    """Two players by their places in the list of names, `row` before `column`.

    rounds: in which rounds they share a table.
    past: when they did so before, in words (`7 November`).
    when: all of that in words: `rounds 2 and 5`, `this evening and 7 November`.
    """

    row: int
    column: int
    rounds: tuple[int, ...]
    past: tuple[str, ...]
    when: str

    @property
    def kind(self) -> str:
        """`once`, `again` (more than once, or once and in the past), or `past` alone."""
        if not self.rounds:
            return "past"
        return "again" if self.times > 1 else "once"

    @property
    def times(self) -> int:
        """How often they share a table, the past included."""
        return len(self.rounds) + len(self.past)


@dataclass(frozen=True, slots=True)
class Companion:
    """Someone at one's table, and when else one meets them, in words (empty: never)."""

    name: str
    also: str


@dataclass(frozen=True, slots=True)
class Turn:
    """One player's round: no table where they sit out or are away."""

    round: int
    table: int | None
    seat: str
    company: tuple[Companion, ...]
    sits_out: bool


def together(
    rounds: Sequence[Round],
    names: Sequence[str],
    past: Past | None = None,
    words: Callable[[Sequence[int]], str] = in_rounds,
) -> tuple[Together, ...]:
    """Every pair that shares a table, or did so in the past, in the order of the names.

    words: how the numbers of rounds are read out.
    """
    shared: dict[frozenset[str], list[int]] = defaultdict(list)
    for number, one in enumerate(rounds, start=1):
        for table in one.tables:
            for two in combinations(table.names, 2):
                shared[frozenset(two)].append(number)
    at = {name: index for index, name in enumerate(names)}
    before = {pair: when for pair, when in (past or {}).items() if pair <= at.keys()}
    found = []
    for pair in shared.keys() | before.keys():
        row, column = sorted(at[name] for name in pair)
        met, earlier = tuple(shared.get(pair, ())), before.get(pair, ())
        when = listed([*([words(met)] if met else []), *in_short(earlier)])
        found.append(Together(row, column, met, earlier, when))
    return tuple(sorted(found, key=lambda pair: (pair.row, pair.column)))


def turns_of(
    name: str, rounds: Sequence[Round], names: Sequence[str], pairs: Sequence[Together]
) -> tuple[Turn, ...]:
    """The player's rounds in order; `pairs` are those of `together` for the same names."""
    place = names.index(name)
    mine = {
        names[pair.row + pair.column - place]: pair
        for pair in pairs
        if place in (pair.row, pair.column)
    }
    return tuple(_turn(name, number, one, mine) for number, one in enumerate(rounds, start=1))


def _turn(name: str, number: int, one: Round, mine: Mapping[str, Together]) -> Turn:
    for table in one.tables:
        for seat, held in table.seats.items():
            if held == name:
                others = (other for other in table.names if other != name)
                company = tuple(Companion(other, _also(mine[other], number)) for other in others)
                return Turn(number, table.number, seat, company, sits_out=False)
    return Turn(number, None, "", (), sits_out=name in one.sitting_out)


def _also(pair: Together, number: int) -> str:
    """When else they share a table: `round 2`, `7 and 14 November`."""
    others = [other for other in pair.rounds if other != number]
    return listed([*([in_rounds(others)] if others else []), *in_short(pair.past)])


def in_short(past: Sequence[str]) -> list[str]:
    """Two evenings by their days, more by the last of them and their number."""
    return list(past) if len(past) < 3 else [f"{past[-1]}, the last of {len(past)} times"]


MOST_NAMED = 8


def cost_of(
    before: Sequence[Round],
    after: Sequence[Round],
    *,
    changed: Collection[int],
    players: Sequence[str],
    teams: Mapping[str, str],
) -> tuple[Said, ...]:
    """What the seating `after` keeps and what it gives up, against `before`.

    changed: the rounds (from 1, as they lie in `after`) that were laid by hand.
    players: everyone who has a place in one of the two. Nobody may have two places in a round.
    """
    return (
        *_of_company(after, changed, players),
        _of_all(before, after, players),
        _of_winds(before, after),
        *_of_teams(after, changed, teams),
        *_of_rest(after, changed),
    )


def _of_company(
    after: Sequence[Round], changed: Collection[int], players: Sequence[str]
) -> Iterator[Said]:
    again = [
        f"{players[pair.row]} and {players[pair.column]} ({pair.when})"
        for pair in together(after, players)
        if len(pair.rounds) > 1 and set(pair.rounds) & set(changed)
    ]
    if not again:
        yield Said("No one in this manual seating meets anyone twice.", is_kept=True)
        return
    more = len(again) - MOST_NAMED
    named = [*again[:MOST_NAMED], *([f"{more} more"] if more > 0 else [])]
    meet = "pair meets" if len(again) == 1 else "pairs meet"
    yield Said(f"{len(again)} {meet} more than once: {listed(named)}.", is_kept=False)


def _of_all(before: Sequence[Round], after: Sequence[Round], players: Sequence[str]) -> Said:
    was, now = (review(rounds, players).report.repeated_meetings for rounds in (before, after))
    if was == now:
        said = f"Over all rounds {counted(now, 'meeting')} with someone met before, as without it."
        return Said(said, is_kept=True)
    said = f"Over all rounds {counted(now, 'meeting')} with someone met before; without it {was}."
    return Said(said, is_kept=now < was)


def _of_winds(before: Sequence[Round], after: Sequence[Round]) -> Said:
    was, now = _uneven(before), _uneven(after)
    if new := sorted(now - was):
        more = len(new) - MOST_NAMED
        named = listed([*new[:MOST_NAMED], *([f"{more} more"] if more > 0 else [])])
        start = "starts" if len(new) == 1 else "start"
        return Said(f"{named} {start} in one wind more often than necessary.", is_kept=False)
    return Said("No one’s winds become less even.", is_kept=True)


def _uneven(rounds: Sequence[Round]) -> set[str]:
    return {name for name, held in winds_of(rounds).items() if wind_imbalance(held) > 0}


def _of_teams(
    after: Sequence[Round], changed: Collection[int], teams: Mapping[str, str]
) -> Iterator[Said]:
    for number in sorted(changed):
        for table in after[number - 1].tables:
            for one, other in combinations(table.names, 2):
                if one in teams and teams[one] == teams.get(other):
                    said = f"{one} and {other} of {teams[one]} sit together in round {number}."
                    yield Said(said, is_kept=False)


def _of_rest(after: Sequence[Round], changed: Collection[int]) -> Iterator[Said]:
    for number in sorted(changed):
        if out := after[number - 1].sitting_out:
            sit = "sits" if len(out) == 1 else "sit"
            yield Said(f"In round {number} {listed(list(out))} {sit} out.")
