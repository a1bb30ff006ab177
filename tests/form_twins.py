"""By which operations of the API a program does what each form of the pages does.

A page that can do several things names an operation for each; one that no program needs says why.
"""

from typing import Final

AT_A_TABLE: Final = {
    "{page}": "POST {api}, POST {api}-preview, POST {api}-dealer",
    "{page}-tiles": "PUT {api}-tiles, POST {api}-tiles, DELETE {api}-tiles",
}
BY_LINK: Final = {
    **AT_A_TABLE,
    "{page}-agree": "POST {api}-agree",
    "{page}-dispute": "POST {api}-dispute",
    "{page}-undo": "POST {api}-undo",
    "{page}-send": "POST {api}-send",
}
REPAIRED: Final = ", ".join(
    f"POST {{api}}-repair-{kind}" for kind in ("figures", "seats", "sheets", "winner")
)
BY_AN_OFFICIAL: Final = {
    "{event}-table": AT_A_TABLE["{page}"],
    "{event}-tiles": AT_A_TABLE["{page}-tiles"],
    "{event}-hand": "POST {api}-correct, POST {api}-decide",
    "{event}-sheet": "POST {api}-sheet",
    "{event}-repair": REPAIRED,
    "{event}-repair-back": "POST {api}-repair-back",
}


def named(forms: dict[str, str], **words: str) -> dict[str, str]:
    """The same for one kind of table."""
    return {page.format(**words): doing.format(**words) for page, doing in forms.items()}


