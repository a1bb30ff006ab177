"""Each request for a club in the club's database: found by its address, or by the key in a link."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from hashlib import sha256
from typing import Any, Final

from django.core.cache import cache
from django.core.exceptions import MiddlewareNotUsed
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse

from clubs import databases, models
from clubs.core.access import SAFE
from clubs.core.club_rows import ways_to_club
from clubs.core.directory import BeingMoved, at_club, database_of
from clubs.databases import at
from clubs.messages.mail import stopped_by
from clubs.models.people import is_ours
from clubs.table.event import lookup_of
from clubs.tenancy import across_clubs
from config.views import being_moved
from scoring.scorebook.editions import is_house
from scoring.scorebook.models import Edition
from scoring.scorebook.selectors import hand_at
from tournaments.models import Table, Tournament

A_DAY: Final = 24 * 60 * 60  # seconds
Slugs = QuerySet[Any, Any]
Find = Callable[[str], str | None]


class AtTheClubsDatabase:
    """Middleware: makes the club's database the default one until the request is answered.

    It is the innermost: what the others read and write is in the main database. A request that
    changes something is refused with 503 while its club is being moved.
    """

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        if not databases.are_several():
            raise MiddlewareNotUsed
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with ExitStack() as stack:
            request.until_answered = stack  # type: ignore[attr-defined]
            return self.answer(request)

    def process_view(
        self, request: Any, _view: object, _args: object, named: dict[str, Any]
    ) -> HttpResponse | None:
        """Find the club that the address names; None, so that the view goes on there."""
        writes = request.method not in SAFE
        place = place_of(request.path, named, writes=writes)
        if place is None:
            return None
        is_someone = request.user.is_authenticated  # reads the account, in the main database
        try:
            request.until_answered.enter_context(place)
        except BeingMoved:
            return being_moved(request)
        if is_someone and writes:
            request.user.copy_here()
        return None


def _of(model: type[Model]) -> Callable[..., Slugs]:
    """The addresses of the clubs of this table's rows, by what is asked of the rows."""

    def slugs(**wanted: Any) -> Slugs:
        way = f"{ways_to_club()[model]}__slug"
        return model._base_manager.filter(**wanted).values_list(way, flat=True)

    return slugs


def _with_key(model: type[Model], column: str) -> Find:
    return lambda key: _of(model)(**{column: key}).first() if is_ours(key) else None


def _table(model: type[Model]) -> Find:
    """The club of a table's link or a seat's, also of a link that was replaced."""

    def find(key: str) -> str | None:
        wanted = lookup_of(key)
        slug = _of(model)(**wanted).first() if wanted else None
        return slug or _with_key(models.ReplacedLink, "key")(key)

    return find


def _receipt(model: type[Model]) -> Find:
    def find(code: str) -> str | None:
        hand = hand_at(code)
        return _of(model)(game=hand.game_id).first() if hand else None

    return find


def _whose_emails(key: str) -> str | None:
    stopped = stopped_by(key)
    return _of(models.Player)(pk=stopped[0]).first() if stopped else None


# By the beginning of the address, without that of the API.
LINKS: Final[Mapping[str, Find]] = {
    "t": _table(models.SessionTable),
    "r": _table(Table),
    "receipt/t": _receipt(models.SessionTable),
    "receipt/r": _receipt(Table),
    "w": _with_key(models.Session, "wall_key"),
    "e": _with_key(Tournament, "wall_key"),
    "come": _with_key(models.Invitation, "key"),
    "cal": _with_key(models.Series, "feed_key"),
    "invited": _with_key(models.RoleInvitation, "key"),
    "stop-emails": _whose_emails,
}
RULES: Final = ("rules", "score")


def place_of(
    path: str, named: Mapping[str, Any], *, writes: bool
) -> AbstractContextManager[None] | None:
    """Works in the database of the club that an address names; of house rules, where they are.

    None for an address that is about no club. Where a link was found is remembered for a day, as
    phones ask again and again; a club that was moved since is found all the same.
    """
    if "club" in named:
        return at_club(str(named["club"]), writes=writes)
    parts = path.removeprefix("/api/v1").strip("/").split("/")
    kind = "/".join(parts[:2]) if parts[0] == "receipt" else parts[0]
    key = str(named.get("key") or named.get("code") or "")
    if kind in RULES and is_house(key):
        for name in databases.names():
            with at(name):
                if Edition.objects.filter(key=key).exists():
                    return at(name)
    if key and (find := LINKS.get(kind)):
        slug = _club_of_link(f"club-of:{kind}:{sha256(key.encode()).hexdigest()}", find, key)
        return at_club(slug, writes=writes) if slug else None
    return None


def _club_of_link(remembered: str, find: Find, key: str) -> str:
    last = cache.get(remembered)
    for name in dict.fromkeys([last, *databases.names()] if last else databases.names()):
        with at(name), across_clubs():
            slug = find(key)
        if slug and database_of(slug) == name:
            if name != last:
                cache.set(remembered, name, A_DAY)
            return slug
    return ""
