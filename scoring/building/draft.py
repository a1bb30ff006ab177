"""A hand while it is tapped together: what is known of it, its short text, what else matters."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from itertools import groupby
from operator import or_
from typing import Any, Final

from scoring.hands.hand import CLAIMS, Fact, Hand, Kind, TileSet, WonBy, read_set
from scoring.hands.tiles import BONUS_TILES, JOKER, Tile, Wind, read_tile, sort_tiles
from scoring.rules import marks
from scoring.rules.conditions import HandCondition
from scoring.rules.declarations import Double, DoubledHand, Points, SpecialHand
from scoring.rules.rule_set import RuleSet
from scoring.table.progression import Deal

MAX_SETS: Final = 4
MAX_TILES: Final = 18
NO_TILES_USED: Final[Mapping[Tile, int]] = {}
_MAX_TEXT_LENGTH: Final = 300
_RUN_PATTERN: Final = re.compile(r"([BCOWDFSJ])([1-9eswnrgk]+)")
_RUNS_PATTERN: Final = re.compile(rf"(?:{_RUN_PATTERN.pattern})*")
_TABLE_SET_PATTERN: Final = re.compile(r"[-~][^-~]*")
_SEAT_PATTERN: Final = re.compile(r"([ESWN])([ESWN])([235]?)(g?)([dn]?)")
_END_WORDS: Final = {True: "won", False: "lost"}

WAY_LABELS: Final = {
    WonBy.WALL: "From the wall",
    WonBy.DISCARD: "A discard",
    WonBy.LOOSE_TILE: "A loose tile",
    WonBy.ROBBED_KONG: "Robbing a kong",
    WonBy.LAST_WALL_TILE: "The last tile of the wall",
    WonBy.LAST_DISCARD: "The final discard",
    WonBy.DEALT: "The tiles as dealt",
    WonBy.FIRST_DISCARD: "The first discard of all",
    WonBy.FIRST_DRAW: "The first draw",
}
FACT_LABELS: Final = {
    Fact.ORIGINAL_CALL: "Original call",
    Fact.TWOFOLD_FORTUNE: "A kong's loose tile made the second kong",
    Fact.ONLY_POSSIBLE_TILE: "It was the only tile that could complete the hand",
    Fact.NOT_ONLY_POSSIBLE_TILE: "Another tile could have completed it",
    Fact.THIRTEENTH_WIN: "The thirteenth Mah-Jong in a row",
}
_LAST_TILE_FACTS: Final = frozenset({Fact.ONLY_POSSIBLE_TILE, Fact.NOT_ONLY_POSSIBLE_TILE})
_ALL_WAY_MARKS: Final = sum(marks.WON_BY.values())


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """What has been tapped: any number of tiles up to MAX_TILES, a kong counting as three.

    `tiles` are in the hand, in the order in which they were tapped; `table` holds exposed sets and
    concealed kongs. `dealer` None: East deals. `won_by` and `last` are how a Mah-Jong was won; they
    are kept while `won` is off, and count for nothing then.
    """

    tiles: tuple[Tile, ...] = ()
    table: tuple[TileSet, ...] = ()
    bonus: tuple[Tile, ...] = ()
    seat: Wind = Wind.E
    prevailing: Wind = Wind.E
    dealer: bool | None = None
    players: int = 4
    goulash: bool = False
    won: bool = True
    won_by: WonBy | None = None
    last: Tile | None = None
    facts: frozenset[Fact] = frozenset()

    @property
    def size(self) -> int:
        """The number of playing tiles, a kong counting as three."""
        return 3 * len(self.table) + len(self.tiles)

    @property
    def tile_counts(self) -> Counter[Tile]:
        """How many of each tile there are, flowers and seasons included."""
        on_table = [tile for group in self.table for tile in group.tiles]
        return Counter([*self.tiles, *on_table, *self.bonus])

    @property
    def deals(self) -> bool:
        return self.seat is Wind.E if self.dealer is None else self.dealer

    @property
    def claimed(self) -> bool:
        """Whether the last tile was claimed from another player."""
        return self.won and self.won_by in CLAIMS

    @property
    def kongs(self) -> int:
        return sum(group.kind is Kind.KONG for group in self.table)


def copies_of(tile: Tile) -> int:
    """How many of that tile there are in a set of tiles."""
    return 1 if tile in BONUS_TILES else 4


def tiles_left(tile: Tile, draft: Draft, used: Mapping[Tile, int] = NO_TILES_USED) -> int:
    """How many of that tile may still be tapped; `used`: how many others at the table hold."""
    return max(0, copies_of(tile) - draft.tile_counts[tile] - used.get(tile, 0))


def add_tiles(draft: Draft, tiles: Iterable[Tile]) -> Draft:
    """The draft with these tiles more, in the hand or beside it."""
    new_tiles = tuple(tiles)
    bonus = tuple(tile for tile in new_tiles if tile in BONUS_TILES)
    playing = tuple(tile for tile in new_tiles if tile not in BONUS_TILES)
    return replace(draft, tiles=draft.tiles + playing, bonus=draft.bonus + bonus)


def remove_tiles(draft: Draft, tiles: Iterable[Tile]) -> Draft:
    """The draft without these tiles, which are in the hand: those tapped last are taken."""
    remaining_tiles = list(reversed(draft.tiles))
    for tile in tiles:
        remaining_tiles.remove(tile)
    return replace(draft, tiles=tuple(reversed(remaining_tiles)))


def remove_bonus(draft: Draft, tile: Tile) -> Draft:
    return replace(
        draft, bonus=tuple(bonus_tile for bonus_tile in draft.bonus if bonus_tile != tile)
    )


def add_set(draft: Draft, group: TileSet) -> Draft:
    """The draft with one set more on the table."""
    return replace(draft, table=(*draft.table, group))


def replace_set(draft: Draft, old: TileSet, *new: TileSet) -> Draft:
    """The draft with a set on the table replaced, or gone."""
    place = draft.table.index(old)
    return replace(draft, table=(*draft.table[:place], *new, *draft.table[place + 1 :]))


def remove_jokers(draft: Draft) -> Draft:
    """The draft without jokers and the sets that they stand in."""
    return replace(
        draft,
        tiles=tuple(tile for tile in draft.tiles if tile != JOKER),
        table=tuple(group for group in draft.table if not group.jokers),
    )


class BadNotation(ValueError):
    """The text is no draft."""


def write_draft(draft: Draft) -> str:
    """The draft as a short text that an address can hold: `ES.B111C234-Dggg~Wnnnn.F1S1.won-wall`.

    Four parts: winds and table; tiles in the hand, then sets on the table (`-` exposed, `~` a
    concealed kong); flowers and seasons; how it ended. A suit's letter comes once before its
    numbers.
    """
    players = "" if draft.players == 4 else str(draft.players)
    dealer = {None: "", True: "d", False: "n"}[draft.dealer]
    place = f"{draft.seat}{draft.prevailing}{players}{'g' if draft.goulash else ''}{dealer}"
    tiles = write_tiles(draft.tiles) + "".join(map(write_set, draft.table))
    end = [_END_WORDS[draft.won], *filter(None, [draft.won_by])]
    end += [write_tiles([draft.last])] if draft.last else []
    ending = "-".join([*end, *sorted(draft.facts)])
    return ".".join((place, tiles, write_tiles(draft.bonus), ending))


def write_tiles(tiles: Iterable[Tile]) -> str:
    """Tiles in a row: `B111C23Wes`."""
    return "".join(
        suit + "".join(tile[1].lower() for tile in suit_tiles)
        for suit, suit_tiles in groupby(tiles, key=lambda tile: tile[0])
    )


def write_set(group: TileSet) -> str:
    """A set on the table: `-B111` exposed, `~B1111` a concealed kong."""
    return ("-" if group.exposed else "~") + write_tiles(group.tiles)


def read_draft(text: str) -> Draft:
    """The draft that `write_draft` wrote; raises BadNotation for anything else."""
    parts = text.split(".") if len(text) <= _MAX_TEXT_LENGTH else []
    place = _SEAT_PATTERN.fullmatch(parts[0]) if len(parts) == 4 else None
    if place is None:
        raise BadNotation
    _seat_text, tiles, bonus, end = parts
    seat, prevailing, players, goulash, dealer = place.groups()
    draft = Draft(
        tiles=read_tiles(re.split(r"[-~]", tiles, maxsplit=1)[0]),
        table=tuple(map(_read_set, _TABLE_SET_PATTERN.findall(tiles))),
        bonus=read_tiles(bonus),
        seat=Wind(seat),
        prevailing=Wind(prevailing),
        players=int(players or 4),
        goulash=bool(goulash),
        dealer={"": None, "d": True, "n": False}[dealer],
        **_read_end(end),
    )
    # What no taps could have made is no draft either.
    too_many = any(count > copies_of(tile) for tile, count in draft.tile_counts.items())
    misplaced_tiles = {*draft.tiles} & {*BONUS_TILES} or {*draft.bonus} - {*BONUS_TILES}
    if too_many or misplaced_tiles or draft.size > MAX_TILES or len(draft.table) > MAX_SETS:
        raise BadNotation
    return draft


def _read_set(text: str) -> TileSet:
    group = read_set(read_tiles(text[1:]), exposed=text[0] == "-")
    is_set = group is not None and group.kind is not Kind.PAIR and group.code >= 0
    if group is None or not is_set or not (group.exposed or group.kind is Kind.KONG):
        raise BadNotation
    return group


def read_tiles(text: str) -> tuple[Tile, ...]:
    """The tiles that `write_tiles` wrote; raises BadNotation."""
    if not _RUNS_PATTERN.fullmatch(text):
        raise BadNotation
    codes = [suit + rank.upper() for suit, ranks in _RUN_PATTERN.findall(text) for rank in ranks]
    tiles = [tile for tile in map(read_tile, codes) if tile]
    if len(tiles) != len(codes):
        raise BadNotation
    return tuple(tiles)


def _read_end(text: str) -> dict[str, Any]:
    end, *tokens = text.split("-")
    if end not in _END_WORDS.values():
        raise BadNotation
    facts = {word for word in tokens if word in tuple(Fact)}
    fields: dict[str, Any] = {"won": end == "won", "facts": frozenset(map(Fact, facts))}
    for word in tokens:
        if word in tuple(WonBy):
            fields["won_by"] = WonBy(word)
        elif word not in facts:
            tiles = read_tiles(word)
            if len(tiles) != 1:
                raise BadNotation
            fields["last"] = tiles[0]
    return fields


def asks_prevailing(rules: RuleSet) -> bool:
    return rules.passing.prevailing


def asks_dealer(rules: RuleSet) -> bool:
    """Whether it matters who deals, and that need not be East."""
    return bool(_winner_marks_asked(rules) & marks.DEALER)


def asks_goulash(rules: RuleSet) -> bool:
    return rules.passing.goulash_after_a_draw


def asks_players(rules: RuleSet) -> bool:
    return rules.chows.players is not None or rules.minimum is not None


def ways_to_win(draft: Draft, rules: RuleSet) -> tuple[WonBy, ...]:
    """The ways to win that the rules tell apart and that this draft allows."""
    marks_asked = _winner_marks_asked(rules)
    impossible = {
        WonBy.LOOSE_TILE: not (draft.kongs or draft.bonus),
        WonBy.DEALT: not draft.deals,
        WonBy.FIRST_DISCARD: draft.deals,
        WonBy.FIRST_DRAW: draft.deals,
    }
    return tuple(
        won_by
        for won_by in WAY_LABELS
        if not impossible.get(won_by)
        and (
            won_by is _basic_way(won_by)
            or (_marks_of_way(won_by) ^ _marks_of_way(_basic_way(won_by))) & marks_asked
        )
    )


def _basic_way(won_by: WonBy) -> WonBy:
    return WonBy.DISCARD if won_by in CLAIMS else WonBy.WALL


def _marks_of_way(won_by: WonBy) -> int:
    return marks.of_circumstances(Hand(mahjong=True, won_by=won_by))


def last_tiles(draft: Draft, rules: RuleSet) -> tuple[Tile, ...]:
    """The tiles of which one came last; none where it does not matter which."""
    if not draft.won or draft.won_by is None or draft.won_by is WonBy.DEALT:
        return ()
    tiles = {*draft.tiles}
    if draft.claimed:
        # It may have completed a set that is laid out as exposed.
        groups = [group for group in draft.table if group.exposed and group.kind is not Kind.KONG]
        return sort_tiles(tiles.union(*(group.stands_for for group in groups)))
    if not (rules.adding or _winner_marks_asked(rules) & marks.ONLY_TILE):
        won_by_marks = _marks_of_way(draft.won_by)
        marks_held = reduce(or_, (marks.LAST_TILE[tile] for tile in tiles), 0)
        if not any(
            hand_condition.all_of & marks_held
            and not hand_condition.all_of & _ALL_WAY_MARKS & ~won_by_marks
            for hand_condition in _winner_conditions(rules)
        ):
            return ()
    return sort_tiles(tiles)


def last_tile(draft: Draft, rules: RuleSet) -> Tile | None:
    """The tile that came last, where it is known and matters."""
    return draft.last if draft.last in last_tiles(draft, rules) else None


def facts(draft: Draft, rules: RuleSet) -> tuple[Fact, ...]:
    """What only the table can say and the rules ask of such a hand."""
    if draft.won:
        marks_asked = _winner_marks_asked(rules)
    else:
        lines = rules.book.doubles_standing if rules.losers_score else ()
        marks_asked = reduce(or_, (worth.mask for worth in lines), 0)
    possible = set(FACT_LABELS)
    if not (marks_asked & marks.ONLY_TILE and last_tile(draft, rules)):
        possible -= _LAST_TILE_FACTS
    if draft.kongs < 2 or draft.won_by is not WonBy.LOOSE_TILE:
        possible.discard(Fact.TWOFOLD_FORTUNE)
    return tuple(
        fact
        for fact in FACT_LABELS
        if fact in possible and (fact in _LAST_TILE_FACTS or marks_asked & marks.FACT[fact])
    )


def _winner_marks_asked(rules: RuleSet) -> int:
    """Every mark that some line asks of a winner's hand."""
    return reduce(
        or_,
        (
            hand_condition.all_of | hand_condition.none_of
            for hand_condition in _winner_conditions(rules)
        ),
        0,
    )


