"""Every page of the sample club: who looks at it, where it is, at which sizes it is shown."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models import Count
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, Page

from clubs.accounts.services import invite
from clubs.core.queue import make_job
from clubs.evenings.services.evenings import open_session
from clubs.house import services
from clubs.house.guides import AUDIENCES, GLOSSARY, LEAFLETS
from clubs.messages.mail import stop_key
from clubs.messages.message_kinds import Topic
from clubs.models import (
    Club,
    Job,
    JobState,
    PlayerKind,
    ReplacedLink,
    Role,
    Season,
    Session,
    SessionState,
    link_key,
)
from clubs.table.event import seat_key
from scoring.scorebook.models import Hand
from scoring.scorebook.selectors import receipt_address
from tournaments.models import Printing, RoundState, Table, Tournament
from tournaments.printing import JOB_KIND
from tournaments.steps.views import STEP_ROUTES

PASSWORD = "east wind prevails"
PHONE, WALL = ("phone",), ("wall",)
FAR_AHEAD: Final = timedelta(days=400)  # after the evenings that the sample club has planned


class Stop(NamedTuple):
    """A page of the tour: its name, who looks, its address and the sizes to show it at."""

    name: str
    person: str
    address: str
    sizes: tuple[str, ...] = ("phone", "desk")


def _stop(
    name: str, person: str, page: str, *url_args: Any, query: str = "", **stop_fields: Any
) -> Stop:
    """A page that the tour calls otherwise than its address is called."""
    return Stop(name, person, reverse(page, args=url_args) + query, **stop_fields)


def _stops(person: str, pages: str, *url_args: Any, **stop_fields: Any) -> Iterator[Stop]:
    """Pages that the tour calls as their addresses are called, which say where they stand alike."""
    return (_stop(page, person, page, *url_args, **stop_fields) for page in pages.split())


# What the secretary reads at the club itself, and at the evening that is being played.
OF_THE_CLUB = """
    club members member-add members-import members-twins members-due keeping webhooks who-did-what
    evenings wishes calendar series-add holidays messages outbox messages-sent seasons season-add
    settings roles club-name club-address club-email email-test club-public club-preview club-rules
    house-rules house-lines club-file club-papers
