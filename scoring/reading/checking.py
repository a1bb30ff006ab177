"""What about a hand's tiles and sets keeps it from being scored at all."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from scoring.hands.hand import (
    EXPOSED_FROM,
    JOKERS_FROM,
    PUNGS_FROM,
    Hand,
    Kind,
    quantity,
    unknown_tile_problems,
)
from scoring.hands.problems import Code, Problem
from scoring.hands.tiles import (
    BONUS_TILES,
    GUARD,
    JOKER,
    OVERFLOW_BITS,
    SUIT_TILES,
    Counts,
    Tile,
    count_suits,
    count_tiles,
    has_more_than_four,
)
from scoring.reading.layouts import chow_limit, chows_on_the_table, fewest_chows
from scoring.rules.rule_set import RuleSet

_BONUS_TILES = frozenset(BONUS_TILES)
NO_SUCH_SET: Final = "sets are pungs, kongs and chows"
_COPIES_OF_A_TILE = 4
_BONUS_CACHE_SIZE = 1 << 12


@dataclass(frozen=True, slots=True)
class UnreadFields:
    """What could not be read: whole fields, and how many of the tiles in the hand.

    `of_no_set` are the tiles that were read in sets which are none.
    """

    fields: frozenset[str] = frozenset()
    tiles: int = 0
    of_no_set: tuple[Tile, ...] = ()


ALL_READ = UnreadFields()


def hand_problems(hand: Hand, rules: RuleSet, unread: UnreadFields = ALL_READ) -> list[Problem]:
    """Every problem with the hand's tiles; not with whether they make a Mah-Jong."""
    if unread is ALL_READ and sound_counts(hand, rules) is not None:
        return []
    is_bound = hand.mahjong and rules.one_suit and not rules.one_suit.but_special
    problems = [
        *_tile_problems(hand, rules),
        *_set_problems(hand, rules),
        *_too_many_problems(hand, rules, unread.of_no_set),
        *(mixed_suit_problems(hand, rules) if is_bound else ()),
    ]
    if unread.fields.isdisjoint({"sets", "concealed", "mahjong"}):
        size = hand.size + unread.tiles
        if hand.mahjong and size != 14:
            problems.append(Problem(Code.WRONG_COUNT, "concealed", {"found": size}))
        elif not hand.mahjong and size > 13:
            problems.append(Problem(Code.LONG_HAND, "concealed", {"found": size}))
    if unread.fields.isdisjoint({"concealed", "mahjong", "winning_tile", "won_by"}):
        last = hand.winning_tile
        elsewhere = last not in hand.concealed and not unread.tiles
        if hand.claimed if last is None else elsewhere:
            problems.append(Problem(Code.WINNING_TILE_MISSING, "winning_tile"))
    if unread == ALL_READ and [problem.code for problem in problems] == [Code.MIXED_SUITS]:
        problems += filter(None, [chow_problem(hand, rules)])
    return problems


def sound_counts(hand: Hand, rules: RuleSet) -> Counts | None:
    """The tiles in the hand, counted, where it quickly proves to have none of these problems.

    None where it may have one.
    """
    concealed, last = hand.concealed, hand.winning_tile
    if hand.goulash or (hand.claimed if last is None else last not in concealed):
        return None
    if hand.bonus and (rules.bonus_points is None or not _are_different(hand.bonus)):
        return None
    try:
        counts = count_tiles(concealed)
    except KeyError:
        return None
    size = len(concealed) + 3 * len(hand.sets)
    is_whole = size == 14 if hand.mahjong else size <= 13
    if not is_whole or has_more_than_four(counts):
        return None
    needs_no_more = not hand.sets and rules.one_suit is None
    return counts if needs_no_more or _is_sound_with_sets(hand, counts, rules) else None


@lru_cache(_BONUS_CACHE_SIZE)
def _are_different(bonus: tuple[Tile, ...]) -> bool:
    """Whether these are flowers and seasons, none of them twice."""
    return len({*bonus}) == len(bonus) and _BONUS_TILES.issuperset(bonus)


def _is_sound_with_sets(hand: Hand, counts: Counts, rules: RuleSet) -> bool:
    """Whether these tiles in the hand, no more than four of any, may be with those on the table."""
    guarded_counts = counts + GUARD
    for group in hand.sets:
        code = group.code
        guarded_counts += group.counts
        if guarded_counts & OVERFLOW_BITS or not 0 <= code < JOKERS_FROM:
            return False
        if code % EXPOSED_FROM < PUNGS_FROM and (
            group.kind is Kind.PAIR or chows_on_the_table(hand) > chow_limit(hand, rules)
        ):
            return False
    is_bound = rules.one_suit and not rules.one_suit.but_special and hand.mahjong
    return not is_bound or count_suits(guarded_counts - GUARD) <= 1


