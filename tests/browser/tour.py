"""Every page of the sample club: who looks at it, where it is, at which sizes it is shown."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.urls import reverse
from playwright.sync_api import Browser, Page

from clubs.accounts.services import invite
from clubs.house import services
from clubs.house.guides import WHO, WORDS
from clubs.models import (
    Club,
    Player,
    PlayerKind,
    ReplacedLink,
    Role,
    Season,
    Session,
    SessionState,
    SessionTable,
    link_key,
)
from clubs.table.event import seat_key
from scoring.scorebook.models import Hand
from scoring.scorebook.selectors import address_of
from tournaments.models import RoundState, Table, Tournament
from tournaments.steps.views import WAYS

PASSWORD = "east wind prevails"


class Stop(NamedTuple):
    """A page of the tour: its name, who looks, its address and the sizes to show it at."""

    name: str
    who: str
    address: str
    sizes: tuple[str, ...] = ("phone", "desk")


def _club_stops(club: Club) -> Iterator[Stop]:
    slug = club.slug
    tonight = club.sessions.filter(state=SessionState.PLAYING).get()
    past = club.sessions.filter(state=SessionState.CLOSED).latest("held_on")
    season = Season.objects.filter(league__club=club).latest("starts_on")
    player = past.places.order_by("-seat__points")[0].player_id
    yield Stop("club", "secretary", reverse("club", args=[slug]))
    yield from _member_stops(slug, player)
    yield Stop("evenings", "secretary", reverse("evenings", args=[slug]))
    yield from _year_stops(club)
    yield from _evening_stops(club, tonight)
    yield Stop("evening-past", "player", reverse("evening", args=[slug, past.pk]))
    yield Stop("result", "player", reverse("result", args=[slug, past.pk]))
    yield Stop("seasons", "secretary", reverse("seasons", args=[slug]))
    yield Stop("season", "player", reverse("season", args=[slug, season.pk]))
    yield from _season_stops(season, player)
    yield from _settings_stops(club)
    yield Stop("club-rules", "secretary", reverse("club-rules", args=[slug]))
    yield Stop("house-rules", "secretary", reverse("house-rules", args=[slug]))
    yield Stop("house-lines", "secretary", reverse("house-lines", args=[slug]))
    own = club.house_rules.get().edition
    yield Stop("rules-own", "", reverse("rules", args=[own.key]))
    yield Stop("season-add", "secretary", reverse("season-add", args=[slug]))
    yield Stop("job", "secretary", reverse("job", args=[slug, club.jobs.latest("made_at").pk]))
    yield Stop("season-change", "secretary", reverse("season-change", args=[slug, season.pk]))
    yield from _table_stops(tonight)
    yield Stop("wall", "", reverse("wall", args=[tonight.wall_key]), ("wall",))


def _settings_stops(club: Club) -> Iterator[Stop]:
    """The club's settings, with someone invited to take a role."""
    slug = club.slug
    yield Stop("settings", "secretary", reverse("settings", args=[slug]))
    secretary = club.memberships.get(role=Role.SECRETARY).user
    invitation = invite(
        club=club, email="beryl@example.org", role=Role.SCORER, invited_by=secretary
    )
    yield Stop("roles", "secretary", reverse("roles", args=[slug]))
    yield Stop("role-invitation", "", reverse("role-invitation", args=[invitation.key]))
    yield Stop("club-public", "secretary", reverse("club-public", args=[slug]))


def _evening_stops(club: Club, tonight: Session) -> Iterator[Stop]:
    """The evening that is being played, and one that is rehearsed."""
    slug = club.slug
    yield Stop("evening", "secretary", reverse("evening", args=[slug, tonight.pk]))
    yield Stop("papers", "secretary", reverse("papers", args=[slug, tonight.pk]))
    blank = reverse("blank-sheets-pdf", args=[slug, tonight.pk])
    yield Stop("which-pages", "secretary", f"{blank}?pages=3-12&print=large")
    yield from _seating_stops(tonight)
    yield Stop("evening-change", "secretary", reverse("evening-change", args=[slug, tonight.pk]))
    pretend = services.rehearse(club=club)
    yield Stop("rehearsal", "secretary", reverse("rehearsal", args=[pretend.club.slug]))
    yield Stop("rehearsal-wall", "", reverse("wall", args=[pretend.wall_key]), ("wall",))


