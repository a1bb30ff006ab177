"""The clubs of this installation as an operator reads them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db.models import Count, F, Func, IntegerField, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from clubs.hosting.texts import FOUNDING_OPEN, founding_faults
from clubs.models import (
    AuditEntry,
    Club,
    DeletedClub,
    FoundingRequest,
    Installation,
    Job,
    Membership,
    Player,
    Role,
    Session,
)
from clubs.tenancy import across_clubs
from scoring.scorebook.models import Hand

STATE_CHOICES: Final = {
    "": "All clubs",
    "new": "New: not looked at",
    "open": "Open",
    "closed": "Closed",
    "leaving": "To be deleted",
}
UNUSED_CHOICES: Final = {"": "At any time", "6": "Not for 6 months", "12": "Not for a year"}
STATE_CONDITIONS: Final = {
    "": Q(),
    "new": Q(agreed_to__isnull=False, mails_a_day=None),
    "open": Q(closed_at=None, delete_on=None),
    "closed": Q(closed_at__isnull=False),
    "leaving": Q(delete_on__isnull=False),
}
ONE_MONTH: Final = timedelta(days=30.4)
DELETED_CLUBS_SHOWN: Final = 10


@dataclass(frozen=True, slots=True)
class HostedClub:
    """A club, its size, and who started it; ``used_at``: the last entry of its activity log.

    ``stored_bytes`` is how many bytes of printouts it keeps, but for those whose size is not known.
    """

    club: Club
    founder: str
    players: int
    evenings: int
    hands: int
    used_at: datetime | None
    stored_bytes: int = 0
    unmeasured_files: int = 0

    @property
    def state(self) -> str:
        """``leaving``, ``closed`` or ``open``."""
        if self.club.delete_on:
            return "leaving"
        return "closed" if self.club.closed_at else "open"

    @property
    def megabytes(self) -> float:
        return self.stored_bytes / 1_000_000


@dataclass(frozen=True, slots=True)
class FoundingState:
    """Whether people can start clubs here, what is missing, and how much was asked for today."""

    is_on: bool
    faults: list[str]
    requests: int
    most: int
    is_full_today: bool


def founding_state(*, now: datetime) -> FoundingState:
    """Two queries."""
    lately = FoundingRequest.objects.filter(asked_at__gt=now - timedelta(days=1))
    full_on = Installation.objects.values_list("founding_full_on", flat=True).first()
    is_on = settings.FOUNDING == FOUNDING_OPEN
    return FoundingState(
        is_on=is_on,
        faults=founding_faults(),
        requests=lately.count(),
        most=settings.FOUNDING_A_DAY,
        is_full_today=full_on == timezone.localdate(now),
    )


def hosted_clubs(*, search: str = "", state: str = "", unused: str = "") -> QuerySet[Club]:
    """The clubs with what ``as_hosted`` reads of each, by name; never a practice evening.

    ``search`` is part of a name, an address or the founder's email address, ``state`` one of
    ``STATE_CHOICES``, ``unused`` one of ``UNUSED_CHOICES``.
    """
    with across_clubs():
        entries = AuditEntry.objects.filter(club=OuterRef("pk")).order_by("-at")
        players = Player.objects.filter(club=OuterRef("pk"), erased_on=None)
        evenings = Session.objects.filter(club=OuterRef("pk"))
        secretary = Membership.objects.filter(club=OuterRef("pk"), role=Role.SECRETARY)
    hands = Hand.objects.filter(
        Q(game__book__session__club=OuterRef("pk"))
        | Q(game__book__tournament__club=OuterRef("pk")),
        is_current=True,
    )
    clubs = Club.objects.filter(STATE_CONDITIONS.get(state, Q()), rehearsal_of=None).annotate(
        founder=Coalesce(
            F("founded_by__email"), Subquery(secretary.order_by("pk").values("user__email")[:1])
        ),
        used_at=Subquery(entries.values("at")[:1]),
        players_now=_count_per_club(players),
        evenings_now=_count_per_club(evenings),
        hands_now=_count_per_club(hands),
    )
    if search:
        name_condition = Q(name__icontains=search) | Q(slug__icontains=search)
        clubs = clubs.filter(name_condition | Q(founder__icontains=search))
    if unused in UNUSED_CHOICES and unused:
        cutoff = timezone.now() - int(unused) * ONE_MONTH
        clubs = clubs.filter(Q(used_at=None) | Q(used_at__lt=cutoff))
    return clubs.order_by("name", "pk")


def as_hosted(clubs: Iterable[Club]) -> list[HostedClub]:
    """The clubs of ``hosted_clubs`` as rows; one query more, for the size of their files."""
    club_rows: list[Any] = list(clubs)
    with across_clubs():
        jobs = Job.objects.filter(club__in=[club.pk for club in club_rows]).exclude(result="")
        sizes = list(
            jobs.order_by()
            .values_list("club")
            .annotate(
                stored=Coalesce(Sum("bytes"), 0), unmeasured=Count("pk", filter=Q(bytes=None))
            )
        )
    stored_bytes = {club: size for club, size, _ in sizes}
    unmeasured_files = {club: count for club, _, count in sizes}
    return [
        HostedClub(
            club=club,
            founder=club.founder or "",
            players=club.players_now,
            evenings=club.evenings_now,
            hands=club.hands_now,
            used_at=club.used_at,
            stored_bytes=stored_bytes.get(club.pk, 0),
            unmeasured_files=unmeasured_files.get(club.pk, 0),
        )
        for club in club_rows
    ]


def deleted_clubs() -> list[DeletedClub]:
    """The clubs that were deleted last."""
    return list(DeletedClub.objects.all()[:DELETED_CLUBS_SHOWN])


def _count_per_club(rows: QuerySet[Any]) -> Coalesce:
    """How many rows there are for each club, as a part of the query for the clubs."""
    count = Func(F("pk"), function="COUNT", output_field=IntegerField())
    return Coalesce(Subquery(rows.order_by().annotate(how_many=count).values("how_many")), 0)
