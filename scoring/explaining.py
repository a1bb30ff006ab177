"""Why a hand scores what it scores, how near it is to every special hand, what it waits for.

Kept apart from the quick way to a score: everything here may take its time.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, reduce
from operator import itemgetter, or_
from typing import Final, NamedTuple

from scoring.hands.hand import (
    Hand,
    Kind,
    TileSet,
    WonBy,
    any_of_tiles,
    join_words,
    set_name,
    set_names,
    with_article,
)
from scoring.hands.problems import BadHand, Problem
from scoring.hands.tiles import JOKER, PLAYING_TILES, SUITS, TILE_NAMES, Tile
from scoring.pricing.adding import every_sum
from scoring.pricing.candidates import Player, fishing_specials, standing_candidates, won_candidates
from scoring.pricing.reckoning import Reckoning, reckoning_as_json, score
from scoring.reading.layouts import CutLayout, loose_tiles, remove_last_tile, won_layouts
from scoring.rules import marks
from scoring.rules.conditions import HandCondition
from scoring.rules.declarations import DoubledHand, Form, SpecialHand
from scoring.rules.rule_set import RuleSet
from scoring.rules.shapes import Shape

_TILE_MARKS: Final = reduce(or_, (*marks.OF_TILE.values(), *marks.SET_OF.values()))
Special = SpecialHand | DoubledHand
_OPEN_MARKS = marks.OPENED | marks.EXPOSED | marks.EXPOSED_PUNG
_PUNG_OR_OPEN_MARKS = _OPEN_MARKS | marks.PUNG
_CIRCUMSTANCE_DISTANCE = 50
_IMPOSSIBLE_DISTANCE = 99


class _PartialHand(NamedTuple):
    """What has been built so far: pungs, pairs, jokers used, and the marks asked for."""

    pungs: int
    pairs: int
    jokers: int
    marks: int


class _SetOption(NamedTuple):
    """Sets of one tile that could be built, what they lack, and what they add."""

    lacks: int
    pungs: int
    pairs: int
    jokers: int
    marks: int


def tiles_short(hand: Hand, hand_condition: HandCondition, rules: RuleSet) -> int | None:
    """The fewest tiles that the hand lacks of four pungs or kongs and a pair such as are asked.

    The sets on the table stay as they are, but for a pung that may still become a kong. None where
    they do not allow it. What else is asked than tiles (how the hand was won) is left out.
    """
    if any(group.kind is Kind.CHOW for group in hand.sets) or len(hand.sets) > 4:
        return None
    several = SUITS if hand_condition.all_of & marks.ONE_SUIT else ("BCO",)
    counts = [_NearestHandSearch(hand, hand_condition, rules, suits).lacks() for suits in several]
    return min((lacks for lacks in counts if lacks is not None), default=None)


class _NearestHandSearch:
    """One look for the nearest hand, with suit tiles of these suits only."""

    def __init__(
        self, hand: Hand, hand_condition: HandCondition, rules: RuleSet, suits: str
    ) -> None:
        self.hand = hand
        self.suits = suits
        self.barred_marks = hand_condition.none_of & _TILE_MARKS
        self.kongs = bool(hand_condition.none_of & marks.PUNG)
        self.no_kongs = bool(hand_condition.none_of & marks.KONG)
        self.wanted_marks = hand_condition.all_of & _TILE_MARKS
        if hand_condition.all_of & marks.ONE_SUIT:
            self.wanted_marks |= marks.SUITED
        self.counts = Counter(hand.concealed)
        self.on_table = Counter(tile for group in hand.sets for tile in group.tiles)
        self.jokers_in_a_pung = rules.jokers.in_a_pung if rules.jokers else 0

    def lacks(self) -> int | None:
        """The fewest tiles lacking; None where the sets on the table do not belong."""
        if not all(self._belongs(group.tile, marks.of_set(group)) for group in self.hand.sets):
            return None
        if self.no_kongs and any(group.kind is Kind.KONG for group in self.hand.sets):
            return None
        marks_held = reduce(or_, (marks.of_set(group) for group in self.hand.sets), 0)
        start = _PartialHand(len(self.hand.sets), 0, 0, marks_held & self.wanted_marks)
        partial_hands = {start: 0}
        for tile in PLAYING_TILES:
            if self._belongs(tile, marks.OF_TILE[tile]):
                partial_hands = self._with_one_more(partial_hands, list(self._pieces(tile)))
        lack_counts = [
            lacks
            for partial_hand, lacks in partial_hands.items()
            if partial_hand.pungs == 4
            and partial_hand.pairs == 1
            and partial_hand.marks == self.wanted_marks
        ]
        fewest = min(lack_counts, default=None)
        if fewest is None:
            return None
        pungs = sum(group.kind is Kind.PUNG for group in self.hand.sets)
        return fewest + (pungs if self.kongs else 0)

    def _belongs(self, tile: Tile, marks_held: int) -> bool:
        is_suitable = not marks.OF_TILE[tile] & marks.SUITED or tile[0] in self.suits
        return is_suitable and not marks_held & self.barred_marks

    def _with_one_more(
        self, partial_hands: dict[_PartialHand, int], pieces: list[_SetOption]
    ) -> dict[_PartialHand, int]:
        """What can be reached with each of the pieces, which are of one tile, or with none."""
        reachable_hands = dict(partial_hands)
        for partial_hand, lacks in partial_hands.items():
            for piece in pieces:
                pungs, pairs = partial_hand.pungs + piece.pungs, partial_hand.pairs + piece.pairs
                jokers = partial_hand.jokers + piece.jokers
                if pungs <= 4 and pairs <= 1 and jokers <= self.counts[JOKER]:
                    following = _PartialHand(pungs, pairs, jokers, partial_hand.marks | piece.marks)
                    if lacks + piece.lacks < reachable_hands.get(following, 99):
                        reachable_hands[following] = lacks + piece.lacks
        return reachable_hands

    def _pieces(self, tile: Tile) -> Iterator[_SetOption]:
        """A pung, a pair, and with jokers both or two pungs: four such tiles there are at most."""
        held_count, tiles_left = self.counts[tile], 4 - self.on_table[tile]
        of_a_pung = 4 if self.kongs else 3
        no_pungs = marks.SET_OF[tile] & self.barred_marks
        for pungs, pairs in ((0, 1),) if no_pungs else ((0, 1), (1, 0), (1, 1), (2, 0)):
            for jokers in range(min(pungs * self.jokers_in_a_pung, self.counts[JOKER]) + 1):
                genuine = pungs * of_a_pung + pairs * 2 - jokers
                if genuine <= tiles_left:
                    marks_held = marks.OF_TILE[tile] | (marks.SET_OF[tile] if pungs else 0)
                    lacks = max(0, genuine - held_count)
                    yield _SetOption(lacks, pungs, pairs, jokers, marks_held & self.wanted_marks)


class HandAnalysis:
    """One hand under one rule set, with what is worked out of it once."""

    def __init__(self, hand: Hand, rules: RuleSet) -> None:
        self.hand = hand
        self.rules = rules
        self.player = Player(hand, rules)
        self._short_counts: dict[tuple[int, int], int | None] = {}

    def tiles_short(self, hand_condition: HandCondition) -> int | None:
        """The fewest tiles lacking of pungs or kongs and a pair such as are asked; None: never."""
        condition = hand_condition.all_of, hand_condition.none_of
        if condition not in self._short_counts:
            self._short_counts[condition] = tiles_short(self.hand, hand_condition, self.rules)
        return self._short_counts[condition]

    @cached_property
    def table_marks(self) -> int:
        open_marks = marks.OPENED if any(group.exposed for group in self.hand.sets) else 0
        return _marks_of_sets(self.hand.sets) | open_marks

    @cached_property
    def layouts(self) -> Sequence[CutLayout]:
        """The ways in which a winner's hand is sets and a pair."""
        player = self.player
        return won_layouts(self.hand, self.rules, player.prices, player.counts)

    @cached_property
    def marks_laid_out(self) -> Sequence[int]:
        """The marks of a winner's hand in each way in which it is sets and a pair."""
        circumstances = self.player.circumstances
        set_layouts = ((*self.hand.sets, *self.player.tally(cuts).groups) for cuts in self.layouts)
        return [
            marks.add_counted_marks(_marks_of_sets(sets) | circumstances) for sets in set_layouts
        ]

    @cached_property
    def marks_of_tiles(self) -> int:
        """The marks of a winner's hand as loose tiles."""
        tiles = [tile for group in self.hand.sets for tile in group.stands_for]
        tile_marks = marks.of_tiles((*self.hand.concealed, *tiles))
        return marks.add_counted_marks(self.player.circumstances | marks.LOOSE | tile_marks)

    @cached_property
    def special_keys(self) -> frozenset[str]:
        """The keys of the special hands that a winner's hand is."""
        if not self.hand.mahjong:
            return frozenset()
        candidates = won_candidates(self.player, self.layouts, self.player.loose_forms())
        return frozenset(candidate.special.key for candidate in candidates if candidate.special)

    @cached_property
    def near_keys(self) -> frozenset[str]:
        """The keys of the special hands of which thirteen tiles lack one."""
        if self.hand.mahjong:
            return frozenset()
        return frozenset(form.key for form in fishing_specials(self.player))

    @cached_property
    def standing(self) -> frozenset[str]:
        """The keys of the special hands whose value a player has without Mah-Jong or fishing."""
        if self.hand.mahjong:
            return frozenset()
        candidates = standing_candidates(self.player)
        return frozenset(
            candidate.special.key
            for candidate in candidates
            if candidate.special and not candidate.fishing
        )


