"""Clubs with played hands: the sample club, and what rehearsals and benchmarks play at.

The sample club has a season, an evening that is played, messages, a year and two tournaments.
"""

from collections.abc import Iterable
from datetime import date, time, timedelta

from django.db import transaction
from django.utils import timezone

from clubs.core.queue import make_job
from clubs.evenings.event import EveningTable
from clubs.evenings.practice_play import Dealer, answer_hand, play_hands
from clubs.evenings.selectors.calendar import Pattern, club_year
from clubs.evenings.services import calendar, ending, evenings
from clubs.evenings.services.calendar import add_wish
from clubs.house import services
from clubs.language.moments import full_date
from clubs.league.services import save_season
from clubs.league_rules.rules import LeagueRules, Quota
from clubs.members.services import people
from clubs.members.services.people import add_player
from clubs.messages.message_kinds import RESULT_KINDS
from clubs.messages.selectors import batch_view
from clubs.messages.services import draft_no_evening
from clubs.models import (
    Answer,
    Batch,
    Club,
    Job,
    JobState,
    Membership,
    Message,
    MessageState,
    Player,
    PlayerKind,
    Role,
    Season,
    Session,
    SessionTable,
    ShownAs,
    User,
    WishKind,
)
from clubs.seating.wishes import PREFERRED_SIZES, Split, splits_of
from clubs.table.services import correct_hand
from clubs.tenancy import club_scope
from scoring.house import read_house_rules
from scoring.scorebook.models import Recording
from scoring.scorebook.reports import Report
from tournaments.models import Round, Tournament
from tournaments.results import services as results_services
from tournaments.seating.services import seating
from tournaments.setup import services as setup_services
from tournaments.steps import services as steps_services
from tournaments.table import services as table_services
from tournaments.table.event import RoundTable

SEED = 1368
CLUB_NAME, CLUB_SLUG = "Riverside Mah-Jong Club", "riverside"
SIGN_IN_WORDS = "east wind prevails"

SIGN_INS = {
    Role.SECRETARY: ("secretary@example.org", "Margaret Hargreaves"),
    Role.DIRECTOR: ("director@example.org", "Dilip Chaudhuri"),
    Role.SCORER: ("scorer@example.org", "Siân Llewellyn"),
    Role.PLAYER: ("player@example.org", "Zoë Łukasiewicz"),
}
REGULARS = (
    *(name for _, name in SIGN_INS.values()),
    "Alan Whitcombe",
    "Bronagh O’Rourke",
    "Callum MacAskill",
    "Doreen Atkinson",
    "Efua Mensah",
    "Frances Pemberton-Hale",
    "Gwilym Rhys",
    "Harpreet Gill",
    "Iris Thackeray",
    "Joan Barraclough",
    "Kenneth Ogilvie",
    "Lin Mei-Hua",
    "Llŷr Prydderch",
    "Maureen Stubbs",
    "Nuala Ní Bhriain",
    "Oluwaseun Adeyemi",
    "Patricia Fairweather",
    "René Duquesne",
    "Tom Postlethwaite",
    "Yasmin Qureshi",
)
NAMES_SHOWN_AS = {"Lin Mei-Hua": ShownAs.INITIAL, "Nuala Ní Bhriain": ShownAs.HIDDEN}
HOUSE_RULES = {
    "base": "bmja",
    "name": "Riverside quick rules",
    "limit": 500,
    "choices": {"knitting_in_any_two_suits": True},
    "points": {"Flower or season": 2},
    "without": ["plucking_the_moon", "twofold_fortune"],
    "specials": [
        {
            "key": "gerties_garter",
            "name": "Gertie’s Garter",
            "tiles": "a1-7 b1-7",
            "won": {"share": [1, 2]},
            "fishing": {"share": [1, 5]},
        }
    ],
}
GUEST = "Beryl Nakamura-Jones"
FOUNDED_ON = date(2019, 9, 3)  # the day on which the club was founded
PAST_ATTENDANCE = (16, 20, 15, 20, 16, 11, 15, 20)
PLAYERS_TONIGHT = 16
HANDS_AN_EVENING = 8
HANDS_TONIGHT = (5, 4, 4, 3)

