"""Forms read from the pages that offer them, and sent as a browser sends them.

What a page refuses, or does not offer, is ``Refused``.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.contrib import messages
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from clubs.models import User
from clubs.table.event import TableEvent, seat_key
from scoring.scorebook.models import Hand as StoredHand, HandState
from scoring.scorebook.refusals import Refused, refuse
from tests.pageforms import Form, forms_in
from tests.people import PASSWORD
from tests.walks.notebook import Hand

REASON: Final = "as the players remember it"
WRONG: Final = {messages.ERROR, messages.WARNING, messages.INFO}
REFUSED: Final = {409, 422}
ADVICE: Final = "has not entered, so"  # of a partner; the entry is saved all the same
Seats = Mapping[str, int]
"""The seats of a table by the names of its players."""


def not_offered(page: str) -> Refused:
    return refuse("not_offered", f"{page} does not offer this now.")


class Browsers:
    """The secretary's browser, signed in, and a phone; with the hands of any table on both."""

    def __init__(self, secretary: User) -> None:
        self.browser, self.phone = Client(), Client()
        login = self.form_on(self.browser, reverse("account_login"), "/login/", "login")
        self.send(self.browser, login, login=secretary.email, password=PASSWORD)

    @staticmethod
    def forms_on(client: Client, page: str, ends: str) -> list[Form]:
        """The forms of the page that are sent to an address with this end."""
        answer = client.get(page).content.decode()
        return [form for form in forms_in(answer, page) if form.address.endswith(ends)]

    def form_on(self, client: Client, page: str, ends: str, *fields: str) -> Form:
        """The first of them that has these fields."""
        for form in self.forms_on(client, page, ends):
            if form.fields.keys() >= {*fields}:
                return form
        raise not_offered(page)

    @staticmethod
    def send(client: Client, form: Form, **fields: Any) -> Any:
        """Send the form as it stands, with this typed or pressed; raises ``Refused`` as it does."""
        answer: Any = client.post(form.address, form.as_it_stands | fields)
        notices = get_messages(answer.wsgi_request)
        warnings = [
            notice for notice in notices if notice.level in WRONG and ADVICE not in str(notice)
        ]
        if warnings or answer.status_code in REFUSED:
            raise refuse("by_the_page", f"The page refused it: {[*map(str, warnings)]}.")
        assert answer.status_code in {200, 302}
        return answer

    def press(self, page: str, ends: str, **fields: Any) -> Any:
        """The secretary presses the button of a form on the page."""
        return self.send(self.browser, self.form_on(self.browser, page, ends), **fields)

    # The hands of a table.

    @staticmethod
    def at_table(event: TableEvent, *parts: str) -> str:
        link = reverse(event.phone, args=[event.row.link_key])
        return "".join([link, *(f"{part}/" for part in parts)])

    def enter(self, event: TableEvent, hand: Hand, seats: Seats, *, sent_by: str | None) -> None:
        """The table's phone, or that of somebody's own seat, sends its next hand."""
        page = self.at_table(event)
        if sent_by is not None:
            page = reverse(event.phone, args=[seat_key(event.row, seats[sent_by])])
        form = self.form_on(self.phone, page, page, "submission_id")
        answer = self.send(self.phone, form, step="check", **self.hand_fields(hand, seats))
        (form,) = [
            candidate
            for candidate in forms_in(answer.content.decode(), page)
            if "save" in candidate.fields.get("step", [])
        ]
        self.send(self.phone, form, step="save")

    @staticmethod
    def hand_fields(hand: Hand, seats: Seats) -> dict[str, Any]:
        """What somebody types who tells this hand."""
        if hand.winner is None:
            return {"drawn": "yes"}
        scores = {f"score_{seats[name]}": score for name, score in hand.scores.items()}
        return {"winner": seats[hand.winner], **scores}

    def undo_hand(self, event: TableEvent, stored_hand: StoredHand) -> None:
        page = self.at_table(event, "hands", str(stored_hand.pk), "undo")
        self.send(self.phone, self.form_on(self.phone, page, page))

    @staticmethod
    def page_of(event: TableEvent, stored_hand: StoredHand) -> str:
        """The organisers' page of a hand."""
        return reverse(f"{event.desk}-hand", args=[*event.place, stored_hand.pk])

    def correct(
        self, event: TableEvent, stored_hand: StoredHand, right: Hand, seats: Seats
    ) -> None:
        page = self.page_of(event, stored_hand)
        form = self.form_on(self.browser, page, page, "winner")
        fields = {"winner": "nobody"} if right.winner is None else self.hand_fields(right, seats)
        self.send(self.browser, form, step="save", reason=REASON, **fields)

    def say(
        self, event: TableEvent, stored_hand: StoredHand, seats: Iterable[int], *, agrees: bool
    ) -> None:
        for seat in seats:
            if agrees:
                self._agree(event, stored_hand, seat)
            else:
                page = self.at_table(event, "hands", str(stored_hand.pk), "dispute")
                form = self.form_on(self.phone, page, page)
                self.send(self.phone, form, seat=seat, words="It is wrong.")

    def _agree(self, event: TableEvent, stored_hand: StoredHand, seat: int) -> None:
        pages = (self.at_table(event), self.at_table(event, "hands"))
        ends = f"/hands/{stored_hand.pk}/agree/"
        forms = [form for page in pages for form in self.forms_on(self.phone, page, ends)]
        if not forms:
            stored_hand.refresh_from_db(fields=["state"])
            if stored_hand.state == HandState.AGREED:  # nobody is asked again
                return
            raise not_offered("No page of the table")
        self.send(self.phone, forms[0], seat=seat)

    def decide(self, event: TableEvent, stored_hand: StoredHand) -> None:
        page = self.page_of(event, stored_hand)
        form = self.form_on(self.browser, page, page, "reason")
        self.send(self.browser, form, step="uphold", reason=REASON)
