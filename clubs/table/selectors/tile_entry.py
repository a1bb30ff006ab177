"""Hands built from tiles, on the score page and at a table."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Final

from clubs.language.words import TILE_NAMES
from clubs.table.rows import ScoreLine, worth_of
from scoring import RuleSet, Wind
from scoring.building import (
    Bag,
    Draft,
    DraftScore,
    Group,
    GroupPlace,
    PlayResult,
    Steps,
    draft as questions,
    fit_draft,
    groups,
    notices,
    play,
    tell,
    tell_change,
    tiles_left,
    tiles_used,
    write_draft,
)
from scoring.building.draft import NO_TILES_USED
from scoring.hands.hand import Kind, set_name
from scoring.hands.tiles import (
    DRAGON_TILES,
    FLOWER_TILES,
    JOKER,
    SEASON_TILES,
    SUIT_NAMES,
    SUIT_TILES,
    WIND_TILES,
    Tile,
    sort_tiles,
)
from scoring.scorebook.selectors import winner_of
from scoring.scorebook.services.games import MAHJONG_TAP, TAKE_OVER_TAP, TapAnswer

DRAFT_SEPARATOR: Final = "*"
MAHJONG_QUESTION: Final = "Did this player go Mah-Jong?"
NOT_MAHJONG_TAP: Final = "won:no"
LAST_TILE_QUESTION: Final = "last"
ADD_CHOICES: Final = {
    "tile": "Tile",
    "pair": "Pair",
    "pung": "Pung",
    "kong": "Kong",
    "chow": "Chow",
}
_SET_KINDS: Final = frozenset({Kind.CHOW, Kind.PUNG, Kind.KONG})


@dataclass(frozen=True, slots=True)
class TileKey:
    """A tile to tap: how many the hand has, and how many are left."""

    code: Tile
    held_count: int
    left_count: int


@dataclass(frozen=True, slots=True)
class KeyRow:
    """The keys of one suit, or of the winds, dragons, flowers and seasons."""

    name: str
    keys: tuple[TileKey, ...]

    @property
    def is_short(self) -> bool:
        """Whether two such rows fit side by side."""
        return len(self.keys) <= 4


@dataclass(frozen=True, slots=True)
class TapChoice:
    """An answer, and the tap that gives it."""

    tap: str
    label: str
    is_chosen: bool
    tile: Tile | None = None
    wind: Wind | None = None


@dataclass(frozen=True, slots=True)
class HandQuestion:
    """A question about the hand."""

    name: str
    label: str
    choices: tuple[TapChoice, ...]


@dataclass(frozen=True, slots=True)
class GroupRow:
    """Some tiles of the hand, and the taps that turn or remove them (empty: not available)."""

    tiles: tuple[Tile, ...]
    name: str
    state: str
    turn: str
    turn_label: str
    take: str
    split: str
    joker: str


@dataclass(frozen=True, slots=True)
class Builder:
    """A hand while it is being tapped.

    `hand` and `earlier_text` are sent with every tap; `announcement` is read aloud. `aside` is what
    others at the table have reported.
    """

    rules: RuleSet
    draft: Draft
    score: DraftScore
    hand: Annotated[str, "the hand as text; send it back with more taps"]
    earlier_text: Annotated[str, "earlier versions of the hand, for undoing"]
    announcement: str
    refusals: Annotated[tuple[str, ...], "a sentence for each tap that had no effect"]
    outcome: HandQuestion
    rows: tuple[KeyRow, ...]
    groups: tuple[GroupRow, ...]
    bonus: tuple[Tile, ...]
    ending: tuple[HandQuestion, ...]
    table: tuple[HandQuestion, ...]
    lines: tuple[ScoreLine, ...]
    notices: Annotated[tuple[str, ...], "entries that cannot have happened"] = ()
    aside: str = ""

    @property
    def is_empty(self) -> bool:
        return not self.draft.tile_counts

    @property
    def adding(self) -> tuple[tuple[str, str], ...]:
        """How many tiles a tap may add, in numbers and words."""
        return tuple(ADD_CHOICES.items())

    @property
    def sourced_lines(self) -> tuple[ScoreLine, ...]:
        """The lines of the score, each once, with where they come from."""
        by_name = {line.name: line for line in self.lines if line.source}
        return tuple(by_name.values())

    @property
    def sum(self) -> str:
        """The points and what they are doubled to: `46 × 16`; empty without doubles."""
        if self.score.doubles is None:
            return ""
        return f"{self.score.basic:,} × {1 << self.score.doubles:,}"

    @property
    def state(self) -> Annotated[str, "one sentence: what is missing, or how the hand ended"]:
        """The sentence beside the total."""
        return self.refusals[0] if self.refusals else self.state_of_hand

    @property
    def state_of_hand(self) -> str:
        """The same without what the last tap could not do."""
        if self.is_empty:
            return "Tap the tiles of the hand."
        if self.score.lacking:
            return self.score.lacking[0]
        outcome = "Mah-Jong." if self.draft.won else "Not Mah-Jong."
        return f"{outcome} Read the warning." if self.notices else outcome

    @property
    def unfinished_hint(self) -> str:
        """What is asked for before the hand is left; empty if it is whole or has not been begun."""
        if self.is_empty:
            return ""
        if self.score.lacking:
            return self.score.lacking[0]
        last = next(
            (question for question in self.ending if question.name == LAST_TILE_QUESTION), None
        )
        is_open = last is not None and not any(choice.is_chosen for choice in last.choices)
        return "Choose which tile came last: it may score more." if is_open else ""

    @property
    def may_turn(self) -> bool:
        """Whether some set of the hand can be exposed or concealed."""
        return any(group.turn for group in self.groups)

    @property
    def keys(self) -> str:
        """How many of every tile are held and left: `B1:2:1 B2:0:4`, for the page's script."""
        return " ".join(
            f"{key.code}:{key.held_count}:{key.left_count}" for row in self.rows for key in row.keys
        )


