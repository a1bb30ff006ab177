"""A table of a round."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property, partial
from typing import Any, Self
from uuid import UUID

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from clubs.core.pages import Breadcrumbs
from clubs.core.permissions import Permission
from clubs.models import Club, News
from clubs.models.names import ORGANISER_READER, Reader
from clubs.table.event import TableEvent, register_event_kind
from clubs.table.rankings import Ranking
from clubs.table.rows import RulingChange, TableView
from scoring.scorebook import ledger, services as scorebook
from scoring.scorebook.consent import Sitters
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import refuse
from tournaments.core import (
    CORRECT_TABLE_HANDS,
    ENTER_TABLE_HANDS,
    RUN_TOURNAMENT,
    SEE_LAST_ROUND,
    SEE_TOURNAMENT,
    emit_hand_event,
    emit_tournament_event,
    lock_tournament,
    touch,
    tournament_breadcrumbs,
)
from tournaments.models import RoundState, Table, Tournament, TournamentState
from tournaments.results.selectors.standings import rankings_of
from tournaments.rounds import selectors as rows
from tournaments.rounds.clock import Timing, done_reason, timing_of
from tournaments.rounds.rulings import ruling_changes, update_rulings
from tournaments.rounds.watch import open_call

CALL_REASONS = ("A question about the rules", "We do not agree", "Something else")


@register_event_kind
@dataclass(frozen=True)
class RoundTable(TableEvent):
    """``by_players``: whether those at the table enter the hands; the bell applies to them."""

    row: Table
    by_players: bool = False

    phone = "round-table"
    desk = "tournament"
    kind = "round"
    of_game = "tournament_table"
    to_club = "round__tournament__club"
    event_phrase = "in a tournament"
    log_suffix = "in {round} of {tournament}"
    tab = "tournaments"
    sees = SEE_TOURNAMENT
    enters = ENTER_TABLE_HANDS
    corrects = CORRECT_TABLE_HANDS

    @classmethod
    def rows(cls) -> QuerySet[Table]:
        return rows.tables_with_games()

    @classmethod
    def find(cls, club: Club, **url_kwargs: int) -> Self:
        """The table ``number`` of ``round`` of the club's tournament ``pk``. Raises ``Http404``."""
        tables = cls.rows().filter(
            round__tournament__pk=url_kwargs["pk"], round__number=url_kwargs["round"]
        )
        lookup = {"round__tournament__club": club, "number": url_kwargs["number"]}
        return cls(get_object_or_404(tables, **lookup))

    @classmethod
    def for_players(cls, row: Table) -> Self:
        return cls(row, by_players=True)

    @property
    def tournament(self) -> Tournament:
        return self.row.round.tournament

    @property
    def club(self) -> Club:
        return self.tournament.club

    @property
    def location_ids(self) -> Mapping[str, int]:
        round_ = self.row.round
        round_keys = {"tournament": round_.tournament_id, "round": round_.number}
        return {**round_keys, "number": self.row.number}

    @property
    def held_on(self) -> date:
        return self.tournament.held_on

    @property
    def seen_by(self) -> Permission:
        is_hidden = rows.is_hidden(self.tournament, number=self.row.round.number)
        return SEE_LAST_ROUND if is_hidden else self.sees

    @cached_property
    def timing(self) -> Timing | None:
        """The table's time while its round is played; at most one query."""
        return timing_of(self.row, now=timezone.now())

    @cached_property
    def closed_because(self) -> str:
        is_open = self.row.round.state == RoundState.PLAYING
        return "" if is_open else rows.not_open_message(self.row.round)

    @property
    def done_because(self) -> str:
        return self.timing.done_because if self.by_players and self.timing else ""

    @property
    def may_change(self) -> bool:
        return self.tournament.state != TournamentState.FINISHED

    @property
    def record_by(self) -> str:
        return self.tournament.record_by

    @property
    def stake(self) -> int:
        return self.tournament.start_stake

    def view(self, reader: Reader) -> TableView:
        return rows.table_view(self.row, reader=reader)

    def names(self, reader: Reader, *, hand: int | None = None) -> Mapping[int, str]:
        return rows.names_shown_at(self.row, reader=reader, hand=hand)

    def sitters(self, hand_id: int | None = None) -> Sitters:
        return rows.sitters_at(self.row, hand_id=hand_id)

    def lock(self) -> None:
        ledger.lock_book(scorebook.lock_game(self.row.game_id))
        self._lock_tournament()

    def lock_games(self, game_ids: Sequence[int]) -> None:
        tables = Table.objects.filter(round__tournament=self.tournament, game__in=game_ids)
        rounds = list(tables.values_list("round", flat=True))
        if len(rounds) != len(game_ids) or len(set(rounds)) != 1:
            raise refuse("no_table", "Choose a table of this round.", "other")
        scorebook.lock_games_together(game_ids)
        self._lock_tournament()

    def _lock_tournament(self) -> None:
        if lock_tournament(self.tournament.pk).state == TournamentState.FINISHED:
            message = "This tournament is finished, so its results cannot change."
            raise refuse("tournament_finished", message)

    def sent_before(
        self, submission_id: UUID, number: int, entered_at: datetime | None = None
    ) -> Hand | None:
        """Refused if the round is not being played, or the players' time was up at that moment.

        The game's own lock orders a hand and the closing of its round, so that tables do not wait
        for one another. A hand that stands may be sent again.
        """
        table = rows.reload_table(self.row)
        reason = done_reason(table, now=entered_at or timezone.now()) if self.by_players else ""
        is_open = table.round.state == RoundState.PLAYING
        if (is_open and not reason) or Hand.objects.filter(submission_id=submission_id).exists():
            return None
        if not is_open:
            raise refuse("round_not_open", rows.not_open_message(table.round))
        if not Hand.objects.filter(game=table.game_id, number=number, is_current=True).exists():
            raise refuse(
                "after_the_bell", f"{reason} What you typed is still here and is not saved."
            )
        return None

    def check_playing(self) -> None:
        table = rows.tables_with_games().get(pk=self.row.pk)
        if table.round.state != RoundState.PLAYING:
            raise refuse("round_not_open", rows.not_open_message(table.round))

    def check_next(self) -> None:
        table = rows.tables_with_games().get(pk=self.row.pk)
        if reason := done_reason(table, now=timezone.now()):
            message = f"{reason} If you undid a hand now, you could not enter it again."
            raise refuse("after_the_bell", message)

    def work_out_rulings(self, game_ids: Collection[int], *, written_by: str) -> None:
        update_rulings(game_ids, club=self.tournament.club_id, written_by=written_by)

    def rulings_after(
        self, hands: Mapping[tuple[int, int], Hand | None], *, reader: Reader
    ) -> Sequence[RulingChange]:
        return tuple(ruling_changes(hands, reader=reader))

    def touch(self) -> None:
        touch(self.tournament)

    def tell(self, kind: News, hand: Hand | None = None) -> None:
        if hand is None:
            emit_tournament_event(kind, self.tournament)
        else:
            emit_hand_event(kind, self.row, hand)

    def tables(self) -> Mapping[int, TableView]:
        number = self.row.round.number
        linked_tables = rows.linked_tables(
            self.tournament, round_number=number, reader=ORGANISER_READER
        )
        return {table.view.game.pk: table.view for table in linked_tables}

    def rankings(self) -> Sequence[Ranking]:
        return rankings_of(self.tournament)

    def numbers(self) -> Sequence[int]:
        return rows.table_numbers(self.tournament.pk, self.row.round.number)

    @property
    def title(self) -> str:
        return f"Round {self.row.round.number}, table {self.row.number}"

    @property
    def place(self) -> list[Any]:
        return [self.club.slug, self.tournament.pk, self.row.round.number, self.row.number]

    @property
    def card(self) -> str:
        which = f"round={self.row.round.number}&table={self.row.number}"
        return f"{reverse('tournament-cards-pdf', args=self.place[:2])}?{which}"

    @property
    def standings(self) -> str:
        return reverse("standings", args=self.place[:2])

    def event_trail(self, *crumbs: dict[str, str]) -> Breadcrumbs:
        return tournament_breadcrumbs(self.tournament, *crumbs)

    def phone_context(self, key: str) -> dict[str, Any]:
        return {"link": key, "timing": self.timing, **self.call_context()}

    def call_context(self) -> dict[str, Any]:
        """For the part that calls the director; where to go once the round is closed."""
        if self.row.round.state == RoundState.CLOSED:
            return {"find_url": reverse("find-me", args=[self.tournament.wall_key])}
        call = SimpleLazyObject(partial(open_call, self.row, now=timezone.now()))
        address = reverse("round-table-call", args=[self.row.link_key])
        return {"calls": CALL_REASONS, "call": call, "call_url": address}

    def desk_context(self, may: Callable[[Permission], bool]) -> dict[str, Any]:
        return {"timing": self.timing, "may_run": may(RUN_TOURNAMENT)}