def chow_problem(hand: Hand, rules: RuleSet) -> Problem | None:
    """That there are too many chows however the tiles are laid out as sets and a pair, if so."""
    fewest, most = fewest_chows(hand, rules), chow_limit(hand, rules)
    if fewest is None or fewest <= most:
        return None
    return Problem(Code.TOO_MANY_CHOWS, "concealed", {"found": fewest, "most": most})


def unreadable_problems(hand: Hand) -> list[Problem]:
    """What no hand read from JSON has: codes that are no tile's, and sets that are none."""
    problems: list[Problem] = []
    for number, group in enumerate(hand.sets):
        path = f"sets.{number}"
        unknown = unknown_tile_problems(f"{path}.tiles", group.tiles)
        problems += unknown
        if group.code < 0 and not unknown and _BONUS_TILES.isdisjoint(group.tiles):
            params = {"tiles": " ".join(group.tiles) or "Nothing", "reason": NO_SUCH_SET}
            problems.append(Problem(Code.BAD_SET, path, params))
    return problems + unknown_tile_problems("concealed", hand.concealed)


def _tile_problems(hand: Hand, rules: RuleSet) -> Iterator[Problem]:
    for path, tile in _placed_tiles(hand):
        if tile in BONUS_TILES and rules.bonus_points:
            yield Problem(Code.BONUS_IN_HAND, path, {"tile": tile})
        elif tile in BONUS_TILES or (tile == JOKER and not rules.jokers):
            yield _not_played_problem(path, tile, rules)
        elif tile == JOKER and not hand.goulash:
            params = {"found": "A joker", "expected": "played with outside a goulash"}
            yield Problem(Code.UNKNOWN_TILE, path, params)
    for place, tile in enumerate(hand.bonus):
        if tile not in BONUS_TILES:
            params = {"found": tile, "expected": "a flower or a season"}
            yield Problem(Code.UNKNOWN_TILE, f"bonus.{place}", params)
        elif rules.bonus_points is None:
            yield _not_played_problem(f"bonus.{place}", tile, rules)


def _not_played_problem(path: str, tile: Tile, rules: RuleSet) -> Problem:
    params = {"found": tile, "expected": f"played with under {rules.name}"}
    return Problem(Code.UNKNOWN_TILE, path, params)


def _placed_tiles(hand: Hand) -> Iterator[tuple[str, Tile]]:
    for number, tile_set in enumerate(hand.sets):
        for place, tile in enumerate(tile_set.tiles):
            yield f"sets.{number}.tiles.{place}", tile
    for place, tile in enumerate(hand.concealed):
        yield f"concealed.{place}", tile


def _set_problems(hand: Hand, rules: RuleSet) -> Iterator[Problem]:
    most = {
        Kind.CHOW: 0,
        Kind.PUNG: rules.jokers.in_a_pung if rules.jokers else 0,
        Kind.KONG: rules.jokers.in_a_kong if rules.jokers else 0,
    }
    for place, group in enumerate(hand.sets):
        if group.kind is Kind.PAIR:
            reason = "a pair stays in the hand"
        elif group.jokers > most[group.kind]:
            reason = f"a {group.kind} may hold {quantity(most[group.kind], 'joker')} at most"
        else:
            continue
        params = {"tiles": " ".join(group.tiles), "reason": reason}
        yield Problem(Code.BAD_SET, f"sets.{place}", params)


def _too_many_problems(
    hand: Hand, rules: RuleSet, of_no_set: tuple[Tile, ...]
) -> Iterator[Problem]:
    copies = Counter([*hand.bonus, *(tile for _path, tile in _placed_tiles(hand)), *of_no_set])
    for tile, number in copies.items():
        most = 1 if tile in BONUS_TILES else _COPIES_OF_A_TILE
        if number > most:
            place = "concealed" if tile in hand.concealed else "sets"
            if tile in hand.bonus:
                place = "bonus"
            params: dict[str, int | str] = {"found": number, "tile": tile, "most": most}
            yield Problem(Code.TOO_MANY_COPIES, place, params)
    most = chow_limit(hand, rules)
    chows = [number for number, group in enumerate(hand.sets) if group.kind is Kind.CHOW]
    if len(chows) > most:
        params = {"found": len(chows), "most": most}
        yield Problem(Code.TOO_MANY_CHOWS, f"sets.{chows[most]}", params)


def is_for_special_hands(hand: Hand, rules: RuleSet) -> bool:
    """Whether these rules allow such tiles in a special hand only: they are of two suits."""
    is_bound = rules.one_suit is not None and rules.one_suit.but_special and hand.mahjong
    return is_bound and len({tile[0] for tile in hand.tiles if tile in SUIT_TILES}) > 1


def mixed_suit_problems(hand: Hand, rules: RuleSet) -> Iterator[Problem]:
    """The first tile of another suit than the first, if there is one."""
    suit_tiles = [(path, tile) for path, tile in _placed_tiles(hand) if tile in SUIT_TILES]
    for path, tile in suit_tiles:
        if tile[0] != suit_tiles[0][1][0]:
            yield Problem(Code.MIXED_SUITS, path, {"tile": tile, "rules": rules.name})
            return
