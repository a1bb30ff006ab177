"""A club's people, evenings and league over the API."""

from typing import Any
from uuid import UUID

from django.contrib.auth import authenticate
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.authtoken.models import Token
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import AnonRateThrottle
from rest_framework.views import APIView

from clubs.api import examples, shapes
from clubs.api.base import ClubAPIView, ClubListAPIView, LinkedAPIView, OpenAPIView
from clubs.api.hands import Post, TableAPIView, sender
from clubs.models import Season, Session, SessionTable
from clubs.names import AT_THE_TABLE, Reader
from clubs.permissions import ENTER_HANDS, SEE_CLUB, SEE_RESULTS
from clubs.rows import TableView
from clubs.selectors import evenings, house, leagues, overview, people
from clubs.services.evenings import post_hand
from scoring import rule_set_keys
from scoring.scorebook.editions import rule_set
from scoring.scorebook.reports import Report
from scoring.scorebook.services import Recorded


class SignInThrottle(AnonRateThrottle):
    """Ten tries a minute from one address."""

    rate = "10/min"


class SignIn(serializers.Serializer[object]):
    """E-mail address and password, for a token."""

    email = serializers.EmailField()
    password = serializers.CharField(max_length=200, trim_whitespace=False)


class TokenView(OpenAPIView):
    """Sign in for a token; send it as ``Authorization: Token …``."""

    throttle_classes = [SignInThrottle]

    @extend_schema(
        request=SignIn,
        responses={200: shapes.TokenShape, 400: shapes.ProblemsShape},
        examples=[examples.SIGN_IN, examples.TOKEN],
    )
    def post(self, request: Request) -> Response:
        """The person's token, made on first asking; ten tries a minute."""
        told = SignIn(data=request.data)
        told.is_valid(raise_exception=True)
        user = authenticate(
            request._request,
            username=told.validated_data["email"].lower(),
            password=told.validated_data["password"],
        )
        if user is None:
            sentence = "That address and password do not belong together."
            raise ValidationError(sentence, code="wrong_sign_in")
        token, _ = Token.objects.get_or_create(user=user)
        return Response({"token": token.key})


class ClubsView(APIView):
    """The clubs in which the caller has a role."""

    permission_classes = [IsAuthenticated]
    door = "anybody signed in"

    @extend_schema(responses=shapes.ClubShape(many=True))
    def get(self, request: Request) -> Response:
        """The clubs of the caller, by name."""
        clubs = overview.clubs_of(request.user)
        return Response(shapes.ClubShape(clubs, many=True).data)


class RuleSetsView(OpenAPIView):
    """The rule sets that can be played."""

    @extend_schema(responses=shapes.RuleSetShape(many=True))
    def get(self, request: Request) -> Response:  # noqa: ARG002
        """The newest edition of each rule set."""
        rules = [rule_set(key) for key in rule_set_keys()]
        return Response(shapes.RuleSetShape(rules, many=True).data)


class HouseRulesView(ClubAPIView):
    """The house rules that a club offers."""

    door = SEE_RESULTS

    @extend_schema(responses=shapes.RuleSetShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """The house rules of a club that can be played, the newest first."""
        return Response(shapes.RuleSetShape(house.editions_of(self.club), many=True).data)


class PlayersView(ClubListAPIView):
    """A club's people."""

    door = SEE_CLUB

    @extend_schema(responses=shapes.PlayerShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """The people of a club by name, those who left last."""
        return self.page_of(people.members(self.club, reader=self.reader), shapes.PlayerShape)


class EveningsView(ClubListAPIView):
    """A club's evenings."""

    door = SEE_RESULTS

    @extend_schema(responses=shapes.EveningShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """The evenings of a club, newest first."""
        return self.page_of(self.club.sessions.all(), shapes.EveningShape)


class EveningView(ClubAPIView):
    """One evening."""

    door = SEE_RESULTS

    @extend_schema(responses=shapes.EveningWholeShape)
    def get(self, request: Request, evening: int, **kwargs: Any) -> Response:  # noqa: ARG002
        """An evening with its tables and its result."""
        session = get_object_or_404(Session, club=self.club, pk=evening)
        told = {
            "pk": session.pk,
            "held_on": session.held_on,
            "state": session.state,
            "version": session.version,
            "tables": evenings.tables_of(session, reader=self.reader),
            "result": evenings.result_of(session, reader=self.reader),
        }
        return Response(shapes.EveningWholeShape(told).data)


def _kept(
    table: SessionTable, sent_by: str, reader: Reader = AT_THE_TABLE
) -> tuple[TableView, Post]:
    def keep(submission_id: UUID, number: int, report: Report) -> Recorded:
        return post_hand(
            table=table,
            submission_id=submission_id,
            number=number,
            report=report,
            sent_by=sent_by,
        )

    return evenings.view_of(table, reader=reader), keep


class EveningTableView(TableAPIView, ClubAPIView):
    """A table of an evening, for the organisers."""

    door = SEE_CLUB
    writing_door = ENTER_HANDS

    def found(self) -> tuple[TableView, Post]:
        """The evening's table of that number."""
        table = get_object_or_404(
            evenings.tables_with_games(),
            session__club=self.club,
            session__pk=self.kwargs["evening"],
            number=self.kwargs["number"],
        )
        return _kept(table, sender(self.request), self.reader)


class LinkedTableView(TableAPIView, LinkedAPIView):
    """A table of an evening, for whoever holds its secret link."""

    def found(self) -> tuple[TableView, Post]:
        """The table with that key."""
        table = get_object_or_404(evenings.tables_with_games(), link_key=self.kwargs["key"])
        return _kept(table, f"table {table.pk}")


class SeasonsView(ClubListAPIView):
    """A club's seasons."""

    door = SEE_RESULTS

    @extend_schema(responses=shapes.SeasonShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """The seasons of a club, newest first."""
        seasons = Season.objects.filter(league__club=self.club).select_related("league")
        return self.page_of(seasons.order_by("-starts_on", "-pk"), shapes.SeasonShape)


class SeasonView(ClubAPIView):
    """A season's league table."""

    door = SEE_RESULTS

    @extend_schema(responses=shapes.LeagueTableShape)
    def get(self, request: Request, season: int, **kwargs: Any) -> Response:  # noqa: ARG002
        """The league table, ranked by the season's rule."""
        found = get_object_or_404(
            Season.objects.select_related("league"), league__club=self.club, pk=season
        )
        return Response(
            shapes.LeagueTableShape(leagues.league_table(found, reader=self.reader)).data
        )
