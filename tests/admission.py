"""Whom each door lets in, asked of the door itself: a request is sent only where a view refuses."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.urls import resolve

from clubs.core.permissions import Permission, presence_in
from tests.people import Cast

PEOPLE = ("secretary", "director", "scorer", "player", "member of another club", "nobody")
MEMBERS, ORGANISERS, SECRETARY = PEOPLE[:4], PEOPLE[:3], PEOPLE[:1]
SCORERS = ("secretary", "scorer")
REFUSED = {302, 401, 403}


class Entry(NamedTuple):
    """An address, how it is asked, and the people of the cast who may."""

    address: str
    method: str
    people: frozenset[str]


def statuses(rows: Mapping[tuple[tuple[str, ...], int], str]) -> dict[str, dict[str, int]]:
    """A table by page: what everyone who may is answered, of rows of such pages."""
    return {
        name: dict.fromkeys(people, status)
        for (people, status), names in rows.items()
        for name in names.split()
    }


def permission_of(address: str, method: str) -> Permission | None:
    """What the door of an address asks for; None where it asks for no role in a club."""
    resolver_match = resolve(address)
    view: Any = resolver_match.func
    by_method = getattr(getattr(view, "cls", None), "access_for", None)
    if by_method is not None:
        permission = by_method(
            view.cls(**view.initkwargs, kwargs=resolver_match.kwargs, request=None), method.upper()
        )
    else:
        permission = getattr(view, "access", None)
    return permission if isinstance(permission, Permission) else None


def differences(
    entries: Iterable[Entry], cast: Cast, status_for: Callable[[str, Entry], int]
) -> list[str]:
    """Where a door and a table of who may pass differ.

    Some views ask for more than their door does. Those whom such a door lets in, though the table
    does not, send the request, and must be refused.
    """
    people = cast.people()
    present = {
        person: presence_in(user or AnonymousUser(), cast.club) for person, user in people.items()
    }
    mismatches = []
    for entry in entries:
        permission = permission_of(entry.address, entry.method)
        if permission is None:
            continue
        let_in = {
            person
            for person, presence in present.items()
            if presence.has_permission(permission, cast.club)
        }
        mismatches += [f"{person} is shut out: {entry}" for person in entry.people - let_in]
        mismatches += [
            f"{person} is let in: {entry}"
            for person in let_in - entry.people
            if status_for(person, entry) not in REFUSED
        ]
    return mismatches
