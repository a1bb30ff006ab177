"""The sample club's year: Tuesdays in the Village Hall, Christmas without one."""

from datetime import date, time, timedelta

from clubs.evenings.recurrence import Pattern
from clubs.evenings.services import calendar, evenings
from clubs.members.services import people
from clubs.models import Answer, Club, PlayerKind, Role


def make_year(club: Club, today: date) -> None:
    """Tuesdays for half a year, a study group once a month."""
    tuesday = today - timedelta(days=(today.weekday() - 1) % 7)
    last = today + timedelta(weeks=26)
    christmas = date(tuesday.year, 12, 22)
    calendar.add_holiday(
        club=club, name="Christmas", first_on=christmas, last_on=christmas + timedelta(days=10)
    )
    plans = (
        ("Club evening", Pattern(tuesday, last), time(14), time(16, 30)),
        ("Study group", Pattern(tuesday + timedelta(days=3), last, weeks=(1,)), time(10), time(12)),
    )
    for name, pattern, starts_at, ends_at in plans:
        calendar.save_series(
            club=club,
            series=None,
            name=name,
            place="Village Hall",
            pattern=pattern,
            starts_at=starts_at,
            ends_at=ends_at,
        )
    _stand_by(club, tuesday + timedelta(weeks=1))
    _take_money(club, today)
    _left_long_ago(club, today)


def _stand_by(club: Club, held_on: date) -> None:
    """Four who are glad to fill in; one has said yes for next Tuesday, one is still asked."""
    secretary = club.memberships.get(role=Role.SECRETARY).user
    glad = list(club.players.all()[:4])
    for player in glad:
        calendar.set_stand_by(player=player, is_glad=True)
    for player, said in zip(glad, (Answer.YES, Answer.NONE), strict=False):
        asked = calendar.ask_to_come(club=club, held_on=held_on, player=player, asked_by=secretary)
        calendar.answer(invitation=asked, said=said)


def _take_money(club: Club, today: date) -> None:
    """£2.50 a head; all but three have paid tonight."""
    evenings.set_price(club=club, pence=250)
    secretary = club.memberships.get(role=Role.SECRETARY).user
    tonight = club.sessions.get(held_on=today)
    for here in tonight.attendances.select_related("player").order_by("pk")[3:]:
        evenings.take_money(session=tonight, player=here.player, taken_by=secretary)


def _left_long_ago(club: Club, today: date) -> None:
    """A guest whose name the club's timetable would let go next, once it is agreed to."""
    guest = people.add_player(
        club=club, name="Beryl Tregear", kind=PlayerKind.GUEST, email="beryl@example.org"
    )
    guest.joined_on = today - timedelta(days=800)
    guest.save(update_fields=["joined_on"])
    people.lapse(player=guest, today=today - timedelta(days=500))