"""
OF_TONIGHT = (
    "evening papers evening-change evening-move evening-cancel close evening-delete money "
    "evening-sheets"
)


def _club_stops(club: Club) -> Iterator[Stop]:
    slug = club.slug
    tonight = club.sessions.filter(state=SessionState.PLAYING).get()
    past_evening = club.sessions.filter(state=SessionState.CLOSED).latest("held_on")
    player = past_evening.places.order_by("-seat__points")[0].player_id
    yield from _stops("secretary", OF_THE_CLUB, slug)
    yield from _stops("player", "my-name special-hands rating", slug)
    yield from _stops("secretary", "keys")
    yield from _stops("secretary", "job", slug, club.jobs.latest("made_at").pk)
    yield _stop("rules-own", "", "rules", club.house_rules.get().edition.key)
    yield from _member_stops(club, player)
    yield from _year_stops(club)
    yield from _message_stops(club)
    yield from _evening_stops(club, tonight)
    yield _stop("evening-past", "player", "evening", slug, past_evening.pk)
    yield from _stops("player", "result", slug, past_evening.pk)
    yield from _season_stops(Season.objects.filter(league__club=club).latest("starts_on"), player)
    yield from _table_stops(tonight)
    yield from _stops("", "wall", tonight.wall_key, sizes=WALL)


def _member_stops(club: Club, player: int) -> Iterator[Stop]:
    """Someone of the club, and someone who is invited to take a role."""
    slug = club.slug
    yield _stop("member", "secretary", "player", slug, player)
    yield from _stops("player", "player", slug, player)
    yield from _stops("player", "my-emails", slug)
    yield from _stops("secretary", "member-change everything", slug, player)
    other_players = (
        club.players.filter(is_active=True).exclude(pk=player).annotate(seats=Count("places"))
    )
    query = f"?gone={other_players.earliest('seats', 'pk').pk}"
    yield from _stops("secretary", "member-merge", slug, player, query=query)
    guest = club.players.filter(kind=PlayerKind.GUEST).latest("pk")
    yield from _stops("secretary", "member-erase member-delete", slug, guest.pk)
    secretary = club.memberships.get(role=Role.SECRETARY).user
    invitation = invite(
        club=club, email="beryl@example.org", role=Role.SCORER, invited_by=secretary
    )
    yield from _stops("", "role-invitation", invitation.key)


def _evening_stops(club: Club, tonight: Session) -> Iterator[Stop]:
    """The evening that is being played, why everyone sits so, and one that is rehearsed."""
    url_args = [club.slug, tonight.pk]
    yield from _stops("secretary", OF_TONIGHT, *url_args)
    choice = "?pages=3-12&print=large"
    yield _stop("which-pages", "secretary", "blank-sheets-pdf", *url_args, query=choice)
    yield from _stops("player", "evening-why", *url_args)
    yield _stop("evening-why-all", "secretary", "evening-why", *url_args)
    for kind in ("helper", "table"):
        yield _stop(f"wish-{kind}", "secretary", "wish-add", club.slug, kind)
    pretend = services.start_rehearsal(club=club)
    yield from _stops("secretary", "rehearsal", pretend.club.slug)
    yield _stop("rehearsal-wall", "", "wall", pretend.wall_key, sizes=WALL)


def _year_stops(club: Club) -> Iterator[Stop]:
    """The evenings that come, and how they are planned."""
    slug, series, invitation = club.slug, club.series.latest("pk"), club.invitations.latest("pk")
    yield from _stops("secretary", "series-change", slug, series.pk)
    yield from _stops("secretary", "standby", slug, invitation.held_on.isoformat())
    yield from _stops("", "standby-answer", invitation.key)
    yield from _stops("secretary", "money-year", slug, series.first_on.year)
    day = timezone.localdate() + FAR_AHEAD
    coming = club.sessions.filter(held_on=day).first() or open_session(club=club, held_on=day)
    yield _stop("seat-early", "secretary", "seat", slug, coming.pk)


def _message_stops(club: Club) -> Iterator[Stop]:
    """What is written, and those who are told by hand."""
    for kind in ("message", "invitation", "no-evening", "renewal"):
        yield _stop(f"write-{kind}", "secretary", "messages-write", club.slug, kind)
    batch = club.batches.latest("pk")
    url_args = [club.slug, batch.pk]
    yield from _stops("secretary", "batch batch-text batch-by-hand", *url_args)
    yield _stop("batch-message", "secretary", "message", *url_args, batch.messages.latest("pk").pk)
    stop = stop_key(batch.messages.latest("pk").player_id, Topic.MESSAGES)
    yield from _stops("", "stop-emails", stop)
    results = club.batches.filter(kind="result").latest("about")
    yield _stop("batch-results", "secretary", "batch", club.slug, results.pk)


def _season_stops(season: Season, player: int) -> Iterator[Stop]:
    url_args = [season.league.club.slug, season.pk]
    yield from _stops("player", "season", *url_args)
    yield from _stops("player", "season-why", *url_args, player)
    yield from _stops(
        "secretary", "season-change season-papers season-rules season-given", *url_args
    )
    yield from _stops("secretary", "season-try", *url_args, 1)


def _table_stops(tonight: Session) -> Iterator[Stop]:
    url_args = [tonight.club.slug, tonight.pk]
    table, disputed_table = (tonight.tables.get(number=number) for number in (1, 2))
    hand = table.game.hands.filter(is_current=True).latest("number")
    yield _stop("table-desk", "secretary", "evening-table", *url_args, 1)
    for recording in ("tiles", "tallies", "winner"):
        query = f"?number={hand.number + 1}&way={recording}"
        yield _stop(f"table-desk-{recording}", "scorer", "evening-table", *url_args, 1, query=query)
    yield _stop("new-card", "secretary", "evening-new-link", *url_args, 2)
    yield from _stops("secretary", "evening-tiles", *url_args, 1, 1)
    yield from _stops("secretary", "evening-sheet", *url_args, 2)
    gains_query = "?first=1&kind=gains"
    yield _stop(
        "evening-sheet-beside", "secretary", "evening-sheet", *url_args, 2, query=gains_query
    )
    for name, query in (
        ("repair", ""),
        ("repair-seats", "?kind=seats"),
        ("repair-winner", f"?kind=winner&hand={hand.number}"),
    ):
        yield _stop(name, "secretary", "evening-repair", *url_args, 1, query=query)
    yield _stop("repairs", "secretary", "evening-repairs", *url_args)
    yield _stop("hand-correct", "secretary", "evening-hand", *url_args, 1, hand.pk)
    places = "table table-standings table-hands table-more table-aid"
    yield from _stops("", places, table.link_key, sizes=PHONE)
    for recording in ("tallies", "winner"):
        query = f"?number={hand.number + 1}&way={recording}"
        yield _stop(f"table-{recording}", "", "table", table.link_key, query=query, sizes=PHONE)
    yield from _said_and_tapped("table", table, hand)
    corrected_hand = Hand.objects.filter(game__session_table__isnull=False, is_current=False)[0]
    void = receipt_address(corrected_hand)
    yield _stop("table-receipt-corrected", "", "table-receipt", void, sizes=PHONE)
    yield _stop("card-unknown", "", "table", "no-table", sizes=PHONE)
    lookup = {"club": tonight.club, "stands": table.link_key}
    old, _ = ReplacedLink.objects.get_or_create(**lookup, defaults={"key": link_key()})
    yield _stop("card-replaced", "", "table", old.key)
    yield _stop("table-disputed", "", "table", disputed_table.link_key, sizes=PHONE)
    yield _stop("table-desk-disputed", "scorer", "evening-table", *url_args, 2)


def _said_and_tapped(room: str, table: Any, hand: Hand) -> Iterator[Stop]:
    """What is said of a hand, from the table's link and from a seat's; the next one's tiles."""
    key, tiles = table.link_key, f"?number={hand.number + 1}&way=tiles"
    yield from _stops("", f"{room}-seats", key, sizes=PHONE)
    yield _stop(f"{room}-seat", "", room, seat_key(table, 2), sizes=PHONE)
    yield _stop(f"{room}-not-right", "", f"{room}-dispute", key, hand.pk, sizes=PHONE)
    yield from _stops("", f"{room}-receipt", receipt_address(hand))
    yield _stop(f"{room}-take-back", "", f"{room}-undo", key, hand.pk, sizes=PHONE)
    yield _stop(f"{room}-by-tiles", "", room, key, query=tiles, sizes=PHONE)
    yield from _stops("", f"{room}-tiles", key, 1, query="?winner=1")


