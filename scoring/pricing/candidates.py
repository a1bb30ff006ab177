"""A hand laid out, and every way to score it where its points are doubled."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scoring.hands.hand import Hand, TileSet
from scoring.hands.tiles import Counts
from scoring.reading.checking import is_for_special_hands
from scoring.reading.layouts import (
    CutLayout,
    concealed_counts,
    irregular_layouts,
    is_only_tile,
    loose_tiles,
    one_short_layouts,
    standing_layouts,
)
from scoring.rules import marks
from scoring.rules.declarations import SpecialHand, Value
from scoring.rules.prices import Line
from scoring.rules.rule_set import RuleSet
from scoring.rules.verdicts import DoubledForm, Doubling, Verdict

_PUNG_SIZE = 3


class Tally(NamedTuple):
    """A hand laid out in one way: its sets with their points and doubles, and what holds for it.

    `groups` are the sets that the tiles in the hand are read as.
    """

    points: int
    doubles: int
    verdict: Verdict
    point_lines: tuple[Line, ...]
    double_lines: tuple[Line, ...]
    groups: tuple[TileSet, ...]


class Candidate(NamedTuple):
    """A way to score a hand: `(points << doubles) + value + beside`, before the limit.

    `special` is None for the ordinary score; `value` is that of a special hand which has one.
    """

    uncapped_points: int
    points: int
    doubles: int
    tally: Tally
    special: SpecialHand | Doubling | None = None
    value: int = 0
    fishing: bool = False


class Player:
    """One player's hand about to be counted: what holds however its tiles are laid out."""

    __slots__ = (
        *("hand", "rules", "book", "counts", "prices", "verdicts"),
        *("bonus_points", "circumstances", "occasion", "table", "_loose"),
    )

    def __init__(self, hand: Hand, rules: RuleSet, counts: Counts | None = None) -> None:
        """`counts`: the tiles in the hand, where they have been counted already."""
        self.hand = hand
        self.rules = rules
        self.counts = concealed_counts(hand) if counts is None else counts
        self.book = book = rules.book
        self.prices = prices = book.prices(hand.seat_wind, hand.prevailing_wind)
        self.verdicts = book.won if hand.mahjong else book.lost
        bonus = hand.bonus and rules.bonus_points
        self.bonus_points = bonus.points * len(hand.bonus) if bonus else 0
        circumstances = marks.of_circumstances(hand)
        if hand.mahjong and book.asks & marks.ONLY_TILE and is_only_tile(hand, rules, self.counts):
            circumstances |= marks.ONLY_TILE
        self.circumstances = circumstances
        self.occasion = self.verdicts.by_circumstances[circumstances & self.verdicts.asked_marks]
        points = doubles = word = 0
        lines: tuple[Line, ...] = ()
        lines_twice: tuple[Line, ...] = ()
        for group in hand.sets:
            price = prices.sets[group.code]
            its_points, its_doubles, _marks, its_lines, its_twice, its_word, _group = price
            points += its_points
            doubles += its_doubles
            word |= its_word
            lines += its_lines
            lines_twice += its_twice
        self.table = points, doubles, word, lines, lines_twice
        self._loose: Tally | None = None

    def tally(self, layout: CutLayout, extra_word: int = 0) -> Tally:
        """The hand laid out so; `more`: the word of what stands in no set."""
        points, doubles, word, lines, lines_twice = self.table
        word |= extra_word
        groups: tuple[TileSet, ...] = ()
        for its_points, its_doubles, its_word, _shape, its_lines, its_twice, its_groups in layout:
            points += its_points
            doubles += its_doubles
            word |= its_word
            lines += its_lines
            lines_twice += its_twice
            groups += its_groups
        verdicts = self.verdicts
        verdict = verdicts[self.occasion & verdicts.by_word[word]]
        return Tally(points, doubles, verdict, lines, lines_twice, groups)

    def verdict_with(self, codes: Iterable[int]) -> Verdict:
        """What holds for the sets on the table together with these."""
        word, prices = self.table[2], self.prices.sets
        for code in codes:
            word |= prices[code].word
        return self.verdicts[self.occasion & self.verdicts.by_word[word]]

    def standing_tallies(self) -> list[Tally]:
        """A loser's hand in every way that may be best.

        What stands in no set is held all the same.
        """
        layouts = standing_layouts(self.hand, self.rules, self.prices, self.counts)
        extra_word = self._tiles_word() if self.verdicts.ask_of_tiles else 0
        return [self.tally(layout, extra_word) for layout in layouts]

    def loose_tally(self) -> Tally:
        """A hand that is neither sets and a pair nor counted as such."""
        if self._loose is None:
            tile_words = self.book.tile_words
            word = self.book.loose_word | self._tiles_word()
            for group in self.hand.sets:
                for tile in group.stands_for:
                    word |= tile_words[tile]
            verdict = self.verdicts[self.occasion & self.verdicts.by_word[word]]
            self._loose = Tally(0, 0, verdict, (), (), ())
        return self._loose

    def _tiles_word(self) -> int:
        tile_words, word = self.book.tile_words, 0
        for tile in self.hand.concealed:
            word |= tile_words[tile]
        return word

    def in_no_pungs(self, loose: Sequence[SpecialHand]) -> bool:
        """Whether no tiles of these hands of other shapes stand together as a pung."""
        return all(shape and shape.most_alike < _PUNG_SIZE for shape in map(self.book.shape, loose))

    def irregular_tallies(self, special: SpecialHand) -> list[Tally]:
        """A winner's hand of that special hand's own shape, counted by what stands in it."""
        shape = self.book.shape(special)
        if shape is None:
            return []
        layouts = irregular_layouts(self.hand, self.rules, self.prices, shape)
        extra_word = self.book.loose_word | self._tiles_word()
        return [self.tally(layout, extra_word) for layout in layouts]

    def loose_forms(self) -> list[SpecialHand]:
        """The special hands of a shape of their own that a winner's hand is."""
        if (counts := loose_tiles(self.hand, self.counts)) is None:
            return []
        places = self.book.loose_shapes.complete_shapes(counts)
        return self._loose_specials(places) if places else []

    def loose_forms_near(self) -> list[SpecialHand]:
        """Those that one tile more would make of thirteen."""
        if (counts := loose_tiles(self.hand, self.counts)) is None:
            return []
        places = self.book.loose_shapes.shapes_lacking_one(counts)
        return self._loose_specials(places) if places else []

    def _loose_specials(self, places: Sequence[int]) -> list[SpecialHand]:
        """Those of these hands that allow how the hand was won."""
        forms, possible = self.book.loose_forms, self.loose_tally().verdict.loose
        return [forms[place].special for place in places if forms[place] in possible]

    def ordinary(self, tally: Tally) -> Candidate:
        """Everything counted as the rules count an ordinary hand."""
        points, doubles, verdict, _lines, _lines_twice, _groups = tally
        points += self.bonus_points + verdict.points
        doubles += verdict.doubles
        return Candidate(points << doubles, points, doubles, tally)

    def fixed(
        self, special: SpecialHand, value: Value, tally: Tally, *, fishing: bool = False
    ) -> Candidate:
        """The special hand's value, and its bonus tiles where they are counted beside it."""
        worth = value.points(self.rules.limit)
        points = worth + self._bonus_tile_points(tally.verdict)
        return Candidate(points, 0, 0, tally, special, worth, fishing)

    def doubled_hand(self, doubling: Doubling, tally: Tally) -> Candidate:
        """The hand's own points doubled, and its bonus tiles counted beside them."""
        own_points = tally.points + doubling.points
        doubles = doubling.form.special.doubles + tally.verdict.through_doubles
        uncapped_points = (own_points << doubles) + self._bonus_tile_points(tally.verdict)
        return Candidate(
            uncapped_points, own_points, doubles, tally, doubling, 0, not self.hand.mahjong
        )

    def special_ways(self, tally: Tally) -> list[Candidate]:
        """The special hands that a winner's hand laid out so is, but those of another shape."""
        verdict = tally.verdict
        fixed = [self.fixed(special, special.value, tally) for special in verdict.specials]
        return fixed + [self.doubled_hand(doubling, tally) for doubling in verdict.doublings]

    def capped_total(self, candidate: Candidate) -> int:
        """What the hand scores in that way, or its limit where that is more."""
        special = candidate.special is not None
        return self.rules.cap_points(
            candidate.uncapped_points, won=self.hand.mahjong, special=special
        )

    def bonus_lines(self) -> tuple[Line, ...]:
        """The line of each flower and season."""
        lines = self.book.bonus_lines
        return tuple(map(lines.__getitem__, self.hand.bonus))

    def _bonus_tile_points(self, verdict: Verdict) -> int:
        """What the bonus tiles beside a special hand come to."""
        is_bonus_added = self.rules.bonus_tiles_beside
        return self.bonus_points << verdict.bonus_doubles if is_bonus_added else 0


