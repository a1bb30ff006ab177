"""What a hand scores: every way to score it, the best of them, and each line of its score."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product
from json import dumps
from typing import Final, NamedTuple

from scoring.hands.hand import EXPOSED_FROM, Hand, Kind, TileSet, quantity, set_codes, set_of
from scoring.hands.problems import BadHand, Code, Problem
from scoring.hands.tiles import Counts, Tile, one_of_each
from scoring.reading.checking import (
    chow_problem,
    hand_problems,
    is_for_special_hands,
    mixed_suit_problems,
    sound_counts,
    unreadable_problems,
)
from scoring.reading.layouts import (
    CutLayout,
    codes_of_sets,
    concealed_counts,
    irregular_layouts,
    is_only_tile,
    loose_tiles,
    one_short_layouts,
    standing_layouts,
    take_up_sets,
    won_layouts,
)
from scoring.rules import marks
from scoring.rules.declarations import Adding, ChowDragon, Minimum, SpecialHand, Value
from scoring.rules.prices import Line, lines_total
from scoring.rules.rule_set import RuleSet
from scoring.rules.verdicts import DoubledForm, Doubling, Verdict
from scoring.table.contradictions import contradictions

_PUNG_SIZE = 3
_JSON_BOOLEANS: Final = ("false", "true")
LineSequence = Sequence[Line]

_THIRDS: Final = tuple(
    frozenset(
        code
        for exposed in (False, True)
        for code in set_codes(Kind.CHOW, exposed=exposed)
        if set_of(code).tile[1] == lowest
    )
    for lowest in "147"
)
_CHOW_CODES: Final = frozenset[int]().union(*_THIRDS)
_THIRDS_IN_HAND: Final = [
    (code, set_of(code).counts) for code in sorted(_CHOW_CODES) if code < EXPOSED_FROM
]


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

    uncapped: int
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
            its_points, twice, _marks, its_lines, its_twice, its_word, _group = price
            points += its_points
            doubles += twice
            word |= its_word
            lines += its_lines
            lines_twice += its_twice
        self.table = points, doubles, word, lines, lines_twice
        self._loose: Tally | None = None

    def tally(self, layout: CutLayout, more: int = 0) -> Tally:
        """The hand laid out so; `more`: the word of what stands in no set."""
        points, doubles, word, lines, lines_twice = self.table
        word |= more
        groups: tuple[TileSet, ...] = ()
        for its_points, twice, its_word, _shape, its_lines, its_twice, its_groups in layout:
            points += its_points
            doubles += twice
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
        more = self._tiles_word() if self.verdicts.ask_of_tiles else 0
        return [self.tally(layout, more) for layout in layouts]

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
        more = self.book.loose_word | self._tiles_word()
        return [self.tally(layout, more) for layout in layouts]

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
        places = self.book.loose_shapes.near(counts)
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

    def doubled(self, twice: Doubling, tally: Tally) -> Candidate:
        """The hand's own points doubled, and its bonus tiles counted beside them."""
        own_points = tally.points + twice.points
        doubles = twice.form.special.doubles + tally.verdict.through
        uncapped = (own_points << doubles) + self._bonus_tile_points(tally.verdict)
        return Candidate(uncapped, own_points, doubles, tally, twice, 0, not self.hand.mahjong)

    def special_ways(self, tally: Tally) -> list[Candidate]:
        """The special hands that a winner's hand laid out so is, but those of another shape."""
        verdict = tally.verdict
        fixed = [self.fixed(special, special.value, tally) for special in verdict.specials]
        return fixed + [self.doubled(twice, tally) for twice in verdict.doubled]

    def capped(self, candidate: Candidate) -> int:
        """What the hand scores in that way, or its limit where that is more."""
        special = candidate.special is not None
        return self.rules.capped(candidate.uncapped, won=self.hand.mahjong, special=special)

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
        several[0] if len(several) == 1 else max(several, key=lambda candidate: candidate.uncapped)
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
                    candidates.append(player.doubled(doubling, tally))
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
    completed = [player.verdict_with(layout) for layout in layouts]
    special_hands = [
        special for verdict in completed for special in verdict.specials if special.of_pungs
    ]
    if len(completed) > 1 and special_hands:
        special_hands = [form.special for form in book.set_forms if form.special in special_hands]
    doubled = [twice.form for verdict in completed for twice in verdict.doubled]
    if len(completed) > 1 and doubled:
        doubled = [form for form in book.doubled_forms if form in doubled]
    return [*special_hands, *player.loose_forms_near(), *doubled]


