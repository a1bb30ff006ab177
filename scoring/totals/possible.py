"""The possible totals of the published rule sets, reckoned beforehand: they take seconds each.

`python -m scoring.totals` writes `known.json` anew, and in `known.stamp` of which engine it is; the
tests hold both against the engine."""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from itertools import chain, islice, product
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple

from scoring.hands.hand import Hand, Kind, WonBy, join_words, set_codes
from scoring.hands.problems import Code, Problem
from scoring.hands.tiles import (
    PLAYING_TILES,
    TILE_PLACE,
    TILE_UNITS,
    WIND_TILES,
    Counts,
    Tile,
    Wind,
    count_kinds,
    counts_list,
)
from scoring.pricing.reckoning import check, score
from scoring.rules import marks
from scoring.rules.declarations import Minimum
from scoring.rules.marks import HOLDS, LAST_TILE, SET_OF
from scoring.rules.rule_set import RuleSet
from scoring.rules.shapes import Listed, Shape
from scoring.rulesets import is_published
from scoring.table.settlement import score_problems
from scoring.totals.holdings import (
    STANDS_IN_HAND,
    STANDS_ON_TABLE,
    Holdings,
    Piles,
    Questions,
    bonus_tiles,
    circumstances,
    pack_shape,
    pack_shapes,
)
from scoring.totals.tables import SettledPart, Worths, candidates, lay_out_hand, points_in

TOTALS_FILE: Final = Path(__file__).with_name("known.json")
STAMP_FILE: Final = TOTALS_FILE.with_suffix(".stamp")

Totals = tuple[int, ...]
Run = tuple[int, int, int]  # the first, the last, and the step between
KnownTotals = dict[str, dict[str, list[Run]]]
_SETS_AND_A_PAIR: Final = pack_shape([("sets", 4), ("pairs", 1)])
_SETS_AND_PAIRS_MASK: Final = pack_shape([("sets", 31), ("pairs", 31)])
_MAX_TRIES: Final = 300
_MAX_PLAYERS: Final = 4
_CACHED_TABLES: Final = 64
_LOCK: Final = Lock()


def known_totals(player: Hand, rules: RuleSet) -> Totals | None:
    """What a player told so can score; None where it was not reckoned beforehand."""
    return _stored_totals(rules.key, situation(player)) if is_published(rules) else None


def situation(player: Hand) -> str:
    """The name of all that decides which totals there are: `Mah-Jong, S of E, 4 play, goulash`."""
    outcome = "Mah-Jong" if player.mahjong else "other"
    winds = f"{player.seat_wind} of {player.prevailing_wind or 'none'}"
    parts = [outcome, winds, f"{player.players} play"]
    return ", ".join(parts + ["goulash"] * player.goulash + ["dealer"] * player.dealer)


def fold_totals(totals: Totals) -> list[Run]:
    """Runs of the same step: 20, 22, 24, 28 is (20, 24, 2), (28, 28, 1)."""
    runs: list[Run] = []
    for total in totals:
        first, last, step = runs[-1] if runs else (total, total, 0)
        if runs and (first == last or total - last == step):
            runs[-1] = first, total, total - last
        else:
            runs.append((total, total, 1))
    return runs


@cache
def _stored_totals(key: str, name: str) -> Totals | None:
    runs = _read_known_totals().get(key, {}).get(name)
    if runs is None:
        return None
    return tuple(total for first, last, step in runs for total in range(first, last + 1, step))


@cache
def _read_known_totals() -> KnownTotals:
    stored_totals: KnownTotals = json.loads(TOTALS_FILE.read_text(encoding="utf-8"))
    return stored_totals


