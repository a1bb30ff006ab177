"""By which operations of the API a program does and reads what each page does and shows.

A page in a club says it itself (``requires(…, api=…)``). Here are the pages outside a club, and the
reasons why a program needs none.
"""

from functools import cache
from typing import Final

from clubs.core.audit_log import capabilities

AT_A_LINK: Final = {
    "": ("POST {}", "POST {}-preview", "POST {}-dealer"),
    "-aid": ("{}-aid",),
    "-tapped": ("{}-tapped",),
    "-tiles": ("PUT {}-tiles", "POST {}-tiles", "DELETE {}-tiles"),
    "-agree": ("POST {}-agree",),
    "-dispute": ("POST {}-dispute",),
    "-undo": ("POST {}-undo",),
    "-send": ("POST {}-send",),
    "-ahead": ("{}-ahead",),
    "-hand-receipt": ("{}-receipt",),
    "-receipt": ("{}-receipt-code",),
    "-seats": ("{}-seats",),
    "-standings": ("{}-standings",),
    "-hands": ("{}",),
}
OUTSIDE: Final = {
    **{
        f"{table}{page}": tuple(operation.format(f"api-{table}") for operation in operations)
        for table in ("table", "round-table")
        for page, operations in AT_A_LINK.items()
    },
    "round-table-clock": ("api-round-table-clock",),
    "round-table-stop": ("POST api-round-table-stop",),
    "round-table-call": ("POST api-round-table-call", "DELETE api-round-table-call"),
    "home": ("api-clubs",),
    "wall": ("api-wall",),
    "standby-answer": ("POST api-answer",),
    "rules": ("api-rules-page",),
    "rules-aid": ("api-rules-aid",),
    "score": ("api-score",),
    "score-rules": ("api-score-taps",),
    "tournament-wall": ("api-tournament-wall",),
    "tournament-clock": ("api-tournament-clock",),
    "find-me": ("api-find-me",),
    "why-open": ("api-why-open",),
    "results": ("api-results",),
    **{
        f"results-{form}": (f"api-results-{form}",)
        for form in (*("pdf", "csv", "json", "xlsx"), "rounds-csv", "hands-csv")
    },
}
NO_TWIN: Final = {
    "account": "a sign-in is changed by its person, in a browser, with the password",
    "api-docs": "it is the page that tells of the API",
    "docs-area": "it tells of a part of the API",
    "schema": "it is the document that tells of the API",
    "style": "it shows the parts that pages are made of",
    "alive": "it only says that the program runs",
    "ready": "it only says that the program can serve",
    "metrics": "it is for whoever watches the machine",
    "start": "it makes an account, which is done in a browser by its person",
    "start-sent": "it only tells a person to look for an email",
    **dict.fromkeys(
        ("start-link", "start-link-bring"),
        "it makes an account, with a password that its person chooses",
    ),
    "start-bring": "it agrees to terms, which is done in a browser by its person",
    "terms": "it is a text for people, written by who runs the installation",
    "privacy": "it is a text for people, written by who runs the installation",
    "operator": "it lists the clubs for who runs the installation, after two steps",
    **dict.fromkeys(
        ("operator-club", "operator-bring"), "it is for who runs the installation, after two steps"
    ),
    **dict.fromkeys(
        (
            "operator-close",
            "operator-reopen",
            "operator-mails",
            "operator-announce",
            "operator-keep",
        ),
        "it is for who runs the installation, with the password again",
    ),
    "club-delete": "it asks for the password again, and for the name of the club",
    "set-up": "it founds the first club, before anyone could have a key",
    "bring-club": "it brings the first club, before anyone could have a key",
    "settings": "it leads to the settings, each of which has its own page",
    "everything-file": "it is the page for people; its data are at api-player-everything",
    "calendar-feed": "calendars read it as it is; api-series tells its address",
    "calendar-day": "one evening of that feed, for calendars; api-calendar has its figures",
    "substitutes": "it leads to the day of the next evening; api-filling-in has the day in it",
    "role-links": "it asks for the password and leads back; no program reads a link",
    "money-now": "it leads to this year’s page; api-money-year has the year in it",
    "season-now": "it leads to the season that is on; api-seasons has them all",
    "tonight": "it leads to the evening that is on; api-evenings has them all",
    "offline": "it is shown where nothing of Tongbox can be reached",
    "worker": "it is part of every page",
    "web-app": "it is for home screens",
    "season-papers": "its buttons lead to papers, each of which has its own address",
    "guides": "it leads people to the guides",
    "guide": "it is a guide for people to read; the API tells of itself at api-docs",
    "score-link": "it draws a code for a camera; the hand in the link is api-score-taps’ own",
    "wall-worker": "it is part of the page on the wall",
    "table-more": "it leads to what is done seldom, each of which has its own address",
    "round-table-more": "it leads to what is done seldom, each of which has its own address",
    "table-worker": "it is part of the page on a phone",
    "table-formerly": "it leads whoever has an old card to the page that says so",
    "round-table-worker": "it is part of the page on a phone",
    "round-table-formerly": "it leads whoever has an old card to the page that says so",
    "tournament-wall-worker": "it is part of the page on the wall",
    "table-jump": "it leads to a table by its number, which is in the address of the API",
    "stop-emails": "its person presses it in an email; api-my-emails does the same",
    "mail-reports": "a mail service calls it in its own form, at a secret address",
    "role-invitation": "its person accepts it in a browser, with a password of their own",
    "sign-out-everywhere": "a sign-in is for its person; a program's key is revoked by itself",
    "how-it-looks": "it sets letters and contrast in one browser",
}


@cache
def twins() -> dict[str, tuple[str, ...]]:
    """The operations of every page that has any, by its URL name."""
    declared = {name: capability.operations for name, capability in capabilities()}
    return OUTSIDE | {name: operations for name, operations in declared.items() if operations}


def read_at(page: str) -> tuple[str, ...]:
    """Where a program may look for what a page shows: beside it, or where its forms are sent."""
    return tuple(operation.split()[-1] for operation in twins().get(page, ()))
