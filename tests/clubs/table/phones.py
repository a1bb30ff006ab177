"""A table of an evening and one of a round, with the phones and the organisers' page at each."""

from abc import ABC, abstractmethod
from typing import Any, Self
from uuid import uuid4

from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from clubs.evenings.event import EveningTable
from clubs.evenings.services import ending
from clubs.models import Session, SessionTable, User
from clubs.table import services
from clubs.table.event import TableEvent, seat_key
from clubs.table.pages.table import TablePage
from scoring.scorebook.consent import shown_digest
from scoring.scorebook.models import Hand
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import hand_row
from tests.clubs.tables import seated_evening, sheet
from tests.people import Cast
from tests.tournaments.cups import play_round, seated_cup, tables
from tournaments.models import Table, Tournament
from tournaments.steps import services as steps
from tournaments.table.event import RoundTable

DRAWN = Report(winner=None)
# With the first seat as East: -64, +240, -80, -96.
SOUTH_WINS = Report(winner=2, totals={1: 20, 2: 60, 3: 8, 4: 4})
TYPED: dict[str, Any] = {"winner": 2, "score_1": 20, "score_2": 60, "score_3": 8, "score_4": 4}


def playing(rules: str, cast: Cast) -> Cast:
    """The cast, whose club plays these rules from now on."""
    cast.club.rules = rules
    cast.club.save()
    return cast


class Phone:
    """A page of a table without a script: read, and its forms sent as they stand."""

    def __init__(self, address: str, user: User | None = None) -> None:
        self.address, self.client = address, Client()
        if user:
            self.client.force_login(user, "django.contrib.auth.backends.ModelBackend")

    def look(self, path: Any = "", **query: Any) -> Any:
        return self.client.get(f"{self.address}{path}", query)

    def text(self, path: Any = "", **query: Any) -> str:
        return str(self.look(path, **query).content.decode())

    @property
    def page(self) -> TablePage:
        page: TablePage = self.client.get(self.address, follow=True).context["page"]
        return page

    def sheet(self, **inputs: str | int) -> dict[str, str]:
        """What the page's form sends, with this typed."""
        return sheet(self.look(), **inputs)

    def press(self, path: Any = "", *, follow: Any = False, **inputs: Any) -> Any:
        return self.client.post(f"{self.address}{path}", inputs, follow=follow)

    def check(self, **inputs: str | int) -> Any:
        """What the table sees of a hand with this typed, before it is saved."""
        return self.press(**self.sheet(**inputs))

    def save(self, check_page: Any) -> Any:
        """Save what was checked."""
        return self.press(**check_page.context["form"].typed_values, step="save")

    def enter(self, **inputs: str | int) -> Hand:
        """Enter a hand and save it, as the table does."""
        answer = self.check(step="save", **(inputs or TYPED))
        hand = Hand.objects.latest("pk")
        assert (answer.status_code, answer["Location"]) == (
            302,
            f"{self.address}?saved={hand.number}",
        )
        return hand

    def agree(self, hand: Hand, act: Any = "agree", **inputs: Any) -> Any:
        """Say that the hand is right as this page shows it."""
        hidden_fields = {"shown": self.page.reviews[hand.pk].mark}
        return self.press(f"hands/{hand.pk}/{act}/", follow=True, **hidden_fields | inputs)

    def dispute(self, hand: Hand, **inputs: Any) -> Any:
        return self.agree(hand, "dispute", **inputs)


def messages_of(answer: Any) -> list[str]:
    """The messages that an answer shows."""
    return [str(message) for message in get_messages(answer.wsgi_request)]


