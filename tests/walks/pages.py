"""An evening on its pages: each step as a secretary and the tables' phones take it over HTTP.

Every form is read from the page that offers it and sent as a browser sends it.
"""

from collections.abc import Iterable
from typing import Any, Final

from django.contrib import messages
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from clubs.models import Club, SessionTable, User
from clubs.table.event import seat_key
from scoring.scorebook.refusals import refuse
from tests.pageforms import Form, forms_in
from tests.people import PASSWORD
from tests.walks.notebook import Hand
from tests.walks.services import REASON, ByServices

WRONG: Final = {messages.ERROR, messages.WARNING, messages.INFO}
REFUSED: Final = {409, 422}


class ByPages(ByServices):
    """A club whose secretary is signed in. What a page refuses, or does not offer, is ``Refused``.

    Steps that are not here are taken by the services.
    """

    def __init__(self, club: Club, secretary: User) -> None:
        super().__init__(club, secretary)
        self.browser, self.phone = Client(), Client()
        self.send(
            self.browser,
            self.form_on(self.browser, reverse("account_login"), "/login/", "login"),
            login=secretary.email,
            password=PASSWORD,
        )

    def page(self, name: str, *more: int) -> str:
        return reverse(name, args=[self.club.slug, self.session.pk, *more])

    @staticmethod
    def forms_on(client: Client, page: str, ends: str) -> list[Form]:
        """The forms of the page that are sent to an address with this end."""
        shown = client.get(page).content.decode()
        return [form for form in forms_in(shown, page) if form.address.endswith(ends)]

    def form_on(self, client: Client, page: str, ends: str, *fields: str) -> Form:
        """The first of them that has these fields."""
        for form in self.forms_on(client, page, ends):
            if form.fields.keys() >= {*fields}:
                return form
        raise refuse("not_offered", f"{page} does not offer this now.")

    @staticmethod
    def send(client: Client, form: Form, **typed: Any) -> Any:
        """Send the form as it stands, with this typed or pressed; raises ``Refused`` as it does."""
        answer: Any = client.post(form.address, form.as_it_stands | typed)
        said = [one for one in get_messages(answer.wsgi_request) if one.level in WRONG]
        if said or answer.status_code in REFUSED:
            raise refuse("by_the_page", f"The page refused it: {[*map(str, said)]}.")
        assert answer.status_code in {200, 302}
        return answer

    def press(self, page: str, ends: str, **typed: Any) -> Any:
        """The secretary presses the button of a form on the page."""
        return self.send(self.browser, self.form_on(self.browser, page, ends), **typed)

    # The door and the tables.

    def check_in(self, name: str) -> None:
        self.press(self.page("evening"), "/tick/", here=self.person(name).pk)

    def check_out(self, name: str) -> None:
        self.press(self.page("evening"), "/tick/", away=self.person(name).pk)

    def draw_tables(self) -> None:
        self.press(self.page("evening"), "/seat/")

    def clear(self) -> None:
        self.press(self.page("evening"), "/clear/")

    def join(self, name: str, number: int) -> None:
        player = self.person(name).pk
        self._change("comes", **{"comes-player": player, "comes-number": number})

    def take_over(self, leaver: str, comes: str, *, goes_home: bool) -> None:
        self._leaves(leaver, str(self.person(comes).pk), goes_home=goes_home)

    def leave(self, leaver: str, *, goes_home: bool) -> None:
        self._leaves(leaver, "without", goes_home=goes_home)

    def end_table(self, leaver: str, *, goes_home: bool) -> None:
        self._leaves(leaver, "ends", goes_home=goes_home)

    def _leaves(self, leaver: str, then: str, *, goes_home: bool) -> None:
        home = ["on"] if goes_home else []
        player = self.person(leaver).pk
        typed = {"leaves-leaver": player, "leaves-then": then, "leaves-home": home}
        self._change("leaves", **typed)

    def _change(self, way: str, **typed: Any) -> None:
        """Look at what will happen, then save it."""
        page = self.page("evening-change")
        form = self.form_on(self.browser, page, page, *typed)
        self.send(self.browser, form, way=way, **typed)
        self.send(self.browser, form, way=way, save="yes", **typed)

    def undo_change(self, number: int) -> None:
        self.press(self.page("evening-change"), f"/arrivals/{number}/undo/")

    # The hands.

    @staticmethod
    def at_table(table: SessionTable, *below: str) -> str:
        return "".join([reverse("table", args=[table.link_key]), *(f"{part}/" for part in below)])

    def enter(self, number: int, hand: Hand, *, sent_by: str | None) -> None:
        table = self.table(number)
        page = self.at_table(table)
        if sent_by is not None:
            page = reverse("table", args=[seat_key(table, self.seats(table)[sent_by])])
        form = self.form_on(self.phone, page, page, "submission_id")
        checked = self.send(self.phone, form, step="check", **self.typed(table, hand))
        (form,) = [
            each
            for each in forms_in(checked.content.decode(), page)
            if "save" in each.fields.get("step", [])
        ]
        self.send(self.phone, form, step="save")

    def typed(self, table: SessionTable, hand: Hand) -> dict[str, Any]:
        """What somebody types who tells this hand."""
        if hand.winner is None:
            return {"drawn": "yes"}
        seats = self.seats(table)
        scores = {f"score_{seats[name]}": score for name, score in hand.scores.items()}
        return {"winner": seats[hand.winner], **scores}

    def undo_hand(self, number: int, at: int, place: int) -> None:
        table, hand = self.hand(number, at, place)
        page = self.at_table(table.row, "hands", str(hand.pk), "undo")
        self.send(self.phone, self.form_on(self.phone, page, page))

    def correct(self, number: int, at: int, place: int, right: Hand) -> None:
        table, hand = self.hand(number, at, place)
        page = self.page("evening-hand", table.row.number, hand.pk)
        form = self.form_on(self.browser, page, page, "winner")
        typed = self.typed(table.row, right)
        if right.winner is None:
            typed = {"winner": "nobody"}
        self.send(self.browser, form, step="save", reason=REASON, **typed)

    def say(self, number: int, at: int, place: int, names: Iterable[str], *, agrees: bool) -> None:
        table, hand = self.hand(number, at, place)
        seats = self.seats(table.row)
        for name in names:
            if agrees:
                pages = (self.at_table(table.row), self.at_table(table.row, "hands"))
                ends = f"/hands/{hand.pk}/agree/"
                forms = [form for page in pages for form in self.forms_on(self.phone, page, ends)]
                if not forms:
                    raise refuse("not_offered", "No page of the table offers this now.")
                self.send(self.phone, forms[0], seat=seats[name])
            else:
                page = self.at_table(table.row, "hands", str(hand.pk), "dispute")
                form = self.form_on(self.phone, page, page)
                self.send(self.phone, form, seat=seats[name], words="It is wrong.")

    def decide(self, number: int, at: int, place: int) -> None:
        table, hand = self.hand(number, at, place)
        page = self.page("evening-hand", table.row.number, hand.pk)
        self.send(
            self.browser,
            self.form_on(self.browser, page, page, "reason"),
            step="uphold",
            reason=REASON,
        )

    # The end.

    def finish(self) -> None:
        page = self.page("close")
        answer = self.press(self.page("evening"), page)
        if answer.url.startswith(page):
            form = self.form_on(self.browser, answer.url, page, "sure")
            self.send(self.browser, form)

    def reopen(self) -> None:
        self.press(self.page("evening"), "/reopen/")
