"""What is known of hands beside their playing tiles, as words: winds, bonus tiles, how one won."""

from collections.abc import Iterable
from itertools import product
from typing import Final

import numpy as np

from scoring import marks
from scoring.batch.hands import FACTS, TILES, WAYS, Flags, Hands, named
from scoring.batch.piles import Numbers, Piles, Places, held_of
from scoring.batch.questions import Vocabulary, Words
from scoring.hands import CLAIMS, Hand, Kind, codes_of, known_set
from scoring.tiles import BONUS_TILES, Tile, Wind

_ALL_BONUS: Final = 1 << len(BONUS_TILES)
_WAYS: Final = (*WAYS, None)
_LAST_TILES: Final = (*TILES, None)
_UP_TO_FOUR: Final = range(5)
_CLAIMS: Final = np.array([way in CLAIMS for way in _WAYS])


class Circumstances:
    """The words of everything that `marks.of_circumstances` tells of a hand."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        def words(hands: Iterable[Hand]) -> Words:
            return vocabulary.words(marks.of_circumstances(hand) for hand in hands)

        every_bonus = [tuple(named(bits, BONUS_TILES)) for bits in range(_ALL_BONUS)]
        every_fact = [frozenset(named(bits, FACTS)) for bits in range(1 << len(FACTS))]
        kong = known_set(codes_of(Kind.KONG, exposed=False)[0])
        self._seat = words(
            Hand(seat_wind=wind, bonus=bonus) for wind, bonus in product(Wind, every_bonus)
        )
        self._dealer = words(Hand(seat_wind=Wind.S, dealer=dealer) for dealer in (False, True))
        self._facts = words(Hand(seat_wind=Wind.S, facts=facts) for facts in every_fact)
        self._kongs = words(Hand(seat_wind=Wind.S, sets=(kong,) * many) for many in _UP_TO_FOUR)
        self._end = words(
            Hand(
                seat_wind=Wind.S,
                mahjong=True,
                won_by=way,
                winning_tile=tile,
                concealed=(tile or Tile(""),) * many,
            )
            for way, tile, many in product(_WAYS, _LAST_TILES, _UP_TO_FOUR)
        )

    def words(self, hands: Hands, kongs: Numbers, whole: Piles) -> Words:
        """The words of hands with so many kongs, whose tiles are all in those piles."""
        seat = hands.seat_wind.astype(np.intp) * _ALL_BONUS + hands.bonus
        found = self._seat.take(seat, mode="clip") | self._dealer.take(hands.dealer)
        found |= self._facts.take(hands.facts, mode="clip") | self._kongs.take(kongs, mode="clip")
        if hands.mahjong.any():
            found |= self._end.take(_end(hands, whole)) * hands.mahjong
        return found


def _end(hands: Hands, whole: Piles) -> Places:
    place = _way(hands) * len(_LAST_TILES)
    place += np.minimum(hands.winning_tile, len(TILES))
    place *= len(_UP_TO_FOUR)
    return place + held_of(whole, hands.winning_tile)


def claimed(hands: Hands) -> Flags:
    """Whether each hand's last tile was claimed from another player."""
    return _CLAIMS.take(_way(hands)) & hands.mahjong


def _way(hands: Hands) -> Places:
    return np.minimum(hands.won_by, len(WAYS)).astype(np.intp)
