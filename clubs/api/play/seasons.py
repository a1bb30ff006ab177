"""A club's league over the API: seasons, their tables, how they rank, what is given in them."""

from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ClubAPIView, ClubListAPIView, ClubTableAPIView
from clubs.api.commands import ActAPIView, ChangeAPIView, judged
from clubs.api.fields import OneOfField, TextField
from clubs.api.filters import days, search
from clubs.api.play import season_shapes as shapes
from clubs.api.shapes import LeagueTableShape, SeasonShape
from clubs.core.permissions import MANAGE_LEAGUE, SEE_LEAGUE
from clubs.forms.leagues import WAYS, SeasonForm, told_of
from clubs.forms.leagues_given import CreditForm, HandicapForm
from clubs.forms.leagues_rules import LeagueRulesForm, asked_of
from clubs.league_rules import READY_MADE, LeagueRules
from clubs.models import Credit, Season, User
from clubs.selectors.leagues import league_table, season_summaries, seasons_in
from clubs.selectors.leagues_given import Given, given_in
from clubs.selectors.leagues_rules import VersionRow, versions_of
from clubs.selectors.leagues_trial import trials_of
from clubs.selectors.leagues_why import season_why
from clubs.services import leagues, leagues_rules

SEASONS = "clubs/<slug:club>/seasons/"
SEASON = f"{SEASONS}<int:season>/"


class OfLeague(ClubAPIView):
    """Something of the league."""

    @property
    def me(self) -> User:
        """Who does it: the door lets nobody in who is not signed in."""
        return cast(User, self.request.user)


class OfSeason(OfLeague):
    """Something of one season."""

    season: Season

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Past the door; the season is found before what was sent is read."""
        super().initial(request, *args, **kwargs)
        self.season = self.read()

    def read(self) -> Season:
        """The season of the address, read afresh; raises ``Http404``."""
        seasons = Season.objects.select_related("league__club")
        return get_object_or_404(seasons, league__club=self.club, pk=self.kwargs["season"])


class SeasonIn(serializers.Serializer[Any]):
    """A season's name, dates, rules and first ranking rules."""

    name = TextField(max_length=200)
    starts_on = serializers.DateField()
    ends_on = serializers.DateField()
    rules = TextField(
        max_length=200,
        allow_blank=True,
        default="",
        help_text="the key of a rule set; empty: the club’s usual rules",
    )
    ranking = OneOfField(choices=[key for key, _ in WAYS], default="total")


class SeasonChangeIn(serializers.Serializer[Any]):
    """Changes to a season."""

    name = TextField(max_length=200, required=False)
    starts_on = serializers.DateField(required=False)
    ends_on = serializers.DateField(required=False)
    rules = TextField(max_length=200, allow_blank=True, required=False)


