"""Clubs with tables that are laid, and the hands that will be told at them."""

import random
from collections.abc import Mapping
from datetime import date
from functools import cache
from typing import Any

from clubs.evenings.practice_play import Dealer
from clubs.evenings.services import evenings
from clubs.house.services import found_club
from clubs.members.services import add_player
from clubs.messages.services import draft_message
from clubs.models import Batch, Club, SessionTable
from deploy.stack import Stack
from deploy.stack.asking import Client
from scoring import deals, rule_set
from scoring.scorebook.reports import Report

TABLES_A_CLUB = 16
SCRIPTS = 8
SIGN_IN = "/accounts/login/"
PASSWORD = "east wind prevails"  # noqa: S105 - of a stack that is thrown away
Told = dict[str, Any]


def lay(tables: int) -> list[str]:
    """Evenings of sixteen tables, each in a club of its own; returns the tables' printed keys."""
    before = Club.objects.count()
    clubs = -(-tables // TABLES_A_CLUB)
    for number in range(before, before + clubs):
        _lay_a_club(number, min(tables, TABLES_A_CLUB))
    new = SessionTable.objects.filter(session__club__slug__startswith="hall-")
    return list(new.order_by("-pk").values_list("link_key", flat=True)[:tables])


def _lay_a_club(number: int, tables: int) -> None:
    club = found_club(name=f"Hall {number}", email=f"hall-{number}@example.org").membership.club
    session = evenings.open_session(club=club, held_on=date.today())  # noqa: DTZ011
    for place in range(4 * tables):
        player = add_player(club=club, name=f"Player {place}")
        evenings.tick(session=session, player=player, is_here=True)
    evenings.seat_session(session=session)


def letters(club: Club, *, readers: int) -> Batch:
    """A message of the secretary's to so many new members, not sent yet."""
    before = club.players.count()
    members = [
        add_player(club=club, name=f"Reader {n}", email=f"reader-{n}@{club.slug}.example.org")
        for n in range(before, before + readers)
    ]
    secretary = club.memberships.get().user
    return draft_message(
        club=club, subject="Tuesday", text="See you.", readers=members, made_by=secretary
    )


def signed_in(stack: Stack) -> Client:
    """The first club's secretary, with a browser."""
    secretary = Club.objects.earliest("pk").memberships.get().user
    if not secretary.check_password(PASSWORD):
        secretary.set_password(PASSWORD)
        secretary.save()
    client = Client(stack)
    client.submit(SIGN_IN, SIGN_IN, login=secretary.email, password=PASSWORD)
    return client


@cache
def script(number: int, length: int) -> tuple[Told, ...]:
    """So many hands of one game, one after another, as a phone sends them."""
    rules, dealer = rule_set("bmja"), Dealer(number % SCRIPTS)
    outcomes: list[int | None] = []
    value = []
    for place in range(length):
        (*_, deal) = deals(outcomes, rules=rules, wind_rounds=None).deals
        report = dealer.report(deal, rules)
        outcomes.append(report.winner)
        value.append(as_sent(place + 1, report))
    return tuple(value)


def as_sent(number: int, report: Report) -> Told:
    """A report in the API's words, without a submission id."""
    sent: Told = {"number": number, "winner": report.winner}
    if report.totals:
        sent["scores"] = _by_text(report.totals)
    if report.tiles:
        sent |= {"tiles": _by_text(report.tiles), "won_by": report.won_by}
        sent["discarder"] = report.discarder
    return sent


def _by_text(fields: Mapping[int, Any]) -> dict[str, Any]:
    return {str(seat): value for seat, value in fields.items()}


def submission_id(chance: random.Random) -> str:
    """An id as a phone makes it."""
    number = f"{chance.getrandbits(128):032x}"
    return f"{number[:8]}-{number[8:12]}-4{number[13:16]}-8{number[17:20]}-{number[20:]}"