class Sum(NamedTuple):
    """One way to add a hand up: points, the special hand named, the lines, the sets in the hand.

    `unknown_part`: the last tile completed a part that would count again, and nobody said which.
    """

    points: int
    special: str | None
    lines: tuple[Line, ...]
    groups: tuple[TileSet, ...]
    unknown_part: bool = False


class WholePart(NamedTuple):
    """What the last tile may have made whole: a set, a dragon of chows, a hand of another shape."""

    points: int
    tiles: tuple[Tile, ...]


class WholeHandScore(NamedTuple):
    """What scores for the hand as a whole, and the special hand that it is named, if any."""

    lines: LineSequence = ()
    special: str | None = None


def every_sum(
    hand: Hand, rules: RuleSet, adding: Adding, counts: Counts | None = None
) -> Iterator[Sum]:
    """Every way to add the hand up that could be the best; none for what is no Mah-Jong.

    `counts`: the tiles in the hand, where they have been counted already.
    """
    if not hand.mahjong and not rules.losers_score:
        yield Sum(0, None, (), ())
        return
    adder = Adder(hand, rules, adding, counts)
    yield from adder.won() if hand.mahjong else adder.standing()


class Adder:
    """One player's hand about to be added up: what holds however its tiles are laid out."""

    def __init__(self, hand: Hand, rules: RuleSet, adding: Adding, counts: Counts | None) -> None:
        self.hand = hand
        self.rules = rules
        self.adding = adding
        self.player = Player(hand, rules, counts)
        self.table = [group.code for group in hand.sets]
        self.bonus = bonus_lines(hand.bonus, rules, adding)
        last_tile = rules.book.last_tile
        self.is_last_tile_counted = (
            last_tile is not None and self.player.circumstances & last_tile.mask == last_tile.want
        )

    def won(self) -> Iterator[Sum]:
        """Every way to add a Mah-Jong up: hands of another shape first."""
        player = self.player
        for special in player.loose_forms():
            line = _special_line(special, self.rules)
            hand_score = _whole_hand_score(self, player.loose_tally())
            named_score = (
                hand_score if hand_score.special else hand_score._replace(special=special.key)
            )
            completed = [WholePart(line.points or 0, ())] if self.is_last_tile_counted else []
            yield self.added([line], completed, named_score)
        for layout in won_layouts(self.hand, self.rules, player.prices, player.counts):
            tally = player.tally(layout)
            yield from self.sums(codes_of_sets(tally.groups), _whole_hand_score(self, tally))

    def standing(self) -> Iterator[Sum]:
        """What stands in the hand: the best sets, and the best beside each dragon."""
        counts, best = self.player.counts, self.player.prices.sets.best
        yield from self.sums(best.among(counts), WholeHandScore())
        kinds = one_of_each(counts)
        chows = [code for code, tiles in _THIRDS_IN_HAND if kinds & tiles == tiles]
        possible = [*self.table, *chows]
        for _dragon, places in _chow_dragons(possible, self.adding):
            chow_codes = bytes([possible[place] for place in places if place >= len(self.table)])
            remaining_counts = counts - sum([set_of(code).counts for code in chow_codes])
            yield from self.sums(chow_codes + best.among(remaining_counts), WholeHandScore())

    def sums(self, layout: Sequence[int], hand_score: WholeHandScore) -> Iterator[Sum]:
        """The hand laid out so, with each dragon that its chows make, and with none."""
        codes = [*layout, *self.table]
        prices = [self.player.prices.sets[code] for code in codes]
        completed = self._completed(layout) if self.is_last_tile_counted else ()
        groups = tuple(sorted(map(set_of, layout), key=lambda group: group.kind is Kind.PAIR))
        chows_too = self.rules.choice[self.adding.chows_beside_a_dragon]
        for dragon, places in _chow_dragons(codes, self.adding):
            tiles = tuple(tile for place in places for tile in set_of(codes[place]).tiles)
            lines = [Line(dragon.name, dragon.source, tiles, points=dragon.points)]
            whole_parts = [WholePart(dragon.points, tiles)] if {*completed} & {*places} else []
            for place, price in enumerate(prices):
                if chows_too or place not in places:
                    lines += price.point_lines
                    if place in completed:
                        whole_parts.append(WholePart(price.points, set_of(codes[place]).tiles))
            named_score = (
                hand_score if hand_score.special else hand_score._replace(special=dragon.key)
            )
            yield self.added(lines, whole_parts, named_score, groups)
        lines = [line for price in prices for line in price.point_lines]
        whole_parts = [
            WholePart(prices[place].points, set_of(codes[place]).tiles) for place in completed
        ]
        yield self.added(lines, whole_parts, hand_score, groups)

    def _completed(self, layout: Sequence[int]) -> list[int]:
        """The places of the sets that the last tile may have made whole."""
        last = self.hand.winning_tile
        if last is None:
            return [0] if len(layout) == 1 else []
        return [place for place, code in enumerate(layout) if last in set_of(code).tiles]

    def added(
        self,
        lines: list[Line],
        completed: Sequence[WholePart],
        hand_score: WholeHandScore,
        groups: tuple[TileSet, ...] = (),
    ) -> Sum:
        """These lines added up with what the hand scores as a whole and with its bonus tiles.

        `completed`: of what the last tile may have made whole, the best counts again.
        """
        best = max(completed, key=lambda part: part.points, default=None)
        if best and best.points:
            rule = self.adding.last_tile
            extra_points = best.points * (rule.times - 1)
            lines.append(Line(rule.name, rule.source, best.tiles, points=extra_points))
        lines += hand_score.lines
        lines += self.bonus
        unknown = self.is_last_tile_counted and not completed
        points = sum([line.points or 0 for line in lines])
        return Sum(points, hand_score.special, tuple(lines), groups, unknown)


