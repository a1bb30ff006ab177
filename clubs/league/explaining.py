"""Why someone stands where they stand, in one or two sentences."""

from collections.abc import Sequence
from fractions import Fraction

from clubs.league.numbers import ordinal, written
from clubs.league.reckoning import Standing
from clubs.league.rules import AddsUp, Brings, LeagueRules, Tie
from clubs.plurals import counted

TENTHS = 10


def said(score: Fraction) -> str:
    """A score as it is read aloud: ``1,240``, ``½``; to a tenth where it has no such sign."""
    plain = written(score)
    return plain if "/" not in plain else f"{_tenths(score):,}".replace("-", "\N{MINUS SIGN}")


def _tenths(score: Fraction) -> float:
    return round(score * TENTHS) / TENTHS


def why(row: Standing, rows: Sequence[Standing], rules: LeagueRules) -> str:
    """``Ann is fifth: 1,240 points from her best …``, with what parts her from those around."""
    if row.place is None:
        return (
            f"{row.name} has {_score(row, rules)}, but is not ranked yet: "
            f"{counted(row.missing, 'evening')} more {'is' if row.missing == 1 else 'are'} needed."
        )
    shared = " (shared)" if row.is_tied else ""
    told = [
        f"{row.name} is {ordinal(row.place)}{shared}: {_score(row, rules)}{_behind(row, rows)}."
    ]
    told += [_parted(row, other, rules) for other in rows if _is_equal(row, other)]
    return " ".join(told)


def _score(row: Standing, rules: LeagueRules) -> str:
    unit = "table points" if rules.brings is Brings.TABLE_POINTS else "points"
    if rules.adds_up is AddsUp.HAND:
        return f"{said(row.score)} {unit} a hand"
    evenings = counted(row.counted, "evening")
    if rules.best:
        evenings = "the best evening" if row.counted == 1 else f"the best {evenings}"
    if rules.adds_up is AddsUp.AVERAGE:
        return f"{said(row.score)} {unit} on average from {evenings}"
    return f"{said(row.score)} {unit} from {evenings}"


def _behind(row: Standing, rows: Sequence[Standing]) -> str:
    above = [other for other in rows if other.place and other.score > row.score]
    if not above:
        return ""
    nearest = min(other.score for other in above)
    names = " and ".join(other.name for other in above if other.score == nearest)
    return f", {said(nearest - row.score)} fewer than {names}"


def _is_equal(row: Standing, other: Standing) -> bool:
    has_place = other.place is not None and other.player != row.player
    return has_place and other.score == row.score


def _parted(row: Standing, other: Standing, rules: LeagueRules) -> str:
    for tie in rules.ties:
        mine, theirs = row.values[tie.value], other.values[tie.value]
        if mine != theirs:
            better = row if mine > theirs else other
            return f"Tied with {other.name}, but {better.name} has {_MORE[tie]}."
    return f"Tied with {other.name} on everything, so they share the place."


_MORE = {
    Tie.MAHJONGS: "more Mah-Jongs",
    Tie.BEST_HAND: "a higher best hand",
    Tie.GIVEN_AWAY: "sat at tables where others went Mah-Jong less often",
    Tie.BEST_EVENING: "the better best evening",
    Tie.ATTENDED: "played more evenings",
    Tie.POINTS: "gained more points",
}
