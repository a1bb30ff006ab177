"""How a draft is shown, and what it scores so far."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from scoring.building.draft import (
    Draft,
    add_tiles,
    last_tile,
    last_tiles,
    replace_set,
    write_set,
    write_tiles,
)
from scoring.explaining import ConsideredHand, explain, near_specials
from scoring.hands.hand import (
    EXPOSED_FROM,
    Hand,
    Kind,
    TileSet,
    any_of_tiles,
    set_name,
    set_of,
    with_article,
)
from scoring.hands.problems import SENTENCES, BadHand, Code, Problem
from scoring.hands.tiles import JOKER, TILE_NAMES, Tile, sort_tiles
from scoring.pricing.reckoning import Reckoning, check, score
from scoring.reading.layouts import concealed_set, first_sets
from scoring.rules.prices import Line, lines_total
from scoring.rules.rule_set import RuleSet
from scoring.table.contradictions import contradictions

_MAHJONG_SIZE: Final = 14
# A pung stands whatever is tapped after it; of chows and pairs the better cut is shown.
_KIND_WORTH: Final = {Kind.PUNG: 70, Kind.CHOW: 39, Kind.PAIR: 22}
_ALL_KINDS: Final = frozenset(_KIND_WORTH)
_PAIRS_ONLY: Final = frozenset({Kind.PAIR})
_Tiles = tuple[Tile, ...]
_Cut = tuple[int, tuple[TileSet, ...]]
_HAND_SIZE: Final = 13
_MAX_TILES_SHORT: Final = 3
_MIN_NEAR_SIZE: Final = _MAHJONG_SIZE - _MAX_TILES_SHORT
_MAX_NEAR_HANDS: Final = 2
_LINE_FIELDS: Final = ("points", "doubles")
_NUMBER_WORDS: Final = ("no", "one", "two", "three", "four")
_SET_KINDS: Final = frozenset({Kind.CHOW, Kind.PUNG, Kind.KONG})


class GroupPlace(StrEnum):
    """Where a group lies."""

    HAND = "in the hand"
    EXPOSED = "exposed"
    CONCEALED = "concealed"


@dataclass(frozen=True, slots=True)
class Group:
    """Some tiles of a draft that stand together.

    `tile_set` is the set they make, None for a tile alone. `claimed`: the last tile came here from
    another player.
    """

    tiles: tuple[Tile, ...]
    place: GroupPlace
    tile_set: TileSet | None = None
    claimed: bool = False

    @property
    def kind(self) -> Kind | None:
        return self.tile_set.kind if self.tile_set else None

    @property
    def word(self) -> str:
        """What names the group in a tap: its tiles, marked where they lie on the table."""
        if self.tile_set and self.place is not GroupPlace.HAND:
            return write_set(self.tile_set)
        return write_tiles(self.tiles)


def to_hand(draft: Draft, rules: RuleSet) -> Hand:
    """The draft as the engine takes it; the set that a claimed tile completed is in the hand.

    Nothing is checked: `scoring.check` says whether the hand can be scored.
    """
    last = last_tile(draft, rules)
    if last is not None and last not in draft.tiles:
        completed_set = next(
            group
            for group in draft.table
            if group.exposed and group.kind is not Kind.KONG and last in group.stands_for
        )
        draft = add_tiles(replace_set(draft, completed_set), completed_set.tiles)
    return Hand(
        seat_wind=draft.seat,
        prevailing_wind=draft.prevailing if rules.passing.prevailing else None,
        dealer=draft.deals,
        sets=draft.table,
        concealed=sort_tiles(draft.tiles),
        bonus=sort_tiles(draft.bonus),
        mahjong=draft.won,
        winning_tile=last_tile(draft, rules),
        won_by=draft.won_by if draft.won else None,
        facts=draft.facts,
        players=draft.players,
        goulash=draft.goulash,
    )


def score_whole_hand(draft: Draft, rules: RuleSet) -> Reckoning | None:
    """The score of a Mah-Jong that is all there; None of anything else."""
    if not draft.won or draft.size != _MAHJONG_SIZE:
        return None
    try:
        return score(to_hand(draft, rules), rules)
    except BadHand:
        return None


def groups(draft: Draft, rules: RuleSet) -> tuple[Group, ...]:
    """The draft's groups: what lies on the table, then the hand, sets before pairs before tiles.

    A whole Mah-Jong is cut as it scores best; anything else so that pungs come first.
    """
    full_reckoning = score_whole_hand(draft, rules)
    sets = full_reckoning.arrangement if full_reckoning else ()
    if full_reckoning and Counter(tile for group in sets for tile in group.tiles) == Counter(
        draft.tiles
    ):
        in_hand = [
            Group(
                group.tiles,
                GroupPlace.HAND,
                set_of(group.code - EXPOSED_FROM) if group.exposed else group,
                claimed=group.exposed,
            )
            for group in sets
        ]
    else:
        in_hand = [*_cut_hand(draft, rules, runs=full_reckoning is None or bool(sets))]
    return (*table_groups(draft), *sorted(in_hand, key=lambda group: -len(group.tiles)))


def table_groups(draft: Draft) -> tuple[Group, ...]:
    """The sets on the table, as they were laid."""
    return tuple(
        Group(group.tiles, GroupPlace.EXPOSED if group.exposed else GroupPlace.CONCEALED, group)
        for group in draft.table
    )


def _cut_hand(draft: Draft, rules: RuleSet, *, runs: bool) -> Iterator[Group]:
    genuine = sort_tiles(tile for tile in draft.tiles if tile != JOKER)
    jokers = draft.tiles.count(JOKER)
    kinds = _ALL_KINDS if runs else _PAIRS_ONLY
    alone = Counter(genuine)
    for group in _best_cut(genuine, kinds, {})[1]:
        alone -= Counter(group.tiles)
        if jokers and rules.jokers and group.kind is Kind.PAIR:
            jokers -= 1
            group = concealed_set(Kind.PUNG, group.tile, jokers=1)  # noqa: PLW2901
        yield Group(group.tiles, GroupPlace.HAND, group)
    for tile in (*sort_tiles(alone.elements()), *[JOKER] * jokers):
        yield Group((tile,), GroupPlace.HAND)


def _best_cut(tiles: _Tiles, kinds: frozenset[Kind], best_cuts: dict[_Tiles, _Cut]) -> _Cut:
    """The sets and pairs worth most that may be taken out of the tiles, and what they are worth."""
    if not tiles:
        return 0, ()
    if tiles not in best_cuts:
        best = _best_cut(tiles[1:], kinds, best_cuts)
        sets = [
            (group, remaining_tiles)
            for group, remaining_tiles, _jokers in first_sets(tiles, jokers=0)
        ]
        if tiles[:2].count(tiles[0]) == 2:
            sets.append((concealed_set(Kind.PAIR, tiles[0]), tiles[2:]))
        for group, remaining_tiles in sets:
            if group.kind in kinds:
                worth, other_groups = _best_cut(remaining_tiles, kinds, best_cuts)
                candidate_cut = worth + _KIND_WORTH[group.kind], (group, *other_groups)
                best = max(best, candidate_cut, key=lambda cut: cut[0])
        best_cuts[tiles] = best
    return best_cuts[tiles]


def find_group(word: str, draft: Draft, rules: RuleSet) -> Group | None:
    """The group of that name; None where there is none (any more)."""
    return next((group for group in groups(draft, rules) if group.word == word), None)


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
    is_limited: bool = False
    lines: tuple[Line, ...] = ()
    lacking: tuple[str, ...] = ()
    near_sentences: tuple[str, ...] = ()
    waits: tuple[str, ...] = ()


def tell(draft: Draft, rules: RuleSet) -> DraftScore:
    """The score that grows as one taps, and everything that is to be said beside it."""
    lacks = missing_sentences(draft, rules)
    if not (draft.won or lacks):
        return _score_loser(to_hand(draft, rules), rules)
    # The score of a whole Mah-Jong; the least while nobody has said which tile was claimed.
    if not draft.claimed or last_tile(draft, rules):
        full_reckoning = score_whole_hand(draft, rules)
    else:
        could_be = [replace(draft, last=tile) for tile in last_tiles(draft, rules)]
        reckonings = [
            reckoning for possible in could_be if (reckoning := score_whole_hand(possible, rules))
        ]
        full_reckoning = min(reckonings, key=lambda reckoning: reckoning.total, default=None)
    if full_reckoning:
        return replace(_draft_score(full_reckoning), lacking=lacks, is_whole=not lacks)
    near_sentences = _near_hand_sentences(to_hand(draft, rules), rules) if draft.won else ()
    if draft.size >= _MAHJONG_SIZE or not draft.won:
        return DraftScore(lacking=lacks, near_sentences=near_sentences)
    # What a Mah-Jong to be has so far.
    lines = lines_so_far(draft, rules)
    points, doubles = (
        sum(getattr(line, field_name) or 0 for line in lines) for field_name in _LINE_FIELDS
    )
    return DraftScore(
        total=rules.cap_points(lines_total(lines), won=True, special=False),
        basic=points if doubles else None,
        doubles=doubles or None,
        lines=lines,
        lacking=lacks,
        near_sentences=near_sentences,
    )


def _score_loser(hand: Hand, rules: RuleSet) -> DraftScore:
    if hand.size < _HAND_SIZE:
        return replace(
            _draft_score(score(hand, rules)),
            near_sentences=_near_hand_sentences(hand, rules),
            is_whole=True,
        )
    explanation = explain(hand, rules)
    farther = [special for special in explanation.considered_hands if special.short != 1]
    # What a loser fished for: each tile that would make more than a plain Mah-Jong by itself.
    plain = [wait.tile for wait in explanation.waits if not wait.makes]
    fishing_text = f"Fishing: {any_of_tiles(plain)} makes Mah-Jong." if plain else ""
    fishing = tuple(
        filter(None, [fishing_text, *(wait.sentence for wait in explanation.waits if wait.makes)])
    )
    return replace(
        _draft_score(explanation.reckoning),
        near_sentences=_nearest_sentences(
            farther if explanation.waits else explanation.considered_hands
        ),
        waits=fishing,
        is_whole=True,
    )


def _draft_score(reckoning: Reckoning) -> DraftScore:
    doubles = reckoning.doubles or None
    return DraftScore(
        total=reckoning.total,
        basic=reckoning.basic if doubles else None,
        doubles=doubles,
        is_limited=reckoning.is_limited,
        lines=reckoning.lines,
    )


def lines_so_far(draft: Draft, rules: RuleSet) -> tuple[Line, ...]:
    """The lines of what a Mah-Jong to be has already: sets, pairs, flowers and seasons."""
    prevailing = draft.prevailing if rules.passing.prevailing else None
    prices = rules.book.prices(draft.seat, prevailing).sets
    set_prices = [prices[group.tile_set.code] for group in groups(draft, rules) if group.tile_set]
    bonus = rules.book.bonus_lines
    return (
        *(line for price in set_prices for line in price.point_lines),
        *(bonus[tile] for tile in sort_tiles(draft.bonus)),
        *(line for price in set_prices for line in price.double_lines),
    )


def _near_hand_sentences(hand: Hand, rules: RuleSet) -> tuple[str, ...]:
    return (
        _nearest_sentences(near_specials(hand, rules))
        if _MIN_NEAR_SIZE <= hand.size <= _MAHJONG_SIZE
        else ()
    )


def _nearest_sentences(considered_hands: Sequence[ConsideredHand]) -> tuple[str, ...]:
    """The special hands that few tiles are lacking of, the nearest first."""
    near_sentences = [
        special.sentence
        for special in considered_hands
        if special.short and special.short <= _MAX_TILES_SHORT
    ]
    return tuple(near_sentences[:_MAX_NEAR_HANDS])


def missing_sentences(draft: Draft, rules: RuleSet) -> tuple[str, ...]:
    """A sentence for each thing that stands between the draft and a hand that can be scored."""
    excess = draft.size - (_MAHJONG_SIZE if draft.won else _HAND_SIZE)
    if excess > 0:
        tiles = "1 tile" if excess == 1 else f"{excess} tiles"
        return (f"{tiles} too many." if draft.won else f"{tiles} too many: a loser has 13.",)
    if draft.won and excess < 0:
        hand_groups = groups(draft, rules)
        chows = sum(group.kind is Kind.CHOW for group in hand_groups)
        most = rules.chows.max_chows(draft.players, goulash=draft.goulash)
        # With too many chows the tiles may still come to something else.
        problem = Problem(Code.TOO_MANY_CHOWS, "concealed", {"found": chows, "most": most})
        return (
            _tiles_to_come(draft, hand_groups),
            *([_problem_sentence(problem)] if chows > most else []),
        )
    problems = [_problem_sentence(problem) for problem in check(to_hand(draft, rules), rules)]
    unsaid = draft.won and draft.won_by is None
    return (*problems, "Choose how the last tile was obtained.") if unsaid else tuple(problems)


def _tiles_to_come(draft: Draft, hand_groups: Sequence[Group]) -> str:
    sets = min(4, sum(group.kind in _SET_KINDS for group in hand_groups))
    has_pair = any(group.kind is Kind.PAIR for group in hand_groups)
    number = _MAHJONG_SIZE - draft.size
    if sets == 4:
        alone = [group.tiles[0] for group in hand_groups if group.kind is None]
        second = f": a second {TILE_NAMES[alone[0]]}" if len(alone) == 1 else ""
        return f"One more pair{second}."
    sets_text = f"{_NUMBER_WORDS[4 - sets]} more {'set' if sets == 3 else 'sets'}"
    tiles = "1 more tile" if number == 1 else f"{number} more tiles"
    if number < 4 - sets + (not has_pair):  # each set, and the pair, lacks a tile at least
        cannot = f"{tiles} cannot make {sets_text}{'' if has_pair else ' and a pair'}"
        return f"{cannot}. Change some tiles, unless this is a special hand."
    return f"{tiles}: {sets_text}{'' if has_pair else ' and a pair'}."


def _problem_sentence(problem: Problem) -> str:
    """The problem in words that name tiles and not their codes."""
    if problem.code is Code.WINNING_TILE_MISSING:
        return "Choose the last tile."
    params = dict(problem.params)
    if "tile" in params:
        params["tile"] = with_article(TILE_NAMES[Tile(str(params["tile"]))])
    return SENTENCES[problem.code].format_map(params)


def notices(draft: Draft, rules: RuleSet) -> tuple[str, ...]:
    """A sentence for everything that was entered of the draft and cannot have happened."""
    if not draft.tile_counts:
        return ()
    return tuple(notice.message for notice in contradictions(to_hand(draft, rules), rules))


def tell_change(old_draft: Draft, new_draft: Draft, rules: RuleSet) -> str:
    """What changed, to be read aloud: `2 of bamboos added, pair.`; nothing of what was told."""
    came = new_draft.tile_counts - old_draft.tile_counts
    went = old_draft.tile_counts - new_draft.tile_counts
    if came and went:
        return "The hand has changed."
    if came:
        hand_groups = groups(new_draft, rules)
        kinds = [
            group.kind for group in hand_groups if group.tile_set and {*came} <= {*group.tiles}
        ]
        return f"{_tile_names(came)} added{f', {kinds[0]}' if kinds else ''}."
    if went:
        return f"{_tile_names(went)} removed."
    # What was laid on the table or turned, or else taken back.
    new = Counter(new_draft.table) - Counter(old_draft.table)
    removed_sets = Counter(old_draft.table) - Counter(new_draft.table)
    if new:
        set_states = {True: "exposed", False: "concealed"}
        return " ".join(f"{_set_title(group)} {set_states[group.exposed]}." for group in new)
    return " ".join(f"{_set_title(group)} back in the hand." for group in removed_sets)


def _tile_names(tiles: Counter[Tile]) -> str:
    if len(tiles) > 3:
        return f"{tiles.total()} tiles"
    text = ", ".join(TILE_NAMES[tile] for tile in sort_tiles(tiles))
    return text[0].upper() + text[1:]


def _set_title(group: TileSet) -> str:
    name = set_name(group)
    return name[0].upper() + name[1:]