class SeasonsView(OfLeague, ClubListAPIView, ActAPIView):
    """A club's seasons, and a new one."""

    door = SEE_LEAGUE
    writing_door = MANAGE_LEAGUE
    filters = (*days("ends_on"), search("name"))
    asks = SeasonIn
    answers = shapes.SeasonHeldShape
    status = 201

    @extend_schema(responses=SeasonShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the seasons of a club, newest first, with their ranking rules."""
        return self.page_of(seasons_in(self.club), SeasonShape, season_summaries)

    def act(self, told: dict[str, Any]) -> Season:
        """Add a season. Evenings on its dates are included."""
        judge = judged(SeasonForm(told, club=self.club))
        return leagues.save_season(club=self.club, season=None, made_by=self.me, **judge)


class SeasonView(OfSeason, ClubTableAPIView, ChangeAPIView):
    """A season's table, and changes to the season."""

    door = SEE_LEAGUE
    writing_door = MANAGE_LEAGUE
    table = "rows"
    answers = shapes.SeasonHeldShape

    @extend_schema(responses=LeagueTableShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the league table under the season's ranking rules."""
        return Response(LeagueTableShape(league_table(self.season, reader=self.reader)).data)

    def shape_asked(self, *, optional: bool = False) -> type[serializers.Serializer[Any]]:  # noqa: ARG002
        """What of it can be changed."""
        return SeasonChangeIn

    def lock(self) -> None:
        """The club, and the season as it is then."""
        super().lock()
        self.season = self.read()

    def held(self) -> Mapping[str, Any]:
        """What the page's form shows before anything is changed."""
        return told_of(self.season)

    def act(self, told: dict[str, Any]) -> Season:
        """Change a season's name, dates or rules. Fields you omit stay as they are."""
        season = self.season
        judge = judged(SeasonForm({**self.held(), **told}, club=self.club, held=season))
        return leagues.save_season(club=self.club, season=season, made_by=self.me, **judge)


class SeasonWhyView(OfSeason):
    """One player's season, explained."""

    door = SEE_LEAGUE

    @extend_schema(responses=shapes.SeasonWhyShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Explain a player's rank, evening by evening, and what they need next."""
        told = season_why(self.season, self.kwargs["player"], reader=self.reader)
        if told is None:
            raise Http404
        return Response(shapes.SeasonWhyShape(told).data)


class SeasonRulesView(OfSeason, ActAPIView):
    """A season's ranking rules, and drafts."""

    door = MANAGE_LEAGUE
    asks = LeagueRulesForm
    answers = shapes.VersionShape
    status = 201

    @extend_schema(responses=shapes.SeasonRulesShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the versions of the season's ranking rules, newest first, and ready-made leagues."""
        told = {"versions": versions_of(self.season), "ready_made": READY_MADE}
        return Response(shapes.SeasonRulesShape(told).data)

    def bound(self, form: type[forms.Form], data: Any) -> forms.Form:  # noqa: ARG002
        """The page's form; what is left out is as in the plainest league."""
        plain = asked_of(LeagueRules())
        return LeagueRulesForm({**plain, **data.dict()}, begun=LeagueRules())

    def act(self, told: dict[str, Any]) -> VersionRow:
        """Save draft ranking rules. They count only once you put them in use."""
        season = self.season
        tried = leagues_rules.try_rules(season=season, rules=told["rules"], made_by=self.me)
        return _version(season, tried.number)


class SeasonTrialView(OfSeason, ClubListAPIView):
    """A draft on trial."""

    door = MANAGE_LEAGUE

    @extend_schema(responses=shapes.TrialShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Preview a draft on this season and the last: who would change place."""
        season = self.season
        version = _version(season, self.kwargs["number"])
        return self.page_of(trials_of(season, version.rules), shapes.TrialShape)


class SeasonAdoptView(OfSeason, ActAPIView):
    """A version in use."""

    door = MANAGE_LEAGUE
    answers = shapes.VersionShape

    def act(self, told: dict[str, Any]) -> VersionRow:  # noqa: ARG002
        """Put a version in use for all evenings of the season."""
        season, number = self.season, self.kwargs["number"]
        _version(season, number)
        leagues_rules.adopt_rules(season=season, number=number)
        return _version(season, number)


class GivenView(OfSeason):
    """Handicaps and club-duty credits in a season."""

    door = MANAGE_LEAGUE

    @extend_schema(responses=shapes.GivenShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List handicaps and club-duty credits."""
        return Response(shapes.GivenShape(given_in(self.season)).data)


class HandicapView(OfSeason, ActAPIView):
    """A handicap."""

    door = MANAGE_LEAGUE
    asks = HandicapForm
    answers = shapes.GivenShape

    def bound(self, form: type[forms.Form], data: Any) -> forms.Form:  # noqa: ARG002
        """The page's form, for members of this season's club."""
        return HandicapForm(data, season=self.season)

    def act(self, told: dict[str, Any]) -> Given:
        """Set a player's handicap: points each evening, negative to take points; 0 removes it."""
        season = self.season
        leagues_rules.give_handicap(season=season, **told)
        return given_in(season)


class CreditView(OfSeason, ActAPIView):
    """A club-duty credit."""

    door = MANAGE_LEAGUE
    asks = CreditForm
    answers = shapes.GivenShape
    status = 201

    def bound(self, form: type[forms.Form], data: Any) -> forms.Form:  # noqa: ARG002
        """The page's form, for members and evenings of this season."""
        return CreditForm(data, season=self.season)

    def act(self, told: dict[str, Any]) -> Given:
        """Give a club-duty credit for a missed evening, as the rules allow."""
        leagues_rules.give_credit(made_by=self.me, **told)
        return given_in(self.season)


class CreditBackView(OfSeason, ActAPIView):
    """A club-duty credit removed."""

    door = MANAGE_LEAGUE

    def act(self, told: dict[str, Any]) -> None:  # noqa: ARG002
        """Remove a club-duty credit, so that the evening counts as missed."""
        given = Credit.objects.select_related("session")
        found = get_object_or_404(given, session__season=self.season, pk=self.kwargs["credit"])
        leagues_rules.take_credit_back(credit=found)


def _version(season: Season, number: int) -> VersionRow:
    found = next((row for row in versions_of(season) if row.number == number), None)
    if found is None:
        raise Http404
    return found


urlpatterns = [
    path(SEASONS, SeasonsView.as_view(), name="api-seasons"),
    path(SEASON, SeasonView.as_view(), name="api-season"),
    path(f"{SEASON}why/<int:player>/", SeasonWhyView.as_view(), name="api-season-why"),
    path(f"{SEASON}rules/", SeasonRulesView.as_view(), name="api-season-rules"),
    path(f"{SEASON}rules/<int:number>/", SeasonTrialView.as_view(), name="api-season-trial"),
    path(f"{SEASON}rules/<int:number>/adopt/", SeasonAdoptView.as_view(), name="api-season-adopt"),
    path(f"{SEASON}given/", GivenView.as_view(), name="api-season-given"),
    path(f"{SEASON}given/handicap/", HandicapView.as_view(), name="api-season-handicap"),
    path(f"{SEASON}given/credit/", CreditView.as_view(), name="api-season-credit"),
    path(
        f"{SEASON}given/credit/<int:credit>/back/",
        CreditBackView.as_view(),
        name="api-season-credit-back",
    ),
]
