"""What a change by hand costs: who meets again, whose winds grow uneven, which team mates sit."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

from clubs.language.words import counted
from clubs.seating.answer import Round
from clubs.seating.audit import wind_imbalance, winds_of
from clubs.seating.company import together
from clubs.seating.review import review
from clubs.seating.why import Said
from clubs.seating.words import listed

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
