"""The lines of the score that a candidate stands for, in the order of the book."""

from scoring.book import DoubledForm
from scoring.candidates import Candidate, Player, Worths
from scoring.declarations import SpecialHand
from scoring.lines import Line, reckoned

Lines = tuple[Line, ...]


def lines_of(player: Player, best: Candidate) -> Lines:
    """Every line of that score."""
    special = best.special
    if not player.hand.mahjong and not player.rules.losers_score:
        return ()
    if special is None:
        return _ordinary(player, best)
    if isinstance(special, DoubledForm):
        return _doubled(player, best, special)
    return _fixed(player, best, special)


def _ordinary(player: Player, best: Candidate) -> Lines:
    points, doubles = _of_sets(player, best)
    if player.bonus_points:
        points += _bonus_tiles(player)
    points += [worth[3] for worth in best.for_points]
    doubles += [worth[3] for worth in best.for_doubles]
    return (*points, *doubles)


def _fixed(player: Player, best: Candidate, special: SpecialHand) -> Lines:
    worth = best.value.points(player.rules.limit) if best.value else 0
    value = Line(special.name, special.source, value=worth)
    return (value, *_bonus_beside(player, best))


def _doubled(player: Player, best: Candidate, form: DoubledForm) -> Lines:
    points, _doubles = _of_sets(player, best)
    lines = (*points, *_lines(best.for_points), form.line, *_lines(best.for_doubles))
    beside = _bonus_beside(player, best)
    if not beside:
        return lines
    name, source = form.special.name, form.special.source
    return (Line(name, source, value=reckoned(lines), workings=lines), *beside)


def _of_sets(player: Player, best: Candidate) -> tuple[list[Line], list[Line]]:
    """The lines of points and of doubles of each set."""
    points: list[Line] = []
    doubles: list[Line] = []
    prices = player.prices.sets
    for code in (*[group.code for group in player.hand.sets], *best.tally.layout):
        _points, _doubles, _marks, for_points, for_doubles = prices[code]
        points += for_points
        doubles += for_doubles
    return points, doubles


def _bonus_tiles(player: Player) -> list[Line]:
    lines = player.book.bonus_lines
    return [lines[tile] for tile in player.hand.bonus]


def _bonus_beside(player: Player, best: Candidate) -> Lines:
    if not player.bonus_points or not player.rules.bonus_tiles_beside:
        return ()
    return (*_bonus_tiles(player), *_lines(best.beside))


def _lines(worths: Worths) -> list[Line]:
    return [worth[3] for worth in worths]