def build_hand(
    steps: Steps, taps: tuple[str, ...], rules: RuleSet, used: Mapping[Tile, int] = NO_TILES_USED
) -> Builder:
    """The builder after these taps; `used`: the tiles of the others at the table. No query."""
    previous_draft = fit_draft(steps.draft, rules)
    play_result = play(Steps(previous_draft, steps.previous_drafts), taps, Bag(rules, used))
    if dropped_tiles := steps.draft.tile_counts - previous_draft.tile_counts:
        names = ", ".join(TILE_NAMES[tile] for tile in sort_tiles(dropped_tiles))
        message = f"Not used under {rules.name}, so not counted: {names}."
        play_result = replace(play_result, refusals=(message, *play_result.refusals))
    return builder_for(previous_draft, play_result, rules, used)


def builder_for(
    previous_draft: Draft,
    play_result: PlayResult,
    rules: RuleSet,
    used: Mapping[Tile, int] = NO_TILES_USED,
) -> Builder:
    """The builder of a hand, given its previous state."""
    draft = play_result.steps.draft
    value = tell(draft, rules)
    return Builder(
        rules=rules,
        draft=draft,
        score=value,
        hand=write_draft(draft),
        earlier_text=DRAFT_SEPARATOR.join(map(write_draft, play_result.steps.previous_drafts)),
        announcement=_announcement(previous_draft, play_result, value, rules),
        refusals=play_result.refusals,
        outcome=HandQuestion(
            "won",
            MAHJONG_QUESTION,
            (
                TapChoice(MAHJONG_TAP, "Mah-Jong", draft.won),
                TapChoice(NOT_MAHJONG_TAP, "Not Mah-Jong", not draft.won),
            ),
        ),
        rows=tuple(_key_rows(draft, rules, used)),
        groups=tuple(_group_row(group, draft, rules) for group in groups(draft, rules)),
        bonus=sort_tiles(draft.bonus),
        ending=tuple(_ending_questions(draft, rules)),
        table=tuple(_table_questions(draft, rules)),
        lines=tuple(
            ScoreLine(
                line.name,
                line.tiles,
                worth_of(line.doubles, line.value if line.points is None else line.points),
                line.source,
            )
            for line in value.lines
        ),
        notices=notices(draft, rules),
    )