def bonus_lines(bonus: Collection[Tile], rules: RuleSet, adding: Adding) -> list[Line]:
    """A line for each bouquet, and for each bonus tile that is counted for itself."""
    by_tile = rules.book.bonus_lines
    full_bouquets = [bouquet for bouquet in adding.bouquets if {*bouquet.tiles} <= {*bonus}]
    if not full_bouquets:
        return [by_tile[tile] for tile in bonus]
    lines = [Line(row.name, row.source, row.tiles, points=row.points) for row in full_bouquets]
    flowers_too = rules.choice[adding.flowers_beside_a_bouquet]
    bound = set() if flowers_too else {tile for bouquet in full_bouquets for tile in bouquet.tiles}
    return lines + [by_tile[tile] for tile in bonus if tile not in bound]


def _whole_hand_score(adder: Adder, tally: Tally) -> WholeHandScore:
    """What a Mah-Jong laid out so scores as a whole, the special hands of any form among it."""
    verdict = tally.verdict
    lines = [_special_line(special, adder.rules) for special in verdict.specials]
    special_key = verdict.specials[0].key if verdict.specials else None
    return WholeHandScore((*verdict.point_lines, *lines), special_key)


def _special_line(special: SpecialHand, rules: RuleSet) -> Line:
    return Line(special.name, special.source, points=special.value.points(rules.limit))


def _chow_dragons(
    codes: Sequence[int], adding: Adding
) -> Iterator[tuple[ChowDragon, tuple[int, int, int]]]:
    """Each dragon that three of these chows make, and the places of the three among them."""
    if len(_CHOW_CODES.intersection(codes)) < len(_THIRDS):
        return
    first, middle, last = (
        [n for n, code in enumerate(codes) if code in third] for third in _THIRDS
    )
    for places in product(first, middle, last):
        one_suit = len({set_of(codes[place]).tile[0] for place in places}) == 1
        for dragon in adding.dragons:
            if dragon.one_suit == one_suit:
                yield dragon, places


