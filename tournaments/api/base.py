"""What every API view of a tournament shares: the tournament, the round's table, who acts."""

from functools import cached_property
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter

from clubs.api.base import ClubAPIView, LinkedAPIView
from clubs.api.commands import ActAPIView
from clubs.core.stale_forms import Shown
from clubs.table.api.hands import linked, sender
from tournaments.models import Table, Tournament
from tournaments.permissions import RUN_TOURNAMENT, SEE_LAST_ROUND, SEE_TOURNAMENT
from tournaments.selectors import desk
from tournaments.selectors.overview import hung_as

LIST = "clubs/<slug:club>/tournaments/"
ONE = f"{LIST}<int:tournament>/"
TABLE = f"{ONE}rounds/<int:round>/tables/<int:number>/"
OPEN = "e/<slug:key>/"
CARD = "r/<slug:key>/"
FIND = OpenApiParameter("find", str, description="only names that contain this")
NAME = OpenApiParameter("name", str, description="also explain this player, by full name")


class TournamentAPIView(ClubAPIView):
    """An API view of one tournament; those of other clubs are not found."""

    door = SEE_TOURNAMENT

    @cached_property
    def tournament(self) -> Tournament:
        """The tournament of the address; raises ``Http404``."""
        of_the_club = Tournament.objects.select_related("club", "book").filter(club=self.club)
        return get_object_or_404(of_the_club, pk=self.kwargs["tournament"])

    @property
    def sees_all(self) -> bool:
        """Whether the caller sees the last round, which may be hidden until the prize-giving."""
        return not self.tournament.hides_last_round or self.may(SEE_LAST_ROUND)

    @property
    def made_by(self) -> str:
        """Who acts, as the score book keeps it."""
        return sender(self.request)


class RunAPIView(TournamentAPIView, ActAPIView):
    """An act of an organiser."""

    door = RUN_TOURNAMENT

    def shown(self, told: dict[str, Any]) -> Shown:
        """What the act was sent for, taken out of what was sent."""
        match = self.request.resolver_match
        act = "" if match is None else str(match.url_name).removeprefix("api-")
        return Shown(act, told.pop("shown", ""), told.pop("round", None))


class AtTableAPIView(TournamentAPIView):
    """An API view of one table of a round."""

    def found_table(self) -> Table:
        """The table of the address, read afresh; raises ``Http404``."""
        return get_object_or_404(
            desk.tables_with_games(),
            round__tournament__club=self.club,
            round__tournament__pk=self.kwargs["tournament"],
            round__number=self.kwargs["round"],
            number=self.kwargs["number"],
        )

    @cached_property
    def round_table(self) -> Table:
        """The table of the address; raises ``Http404``."""
        return self.found_table()

    @cached_property
    def tournament(self) -> Tournament:
        """The tournament of the table."""
        return self.round_table.round.tournament


class CardAPIView(LinkedAPIView):
    """An API view for anyone with the link of a table card, or of one of its seats."""

    def found_table(self) -> tuple[Table, int | None]:
        """The table of the link and the seat if it is one's own, read afresh.

        Raises ``Replaced`` or ``Http404``.
        """
        return linked(desk.tables_with_games, self.kwargs["key"])

    @cached_property
    def _found(self) -> tuple[Table, int | None]:
        return self.found_table()

    @property
    def round_table(self) -> Table:
        """The table with that link; raises ``Http404``."""
        return self._found[0]

    @property
    def seat(self) -> int | None:
        """The seat whose link it is; None for the table's own, which speaks for all seats."""
        return self._found[1]

    @property
    def sent_by(self) -> str:
        """Who acts, as the score book keeps it."""
        at = f"round table {self.round_table.pk}"
        return at if self.seat is None else f"{at} seat {self.seat}"


class WallAPIView(LinkedAPIView):
    """An API view for anyone with the link of a tournament's projector screen."""

    @cached_property
    def tournament(self) -> Tournament:
        """The tournament with that link; raises ``Http404``."""
        found = hung_as(self.kwargs["key"])
        if found is None:
            raise Http404
        return found