def special_hands(player: Hand, rules: RuleSet) -> Iterator[Hand]:
    """Hands of special value; ``player`` has the winds, the players, and whether it won."""
    worths = Worths(rules, won=player.mahjong)
    hand_circumstances = circumstances(player, worths.questions)
    bonus = bonus_tiles(player, rules, worths.questions)
    hands: list[Hand] = []
    for form in rules.book.loose_forms:
        if player.mahjong:
            hands.append(Hand(concealed=_tiles_of_counts(example_of_shape(form.shape))))
        elif form.special.fishing:
            counts = example_of_shape(form.shape)
            units = zip(counts_list(counts), TILE_UNITS, strict=True)
            short_counts = (counts - unit for count, unit in units if count)
            hands.append(
                Hand(
                    concealed=_tiles_of_counts(
                        next(filter(form.shape.lacks_one_tile, short_counts))
                    )
                )
            )
    if not player.mahjong:
        hands += _hands_one_short(player, rules)
    for hand in hands:
        seen_parts: set[tuple[SettledPart, int, WonBy | None]] = set()
        for circumstance, tiles in product(hand_circumstances, bonus):
            settled_case = (
                worths.beside_sets(circumstance.flags | tiles.flags),
                tiles.points,
                circumstance.hand.won_by,
            )
            if settled_case not in seen_parts:
                seen_parts.add(settled_case)
                yield _apply_circumstances(hand, replace(circumstance.hand, bonus=tiles.tiles))


def _apply_circumstances(hand: Hand, player: Hand) -> Hand:
    """The hand's tiles, told and won so; its last tile is one that it holds fewest of."""
    tiles = hand.concealed
    last = min(tiles, key=tiles.count) if player.mahjong else None
    if player.winning_tile in tiles:
        last = player.winning_tile
    return replace(player, sets=hand.sets, concealed=tiles, winning_tile=last)


def example_of_shape(shape: Shape) -> Counts:
    """Fourteen tiles of the shape, different ones where they can be."""
    if isinstance(shape, Listed):
        return max(sorted(shape.hands), key=count_kinds)
    tiles, lacking = 0, shape.tiles_short(0)
    while lacking:
        units = sorted(zip(counts_list(tiles), TILE_UNITS, strict=True))
        nearer = (tiles + unit for count, unit in units if count < 4)
        tiles = next(new_counts for new_counts in nearer if shape.tiles_short(new_counts) < lacking)
        lacking -= 1
    return tiles


def _tiles_of_counts(counts: Counts) -> tuple[Tile, ...]:
    numbers = zip(PLAYING_TILES, counts_list(counts), strict=True)
    return tuple(tile for tile, count in numbers for _copy in range(count))


def _hands_one_short(player: Hand, rules: RuleSet) -> Iterator[Hand]:
    """For each special hand of pungs the cheapest that lacks a tile of the pair."""
    forms = [
        form for form in rules.book.set_forms if form.special.of_pungs and form.special.fishing
    ]
    if not forms:
        return
    questions = Questions(forms)
    prices = rules.book.prices(player.seat_wind, player.prevailing_wind)
    room = {"sets": range(5), "pairs": range(2)} | dict.fromkeys(questions.counts, range(5))
    holdings = Holdings(
        prices, questions, room, STANDS_IN_HAND + STANDS_ON_TABLE, (), singles=False
    )
    piles = Piles(holdings.steps(0), pack_shapes(**room), questions)
    outside = questions.of_circumstances(marks.of_circumstances(player))
    for number in range(len(forms)):
        entries = [
            entry
            for entry in piles.table
            if entry.shape & _SETS_AND_PAIRS_MASK == _SETS_AND_A_PAIR
            and number
            in questions.met_numbers(entry.flags | questions.count_flags(entry.shape) | outside)
        ]
        if entries:
            entry = min(entries, key=lambda entry: entry.doubles)
            pieces = piles.laid_out(entry, next(points_in(piles.table[entry])))
            full_hand = lay_out_hand(Hand(), [(piece, piece.places[0]) for piece in pieces])
            pair = next(
                tile for tile in full_hand.concealed if full_hand.concealed.count(tile) == 2
            )
            remaining_tiles = list(full_hand.concealed)
            remaining_tiles.remove(pair)
            yield replace(full_hand, concealed=tuple(remaining_tiles))


def possible_totals(
    rules: RuleSet,
    *,
    won: bool,
    seat_wind: Wind,
    prevailing_wind: Wind | None = None,
    players: int = 4,
    goulash: bool = False,
    dealer: bool | None = None,
) -> Totals:
    """Every total, in points after the limit, that a player of that wind can score; in order.

    `won`: a Mah-Jong, or the hand of another player. `dealer`: None, whether the seat is East.
    """
    if not won and not rules.losers_score:
        return (0,)
    player = _player_without_tiles(rules, seat_wind, prevailing_wind, dealer=dealer)
    player = representative_player(
        replace(player, mahjong=won, players=players, goulash=goulash), rules
    )
    stored_totals = known_totals(player, rules)
    return reckon_totals(player, rules) if stored_totals is None else stored_totals