def _marks_of_sets(sets: Iterable[TileSet]) -> int:
    return reduce(or_, map(marks.of_set, sets), 0)


def specials(rules: RuleSet) -> tuple[Special, ...]:
    """Every special hand of the rules, in the order of the page."""
    return (*rules.doubled_hands, *rules.specials)


def special_names(rules: RuleSet) -> dict[str, str]:
    """The name of every special hand, and of every dragon of chows, by its key."""
    dragons = rules.adding.dragons if rules.adding else ()
    return {line.key: line.name for line in (*specials(rules), *dragons)}


class ConsideredHand(NamedTuple):
    """One special hand and how the hand stands to it, in one sentence.

    `short` is how many tiles it lacks: 0 when the player has it, 1 when it is fished for; None
    where tiles alone do not make it.
    """

    key: str
    name: str
    short: int | None
    sentence: str

    def as_json(self) -> dict[str, object]:
        """The form of `considered` on the command line."""
        return dict(self._asdict())


def consider_specials(
    look: HandAnalysis, reckoning: Reckoning | None, waiting: Mapping[str, Sequence[Tile]]
) -> tuple[ConsideredHand, ...]:
    """Every special hand that is played, the nearest first.

    `reckoning`: the score; None of a Mah-Jong that is none. `waiting`: the tiles that would make
    the special hand of that key.
    """
    judgements = []
    for special in specials(look.rules):
        if hand_condition := special.when.parts(look.rules.choice):
            tiles = waiting.get(special.key, ())
            distance, lack_count, message = _judge_special(
                special, hand_condition, look, reckoning, tiles
            )
            judgements.append(
                (distance, ConsideredHand(special.key, special.name, lack_count, message))
            )
    return tuple(entry for _distance, entry in sorted(judgements, key=itemgetter(0)))


