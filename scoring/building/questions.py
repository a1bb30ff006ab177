"""What is asked of a draft beside its tiles: only what can matter under these rules."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from scoring.building.draft import Draft, without_jokers
from scoring.hands.hand import CLAIMS, Fact, Hand, Kind, WonBy
from scoring.hands.tiles import Tile, Wind, in_order
from scoring.rules import marks
from scoring.rules.conditions import HandCondition
from scoring.rules.declarations import Double, DoubledHand, Points, SpecialHand
from scoring.rules.rule_set import RuleSet
from scoring.table.progression import Deal

WAY_WORDS: Final = {
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
FACT_WORDS: Final = {
    Fact.ORIGINAL_CALL: "Original call",
    Fact.TWOFOLD_FORTUNE: "A kong's loose tile made the second kong",
    Fact.ONLY_POSSIBLE_TILE: "It was the only tile that could complete the hand",
    Fact.NOT_ONLY_POSSIBLE_TILE: "Another tile could have completed it",
    Fact.THIRTEENTH_WIN: "The thirteenth Mah-Jong in a row",
}
_OF_THE_LAST_TILE: Final = frozenset({Fact.ONLY_POSSIBLE_TILE, Fact.NOT_ONLY_POSSIBLE_TILE})
_OF_EVERY_WAY: Final = sum(marks.WON_BY.values())
_TURN_OF_OTHERS: Final = frozenset({WonBy.FIRST_DISCARD, WonBy.FIRST_DRAW})


def asks_prevailing(rules: RuleSet) -> bool:
    """Whether a wind prevails under these rules."""
    return rules.passing.prevailing


def asks_dealer(rules: RuleSet) -> bool:
    """Whether it matters who deals, and that need not be East."""
    return bool(_asked_of_a_winner(rules) & marks.DEALER)


def asks_goulash(rules: RuleSet) -> bool:
    """Whether a goulash is played after a drawn hand."""
    return rules.passing.goulash_after_a_draw


def asks_players(rules: RuleSet) -> bool:
    """Whether it matters how many play."""
    return rules.chows.players is not None or rules.minimum is not None


def ways(draft: Draft, rules: RuleSet) -> tuple[WonBy, ...]:
    """The ways to win that the rules tell apart and that this draft allows."""
    marks_asked = _asked_of_a_winner(rules)
    return tuple(
        way
        for way in WAY_WORDS
        if _could_be(way, draft)
        and (way is _plain(way) or (_of(way) ^ _of(_plain(way))) & marks_asked)
    )


def _plain(way: WonBy) -> WonBy:
    return WonBy.DISCARD if way in CLAIMS else WonBy.WALL


def _of(way: WonBy) -> int:
    return marks.of_circumstances(Hand(mahjong=True, won_by=way))


def _could_be(way: WonBy, draft: Draft) -> bool:
    if way is WonBy.LOOSE_TILE:
        return bool(draft.kongs or draft.bonus)
    if way is WonBy.DEALT:
        return draft.deals
    return way not in _TURN_OF_OTHERS or not draft.deals


def last_tiles(draft: Draft, rules: RuleSet) -> tuple[Tile, ...]:
    """The tiles of which one came last; none where it does not matter which."""
    if not draft.won or draft.way is None or draft.way is WonBy.DEALT:
        return ()
    if not draft.claimed and not _drawn_tile_matters(draft, rules):
        return ()
    # What may have been claimed last to complete a set that is laid out as exposed.
    groups = [group for group in draft.table if group.exposed and group.kind is not Kind.KONG]
    claimed_to_the_table = (
        {tile for group in groups for tile in group.stands_for} if draft.claimed else set()
    )
    return in_order({*draft.tiles} | claimed_to_the_table)


def _drawn_tile_matters(draft: Draft, rules: RuleSet) -> bool:
    if rules.adding or _asked_of_a_winner(rules) & marks.ONLY_TILE:
        return True
    known = _of(draft.way or WonBy.WALL)
    marks_held = 0
    for tile in draft.tiles:
        marks_held |= marks.LAST_TILE[tile]
    return any(
        when.all_of & marks_held and not when.all_of & _OF_EVERY_WAY & ~known
        for when in _conditions(rules)
    )


def last_tile(draft: Draft, rules: RuleSet) -> Tile | None:
    """The tile that came last, where it is told and matters."""
    return draft.last if draft.last in last_tiles(draft, rules) else None


def facts(draft: Draft, rules: RuleSet) -> tuple[Fact, ...]:
    """What only the table can say and the rules ask of such a hand."""
    marks_asked = _asked_of_a_winner(rules) if draft.won else _asked_of_a_loser(rules)
    return tuple(fact for fact in FACT_WORDS if _is_asked(fact, marks_asked, draft, rules))


def _is_asked(fact: Fact, marks_asked: int, draft: Draft, rules: RuleSet) -> bool:
    if fact in _OF_THE_LAST_TILE:
        return bool(marks_asked & marks.ONLY_TILE and last_tile(draft, rules))
    if fact is Fact.TWOFOLD_FORTUNE and not (draft.kongs >= 2 and draft.way is WonBy.LOOSE_TILE):
        return False
    return bool(marks_asked & marks.FACT[fact])


def _asked_of_a_winner(rules: RuleSet) -> int:
    """Every mark that some line asks of a winner's hand."""
    mask = 0
    for when in _conditions(rules):
        mask |= when.all_of | when.none_of
    return mask


def _conditions(rules: RuleSet) -> Iterator[HandCondition]:
    lines: tuple[Points | Double | DoubledHand | SpecialHand, ...]
    lines = (*rules.points, *rules.doubles, *rules.doubled_hands, *rules.specials)
    last = [rules.adding.last_tile.when] if rules.adding else []
    for when in (*(line.when for line in lines), *last):
        played = when.parts(rules.choice)
        if played is not None:
            yield played


def _asked_of_a_loser(rules: RuleSet) -> int:
    mask = 0
    for worth in rules.book.doubles_standing if rules.losers_score else ():
        mask |= worth.mask
    return mask


def fitted(draft: Draft, rules: RuleSet) -> Draft:
    """The draft with only what exists under these rules: tiles, players, ways to win, facts."""
    goulash = draft.goulash and asks_goulash(rules)
    fits = draft if goulash and rules.jokers else without_jokers(draft)
    fits = replace(
        fits,
        goulash=goulash,
        bonus=draft.bonus if rules.bonus_points else (),
        players=draft.players if draft.players in rules.seats else max(rules.seats),
        dealer=draft.dealer if asks_dealer(rules) else None,
    )
    way = fits.way if fits.way is None or fits.way in ways(fits, rules) else _plain(fits.way)
    fits = replace(fits, way=way)
    return replace(fits, facts=fits.facts & {*facts(fits, rules)})


def seated(draft: Draft, seat: int, deal: Deal, rules: RuleSet) -> Draft:
    """The draft as that seat's hand of that deal; the seat must play it."""
    at_table = replace(
        draft,
        seat=deal.winds[seat],
        prevailing=deal.prevailing_wind or Wind.E,
        dealer=seat == deal.dealer,
        players=len(deal.winds),
        goulash=deal.goulash,
    )
    return fitted(at_table, rules)


def used_by(drafts: Iterable[Draft]) -> Counter[Tile]:
    """How many of each tile these hands hold together."""
    used: Counter[Tile] = Counter()
    for draft in drafts:
        used += draft.held
    return used


def drafted(hand: Hand) -> Draft:
    """The draft that a hand was told by; `to_hand` makes the same hand of it again."""
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
        way=hand.won_by,
        last=hand.winning_tile,
        facts=hand.facts,
    )
