"""The sample club's season: eight Tuesdays that were played, and tonight, half played."""

from datetime import date, timedelta

from clubs.evenings.practice_play import Dealer, play, tell
from clubs.evenings.selectors.evenings import names_at
from clubs.evenings.services import evenings
from clubs.league.services import save_season
from clubs.league_rules import LeagueRules, Quota
from clubs.models import (
    Club,
    Player,
    Role,
    Season,
    Session,
    SessionTable,
    User,
)
from clubs.seating.advice import LIKED, Split, splits_of
from scoring.scorebook.models import Hand
from scoring.scorebook.reports import Report
from tournaments.sample.cast import GUEST

PAST_ATTENDANCE = (16, 20, 15, 20, 16, 11, 15, 20)
HERE_TONIGHT = 16
HANDS_AN_EVENING = 8
HANDS_TONIGHT = (5, 4, 4, 3)


def make_season(club: Club, dealer: Dealer, today: date) -> Season:
    """A season that ranks by each player's best six evenings, with its evenings so far."""
    tuesdays = _tuesdays_before(today, len(PAST_ATTENDANCE))
    season = save_season(
        club=club,
        season=None,
        name=f"Season {today.year}",
        starts_on=tuesdays[0] - timedelta(days=6),
        ends_on=today + timedelta(weeks=6),
        ranking=LeagueRules(best=Quota(6), least=Quota(3)),
        league="Tuesday league",
    )
    for held_on, attendance in zip(tuesdays, PAST_ATTENDANCE, strict=True):
        _play_evening(club, dealer, held_on, attendance)
    _correct_one(season)
    _play_tonight(club, dealer, today)
    return season


def _tuesdays_before(today: date, count: int) -> list[date]:
    last = today - timedelta(days=(today.weekday() - 1) % 7 or 7)
    return [last - timedelta(weeks=weeks) for weeks in reversed(range(count))]


def _play_evening(club: Club, dealer: Dealer, held_on: date, attendance: int) -> None:
    session = _seated(club, dealer, held_on, attendance, guests=())
    for table in session.tables.select_related("game"):
        play(table, evenings.post_hand, dealer, HANDS_AN_EVENING, names=names_at(table))
    evenings.close_session(session=session)


def _play_tonight(club: Club, dealer: Dealer, today: date) -> None:
    """Four tables with hands in, one of them not agreed, and a latecomer without a seat."""
    session = _seated(club, dealer, today, HERE_TONIGHT, guests=(GUEST,))
    tables = session.tables.select_related("game").order_by("number")
    for table, hands in zip(tables, HANDS_TONIGHT, strict=True):
        play(table, evenings.post_hand, dealer, hands, names=names_at(table))
    _dispute(tables[1])
    latecomer = club.players.exclude(attendances__session=session).first()
    if latecomer is not None:
        evenings.tick(session=session, player=latecomer, is_here=True)


def _seated(
    club: Club, dealer: Dealer, held_on: date, attendance: int, guests: tuple[str, ...]
) -> Session:
    session = evenings.open_session(club=club, held_on=held_on)
    for player in dealer.some(_players(club), attendance):
        evenings.tick(session=session, player=player, is_here=True)
    for name in guests:
        evenings.add_guest(session=session, name=name)
    evenings.seat_session(session=session, split=() if guests else _fours_and_threes(attendance))
    return session


def _fours_and_threes(here: int) -> Split:
    return next(split for split in splits_of(here, LIKED) if 5 not in split)


def _players(club: Club) -> list[Player]:
    return list(club.players.filter(kind="member").order_by("pk"))


def _correct_one(season: Season) -> None:
    """The first evening was opened again: two totals stood in each other's column."""
    tables = SessionTable.objects.filter(session__season=season).order_by("session__held_on", "pk")
    table, hand = next(told for table in tables if (told := _told_in_totals(table)))
    report = Report.from_json(hand.report)
    right = next(seat for seat in report.totals if seat != report.winner)
    swapped = {right: report.winner, report.winner: right}
    scorer = User.objects.get(memberships__club=table.session.club, memberships__role=Role.SCORER)
    evenings.reopen_session(session=table.session)
    evenings.correct_hand(
        table=table,
        hand_id=hand.pk,
        report=Report(
            winner=right,
            totals={swapped.get(seat) or seat: total for seat, total in report.totals.items()},
        ),
        corrected_by=f"user {scorer.pk}",
        reason="Two totals were written in each other's column.",
    )
    evenings.close_session(session=table.session)


def _told_in_totals(table: SessionTable) -> tuple[SessionTable, Hand] | None:
    hands = table.game.hands.filter(is_current=True, winner__isnull=False).order_by("number")
    return next(((table, hand) for hand in hands if "totals" in hand.report), None)


def _dispute(table: SessionTable) -> None:
    """Someone at the table says that its last hand is not right."""
    hand = table.game.hands.filter(is_current=True).latest("number")
    seat = min(hand.gains)
    note = "My score is wrong: two of my doubles were left out"
    tell(hand, names_at(table), agrees=False, seats={seat}, note=note)
