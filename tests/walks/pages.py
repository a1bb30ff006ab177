"""An evening on its pages: each step as a secretary and the tables' phones take it over HTTP."""

from collections.abc import Iterable
from typing import Any

from django.urls import reverse

from clubs.evenings.event import EveningTable
from clubs.models import Club, User
from tests.walks.browsers import Browsers
from tests.walks.notebook import Hand
from tests.walks.services import ByServices


class ByPages(ByServices):
    """A club whose secretary is signed in. Steps that are not here are taken by the services."""

    def __init__(self, club: Club, secretary: User) -> None:
        super().__init__(club, secretary)
        self.pages = Browsers(secretary)

    def page(self, name: str, *url_args: int) -> str:
        return reverse(name, args=[self.club.slug, self.session.pk, *url_args])

    # The door and the tables.

    def check_in(self, name: str) -> None:
        self.pages.press(self.page("evening"), "/tick/", here=self.person(name).pk)

    def check_out(self, name: str) -> None:
        self.pages.press(self.page("evening"), "/tick/", away=self.person(name).pk)

    def draw_tables(self) -> None:
        self.pages.press(self.page("evening"), "/seat/")

    def clear(self) -> None:
        self.pages.press(self.page("evening"), "/clear/")

    def join(self, name: str, number: int) -> None:
        player = self.person(name).pk
        self._change("comes", **{"comes-player": player, "comes-number": number})

    def take_over(self, leaver: str, newcomer: str, *, goes_home: bool) -> None:
        self._leaves(leaver, str(self.person(newcomer).pk), goes_home=goes_home)

    def leave(self, leaver: str, *, goes_home: bool) -> None:
        self._leaves(leaver, "without", goes_home=goes_home)

    def end_table(self, leaver: str, *, goes_home: bool) -> None:
        self._leaves(leaver, "ends", goes_home=goes_home)

    def _leaves(self, leaver: str, next_step: str, *, goes_home: bool) -> None:
        home = ["on"] if goes_home else []
        player = self.person(leaver).pk
        fields = {"leaves-leaver": player, "leaves-then": next_step, "leaves-home": home}
        self._change("leaves", **fields)

    def _change(self, action: str, **fields: Any) -> None:
        """Look at what will happen, then save it."""
        page, browser = self.page("evening-change"), self.pages.browser
        form = self.pages.form_on(browser, page, page, *fields)
        self.pages.send(browser, form, way=action, **fields)
        self.pages.send(browser, form, way=action, save="yes", **fields)

    def undo_change(self, number: int) -> None:
        self.pages.press(self.page("evening-change"), f"/arrivals/{number}/undo/")

    # The hands.

    def enter(self, number: int, hand: Hand, *, sent_by: str | None) -> None:
        table = self.table(number)
        self.pages.enter(EveningTable(table), hand, self.seats(table), sent_by=sent_by)

    def undo_hand(self, number: int, sitting_index: int, place: int) -> None:
        self.pages.undo_hand(*self.hand(number, sitting_index, place))

    def correct(self, number: int, sitting_index: int, place: int, right: Hand) -> None:
        table, hand = self.hand(number, sitting_index, place)
        self.pages.correct(table, hand, right, self.seats(table.row))

    def say(
        self, number: int, sitting_index: int, place: int, names: Iterable[str], *, agrees: bool
    ) -> None:
        table, hand = self.hand(number, sitting_index, place)
        seats = self.seats(table.row)
        self.pages.say(table, hand, [seats[name] for name in names], agrees=agrees)

    def decide(self, number: int, sitting_index: int, place: int) -> None:
        self.pages.decide(*self.hand(number, sitting_index, place))

    # The end.

    def finish(self) -> None:
        page = self.page("close")
        answer = self.pages.press(self.page("evening"), page)
        if answer.url.startswith(page):
            form = self.pages.form_on(self.pages.browser, answer.url, page, "sure")
            self.pages.send(self.pages.browser, form)

    def reopen(self) -> None:
        self.pages.press(self.page("evening"), "/reopen/")
