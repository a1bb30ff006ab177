"""API keys: created with a password or another key, listed, revoked."""

from collections.abc import Mapping
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.mfa.utils import is_mfa_enabled
from django.core.exceptions import ValidationError as DjangoValidationError
from django.db.models import QuerySet
from django.urls import path
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied, Throttled, ValidationError
from rest_framework.mixins import DestroyModelMixin, ListModelMixin, RetrieveModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.accounts.services import (
    YEAR_DAYS,
    NewToken,
    clubs_of,
    make_token,
    revoke_token,
    tokens_of,
)
from clubs.api import openapi
from clubs.api.base import PersonalAPIView, PublicAPIView
from clubs.api.callers import SignInThrottle
from clubs.api.commands import CommandAPIView, command_endpoint
from clubs.api.created import CreatedRoute
from clubs.api.fields import TextField
from clubs.api.viewsets import RecordViewSet, Router
from clubs.core.audit_log import AuditContext, clubs_run_by, log_changes
from clubs.core.authentication import missing_proof, missing_second_step
from clubs.models import ApiToken, Club, Scope, User

MAX_KEY_DAYS = 3650
SECOND_STEP_MESSAGE = (
    "This account uses two-step verification, so a password is not enough. "
    "Sign in on the website and create the key on the page /keys/."
)


class KeyIn(serializers.Serializer[object]):
    """The name, scopes, club and lifetime of an API key."""

    name = TextField(max_length=80, required=False, help_text="what the key is for")
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=Scope.choices),
        required=False,
        help_text="the scopes of the key; omit for every scope you can give",
    )
    club = serializers.SlugField(
        required=False, allow_null=True, help_text="only for this club; omit for all your clubs"
    )
    days = serializers.IntegerField(
        min_value=1,
        max_value=MAX_KEY_DAYS,
        default=YEAR_DAYS,
        allow_null=True,
        help_text="days until it expires; omit for a year; null for no expiry",
    )


class SignIn(KeyIn):
    """An email address and password, and the key to create."""

    email = serializers.EmailField()
    password = serializers.CharField(max_length=200, trim_whitespace=False)


class KeySerializer(serializers.ModelSerializer[ApiToken]):
    """An API key, without its secret."""

    club = serializers.SlugRelatedField[Club](slug_field="slug", read_only=True, allow_null=True)
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.choices))

    class Meta:
        model = ApiToken
        fields = ["id", "name", "beginning", "scopes", "club", "made_at", "used_at", "ends_at"]


class NewKeySerializer(KeySerializer):
    """A new API key; ``token`` is shown only once."""

    token = serializers.CharField(help_text="send it as Authorization: Bearer …")

    class Meta(KeySerializer.Meta):
        fields = ["token", *KeySerializer.Meta.fields]


class TokenView(PublicAPIView, CommandAPIView):
    throttle_classes = [SignInThrottle]
    log = "created an API key"
    drawer = "programs"

    @command_endpoint(
        SignIn,
        answers=NewKeySerializer,
        answers_secret=True,
        creates=CreatedRoute("api-key-detail", key="id"),
        examples=[openapi.SIGN_IN_EXAMPLE, openapi.TOKEN_EXAMPLE],
    )
    def post(self, validated: dict[str, Any]) -> Response:
        """Create an API key with your email and password.

        Send it as ``Authorization: Bearer tbx_…``. The key is shown only once.
        With two-step verification, create keys on the page ``/keys/``. The limit is 10 tries a
        minute, and fewer with a wrong password.
        """
        user = _authenticate_user(self.request, validated.pop("email"), validated.pop("password"))
        entry = AuditContext(
            name="api-token",
            method="POST",
            subjects={},
            read_data=dict,
            clubs=lambda: clubs_run_by(user.pk),
            made_by=user.pk,
        )
        with log_changes(entry):
            return _new_key_response(_make_key(user, validated))


