"""Addresses of the front page, help, settings and practice; and of pages that have moved."""

from collections.abc import Mapping
from typing import Final

from django.urls import URLPattern, path

from clubs.evenings.papers import PAPERS
from clubs.house import views

CLUB = "c/<slug:club>/"
SETTINGS = f"{CLUB}settings/"
HOUSE_RULES = f"{SETTINGS}house-rules/"
PRACTICE = f"{CLUB}practice/"

urlpatterns = [
    path("", views.home, name="home"),
    path("help/", views.guides, name="guides"),
    path("help/<slug:who>/", views.guide, name="guide"),
    path(CLUB, views.club, name="club"),
    path(f"{SETTINGS}rules/", views.club_rules, name="club-rules"),
    path(HOUSE_RULES, views.write, name="house-rules"),
    path(f"{HOUSE_RULES}text/", views.lines, name="house-lines"),
    path(f"{HOUSE_RULES}save/", views.keep, name="house-keep"),
    path(f"{HOUSE_RULES}<int:pk>/retire/", views.retire, name="house-retire"),
    path(f"{HOUSE_RULES}<int:pk>/offer/", views.offer, name="house-offer"),
    path(f"{CLUB}jobs/<uuid:pk>/", views.job, name="job"),
    path(f"{CLUB}jobs/<uuid:pk>/result/", views.result, name="job-result"),
    path(f"{PRACTICE}start/", views.rehearse, name="rehearse"),
    path(PRACTICE, views.about, name="rehearsal"),
    path(f"{PRACTICE}play/", views.play, name="rehearsal-play"),
    path(f"{PRACTICE}restart/", views.again, name="rehearsal-again"),
    path(f"{PRACTICE}delete/", views.wipe, name="rehearsal-wipe"),
    path(SETTINGS, views.index, name="settings"),
    path(f"{SETTINGS}public/", views.public, name="club-public"),
]

EVENING = f"{CLUB}evenings/<int:pk>/"
TABLE = f"{EVENING}tables/<int:number>/"
CALENDAR_BEFORE = f"{CLUB}calendar/"
PAPERS_BEFORE = f"{EVENING}papers/"
MEMBER_BEFORE = f"{CLUB}members/<int:pk>/"
RULES_BEFORE = f"{CLUB}rules/own/"
PROGRAM_BEFORE = f"{CLUB}programs/<int:pk>/"

MOVED: Final[Mapping[str, str]] = {
    "how-it-looks/": "how-it-looks",
    "guide/": "guides",
    "guide/<slug:who>/": "guide",
    f"{CALENDAR_BEFORE}series/new/": "series-add",
    f"{CALENDAR_BEFORE}series/<int:pk>/": "series-change",
    f"{CALENDAR_BEFORE}series/<int:pk>/remove/": "series-remove",
    f"{CALENDAR_BEFORE}days-without/": "holidays",
    f"{CALENDAR_BEFORE}days-without/<int:pk>/remove/": "holiday-remove",
    f"{CLUB}stand-by/<str:day>/": "standby",
    f"{CLUB}who-did-what/": "who-did-what",
    f"{CLUB}who-did-what.csv": "who-did-what-csv",
    f"{CLUB}kept/": "keeping",
    f"{CLUB}kept/stop/": "keeping-stop",
    f"{MEMBER_BEFORE}erase/": "member-erase",
    f"{MEMBER_BEFORE}everything/": "everything",
    f"{MEMBER_BEFORE}everything/file/": "everything-file",
    f"{MEMBER_BEFORE}everything/data/": "everything-data",
    f"{CLUB}members/twins/": "members-twins",
    f"{CLUB}members/twins/<int:pk>/undo/": "merge-undo",
    f"{CLUB}wishes/": "wishes",
    f"{CLUB}wishes/add/<slug:kind>/": "wish-add",
    f"{CLUB}wishes/<int:pk>/back/": "wish-back",
    f"{CLUB}programs/": "webhooks",
    f"{PROGRAM_BEFORE}test/": "webhook-test",
    f"{PROGRAM_BEFORE}secret/": "webhook-secret",
    f"{PROGRAM_BEFORE}switch/": "webhook-switch",
    f"{PROGRAM_BEFORE}remove/": "webhook-remove",
    f"{CLUB}rules/": "club-rules",
    RULES_BEFORE: "house-rules",
    f"{RULES_BEFORE}lines/": "house-lines",
    f"{RULES_BEFORE}keep/": "house-keep",
    f"{RULES_BEFORE}<int:pk>/retire/": "house-retire",
    f"{RULES_BEFORE}<int:pk>/offer/": "house-offer",
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
    PAPERS_BEFORE: "papers",
    **{f"{PAPERS_BEFORE}{kind}.pdf": f"{kind}-pdf" for kind in PAPERS},
    f"{CLUB}seasons/<int:pk>/papers/": "season-papers",
}


def leading_on(addresses: Mapping[str, str]) -> list[URLPattern]:
    """Redirects from old addresses to the pages of these names, with the same parameters."""
    return [path(old, views.moved, {"to": to}, name=f"moved-{to}") for old, to in addresses.items()]


moved_patterns = leading_on(MOVED)