def _judge_special(
    special: Special,
    hand_condition: HandCondition,
    look: HandAnalysis,
    reckoning: Reckoning | None,
    tiles: Sequence[Tile],
) -> tuple[int, int | None, str]:
    """How far away the special hand is, the tiles that it lacks, and that in words."""
    if special.key in look.special_keys:
        return 0, 0, _made_sentence(special, look, reckoning)
    if special.key in look.standing:
        return 0, 0, f"{special.name} already scores without going Mah-Jong."
    if special.key in look.near_keys:
        return 1, 1, _fishing_sentence(special, look, tiles)
    if obstacles := list(_obstacles(special, hand_condition, look)):
        return _IMPOSSIBLE_DISTANCE, None, f"{special.name} does not fit: {'; '.join(obstacles)}."
    if lack_count := _tiles_missing(special, hand_condition, look):
        tiles_short_of = "One tile" if lack_count == 1 else f"{lack_count} tiles"
        return lack_count, lack_count, f"{tiles_short_of} short of {special.name}."
    unmet = _unmet_conditions(special, hand_condition, look)
    of_tiles = _form_of(special, look) is not Form.ANY
    distance = len(unmet) + (0 if of_tiles else _CIRCUMSTANCE_DISTANCE)
    return distance, None, f"{special.name} does not fit: {'; '.join(unmet)}."