def _winner_conditions(rules: RuleSet) -> Iterator[HandCondition]:
    lines: tuple[Points | Double | DoubledHand | SpecialHand, ...]
    lines = (*rules.points, *rules.doubles, *rules.doubled_hands, *rules.specials)
    last = [rules.adding.last_tile.when] if rules.adding else []
    for hand_condition in (*(line.when for line in lines), *last):
        played_condition = hand_condition.parts(rules.choice)
        if played_condition is not None:
            yield played_condition


def fit_draft(draft: Draft, rules: RuleSet) -> Draft:
    """The draft with only what exists under these rules: tiles, players, ways to win, facts."""
    goulash = draft.goulash and asks_goulash(rules)
    fits = draft if goulash and rules.jokers else remove_jokers(draft)
    fits = replace(
        fits,
        goulash=goulash,
        bonus=draft.bonus if rules.bonus_points else (),
        players=draft.players if draft.players in rules.seats else max(rules.seats),
        dealer=draft.dealer if asks_dealer(rules) else None,
    )
    won_by = (
        fits.won_by
        if fits.won_by is None or fits.won_by in ways_to_win(fits, rules)
        else _basic_way(fits.won_by)
    )
    fits = replace(fits, won_by=won_by)
    return replace(fits, facts=fits.facts & {*facts(fits, rules)})


def seat_draft(draft: Draft, seat: int, deal: Deal, rules: RuleSet) -> Draft:
    """The draft as that seat's hand of that deal; the seat must play it."""
    at_table = replace(
        draft,
        seat=deal.winds[seat],
        prevailing=deal.prevailing_wind or Wind.E,
        dealer=seat == deal.dealer,
        players=len(deal.winds),
        goulash=deal.goulash,
    )
    return fit_draft(at_table, rules)


def tiles_used(drafts: Iterable[Draft]) -> Counter[Tile]:
    """How many of each tile these hands hold together."""
    return sum((draft.tile_counts for draft in drafts), Counter[Tile]())


def draft_from_hand(hand: Hand) -> Draft:
    """The draft of a described hand; `to_hand` makes the same hand of it again."""
    return Draft(
        tiles=hand.concealed,
        table=hand.sets,
        bonus=hand.bonus,
        seat=hand.seat_wind,
        prevailing=hand.prevailing_wind or Wind.E,
        dealer=hand.dealer,
        players=hand.players,
        goulash=hand.goulash,
        won=hand.mahjong,
        won_by=hand.won_by,
        last=hand.winning_tile,
        facts=hand.facts,
    )
