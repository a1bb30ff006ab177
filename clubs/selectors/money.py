"""Reading the table money: an evening's cash sheet, and a year's."""

from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Q, Sum

from clubs.models import Club, Session


@dataclass(frozen=True, slots=True)
class Payment:
    """Someone of the evening, and what they paid in pence; None: nothing yet."""

    player_id: int
    name: str
    is_guest: bool
    pence: int | None


@dataclass(frozen=True, slots=True)
class CashSheet:
    """An evening's money."""

    rows: tuple[Payment, ...]

    @property
    def total(self) -> int:
        """What is in the tin, in pence."""
        return sum(row.pence or 0 for row in self.rows)

    @property
    def paid(self) -> int:
        """How many have paid."""
        return sum(row.pence is not None for row in self.rows)


@dataclass(frozen=True, slots=True)
class EveningMoney:
    """One evening of a year's cash sheet."""

    pk: int
    held_on: date
    here: int
    paid: int
    pence: int


def cash_sheet(session: Session) -> CashSheet:
    """Everyone who is here or has paid, by name; two queries."""
    paid = dict(session.money.values_list("player_id", "pence"))
    players = session.club.players.filter(
        Q(attendances__session=session) | Q(pk__in=paid)
    ).distinct()
    return CashSheet(
        tuple(Payment(one.pk, one.name, one.kind == "guest", paid.get(one.pk)) for one in players)
    )


def year_of_money(club: Club, year: int) -> tuple[EveningMoney, ...]:
    """Every evening of the calendar year with its money, earliest first; two queries."""
    sessions = Session.objects.filter(club=club, held_on__year=year).order_by("held_on")
    money = {
        pk: (paid, pence or 0)
        for pk, paid, pence in sessions.annotate(
            paid=Count("money"), pence=Sum("money__pence")
        ).values_list("pk", "paid", "pence")
    }
    here = sessions.annotate(here=Count("attendances")).values_list("pk", "held_on", "here")
    return tuple(EveningMoney(pk, day, count, *money[pk]) for pk, day, count in here)


def in_pounds(pence: int) -> str:
    """``£12.50``, exact."""
    return f"£{pence // 100:,}.{pence % 100:02}"


def plain_pounds(pence: int) -> str:
    """``12.50``, as a spreadsheet adds it up."""
    return f"{pence // 100}.{pence % 100:02}"