def _seating_stops(tonight: Session) -> Iterator[Stop]:
    """Why everyone sits where they sit, and what only the secretary reads of it."""
    slug, here = tonight.club.slug, [tonight.club.slug, tonight.pk]
    yield Stop("evening-why", "player", reverse("evening-why", args=here))
    yield Stop("evening-why-all", "secretary", reverse("evening-why", args=here))
    yield Stop("evening-move", "secretary", reverse("evening-move", args=here))
    yield Stop("wishes", "secretary", reverse("wishes", args=[slug]))
    for kind in ("helper", "table"):
        yield Stop(f"wish-{kind}", "secretary", reverse("wish-add", args=[slug, kind]))


def _year_stops(club: Club) -> Iterator[Stop]:
    """The evenings that come, and how they are planned."""
    series = club.series.latest("pk")
    yield Stop("calendar", "secretary", reverse("calendar", args=[club.slug]))
    yield Stop("series-add", "secretary", reverse("series-add", args=[club.slug]))
    yield Stop("series-change", "secretary", reverse("series-change", args=[club.slug, series.pk]))
    asked = club.invitations.latest("pk")
    asking = reverse("standby", args=[club.slug, asked.held_on.isoformat()])
    yield Stop("standby", "secretary", asking)
    yield Stop("standby-answer", "", reverse("standby-answer", args=[asked.key]))
    money = [club.slug, club.sessions.get(state=SessionState.PLAYING).pk]
    yield Stop("money", "secretary", reverse("money", args=money))
    this_year = [club.slug, series.first_on.year]
    yield Stop("money-year", "secretary", reverse("money-year", args=this_year))
    yield Stop("holidays", "secretary", reverse("holidays", args=[club.slug]))
    yield from _message_stops(club)


def _message_stops(club: Club) -> Iterator[Stop]:
    """The outbox, what is written, and those who are told by hand."""
    for page in ("messages", "outbox", "messages-sent"):
        yield Stop(page, "secretary", reverse(page, args=[club.slug]))
    for kind in ("message", "invitation", "no-evening", "renewal"):
        address = reverse("messages-write", args=[club.slug, kind])
        yield Stop(f"write-{kind}", "secretary", address)
    batch = club.batches.latest("pk")
    here = [club.slug, batch.pk]
    yield Stop("batch", "secretary", reverse("batch", args=here))
    yield Stop("batch-text", "secretary", reverse("batch-text", args=here))
    one = batch.messages.latest("pk").pk
    yield Stop("batch-message", "secretary", reverse("message", args=[*here, one]))
    yield Stop("batch-by-hand", "secretary", reverse("batch-by-hand", args=here))
    results = club.batches.filter(kind="result").latest("about")
    yield Stop("batch-results", "secretary", reverse("batch", args=[club.slug, results.pk]))


def _member_stops(slug: str, player: int) -> Iterator[Stop]:
    yield Stop("members", "secretary", reverse("members", args=[slug]))
    yield Stop("member-add", "secretary", reverse("member-add", args=[slug]))
    yield Stop("member-change", "secretary", reverse("member-change", args=[slug, player]))
    yield Stop("my-name", "player", reverse("my-name", args=[slug]))
    yield Stop("members-import", "secretary", reverse("members-import", args=[slug]))
    merge = reverse("member-merge", args=[slug, player])
    other = Club.objects.get(slug=slug).players.filter(is_active=True, places=None).first()
    yield Stop("members-twins", "secretary", reverse("members-twins", args=[slug]))
    yield Stop("member-merge", "secretary", f"{merge}?gone={other.pk}" if other else merge)
    yield Stop("members-due", "secretary", reverse("members-due", args=[slug]))
    yield Stop("webhooks", "secretary", reverse("webhooks", args=[slug]))
    yield Stop("who-did-what", "secretary", reverse("who-did-what", args=[slug]))
    yield Stop("keys", "secretary", reverse("keys"))
    yield Stop("member", "secretary", reverse("player", args=[slug, player]))
    yield Stop("player", "player", reverse("player", args=[slug, player]))
    yield from _kept_stops(slug, player)
    yield Stop("special-hands", "player", reverse("special-hands", args=[slug]))
    yield Stop("rating", "player", reverse("rating", args=[slug]))


def _kept_stops(slug: str, player: int) -> Iterator[Stop]:
    """What is held on people, and how it goes."""
    yield Stop("keeping", "secretary", reverse("keeping", args=[slug]))
    guest = Player.objects.filter(club__slug=slug, kind=PlayerKind.GUEST).latest("pk")
    yield Stop("member-erase", "secretary", reverse("member-erase", args=[slug, guest.pk]))
    yield Stop("everything", "secretary", reverse("everything", args=[slug, player]))


