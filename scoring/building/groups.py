"""How a draft is shown, and what it scores so far."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from scoring.building.draft import (
    Draft,
    changing,
    last_tile,
    last_tiles,
    with_tiles,
    write_set,
    write_tiles,
)
from scoring.explaining import Considered, explain, near_to
from scoring.hands.hand import (
    EXPOSED_FROM,
    Hand,
    Kind,
    TileSet,
    any_of,
    known_set,
    set_name,
    with_article,
)
from scoring.hands.problems import SENTENCES, BadHand, Code, Problem
from scoring.hands.tiles import JOKER, TILE_NAMES, Tile, in_order
from scoring.pricing import Reckoning, check, score
from scoring.reading.layouts import concealed_set, first_sets
from scoring.rules.prices import Line, reckoned
from scoring.rules.rule_set import RuleSet
from scoring.table.contradictions import contradictions

_A_MAHJONG: Final = 14
# A pung stands whatever is tapped after it; of chows and pairs the better cut is shown.
_WORTH: Final = {Kind.PUNG: 70, Kind.CHOW: 39, Kind.PAIR: 22}
_ALL_KINDS: Final = frozenset(_WORTH)
_PAIRS: Final = frozenset({Kind.PAIR})


class Place(StrEnum):
    """Where a group lies."""

    HAND = "in the hand"
    EXPOSED = "exposed"
    CONCEALED = "concealed"


@dataclass(frozen=True, slots=True)
class Group:
    """Some tiles of a draft that are shown together; `made` is the set they make, None for a tile
    alone. `claimed`: the last tile came here from another player.
    """

    tiles: tuple[Tile, ...]
    place: Place
    made: TileSet | None = None
    claimed: bool = False

    @property
    def kind(self) -> Kind | None:
        return self.made.kind if self.made else None

    @property
    def word(self) -> str:
        """What names the group in a tap: its tiles, marked where they lie on the table."""
        if self.made and self.place is not Place.HAND:
            return write_set(self.made)
        return write_tiles(self.tiles)


def to_hand(draft: Draft, rules: RuleSet) -> Hand:
    """The draft as the engine takes it; the set that a claimed tile completed is in the hand.

    Nothing is checked: `scoring.check` says whether the hand can be scored.
    """
    last = last_tile(draft, rules)
    if last is not None and last not in draft.tiles:
        completed = next(
            group
            for group in draft.table
            if group.exposed and group.kind is not Kind.KONG and last in group.stands_for
        )
        draft = with_tiles(changing(draft, completed), completed.tiles)
    return Hand(
        seat_wind=draft.seat,
        prevailing_wind=draft.prevailing if rules.passing.prevailing else None,
        dealer=draft.deals,
        sets=draft.table,
        concealed=in_order(draft.tiles),
        bonus=in_order(draft.bonus),
        mahjong=draft.won,
        winning_tile=last_tile(draft, rules),
        won_by=draft.way if draft.won else None,
        facts=draft.facts,
        players=draft.players,
        goulash=draft.goulash,
    )


def reckoned_whole(draft: Draft, rules: RuleSet) -> Reckoning | None:
    """The score of a Mah-Jong that is all there; None of anything else."""
    if not draft.won or draft.size != _A_MAHJONG:
        return None
    try:
        return score(to_hand(draft, rules), rules)
    except BadHand:
        return None


def groups(draft: Draft, rules: RuleSet) -> tuple[Group, ...]:
    """The draft's groups: what lies on the table, then the hand, sets before pairs before tiles.

    A whole Mah-Jong is cut as it scores best; anything else so that pungs come first.
    """
    whole = reckoned_whole(draft, rules)
    sets = whole.arrangement if whole else ()
    if whole and Counter(tile for group in sets for tile in group.tiles) == Counter(draft.tiles):
        in_hand = [
            Group(
                group.tiles,
                Place.HAND,
                known_set(group.code - EXPOSED_FROM) if group.exposed else group,
                claimed=group.exposed,
            )
            for group in sets
        ]
    else:
        in_hand = [*_cut(draft, rules, runs=whole is None or bool(sets))]
    return (*on_table(draft), *sorted(in_hand, key=lambda group: -len(group.tiles)))


def on_table(draft: Draft) -> tuple[Group, ...]:
    """The sets on the table, as they were laid."""
    return tuple(
        Group(group.tiles, Place.EXPOSED if group.exposed else Place.CONCEALED, group)
        for group in draft.table
    )


def _cut(draft: Draft, rules: RuleSet, *, runs: bool) -> Iterator[Group]:
    genuine = in_order(tile for tile in draft.tiles if tile != JOKER)
    jokers = draft.tiles.count(JOKER)
    kinds = _ALL_KINDS if runs else _PAIRS
    alone = Counter(genuine)
    for group in _best_cut(genuine, kinds, {})[1]:
        alone -= Counter(group.tiles)
        if jokers and rules.jokers and group.kind is Kind.PAIR:
            jokers -= 1
            group = concealed_set(Kind.PUNG, group.tile, jokers=1)  # noqa: PLW2901
        yield Group(group.tiles, Place.HAND, group)
    for tile in (*in_order(alone.elements()), *[JOKER] * jokers):
        yield Group((tile,), Place.HAND)


_Tiles = tuple[Tile, ...]
_Cut = tuple[int, tuple[TileSet, ...]]


def _best_cut(tiles: _Tiles, kinds: frozenset[Kind], known: dict[_Tiles, _Cut]) -> _Cut:
    """The sets and pairs worth most that may be taken out of the tiles, and what they are worth."""
    if not tiles:
        return 0, ()
    if tiles not in known:
        best = _best_cut(tiles[1:], kinds, known)
        sets = [(group, left) for group, left, _jokers in first_sets(tiles, jokers=0)]
        if tiles[:2].count(tiles[0]) == 2:
            sets.append((concealed_set(Kind.PAIR, tiles[0]), tiles[2:]))
        for group, left in sets:
            if group.kind in kinds:
                worth, others = _best_cut(left, kinds, known)
                whole = worth + _WORTH[group.kind], (group, *others)
                best = max(best, whole, key=lambda cut: cut[0])
        known[tiles] = best
    return known[tiles]


def group_of(word: str, draft: Draft, rules: RuleSet) -> Group | None:
    """The group of that name; None where there is none (any more)."""
    return next((group for group in groups(draft, rules) if group.word == word), None)


_A_HAND: Final = 13
_NEAR: Final = 3
_WORTH_LOOKING: Final = _A_MAHJONG - _NEAR
_TOLD_OF: Final = 2
_COUNTED: Final = ("points", "doubles")
_NUMBERS: Final = ("no", "one", "two", "three", "four")
_SETS: Final = frozenset({Kind.CHOW, Kind.PUNG, Kind.KONG})


@dataclass(frozen=True, slots=True)
class DraftScore:
    """A draft in words and figures.

    `total` in points, None while the tiles make no hand of the rules; `is_whole`: nothing is
    lacking, and the total is the hand's score. `doubles` None: the sum is not doubled.
    """

    total: int | None = None
    basic: int | None = None
    doubles: int | None = None
    is_whole: bool = False
    limited: bool = False
    lines: tuple[Line, ...] = ()
    lacking: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    waits: tuple[str, ...] = ()


def tell(draft: Draft, rules: RuleSet) -> DraftScore:
    """The score that grows as one taps, and everything that is to be said beside it."""
    lacks = lacking(draft, rules)
    if not (draft.won or lacks):
        return _of_a_loser(to_hand(draft, rules), rules)
    # The score of a whole Mah-Jong; the least while nobody has said which tile was claimed.
    if not draft.claimed or last_tile(draft, rules):
        whole = reckoned_whole(draft, rules)
    else:
        could_be = [replace(draft, last=tile) for tile in last_tiles(draft, rules)]
        scored = [
            reckoning for possible in could_be if (reckoning := reckoned_whole(possible, rules))
        ]
        whole = min(scored, key=lambda reckoning: reckoning.total, default=None)
    if whole:
        return replace(_reckoned(whole), lacking=lacks, is_whole=not lacks)
    near = _near_to(to_hand(draft, rules), rules) if draft.won else ()
    if draft.size >= _A_MAHJONG or not draft.won:
        return DraftScore(lacking=lacks, near=near)
    # What a Mah-Jong to be has so far.
    lines = so_far(draft, rules)
    points, doubles = (sum(getattr(line, of) or 0 for line in lines) for of in _COUNTED)
    return DraftScore(
        total=rules.capped(reckoned(lines), won=True, special=False),
        basic=points if doubles else None,
        doubles=doubles or None,
        lines=lines,
        lacking=lacks,
        near=near,
    )


def _of_a_loser(hand: Hand, rules: RuleSet) -> DraftScore:
    if hand.size < _A_HAND:
        return replace(_reckoned(score(hand, rules)), near=_near_to(hand, rules), is_whole=True)
    explained = explain(hand, rules)
    farther = [special for special in explained.considered if special.short != 1]
    # What a loser fished for: each tile that would make more than a plain Mah-Jong by itself.
    plain = [wait.tile for wait in explained.waits if not wait.makes]
    whole = f"Fishing: {any_of(plain)} makes Mah-Jong." if plain else ""
    fishing = tuple(
        filter(None, [whole, *(wait.sentence for wait in explained.waits if wait.makes)])
    )
    return replace(
        _reckoned(explained.reckoning),
        near=_near(farther if explained.waits else explained.considered),
        waits=fishing,
        is_whole=True,
    )


def _reckoned(reckoning: Reckoning) -> DraftScore:
    doubles = reckoning.doubles or None
    return DraftScore(
        total=reckoning.total,
        basic=reckoning.basic if doubles else None,
        doubles=doubles,
        limited=reckoning.limited,
        lines=reckoning.lines,
    )


def so_far(draft: Draft, rules: RuleSet) -> tuple[Line, ...]:
    """The lines of what a Mah-Jong to be has already: sets, pairs, flowers and seasons."""
    prevailing = draft.prevailing if rules.passing.prevailing else None
    prices = rules.book.prices(draft.seat, prevailing).sets
    made = [prices[group.made.code] for group in groups(draft, rules) if group.made]
    bonus = rules.book.bonus_lines
    return (
        *(line for price in made for line in price.point_lines),
        *(bonus[tile] for tile in in_order(draft.bonus)),
        *(line for price in made for line in price.double_lines),
    )


def _near_to(hand: Hand, rules: RuleSet) -> tuple[str, ...]:
    return _near(near_to(hand, rules)) if _WORTH_LOOKING <= hand.size <= _A_MAHJONG else ()


def _near(considered: Sequence[Considered]) -> tuple[str, ...]:
    """The special hands that few tiles are lacking of, the nearest first."""
    near = [special.sentence for special in considered if special.short and special.short <= _NEAR]
    return tuple(near[:_TOLD_OF])


def lacking(draft: Draft, rules: RuleSet) -> tuple[str, ...]:
    """A sentence for each thing that stands between the draft and a hand that can be scored."""
    over = draft.size - (_A_MAHJONG if draft.won else _A_HAND)
    if over > 0:
        tiles = "1 tile" if over == 1 else f"{over} tiles"
        return (f"{tiles} too many." if draft.won else f"{tiles} too many: a loser has 13.",)
    if draft.won and over < 0:
        shown = groups(draft, rules)
        chows = sum(group.kind is Kind.CHOW for group in shown)
        most = rules.chows.allowed(draft.players, goulash=draft.goulash)
        # With too many chows the tiles may still come to something else.
        problem = Problem(Code.TOO_MANY_CHOWS, "concealed", {"found": chows, "most": most})
        return (_to_come(draft, shown), *([_sentence(problem)] if chows > most else []))
    problems = [_sentence(problem) for problem in check(to_hand(draft, rules), rules)]
    unsaid = draft.won and draft.way is None
    return (*problems, "Choose how the last tile was obtained.") if unsaid else tuple(problems)


def _to_come(draft: Draft, shown: Sequence[Group]) -> str:
    sets = min(4, sum(group.kind in _SETS for group in shown))
    has_pair = any(group.kind is Kind.PAIR for group in shown)
    number = _A_MAHJONG - draft.size
    if sets == 4:
        alone = [group.tiles[0] for group in shown if group.kind is None]
        second = f": a second {TILE_NAMES[alone[0]]}" if len(alone) == 1 else ""
        return f"One more pair{second}."
    wanted = f"{_NUMBERS[4 - sets]} more {'set' if sets == 3 else 'sets'}"
    tiles = "1 more tile" if number == 1 else f"{number} more tiles"
    if number < 4 - sets + (not has_pair):  # each set, and the pair, lacks a tile at least
        cannot = f"{tiles} cannot make {wanted}{'' if has_pair else ' and a pair'}"
        return f"{cannot}. Change some tiles, unless this is a special hand."
    return f"{tiles}: {wanted}{'' if has_pair else ' and a pair'}."


def _sentence(problem: Problem) -> str:
    """The problem in words that name tiles and not their codes."""
    if problem.code is Code.WINNING_TILE_MISSING:
        return "Choose the last tile."
    params = dict(problem.params)
    if "tile" in params:
        params["tile"] = with_article(TILE_NAMES[Tile(str(params["tile"]))])
    return SENTENCES[problem.code].format_map(params)


def notices(draft: Draft, rules: RuleSet) -> tuple[str, ...]:
    """A sentence for everything that was entered of the draft and cannot have happened."""
    if not draft.held:
        return ()
    return tuple(notice.sentence for notice in contradictions(to_hand(draft, rules), rules))


def tell_change(before: Draft, after: Draft, rules: RuleSet) -> str:
    """What changed, to be read aloud: `2 of bamboos added, pair.`; nothing of what was told."""
    came, went = after.held - before.held, before.held - after.held
    if came and went:
        return "The hand has changed."
    if came:
        shown = groups(after, rules)
        kinds = [group.kind for group in shown if group.made and {*came} <= {*group.tiles}]
        return f"{_named(came)} added{f', {kinds[0]}' if kinds else ''}."
    if went:
        return f"{_named(went)} removed."
    # What was laid on the table or turned, or else taken back.
    new = Counter(after.table) - Counter(before.table)
    gone = Counter(before.table) - Counter(after.table)
    if new:
        laid = {True: "exposed", False: "concealed"}
        return " ".join(f"{_title(group)} {laid[group.exposed]}." for group in new)
    return " ".join(f"{_title(group)} back in the hand." for group in gone)


def _named(tiles: Counter[Tile]) -> str:
    if len(tiles) > 3:
        return f"{tiles.total()} tiles"
    words = ", ".join(TILE_NAMES[tile] for tile in in_order(tiles))
    return words[0].upper() + words[1:]


def _title(group: TileSet) -> str:
    name = set_name(group)
    return name[0].upper() + name[1:]
