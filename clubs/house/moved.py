"""Pages that have a new address: the old one leads there, whatever was asked or sent."""

from collections.abc import Mapping
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse

from clubs.core.access import open_to_all
from clubs.evenings.papers import OFFERED


@open_to_all
def moved(request: HttpRequest, to: str, **where: Any) -> HttpResponse:
    """Lead to the page of that name for good, with the question asked and the form sent."""
    address = reverse(to, kwargs=where)
    query = request.META.get("QUERY_STRING", "")
    whole = f"{address}?{query}" if query else address
    return redirect(whole, permanent=True, preserve_request=True)


CLUB = "c/<slug:club>/"
CALENDAR = f"{CLUB}calendar/"
EVENING = f"{CLUB}evenings/<int:pk>/"
PAPERS = f"{EVENING}papers/"
TABLE = f"{EVENING}tables/<int:number>/"
MEMBER = f"{CLUB}members/<int:pk>/"
HOUSE_RULES = f"{CLUB}rules/own/"
PROGRAM = f"{CLUB}programs/<int:pk>/"

MOVED: Final[Mapping[str, str]] = {
    "how-it-looks/": "how-it-looks",
    "guide/": "guides",
    "guide/<slug:who>/": "guide",
    f"{CALENDAR}series/new/": "series-add",
    f"{CALENDAR}series/<int:pk>/": "series-change",
    f"{CALENDAR}series/<int:pk>/remove/": "series-remove",
    f"{CALENDAR}days-without/": "holidays",
    f"{CALENDAR}days-without/<int:pk>/remove/": "holiday-remove",
    f"{CLUB}stand-by/<str:day>/": "standby",
    f"{CLUB}who-did-what/": "who-did-what",
    f"{CLUB}who-did-what.csv": "who-did-what-csv",
    f"{CLUB}kept/": "keeping",
    f"{CLUB}kept/stop/": "keeping-stop",
    f"{MEMBER}erase/": "member-erase",
    f"{MEMBER}everything/": "everything",
    f"{MEMBER}everything/file/": "everything-file",
    f"{MEMBER}everything/data/": "everything-data",
    f"{CLUB}members/twins/": "members-twins",
    f"{CLUB}members/twins/<int:pk>/undo/": "merge-undo",
    f"{CLUB}wishes/": "wishes",
    f"{CLUB}wishes/add/<slug:kind>/": "wish-add",
    f"{CLUB}wishes/<int:pk>/back/": "wish-back",
    f"{CLUB}programs/": "webhooks",
    f"{PROGRAM}test/": "webhook-test",
    f"{PROGRAM}secret/": "webhook-secret",
    f"{PROGRAM}switch/": "webhook-switch",
    f"{PROGRAM}remove/": "webhook-remove",
    f"{CLUB}rules/": "club-rules",
    HOUSE_RULES: "house-rules",
    f"{HOUSE_RULES}lines/": "house-lines",
    f"{HOUSE_RULES}keep/": "house-keep",
    f"{HOUSE_RULES}<int:pk>/retire/": "house-retire",
    f"{HOUSE_RULES}<int:pk>/offer/": "house-offer",
    f"{CLUB}rehearse/": "rehearse",
    f"{CLUB}rehearsal/": "rehearsal",
    f"{CLUB}rehearsal/play/": "rehearsal-play",
    f"{CLUB}rehearsal/again/": "rehearsal-again",
    f"{CLUB}rehearsal/wipe/": "rehearsal-wipe",
    f"{EVENING}change/": "evening-change",
    f"{EVENING}change/<int:number>/undo/": "evening-change-undo",
    f"{EVENING}sheets/": "evening-sheets",
    f"{TABLE}sheet/": "evening-sheet",
    f"{EVENING}repairs/": "evening-repairs",
    f"{TABLE}repairs/": "evening-repair",
    f"{TABLE}repairs/<int:repair>/back/": "evening-repair-back",
    PAPERS: "papers",
    **{f"{PAPERS}{kind}.pdf": f"{kind}-pdf" for kind, _, _ in OFFERED},
    f"{CLUB}seasons/<int:pk>/papers/": "season-papers",
}


def leading_on(addresses: Mapping[str, str]) -> list[URLPattern]:
    """Each old address as a way to the page of that name; the parameters are the same."""
    return [path(old, moved, {"to": to}, name=f"moved-{to}") for old, to in addresses.items()]


urlpatterns = leading_on(MOVED)