def representative_player(player: Hand, rules: RuleSet) -> Hand:
    """The player, told without tiles, who scores just what this one does: many are alike.

    Most rules know only own and prevailing winds: East stays East, and everyone else is taken for
    South. A table is taken for the fullest at which the same hands are allowed.
    """
    player = replace(player, players=_fullest_table(player, rules))
    if not _are_winds_alike(rules):
        return player
    seat = Wind.E if player.seat_wind is Wind.E else Wind.S
    prevailing = player.prevailing_wind
    if prevailing is not None:
        other_wind = Wind.S if seat is Wind.E else Wind.E
        prevailing = seat if prevailing is player.seat_wind else other_wind
    return replace(player, seat_wind=seat, prevailing_wind=prevailing)


def witness(
    total: int,
    rules: RuleSet,
    *,
    won: bool,
    seat_wind: Wind,
    prevailing_wind: Wind | None = None,
    players: int = 4,
    goulash: bool = False,
    dealer: bool | None = None,
) -> Hand | None:
    """A hand that scores just so many points; None where there is none.

    A hand that did not win may be short of tiles: what would score nothing is left out.
    """
    player = _player_without_tiles(rules, seat_wind, prevailing_wind, dealer=dealer)
    player = replace(player, mahjong=won, players=players, goulash=goulash)
    if not won and not rules.losers_score:
        return None if total else player
    return _witnesses(player, rules).get(total)


def nearest(total: int, totals: Totals) -> tuple[int | None, int | None]:
    """The greatest possible total below and the least above; None where there is none."""
    index_below, index_above = bisect_left(totals, total), bisect_right(totals, total)
    return (
        totals[index_below - 1] if index_below else None,
        totals[index_above] if index_above < len(totals) else None,
    )


def _player_without_tiles(
    rules: RuleSet, seat: Wind, prevailing: Wind | None, *, dealer: bool | None
) -> Hand:
    """A hand without tiles, as its table tells of it."""
    return Hand(
        seat_wind=seat,
        prevailing_wind=prevailing if rules.passing.prevailing else None,
        dealer=seat is Wind.E if dealer is None else dealer,
    )


def reckon_totals(player: Hand, rules: RuleSet) -> Totals:
    """What a player told so can score, from the tables of all hands: it takes seconds."""
    return tuple(_witnesses(player, rules))


def _fullest_table(player: Hand, rules: RuleSet) -> int:
    def allowance(players: int) -> tuple[int, Minimum | None]:
        least = rules.minimum_for(players) if player.mahjong else None
        return rules.chows.max_chows(players, goulash=player.goulash), least

    own_allowance, most = allowance(player.players), max(_MAX_PLAYERS, player.players)
    return max(
        players
        for players in range(player.players, most + 1)
        if allowance(players) == own_allowance
    )


@lru_cache(_CACHED_TABLES)
def _are_winds_alike(rules: RuleSet) -> bool:
    """Whether no rule names one of the winds and not the others."""
    questions = [
        question
        for won in (False, True)
        for question in Worths(rules, won=won).questions.conditions
    ]
    of_winds = [[of_tile[tile] for tile in WIND_TILES] for of_tile in (HOLDS, SET_OF, LAST_TILE)]
    sets = rules.book.prices(Wind.E, None).sets
    other_places = [TILE_PLACE[tile] for tile in WIND_TILES[1:]]
    return all(
        len({(bool(mask & mark), bool(want & mark)) for mark in marks}) == 1
        for mask, want in questions
        for marks in of_winds
    ) and all(
        len({sets[set_codes(kind, exposed=exposed)[place]][:2] for place in other_places}) == 1
        for kind, exposed in product((Kind.PAIR, Kind.PUNG, Kind.KONG), (False, True))
    )


def _witnesses(player: Hand, rules: RuleSet) -> dict[int, Hand]:
    """For every total that such a player can score, in order, a hand that does.

    The first answer takes seconds: threads that ask meanwhile wait for it instead of working too.
    """
    with _LOCK:
        return _reckon_witnesses(player, rules)


