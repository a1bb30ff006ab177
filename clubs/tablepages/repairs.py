"""What the repair wizard knows of its table, and what it says of a mistake in a sentence."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from clubs.models.names import first_names
from clubs.movement import Ranking
from clubs.rows import HandView, TableView
from clubs.tablepages.page import TablePage
from clubs.tablepages.played import PlayedTable
from scoring.problems import Code
from scoring.scorebook import services as scorebook
from scoring.scorebook.mistakes import Mistake
from scoring.scorebook.models import Game, Hand, Repair, RepairKind
from scoring.scorebook.refusals import Refusal, Refused
from scoring.scorebook.selectors import hand_row

SEAT: Final = re.compile(r"\bSeat ([1-5])\b")
WHERE: Final = re.compile(r"games\.(\d+)\.hands\.(\d+)")


@dataclass(frozen=True, kw_only=True)
class Bench:
    """A table with the calls that put several of its hands right.

    ``read_tables``: those of the evening or round, this one among them, by the key of their game.
    """

    page: PlayedTable
    read_tables: Callable[[], Mapping[int, TableView]]
    repair: Callable[..., scorebook.Repaired]
    undo: Callable[..., scorebook.Repaired]
    rankings: Callable[[], Sequence[Ranking]]

    @cached_property
    def tables(self) -> Mapping[int, TableView]:
        """The tables as they stand, by the key of their game."""
        return self.read_tables()

    def beside(self) -> dict[int, TableView]:
        """The other tables that play by the same rules with as many players, some hand played."""
        own = self.page.view.game
        return {
            key: table
            for key, table in self.tables.items()
            if key != own.pk
            and (table.game.rules, table.game.size) == (own.rules, own.size)
            and (table.game.hands or own.hands)
        }


@dataclass(frozen=True, kw_only=True)
class Workshop(Bench):
    """The same on a page; ``done_so_far`` is where everything put right at the event is listed."""

    page: TablePage
    done_so_far: str

    @property
    def address(self) -> str:
        """Where the wizard begins."""
        return f"{self.page.address}corrections/new/"


@dataclass(frozen=True, slots=True)
class HandChange:
    """One hand before and after; None where it comes new or goes."""

    number: int
    old: HandView | None
    new: HandView | None


@dataclass(frozen=True, slots=True)
class TableChange:
    """What changes at one table: its hands, and each player's total before and after."""

    title: str
    pays: bool
    hands: tuple[HandChange, ...]
    totals: tuple[tuple[str, int, int], ...]


def named(table: TableView) -> dict[int, str]:
    """Its players by their first names."""
    return first_names(table.names)


def changes(workshop: Bench, done: scorebook.Repaired) -> tuple[TableChange, ...]:
    """What a repair changes, table by table."""
    tables = workshop.tables
    return tuple(
        _table_change(tables[one.game.pk], one.changes, workshop.page)
        for one in done.rewritings
        if one.changes
    )


def _table_change(
    table: TableView, changed: Sequence[scorebook.Change], page: PlayedTable
) -> TableChange:
    names = named(table)
    gained = dict.fromkeys(names, 0)
    for change in changed:
        for hand, sign in ((change.old, -1), (change.new, 1)):
            for seat, gain in (hand.gains if hand else {}).items():
                gained[seat] += sign * gain
    before = {seat: points + page.stake for seat, points in table.game.totals.items()}
    return TableChange(
        table.title,
        page.pays,
        tuple(
            HandChange(one.number, _shown(one.old, names), _shown(one.new, names))
            for one in changed
        ),
        tuple((names[seat], before[seat], before[seat] + gained[seat]) for seat in sorted(names)),
    )


def _shown(hand: Hand | None, names: Mapping[int, str]) -> HandView | None:
    return None if hand is None else HandView(hand_row(hand), names)


def in_words(mistake: Mistake, tables: Mapping[int, TableView]) -> str:
    """What is done about a mistake, in a sentence that the table reads."""
    own = tables[mistake.game_id]
    if mistake.kind == RepairKind.SHEETS and mistake.other_id is not None:
        which = "All hands" if mistake.first == 1 else f"The hands from {mistake.first} on"
        there = tables[mistake.other_id]
        return f"{which} of {own.title.lower()} and {there.title.lower()} are swapped."
    if mistake.kind == RepairKind.WINNER and mistake.report is not None:
        winner = mistake.report.winner
        who = "nobody" if winner is None else named(own)[winner]
        return f"Hand {mistake.first}: {who} went Mah-Jong."
    one, other = (named(own)[seat] for seat in mistake.seats or ())
    if mistake.kind == RepairKind.FIGURES:
        return f"The scores of {one} and {other} are swapped {_hands(mistake)}."
    what = (
        "only the winds are swapped" if mistake.names_are_right else "winds and scores are swapped"
    )
    return f"{one} and {other} sat in each other’s seats {_hands(mistake)}: {what}."


def _hands(mistake: Mistake) -> str:
    first, last = mistake.first, mistake.last
    if last == first:
        return f"in hand {first}"
    if last is not None:
        return f"in hands {first} to {last}"
    return f"from hand {first} on"


def in_names(refused: Refused, tables: Mapping[int, TableView]) -> Refused:
    """The refusal with players instead of seats, and with the table where there are two."""
    return Refused([_named(one.code, one.where, one.sentence, tables) for one in refused.problems])


def _named(code: str, where: str, sentence: str, tables: Mapping[int, TableView]) -> Refusal:
    told = WHERE.fullmatch(where)
    table = tables.get(int(told[1])) if told else None
    if told is None or table is None:
        return Refusal(code, sentence, where)
    names = named(table)
    seat = SEAT.search(sentence)
    if code == Code.BAD_OUTCOME and seat:
        why = "would sit out and cannot have gone Mah-Jong."
        return Refusal(
            code, f"{table.title}, hand {told[2]} would not fit: {names[int(seat[1])]} {why}"
        )
    sentence = SEAT.sub(lambda found: names.get(int(found[1]), found[0]), sentence)
    return Refusal(code, f"{table.title}, {sentence[0].lower()}{sentence[1:]}")


def repair_at(game: Game, repair_id: int) -> Repair | None:
    """The repair of that key, if it is one of this game's."""
    return Repair.objects.filter(pk=repair_id, games__game=game).first()