def won_candidates(
    player: Player, layouts: Sequence[CutLayout], loose: Sequence[SpecialHand]
) -> list[Candidate]:
    """Every way to score a Mah-Jong: special hands first, then the ordinary score.

    `layouts` are the ways in which it is sets and a pair, `loose` the hands of another shape that
    it is.
    """
    candidates: list[Candidate] = []
    ordinary: list[Candidate] = []
    loose_tally = player.loose_tally() if loose else None
    if loose_tally:
        candidates += [player.fixed(special, special.value, loose_tally) for special in loose]
    for layout in layouts:
        tally = player.tally(layout)
        if tally.verdict.is_special:
            candidates += player.special_ways(tally)
        ordinary.append(player.ordinary(tally))
    if loose_tally:
        candidates += player.special_ways(loose_tally)
        if not layouts and player.rules.face_of_any_shape:
            irregular = (tally for special in loose for tally in player.irregular_tallies(special))
            ordinary += map(player.ordinary, irregular)
    if is_for_special_hands(player.hand, player.rules):
        return candidates
    return candidates + ordinary if candidates else ordinary


def standing_candidates(player: Player) -> list[Candidate]:
    """Every way to score the hand of a player who did not win: special hands first."""
    if not player.rules.losers_score:
        return [Candidate(0, 0, 0, player.tally(()))]
    tallies = player.standing_tallies()
    several = [player.ordinary(tally) for tally in tallies]
    ordinary = (
        several[0]
        if len(several) == 1
        else max(several, key=lambda candidate: candidate.uncapped_points)
    )
    candidates = [
        player.fixed(standing_form.special, standing_form.value, form_tallies[0])
        for standing_form in player.book.standing_forms
        if (form_tallies := [tally for tally in tallies if standing_form in tally.verdict.standing])
    ]
    for form in fishing_specials(player):
        if isinstance(form, DoubledForm):
            if not form.special.winner_only:
                for tally in tallies:
                    verdict = tally.verdict
                    doubling = Doubling(form, verdict.points, verdict.point_lines)
                    candidates.append(player.doubled_hand(doubling, tally))
        elif form.fishing is not None:
            candidates.append(player.fixed(form, form.fishing, ordinary.tally, fishing=True))
    candidates.append(ordinary)
    return candidates


def fishing_specials(player: Player) -> list[SpecialHand | DoubledForm]:
    """The special hands that one tile more would make of the hand of a player who did not win."""
    hand, book = player.hand, player.book
    if hand.size != 13:
        return []
    layouts = one_short_layouts(hand, player.rules, player.counts)
    if not layouts:
        return [*player.loose_forms_near()]
    verdicts = [player.verdict_with(layout) for layout in layouts]
    special_hands = [
        special for verdict in verdicts for special in verdict.specials if special.of_pungs
    ]
    if len(verdicts) > 1 and special_hands:
        special_hands = [form.special for form in book.set_forms if form.special in special_hands]
    doubled_forms = [doubling.form for verdict in verdicts for doubling in verdict.doublings]
    if len(verdicts) > 1 and doubled_forms:
        doubled_forms = [form for form in book.doubled_forms if form in doubled_forms]
    return [*special_hands, *player.loose_forms_near(), *doubled_forms]