def _season_stops(season: Season, player: int) -> Iterator[Stop]:
    here = [season.league.club.slug, season.pk]
    yield Stop("season-why", "player", reverse("season-why", args=[*here, player]))
    yield Stop("season-papers", "secretary", reverse("season-papers", args=here))
    yield Stop("season-rules", "secretary", reverse("season-rules", args=here))
    yield Stop("season-try", "secretary", reverse("season-try", args=[*here, 1]))
    yield Stop("season-given", "secretary", reverse("season-given", args=here))


def _table_stops(tonight: Session) -> Iterator[Stop]:
    here = [tonight.club.slug, tonight.pk]
    table = tonight.tables.get(number=1)
    played = table.game.hands.filter(is_current=True).latest("number")
    yield Stop("table-desk", "secretary", reverse("evening-table", args=[*here, 1]))
    yield Stop("new-card", "secretary", reverse("evening-new-link", args=[*here, 2]))
    yield Stop("evening-tiles", "secretary", reverse("evening-tiles", args=[*here, 1, 1]))
    sheet = reverse("evening-sheet", args=[*here, 2])
    yield Stop("evening-sheet", "secretary", sheet)
    yield Stop("evening-sheet-beside", "secretary", f"{sheet}?first=1&kind=gains")
    yield Stop("evening-sheets", "secretary", reverse("evening-sheets", args=here))
    repair = reverse("evening-repair", args=[*here, 1])
    yield Stop("repair", "secretary", repair)
    yield Stop("repair-seats", "secretary", f"{repair}?kind=seats")
    yield Stop("repair-winner", "secretary", f"{repair}?kind=winner&hand={played.number}")
    yield Stop("repairs", "secretary", reverse("evening-repairs", args=here))
    yield Stop("hand-correct", "secretary", reverse("evening-hand", args=[*here, 1, played.pk]))
    yield Stop("table", "", reverse("table", args=[table.link_key]), ("phone",))
    for way in ("tallies", "winner"):
        told = f"{reverse('table', args=[table.link_key])}?number={played.number + 1}&way={way}"
        yield Stop(f"table-{way}", "", told, ("phone",))
    yield Stop("table-aid", "", reverse("table-aid", args=[table.link_key]), ("phone",))
    yield Stop("table-standings", "", reverse("table-standings", args=[table.link_key]), ("phone",))
    yield from _said_and_tapped("table", table, played)
    corrected = Hand.objects.filter(game__session_table__isnull=False, is_current=False)[0]
    void = reverse("table-receipt", args=[address_of(corrected)])
    yield Stop("table-receipt-corrected", "", void, ("phone",))
    yield from _void_card_stops(table)
    disputed = tonight.tables.get(number=2)
    yield Stop("table-disputed", "", reverse("table", args=[disputed.link_key]), ("phone",))
    yield Stop("table-desk-disputed", "scorer", reverse("evening-table", args=[*here, 2]))


def _void_card_stops(table: SessionTable) -> Iterator[Stop]:
    """A card of no table, and one in whose place the table has another."""
    yield Stop("card-unknown", "", reverse("table", args=["no-table"]), ("phone",))
    told = {"club": table.session.club, "stands": table.link_key}
    old, _ = ReplacedLink.objects.get_or_create(**told, defaults={"key": link_key()})
    yield Stop("card-replaced", "", reverse("table", args=[old.key]))


def _said_and_tapped(room: str, table: Any, hand: Any) -> Iterator[Stop]:
    yield from _agreeing_stops(room, table, hand.pk)
    yield from _tiles_stops(room, table, hand.number + 1)


def _tiles_stops(room: str, table: Any, number: int) -> Iterator[Stop]:
    """Tiles at the table: a way to everyone's, and one player's to tap."""
    told = f"{reverse(room, args=[table.link_key])}?number={number}&way=tiles"
    tapping = reverse(f"{room}-tiles", args=[table.link_key, 1])
    yield Stop(f"{room}-by-tiles", "", told, ("phone",))
    yield Stop(f"{room}-tiles", "", f"{tapping}?winner=1", ("phone", "desk"))


def _agreeing_stops(room: str, table: Any, hand: int) -> Iterator[Stop]:
    """What is said of a hand: from the table's link, and from that of one seat."""
    one = reverse(room, args=[seat_key(table, 2)])
    key = table.link_key
    yield Stop(f"{room}-seats", "", reverse(f"{room}-seats", args=[key]), ("phone",))
    yield Stop(f"{room}-seat", "", one, ("phone",))
    yield Stop(f"{room}-not-right", "", reverse(f"{room}-dispute", args=[key, hand]), ("phone",))
    receipt = address_of(Hand.objects.get(pk=hand))
    yield Stop(f"{room}-receipt", "", reverse(f"{room}-receipt", args=[receipt]))
    yield Stop(f"{room}-take-back", "", reverse(f"{room}-undo", args=[key, hand]), ("phone",))