def _special_lines(
    player: Player, best: Candidate, special: SpecialHand | Doubling
) -> tuple[Line, ...]:
    tally = best.tally
    extra_lines: tuple[Line, ...] = ()
    if player.bonus_points and player.rules.bonus_tiles_beside:
        extra_lines = player.bonus_lines() + tally.verdict.beside_lines
    if isinstance(special, SpecialHand):
        return (player.book.value_line(special, best.value), *extra_lines)
    form = special.form
    verdict = tally.verdict
    lines = (*tally.point_lines, *special.point_lines, form.line, *verdict.through_lines)
    if extra_lines:
        name, source = form.special.name, form.special.source
        lines = (Line(name, source, value=lines_total(lines), workings=lines),)
    return (*lines, *extra_lines)


def _ordinary_lines(player: Player, tally: Tally) -> tuple[Line, ...]:
    if not player.hand.mahjong and not player.rules.losers_score:
        return ()
    _points, _doubles, verdict, lines, lines_twice, _groups = tally
    if player.bonus_points:
        lines += player.bonus_lines()
    return lines + verdict.point_lines + lines_twice + verdict.double_lines


class Reckoning(NamedTuple):
    """The score of one hand: `total` in points after the limit, and how it comes about.

    `basic` and `doubles` are None where a special hand's value makes them meaningless.
    """

    total: int
    basic: int | None
    doubles: int | None
    special: str | None
    fishing: bool
    limited: bool
    lines: tuple[Line, ...]
    arrangement: tuple[TileSet, ...]
    notices: tuple[Problem, ...] = ()


def reckoning_as_json(reckoning: Reckoning) -> dict[str, object]:
    """The printed form of `score`, without `id` and `valid`; also what a score book stores."""
    return {
        "problems": [],
        "notices": [notice.as_json() for notice in reckoning.notices],
        "total": reckoning.total,
        "basic": reckoning.basic,
        "doubles": reckoning.doubles,
        "special": reckoning.special,
        "fishing": reckoning.fishing,
        "limited": reckoning.limited,
        "items": [line.as_json() for line in reckoning.lines],
        "arrangement": [tile_set.as_json() for tile_set in reckoning.arrangement],
    }


def reckoning_as_text(reckoning: Reckoning) -> str:
    """The same as JSON, written from lines and sets that have been written already."""
    total, basic, doubles, special, fishing, limited, lines, groups, notices = reckoning
    items = ", ".join([line.text for line in lines])
    arrangement = ", ".join([group.text for group in groups])
    return (
        f'{{"problems": [], "notices": {_notices_text(notices)}, "total": {total},'
        f' "basic": {"null" if basic is None else basic},'
        f' "doubles": {"null" if doubles is None else doubles},'
        f' "special": {"null" if special is None else dumps(special)},'
        f' "fishing": {_JSON_BOOLEANS[fishing]}, "limited": {_JSON_BOOLEANS[limited]},'
        f' "items": [{items}], "arrangement": [{arrangement}]}}'
    )


def _notices_text(notices: Sequence[Problem]) -> str:
    return dumps([notice.as_json() for notice in notices]) if notices else "[]"


def score(hand: Hand, rules: RuleSet) -> Reckoning:
    """The best score that the rules give the hand, with every line of it.

    Raises BadHand with every problem of a hand that cannot be scored as described.
    """
    answer = _reckon_or_problems(hand, rules)
    if isinstance(answer, Reckoning):
        return answer
    raise BadHand(answer)


def check(hand: Hand, rules: RuleSet) -> list[Problem]:
    """Everything that keeps the hand from being scored; nothing when `score` has an answer."""
    answer = _reckon_or_problems(hand, rules)
    return [] if isinstance(answer, Reckoning) else answer