def _announcement(
    previous_draft: Draft, play_result: PlayResult, value: DraftScore, rules: RuleSet
) -> str:
    change_text = tell_change(previous_draft, play_result.steps.draft, rules)
    new = [
        notice
        for notice in notices(play_result.steps.draft, rules)
        if notice not in notices(previous_draft, rules)
    ]
    score = "" if value.total is None else f"{value.total:,} points"
    if not value.is_whole and score:
        score += " so far"
    return " ".join(
        filter(None, [*play_result.refusals, change_text, f"{score}." if score else "", *new])
    )


def _key_rows(draft: Draft, rules: RuleSet, used: Mapping[Tile, int]) -> Iterator[KeyRow]:
    suits = {SUIT_NAMES[suit].capitalize(): suit for suit in SUIT_NAMES}
    tiles = {
        name: tuple(tile for tile in SUIT_TILES if tile[0] == suit) for name, suit in suits.items()
    }
    tiles |= {"Winds": WIND_TILES, "Dragons": DRAGON_TILES}
    if rules.bonus_points:
        tiles |= {"Flowers": FLOWER_TILES, "Seasons": SEASON_TILES}
    if draft.goulash and rules.jokers:
        tiles["Dragons"] = (*DRAGON_TILES, JOKER)
    counts = draft.tile_counts
    for name, codes in tiles.items():
        keys = (TileKey(code, counts[code], tiles_left(code, draft, used)) for code in codes)
        yield KeyRow(name, tuple(keys))


def _group_row(group: Group, draft: Draft, rules: RuleSet) -> GroupRow:
    word, tile_set = group.word, group.tile_set
    is_set = group.kind in _SET_KINDS and not group.claimed
    is_kong = group.kind is Kind.KONG
    turn = "conceal" if group.place is GroupPlace.EXPOSED else "expose"
    name = set_name(tile_set) if tile_set else TILE_NAMES[group.tiles[0]]
    state = "exposed" if group.place is GroupPlace.EXPOSED else "concealed"
    if group.claimed:
        state = f"{group.kind}, last tile"
    elif group.kind is None or group.kind is Kind.PAIR:
        state = str(group.kind or "")
    may_join = group.kind is Kind.PUNG and JOKER in draft.tiles and rules.jokers
    return GroupRow(
        tiles=group.tiles,
        name=name[0].upper() + name[1:],
        state=state,
        turn=f"{turn}:{word}" if is_set else "",
        turn_label=turn,
        take=f"take:{word}",
        split=f"split:{word}" if is_kong else "",
        joker=f"joker:{word}" if may_join else "",
    )


def _ending_questions(draft: Draft, rules: RuleSet) -> Iterator[HandQuestion]:
    """The questions about how the hand was won."""
    if draft.won:
        choices = tuple(
            TapChoice(f"way:{won_by}", questions.WAY_LABELS[won_by], draft.won_by is won_by)
            for won_by in questions.ways_to_win(draft, rules)
        )
        yield HandQuestion("way", "Where did the last tile come from?", choices)
    last = questions.last_tile(draft, rules)
    tiles = tuple(
        TapChoice(f"last:{tile}", TILE_NAMES[tile], last == tile, tile=tile)
        for tile in questions.last_tiles(draft, rules)
    )
    if tiles:
        yield HandQuestion(LAST_TILE_QUESTION, "Which tile came last?", tiles)
    facts = tuple(
        TapChoice(f"fact:{fact}", questions.FACT_LABELS[fact], fact in draft.facts)
        for fact in questions.facts(draft, rules)
    )
    if facts:
        yield HandQuestion("fact", "Anything else?", facts)


