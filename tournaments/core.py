"""What every room of a tournament uses: access, the page frame, names, locks, audit words."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.db.models import Count, F, Max, Q, QuerySet
from django.db.models.sql import Query
from django.shortcuts import get_object_or_404
from django.urls import reverse

from clubs.core.access import ClubRequest
from clubs.core.audit_log import RowKind
from clubs.core.files import file_name
from clubs.core.pages import Breadcrumbs, Tab, club_context
from clubs.core.permissions import EVERY_ROLE, ORGANISERS, Permission
from clubs.core.queue import emit_event
from clubs.models import Club, News, Role, Scope
from clubs.models.names import Person, Reader, shown_names
from clubs.models.people import is_own_link_key
from clubs.seating.why import join_with_and
from clubs.tenancy import club_scope, find_by_key, find_values_by_key, scoped_club_id
from scoring.scorebook.models import Hand
from scoring.scorebook.prepared import PreparedChange, update_query
from tournaments.models import (
    Entrant,
    EntrantState,
    Placement,
    RoundState,
    Table,
    Tournament,
    TournamentState,
)

TOURNAMENT_PATH: Final = "c/<slug:club>/tournaments/<int:pk>/"
SEE_TOURNAMENT = Permission(
    "see this tournament", EVERY_ROLE, Scope.READ, public_by=("shows_results",)
)
RUN_TOURNAMENT = Permission(
    "run a tournament", frozenset({Role.DIRECTOR, Role.SECRETARY}), Scope.TOURNAMENTS
)
ENTER_TABLE_HANDS = Permission("enter hands for a table", ORGANISERS, Scope.HANDS)
CORRECT_TABLE_HANDS = Permission("correct a hand", ORGANISERS, Scope.HANDS)
SEE_LAST_ROUND = Permission("see the last round before it is released", ORGANISERS, Scope.READ)
PRINT_TOURNAMENT = Permission("print sheets and cards", ORGANISERS, Scope.PRINTOUTS)


ENTERED_FILTER = Q(entrants__state=EntrantState.ENTERED, entrants__is_house=False)
PUBLIC_TABS = (("Seating", "seating"), ("Standings", "standings"))
OFFICIAL_TABS = (
    ("Entries", "entrants"),
    *PUBLIC_TABS,
    ("Prizes", "prizes"),
    ("Settings", "tournament-settings"),
)

UNPROCESSABLE = 422
WITH_PLAYER = "entrant__player"

AUDITED_KINDS: Final = {
    "tournament": RowKind(
        lambda club: Tournament.objects.filter(club=club),
        lambda item: item.name,
        "a tournament",
        "tournament",
    ),
    "entrant": RowKind(
        lambda club: Entrant.objects.filter(tournament__club=club),
        lambda item: item.name,
        "someone",
    ),
}


def tournaments_of(club: Club) -> QuerySet[Tournament]:
    """The newest first, each with ``entered``, ``closed`` and ``playing`` (rounds): one query.

    ``playing`` is the number of the round that is being played, None if none is.
    """
    return club.tournaments.annotate(
        entered=Count("entrants", filter=ENTERED_FILTER, distinct=True),
        closed=Count("rounds", filter=Q(rounds__state=RoundState.CLOSED), distinct=True),
        playing=Max("rounds__number", filter=Q(rounds__state=RoundState.PLAYING)),
    ).order_by("-held_on", "-pk")


def seated_round_numbers(tournament: Tournament) -> list[int]:
    """The numbers of the rounds that have tables: one query."""
    rounds = tournament.rounds.filter(tables__isnull=False).distinct().order_by("number")
    return list(rounds.values_list("number", flat=True))


def current_round_number(tournament: Tournament) -> int | None:
    """The first seated round that is not closed, else the last one; None before any: one query."""
    rounds = tournament.rounds.filter(tables__isnull=False).distinct().order_by("number")
    states = list(rounds.values_list("number", "state"))
    still_open = [number for number, state in states if state != RoundState.CLOSED]
    return next(iter(still_open), states[-1][0] if states else None)


def find_by_wall_key(wall_key: str) -> Tournament | None:
    """The tournament with this key of its wall, and its club: one query, none for a forged key."""
    return (
        find_by_key(_tournaments_with_club, wall_key=wall_key)
        if is_own_link_key(wall_key)
        else None
    )


def _tournaments_with_club() -> QuerySet[Tournament]:
    return Tournament.objects.select_related("club")


def is_current_version(wall_key: str, version: str) -> bool:
    """Whether the tournament with this key of its wall has no newer version than that one.

    One narrow query; none for a forged key, or where no version is told.
    """
    if not version or not is_own_link_key(wall_key):
        return False
    value = find_values_by_key(Tournament.objects.all, "version", wall_key=wall_key)
    return value is not None and version == str(value[0])


def tournament_tabs(request: ClubRequest, tournament: Tournament, url_name: str) -> list[Tab]:
    """The tabs above the page of that url name, or above one that stands below a tab's page."""
    first = "Desk" if request.has_permission(ENTER_TABLE_HANDS) else "Live"
    other_tabs = OFFICIAL_TABS if request.has_permission(RUN_TOURNAMENT) else PUBLIC_TABS
    place = "seating" if url_name.startswith("seating-") else url_name
    url_args = [tournament.club.slug, tournament.pk]
    return [
        Tab(label, reverse(name, args=url_args), name == place)
        for label, name in ((first, "tournament"), *other_tabs)
    ]


