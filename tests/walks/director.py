"""A tournament by the services: each step as the clipboard has it, by names and numbers."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import uuid4

from clubs.models import Club, Role
from clubs.privacy.services import erase_player
from clubs.table import services as at_table
from scoring.scorebook.consent import shown_digest
from scoring.scorebook.models import Game, Hand as StoredHand
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import hand_row
from tests.clubs.clubfile.moving import move_club
from tests.people import make_user
from tests.tournaments.cups import case, make_cup, send_hand
from tests.walks.browsers import REASON
from tests.walks.clipboard import Drawing, Ruling
from tests.walks.notebook import Hand
from tournaments.models import (
    Entrant,
    OddNumber,
    Placement,
    Ruling as StoredRuling,
    SittingOut,
    Table,
    Tournament,
)
from tournaments.rounds.services import counting_rulings
from tournaments.seating.services import changes, seating
from tournaments.setup import corrections, services as entries
from tournaments.steps import services as steps
from tournaments.table import services as rulings
from tournaments.table.event import RoundTable

DIRECTOR: Final = "user 1"


class Director:
    """One tournament with house players. Each step raises ``Refused`` as its service does."""

    def __init__(self, club: Club, names: Sequence[str], *, rounds: int, hands: int) -> None:
        cup = make_cup(club=club, names=names, rounds=rounds, hands=hands, odd=OddNumber.HOUSE)
        cup.sitting_out_counts = SittingOut.NOTHING
        cup.save(update_fields=["sitting_out_counts"])
        self.pk, self.secretary = cup.pk, make_user(club, "Alice", Role.SECRETARY)

    @property
    def cup(self) -> Tournament:
        return Tournament.objects.get(pk=self.pk)

    def entrant(self, name: str) -> Entrant:
        return Entrant.objects.get(tournament=self.pk, name=name)

    def table(self, number: int, table_number: int) -> Table:
        tables = Table.objects.select_related("round__tournament__club", "game")
        return tables.get(round__tournament=self.pk, round__number=number, number=table_number)

    @staticmethod
    def seats(table: Table) -> dict[str, int]:
        places = table.placements.order_by("seat__number")
        return dict(places.values_list("entrant__name", "seat__number"))

    def hand(self, table: Table, place: int) -> StoredHand:
        return StoredHand.objects.get(game=table.game, number=place + 1, is_current=True)

    def report(self, table: Table, hand: Hand) -> Report:
        seats = self.seats(table)
        return Report(
            winner=None if hand.winner is None else seats[hand.winner],
            totals={seats[name]: score for name, score in hand.scores.items()},
        )

    # The entries and the seating.

    def enter(self, name: str) -> None:
        entries.enter_entrant(tournament=self.cup, name=name)

    def withdraw(self, name: str) -> None:
        entries.withdraw(tournament=self.cup, entrant=self.entrant(name))

    def readmit(self, name: str) -> None:
        entries.readmit(tournament=self.cup, entrant=self.entrant(name))

    def correct_entry(self, name: str, right: str, team: str, couple: str) -> None:
        corrections.correct_entrant(
            tournament=self.cup,
            entrant=self.entrant(name),
            details=corrections.EntrantDetails(name=right, team=team, couple=couple),
            made_by=DIRECTOR,
            note=REASON,
        )

    def move_away(self) -> None:
        """The tournament goes on from the club's file, in which it has other keys."""
        self.pk = move_club(self.cup.club, self.secretary).club.tournaments.get().pk

    def erase(self, name: str) -> None:
        person = self.cup.club.players.get(name=name)
        erase_player(player=person, today=self.cup.held_on)

    def seat(self) -> None:
        seating.seat_rounds(tournament=self.cup)

    def reseat(self) -> None:
        changes.reseat_rounds(tournament=self.cup, made_by=DIRECTOR)

    def drawing(self) -> Drawing:
        """Who sits where in the rounds that have not begun."""
        drawing: dict[int, dict[int, tuple[str, ...]]] = {}
        places = Placement.objects.filter(round__tournament=self.pk, round__state="seated")
        for number, table_number, name in places.order_by("seat__number").values_list(
            "round__number", "table__number", "entrant__name"
        ):
            tables = drawing.setdefault(number, {})
            tables[table_number] = (*tables.get(table_number, ()), name)
        return drawing

    def clear(self) -> None:
        seating.clear_rounds(tournament=self.cup)

    def swap(self, number: int, name: str, other_name: str) -> None:
        first, second = self.entrant(name), self.entrant(other_name)
        changes.swap(tournament=self.cup, number=number, one=first, other=second, made_by=DIRECTOR)

    def take_over(self, leaver: str, newcomer: str) -> None:
        changes.take_over(
            tournament=self.cup,
            leaver=self.entrant(leaver),
            newcomer=self.entrant(newcomer) if newcomer else None,
            made_by=DIRECTOR,
        )

    def undo_change(self) -> None:
        changes.undo_change(tournament=self.cup)

    def picture(self) -> dict[str, Any]:
        """All that counts of the tournament: who plays where, and the book of every table."""
        cup = self.cup
        tables = Table.objects.filter(round__tournament=cup).select_related("game", "round")
        rulings = counting_rulings(Game.objects.filter(tournament_table__in=tables))
        hands = StoredHand.objects.filter(game__tournament_table__in=tables, is_current=True)
        return {
            "cup": (cup.state, cup.published_at),
            "entrants": sorted(
                cup.entrants.people().values_list("name", "state", "team", "couple")
            ),
            "rounds": sorted(cup.rounds.values_list("number", "state")),
            "out": sorted(cup.rounds.values_list("number", "sitting_out__name")),
            "places": sorted(
                Placement.objects.filter(round__tournament=cup).values_list(
                    *("round__number", "table__number", "seat__number", "entrant__name"),
                    *("capacity", "substitute", "seat__points", "seat__hands", "seat__mahjongs"),
                )
            ),
            "tables": sorted(
                (table.round.number, table.number, table.stopped_at is None, table.game.is_closed)
                for table in tables
            ),
            "hands": sorted((hand.pk, hand.number, hand.state, hand.gains) for hand in hands),
            "rulings": sorted((ruling.pk, ruling.points) for ruling in rulings),
        }

    # The rounds.

    def start(self) -> None:
        steps.start_round(tournament=self.cup)

    def unstart(self) -> None:
        steps.unstart_round(tournament=self.cup)

    def close(self) -> None:
        steps.close_round(tournament=self.cup)

    def reopen(self) -> None:
        steps.reopen_round(tournament=self.cup, reason=REASON, made_by=DIRECTOR)

    def finish(self) -> None:
        steps.finish_tournament(tournament=self.cup)

    def resume(self) -> None:
        steps.reopen_tournament(tournament=self.cup, reason=REASON, made_by=DIRECTOR)

    # The tables.

    def stop(self, number: int, table_number: int) -> None:
        steps.stop_table(table=self.table(number, table_number))

    def play_on(self, number: int, table_number: int) -> None:
        steps.play_on(table=self.table(number, table_number))

    def play(self, number: int, table_number: int, hand: Hand) -> None:
        table = self.table(number, table_number)
        count = StoredHand.objects.filter(game=table.game, is_current=True).count()
        send_hand(table, count + 1, self.report(table, hand))

    def undo_hand(self, number: int, table_number: int, place: int) -> None:
        table = self.table(number, table_number)
        at_table.undo_last_hand(
            table=RoundTable(table), hand_id=self.hand(table, place).pk, taken_by="table 1"
        )

    def correct(self, number: int, table_number: int, place: int, right: Hand) -> None:
        table = self.table(number, table_number)
        at_table.correct_hand(
            table=RoundTable(table),
            hand_id=self.hand(table, place).pk,
            report=self.report(table, right),
            corrected_by=DIRECTOR,
            reason=REASON,
        )

    def say(self, number: int, table_number: int, place: int, name: str, agrees: bool) -> None:
        table = self.table(number, table_number)
        hand, event = self.hand(table, place), RoundTable(table)
        at_table.record_agreement(
            table=event,
            hand_id=hand.pk,
            seats=[self.seats(table)[name]],
            agrees=agrees,
            seen_digest=shown_digest(hand_row(hand), substitutes={}, rules=table.game.rules),
            said_by=f"table {table.pk}",
        )

    def decide(self, number: int, table_number: int, place: int) -> None:
        table = self.table(number, table_number)
        hand = self.hand(table, place).pk
        at_table.confirm_hand(
            table=RoundTable(table), hand_id=hand, reason=REASON, made_by=DIRECTOR
        )

    def rule(self, number: int, table_number: int, ruling: Ruling) -> None:
        table = self.table(number, table_number)
        seats = self.seats(table)
        rulings.make_ruling(
            case=case(table, seats[ruling.player]),
            what=ruling.kind,
            claimant=seats[ruling.claimant] if ruling.claimant else None,
            number=ruling.number,
            points=ruling.points,
        )

    def standing_rulings(self, table: Table) -> list[StoredRuling]:
        """The rulings of a table that were not cancelled, as they were made."""
        games = Game.objects.filter(pk=table.game_id)
        return list(counting_rulings(games).order_by("pk"))

    def cancel(self, number: int, table_number: int, place: int) -> None:
        ruling = self.standing_rulings(self.table(number, table_number))[place]
        rulings.cancel_ruling(
            ruling=ruling, reason=REASON, ruled_by=DIRECTOR, submission_id=uuid4()
        )
