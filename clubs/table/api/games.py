"""A game over the API, at whichever table it is played: who may, and with which credential.

A person or a key may do at a game what their role in its club allows. Anyone with the key of the
printed link may do what the link's page does, at that one game: ``Authorization: Link KEY``.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.crypto import constant_time_compare
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import APIException, AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from clubs.api.base import ClubAPIView
from clubs.api.callers import ClubAccess, LinkKey
from clubs.core.access import is_refused_when_closed
from clubs.core.permissions import Permission, Presence, visible_parts
from clubs.models.names import TABLE_READER
from clubs.table.event import (
    EVENT_KINDS,
    PlayedTable,
    TableEvent,
    event_of_game,
    event_of_key,
    is_seat_key,
    link_lookup,
    open_link,
)
from clubs.table.selectors.reviews import HandReview, is_replaced_link
from clubs.tenancy import ClubClosed, refuse_closed, set_current_club

GAME_PATH = "games/<int:game>/"
HAND_PATH = f"{GAME_PATH}hands/<int:hand>/"
LINK_KEYWORD = b"link"
LINK_ACCESS = "anyone with the table’s link"


class LinkReplaced(APIException):
    """The link was replaced by another."""

    status_code = 410
    default_code = "replaced"
    default_detail = (
        "This table card has been replaced. Scan the new one on your table, or ask the organiser. "
        "Hands stored for the old card can be sent with the new link."
    )


class LinkAuthentication(BaseAuthentication):
    """Takes the key of a printed link, or of one seat's, as a credential after ``Link``.

    It is nobody's: whether it opens the game of the address is for ``GameAccess`` to say.
    """

    def authenticate(self, request: Request) -> tuple[AnonymousUser, LinkKey] | None:
        """The key; None without one. Raises for a key that we did not make; no query."""
        parts = get_authorization_header(request).split()
        if not parts or parts[0].lower() != LINK_KEYWORD:
            return None
        key = parts[1].decode("latin-1") if len(parts) == 2 else ""
        if not link_lookup(key):
            raise AuthenticationFailed("This link is not valid. Check the address on the card.")
        return AnonymousUser(), LinkKey(key)

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002
        """The scheme to name in a 401 response."""
        return "Link"


class LinkScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = LinkAuthentication
    name = "link"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:  # noqa: ARG002
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Link KEY`, with the KEY of the address on a table card, `/t/KEY/` or "
            "`/r/KEY/`, or of a seat’s link. It is good for that one game.",
        }


class GameAccess(ClubAccess):
    """Access to a game: for those with the permission in its club, or with its link."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Whether the caller may do this at the game of the address, which is put on the view.

        Nobody learns which games there are in clubs that show them nothing.
        """
        event = event_of_game(view.kwargs["game"])
        if isinstance(request.auth, LinkKey):
            return self._is_opened(request.auth.key, view, event)
        if event is None and request.user.is_authenticated:
            raise Http404
        if event is None or view.access == LINK_ACCESS:
            return False
        view.event = event
        permission = view.permission_at(event, request.method or "GET")
        if self.lets_in(request, view, event.club, permission):
            return bool(view.is_of_its_kind(event))
        presence = view.presence
        if request.user.is_authenticated and presence.role is presence.withheld is None:
            raise Http404
        return False

    def _is_opened(self, key: str, view: "GameAPIView", event: TableEvent | None) -> bool:
        seat = _seat_opened_by(key, event)
        if event is None or seat is None:
            raise link_error(key)
        event = type(event).for_players(event.row)
        view.event, view.seat = event, seat or None
        view.club, view.presence = event.club, Presence(None, TABLE_READER)
        view.sees = visible_parts(None, event.club)
        set_current_club(event.club.pk)
        if is_refused_when_closed(view, view.request.method):
            refuse_closed(event.club)
        return view.is_of_its_kind(event)


class HasLink(BasePermission):
    """For anyone who sends the key of a link."""

    def has_permission(self, request: Request, view: Any) -> bool:  # noqa: ARG002
        """Whether there is one; which game it opens is for the view to find."""
        return isinstance(request.auth, LinkKey)


def _seat_opened_by(key: str, event: TableEvent | None) -> int | None:
    """The seat whose link opens the game, 0 for the link of its table; None: it opens another."""
    if event is None:
        return None
    if is_seat_key(key):
        row, seat = open_link(event.row, key)
        return seat if row is not None else None
    return 0 if constant_time_compare(event.row.link_key, key) else None


def link_error(key: str) -> Exception:
    """Why a link does not open the game of the address."""
    try:
        other_event = event_of_key(key)
    except ClubClosed as closed:
        return closed
    if other_event is not None:
        return PermissionDenied(
            f"This link is for game {other_event.row.game_id}, not for this one."
        )
    if is_seat_key(key) or is_replaced_link(key):
        return LinkReplaced()
    return AuthenticationFailed("This link is not valid. Check the address on the card.")


class GameAPIView(ClubAPIView):
    """An operation at a game; ``by_link``: also with the link of its table or of a seat.

    ``access`` is what is asked for at a table of an evening; a kind of event has its own for it.
    In words it is ``LINK_ACCESS``: nothing else opens it. ``of_kind`` is the kind of event whose
    games alone have the operation; empty: every kind.
    """

    permission_classes = [GameAccess]
    access: ClassVar[Any]
    by_link: ClassVar[bool] = False
    of_kind: ClassVar[str] = ""
    event: TableEvent
    seat: int | None = None
    played_table: PlayedTable

    def get_authenticators(self) -> list[Any]:
        """The credentials that open this operation."""
        key, *other_authenticators = super().get_authenticators()
        if not self.by_link:
            return [key, *other_authenticators]
        link = LinkAuthentication()
        return [link] if self.access == LINK_ACCESS else [key, link, *other_authenticators]

    @classmethod
    def kinds(cls) -> list[type[TableEvent]]:
        """The kinds of event whose games have this operation."""
        return [kind for name, kind in EVENT_KINDS.items() if cls.of_kind in {"", name}]

    def is_of_its_kind(self, event: TableEvent) -> bool:
        """True; raises ``Http404`` at a game that has no such operation."""
        if not isinstance(event, tuple(self.kinds())):
            raise Http404
        return True

    def permission_at(self, event: TableEvent, method: str) -> Permission:
        """What this operation asks for at this table, whose hands may be hidden for now."""
        permission = event.permission_for(self.access_for(method))
        return event.seen_by if permission == event.sees else permission

    def who_may(self, method: str) -> str:
        """Who may, in words: those with a role at each kind of table, and those with the link."""
        link = "Anyone with the table’s link may." if self.by_link else ""
        permission: Any = self.access_for(method)
        if not isinstance(permission, Permission):
            return link
        by_kind = {kind: kind.permission_for(permission) for kind in self.kinds()}
        people = {kind_permission.people for kind_permission in by_kind.values()}
        roles_phrase = ", or ".join(
            f"a {kind_permission.people} {kind.event_phrase}"
            for kind, kind_permission in by_kind.items()
        )
        roles_phrase = (
            f"For a {people.pop()} of the club." if len(people) == 1 else f"For {roles_phrase}."
        )
        public = " ".join(
            f"Anyone may {kind.event_phrase} if the club has made its results public."
            for kind, kind_permission in by_kind.items()
            if kind_permission.public_by
        )
        return " ".join(filter(None, (roles_phrase, public, link)))

    @property
    def subjects(self) -> Mapping[str, Any]:
        """The parts of the address, and where the game is played."""
        return {**self.kwargs, **self.event.location_ids}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """After the door, the table is at hand before the request's body is read."""
        super().initial(request, *args, **kwargs)
        self.played_table = self.open_table(self.event)

    def open_table(self, event: TableEvent) -> PlayedTable:
        """The table as the caller has it open."""
        if isinstance(self.request.auth, LinkKey):
            return PlayedTable(event=event, sent_by=event.sender(self.seat), seat=self.seat)
        return PlayedTable(event=event, sent_by=sender(self.request), reader=self.reader)

    def played_now(self) -> PlayedTable:
        """The table as it is after a change. Raises ``Http404``."""
        event = event_of_game(self.kwargs["game"])
        if event is None:
            raise Http404
        is_players = isinstance(self.request.auth, LinkKey)
        return self.open_table(type(event).for_players(event.row) if is_players else event)

    def review(self, table: PlayedTable) -> HandReview:
        """The hand of the address with what was said about it. Raises ``Http404``."""
        review = table.reviews.get(self.kwargs["hand"])
        if review is None:
            raise Http404
        return review

    def review_now(self) -> HandReview:
        """The hand as it is after a change."""
        return self.review(self.played_now())


def sender(request: Request) -> str:
    """Who sends with a key or signed in, as the score book stores it."""
    return f"user {request.user.pk}"
