"""Where a club's own pages are: its people, its evenings, its league."""

from django.urls import path

from clubs.accounts import views
from clubs.evenings.views import evenings
from clubs.house import views as house_views
from clubs.league import views as league_views
from clubs.table import views as table_views

CLUB = "c/<slug:club>/"
EVENING = f"{CLUB}evenings/<int:pk>/"
SETTINGS_PATH = f"{CLUB}settings/"
HOUSE_RULES = f"{SETTINGS_PATH}house-rules/"
SEASON = f"{CLUB}seasons/<int:pk>/"


HERE = "c/<slug:club>/practice/"


SETTINGS_ADDRESS = "c/<slug:club>/settings/"
PEOPLE = f"{SETTINGS_ADDRESS}people/"


urlpatterns = [
    path("", house_views.home, name="home"),
    path("display/", views.how_it_looks, name="how-it-looks"),
    path("help/", house_views.guides, name="guides"),
    path("help/<slug:who>/", house_views.guide, name="guide"),
    path("rules/<path:key>/aid/", table_views.rules_aid, name="rules-aid"),
    path("rules/<path:key>/", table_views.rules, name="rules"),
    path("w/<slug:key>/", evenings.wall, name="wall"),
    path("w/wall-worker.js", evenings.worker, name="wall-worker"),
    path(CLUB, house_views.club, name="club"),
    path(f"{CLUB}evenings/", evenings.evenings, name="evenings"),
    path(EVENING, evenings.evening, name="evening"),
    path(f"{EVENING}tick/", evenings.tick, name="tick"),
    path(f"{EVENING}guest/", evenings.guest, name="guest"),
    path(f"{EVENING}seat/", evenings.seat, name="seat"),
    path(f"{EVENING}clear/", evenings.clear, name="clear"),
    path(f"{EVENING}close/", evenings.close, name="close"),
    path(f"{EVENING}reopen/", evenings.reopen, name="reopen"),
    path(f"{EVENING}result/", evenings.result, name="result"),
    path(f"{SETTINGS_PATH}rules/", house_views.club_rules, name="club-rules"),
    path(HOUSE_RULES, house_views.write, name="house-rules"),
    path(f"{HOUSE_RULES}text/", house_views.lines, name="house-lines"),
    path(f"{HOUSE_RULES}save/", house_views.keep, name="house-keep"),
    path(f"{HOUSE_RULES}<int:pk>/retire/", house_views.retire, name="house-retire"),
    path(f"{HOUSE_RULES}<int:pk>/offer/", house_views.offer, name="house-offer"),
    path(f"{CLUB}seasons/", league_views.seasons, name="seasons"),
    path(f"{CLUB}seasons/new/", league_views.add_season, name="season-add"),
    path(f"{CLUB}seasons/current/", league_views.current, name="season-now"),
    path(SEASON, league_views.season, name="season"),
    path(f"{SEASON}change/", league_views.change_season, name="season-change"),
    path(f"{SEASON}pack/", league_views.pack, name="season-pack"),
    path(f"{CLUB}jobs/<uuid:pk>/", house_views.job, name="job"),
    path(f"{CLUB}jobs/<uuid:pk>/result/", house_views.result, name="job-result"),
    path(f"{HERE}start/", house_views.rehearse, name="rehearse"),
    path(HERE, house_views.about, name="rehearsal"),
    path(f"{HERE}play/", house_views.play, name="rehearsal-play"),
    path(f"{HERE}restart/", house_views.again, name="rehearsal-again"),
    path(f"{HERE}delete/", house_views.wipe, name="rehearsal-wipe"),
    path(SETTINGS_ADDRESS, house_views.index, name="settings"),
    path(f"{SETTINGS_ADDRESS}public/", house_views.public, name="club-public"),
    path(PEOPLE, views.roles, name="roles"),
    path(f"{PEOPLE}invite/", views.invite_role, name="role-invite"),
    path(f"{PEOPLE}<int:pk>/change/", views.change_role, name="role-change"),
    path(f"{PEOPLE}<int:pk>/remove/", views.remove_role, name="role-remove"),
    path(f"{PEOPLE}invited/<int:pk>/again/", views.send_invitation_again, name="role-send-again"),
    path(f"{PEOPLE}invited/<int:pk>/withdraw/", views.withdraw_invitation, name="role-withdraw"),
    path("invited/<slug:key>/", views.invitation, name="role-invitation"),
]