def _made_sentence(special: Special, look: HandAnalysis, reckoning: Reckoning | None) -> str:
    if reckoning is None or special.key == reckoning.special:
        return f"This is {special.name}."
    names = {line.key: line.name for line in specials(look.rules)}
    better = names.get(reckoning.special or "", "the ordinary score")
    return f"This is also {special.name}, but {better} scores at least as much."


def _fishing_sentence(special: Special, look: HandAnalysis, tiles: Sequence[Tile]) -> str:
    text = f"One tile short of {special.name}"
    text += f": {any_of_tiles(tiles)}." if tiles else "."
    if look.rules.adding or not look.rules.losers_score:
        scores = False
    elif isinstance(special, DoubledHand):
        scores = not special.winner_only
    else:
        scores = special.fishing is not None
    return text if scores else f"{text} It scores only when it is won."


def _form_of(special: Special, look: HandAnalysis) -> Form | Shape:
    if isinstance(special, DoubledHand):
        return Form.PUNGS
    return special.resolve(look.rules.choice)


def _tiles_missing(
    special: Special, hand_condition: HandCondition, look: HandAnalysis
) -> int | None:
    """The tiles lacking where one tile more does not make the hand; None where none are."""
    made_of = _form_of(special, look)
    if made_of is Form.ANY:
        return None
    if made_of is Form.PUNGS:
        return look.tiles_short(hand_condition)
    loose = loose_tiles(look.hand, look.player.counts)
    lack_count = 0 if loose is None or isinstance(made_of, Form) else made_of.tiles_short(loose)
    return 2 if lack_count == 1 and not look.hand.mahjong else lack_count


def _obstacles(
    special: Special, hand_condition: HandCondition, look: HandAnalysis
) -> Iterator[str]:
    """What on the table keeps the hand from ever being the special hand."""
    made_of, sets = _form_of(special, look), look.hand.sets
    if made_of is Form.ANY:
        return
    if made_of is not Form.PUNGS:
        yield from _shape_obstacles(look.hand)
    elif any(group.kind is Kind.CHOW for group in sets):
        yield "a chow is on the table"
    elif hand_condition.none_of & _OPEN_MARKS & look.table_marks:
        yield f"a {next(group.kind for group in sets if group.exposed)} was claimed"
    elif hand_condition.none_of & marks.KONG & look.table_marks:
        yield "a kong was declared"
    elif look.tiles_short(hand_condition) is None:
        yield _table_obstacle(hand_condition, look)


def _shape_obstacles(hand: Hand) -> Iterator[str]:
    """Hands of their own shape stay in the hand until they are whole."""
    table_set = next(
        (group for group in hand.sets if group.exposed or group.kind is Kind.KONG), None
    )
    if table_set:
        yield f"a {table_set.kind} was claimed" if table_set.exposed else "a kong was declared"
    elif JOKER in hand.concealed:
        yield "it cannot contain a joker"


def _table_obstacle(hand_condition: HandCondition, look: HandAnalysis) -> str:
    """Why no tile to come can make the sets on the table into the hand."""
    alien = [
        group
        for group in look.hand.sets
        if marks.of_set(group) & hand_condition.none_of & ~_PUNG_OR_OPEN_MARKS
    ]
    if alien:
        names = join_words(f"the {set_name(group)}" for group in alien)
        return f"{names} on the table {'does' if len(alien) == 1 else 'do'} not belong"
    suits = {group.tile[0] for group in look.hand.sets} & set(SUITS)
    if hand_condition.all_of & marks.ONE_SUIT and len(suits) > 1:
        return "the sets on the table are of different suits"
    return "the exposed sets make it impossible"