class At(ABC):
    """At a table of four, the first hand of which is next."""

    row: Any
    event: TableEvent
    sent_by: str  # as stored with what is sent by the table's link

    @property
    def phone(self) -> Phone:
        return Phone(reverse(self.event.phone, args=[self.row.link_key]))

    def own_phone(self, seat: int) -> Phone:
        return Phone(reverse(self.event.phone, args=[seat_key(self.row, seat)]))

    def desk(self, user: User | None) -> Phone:
        """The organisers' page, for this person."""
        return Phone(self.event.address, user)

    def desk_url(self, name: str, *url_args: Any) -> str:
        """An address below the organisers' page: ``hand``, ``repair``."""
        return reverse(f"{self.event.desk}-{name}", args=[*self.event.place, *url_args])

    @property
    def names(self) -> dict[int, str]:
        return dict(self.event.sitters().names)

    def post(self, *reports: Report, first: int = 1, seat: int | None = None) -> list[Hand]:
        """These hands one after another, from the table's phone or a seat's own."""
        return [
            services.post_hand(
                table=self.event,
                submission_id=uuid4(),
                number=number,
                report=report,
                sent_by=self.sent_by if seat is None else self.event.sender(seat),
                seat=seat,
            ).hand
            for number, report in enumerate(reports, start=first)
        ]

    def say(self, hand: Hand, *seats: int, agrees: bool = True, note: str = "") -> Hand:
        """These seats agree to the hand, or do not; with none, everyone who played it."""
        row = hand_row(Hand.objects.get(pk=hand.pk))
        return services.record_agreement(
            table=self.event,
            hand_id=hand.pk,
            seats=set(seats) or None,
            agrees=agrees,
            seen_digest=shown_digest(
                row, substitutes=self.event.sitters(hand.pk).substitutes, rules=hand.game.rules
            ),
            said_by=self.sent_by,
            note=note,
        )

    def decide(self, hand: Hand, reason: str = "as on the sheet") -> Hand:
        return services.confirm_hand(
            table=self.event, hand_id=hand.pk, reason=reason, made_by="user 1"
        )

    def take_back(self, hand: Hand) -> Hand:
        sender = self.event.sender(2)
        return services.undo_last_hand(table=self.event, hand_id=hand.pk, taken_by=sender)

    def correct(self, hand: Hand, report: Report = DRAWN, reason: str = "a slip") -> Hand:
        return services.correct_hand(
            table=self.event, hand_id=hand.pk, report=report, corrected_by="user 1", reason=reason
        )

    def current(self) -> list[Hand]:
        return list(self.row.game.hands.filter(is_current=True).order_by("number"))

    @abstractmethod
    def version(self) -> int: ...

    @abstractmethod
    def finish(self) -> None:
        """The evening or the tournament is finished."""


class AtEvening(At):
    def __init__(self, row: SessionTable) -> None:
        self.row, self.event, self.sent_by = row, EveningTable(row), f"table {row.pk}"

    @classmethod
    def create(cls, cast: Cast, players: int = 4) -> Self:
        """The only table of an evening."""
        return cls(seated_evening(cast.club, players=players).tables.get())

    def version(self) -> int:
        return Session.objects.get().version

    def finish(self) -> None:
        ending.close_session(session=self.row.session)


class AtRound(At):
    """At a round of two hands, of a tournament of two rounds."""

    def __init__(self, row: Table) -> None:
        self.row, self.event, self.sent_by = row, RoundTable(row), f"round table {row.pk}"
        self.cup = row.round.tournament

    @classmethod
    def create(cls, cast: Cast, entrants: int = 4) -> Self:
        """The first table of the first round."""
        return cls(tables(seated_cup(entrants=entrants, club=cast.club))[0])

    def close(self) -> None:
        """The first round is played at every table and closed."""
        play_round(self.cup, SOUTH_WINS, DRAWN)
        steps.close_round(tournament=self.cup)

    def version(self) -> int:
        return Tournament.objects.get().version

    def finish(self) -> None:
        for number in (1, 2):
            if number == 2:
                steps.start_round(tournament=self.cup)
            for row in tables(self.cup, number):
                hand_count = row.game.hands.filter(is_current=True).count()
                AtRound(row).post(*[DRAWN] * (2 - hand_count), first=hand_count + 1)
            steps.close_round(tournament=self.cup)
        steps.finish_tournament(tournament=self.cup)
