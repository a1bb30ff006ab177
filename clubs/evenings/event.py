"""A table of an evening."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Self
from uuid import UUID

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse

from clubs.core import permissions
from clubs.core.pages import Breadcrumbs, evening_breadcrumbs
from clubs.core.queue import emit_event
from clubs.evenings.selectors import evenings as rows, games
from clubs.evenings.services.evenings import (
    emit_evening_event,
    lock_session,
    lock_unfinished,
    touch,
)
from clubs.models import EARLIER_GAME_OFFSET, Club, News, SessionTable
from clubs.models.names import ORGANISER_READER, Reader
from clubs.table.event import (
    PLAYERS_CHANGED,
    TOO_LATE_MESSAGE,
    TableEvent,
    register_event_kind,
    seat_key,
)
from clubs.table.rankings import Ranking
from clubs.table.rows import EarlierGame, OtherGames, TableView, numbered_hands, table_title
from scoring.scorebook import ledger, services as scorebook
from scoring.scorebook.consent import Sitters
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import refuse


@register_event_kind
class EveningTable(TableEvent):
    row: SessionTable

    phone = "table"
    desk = "evening"
    kind = "evening"
    of_game = "session_table"
    to_club = "session__club"
    event_phrase = "at an evening"
    log_suffix = "on {evening}"
    tab = "evenings"
    sees = permissions.SEE_CLUB
    enters = permissions.ENTER_HANDS
    corrects = permissions.CORRECT_HANDS

    @classmethod
    def rows(cls) -> QuerySet[SessionTable]:
        return rows.tables_with_games()

    @classmethod
    def find(cls, club: Club, **url_kwargs: int) -> Self:
        """The table ``number`` of the club's evening ``pk``. Raises ``Http404``."""
        lookup = {"session__pk": url_kwargs["pk"], "number": url_kwargs["number"]}
        return cls(get_object_or_404(cls.rows(), session__club=club, **lookup))

    @property
    def club(self) -> Club:
        return self.row.session.club

    @property
    def location_ids(self) -> Mapping[str, int]:
        return {"evening": self.row.session_id, "number": self.row.table_number}

    @property
    def held_on(self) -> date:
        return self.row.session.held_on

    @property
    def closed_because(self) -> str:
        if self.row.session.is_cancelled:
            return "This evening was cancelled, so no hands can be entered."
        return "" if self.may_change else "This evening is finished."

    @property
    def may_change(self) -> bool:
        return not self.row.session.is_over

    @property
    def record_by(self) -> str:
        return self.club.record_by

    def view(self, reader: Reader) -> TableView:
        return rows.view_of(self.row, reader=reader)

    def names(self, reader: Reader, *, hand: int | None = None) -> Mapping[int, str]:  # noqa: ARG002
        return rows.shown_names_at(self.row, reader=reader)

    def sitters(self, hand_id: int | None = None) -> Sitters:  # noqa: ARG002
        return Sitters(rows.names_at(self.row))

    def lock(self) -> None:
        ledger.lock_book(scorebook.lock_with_later_games(self.row.game_id))
        lock_unfinished(self.row.session)

    def lock_games(self, game_ids: Sequence[int]) -> None:
        if self.row.session.tables.filter(game__in=game_ids).count() != len(game_ids):
            raise refuse("no_table", "Choose a table of this evening.", "other")
        scorebook.lock_games_together(game_ids)
        lock_unfinished(self.row.session)

    def sent_before(
        self,
        submission_id: UUID,
        number: int,  # noqa: ARG002
        entered_at: datetime | None = None,
    ) -> Hand | None:
        """Refused if a phone kept the hand until someone had joined or left the table."""
        if entered_at is None or entered_at >= self.row.game.made_at:
            return None
        session, earlier_number = self.row.session_id, self.row.number + EARLIER_GAME_OFFSET
        if not SessionTable.objects.filter(session=session, number=earlier_number).exists():
            return None
        hands = Hand.objects.filter(game__session_table__session=session)
        stored_hand = hands.filter(submission_id=submission_id).first()
        if stored_hand is None:
            raise refuse(PLAYERS_CHANGED, TOO_LATE_MESSAGE)
        return stored_hand

    def lock_links(self) -> Sequence[SessionTable]:
        """Locks the evening first, so that nobody joins or leaves the table meanwhile."""
        lock_session(self.row.session_id)
        return list(games.rows_at(self.row).select_for_update(of=("self",)))

    def other_games(self, seat: int | None = None) -> OtherGames:
        if not self.is_past and not self.row.game.hands_before:
            return OtherGames()
        now, *ended_games = games.games_at(self.row, seat)
        if self.is_past:
            ended_games = [game for game in ended_games if game.row.number < self.row.number]
        earlier_games = [
            EarlierGame(
                number=game.row.number,
                game_id=game.row.game_id,
                hands=numbered_hands(game.row.game.hands_before, game.hands),
                key=_game_link(game, seat),
                waiting=game.waiting,
            )
            for game in ended_games
        ]
        return OtherGames(earlier_games, _game_link(now, seat) if self.is_past else "")

    @property
    def is_past(self) -> bool:
        return self.row.number > EARLIER_GAME_OFFSET

    def touch(self) -> None:
        touch(self.row.session)

    def tell(self, kind: News, hand: Hand | None = None) -> None:
        session, number = self.row.session, self.row.number
        if hand is None:
            emit_evening_event(kind, session)
            return
        payload = {"evening": session.pk, "table": number, "game": hand.game_id}
        payload |= {"hand": hand.pk, "number": hand.number}
        emit_event(kind, club=session.club_id, route=("api-game", hand.game_id), **payload)

    def tables(self) -> Mapping[int, TableView]:
        tables = rows.linked_tables(self.row.session, reader=ORGANISER_READER)
        return {table.view.game.pk: table.view for table in tables}

    def rankings(self) -> Sequence[Ranking]:
        return rows.rankings_of(self.row.session)

    def numbers(self) -> Sequence[int]:
        return rows.table_numbers(self.row.session_id)

    @property
    def title(self) -> str:
        game, number = self.row.game, self.row.number
        is_ended = number > EARLIER_GAME_OFFSET
        hand_count = game.hands.filter(is_current=True).count() if is_ended else 0
        return table_title(number, game.hands_before, hand_count)

    @property
    def place(self) -> list[Any]:
        return [self.club.slug, self.row.session_id, self.row.number]

    @property
    def card(self) -> str:
        return f"{reverse('cards-pdf', args=self.place[:2])}?table={self.row.table_number}"

    @property
    def standings(self) -> str:
        return reverse("table-standings", args=[self.row.link_key])

    def event_trail(self, *crumbs: dict[str, str]) -> Breadcrumbs:
        return evening_breadcrumbs(self.club, self.row.session, *crumbs)


def _game_link(game: games.GameAt, seat: int | None) -> str:
    """The link of a game for whoever has the table's link, or one of its seats'."""
    if seat is None:
        return game.row.link_key
    return seat_key(game.row, game.seat) if game.seat else ""
