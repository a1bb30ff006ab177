"""What the API tells of clubs and rule sets."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.accounts import selectors
from clubs.api import shapes
from clubs.api.base import ClubTableAPIView, OpenAPIView, OwnListAPIView, TablesAPIView
from clubs.api.callers import clubs_opened_by
from clubs.core.permissions import SEE_HOME
from clubs.table.selectors import rules as selectors_rules
from scoring import rule_set_keys
from scoring.scorebook.editions import rule_set


class ClubsView(OwnListAPIView):
    """The clubs in which you have a role."""

    pagination_class = None

    @extend_schema(responses=shapes.ClubShape(many=True))
    def get(self, request: Request) -> Response:
        """List your clubs, by name."""
        clubs = selectors.clubs_of(request.user)
        return self.table_of(clubs_opened_by(request.auth, clubs), shapes.ClubShape)


class RuleSetsView(TablesAPIView, OpenAPIView):
    """The rule sets that can be played."""

    @extend_schema(responses=shapes.RuleSetShape(many=True))
    def get(self, request: Request) -> Response:  # noqa: ARG002
        """List the newest edition of each rule set."""
        rules = [rule_set(key) for key in rule_set_keys()]
        return self.table_of(rules, shapes.RuleSetShape)


class HouseRulesView(ClubTableAPIView):
    """The house rules that a club offers."""

    door = SEE_HOME

    @extend_schema(responses=shapes.RuleSetShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the house rules that a club can play, newest first."""
        return self.table_of(selectors_rules.editions_of(self.club), shapes.RuleSetShape)
