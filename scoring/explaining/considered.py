"""Every special hand of the rules beside one hand: had, or how near, or what stands against it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from scoring import marks
from scoring.conditions import HandCondition
from scoring.declarations import DoubledHand, Form
from scoring.explaining.looks import Look, Special, specials
from scoring.hands import Kind
from scoring.layouts import loose_tiles
from scoring.naming import any_of, listed, set_name
from scoring.reckoning import Reckoning
from scoring.shapes import Shape
from scoring.tiles import JOKER, SUITS, Tile

_OPEN = marks.OPENED | marks.EXPOSED | marks.EXPOSED_PUNG
_PUNG_OR_OPEN = _OPEN | marks.PUNG
_OF_CIRCUMSTANCE = 50
_NEVER = 99


class Considered(NamedTuple):
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


class _Judged(NamedTuple):
    """A special hand as it was judged: the nearer it is, the earlier it is told."""

    distance: int
    told: Considered


def considered(
    look: Look, reckoning: Reckoning | None, waiting: Mapping[str, Sequence[Tile]]
) -> tuple[Considered, ...]:
    """Every special hand that is played, the nearest first.

    `reckoning`: the score; None of a Mah-Jong that is none. `waiting`: the tiles that would make
    the special hand of that key.
    """
    judged = [
        _judged(special, when, look, reckoning, waiting.get(special.key, ()))
        for special in specials(look.rules)
        if (when := special.when.parts(look.rules.choice))
    ]
    return tuple(one.told for one in sorted(judged, key=lambda one: one.distance))


def _judged(
    special: Special,
    when: HandCondition,
    look: Look,
    reckoning: Reckoning | None,
    tiles: Sequence[Tile],
) -> _Judged:
    def told(distance: int, short: int | None, sentence: str) -> _Judged:
        return _Judged(distance, Considered(special.key, special.name, short, sentence))

    if special.key in look.made:
        return told(0, 0, _made(special, look, reckoning))
    if special.key in look.standing:
        return told(0, 0, f"{special.name} scores already, without Mah-Jong.")
    if special.key in look.near:
        return told(1, 1, _fished_for(special, look, tiles))
    against = list(_against(special, when, look))
    if against:
        return told(_NEVER, None, f"{special.name} fails: {'; '.join(against)}.")
    short = _lacking(special, when, look)
    if short:
        return told(short, short, f"{_counted(short)} short of {special.name}.")
    unmet = _unmet(special, when, look)
    of_tiles = _made_of(special, look) is not Form.ANY
    distance = len(unmet) + (0 if of_tiles else _OF_CIRCUMSTANCE)
    return told(distance, None, f"{special.name} fails: {'; '.join(unmet)}.")


def _counted(tiles: int) -> str:
    return "One tile" if tiles == 1 else f"{tiles} tiles"


def _made(special: Special, look: Look, reckoning: Reckoning | None) -> str:
    if reckoning is None or special.key == reckoning.special:
        return f"This is {special.name}."
    names = {line.key: line.name for line in specials(look.rules)}
    better = names.get(reckoning.special or "", "the ordinary score")
    return f"This is also {special.name}, but {better} scores at least as much."


def _fished_for(special: Special, look: Look, tiles: Sequence[Tile]) -> str:
    words = f"One tile short of {special.name}"
    words += f": {any_of(tiles)}." if tiles else "."
    return words if _scores_fishing(special, look) else f"{words} It scores only when it is won."


def _scores_fishing(special: Special, look: Look) -> bool:
    if look.rules.adding or not look.rules.losers_score:
        return False
    if isinstance(special, DoubledHand):
        return not special.winner_only
    return special.fishing is not None


def _made_of(special: Special, look: Look) -> Form | Shape:
    if isinstance(special, DoubledHand):
        return Form.PUNGS
    return special.played(look.rules.choice)


def _lacking(special: Special, when: HandCondition, look: Look) -> int | None:
    """The tiles lacking where one tile more does not make the hand; None where none are."""
    made_of = _made_of(special, look)
    if made_of is Form.ANY:
        return None
    if made_of is Form.PUNGS:
        return look.tiles_short(when)
    loose = loose_tiles(look.hand)
    short = 0 if loose is None or isinstance(made_of, Form) else made_of.short(loose)
    one_out_of_reach = short == 1 and not look.hand.mahjong
    return 2 if one_out_of_reach else short


def _against(special: Special, when: HandCondition, look: Look) -> Iterator[str]:
    """What on the table keeps the hand from ever being the special hand."""
    made_of = _made_of(special, look)
    if made_of is Form.PUNGS:
        yield from _against_pungs(when, look)
    elif made_of is not Form.ANY:
        yield from _against_a_shape(look)


def _against_a_shape(look: Look) -> Iterator[str]:
    """Hands of their own shape stay in the hand until they are whole."""
    for group in look.hand.sets:
        if group.exposed:
            yield f"a {group.kind} was claimed"
            return
        if group.kind is Kind.KONG:
            yield "a kong was declared"
            return
    if JOKER in look.hand.concealed:
        yield "it cannot contain a joker"


def _against_pungs(when: HandCondition, look: Look) -> Iterator[str]:
    sets = look.hand.sets
    if any(group.kind is Kind.CHOW for group in sets):
        yield "a chow is on the table"
    elif when.none_of & _OPEN & look.table_marks:
        yield f"a {next(group.kind for group in sets if group.exposed)} was claimed"
    elif when.none_of & marks.KONG & look.table_marks:
        yield "a kong was declared"
    elif look.tiles_short(when) is None:
        yield _of_tiles_on_the_table(when, look)


def _of_tiles_on_the_table(when: HandCondition, look: Look) -> str:
    """Why no tile to come can make the sets on the table into the hand."""
    alien = [
        group for group in look.hand.sets if marks.of_set(group) & when.none_of & ~_PUNG_OR_OPEN
    ]
    if alien:
        names = listed(f"the {set_name(group)}" for group in alien)
        return f"{names} on the table {'does' if len(alien) == 1 else 'do'} not belong"
    suits = {group.tile[0] for group in look.hand.sets} & set(SUITS)
    if when.all_of & marks.ONE_SUIT and len(suits) > 1:
        return "the sets on the table are of different suits"
    return "the sets on the table leave no room for it"


def _unmet(special: Special, when: HandCondition, look: Look) -> list[str]:
    """What else than tiles is amiss, in the reading of the tiles where least is."""
    held = look.player.circumstances | look.table_marks
    several = [tally.marks for tally in look.tallies] if look.hand.mahjong else [held]
    if look.hand.mahjong and _made_of(special, look) is not Form.PUNGS:
        several.append(look.player.loose_tally().marks)
    amiss = [[one for one in when.each if not _holds(one, held)] for held in several]
    fewest = min(amiss, key=len)
    return [one.unmet or f"it needs {one.words}" for one in fewest] or ["it must be won first"]


def _holds(one: HandCondition, held: int) -> bool:
    return held & (one.all_of | one.none_of) == one.all_of
