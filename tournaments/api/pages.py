"""A club's tournaments over the API: the list, a new one, one of them, its settings, its desk."""

from collections.abc import Mapping
from typing import Any, cast

from django.forms import Form
from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ClubListAPIView, ClubTableAPIView
from clubs.api.commands import ActAPIView, ChangeAPIView, refuse_strange
from clubs.api.form_schemas import Shape
from clubs.models import Club
from scoring import UnknownRuleSet
from scoring.scorebook.editions import bare
from tournaments import services
from tournaments.api.asked import SettingsChangeIn, SettingsIn
from tournaments.api.base import LIST, ONE, RunAPIView, TournamentAPIView
from tournaments.api.shapes.desk import DeskShape, desk_told
from tournaments.api.shapes.tournament import (
    ChangedShape,
    ListedTournamentShape,
    PresetShape,
    SettingsShape,
    TournamentShape,
    TournamentWholeShape,
)
from tournaments.forms.drawing import BANDS, DRAWN, NEAR
from tournaments.forms.tournament import TournamentForm, settings_of
from tournaments.models import Tournament
from tournaments.permissions import (
    ENTER_TABLE_HANDS,
    RUN_TOURNAMENT,
    SEE_TOURNAMENT,
)
from tournaments.presets import PRESETS, preset_of
from tournaments.selectors.overview import tournaments_of
from tournaments.selectors.settled import SETTINGS, settled
from tournaments.services.changing import settings_told
from tournaments.services.making import Settings

RANKS = ("rank_1", "rank_2", "rank_3", "rank_4")


class TournamentsView(ClubListAPIView, ActAPIView):
    """A club's tournaments, and a new one."""

    door = SEE_TOURNAMENT
    writing_door = RUN_TOURNAMENT
    asks = SettingsIn
    answers = TournamentShape
    status = 201

    @extend_schema(responses=ListedTournamentShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the tournaments of a club, newest first."""
        return self.page_of(tournaments_of(self.club), ListedTournamentShape)

    def told(self, sent: Any, *, held: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """What was sent over the preset's terms, judged as on the page."""
        told = super().told(sent, held=held)
        preset = preset_of(told.pop("preset", ""))
        begun = {name: getattr(preset, name) for name in PRESET_TERMS}
        return settings_judged(begun | told, club=self.club)

    def act(self, told: dict[str, Any]) -> Tournament:
        """Add a tournament that takes entries. Settings you omit come from the preset."""
        return services.make_tournament(club=self.club, **told)


PRESET_TERMS = ("rounds", "hands_a_round", "minutes_a_round", "ranks_by", "sitting_out_counts")


class PresetsView(ClubTableAPIView):
    """Ready-made kinds of tournaments."""

    door = RUN_TOURNAMENT

    @extend_schema(responses=PresetShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the presets a new tournament can start from. You can change every setting."""
        return self.table_of(PRESETS, PresetShape)


class TournamentView(TournamentAPIView):
    """One tournament."""

    @extend_schema(responses=TournamentWholeShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get a tournament with the seating of every round."""
        seen = {"sees_all": self.sees_all, "reader": self.reader}
        return Response(TournamentWholeShape(self.tournament, context=seen).data)


class SettingsView(RunAPIView, ChangeAPIView):
    """A tournament's settings."""

    asks = SettingsIn
    answers = ChangedShape

    @extend_schema(responses=SettingsShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the settings, and which of them can no longer change and why."""
        return Response(SettingsShape(self._told()).data)

    def _told(self) -> dict[str, Any]:
        return settings_told(self.tournament) | {"settled": settled(self.tournament)}

    def shape_asked(self, *, optional: bool = False) -> Shape:
        """Any of the settings."""
        return SettingsChangeIn if optional else SettingsIn

    def lock(self) -> None:
        """Nothing yet: rounds are drawn before the lock, and only what was changed is written."""

    def held(self) -> Mapping[str, Any]:
        """The settings as they are."""
        return settings_told(self.tournament)

    def told(self, sent: Any, *, held: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """What was sent over what is held, judged as on the page."""
        shape = SettingsChangeIn(data=sent)
        shape.is_valid(raise_exception=True)
        refuse_strange(sent, shape)
        told = {**(held or {}), **shape.validated_data}
        return settings_judged(told, club=self.club, of=self.tournament)

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Change the settings. Rounds are seated or cleared where that follows."""
        changed = services.change_tournament(
            tournament=self.tournament, shown=self.held(), **cast(Settings, told)
        )
        self.tournament.refresh_from_db()
        return self._told() | {"seated": changed.seated, "unseated": changed.unseated}


def settings_judged(
    told: Mapping[str, Any], *, club: Club, of: Tournament | None = None
) -> dict[str, Any]:
    """The settings as the page's form takes them; raises ``ValidationError`` at each setting."""
    given: dict[str, Any] = {}
    if of is not None:
        given = {"initial": settings_of(of), "frozen": settled(of)}
    form = TournamentForm(_typed(told), club=club, **given)
    if not form.is_valid():
        raise ValidationError(_at_settings(form))
    return {name: form.cleaned_data[name] for name in SETTINGS}


def _typed(told: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as they would be typed into the page's form."""
    ranks = dict(zip(RANKS, told["ranks_by"], strict=False))
    first, bands = told.get("by_standing_from"), told.get("bands", 1)
    by_standing = BANDS if bands > 1 else NEAR
    typed = {
        **told,
        **ranks,
        "seated_by": DRAWN if first is None else by_standing,
        "bands": bands if bands > 1 else None,
        "start_stake": told.get("start_stake") or None,
        "rules": _as_offered(told.get("rules", "")),
    }
    return {
        name: value if isinstance(value, bool) else str(value)
        for name, value in typed.items()
        if value is not None and name != "ranks_by"
    }


def _as_offered(rules: str) -> str:
    """A key of rules as the page offers it: a book whose newest edition it is by its bare name."""
    try:
        return bare(rules) if rules else ""
    except UnknownRuleSet:
        return rules


def _at_settings(form: Form) -> dict[str, list[ErrorDetail]]:
    """The form's errors under the names of the settings."""
    found: dict[str, list[ErrorDetail]] = {}
    for name, errors in form.errors.get_json_data().items():
        where = "ranks_by" if name in RANKS else name
        told = [ErrorDetail(one["message"], one["code"] or "invalid") for one in errors]
        found.setdefault(where, []).extend(told)
    return found


class DeskView(TournamentAPIView):
    """The director's desk."""

    @extend_schema(responses=DeskShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the next step, the tables of the current round by urgency, and disputed hands.

        Those who may enter hands also see calls, quiet tables and disputed hands.
        """
        told = desk_told(
            self.tournament,
            to_officials=self.sees_all,
            watches=self.may(ENTER_TABLE_HANDS),
            at=timezone.now(),
            reader=self.reader,
        )
        return Response(DeskShape(told).data)


urlpatterns = [
    path(LIST, TournamentsView.as_view(), name="api-tournaments"),
    path(f"{LIST}presets/", PresetsView.as_view(), name="api-tournament-presets"),
    path(ONE, TournamentView.as_view(), name="api-tournament"),
    path(f"{ONE}settings/", SettingsView.as_view(), name="api-tournament-settings"),
    path(f"{ONE}desk/", DeskView.as_view(), name="api-tournament-desk"),
]