def _reckon_or_problems(hand: Hand, rules: RuleSet) -> Reckoning | list[Problem]:
    counts = None
    if hand.sound_under is not rules:
        counts = sound_counts(hand, rules)
        if counts is None and (problems := unreadable_problems(hand) or hand_problems(hand, rules)):
            return problems
    if rules.adding:
        best = max(
            every_sum(hand, rules, rules.adding, counts),
            key=lambda hand_sum: hand_sum.points,
            default=None,
        )
        if best is None:
            return [_no_mahjong_problem(hand, rules)]
        total = rules.capped(best.points, won=hand.mahjong, special=best.special is not None)
        least = rules.minimum_for(hand.players) if hand.mahjong else None
        if least and not least.is_reached(0, best.points, special=best.special is not None):
            return [_minimum_problem(hand, least, 0, best.points)]
        notices = _hand_notices(hand, rules)
        if best.unknown_part:
            notices += (Problem(Code.LAST_TILE_UNNAMED, "winning_tile"),)
        return Reckoning(
            total,
            basic=None,
            doubles=None,
            special=best.special,
            fishing=False,
            limited=total < best.points,
            lines=best.lines,
            arrangement=best.groups,
            notices=notices,
        )
    player = Player(hand, rules, counts)
    if hand.mahjong:
        return _reckon_win(player)
    return _make_reckoning(player, _best_candidate(player, standing_candidates(player)))


def _reckon_win(player: Player) -> Reckoning | list[Problem]:
    hand, rules = player.hand, player.rules
    layouts = won_layouts(hand, rules, player.prices, player.counts)
    loose = player.loose_forms()
    if not layouts and not loose:
        return [_no_mahjong_problem(hand, rules)]
    if not layouts and hand.sets and player.in_no_pungs(loose):
        player = Player(take_up_sets(hand), rules)
    candidates = won_candidates(player, layouts, loose)
    if not candidates:
        return [*mixed_suit_problems(hand, rules)]
    least = rules.minimum_for(hand.players)
    if least is None:
        return _make_reckoning(player, _best_candidate(player, candidates))
    enough = [
        candidate
        for candidate in candidates
        if least.is_reached(
            candidate.doubles, candidate.uncapped, special=candidate.special is not None
        )
    ]
    if enough:
        return _make_reckoning(player, _best_candidate(player, enough))
    best = _best_candidate(player, candidates)
    return [_minimum_problem(hand, least, best.doubles, best.uncapped)]


def _minimum_problem(hand: Hand, least: Minimum, doubles: int, points: int) -> Problem:
    params: dict[str, int | str] = {
        "players": hand.players,
        "enough": least.text,
        "found_doubles": quantity(doubles, "double"),
        "found_points": quantity(points, "point"),
    }
    return Problem(Code.MINIMUM_NOT_REACHED, "concealed", params)


def _best_candidate(player: Player, candidates: Sequence[Candidate]) -> Candidate:
    """The way that scores most; of equals the first, and special hands come first."""
    if player.rules.limits:
        return max(candidates, key=player.capped)
    limit, best = player.rules.limit, candidates[0]
    for candidate in candidates:
        if candidate.uncapped > best.uncapped and (limit is None or best.uncapped < limit):
            best = candidate
    return best


def _make_reckoning(player: Player, best: Candidate) -> Reckoning:
    uncapped, points, doubles, tally, special, _value, fishing = best
    lines = _special_lines(player, best, special) if special else _ordinary_lines(player, tally)
    total = player.capped(best)
    plain = special is None or lines[0].value is None
    return Reckoning(
        total,
        points if plain else None,
        doubles if plain else None,
        special.key if special else None,
        fishing,
        total < uncapped,
        lines,
        tally.groups,
        _hand_notices(player.hand, player.rules),
    )


def _hand_notices(hand: Hand, rules: RuleSet) -> tuple[Problem, ...]:
    """What is worth saying of a hand that can be scored: what was read of it comes first."""
    notices = hand.notices
    if not hand.mahjong and (size := hand.size) != 13:
        count, were = f"Only {size}" if size else "None", "was" if size == 1 else "were"
        notices += (Problem(Code.SHORT_HAND, "concealed", {"found": count, "were": were}),)
    return notices + contradictions(hand, rules)


def _no_mahjong_problem(hand: Hand, rules: RuleSet) -> Problem:
    not_mahjong = Problem(Code.NOT_MAHJONG, "concealed", {"rules": rules.name})
    return chow_problem(hand, rules) or not_mahjong