def _public_stops(club: Club) -> Iterator[Stop]:
    yield Stop("welcome", "", reverse("home"))
    yield Stop("sign-in", "", reverse("account_login"))
    yield from _sign_in_stops()
    yield Stop("rules", "", reverse("rules", args=["bmja"]))
    yield from _score_stops()
    yield Stop("rules-aid", "", f"{reverse('rules-aid', args=['bmja'])}?tile=WE&own=E")
    yield Stop("how-it-looks", "", reverse("how-it-looks"))
    yield Stop("guides", "", reverse("guides"))
    for who in (*WHO, WORDS):
        yield Stop(f"guide-{who}", "", reverse("guide", args=[who]))
    yield Stop("ready", "", reverse("ready"))
    yield Stop("not-found", "", "/no-such-page/")
    yield Stop("no-entry", "player", reverse("keeping", args=[club.slug]))


def _sign_in_stops() -> Iterator[Stop]:
    """Someone's own sign-in: come in, changed, and its letters' links."""
    yield Stop("sign-in-code", "", reverse("account_request_login_code"))
    yield Stop("password-reset", "", reverse("account_reset_password"))
    yield Stop("password-reset-sent", "", reverse("account_reset_password_done"))
    yield Stop("password-chosen", "", reverse("account_reset_password_from_key_done"))
    void = reverse("account_reset_password_from_key", args=["1", "used"])
    yield Stop("password-void", "", void)
    yield Stop("no-sign-up", "", reverse("account_signup"))
    yield Stop("switched-off", "", reverse("account_inactive"))
    yield Stop("your-sign-in", "player", reverse("account"))
    yield Stop("your-password", "player", reverse("account_change_password"))
    yield Stop("address-void", "player", reverse("account_confirm_email", args=["used"]))
    yield Stop("second-step", "player", reverse("mfa_index"))
    yield Stop("your-password-again", "player", reverse("account_reauthenticate"))
    yield Stop("sign-out", "player", reverse("account_logout"))


def _score_stops() -> Iterator[Stop]:
    whole = "?hand=EE.B456WeeeO22-B111~Drrrr.F1.won-discard-O2"
    fishing = "?hand=SE.B33444888Dgg-B222..lost"
    bmja, english = (reverse("score-rules", args=[key]) for key in ("bmja", "english"))
    yield Stop("score", "", reverse("score"))
    yield Stop("score-mah-jong", "", f"{bmja}{whole}")
    yield Stop("score-fishing", "", f"{english}{fishing}")
    yield Stop("score-link", "", f"{reverse('score-link', args=['bmja'])}{whole}")


def _tournament_stops(club: Club) -> Iterator[Stop]:
    cup = club.tournaments.latest("held_on")
    here = [club.slug, cup.pk]
    table = Table.objects.filter(round__tournament=cup, round__state=RoundState.PLAYING)[0]
    hand = table.game.hands.filter(is_current=True).latest("number")
    past = club.tournaments.earliest("held_on")
    at_table = [*here, table.round.number, table.number]
    yield Stop("tournaments", "director", reverse("tournaments", args=[club.slug]))
    yield Stop("tournament-add", "director", reverse("tournament-add", args=[club.slug]))
    yield Stop("tournament", "director", reverse("tournament", args=here))
    yield Stop("tournament-as-player", "player", reverse("tournament", args=here))
    yield Stop("entrants", "director", reverse("entrants", args=here))
    yield Stop("tournament-settings", "director", reverse("tournament-settings", args=here))
    yield Stop("entrants-import", "director", reverse("entrants-import", args=here))
    yield from _step_stops(cup)
    yield from _plan_stops(cup)
    yield Stop("standings", "player", reverse("standings", args=here))
    yield Stop("tournament-papers", "director", reverse("tournament-papers", args=here))
    yield Stop("standings-director", "director", reverse("standings", args=[club.slug, past.pk]))
    yield Stop("results", "", reverse("results", args=[past.wall_key]))
    yield Stop("tournament-table", "director", reverse("tournament-table", args=at_table))
    yield Stop("table-rulings", "director", reverse("table-rulings", args=at_table))
    yield Stop("tournament-repair", "director", reverse("tournament-repair", args=at_table))
    yield Stop("tournament-repairs", "director", reverse("tournament-repairs", args=at_table[:2]))
    yield Stop("tournament-hand", "director", reverse("tournament-hand", args=[*at_table, hand.pk]))
    yield from _round_table_stops(table, hand)
    yield from _hall_stops(cup)
    yield Stop("style", "", reverse("style"), ("desk",))
    yield Stop("api", "", reverse("api-docs"))
    yield Stop("api-area", "", reverse("docs-area", args=["a-tournaments-rounds"]))