@extend_schema_view(
    list=extend_schema(description="List your API keys, newest first, without their secrets."),
    retrieve=extend_schema(description="Get one of your API keys."),
    destroy=extend_schema(
        description="Revoke an API key. It stops working at once, and so do the keys created with "
        "it."
    ),
)
class KeyViewSet(
    ListModelMixin,
    RetrieveModelMixin,
    DestroyModelMixin,
    RecordViewSet,
    PersonalAPIView,
    CommandAPIView,
):
    queryset = ApiToken.objects.none()
    serializer_class = KeySerializer
    lookup_url_kwarg = "key"

    def get_queryset(self) -> QuerySet[ApiToken]:
        """The caller's keys; for a caller that uses a key for one club, only that club's keys."""
        keys, asking = tokens_of(self.me), self.request.auth
        if isinstance(asking, ApiToken) and asking.club_id is not None:
            return keys.filter(club=asking.club_id)
        return keys

    @command_endpoint(
        KeyIn,
        answers=NewKeySerializer,
        answers_secret=True,
        creates=CreatedRoute("api-key-detail", key="id"),
    )
    def create(self, validated: dict[str, Any]) -> Response:
        """Create an API key. A key created by another key can do no more than that key.

        In a browser session you must have entered your password in the last 15 minutes.
        """
        key = self.request.auth if isinstance(self.request.auth, ApiToken) else None
        of_page = self.request._request
        if proof := missing_second_step(self.me) if key else missing_proof(of_page, self.me):
            raise PermissionDenied(f"{proof.message} ({proof.url})", code=proof.code)
        return _new_key_response(_make_key(self.me, validated, parent=key))

    def perform_destroy(self, instance: ApiToken) -> None:
        revoke_token(token=instance)


def _authenticate_user(request: Request, email: str, password: str) -> User:
    """The user with this address and password, within the sign-in page's rate limits."""
    try:
        user = get_adapter().authenticate(request._request, email=email.lower(), password=password)
    except DjangoValidationError as often:
        raise Throttled(detail=" ".join(often.messages)) from often
    if not isinstance(user, User) or not user.is_active:
        message = "The email address or password is wrong. Check both and try again."
        raise ValidationError(message, code="wrong_sign_in")
    if is_mfa_enabled(user):
        raise PermissionDenied(SECOND_STEP_MESSAGE, code="second_step")
    if proof := missing_second_step(user):
        raise PermissionDenied(proof.message, code=proof.code)
    return user


def _make_key(user: User, validated: Mapping[str, Any], parent: ApiToken | None = None) -> NewToken:
    """A new key; one made ``parent`` another key may do no more than that key."""
    bounds = set(parent.scopes) if parent else set(Scope.values)
    if beyond := set(validated.get("scopes", ())) - bounds:
        raise PermissionDenied(
            f"This API key cannot give scopes it does not have: {', '.join(sorted(beyond))}."
        )
    if parent is not None and parent.ends_at is not None:
        raise PermissionDenied("An API key that expires cannot create other keys.")
    slug = validated.get("club")
    if parent is not None and parent.club is not None:
        slug = slug or parent.club.slug
        if slug != parent.club.slug:
            raise PermissionDenied("This API key is for another club.")
    clubs = clubs_of(user) if slug is not None else []
    club = next((club for club in clubs if club.slug == slug), None)
    if slug is not None and club is None:
        raise ValidationError({"club": ["You have no role in a club of this name."]})
    return make_token(
        user=user,
        name=validated.get("name") or "A program",
        scopes=validated.get("scopes", bounds),
        club=club,
        days=validated["days"],
        parent=parent,
    )


def _new_key_response(new_token: NewToken) -> Response:
    return Response({"token": new_token.key, **KeySerializer(new_token.token).data}, status=201)


router = Router()
router.register("keys", KeyViewSet, "api-key")

urlpatterns = [path("token/", TokenView.as_view(), name="api-token"), *router.urls]
