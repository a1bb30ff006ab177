"""Mistakes that a repair can put right, and how it is read back."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter
from typing import Any

from scoring.scorebook.models import RepairedGame, RepairKind
from scoring.scorebook.refusals import refuse
from scoring.scorebook.reports import Report
from scoring.table.progression import Exchange, exchanged_between

SEATS_IN_A_REPORT = ("winner", "discarder", "pays_for_all")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A game as it was told: the reports of its hands in order, and who changed places when."""

    reports: tuple[Report, ...]
    exchanges: tuple[Exchange, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """What went wrong at a game, from hand ``first`` to ``last`` (None: to the last one).

    Two ``seats`` for SEATS and FIGURES; for SEATS ``names_are_right`` says whose figures they are:
    each player's own (the winds were wrong), or each wind's (the names were wrong). The ``report``
    of what happened for WINNER, the key of the ``other`` game for SHEETS.
    """

    kind: RepairKind
    game_id: int
    first: int
    last: int | None = None
    seats: tuple[int, int] | None = None
    names_are_right: bool = True
    report: Report | None = None
    other_id: int | None = None

    @property
    def game_ids(self) -> tuple[int, ...]:
        """The games that it touches, its own first."""
        return (self.game_id,) if self.other_id is None else (self.game_id, self.other_id)


def put_right(mistake: Mistake, sheets: Sequence[Sheet]) -> tuple[Sheet, ...]:
    """The sheets of its games as they should have been, in the order of ``game_ids``.

    Raises ``Refused`` where it names hands, seats or tables that there are not.
    """
    own = sheets[0]
    if mistake.kind == RepairKind.SHEETS:
        return _changed_about(mistake, *sheets)
    played = len(own.reports)
    if not 1 <= mistake.first <= played:
        raise refuse("no_hand", f"Hand {mistake.first} has not been played.", "first")
    if mistake.last is not None and not mistake.first <= mistake.last <= played:
        raise refuse("no_hand", f"Choose a last hand from hand {mistake.first} on.", "last")
    if mistake.kind == RepairKind.WINNER:
        if mistake.report is None:
            raise refuse("no_report", "Choose who went Mah-Jong.", "winner")
        at = mistake.first - 1
        return (replace(own, reports=(*own.reports[:at], mistake.report, *own.reports[at + 1 :])),)
    first, other = _seats(mistake)
    names_stay = mistake.kind == RepairKind.SEATS and mistake.names_are_right
    last = mistake.last or played
    reports = own.reports
    if not names_stay:
        reports = tuple(
            exchanged(report, first, other) if mistake.first <= number <= last else report
            for number, report in enumerate(own.reports, start=1)
        )
    if mistake.kind == RepairKind.FIGURES:
        return (replace(own, reports=reports),)
    stretch = exchanged_between(own.exchanges, (first, other), mistake.first, mistake.last)
    return (Sheet(reports, stretch),)


def exchanged(report: Report, first: int, other: int) -> Report:
    """The report with everything that was told of either seat told of the other."""
    comes = {first: other, other: first}
    changed: dict[str, Any] = {}
    for field in fields(report):
        value = getattr(report, field.name)
        if field.name in SEATS_IN_A_REPORT:
            changed[field.name] = comes.get(value, value)
        elif isinstance(value, Mapping):
            changed[field.name] = {comes.get(seat, seat): entry for seat, entry in value.items()}
    return replace(report, **changed)


def _changed_about(mistake: Mistake, own: Sheet, *others: Sheet) -> tuple[Sheet, ...]:
    """Both tables' hands from one on; that one, at least, both tables must have come to."""
    if not others:
        raise refuse("no_table", "Choose the other table.", "other")
    (other,) = others
    before = mistake.first - 1
    shorter, longer = sorted([len(own.reports), len(other.reports)])
    if not 0 <= before <= shorter or before >= longer:
        sentence = f"Choose a hand that both tables have played: 1 to {max(shorter, 1)}."
        raise refuse("no_hand", sentence, "first")
    return (
        replace(own, reports=(*own.reports[:before], *other.reports[before:])),
        replace(other, reports=(*other.reports[:before], *own.reports[before:])),
    )


def _seats(mistake: Mistake) -> tuple[int, int]:
    if mistake.seats is None or mistake.seats[0] == mistake.seats[1]:
        raise refuse("same_player", "Choose two different players.", "other_seat")
    return mistake.seats


UNDONE_WITHIN = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class RepairRow:
    """One repair: what was done, why, by whom and when, and until when it can be taken back."""

    pk: int
    words: str
    reason: str
    made_by: str
    made_at: datetime
    undone_at: datetime | None
    undone_by: str
    game_ids: tuple[int, ...]

    @property
    def until(self) -> datetime:
        return self.made_at + UNDONE_WITHIN

    def can_be_undone(self, now: datetime) -> bool:
        """Whether it still holds and is not a day old."""
        return self.undone_at is None and now <= self.until


def repairs_of(game_ids: Collection[int]) -> tuple[RepairRow, ...]:
    """What was put right at these games, the last first; one query.

    ``RepairRow.game_ids`` are those of these games that a repair was about.
    """
    pieces = RepairedGame.objects.filter(game__in=game_ids).defer("before", "after")
    rows = pieces.select_related("repair").order_by("-repair", "pk")
    return tuple(
        RepairRow(
            pk=repair.pk,
            words=repair.words,
            reason=repair.reason,
            made_by=repair.made_by,
            made_at=repair.made_at,
            undone_at=repair.undone_at,
            undone_by=repair.undone_by,
            game_ids=tuple(piece.game_id for piece in there),
        )
        for repair, there in groupby(rows, key=attrgetter("repair"))
    )
