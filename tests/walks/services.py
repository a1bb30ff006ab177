"""An evening by the services: each step as the notebook has it, by names and tables' numbers."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import IO, Any, Final
from uuid import uuid4

from clubs.clubfile.selectors import tables_of
from clubs.clubfile.services import import_club
from clubs.evenings.event import EveningTable
from clubs.evenings.services import ending, evenings
from clubs.members.services import merging
from clubs.models import (
    EARLIER_GAME_OFFSET,
    AuditEntry,
    Club,
    Player,
    PlayerMerge,
    Session,
    SessionTable,
    User,
)
from clubs.privacy.services import erase_player
from clubs.table import services as at_table
from scoring.scorebook.consent import shown_digest
from scoring.scorebook.models import Hand as StoredHand
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import hand_row, progress
from tests.clubs.clubfile.moving import file_of, move_club, remove
from tests.walks.browsers import REASON
from tests.walks.notebook import Hand

SCORER: Final = "user 1"


class ByServices:
    """One club with its evening. Each step raises ``Refused`` as its service does."""

    def __init__(self, club: Club, secretary: User) -> None:
        self.club, self.secretary = club, secretary
        self.session: Session

    def person(self, name: str) -> Player:
        return self.club.players.get(name=name)

    def table(self, number: int) -> SessionTable:
        tables = SessionTable.objects.select_related("game", "session__club")
        return tables.get(session=self.session, number=number)

    def sitting(self, number: int, sitting_index: int) -> SessionTable:
        """A table's sitting: 0 for the first, which has the number 1001 once another follows."""
        earlier_number = number + EARLIER_GAME_OFFSET * (sitting_index + 1)
        is_over = SessionTable.objects.filter(session=self.session, number=earlier_number).exists()
        return self.table(earlier_number if is_over else number)

    def hand(self, number: int, sitting_index: int, place: int) -> tuple[EveningTable, StoredHand]:
        table = self.sitting(number, sitting_index)
        hand = StoredHand.objects.get(game=table.game, number=place + 1, is_current=True)
        return EveningTable(table), hand

    @staticmethod
    def seats(table: SessionTable) -> dict[str, int]:
        places = table.places.order_by("seat__number")
        return dict(places.values_list("player__name", "seat__number"))

    def report(self, table: SessionTable, hand: Hand) -> Report:
        seats = self.seats(table)
        return Report(
            winner=None if hand.winner is None else seats[hand.winner],
            totals={seats[name]: score for name, score in hand.scores.items()},
        )

    def erase(self, name: str) -> None:
        erase_player(player=self.person(name), today=self.session.held_on)

    def merge(self, person: str, duplicate: str) -> None:
        merging.merge_players(kept_player=self.person(person), merged_player=self.person(duplicate))

    def undo_merge(self) -> None:
        merging.undo_merge(merge=PlayerMerge.objects.filter(club=self.club).latest("pk"))

    def move_away(self) -> None:
        """The club goes on from its file, in which it has other keys."""
        day = self.session.held_on
        self.club = move_club(self.club, self.secretary).club
        self.session = Session.objects.get(club=self.club, held_on=day)

    def club_file(self) -> IO[bytes]:
        """The club as a file, as of now."""
        return file_of(self.club)[0]

    def contents(self) -> dict[str, list[str]]:
        """All that the club has stored, whatever keys it has; but for what it has logged."""
        tables = {label: list(lines) for label, lines in tables_of(self.club)}
        del tables[AuditEntry._meta.label]
        return tables

    def restore_from(self, file: IO[bytes], held_on: date) -> None:
        """The club is deleted and brought back from a file; its last evening then was that day."""
        remove(self.club)
        self.club = import_club(file, user=self.secretary).club
        self.session = Session.objects.get(club=self.club, held_on=held_on)

    # The door and the tables.

    def open(self, held_on: date) -> None:
        self.session = evenings.open_session(club=self.club, held_on=held_on)

    def check_in(self, name: str) -> None:
        evenings.tick(session=self.session, player=self.person(name), is_here=True)

    def check_out(self, name: str) -> None:
        evenings.tick(session=self.session, player=self.person(name), is_here=False)

    def draw_tables(self) -> None:
        evenings.seat_session(session=self.session)

    def drawing(self) -> Mapping[int, tuple[str, ...]]:
        """Who was drawn to which table, East first."""
        return {
            table.number: tuple(self.seats(table))
            for table in self.session.tables.order_by("number")
        }

    def clear(self) -> None:
        evenings.clear_tables(session=self.session)

    def join(self, name: str, number: int) -> None:
        evenings.join_table(session=self.session, player=self.person(name), number=number)

    def take_over(self, leaver: str, newcomer: str, *, goes_home: bool) -> None:
        evenings.take_over(
            session=self.session,
            leaver=self.person(leaver),
            player=self.person(newcomer),
            goes_home=goes_home,
        )

    def leave(self, leaver: str, *, goes_home: bool) -> None:
        evenings.leave_table(session=self.session, leaver=self.person(leaver), goes_home=goes_home)

    def end_table(self, leaver: str, *, goes_home: bool) -> None:
        evenings.end_table(session=self.session, leaver=self.person(leaver), goes_home=goes_home)

    def lay_another(self, names: Iterable[str]) -> None:
        evenings.form_table(session=self.session, players=[self.person(name) for name in names])

    def undo_change(self, number: int) -> None:
        evenings.undo_change(session=self.session, number=number)

    # The hands.

    def enter(self, number: int, hand: Hand, *, sent_by: str | None) -> None:
        table = self.table(number)
        at_table.post_hand(
            table=EveningTable(table),
            submission_id=uuid4(),
            number=progress(table.game).deals[-1].number,
            report=self.report(table, hand),
            sent_by=f"table {table.pk}",
            seat=None if sent_by is None else self.seats(table)[sent_by],
        )

    def undo_hand(self, number: int, sitting_index: int, place: int) -> None:
        table, hand = self.hand(number, sitting_index, place)
        at_table.undo_last_hand(table=table, hand_id=hand.pk, taken_by=f"table {table.row.pk}")

    def correct(self, number: int, sitting_index: int, place: int, right: Hand) -> None:
        table, hand = self.hand(number, sitting_index, place)
        at_table.correct_hand(
            table=table,
            hand_id=hand.pk,
            report=self.report(table.row, right),
            corrected_by=SCORER,
            reason=REASON,
        )

    def say(
        self, number: int, sitting_index: int, place: int, names: Iterable[str], *, agrees: bool
    ) -> None:
        table, hand = self.hand(number, sitting_index, place)
        seats = self.seats(table.row)
        at_table.record_agreement(
            table=table,
            hand_id=hand.pk,
            seats=[seats[name] for name in names],
            agrees=agrees,
            seen_digest=shown_digest(hand_row(hand), substitutes={}, rules=table.row.game.rules),
            said_by=f"table {table.row.pk}",
        )

    def decide(self, number: int, sitting_index: int, place: int) -> None:
        table, hand = self.hand(number, sitting_index, place)
        at_table.confirm_hand(table=table, hand_id=hand.pk, reason=REASON, made_by=SCORER)

    def picture(self) -> dict[str, Any]:
        """All that counts of the evening: who is where, and the book of every table."""
        tables = SessionTable.objects.filter(session=self.session).select_related("game")
        places = self.session.places.values_list(
            "table__number", "seat__number", "player", "is_current", "seat__points", "seat__hands"
        )
        games = {table.number: table.game for table in tables}
        hands = StoredHand.objects.filter(game__in=games.values(), is_current=True)
        ticks = self.session.attendances.values_list("player", "left_at")
        return {
            "places": sorted(places),
            "here": sorted((player, left_at is None) for player, left_at in ticks),
            "games": {
                number: (game.pk, game.is_closed, game.opening, progress(game))
                for number, game in games.items()
            },
            "hands": sorted((hand.pk, hand.number, hand.state, hand.gains) for hand in hands),
            "state": Session.objects.get(pk=self.session.pk).state,
        }

    # The end.

    def finish(self) -> None:
        ending.close_session(session=self.session)

    def reopen(self) -> None:
        ending.reopen_session(session=self.session)

    def cancel(self) -> None:
        ending.cancel_session(session=self.session, reason=REASON)

    def restore(self) -> None:
        ending.restore_session(session=self.session)