def _unmet_conditions(
    special: Special, hand_condition: HandCondition, look: HandAnalysis
) -> list[str]:
    """Every condition but the tiles that fails, in the reading of the tiles where fewest do."""
    marks_held = look.player.circumstances | look.table_marks
    several = [marks_held]
    if look.hand.mahjong:
        several = [*look.marks_laid_out] or [look.marks_of_tiles]
        if _form_of(special, look) is not Form.PUNGS:
            several.append(look.marks_of_tiles)
    amiss = [
        [
            condition
            for condition in hand_condition.conditions
            if marks_held & (condition.all_of | condition.none_of) != condition.all_of
        ]
        for marks_held in several
    ]
    fewest = min(amiss, key=len)
    return [condition.unmet or f"it needs {condition.phrase}" for condition in fewest] or [
        "it must be won first"
    ]


class Reading(NamedTuple):
    """Another way to count the hand: its sets, the special hand it is counted as, its points."""

    arrangement: tuple[TileSet, ...]
    special: str | None
    total: int
    sentence: str

    def as_json(self) -> dict[str, object]:
        """The form of `readings` on the command line."""
        sets = [group.as_json() for group in self.arrangement]
        return dict(self._asdict()) | {"arrangement": sets}


class _CountedWay(NamedTuple):
    special: str | None
    groups: tuple[TileSet, ...]
    total: int
    fishing: bool = False


def readings(look: HandAnalysis, best: Reckoning) -> tuple[Reading, ...]:
    """Every other way that was weighed, the most points first; of ways that are alike the best."""
    rules, player = look.rules, look.player
    if rules.adding:
        counted_readings = [
            _CountedWay(
                hand_sum.special,
                hand_sum.groups,
                rules.cap_points(
                    hand_sum.points, won=look.hand.mahjong, special=hand_sum.special is not None
                ),
            )
            for hand_sum in every_sum(look.hand, rules, rules.adding)
        ]
    else:
        candidates = (
            won_candidates(player, look.layouts, player.loose_forms())
            if look.hand.mahjong
            else standing_candidates(player)
        )
        counted_readings = [
            _CountedWay(
                reading.special.key if reading.special else None,
                reading.tally.groups,
                player.capped_total(reading),
                fishing=reading.fishing,
            )
            for reading in candidates
        ]
    names = special_names(rules)
    by_words: dict[str, Reading] = {}
    for reading in sorted(counted_readings, key=lambda reading: -reading.total):
        if description := _describe_way(reading, best, names):
            message = f"{description} it would score {reading.total:,}."
            by_words.setdefault(
                description, Reading(reading.groups, reading.special, reading.total, message)
            )
    return tuple(by_words.values())


def _describe_way(reading: _CountedWay, best: Reckoning, names: dict[str, str]) -> str:
    """How the hand is counted in that way; nothing where it is the way of the best score."""
    if reading.special and reading.special != best.special:
        name = names[reading.special]
        return f"As a hand one tile short of {name}" if reading.fishing else f"Counted as {name}"
    other_groups = [group for group in reading.groups if group not in best.arrangement]
    if other_groups and best.arrangement:
        best_groups = {(group.kind, group.tile) for group in best.arrangement}
        if all((group.kind, group.tile) in best_groups for group in other_groups):
            exposed_group = next(
                (group for group in other_groups if group.exposed), other_groups[0]
            )
            return f"With the claimed tile in the {set_name(exposed_group)}"
        return f"Counted as {set_names(other_groups)}"
    return "" if reading.special == best.special else "Counted as an ordinary hand"


class Wait(NamedTuple):
    """A tile that makes the hand a Mah-Jong, and the least that it then scores, in points.

    `drawn` from the wall, `claimed` from a discard; None where it may not be won so. `makes` are
    the keys of the special hands that it makes.
    """

    tile: Tile
    drawn: int | None
    claimed: int | None
    makes: tuple[str, ...]
    sentence: str

    def as_json(self) -> dict[str, object]:
        """The form of `waits` on the command line."""
        return dict(self._asdict()) | {"makes": list(self.makes)}


