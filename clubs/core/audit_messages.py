"""The sentences of the audit log; the name of who did it precedes them.

``{evening}`` is filled in from the number in the address, ``{player<table-player}`` from what was
sent, ``{player<made}`` from the new row. The keys are URL names, several if a page and the API do
the same; a DELETE is ``name:delete``, one of several acts of a page is ``name:way``, or
``name:field`` by the field that was sent. With ``{doer}`` it is not known who did it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

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


Drawer = Mapping[str, str]

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

PEOPLE: Drawer = {
    "member-add api-players": "added {player<made} to the list",
    "member-change api-player": "changed {player}’s details",
    "members-import": "imported members",
    "members-store api-imports": "imported members",
    "members-take-back api-import-undo": "undid an import",
    "members-due api-subscriptions": "recorded subscriptions",
    "member-renew api-player-renew": "recorded that {player} has paid",
    "member-lapse api-player-lapse": "recorded that {player} has left",
    "member-join api-player-join": "made {player} a member",
    "member-merge api-player-merge": "merged two records of {player}",
    "merge-undo api-merge-undo": "undid a merge",
    "member-erase api-player-erase": "deleted {player}’s personal data",
    "keeping api-kept": "turned on the retention schedule",
    "keeping-stop api-kept:delete": "turned off the retention schedule",
    "my-name api-my-name": "changed how their own name is shown",
    "give_role": "gave someone a role",
    "role-invite": "invited someone to take a role",
    "role-send-again": "sent an invitation again",
    "role-withdraw": "withdrew an invitation",
    "role-accept": "accepted an invitation and took a role",
    "role-change": "changed someone’s role",
    "role-remove": "removed someone’s role",
    "found_club": "founded the club",
    "timetable": "deleted expired data",
}
EVENINGS: Drawer = {
    "evenings api-evenings": "opened the evening of {day<held_on}",
    "tick": "changed the check-in list of {evening}",
    "tick:here": "checked in {player<here} for {evening}",
    "tick:away": "removed {player<away} from {evening}",
    "api-evening-tick": "changed the check-in of {player<player} for {evening}",
    "guest api-evening-guests": "added {player<made} as a guest of {evening}",
    "seat api-evening-seat": "seated {evening}",
    "clear api-evening-clear": "cleared the tables on {evening}",
    "close api-evening-close": "finished {evening}",
    "reopen api-evening-reopen": "reopened {evening}",
    "evening-move": "changed the seating on {evening}",
    "evening-move:table": "moved {player<table-player} to {table<table-number} on {evening}",
    "evening-move:places": "swapped {player<places-one} and {player<places-other} on {evening}",
    "api-evening-move": "moved {player<player} to {table<number} on {evening}",
    "api-evening-places": "swapped {player<one} and {player<other} on {evening}",
    "evening-change": "changed who plays on {evening}",
    "evening-change:comes": (
        "made {player<comes-player} a substitute at {table<comes-number} on {evening}"
    ),
    "evening-change:leaves": "recorded {player<leaves-leaver} leaving on {evening}",
    "evening-change:table": "added a table for players who were waiting on {evening}",
    "api-evening-comes": "made {player<player} a substitute at {table<number} on {evening}",
    "api-evening-leaves": "recorded {player<leaver} leaving on {evening}",
    "api-evening-new-table": "added a table for players who were waiting on {evening}",
    "evening-change-undo api-evening-change-undo": "undid a seating change at {table} on {evening}",
    "wish-add api-wishes": "added a seating preference",
    "wish-back api-wish:delete": "deleted a seating preference",
    "series-add api-series-list": "added a regular evening",
    "series-change api-series": "changed {series}",
    "series-remove api-series:delete": "deleted a regular evening",
    "holidays api-holidays": "added closed dates",
    "holiday-remove api-holiday:delete": "deleted a closed date",
    "standby": "changed the substitutes list",
    "api-standby": "added {player<player} to the substitutes list",
    "api-standby-person:delete": "removed {player} from the substitutes list",
    "api-invitations": "asked substitutes whether they can come",
    "money api-money": "recorded table money for {evening}",
    "api-payment:delete": "deleted {player}’s payment for {evening}",
    "money-year api-price": "changed the price of an evening",
    "rehearse api-rehearse": "started a practice evening",
    "rehearsal-play api-rehearsal-play": "played hands in the practice evening",
    "rehearsal-again api-rehearsal-again": "restarted the practice evening",
    "rehearsal-wipe api-rehearsal:delete": "deleted a practice evening",
}
HANDS: Drawer = {
    "evening-table api-evening-table": "entered a hand for {table} on {evening}",
    "api-evening-table-send": "sent a hand for {table} on {evening}",
    "evening-tiles evening-tapped api-evening-table-tiles": "tapped tiles for {table} on {evening}",
    "api-evening-table-tiles:delete": "removed tapped tiles from {table} on {evening}",
    "api-evening-table-agree": "agreed to {hand} of {table} on {evening}",
    "api-evening-table-dispute": "disputed {hand} of {table} on {evening}",
    "evening-table:dealer api-evening-table-dealer": (
        "chose who deals first at {table} on {evening}"
    ),
    "api-evening-table-undo": "undid {hand} of {table} on {evening}",
    "evening-hand": "corrected or ruled on a hand of {table} on {evening}",
    "api-evening-table-decide": "ruled on {hand} of {table} on {evening}",
    "api-evening-table-correct": "corrected {hand} of {table} on {evening}",
    "evening-sheet api-evening-table-sheet": (
        "entered the paper score sheet of {table} on {evening}"
    ),
    "evening-repair": "corrected several hands of {table} on {evening}",
    "api-evening-table-repair-figures": "corrected swapped scores at {table} on {evening}",
    "api-evening-table-repair-seats": "corrected the seats at {table} on {evening}",
    "api-evening-table-repair-sheets": (
        "corrected two paper score sheets that were swapped on {evening}"
    ),
    "api-evening-table-repair-winner": "corrected who went Mah-Jong at {table} on {evening}",
    "evening-repair-back api-evening-table-repair-back": (
        "undid a correction at {table} on {evening}"
    ),
    "evening-new-link api-evening-table-new-link": (
        "replaced the table card of {table} on {evening}"
    ),
}
LEAGUE: Drawer = {
    "club-rules api-settings": "changed the club’s settings",
    "club-public api-club-public": "changed what everyone can see",
    "house-keep api-house-list": "saved house rules",
    "house-retire api-house-retire": "retired house rules",
    "house-offer api-house-offer": "made house rules available again",
    "season-add api-seasons": "added a season",
    "season-change api-season": "changed {season}",
    "season-rules api-season-rules": "saved draft ranking rules for {season}",
    "season-adopt api-season-adopt": "changed the ranking rules in use for {season}",
    "season-handicap api-season-handicap": "set a handicap in {season}",
    "season-credit api-season-credit": "gave a club-duty credit in {season}",
    "season-credit-back api-season-credit-back": "removed a club-duty credit in {season}",
    "season-pack api-season-pack": "created the season pack of {season}",
    "season-book api-season-book": "created the season book of {season}",
    "season-papers": "created printouts of {season}",
}
MESSAGES: Drawer = {
    "messages-write api-messages": "wrote messages",
    "batch-text api-batch": "edited the text of {batch}",
    "batch-send api-batch-send": "sent {batch}",
    "batch-stop api-batch-stop": "stopped {batch}",
    "batch-again api-batch-again": "retried {batch}",
    "batch-leave-out api-batch-leave-out": "excluded someone from {batch}",
    "batch-take-in api-batch-take-in": "included someone in {batch} again",
    "batch-told api-batch-told": "recorded who was contacted about {batch} by post or phone",
    "message api-letter": "edited one message of {batch}",
}
PROGRAMS: Drawer = {
    "webhooks api-webhooks": "added a webhook",
    "api-webhook": "changed a webhook",
    "webhook-switch": "stopped or restarted a webhook",
    "webhook-switch:stop": "stopped a webhook",
    "webhook-switch:start": "restarted a webhook",
    "webhook-secret api-webhook-secret": "replaced the secret of a webhook",
    "webhook-stopped": "stopped a webhook that was failing",
    "webhook-remove api-webhook:delete": "deleted a webhook",
    "webhook-test api-webhook-test": "tested a webhook",
    "api-delivery-again": "resent a delivery to a webhook",
    "keys api-keys api-token": "created an API key",
    "key-revoke api-key:delete": "revoked an API key",
}
SIGN_INS: Drawer = {
    "signed in": "signed in",
    "new browser": "signed in as {doer} from a new browser",
    "sign-ins failed": "failed many times to sign in as {doer}",
    "password changed": "changed the password",
    "password reset": "set a new password by email",
    "second step on": "turned on two-step verification",
    "second step off": "turned off two-step verification",
    "second step anew": "created new recovery codes",
    "sign-out-everywhere": "signed out everywhere",
}

# These change nothing: what is sent is previewed, scored or refused.
CHANGES_NOTHING: Final = {
    "house-rules": "house rules are started, and saved by another press",
    "house-lines": "house rules are checked before they are saved",
    "api-house-preview": "house rules are checked before they are saved",
    "api-import-preview": "a list is checked before it is imported",
    "api-series-preview": "the dates of a regular evening are previewed",
    "api-evening-table-preview": "a hand is scored before it is sent",
    "how-it-looks": "it is stored only in the browser",
    "api-score": "a hand is scored",
    "api-score-taps": "a hand is scored",
}

_acts: dict[str, Act] = {}


def tell_words(drawer: str, fields: Drawer) -> None:
    """Register the sentences of an app's acts; each name once."""
    for names, words in fields.items():
        for name in names.split():
            _acts[name] = Act(drawer, words)


def act_of(name: str) -> Act | None:
    return _acts.get(name)


def names_like(name: str) -> frozenset[str]:
    """The names of the same act on a page and in the API, with its ways."""
    act = act_of(name)
    alike = {other for other, words in _acts.items() if words == act}
    ways = {other for other in _acts if other.startswith(f"{name}:")}
    return frozenset({name} | alike | ways)


def known_acts() -> Iterator[tuple[str, Act]]:
    return iter(_acts.items())


def names_in(drawer: str) -> list[str]:
    return [name for name, act in _acts.items() if act.drawer == drawer]


def kept_under(name: str, method: str, sent: Mapping[str, Any]) -> str:
    """Which of an address's acts it was: by its method, its way, or the fields sent."""
    ways = [str(sent.get("way", "")), method.casefold(), *(key for key in sent if sent[key])]
    return next((text for way in ways if (text := f"{name}:{way}") in _acts), name)


tell_words("people", PEOPLE)
tell_words("evenings", EVENINGS)
tell_words("hands", HANDS)
tell_words("league", LEAGUE)
tell_words("messages", MESSAGES)
tell_words("programs", PROGRAMS)
_acts |= {name: Act("sign-ins", words) for name, words in SIGN_INS.items()}