WISHES = (
    (WishKind.APART, "Gwilym Rhys", "Tom Postlethwaite", None, "Asked by both of them"),
    (WishKind.TOGETHER, "Frances Pemberton-Hale", "Maureen Stubbs", None, "One lift home"),
    (WishKind.HELPER, "Yasmin Qureshi", "Iris Thackeray", None, "Began in September"),
    (WishKind.HELPER, "Yasmin Qureshi", "Kenneth Ogilvie", None, ""),
    (WishKind.TABLE, "Doreen Atkinson", "", 1, "Cannot manage the steps to the back room"),
)

MEMBERS_WITH_PHONE = 14
FIRST_NUMBER = 960100  # 01632 960000 to 960999 are reserved for fiction
CUP = "Riverside Autumn Cup"
HANDS_A_ROUND, MINUTES_A_ROUND = 8, 75
PLAYED_IN_ROUND_2 = timedelta(minutes=56, seconds=30)
HANDS_IN_ROUND_2 = (8, 6, 4, 0)
PAST_CUP = "Riverside Spring Cup"
GIFTS = {
    "First": "The spring cup and a bottle of port",
    "Second": "A box of Turkish delight",
    "Third": "A pot of heather honey",
    "Highest hand": "A tong box of bamboo",
    "Most Mah-Jongs": "A fan",
}
VISITORS = {
    "Ingrid Sørensen": "Hill Top Tiles",
    "Rajesh Patel": "Hill Top Tiles",
    "Winifred Bone": "Three Rivers Mah-Jong",
    "Tomasz Wójcik": "Three Rivers Mah-Jong",
}


def seated_evening(
    club: Club,
    held_on: date,
    players: Iterable[Player],
    *,
    guests: Iterable[str] = (),
    split: Split = (),
) -> Session:
    """An evening to which all of them came, seated; ``split``: the sizes of its tables."""
    session = evenings.open_session(club=club, held_on=held_on)
    for player in players:
        evenings.tick(session=session, player=player, is_here=True)
    for name in guests:
        evenings.add_guest(session=session, name=name)
    evenings.seat_session(session=session, split=split)
    return session


def play_round(
    cup: Tournament, dealer: Dealer, hands: Iterable[int], *, recording: Recording | None = None
) -> Round:
    """Start the next round, and play so many hands at each of its tables."""
    playing = steps_services.start_round(tournament=cup)
    for table, count in zip(playing.tables.select_related("game", "round"), hands, strict=False):
        play_hands(RoundTable(table), dealer, count, recording=recording)
    return playing


@transaction.atomic
def make_sample_club(today: date) -> None:
    """The whole sample club, as ``manage.py sample_data`` makes it."""
    club, dealer = make_club(), Dealer(SEED)
    with club_scope(club.pk):
        _note_wishes(club)
        _make_season(club, dealer, today)
        _make_year(club, today)
        _make_messages(club, today)
        _make_cup(club, dealer, today)
        _make_past_cup(club, dealer, today)
        # Saved for the club's quick evenings, but not in use.
        rules = read_house_rules(HOUSE_RULES)
        services.save_house_rules(club=club, declared_rules=rules, made_by=_secretary(club))


def make_club() -> Club:
    """Create the club with its members and the four who can sign in."""
    club = Club.objects.create(
        name=CLUB_NAME,
        slug=CLUB_SLUG,
        shows_results=True,
        shows_league=True,
        shows_calendar=True,
        rates=True,
    )
    emails = {name: email for email, name in SIGN_INS.values()}
    with club_scope(club.pk):
        players = {
            name: add_player(
                club=club,
                name=name,
                kind=PlayerKind.MEMBER,
                email=emails.get(name, ""),
                wants_results=name in emails,
                joined_on=FOUNDED_ON,
                shown_as=NAMES_SHOWN_AS.get(name, ShownAs.FULL),
            )
            for name in REGULARS
        }
        for role, (email, name) in SIGN_INS.items():
            user = User.objects.create_user(email, SIGN_IN_WORDS, name=name)
            Membership.objects.create(club=club, user=user, role=role, player=players[name])
    return club


def _secretary(club: Club) -> User:
    return club.memberships.get(role=Role.SECRETARY).user


def _make_season(club: Club, dealer: Dealer, today: date) -> None:
    """A season that ranks by each player's best six evenings, with its evenings so far."""
    count = len(PAST_ATTENDANCE)
    last = today - timedelta(days=(today.weekday() - 1) % 7 or 7)
    tuesdays = [last - timedelta(weeks=weeks) for weeks in reversed(range(count))]
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
        players = _pick_members(club, dealer, attendance)
        split = next(split for split in splits_of(attendance, PREFERRED_SIZES) if 5 not in split)
        session = seated_evening(club, held_on, players, split=split)
        for table in session.tables.select_related("game"):
            play_hands(EveningTable(table), dealer, HANDS_AN_EVENING)
        ending.close_session(session=session)
    _correct_hand(season)
    _play_tonight(club, dealer, today)


