"""The sentences of the audit log; the name of who did it precedes them.

A view says its own (``clubs.core.access.requires``); an operation of the API has those of the page
that names it, or a ``log`` of its own. ``{evening}`` is filled in from the number in the address,
``{player<table-player}`` from what was sent, ``{player<made}`` from the new row. Where a view does
several things, each has a sentence: under ``delete`` that of a DELETE, under the others the value
of the field ``way`` or the name of a field that was sent. With ``{doer}`` it is not known who did
it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

from django.urls import URLResolver, get_resolver

from clubs.core.permissions import Permission
from clubs.models import Scope

PLACE: Final = re.compile(r"\{(\w+)(?:<([\w-]+))?\}")
OF_ADDRESSES: Final = {"table": "number"}


class Place(NamedTuple):
    """A placeholder in a sentence: the kind of thing it names, and the key of its number."""

    kind: str
    key: str
    is_sent: bool

    @classmethod
    def of(cls, gap: re.Match[str]) -> "Place":
        kind, sent = gap.groups()
        return cls(kind, sent or OF_ADDRESSES.get(kind, kind), bool(sent))


@dataclass(frozen=True, slots=True)
class Act:
    drawer: str
    words: str

    @property
    def places(self) -> list[Place]:
        return [Place.of(gap) for gap in PLACE.finditer(self.words)]


DRAWERS: Final = {
    "people": "Members",
    "evenings": "Evenings",
    "hands": "Hands",
    "league": "League and rules",
    "messages": "Messages",
    "tournaments": "Tournaments",
    "programs": "Webhooks and API",
    "sign-ins": "Signing in",
}
DRAWER_OF: Final = {
    Scope.PEOPLE: "people",
    Scope.EVENINGS: "evenings",
    Scope.HANDS: "hands",
    Scope.LEAGUE: "league",
    Scope.PAPERS: "league",
    Scope.MESSAGES: "messages",
    Scope.TOURNAMENTS: "tournaments",
    Scope.WEBHOOKS: "programs",
}
OF_NO_ADDRESS: Final = {
    "give_role": Act("people", "gave someone a role"),
    "role-accept": Act("people", "accepted an invitation and took a role"),
    "found_club": Act("people", "founded the club"),
    "timetable": Act("people", "deleted expired data"),
    "webhook-stopped": Act("programs", "stopped a webhook that was failing"),
    "signed in": Act("sign-ins", "signed in"),
    "new browser": Act("sign-ins", "signed in as {doer} from a new browser"),
    "sign-ins failed": Act("sign-ins", "failed many times to sign in as {doer}"),
    "password changed": Act("sign-ins", "changed the password"),
    "password reset": Act("sign-ins", "set a new password by email"),
    "second step on": Act("sign-ins", "turned on two-step verification"),
    "second step off": Act("sign-ins", "turned off two-step verification"),
    "second step anew": Act("sign-ins", "created new recovery codes"),
}


Sentences = str | Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Capability:
    """What can be done at a view: its sentences, their drawer, and the twins in the API.

    ``log`` has the usual sentence under ``""``. ``operations`` are those by which a program does
    the same (``POST api-players``) or reads it (``api-player``).
    """

    drawer: str
    log: Mapping[str, str]
    operations: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        permission: Permission | None,
        log: Sentences,
        api: str | tuple[str, ...] = (),
        drawer: str = "",
    ) -> "Capability":
        """In the drawer of the permission's scope, unless another is named."""
        usual = DRAWER_OF.get(permission.scope, "") if permission else ""
        sentences = log if isinstance(log, Mapping) else {"": log} if log else {}
        return cls(drawer or usual, sentences, (api,) if isinstance(api, str) else api)

    def acts(self, name: str) -> Iterator[tuple[str, Act]]:
        """Each act of the address with this URL name, and of the operations, by its name."""
        for way, words in self.log.items():
            yield f"{name}:{way}" if way else name, Act(self.drawer, words)
        for operation in self.operations if "" in self.log else ():
            method, _, twin = operation.rpartition(" ")
            if method and not twin.endswith("-preview"):
                act = Act(self.drawer, self.log[""])
                yield f"{twin}:delete" if method == "DELETE" else twin, act


def capabilities(below: URLResolver | None = None) -> Iterator[tuple[str, Capability]]:
    """The capability of every view that has one, with the URL name."""
    for pattern in (below or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            yield from capabilities(pattern)
        elif capability := _capability(pattern.callback):
            yield str(pattern.name), capability


def _capability(view: Any) -> Capability | None:
    api_view: Any = getattr(view, "cls", None)
    if not getattr(api_view, "log", ""):
        return getattr(view, "capability", None)
    permission = getattr(api_view(), "access_for", lambda _: None)("POST")
    capability = Capability.of(permission, api_view.log, drawer=api_view.drawer)
    return capability if capability.drawer else None  # at a printed link nothing is logged


@cache
def known_acts() -> Mapping[str, Act]:
    """Every act by its name. An operation's own sentence goes before that of its page."""
    acts = dict(OF_NO_ADDRESS)
    for name, capability in sorted(capabilities(), key=lambda row: bool(row[1].operations)):
        for act_name, act in capability.acts(name):
            acts.setdefault(act_name, act)
    return acts


def act_of(name: str) -> Act | None:
    return known_acts().get(name)


def names_like(name: str) -> frozenset[str]:
    """The names of the same act on a page and in the API, with its ways."""
    act = act_of(name)
    alike = {other for other, words in known_acts().items() if words == act}
    ways = {other for other in known_acts() if other.startswith(f"{name}:")}
    return frozenset({name} | alike | ways)


def names_in(drawer: str) -> list[str]:
    return [name for name, act in known_acts().items() if act.drawer == drawer]


def kept_under(name: str, method: str, sent: Mapping[str, Any]) -> str:
    """Which of an address's acts it was: by its method, its way, or the fields sent."""
    ways = [str(sent.get("way", "")), method.casefold(), *(key for key in sent if sent[key])]
    return next((text for way in ways if (text := f"{name}:{way}") in known_acts()), name)
