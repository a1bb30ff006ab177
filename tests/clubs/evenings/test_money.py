"""Table money: taken at the door, exact to the penny, on a sheet for the evening and the year."""

import re
from datetime import date, timedelta
from functools import partial

import pytest
from django.urls import reverse
from django.utils import timezone
from hypothesis import given, strategies as st
from pytest_django.asserts import assertNumQueries

from clubs.evenings.selectors.calendar import (
    cash_sheet,
    evenings_of_money_year,
    in_pounds,
    money_year_of,
    plain_pounds,
)
from clubs.evenings.services import calendar, evenings
from clubs.models import Club, Player, Session
from scoring.scorebook.refusals import Refused
from tests.clubs.nights import evening_of, make_players
from tests.clubs.visits import Visitor, errors
from tests.people import Cast, make_player

YEAR = reverse("money-year", args=["riverside", 2026])


@pytest.fixture
def session(cast: Cast) -> Session:
    """Ann, Ben and Cy are here; an evening costs £2.50."""
    Club.objects.filter(pk=cast.club.pk).update(table_money=250)
    return evening_of(cast.club, make_players(cast.club, 3))


def player_named(session: Session, name: str) -> Player:
    return session.club.players.get(name=name)


def pay(alice: Visitor, session: Session, name: str, field: str = "paid") -> list[str]:
    url = reverse("money", args=["riverside", session.pk])
    return alice.messages_after(url, **{field: player_named(session, name).pk})


def lines(alice: Visitor, name: str, key: int) -> list[str]:
    """The lines of a file for a spreadsheet."""
    page = alice.get(reverse(name, args=["riverside", key]))
    return page.content.decode("utf-8-sig").splitlines()


def sheet(session: Session) -> list[tuple[str, int | None]]:
    return [(row.name, row.pence) for row in cash_sheet(session).rows]


def test_one_press_is_paid_and_another_takes_it_back(alice: Visitor, session: Session) -> None:
    for _ in range(2):
        assert pay(alice, session, "Ann") == []
    pay(alice, session, "Ben")
    assert sheet(session) == [("Ann", 250), ("Ben", 250), ("Cy", None)]
    pay(alice, session, "Ben", "unpaid")
    assert sheet(session) == [("Ann", 250), ("Ben", None), ("Cy", None)]


def test_the_sheet_is_by_surname_as_every_list_of_people(session: Session) -> None:
    for name in ("Zoë Abel", "Ann Łuczak"):
        evenings.tick(session=session, player=make_player(session.club, name), is_here=True)
    assert [name for name, _ in sheet(session)] == ["Zoë Abel", "Ann", "Ben", "Cy", "Ann Łuczak"]


def test_a_new_price_leaves_what_was_paid(alice: Visitor, session: Session) -> None:
    pay(alice, session, "Ann")
    assert alice.messages_after(YEAR, price="2.30", year_begins=1) == [
        "An evening costs £2.30 from now on."
    ]
    pay(alice, session, "Ben")
    assert (sheet(session)[:2], cash_sheet(session).total) == ([("Ann", 250), ("Ben", 230)], 480)


def test_only_who_is_here_pays_and_stays_on_the_sheet_when_gone(
    alice: Visitor, session: Session
) -> None:
    assert pay(alice, session, "Pat") == ["Pat must be checked in first."]
    pay(alice, session, "Ann")
    evenings.tick(session=session, player=player_named(session, "Ann"), is_here=False)
    assert sheet(session)[0] == ("Ann", 250)


def test_without_a_price_nothing_is_taken(alice: Visitor, session: Session) -> None:
    assert alice.messages_after(YEAR, price="0", year_begins=1) == [
        "Evenings are now free of charge."
    ]
    assert pay(alice, session, "Ann") == ["Set the price per person first."]


@pytest.mark.parametrize("price", ["2,50", "£2.50", "two", "-1", "2.505", "1000", ""])
def test_a_price_that_cannot_be_is_said_beside_the_field(alice: Visitor, price: str) -> None:
    page = alice.post(YEAR, {"price": price, "year_begins": 1})
    assert (page.status_code, list(errors(page))) == (422, ["price"])


def test_the_evenings_sheet_is_a_file_in_which_no_name_is_a_formula(
    alice: Visitor, session: Session
) -> None:
    pay(alice, session, "Ann")
    Player.objects.filter(pk=player_named(session, "Ben").pk).update(name="=1+1")
    assert lines(alice, "money-file", session.pk) == [
        "Name,Pounds",
        "'=1+1,",
        "Ann,2.50",
        "Cy,",
        "Total,2.50",
    ]


def test_the_year_adds_its_evenings_up(alice: Visitor, session: Session) -> None:
    evening_of(session.club, [], date(2027, 1, 5))
    for name in ("Ann", "Ben"):
        pay(alice, session, name)
    (evening,) = evenings_of_money_year(session.club, 2026)
    assert (evening.attendance, evening.paid, evening.pence) == (3, 2, 500)
    assert lines(alice, "money-year-file", 2026) == [
        "Date,People here,People who paid,Pounds",
        "2026-11-17,3,2,5.00",
        "Total,,,5.00",
    ]