def _play_tonight(club: Club, dealer: Dealer, today: date) -> None:
    """Four tables with hands, one of them not agreed, and a latecomer without a seat."""
    players = _pick_members(club, dealer, PLAYERS_TONIGHT)
    session = seated_evening(club, today, players, guests=(GUEST,))
    tables = session.tables.select_related("game").order_by("number")
    for table, hands in zip(tables, HANDS_TONIGHT, strict=True):
        play_hands(EveningTable(table), dealer, hands)
    hand = tables[1].game.hands.filter(is_current=True).latest("number")
    note = "My score is wrong: two of my doubles were left out"
    answer_hand(
        hand, EveningTable(tables[1]).sitters(), agrees=False, seats={min(hand.gains)}, note=note
    )
    latecomer = club.players.exclude(attendances__session=session).first()
    if latecomer is not None:
        evenings.tick(session=session, player=latecomer, is_here=True)


def _pick_members(club: Club, dealer: Dealer, count: int) -> list[Player]:
    """So many members, whoever comes."""
    return dealer.some(list(club.players.filter(kind="member").order_by("pk")), count)


def _correct_hand(season: Season) -> None:
    """A correction of the first evening: two totals had been entered in each other's column."""
    tables = SessionTable.objects.filter(session__season=season).order_by("session__held_on", "pk")
    table, hand = next(
        (table, hand)
        for table in tables
        for hand in table.game.hands.filter(is_current=True, winner__isnull=False)
        if "totals" in hand.report
    )
    report = Report.from_json(hand.report)
    right = next(seat for seat in report.totals if seat != report.winner)
    swapped_seats = {right: report.winner, report.winner: right}
    scorer = User.objects.get(memberships__club=table.session.club, memberships__role=Role.SCORER)
    ending.reopen_session(session=table.session)
    correct_hand(
        table=EveningTable(table),
        hand_id=hand.pk,
        report=Report(
            winner=right,
            totals={
                swapped_seats.get(seat) or seat: total for seat, total in report.totals.items()
            },
        ),
        corrected_by=f"user {scorer.pk}",
        reason="Two totals were written in each other’s column.",
    )
    ending.close_session(session=table.session)


def _note_wishes(club: Club) -> None:
    """Preferences: two apart, two together, a beginner with two helpers, a table without steps."""
    players = {player.name: player for player in club.players.all()}
    secretary = _secretary(club)
    for kind, name, other_name, table, reason in WISHES:
        add_wish(
            club=club,
            kind=kind,
            player=players[name],
            other=players.get(other_name),
            table=table,
            reason=reason,
            made_by=secretary,
        )


def _make_messages(club: Club, today: date) -> None:
    """Messages: only the last evening's results wait; none are about evenings that never were."""
    results = Batch.objects.filter(club=club, kind__in=RESULT_KINDS).order_by("-about", "-pk")
    for batch in results[1:]:
        for letter in batch_view(batch).letters:
            Message.objects.filter(pk=letter.pk).update(
                state=MessageState.SENT, subject=letter.subject, body=letter.body
            )
    # A season's pack requested earlier.
    season = Season.objects.filter(league__club=club).latest("starts_on")
    job = make_job(club=club, kind="season pack", subject_key=season.pk)
    Job.objects.filter(pk=job.pk).update(
        state=JobState.DONE, message="A sample: nothing was printed."
    )
    members_without_email = club.players.filter(email="", kind=PlayerKind.MEMBER)
    for number, player in enumerate(members_without_email[:MEMBERS_WITH_PHONE], start=FIRST_NUMBER):
        player.phone = f"01632 {number}"
        player.save(update_fields=["phone"])
    if day := next((day for day in club_year(club, today).days if day.closed_reason), None):
        draft_no_evening(
            club=club,
            held_on=day.held_on,
            day_text=full_date(day.held_on),
            reason=day.closed_reason,
            readers=club.players.filter(kind=PlayerKind.MEMBER, is_active=True),
            made_by=_secretary(club),
        )


def _make_year(club: Club, today: date) -> None:
    """Tuesdays for half a year, and a monthly study group."""
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
    _add_stand_bys(club, tuesday + timedelta(weeks=1))
    _take_money(club, today)
    _add_expiring_guest(club, today)