def tournament_breadcrumbs(tournament: Tournament, *crumbs: dict[str, str]) -> Breadcrumbs:
    """The breadcrumbs to a tournament and to what stands below it."""
    slug = tournament.club.slug
    return [
        {"label": "Tournaments", "url": reverse("tournaments", args=[slug])},
        {"label": tournament.name, "url": reverse("tournament", args=[slug, tournament.pk])},
        *crumbs,
    ]


def get_tournament_or_404(club: Club, pk: int) -> Tournament:
    """The club's tournament, or 404."""
    return get_object_or_404(Tournament.objects.select_related("club", "book"), club=club, pk=pk)


def tournament_context(
    request: ClubRequest, tournament: Tournament, url_name: str, **extra_context: Any
) -> dict[str, Any]:
    """The context of every page of a tournament; ``url_name`` is the page's url name."""
    club = tournament.club
    return club_context(
        club,
        "tournaments",
        breadcrumbs=tournament_breadcrumbs(tournament),
        tabs=tournament_tabs(request, tournament, url_name),
        tournament=tournament,
        may_run=request.has_permission(RUN_TOURNAMENT),
        may_enter=request.has_permission(ENTER_TABLE_HANDS),
        may_print=request.has_permission(PRINT_TOURNAMENT),
        **extra_context,
    )


def names_of(entrants: Iterable[Entrant], reader: Reader) -> dict[int, str]:
    """The entrants of one list by their keys, as the reader may read them.

    No query where they were read with their players; a visitor’s name is told in full.
    """
    return shown_names(map(person_of, entrants), reader)


def first_few(names: Sequence[str], most: int) -> str:
    """``Ann, Ben and 3 more``; where only one more would be left out, all of them."""
    remainder = len(names) - most
    return (
        f"{', '.join(names[:most])} and {remainder} more" if remainder > 1 else join_with_and(names)
    )


def sitters_of(
    places: Iterable[Placement], reader: Reader, *, hand: int | None = None
) -> dict[int, str]:
    """Who sits in these places, by the places' keys: a substitute as the director wrote it.

    With a hand, who played that one.
    """
    places = list(places)
    names = names_of((place.entrant for place in places), reader)
    return {place.pk: place.substitute_at(hand) or names[place.entrant_id] for place in places}


def file_name_of(tournament: Tournament, subject: str) -> str:
    """What a file about a tournament is called: its name, its day, what is in it."""
    return file_name(tournament.name, tournament.held_on, subject)


def person_of(entrant: Entrant) -> Person:
    if entrant.player is None:
        return Person(entrant.pk, entrant.name)
    return Person(entrant.pk, entrant.name, entrant.player.shown_as, entrant.player_id)


def lock_tournament(tournament_id: int) -> Tournament:
    """The tournament's row, locked until the transaction ends."""
    rows = Tournament.objects.select_for_update(of=("self",), no_key=True).select_related("club")
    return rows.get(pk=tournament_id)


def set_state(tournament: Tournament, state: TournamentState) -> None:
    """The tournament goes on to this state."""
    tournament.state = state
    tournament.save(update_fields=["state"])
    touch(tournament)


def touch(tournament: Tournament) -> None:
    """Something that pages show has changed: the version goes up by one."""
    _RAISE_VERSION(tournament.pk, scoped_club_id(tournament))


def _version_query(key: int, club: int) -> Query:
    with club_scope(club):
        return update_query(Tournament.objects.filter(pk=key), version=F("version") + 1)


_RAISE_VERSION: Final = PreparedChange(_version_query, int, int)


def emit_tournament_event(kind: News, tournament: Tournament, **row_keys: int) -> None:
    """News of the tournament itself; ``row_keys`` names rows besides it."""
    address = ("api-tournament-detail", tournament.pk)
    emit_event(kind, club=tournament.club_id, route=address, tournament=tournament.pk, **row_keys)


def emit_hand_event(kind: News, table: Table, hand: Hand) -> None:
    round_ = table.round
    tournament = round_.tournament
    emit_event(
        kind,
        club=tournament.club_id,
        route=("api-game", hand.game_id),
        tournament=tournament.pk,
        round=round_.number,
        table=table.number,
        game=hand.game_id,
        hand=hand.pk,
        number=hand.number,
    )
