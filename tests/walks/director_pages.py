"""A tournament on its pages: each step as its director and the tables' phones take it over HTTP."""

from collections.abc import Sequence
from typing import Any, Final

from django.urls import reverse

from clubs.models import Club
from tests.walks.browsers import REASON, Browsers, not_offered
from tests.walks.clipboard import Ruling
from tests.walks.director import Director
from tests.walks.notebook import Hand
from tournaments.models import EntrantState, TournamentState
from tournaments.table.event import RoundTable

A_HOUSE_PLAYER: Final = "0"


class DirectorByPages(Director):
    """A tournament whose director is signed in.

    Steps that are not here are taken by the services, and so is what no page offers as it is done
    already: to finish what is finished, to stop a table that has stopped.
    """

    def __init__(self, club: Club, names: Sequence[str], *, rounds: int, hands: int) -> None:
        super().__init__(club, names, rounds=rounds, hands=hands)
        self.pages = Browsers(self.secretary)

    def page(self, name: str, *url_args: int) -> str:
        return reverse(name, args=[self.cup.club.slug, self.pk, *url_args])

    def take(self, step: str, **fields: Any) -> None:
        """Look at the page before a step, then take it."""
        page = self.page(step)
        self.pages.press(page, page, **fields)

    # The entries.

    def enter(self, name: str) -> None:
        page = self.page("entrants")
        form = self.pages.form_on(self.pages.browser, page, page, "name")
        self.pages.send(self.pages.browser, form, name=name)

    def withdraw(self, name: str) -> None:
        page = self.page("entrant-withdraw", self.entrant(name).pk)
        self.pages.press(page, page)

    def readmit(self, name: str) -> None:
        entrant = self.entrant(name)
        if entrant.state == EntrantState.ENTERED:
            super().readmit(name)
        else:
            self.pages.press(self.page("entrants"), f"/{entrant.pk}/readmit/")

    def correct_entry(self, name: str, right: str, team: str, couple: str) -> None:
        page = self.page("entrant-correct", self.entrant(name).pk)
        form = self.pages.form_on(self.pages.browser, page, page, "couple")
        fields = {"name": right, "from_club": "", "team": team, "couple": couple}
        if "note" in form.fields:
            fields["note"] = REASON
        self.pages.send(self.pages.browser, form, **fields)

    # The seating.

    def seat(self) -> None:
        self.take("tournament-seat")

    def clear(self) -> None:
        self.take("tournament-clear")

    def reseat(self) -> None:
        self.pages.press(self.page("seating-ways"), "/anew/")

    def swap(self, number: int, name: str, other_name: str) -> None:
        page = self.page("seating-changes")
        form = self.pages.form_on(self.pages.browser, page, page, "swap-number")
        people = {"swap-one": self.entrant(name).pk, "swap-other": self.entrant(other_name).pk}
        self.pages.send(self.pages.browser, form, **{"swap-number": number, **people})

    def take_over(self, leaver: str, newcomer: str) -> None:
        key = str(self.entrant(newcomer).pk) if newcomer else A_HOUSE_PLAYER
        pair = {"leaver": str(self.entrant(leaver).pk), "newcomer": key}
        page = self.page("seating-ways")
        for form in self.pages.forms_on(self.pages.browser, page, "/takeover/"):
            if form.hidden_fields.items() >= pair.items():
                self.pages.send(self.pages.browser, form)
                return
        super().take_over(leaver, newcomer)

    def undo_change(self) -> None:
        self.pages.press(self.page("seating-changes"), "/undo/")

    # The rounds.

    def start(self) -> None:
        self.take("round-start")

    def unstart(self) -> None:
        self.take("round-unstart")

    def close(self) -> None:
        self.take("round-close")

    def reopen(self) -> None:
        self.take("round-reopen", reason=REASON)

    def finish(self) -> None:
        if self.cup.state == TournamentState.FINISHED:
            super().finish()
        else:
            self.take("tournament-finish")

    def resume(self) -> None:
        self.take("tournament-reopen", reason=REASON)

    # The tables.

    def stop(self, number: int, table_number: int) -> None:
        if self.table(number, table_number).stopped_at:
            super().stop(number, table_number)
        else:
            self._press_at_table(number, table_number, "stop")

    def play_on(self, number: int, table_number: int) -> None:
        if self.table(number, table_number).stopped_at:
            self._press_at_table(number, table_number, "play_on")
        else:
            super().play_on(number, table_number)

    def _press_at_table(self, number: int, table_number: int, button: str) -> None:
        page = RoundTable(self.table(number, table_number)).address
        form = self.pages.form_on(self.pages.browser, page, "/stop/", "do")
        if button not in form.fields["do"]:
            raise not_offered(page)
        self.pages.send(self.pages.browser, form, do=button)

    def play(self, number: int, table_number: int, hand: Hand) -> None:
        table = self.table(number, table_number)
        self.pages.enter(RoundTable(table), hand, self.seats(table), sent_by=None)

    def undo_hand(self, number: int, table_number: int, place: int) -> None:
        table = self.table(number, table_number)
        self.pages.undo_hand(RoundTable(table), self.hand(table, place))

    def correct(self, number: int, table_number: int, place: int, right: Hand) -> None:
        table = self.table(number, table_number)
        stored_hand = self.hand(table, place)
        self.pages.correct(RoundTable(table), stored_hand, right, self.seats(table))

    def say(self, number: int, table_number: int, place: int, name: str, agrees: bool) -> None:
        table = self.table(number, table_number)
        seats = [self.seats(table)[name]]
        self.pages.say(RoundTable(table), self.hand(table, place), seats, agrees=agrees)

    def decide(self, number: int, table_number: int, place: int) -> None:
        table = self.table(number, table_number)
        self.pages.decide(RoundTable(table), self.hand(table, place))

    def rule(self, number: int, table_number: int, ruling: Ruling) -> None:
        page = self.page("table-rulings", number, table_number)
        seats = self.seats(self.table(number, table_number))
        fields = {"what": ruling.kind, "seat": seats[ruling.player], "reason": REASON}
        if ruling.claimant:
            fields["claimant"] = seats[ruling.claimant]
        if ruling.number is not None:
            fields["number"] = ruling.number
        if ruling.points:
            fields["points"] = ruling.points
        form = self.pages.form_on(self.pages.browser, page, page, "what")
        self.pages.send(self.pages.browser, form, **fields)

    def cancel(self, number: int, table_number: int, place: int) -> None:
        ruling = self.standing_rulings(self.table(number, table_number))[place]
        page = self.page("table-rulings", number, table_number)
        self.pages.press(page, f"/rulings/{ruling.pk}/back/", reason=REASON)