TABLES: Final = {
    **named(BY_LINK, page="table", api="api-table"),
    **named(BY_LINK, page="round-table", api="api-round-table"),
    **named(BY_AN_OFFICIAL, event="evening", api="api-evening-table"),
    **named(BY_AN_OFFICIAL, event="tournament", api="api-tournament-table"),
    "evening-new-link": "POST api-evening-table-new-link",
    "tournament-new-link": "POST api-tournament-new-link",
}
PEOPLE: Final = {
    "member-add": "POST api-players",
    "member-change": "PATCH api-player",
    "member-renew": "POST api-player-renew",
    "member-lapse": "POST api-player-lapse",
    "member-join": "POST api-player-join",
    "member-merge": "POST api-player-merge",
    "merge-undo": "POST api-merge-undo",
    "member-erase": "POST api-player-erase",
    "members-due": "PATCH api-subscriptions",
    "members-import": "POST api-import-preview",
    "members-store": "POST api-imports",
    "members-take-back": "POST api-import-undo",
    "keeping": "PATCH api-kept",
    "keeping-stop": "DELETE api-kept",
    "my-name": "PATCH api-my-name",
    "wish-add": "POST api-wishes",
    "wish-back": "DELETE api-wish",
}
EVENINGS: Final = {
    "evenings": "POST api-evenings",
    "tick": "POST api-evening-tick",
    "guest": "POST api-evening-guests",
    "seat": "POST api-evening-seat",
    "clear": "POST api-evening-clear",
    "close": "POST api-evening-close",
    "reopen": "POST api-evening-reopen",
    "evening-move": "POST api-evening-places, POST api-evening-move",
    "evening-change": "POST api-evening-comes, POST api-evening-leaves, POST api-evening-new-table",
    "evening-change-undo": "POST api-evening-change-undo",
    "money": "POST api-money, DELETE api-payment",
    "money-year": "PATCH api-price",
    "standby": "POST api-standby, DELETE api-standby-person, POST api-invitations",
    "standby-answer": "POST api-answer",
    "series-add": "POST api-series-preview, POST api-series-list",
    "series-change": "POST api-series-preview, PATCH api-series",
    "series-remove": "DELETE api-series",
    "holidays": "POST api-holidays",
    "holiday-remove": "DELETE api-holiday",
    "rehearse": "POST api-rehearse",
    "rehearsal-play": "POST api-rehearsal-play",
    "rehearsal-again": "POST api-rehearsal-again",
    "rehearsal-wipe": "DELETE api-rehearsal",
}
LEAGUE: Final = {
    "season-add": "POST api-seasons",
    "season-change": "PATCH api-season",
    "season-rules": "POST api-season-rules",
    "season-adopt": "POST api-season-adopt",
    "season-handicap": "POST api-season-handicap",
    "season-credit": "POST api-season-credit",
    "season-credit-back": "POST api-season-credit-back",
    "season-pack": "POST api-season-pack",
    "season-book": "POST api-season-book",
    "season-papers": "no: its buttons lead to papers, each of which has its own address",
    "club-rules": "PATCH api-settings",
    "club-public": "PATCH api-club-public",
    "house-rules": "POST api-house-preview",
    "house-lines": "POST api-house-preview",
    "house-keep": "POST api-house-list",
    "house-retire": "POST api-house-retire",
    "house-offer": "POST api-house-offer",
}
MESSAGES: Final = {
    "messages-write": "POST api-messages",
    "message": "PATCH api-letter",
    "batch-text": "PATCH api-batch",
    "batch-send": "POST api-batch-send",
    "batch-stop": "POST api-batch-stop",
    "batch-again": "POST api-batch-again",
    "batch-leave-out": "POST api-batch-leave-out",
    "batch-take-in": "POST api-batch-take-in",
    "batch-told": "POST api-batch-told",
}
PROGRAMS: Final = {
    "keys": "POST api-keys",
    "key-revoke": "DELETE api-key",
    "webhooks": "POST api-webhooks",
    "webhook-test": "POST api-webhook-test",
    "webhook-secret": "POST api-webhook-secret",
    "webhook-switch": "PATCH api-webhook",
    "webhook-remove": "DELETE api-webhook",
    **dict.fromkeys(
        ("role-invite", "role-change", "role-remove", "role-send-again", "role-withdraw"),
        "no: roles are given by a person who confirms their password; a key may not give them",
    ),
    "role-invitation": "no: its person accepts it in a browser, with a password of their own",
    "sign-out-everywhere": "no: a sign-in is for its person; a program's key is revoked by itself",
    "how-it-looks": "no: it sets letters and contrast in one browser",
}
LOOKED_AT_FIRST: Final = (
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
STEPS: Final = (
    *LOOKED_AT_FIRST,
    "results-hide",
    "results-release",
    "results-withdraw",
    "close-stopped",
)
TOURNAMENTS: Final = {
    **{step: f"POST api-{step}" for step in STEPS},
    "tournament-add": "POST api-tournaments",
    "tournament-settings": "PATCH api-tournament-settings",
    "entrants": "POST api-entrants, POST api-entrants-names, POST api-entrants-members, "
    "PATCH api-entrants-terms",
    "entrants-import": "POST api-entrants-import-preview, POST api-entrants-import",
    "entrant-withdraw": "POST api-entrant-withdraw",
    "entrant-readmit": "POST api-entrant-readmit",
    "entrant-note": "PATCH api-entrant",
    "seating-changes": "POST api-seating-swap, POST api-seating-substitute",
    "seating-anew": "POST api-seating-anew",
    "seating-takeover": "POST api-seating-takeover",
    "seating-undo": "POST api-seating-undo",
    "seating-by-hand": "POST api-seating-by-hand-preview, POST api-seating-by-hand",
    "seating-list": "POST api-seating-list-preview, POST api-seating-list",
    "round-by-standing": "POST api-round-by-standing",
    "clock-set": "POST api-clock-set",
    "clock-minutes": "POST api-clock-minutes",
    "table-minutes": "POST api-table-minutes",
    "table-stop": "POST api-table-stop",
    "round-table-stop": "POST api-round-table-stop",
    "round-table-call": "POST api-round-table-call, DELETE api-round-table-call",
    "table-call-answered": "POST api-table-call-answered",
    "table-rulings": "POST api-table-rulings",
    "ruling-back": "POST api-ruling-back",
    "prizes": "POST api-prizes",
    "prizes-usual": "POST api-prizes-usual",
    "prizes-rule": "POST api-prizes-rule",
    "prize": "PATCH api-prize",
    "prize-move": "POST api-prize-move",
    "prize-remove": "DELETE api-prize",
}
FORM_TO_API: Final[dict[str, str]] = {
    **TABLES,
    **PEOPLE,
    **EVENINGS,
    **LEAGUE,
    **MESSAGES,
    **PROGRAMS,
    **TOURNAMENTS,
}