def _table_questions(draft: Draft, rules: RuleSet) -> Iterator[HandQuestion]:
    """The questions about the table: winds, dealer, number of players, a goulash."""
    yield HandQuestion("seat", "The player’s wind", _wind_choices("seat", draft.seat))
    if questions.asks_prevailing(rules):
        yield HandQuestion(
            "prevailing", "The prevailing wind", _wind_choices("prevailing", draft.prevailing)
        )
    if questions.asks_dealer(rules):
        label = "Is this player the dealer?"
        yield HandQuestion("dealer", label, _yes_no_choices("dealer", is_yes=draft.deals))
    if questions.asks_players(rules):
        players = tuple(
            TapChoice(f"players:{number}", str(number), draft.players == number)
            for number in rules.seats
        )
        yield HandQuestion("players", "Players at the table", players)
    if questions.asks_goulash(rules):
        label = "Is it a goulash?"
        yield HandQuestion("goulash", label, _yes_no_choices("goulash", is_yes=draft.goulash))


def _wind_choices(name: str, chosen_wind: Wind) -> tuple[TapChoice, ...]:
    return tuple(
        TapChoice(f"{name}:{wind}", wind.label, wind is chosen_wind, wind=wind) for wind in Wind
    )


def _yes_no_choices(name: str, *, is_yes: bool) -> tuple[TapChoice, ...]:
    return TapChoice(f"{name}:yes", "Yes", is_yes), TapChoice(f"{name}:no", "No", not is_yes)


@dataclass(frozen=True, slots=True)
class TappedSeat:
    """One seat's tiles so far; ``text`` is the draft as form data."""

    seat: int
    draft: Draft
    score: DraftScore
    sets: tuple[tuple[Tile, ...], ...]

    @property
    def text(self) -> str:
        """The draft in the notation of ``scoring.building``."""
        return write_draft(self.draft)

    @property
    def total(self) -> int | None:
        """The score of the tiles, None while they are not a complete hand."""
        return self.score.total if self.score.is_whole else None

    @property
    def state(self) -> str:
        return self.score.lacking[0] if self.score.lacking else ""


def tapped_seat(seat: int, draft: Draft, rules: RuleSet) -> TappedSeat:
    bonus = (sort_tiles(draft.bonus),) if draft.bonus else ()
    sets = tuple(group.tiles for group in groups(draft, rules))
    return TappedSeat(seat, draft, tell(draft, rules), (*sets, *bonus))


def builder_at(
    previous_draft: Draft,
    play_result: PlayResult,
    other_drafts: Mapping[int, Draft],
    rules: RuleSet,
    names: Mapping[int, str],
) -> Builder:
    """The builder of one seat's hand, considering the others' tiles."""
    builder = builder_for(previous_draft, play_result, rules, tiles_used(other_drafts.values()))
    rival = winner_of(other_drafts)
    if rival is None:
        return replace(builder, table=())
    return replace(
        builder,
        table=(),
        outcome=HandQuestion(
            "won",
            MAHJONG_QUESTION,
            (
                TapChoice(TAKE_OVER_TAP, f"Mah-Jong, not {names[rival]}", is_chosen=False),
                TapChoice(NOT_MAHJONG_TAP, "Not Mah-Jong", is_chosen=True),
            ),
        ),
        aside=f"{names[rival]} has said Mah-Jong.",
    )


def builder_after(
    previous_draft: Draft, tap_answer: TapAnswer, rules: RuleSet, names: Mapping[int, str]
) -> Builder:
    """The same after taps; a second player who claims Mah-Jong reads who said it first."""
    play_result = tap_answer.result
    if tap_answer.said_first is not None:
        name = names[tap_answer.said_first]
        message = (
            f"{name} has already said Mah-Jong, and only one player can. "
            f"If it was not {name}, press “Mah-Jong, not {name}”."
        )
        play_result = replace(play_result, refusals=(*play_result.refusals, message))
    return builder_at(previous_draft, play_result, tap_answer.other_drafts, rules, names)