def waits(hand: Hand, rules: RuleSet) -> tuple[Wait, ...]:
    """Every kind of tile that makes a Mah-Jong of the hand, in the order of the tiles.

    A winner's hand is taken as it was before its winning tile came. None where it is not known
    which tile that was, or where there are not thirteen tiles.
    """
    if hand.mahjong and hand.winning_tile is not None:
        hand = remove_last_tile(hand, hand.winning_tile)
    elif hand.mahjong or hand.size != 13:
        return ()
    return tuple(wait for tile in PLAYING_TILES if (wait := _wait_for(hand, tile, rules)))


def _wait_for(hand: Hand, tile: Tile, rules: RuleSet) -> Wait | None:
    """What the hand is with that tile; None where it is no Mah-Jong."""
    won_hand = replace(hand, concealed=(*hand.concealed, tile), mahjong=True, winning_tile=tile)
    drawn_win = _score_win(won_hand, WonBy.WALL, rules)
    claimed_win = _score_win(won_hand, WonBy.DISCARD, rules)
    if not (drawn_win or claimed_win):
        return None
    special_keys: set[str] = set()
    for won_by, won in ((WonBy.WALL, drawn_win), (WonBy.DISCARD, claimed_win)):
        if won:
            special_keys |= HandAnalysis(replace(won_hand, won_by=won_by), rules).special_keys
            special_keys |= {won.special} if won.special else set()
    win_texts = [f"{drawn_win.total:,} drawn from the wall"] if drawn_win else []
    win_texts += [f"{claimed_win.total:,} claimed"] if claimed_win else []
    worth = " or ".join(win_texts) if len(win_texts) == 2 else f"{win_texts[0]}, and not otherwise"
    if drawn_win and claimed_win and drawn_win.total == claimed_win.total:
        worth = f"{drawn_win.total:,} at least"
    names = {key: name for key, name in special_names(rules).items() if key in special_keys}
    hand_label = f"Mah-Jong ({', '.join(names.values())})" if names else "Mah-Jong"
    article, _space, name = with_article(TILE_NAMES[tile]).partition(" ")
    message = f"{article.capitalize()} {name} makes {hand_label}: {worth}."
    return Wait(
        tile,
        drawn_win and drawn_win.total,
        claimed_win and claimed_win.total,
        tuple(names),
        message,
    )


def _score_win(won_hand: Hand, won_by: WonBy, rules: RuleSet) -> Reckoning | None:
    try:
        return score(replace(won_hand, won_by=won_by), rules)
    except BadHand:
        return None


class Explanation(NamedTuple):
    """The score of a hand, every special hand beside it, its waits and its other readings."""

    reckoning: Reckoning
    considered_hands: tuple[ConsideredHand, ...]
    waits: tuple[Wait, ...]
    readings: tuple[Reading, ...]

    @property
    def notices(self) -> tuple[Problem, ...]:
        """What is worth saying of the hand as it was described."""
        return self.reckoning.notices

    def as_json(self) -> dict[str, object]:
        """What `explain` prints, without `id` and `valid`."""
        return reckoning_as_json(self.reckoning) | {
            "considered": [special.as_json() for special in self.considered_hands],
            "waits": [wait.as_json() for wait in self.waits],
            "readings": [reading.as_json() for reading in self.readings],
        }


def explain(hand: Hand, rules: RuleSet) -> Explanation:
    """Why the hand scores what it does under the rules; raises BadHand as `score` does."""
    reckoning = score(hand, rules)
    look = HandAnalysis(hand, rules)
    waiting = waits(hand, rules)
    makes: dict[str, list[Tile]] = defaultdict(list)
    for wait in waiting:
        for key in wait.makes:
            makes[key].append(wait.tile)
    considered_hands = consider_specials(look, reckoning, makes)
    return Explanation(reckoning, considered_hands, waiting, readings(look, reckoning))


def near_specials(hand: Hand, rules: RuleSet) -> tuple[ConsideredHand, ...]:
    """Every special hand beside a Mah-Jong that cannot be scored because it is none."""
    return consider_specials(HandAnalysis(hand, rules), None, {})
