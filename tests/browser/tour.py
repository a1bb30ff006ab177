"""Every page of the sample club: who looks at it, where it is, at which sizes it is shown."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.urls import reverse
from playwright.sync_api import Browser, Page

from clubs.models import Club, Season, Session, SessionState
from tournaments.models import RoundState, Table, Tournament

PASSWORD = "east wind prevails"
BEFORE_STEPS = (
    "tournament-seat",
    "tournament-clear",
    "round-start",
    "round-unstart",
    "round-close",
    "round-reopen",
    "tournament-finish",
    "tournament-reopen",
    "results-publish",
)


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
    yield Stop("members", "secretary", reverse("members", args=[slug]))
    yield Stop("member-add", "secretary", reverse("member-add", args=[slug]))
    yield Stop("member-change", "secretary", reverse("member-change", args=[slug, player]))
    yield Stop("members-import", "secretary", reverse("members-import", args=[slug]))
    yield Stop("player", "player", reverse("player", args=[slug, player]))
    yield Stop("evenings", "secretary", reverse("evenings", args=[slug]))
    yield Stop("evening", "secretary", reverse("evening", args=[slug, tonight.pk]))
    yield Stop("evening-why", "player", reverse("evening-why", args=[slug, tonight.pk]))
    yield Stop("evening-move", "secretary", reverse("evening-move", args=[slug, tonight.pk]))
    yield Stop("evening-past", "player", reverse("evening", args=[slug, past.pk]))
    yield Stop("result", "player", reverse("result", args=[slug, past.pk]))
    yield Stop("seasons", "secretary", reverse("seasons", args=[slug]))
    yield Stop("season", "player", reverse("season", args=[slug, season.pk]))
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


def _table_stops(tonight: Session) -> Iterator[Stop]:
    here = [tonight.club.slug, tonight.pk]
    table = tonight.tables.get(number=1)
    played = table.game.hands.filter(is_current=True).latest("number")
    yield Stop("table-desk", "secretary", reverse("evening-table", args=[*here, 1]))
    yield Stop("evening-sheet", "secretary", reverse("evening-sheet", args=[*here, 2]))
    yield Stop("hand-correct", "secretary", reverse("evening-hand", args=[*here, 1, played.pk]))
    yield Stop("table", "", reverse("table", args=[table.link_key]), ("phone",))
    yield Stop("table-standings", "", reverse("table-standings", args=[table.link_key]), ("phone",))


def _public_stops(club: Club) -> Iterator[Stop]:
    yield Stop("welcome", "", reverse("home"))
    yield Stop("sign-in", "", reverse("account_login"))
    yield Stop("password-reset", "", reverse("account_reset_password"))
    yield Stop("rules", "", reverse("rules", args=["bmja"]))
    yield from _score_stops()
    yield Stop("not-found", "", "/no-such-page/")
    yield Stop("no-entry", "player", reverse("members", args=[club.slug]))


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
    yield from _seating_stops(cup)
    yield Stop("standings", "player", reverse("standings", args=here))
    yield Stop("standings-director", "director", reverse("standings", args=[club.slug, past.pk]))
    yield Stop("results", "", reverse("results", args=[past.wall_key]))
    yield Stop("tournament-table", "director", reverse("tournament-table", args=at_table))
    yield Stop("table-rulings", "director", reverse("table-rulings", args=at_table))
    yield Stop("tournament-hand", "director", reverse("tournament-hand", args=[*at_table, hand.pk]))
    yield Stop("round-table", "", reverse("round-table", args=[table.link_key]), ("phone",))
    yield Stop(
        "round-table-standings",
        "",
        reverse("round-table-standings", args=[table.link_key]),
        ("phone",),
    )
    yield from _hall_stops(cup)
    yield Stop("style", "", reverse("style"), ("desk",))
    yield Stop("api", "", reverse("api-docs"), ("desk",))


def _step_stops(cup: Tournament) -> Iterator[Stop]:
    here = [cup.club.slug, cup.pk]
    for before in BEFORE_STEPS:
        yield Stop(f"before-{before}", "director", reverse(before, args=here), ("phone",))
    leaving = [*here, cup.entrants.earliest("number").pk]
    yield Stop("before-withdrawing", "director", reverse("entrant-withdraw", args=leaving))
    yield Stop("tournament-sheet", "director", reverse("tournament-sheet", args=[*here, 2, 3]))


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


def _seating_stops(cup: Tournament) -> Iterator[Stop]:
    here = [cup.club.slug, cup.pk]
    yield Stop("seating-changes", "director", reverse("seating-changes", args=here))
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
