"""The front page, help, settings, house rules, jobs and the practice evening."""

from django.urls import path

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