def _round_table_stops(table: Table, hand: Hand) -> Iterator[Stop]:
    key = [table.link_key]
    yield Stop("round-table", "", reverse("round-table", args=key), ("phone",))
    yield Stop("round-table-aid", "", reverse("round-table-aid", args=key), ("phone",))
    yield Stop("round-table-standings", "", reverse("round-table-standings", args=key), ("phone",))
    yield from _said_and_tapped("round-table", table, hand)


def _step_stops(cup: Tournament) -> Iterator[Stop]:
    here = [cup.club.slug, cup.pk]
    for way in WAYS.values():
        address = reverse(way.url_name, args=here)
        yield Stop(f"before-{way.url_name}", "director", address, ("phone",))
    leaving = [*here, cup.entrants.earliest("number").pk]
    yield Stop("before-withdrawing", "director", reverse("entrant-withdraw", args=leaving))
    tapping = reverse("tournament-tiles", args=[*here, 2, 3, 1])
    yield Stop("tournament-tiles", "director", tapping)
    card = reverse("tournament-new-link", args=[*here, 2, 3])
    yield Stop("tournament-new-card", "director", f"{card}?made=yes")
    yield Stop("tournament-sheet", "director", reverse("tournament-sheet", args=[*here, 2, 3]))
    yield Stop("tournament-sheets", "director", reverse("tournament-sheets", args=[*here, 2]))


def _hall_stops(cup: Tournament) -> Iterator[Stop]:
    hung = reverse("tournament-wall", args=[cup.wall_key])
    find = reverse("find-me", args=[cup.wall_key])
    someone = cup.entrants.earliest("number").pk
    yield Stop("tournament-wall", "", hung, ("wall",))
    for show in ("seats", "tables", "clock", "standings"):
        yield Stop(f"tournament-wall-{show}", "", f"{hung}?show={show}", ("wall",))
    yield Stop("find-me", "", find, ("phone",))
    yield Stop("me", "", f"{find}?me={someone}", ("phone",))


def _prize_stops(club: Club) -> Iterator[Stop]:
    cup, past = club.tournaments.latest("held_on"), club.tournaments.earliest("held_on")
    here = [club.slug, cup.pk]
    first = [*here, cup.prizes.earliest("number").pk]
    yield Stop("round-by-standing", "director", reverse("round-by-standing", args=here))
    yield Stop("prizes", "director", reverse("prizes", args=here))
    yield Stop("prizes-given", "director", reverse("prizes", args=[club.slug, past.pk]))
    yield Stop("prize", "director", reverse("prize", args=first))


def _plan_stops(cup: Tournament) -> Iterator[Stop]:
    here = [cup.club.slug, cup.pk]
    yield Stop("seating-changes", "director", reverse("seating-changes", args=here))
    yield Stop("seating-ways", "director", reverse("seating-ways", args=here))
    yield Stop("seating", "player", reverse("seating", args=here))
    yield Stop("why-open", "", reverse("why-open", args=[cup.wall_key]))
    yield Stop("seating-why", "player", reverse("seating-why", args=here))
    yield Stop("seating-by-hand", "director", reverse("seating-by-hand", args=[*here, 3]))
    yield Stop("seating-list", "director", reverse("seating-list", args=here))


def stops() -> list[Stop]:
    """Every page of the sample club."""
    club = Club.objects.get(slug="riverside")
    return [*_public_stops(club), *_club_stops(club), *_tournament_stops(club), *_prize_stops(club)]


def visit(browser: Browser, server: str, who: str, **context: Any) -> Page:
    """A page of a fresh browser in which that person has signed in (nobody: an empty name)."""
    page = browser.new_context(locale="en-GB", **context).new_page()
    if who:
        page.goto(f"{server}{reverse('account_login')}")
        page.fill("input[name=login]", f"{who}@example.org")
        page.fill("input[name=password]", PASSWORD)
        page.click("main button[type=submit]")
        page.wait_for_load_state()
    return page