@lru_cache(_CACHED_TABLES)
def _reckon_witnesses(player: Hand, rules: RuleSet) -> dict[int, Hand]:
    by_total: dict[int, Hand] = {}
    for hand in special_hands(player, rules):
        _note_score(hand, rules, by_total)
    for table in candidates(player, rules):
        for total in table.totals:
            for hand in islice(table.hands(total), _MAX_TRIES):
                if total in by_total:
                    break
                _note_score(hand, rules, by_total)
    return dict(sorted(by_total.items()))


def _note_score(hand: Hand, rules: RuleSet, by_total: dict[int, Hand]) -> None:
    """Note what the hand scores, if it is one."""
    if not check(hand, rules):
        by_total.setdefault(score(hand, rules).total, hand)


def check_totals(
    scores: Mapping[Wind, int | None],
    *,
    winner: Wind | None,
    rules: RuleSet,
    prevailing_wind: Wind | None = None,
    goulash: bool | None = None,
    dealer: Wind | None = None,
) -> list[Problem]:
    """Everything wrong with the totals of a hand (points after the limit), field by field.

    A drawn hand (`winner` None) has no scores. What is not known (None) of the prevailing wind and
    of a goulash may have been either; `dealer` is East where nothing else is said.
    """
    if winner is None:
        return [
            _bad_score_problem(wind, str(points), "has no place in a drawn hand; nobody scores")
            for wind, points in scores.items()
            if points
        ]
    missing = [
        _bad_score_problem(wind, "Nothing", "was entered here; a hand without points scores 0")
        for wind, points in scores.items()
        if points is None
    ]
    entered_scores = {wind: points for wind, points in scores.items() if points is not None}
    unscored_problems = list(score_problems(entered_scores, rules))
    bad = {problem.path for problem in unscored_problems}
    table = PlayedTable(rules, len(scores), winner, prevailing_wind, goulash, dealer or Wind.E)
    problems = [
        *missing,
        *unscored_problems,
        *(
            problem
            for wind, points in entered_scores.items()
            if f"scores.{wind}" not in bad
            for problem in table.problems(wind, points)
        ),
    ]
    if winner not in scores:
        params = {"found": winner.label, "expected": "in play"}
        problems.append(Problem(Code.BAD_SEAT, "winner", params))
    return problems


class PlayedTable(NamedTuple):
    """What is known of the hand that was played."""

    rules: RuleSet
    players: int
    winner: Wind
    prevailing_wind: Wind | None
    goulash: bool | None
    dealer: Wind

    def problems(self, wind: Wind, points: int) -> Iterator[Problem]:
        """That this player cannot have scored so much, if so."""
        if wind != self.winner and not self.rules.losers_score:
            if points:
                reason = f"has no place here: under {self.rules.name} the winner alone scores"
                yield _bad_score_problem(wind, str(points), reason)
        elif not any(points in totals for totals in self._totals(wind)):
            all_totals = tuple(sorted({*chain.from_iterable(self._totals(wind))}))
            nearest_totals = join_words(
                str(total) for total in nearest(points, all_totals) if total is not None
            )
            player_label = f"{wind.label} going Mah-Jong" if wind == self.winner else wind.label
            prevailing = self.prevailing_wind if self.rules.passing.prevailing else None
            round_text = f" in the {prevailing.label} round" if prevailing else ""
            reason = (
                f"cannot be scored under {self.rules.name} by {player_label}{round_text}; "
                f"{nearest_totals} can"
            )
            yield _bad_score_problem(wind, str(points), reason)

    def _totals(self, wind: Wind) -> Iterator[Totals]:
        """What the player can score, as far as it is known what prevails."""
        winds, goulashes = [self.prevailing_wind], [bool(self.goulash)]
        if self.rules.passing.prevailing and self.prevailing_wind is None:
            winds = list(Wind)
        if self.rules.passing.goulash_after_a_draw and self.goulash is None:
            goulashes = [False, True]
        for goulash, prevailing in product(goulashes, winds):
            yield possible_totals(
                self.rules,
                won=wind == self.winner,
                seat_wind=wind,
                prevailing_wind=prevailing,
                players=self.players,
                goulash=goulash,
                dealer=wind == self.dealer,
            )


def _bad_score_problem(wind: Wind, value: str, reason: str) -> Problem:
    return Problem(Code.BAD_SCORE, f"scores.{wind}", {"found": value, "reason": reason})
