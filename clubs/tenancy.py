"""Keeps clubs apart: code that runs for one club cannot query another's rows.

Every model that belongs to a club has ``ClubManager`` for its manager, or one that knows the path
from the row to the club. It adds the current club to each query; without one a query raises
``ScopeError``.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import ContextVar
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import Manager, Model, QuerySet
from django_scopes import scope, scopes_disabled
from django_scopes.exceptions import ScopeError
from django_scopes.manager import DisabledQuerySet
from django_scopes.state import get_scope, state

from scoring.scorebook.prepared import PreparedQuery

AnyModel = TypeVar("AnyModel", bound=Model)

_request_exit_stack: ContextVar[ExitStack] = ContextVar("until the request is answered")
_request_writes: ContextVar[bool] = ContextVar("whether the request may change something")


class ClubClosed(PermissionDenied):
    """Nothing can be changed in a club that an operator has closed."""


class ClubManager(Manager[AnyModel]):
    """Limits queries to the current club; ``club_lookup`` is the lookup from a row to its club."""

    club_lookup = "club"

    def get_queryset(self) -> QuerySet[AnyModel]:
        """The rows of the current club. Raises ``ScopeError`` outside a club."""
        scope = get_scope()
        if not scope.get("_enabled", True):
            return super().get_queryset()
        if "club" not in scope:
            disabled_rows: QuerySet[AnyModel] = DisabledQuerySet(
                self.model, missing_scopes=["club"]
            )
            return disabled_rows
        return super().get_queryset().filter(**{self.club_lookup: scope["club"]})


class EveningManager(ClubManager[AnyModel]):
    club_lookup = "session__club"


class LeagueManager(ClubManager[AnyModel]):
    """For rows of a league."""

    club_lookup = "league__club"


class SeasonManager(ClubManager[AnyModel]):
    """For rows of a season."""

    club_lookup = "season__league__club"


class BatchManager(ClubManager[AnyModel]):
    """For rows of a batch of messages."""

    club_lookup = "batch__club"


class WebhookManager(ClubManager[AnyModel]):
    """For rows of a webhook."""

    club_lookup = "webhook__club"


@contextmanager
def club_scope(club_id: int) -> Iterator[None]:
    """Make this the current club within the block."""
    with scope(club=club_id):
        yield


@contextmanager
def across_clubs() -> Iterator[None]:
    """Allow all clubs, for the few cases that need it: periodic jobs, a secret key."""
    with scopes_disabled():
        yield


@contextmanager
def request_scope(*, writes: bool = False) -> Iterator[None]:
    """Wraps a request: no club can be queried until ``set_current_club`` names it.

    One that ``writes`` opens no row of a closed club ``find_by_key``.
    """
    no_club, was_writing = state.set({}), _request_writes.set(writes)
    try:
        with ExitStack() as until_answered:
            token = _request_exit_stack.set(until_answered)
            try:
                yield
            finally:
                _request_exit_stack.reset(token)
    finally:
        _request_writes.reset(was_writing)
        state.reset(no_club)


def set_current_club(club_id: int) -> None:
    """Make this the current club until the request is answered."""
    enter_until_response(club_scope(club_id))


def current_club() -> int | None:
    """The key of the current club; None outside a club, and where all clubs are allowed."""
    club: int | None = get_scope().get("club")
    return club


def enter_until_response(lasting: AbstractContextManager[None]) -> None:
    """Enter a context that lasts until the request is answered."""
    _request_exit_stack.get().enter_context(lasting)


def find_by_key(rows: Callable[[], QuerySet[AnyModel]], **key: Any) -> AnyModel | None:
    """The row with a secret key, in any club; that club becomes the current one.

    ``rows`` must be a function of a module, because its query is prepared once. Keys are unique.
    Raises ``ClubClosed`` if the request may change something of a closed club.
    """
    with across_clubs():
        row: AnyModel | None = _prepared_query(rows, (), *_names_and_types(key)).first(
            *key.values()
        )
        club_id = None if row is None else club_id_of(row)
        if row is not None and _request_writes.get(False):
            refuse_closed(attrgetter(_club_lookup_of(row))(row))
    if club_id is not None:
        set_current_club(club_id)
    return row


def refuse_closed(club: Any) -> None:
    """Raises ``ClubClosed`` with a sentence if the club is closed."""
    if message := club.closed_sentence:
        raise ClubClosed(message)


def find_values_by_key(rows: Callable[[], QuerySet[Any]], *fields: str, **key: Any) -> Any:
    """Only these fields of the row with a secret key; None if there is no such row.

    For what is read many times a second; the current club does not change.
    """
    with across_clubs():
        return _prepared_query(rows, fields, *_names_and_types(key)).first(*key.values())


def _names_and_types(key: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[type, ...]]:
    return tuple(key), tuple(map(type, key.values()))


@cache
def _prepared_query(
    rows: Callable[[], QuerySet[Any]],
    fields: tuple[str, ...],
    names: tuple[str, ...],
    kinds: tuple[type, ...],
) -> PreparedQuery[Any]:
    def matching(*values: Any) -> QuerySet[Any, Any]:
        result = rows().filter(**dict(zip(names, values, strict=True))).order_by()
        return result.values_list(*fields) if fields else result

    return PreparedQuery(matching, *kinds)


def club_id_of(row: Model) -> int:
    """The key of the club that the row belongs to."""
    number: int = attrgetter(f"{_club_lookup_of(row)}_id")(row)
    return number


def scoped_club_id(row: Model) -> int:
    """The key of the club that a statement on this row keeps to, as ``ClubManager``: where all
    clubs are allowed, the row's own. Raises ``ScopeError`` outside a club.
    """
    limits = get_scope()
    if not limits.get("_enabled", True):
        return club_id_of(row)
    if "club" not in limits:
        raise ScopeError("This is done for one club: there must be a current one.")
    club: int = limits["club"]
    return club


def _club_lookup_of(row: Model) -> str:
    manager: Any = type(row)._default_manager
    return str(manager.club_lookup).replace("__", ".")