def _add_stand_bys(club: Club, held_on: date) -> None:
    """Four substitutes; one has said yes for next Tuesday, one has not answered yet."""
    glad = list(club.players.all()[:4])
    for player in glad:
        calendar.set_stand_by(player=player, is_glad=True)
    for player, answer in zip(glad, (Answer.YES, Answer.NONE), strict=False):
        invitation = calendar.invite_substitute(
            club=club, held_on=held_on, player=player, asked_by=_secretary(club)
        )
        calendar.save_answer(invitation=invitation, choice=answer)


def _take_money(club: Club, today: date) -> None:
    """£2.50 each; all but three have paid tonight."""
    calendar.set_table_money(club=club, pence=250)
    tonight, secretary = club.sessions.get(held_on=today), _secretary(club)
    for attendance in tonight.attendances.select_related("player").order_by("pk")[3:]:
        calendar.record_payment(session=tonight, player=attendance.player, taken_by=secretary)


def _add_expiring_guest(club: Club, today: date) -> None:
    """A guest whose name the retention schedule would delete next, once it is turned on."""
    guest = people.add_player(
        club=club, name="Beryl Tregear", kind=PlayerKind.GUEST, email="beryl@example.org"
    )
    guest.joined_on = today - timedelta(days=800)
    guest.save(update_fields=["joined_on"])
    people.end_membership(player=guest, today=today - timedelta(days=500))


def _make_cup(club: Club, dealer: Dealer, today: date) -> None:
    """Twelve members and four visitors over five rounds, caught at tea in the second."""
    cup = setup_services.make_tournament(
        club=club,
        name=CUP,
        held_on=today,
        rounds=5,
        hands_a_round=HANDS_A_ROUND,
        minutes_a_round=MINUTES_A_ROUND,
    )
    setup_services.enter_names(tournament=cup, names=REGULARS[:12])
    for name, from_club in VISITORS.items():
        setup_services.enter_entrant(tournament=cup, name=name, from_club=from_club)
    results_services.declare_usual_prizes(tournament=cup)
    seating.seat_rounds(tournament=cup)
    play_round(cup, dealer, (HANDS_A_ROUND,) * 4)
    steps_services.close_round(tournament=cup)
    # The clock stands, so that the sample is the same however long it is looked at.
    playing = play_round(cup, dealer, HANDS_IN_ROUND_2)
    playing.started_at = timezone.now() - PLAYED_IN_ROUND_2
    playing.save(update_fields=["started_at"])
    steps_services.pause_clock(tournament=cup)


def _make_past_cup(club: Club, dealer: Dealer, today: date) -> None:
    """Eight members over three rounds in spring, with a penalty; the results are published."""
    cup = setup_services.make_tournament(
        club=club,
        name=PAST_CUP,
        held_on=today - timedelta(days=210),
        rounds=3,
        hands_a_round=HANDS_A_ROUND,
    )
    setup_services.enter_names(tournament=cup, names=REGULARS[:8])
    seating.seat_rounds(tournament=cup)
    for _ in range(cup.rounds_planned):
        playing = play_round(cup, dealer, (HANDS_A_ROUND,) * 2)
        if playing.number == 1:
            _penalise(playing, dealer)
        steps_services.close_round(tournament=cup)
    _declare_prizes(cup)
    steps_services.finish_tournament(tournament=cup)
    results_services.publish_results(tournament=cup)


def _declare_prizes(cup: Tournament) -> None:
    results_services.declare_usual_prizes(tournament=cup)
    results_services.save_prize(
        tournament=cup, kind="last", name="Wooden spoon", gift="A spoon of olive wood"
    )
    for prize in cup.prizes.filter(name__in=GIFTS):
        results_services.save_prize(
            tournament=cup,
            prize=prize,
            kind=prize.kind,
            place=prize.place,
            of=prize.of,
            name=prize.name,
            gift=GIFTS[prize.name],
        )


def _penalise(playing: Round, dealer: Dealer) -> None:
    """The director is called to the first table."""
    case = table_services.RulingCase(
        table=playing.tables.get(number=1),
        seat=2,
        reason="Called Mah-Jong in hand 6 with a chow too many",
        ruled_by="user 1",
        submission_id=dealer.submission_id(),
    )
    table_services.penalise(case=case, incident="false_mahjong_exposed")
