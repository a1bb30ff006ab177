"""A hand looked at as the rules look at it: which special hands it is, or is one tile short of."""

from collections.abc import Iterator, Sequence
from functools import cached_property, reduce
from operator import or_

from scoring import marks
from scoring.candidates import Player, Tally, won_candidates
from scoring.checking import chow_limit
from scoring.conditions import HandCondition
from scoring.declarations import DoubledHand, SpecialHand
from scoring.explaining.nearness import tiles_short
from scoring.hands import Hand
from scoring.layouts import Layout, loose_tiles, one_tile_short, standing_layouts, won_layouts
from scoring.rules import RuleSet

Special = SpecialHand | DoubledHand


class Look:
    """One hand under one rule set, with what is worked out of it once."""

    def __init__(self, hand: Hand, rules: RuleSet) -> None:
        self.hand = hand
        self.rules = rules
        self.player = Player(hand, rules)
        self._short: dict[tuple[int, int], int | None] = {}

    def tiles_short(self, when: HandCondition) -> int | None:
        """The fewest tiles lacking of pungs or kongs and a pair such as are asked; None: never."""
        asked = when.all_of, when.none_of
        if asked not in self._short:
            self._short[asked] = tiles_short(self.hand, when, self.rules)
        return self._short[asked]

    @cached_property
    def table_marks(self) -> int:
        """The marks of the sets on the table."""
        opened = marks.OPENED if any(group.exposed for group in self.hand.sets) else 0
        return reduce(or_, map(marks.of_set, self.hand.sets), opened)

    @cached_property
    def layouts(self) -> Sequence[Layout]:
        """The ways in which a winner's hand is sets and a pair."""
        return won_layouts(self.hand, self.rules, chow_limit(self.hand, self.rules))

    @cached_property
    def tallies(self) -> Sequence[Tally]:
        """The ways in which a winner's hand is sets and a pair, or else its loose tiles."""
        return [self.player.tally(layout) for layout in self.layouts] or [self.player.loose_tally()]

    @cached_property
    def made(self) -> frozenset[str]:
        """The keys of the special hands that a winner's hand is."""
        if not self.hand.mahjong:
            return frozenset()
        ways = won_candidates(self.player, self.layouts, self.player.loose_forms())
        return frozenset(way.special.key for way in ways if way.special)

    @cached_property
    def near(self) -> frozenset[str]:
        """The keys of the special hands of which thirteen tiles lack one."""
        if self.hand.mahjong or self.hand.size != 13:
            return frozenset()
        book = self.player.book
        completed = [self.player.tally(way).marks for way in one_tile_short(self.hand, self.rules)]
        of_pungs = [
            *(
                (mask, want, special.key)
                for mask, want, special in book.set_forms
                if special.of_pungs
            ),
            *((form.mask, form.want, form.key) for form in book.doubled_forms),
        ]
        return frozenset(
            key for mask, want, key in of_pungs if any(held & mask == want for held in completed)
        ) | frozenset(self._near_loose())

    def _near_loose(self) -> Iterator[str]:
        counts = loose_tiles(self.hand)
        if counts is not None:
            held = self.player.loose_tally().marks
            for mask, want, shape, special in self.player.book.loose_forms:
                if held & mask == want and shape.near(counts):
                    yield special.key

    @cached_property
    def standing(self) -> frozenset[str]:
        """The keys of the special hands whose value a player has without Mah-Jong or fishing."""
        if self.hand.mahjong or not self.rules.losers_score:
            return frozenset()
        layouts = standing_layouts(self.hand, self.rules, self.player.prices)
        held = [self.player.standing_tally(layout).marks for layout in layouts]
        return frozenset(
            special.key
            for (mask, want), _value, special in self.player.book.standing_forms
            if any(one & mask == want for one in held)
        )


def specials(rules: RuleSet) -> tuple[Special, ...]:
    """Every special hand of the rules, in the order of the page."""
    return (*rules.doubled_hands, *rules.specials)


def special_names(rules: RuleSet) -> dict[str, str]:
    """The name of every special hand, and of every dragon of chows, by its key."""
    dragons = rules.adding.dragons if rules.adding else ()
    return {line.key: line.name for line in (*specials(rules), *dragons)}
