"""Where a club's own pages are: its people, its evenings, its league."""

from django.urls import path

from clubs.accounts import views
from clubs.evenings.views import evenings
from clubs.league import views as league_views
from clubs.table import views as table_views
from clubs.views import guides, home, house, jobs

CLUB = "c/<slug:club>/"
EVENING = f"{CLUB}evenings/<int:pk>/"
SETTINGS = f"{CLUB}settings/"
HOUSE_RULES = f"{SETTINGS}house-rules/"
SEASON = f"{CLUB}seasons/<int:pk>/"

urlpatterns = [
    path("", home.home, name="home"),
    path("display/", views.how_it_looks, name="how-it-looks"),
    path("help/", guides.guides, name="guides"),
    path("help/<slug:who>/", guides.guide, name="guide"),
    path("rules/<path:key>/aid/", table_views.rules_aid, name="rules-aid"),
    path("rules/<path:key>/", table_views.rules, name="rules"),
    path("w/<slug:key>/", evenings.wall, name="wall"),
    path("w/wall-worker.js", evenings.worker, name="wall-worker"),
    path(CLUB, home.club, name="club"),
    path(f"{CLUB}evenings/", evenings.evenings, name="evenings"),
    path(EVENING, evenings.evening, name="evening"),
    path(f"{EVENING}tick/", evenings.tick, name="tick"),
    path(f"{EVENING}guest/", evenings.guest, name="guest"),
    path(f"{EVENING}seat/", evenings.seat, name="seat"),
    path(f"{EVENING}clear/", evenings.clear, name="clear"),
    path(f"{EVENING}close/", evenings.close, name="close"),
    path(f"{EVENING}reopen/", evenings.reopen, name="reopen"),
    path(f"{EVENING}result/", evenings.result, name="result"),
    path(f"{SETTINGS}rules/", house.club_rules, name="club-rules"),
    path(HOUSE_RULES, house.write, name="house-rules"),
    path(f"{HOUSE_RULES}text/", house.lines, name="house-lines"),
    path(f"{HOUSE_RULES}save/", house.keep, name="house-keep"),
    path(f"{HOUSE_RULES}<int:pk>/retire/", house.retire, name="house-retire"),
    path(f"{HOUSE_RULES}<int:pk>/offer/", house.offer, name="house-offer"),
    path(f"{CLUB}seasons/", league_views.seasons, name="seasons"),
    path(f"{CLUB}seasons/new/", league_views.add_season, name="season-add"),
    path(f"{CLUB}seasons/current/", league_views.current, name="season-now"),
    path(SEASON, league_views.season, name="season"),
    path(f"{SEASON}change/", league_views.change_season, name="season-change"),
    path(f"{SEASON}pack/", league_views.pack, name="season-pack"),
    path(f"{CLUB}jobs/<uuid:pk>/", jobs.job, name="job"),
    path(f"{CLUB}jobs/<uuid:pk>/result/", jobs.result, name="job-result"),
]