ALLAUTH = {  # someone's own sign-in: come in, changed, and its letters' links
    "sign-in": ("", "account_login"),
    "sign-in-code": ("", "account_request_login_code"),
    "password-reset": ("", "account_reset_password"),
    "password-reset-sent": ("", "account_reset_password_done"),
    "password-chosen": ("", "account_reset_password_from_key_done"),
    "password-void": ("", "account_reset_password_from_key", "1", "used"),
    "no-sign-up": ("", "account_signup"),
    "switched-off": ("", "account_inactive"),
    "your-sign-in": ("player", "account"),
    "your-password": ("player", "account_change_password"),
    "address-void": ("player", "account_confirm_email", "used"),
    "second-step": ("player", "mfa_index"),
    "your-password-again": ("player", "account_reauthenticate"),
    "sign-out": ("player", "account_logout"),
}
WHOLE = "?hand=EE.B456WeeeO22-B111~Drrrr.F1.won-discard-O2"
FISHING = "?hand=SE.B33444888Dgg-B222..lost"


def _public_stops(club: Club) -> Iterator[Stop]:
    yield from (_stop(name, *page) for name, page in ALLAUTH.items())
    yield from _stops("", "how-it-looks guides offline ready score")
    for guide_name in (*AUDIENCES, GLOSSARY, *LEAFLETS):
        yield _stop(f"guide-{guide_name}", "", "guide", guide_name)
    yield from _stops("", "rules", "bmja")
    yield from _stops("", "rules-aid", "bmja", query="?tile=WE&own=E")
    yield _stop("score-mah-jong", "", "score-rules", "bmja", query=WHOLE)
    yield _stop("score-fishing", "", "score-rules", "english", query=FISHING)
    yield from _stops("", "score-link", "bmja", query=WHOLE)
    yield Stop("not-found", "", "/no-such-page/")
    yield _stop("no-entry", "player", "keeping", club.slug)
    yield from _stops("", "style", sizes=("desk",))
    yield _stop("api", "", "api-docs")
    yield _stop("api-area", "", "docs-area", "a-tournaments-rounds")


OF_THE_CUP = """
    tournament entrants tournament-settings entrants-import tournament-papers tournament-repairs
    round-by-standing prizes seating-changes seating-ways seating-list
"""


