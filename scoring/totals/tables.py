"""The tables of all hands of a winner and of another player, and what they may score.

Throughout, a hand `told` has no tiles: it has the winds, the players, and whether it is a Mah-Jong.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from scoring import marks
from scoring.hands import Hand
from scoring.rules import RuleSet
from scoring.totals.circumstances import bonus_tiles, circumstances
from scoring.totals.holdings import (
    CHOW_IN_HAND,
    CHOW_ON_THE_TABLE,
    CLAIMED,
    CLAIMED_CHOW,
    IN_HAND,
    ON_THE_TABLE,
    Holdings,
    again,
    shape,
    shapes,
)
from scoring.totals.piles import Piles, Stand
from scoring.totals.weighing import Hands, Weighing
from scoring.totals.witnesses import hands_of
from scoring.totals.worths import Worths

_MOST_JOKERS: Final = 4
_COUNTED: Final = ("sets", "pairs", "singles", "claimed", "again")


class Candidates(NamedTuple):
    """Hands that may score each total, in points after the limit."""

    piles: Piles
    weighing: Weighing

    @property
    def totals(self) -> list[int]:
        """The totals that are worth a try."""
        return sorted(self.weighing.found)

    def hands(self, total: int) -> Iterator[Hand]:
        """Hands that score so much unless there is a better way to count them."""
        for clue in self.weighing.found[total]:
            yield from hands_of(self.piles, clue)


def candidates(told: Hand, rules: RuleSet) -> Iterator[Candidates]:
    """Everything that such a player may hold, table by table."""
    if told.mahjong:
        yield _won(told, rules)
        return
    yield _standing(told, rules)
    if any(not form.special.winner_only for form in rules.book.doubled_forms):
        yield _fishing(told, rules)


def _won(told: Hand, rules: RuleSet) -> Candidates:
    """Four sets and a pair; a claimed or a drawn last tile may complete one of them."""
    worths = Worths(rules, won=True)
    most = {"sets": range(5), "pairs": range(2), "claimed": range(2), "again": range(2)}
    stands: tuple[Stand, ...] = IN_HAND + ON_THE_TABLE + CLAIMED
    chows: tuple[Stand, ...] = CHOW_IN_HAND + CHOW_ON_THE_TABLE + CLAIMED_CHOW
    if rules.adding:
        stands += again(IN_HAND, rules.adding.last_tile.times)
        chows += again(CHOW_IN_HAND, rules.adding.last_tile.times)
    piles = _piles(told, rules, worths, most, (stands, chows))
    weighing = Weighing(rules, worths, told)
    ways = circumstances(told, worths.questions)
    bonus = bonus_tiles(told, rules, worths.questions)
    for claimed in (False, True):
        so_won = [way for way in ways if way.hand.claimed == claimed]
        weighing.weigh(_of_a_mahjong(piles, claimed=claimed), so_won, bonus)
    counting = [way for way in ways if _counts_again(way.hand, rules)]
    weighing.weigh(_of_a_mahjong(piles, again=True), counting, bonus)
    return Candidates(piles, weighing)


def _of_a_mahjong(piles: Piles, **last: bool) -> Hands:
    """The hands of the table that are four sets and a pair, and whose last tile did this."""
    return _of_shape(piles, {"sets": 4, "pairs": 1} | last)


def _of_shape(piles: Piles, wanted: Mapping[str, int]) -> Hands:
    """The hands of the table that have so many of each, whatever their chows and jokers."""
    whole = shape((name, wanted.get(name, 0)) for name in _COUNTED)
    counted = shape((name, 31) for name in _COUNTED)
    return [hands for hands in piles.table.items() if hands[0].shape & counted == whole]


def _counts_again(hand: Hand, rules: RuleSet) -> bool:
    """Whether what the last tile completes counts again."""
    asked = rules.book.last_tile
    return asked is not None and marks.of_circumstances(hand) & asked.mask == asked.want


def _standing(told: Hand, rules: RuleSet) -> Candidates:
    """Thirteen tiles or fewer, the fewest first: a short hand is not one tile short of another."""
    worths = Worths(rules, won=False)
    chows = CHOW_ON_THE_TABLE + (CHOW_IN_HAND if rules.adding else ())
    stands = (IN_HAND + ON_THE_TABLE, chows)
    piles = _piles(told, rules, worths, {"tiles": range(14)}, stands)
    weighing = Weighing(rules, worths, told)
    ways = circumstances(told, worths.questions)
    bonus = bonus_tiles(told, rules, worths.questions)
    weighing.weigh(sorted(piles.table.items()), ways, bonus)
    return Candidates(piles, weighing)


def _fishing(told: Hand, rules: RuleSet) -> Candidates:
    """Thirteen tiles, one short of pungs or kongs and a pair that are doubled as a whole."""
    worths = Worths(rules, won=False, fishing=True)
    most = {"sets": range(5), "pairs": range(3), "singles": range(2)}
    piles = _piles(told, rules, worths, most, (IN_HAND + ON_THE_TABLE, ()))
    weighing = Weighing(rules, worths, told)
    ways = circumstances(told, worths.questions)
    bonus = bonus_tiles(told, rules, worths.questions)
    for numbers in ({"sets": 4, "singles": 1}, {"sets": 3, "pairs": 2}):
        hands = _of_shape(piles, numbers)
        doubled = [hand for hand in hands if worths[hand[0].flags].own_doubles is not None]
        weighing.weigh(doubled, ways, bonus)
    return Candidates(piles, weighing)


def _piles(
    told: Hand,
    rules: RuleSet,
    worths: Worths,
    most: dict[str, range],
    stands: tuple[tuple[Stand, ...], tuple[Stand, ...]],
) -> Piles:
    """The table of all that may be held, with no more of each than `most`."""
    adding, chows = rules.adding, rules.chows.allowed(told.players, goulash=told.goulash)
    if chows < 4:
        most = most | {"chows": range(chows + 1)}
    if told.goulash:
        most = most | {"jokers": range(_MOST_JOKERS + 1)}
    holdings = Holdings(
        rules.book.prices(told.seat_wind, told.prevailing_wind),
        worths.questions,
        most,
        *stands,
        singles=not told.mahjong,
        jokers=rules.jokers if told.goulash else None,
        dragons=adding.dragons if adding else (),
        chows_beside_a_dragon=bool(adding and rules.choice[adding.chows_beside_a_dragon]),
    )
    return Piles(holdings.steps(chows), shapes(**most), worths.questions)