@pytest.fixture
def september(session: Session) -> Club:
    """The club’s year begins in September, and there are evenings on its first and last days."""
    for day in (date(2026, 8, 31), date(2026, 9, 1), date(2027, 8, 31), date(2027, 9, 1)):
        evening_of(session.club, [], day)
    Club.objects.filter(pk=session.club.pk).update(year_begins=9)
    return Club.objects.get(pk=session.club.pk)


def test_a_year_from_september_ends_in_august(alice: Visitor, september: Club) -> None:
    days = [evening.held_on for evening in evenings_of_money_year(september, 2026)]
    assert days == [date(2026, 9, 1), date(2026, 11, 17), date(2027, 8, 31)]
    page = alice.read(YEAR)
    assert "<h1>Table money 2026/27</h1>" in page
    assert ">September 2026 to August 2027</p>" in page
    file = alice.get(reverse("money-year-file", args=["riverside", 2026]))
    assert 'filename="table-money-2026-27.csv"' in file.headers["Content-Disposition"]


def test_a_year_leads_to_those_before_and_after(alice: Visitor, september: Club) -> None:
    page = alice.read(YEAR)
    for year, name in {2025: "2025/26", 2027: "2027/28"}.items():
        address = reverse("money-year", args=["riverside", year])
        assert re.search(rf'href="{address}" rel="\w+">{name}</a>', page)
    first = Session.objects.get(held_on=date(2026, 8, 31))
    of_the_evening = alice.read(reverse("money", args=["riverside", first.pk]))
    assert reverse("money-year", args=["riverside", 2025]) in of_the_evening


def test_a_new_first_month_leads_to_the_year_of_today(alice: Visitor, session: Session) -> None:
    answer = alice.post(YEAR, {"price": "2.50", "year_begins": 9}, follow=True)
    club = Club.objects.get(pk=session.club.pk)
    now = money_year_of(club, timezone.localdate()).begins_in
    assert answer.redirect_chain[-1][0] == reverse("money-year", args=["riverside", now])
    messages = [str(message) for message in answer.context["messages"]]
    assert (club.year_begins, messages) == (9, ["The club’s year now begins in September."])


@given(st.dates(date(1921, 1, 1), date(2199, 12, 31)), st.integers(1, 12))
def test_every_day_is_in_one_year_of_money(day: date, month: int) -> None:
    club = Club(year_begins=month)
    money_year = money_year_of(club, day)
    assert money_year.starts_on <= day <= money_year.ends_on
    assert (money_year.ends_on + timedelta(days=1)).replace(
        year=money_year.begins_in
    ) == money_year.starts_on
    assert (
        money_year_of(club, money_year.ends_on + timedelta(days=1)).begins_in
        == money_year.begins_in + 1
    )


@pytest.mark.parametrize("month", ["", "0", "13", "September"])
def test_a_month_that_cannot_be_is_refused(alice: Visitor, month: str) -> None:
    page = alice.post(YEAR, {"price": "2.50", "year_begins": month})
    assert (page.status_code, list(errors(page))) == (422, ["year_begins"])


@pytest.mark.parametrize("name", ["money-year", "money-year-file"])
def test_a_year_that_cannot_be_is_not_found(alice: Visitor, name: str) -> None:
    for year in (1919, 10000):
        assert alice.get(reverse(name, args=["riverside", year])).status_code == 404


def test_the_year_of_the_first_evening_that_can_be_is_found(alice: Visitor, cast: Cast) -> None:
    Club.objects.filter(pk=cast.club.pk).update(year_begins=9)
    assert [
        alice.get(reverse("money-year", args=["riverside", year])).status_code
        for year in (1918, 1919, 2200, 2201)
    ] == [404, 200, 200, 404]


def test_a_sheet_asks_as_often_for_one_as_for_three(session: Session, cast: Cast) -> None:
    for name in ("Ann", "Ben", "Cy"):
        for selector in (
            partial(cash_sheet, session),
            partial(evenings_of_money_year, session.club, 2026),
        ):
            with assertNumQueries(2):
                selector()
        calendar.record_payment(
            session=session, player=player_named(session, name), taken_by=cast.secretary
        )


def test_somebody_of_another_club_cannot_pay_here(session: Session, cast: Cast) -> None:
    carol = Player.objects.get(name="Carol")
    with pytest.raises(Refused, match="Carol must be checked in first"):
        calendar.record_payment(session=session, player=carol, taken_by=cast.secretary)


@given(st.integers(0, 10_000_000))
def test_no_penny_is_lost_in_the_writing(pence: int) -> None:
    assert in_pounds(pence) == f"£{pence / 100:,.2f}"
    pounds, _, pence_part = plain_pounds(pence).partition(".")
    assert int(pounds) * 100 + int(pence_part) == pence