def _tournament_stops(club: Club) -> Iterator[Stop]:
    cup, past_cup = club.tournaments.latest("held_on"), club.tournaments.earliest("held_on")
    url_args = [club.slug, cup.pk]
    yield from _stops("director", "tournaments tournament-add", club.slug)
    yield from _stops("director", OF_THE_CUP, *url_args)
    yield from _stops("player", "standings seating seating-why", *url_args)
    yield _stop("tournament-as-player", "player", "tournament", *url_args)
    yield _stop("standings-director", "director", "standings", club.slug, past_cup.pk)
    yield _stop("prizes-given", "director", "prizes", club.slug, past_cup.pk)
    yield from _stops("director", "prize", *url_args, cup.prizes.earliest("number").pk)
    yield from _stops("", "results", past_cup.wall_key)
    yield from _stops("director", "seating-by-hand", *url_args, 3)
    for route in STEP_ROUTES.values():
        yield _stop(f"before-{route.url_name}", "director", route.url_name, *url_args, sizes=PHONE)
    yield from _stops("director", "tournament-printing", *url_args)
    running = _printing(cup, state=JobState.RUNNING, done=37, total=100)
    yield from _stops("director", "tournament-printed", *url_args, running)
    ready = _printing(cup, state=JobState.DONE, result="results/sheets.pdf")
    yield _stop("tournament-printed-ready", "director", "tournament-printed", *url_args, ready)
    someone = cup.entrants.earliest("number").pk
    yield _stop("before-deleting", "director", "tournament-delete", *url_args, sizes=PHONE)
    yield _stop("before-withdrawing", "director", "entrant-withdraw", *url_args, someone)
    yield _stop("entrant-correct", "director", "entrant-correct", *url_args, someone)
    yield from _round_stops(cup)
    yield from _hall_stops(cup, someone)


def _printing(cup: Tournament, **progress: Any) -> UUID:
    """A long printout, and how far its job is."""
    job = make_job(club=cup.club, kind=JOB_KIND, subject_key=cup.pk)
    Job.objects.filter(pk=job.pk).update(**progress)
    Printing.objects.create(job=job, tournament=cup, kind="emergency")
    return job.pk


def _round_stops(cup: Tournament) -> Iterator[Stop]:
    """A table of the round that is being played, for the director and on a phone."""
    url_args = [cup.club.slug, cup.pk]
    table = Table.objects.filter(round__tournament=cup, round__state=RoundState.PLAYING)[0]
    hand = table.game.hands.filter(is_current=True).latest("number")
    at_table = [*url_args, table.round.number, table.number]
    yield from _stops("director", "tournament-table table-rulings tournament-repair", *at_table)
    yield from _stops("director", "tournament-hand", *at_table, hand.pk)
    slowest_table = min(table.round.tables.all(), key=_hands_played)
    at_play = [*url_args, slowest_table.round.number, slowest_table.number]
    for recording in ("scores", "tiles", "tallies", "winner"):
        name = f"tournament-table-{recording}"
        query = f"?number={_hands_played(slowest_table) + 1}&way={recording}"
        yield _stop(name, "director", "tournament-table", *at_play, query=query)
    yield from _stops("director", "tournament-tiles", *url_args, 2, 3, 1)
    card = "tournament-new-link"
    yield _stop("tournament-new-card", "director", card, *url_args, 2, 3, query="?made=yes")
    yield from _stops("director", "tournament-sheet", *url_args, 2, 3)
    yield from _stops("director", "tournament-sheets", *url_args, 2)
    pages = "round-table round-table-aid round-table-standings round-table-hands round-table-more"
    yield from _stops("", pages, table.link_key, sizes=PHONE)
    yield from _said_and_tapped("round-table", table, hand)


def _hands_played(table: Table) -> int:
    return table.game.hands.filter(is_current=True).count()


def _hall_stops(cup: Tournament, someone: int) -> Iterator[Stop]:
    key = cup.wall_key
    yield from _stops("", "tournament-wall", key, sizes=WALL)
    for show in ("seats", "tables", "clock", "standings"):
        name, query = f"tournament-wall-{show}", f"?show={show}"
        yield _stop(name, "", "tournament-wall", key, query=query, sizes=WALL)
    yield from _stops("", "find-me", key, sizes=PHONE)
    yield _stop("me", "", "find-me", key, query=f"?me={someone}", sizes=PHONE)
    yield from _stops("", "why-open", key)


def stops() -> list[Stop]:
    """Every page of the sample club."""
    club = Club.objects.get(slug="riverside")
    return [*_public_stops(club), *_club_stops(club), *_tournament_stops(club)]


def visit(browser: Browser, server: str, person: str, **context: Any) -> Page:
    """A page of a fresh browser in which that person has signed in (nobody: an empty name)."""
    page = browser.new_context(locale="en-GB", **context).new_page()
    if person:
        page.goto(f"{server}{reverse('account_login')}")
        page.fill("input[name=login]", f"{person}@example.org")
        page.fill("input[name=password]", PASSWORD)
        page.click("main button[type=submit]")
        page.wait_for_load_state()
    return page
