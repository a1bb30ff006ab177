"""The rules of a league in sentences."""

from collections.abc import Iterator
from typing import Final

from clubs.league.numbers import scale_words, written
from clubs.league.rules import AddsUp, Brings, LeagueRules, Quota, Tie
from clubs.plurals import counted

TIES: Final = {
    Tie.MAHJONGS: "Mah-Jongs",
    Tie.BEST_HAND: "best hand",
    Tie.GIVEN_AWAY: "fewest Mah-Jongs by others at your tables",
    Tie.BEST_EVENING: "best evening",
    Tie.ATTENDED: "evenings attended",
    Tie.POINTS: "points gained",
}
_TABLES: Final = {2: "two", 3: "three", 5: "five"}


def sentences(rules: LeagueRules) -> tuple[str, ...]:
    """A sentence for each rule, in the order in which an evening becomes a place."""
    return (*_evening(rules), *_season(rules), _parting(rules))


def heading(rules: LeagueRules) -> str:
    """What the column is called by which the season ranks."""
    if rules.adds_up is AddsUp.HAND:
        return "Average a hand"
    if rules.adds_up is AddsUp.AVERAGE:
        return "Average"
    if rules.best:
        return "Best evenings"
    return "Table points" if rules.brings is Brings.TABLE_POINTS else "Total"


def summary(rules: LeagueRules) -> str:
    """The whole in one sentence, for the head of a table."""
    least = f", for players with at least {quota_said(rules.least)}" if rules.least else ""
    ties = f"; ties by {', then '.join(TIES[tie] for tie in rules.ties)}" if rules.ties else ""
    return f"Ranked by {_ranking(rules)}{least}{ties}."


def _ranking(rules: LeagueRules) -> str:
    best = f"each player's best {quota_said(rules.best)}" if rules.best else ""
    at_table = rules.brings is Brings.TABLE_POINTS
    if rules.adds_up is AddsUp.HAND:
        return "the average of a hand"
    if rules.adds_up is AddsUp.AVERAGE:
        what = "average table points" if at_table else "average"
        return f"the {what} of {best or 'an evening'}"
    return f"the {'table points' if at_table else 'total'} of {best or 'all evenings'}"


def quota_said(quota: Quota) -> str:
    """``6 evenings``, ``75% of the evenings``."""
    if quota.is_percent:
        return f"{quota.number}% of the evenings"
    return counted(quota.number, "evening")


def _evening(rules: LeagueRules) -> Iterator[str]:
    if rules.brings is Brings.TABLE_POINTS:
        yield from _scales(rules)
    else:
        yield "Each evening earns the points you gained or lost."
    if rules.hands:
        yield (
            "Points are adjusted for the number of hands played, as if everyone had played "
            f"{counted(rules.hands, 'hand')}."
        )
    if rules.handicaps:
        before = " before the places at the table are given" * (rules.brings is Brings.TABLE_POINTS)
        yield f"Add handicaps every evening{before}."
    if rules.attendance_points:
        yield f"Attending earns {written(rules.attendance_points)} more each evening."
    if rules.least_members:
        yield f"An evening counts only when at least {counted(rules.least_members, 'member')} play."


def _scales(rules: LeagueRules) -> Iterator[str]:
    yield f"The places at a table of four earn {scale_words(rules.scale_of(4))}."
    others = [
        f"{scale_words(rules.scale_of(size))} at a table of {name}"
        for size, name in _TABLES.items()
    ]
    yield f"They earn {', '.join(others[:-1])} and {others[-1]}."
    yield "Players who are equal at a table share the points for their places."


def _season(rules: LeagueRules) -> Iterator[str]:
    yield _adding_up(rules)
    if rules.best and rules.best.is_percent:
        yield f"Each player’s best evenings count: {rules.best.number}% of those held."
    elif rules.best:
        is_one = rules.best.number == 1
        yield f"The best {counted(rules.best.number, 'evening')} {'counts' if is_one else 'count'}."
    if rules.least:
        yield f"To be ranked, players need at least {quota_said(rules.least)}."
    if rules.credit:
        points = rules.credit.points
        worth = "your own average" if points is None else f"{written(points)} points"
        times = "once" if rules.credit.most == 1 else f"{rules.credit.most} times"
        yield (
            f"An evening missed on club duty counts as attended and earns {worth}, at most {times}."
        )


def _adding_up(rules: LeagueRules) -> str:
    if rules.adds_up is AddsUp.HAND:
        return "Players are ranked by their average points per hand."
    if rules.adds_up is AddsUp.AVERAGE:
        return "Players are ranked by the average of the evenings that count."
    return "The evenings that count are added up."


def _parting(rules: LeagueRules) -> str:
    if not rules.ties:
        return "Equal players share a place."
    ways = ", then by ".join(TIES[tie] for tie in rules.ties)
    return f"Ties are broken by {ways}; otherwise players share the place."
