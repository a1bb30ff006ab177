"""API keys: created with a password or another key, listed, revoked; people with roles."""

from collections.abc import Mapping
from typing import Any, ClassVar

from allauth.account.adapter import get_adapter
from allauth.mfa.utils import is_mfa_enabled
from django.core.exceptions import ValidationError as DjangoValidationError
from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import path
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied, Throttled, ValidationError
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.accounts import services
from clubs.accounts.forms import InviteForm, RoleForm
from clubs.accounts.services import (
    A_YEAR,
    Made,
    clubs_of,
    make_token,
    memberships_of,
    revoke_token,
    tokens_of,
)
from clubs.api import openapi
from clubs.api.base import (
    ClubListAPIView,
    OpenAPIView,
    OwnAPIView,
    OwnListAPIView,
    lists,
    reads,
    removes,
)
from clubs.api.callers import SignInThrottle
from clubs.api.commands import ActAPIView, ActView, ChangeAPIView, changes, does
from clubs.api.created import Place
from clubs.api.fields import TextField
from clubs.core.audit_log import AuditContext, audited, clubs_run_by
from clubs.core.authentication import missing_password, missing_proof, missing_second_step
from clubs.core.mail import sends_email
from clubs.core.permissions import MANAGE_ROLES
from clubs.models import ApiToken, Club, Membership, RoleInvitation, Scope, User

MOST_DAYS = 3650
SECOND_STEP = (
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
        max_value=MOST_DAYS,
        default=A_YEAR,
        allow_null=True,
        help_text="days until it expires; omit for a year; null for no expiry",
    )


class SignIn(KeyIn):
    """An email address and password, and the key to create."""

    email = serializers.EmailField()
    password = serializers.CharField(max_length=200, trim_whitespace=False)


class KeyShape(serializers.ModelSerializer[ApiToken]):
    """An API key, without its secret."""

    club = serializers.SlugRelatedField[Club](slug_field="slug", read_only=True, allow_null=True)
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.choices))

    class Meta:
        model = ApiToken
        fields = ["id", "name", "beginning", "scopes", "club", "made_at", "used_at", "ends_at"]


class NewKeyShape(KeyShape):
    """A new API key; ``token`` is shown only once."""

    token = serializers.CharField(help_text="send it as Authorization: Bearer …")

    class Meta(KeyShape.Meta):
        fields = ["token", *KeyShape.Meta.fields]


class TokenView(OpenAPIView, ActView):
    throttle_classes = [SignInThrottle]
    answers_secret = True
    log = "created an API key"
    drawer = "programs"

    @does(
        SignIn,
        answers=NewKeyShape,
        creates=Place("api-key", key="id"),
        examples=[openapi.SIGN_IN, openapi.TOKEN],
    )
    def post(self, validated: dict[str, Any]) -> Response:
        """Create an API key with your email and password.

        Send it as ``Authorization: Bearer tbx_…``. The key is shown only once.
        With two-step verification, create keys on the page ``/keys/``. The limit is 10 tries a
        minute, and fewer with a wrong password.
        """
        user = _signed_in(self.request, validated.pop("email"), validated.pop("password"))
        entry = AuditContext(
            name="api-token",
            method="POST",
            named={},
            sent=dict,
            clubs=lambda: clubs_run_by(user.pk),
            made_by=user.pk,
        )
        with audited(entry):
            return _answer(_made(user, validated))


class KeysView(OwnListAPIView, ActView):
    writing_scope = Scope.OWN
    answers_secret = True

    @lists(KeyShape)
    def get(self) -> list[ApiToken]:
        """List your API keys, newest first, without their secrets."""
        return _keys_in_reach(self)

    @does(KeyIn, answers=NewKeyShape, creates=Place("api-key", key="id"))
    def post(self, validated: dict[str, Any]) -> Response:
        """Create an API key. A key created by another key can do no more than that key.

        In a browser session you must have entered your password in the last 15 minutes.
        """
        key = self.request.auth if isinstance(self.request.auth, ApiToken) else None
        of_page = self.request._request
        if proof := missing_second_step(self.me) if key else missing_proof(of_page, self.me):
            raise PermissionDenied(f"{proof.sentence} ({proof.url})", code=proof.code)
        return _answer(_made(self.me, validated, by=key))


class KeyView(OwnAPIView):
    writing_scope = Scope.OWN

    @reads(KeyShape)
    def get(self) -> ApiToken:
        """Get one of your API keys."""
        return self._token()

    @removes
    def delete(self) -> None:
        """Revoke an API key. It stops working at once, and so do the keys created with it."""
        revoke_token(token=self._token())

    def _token(self) -> ApiToken:
        keys = {key.pk: key for key in _keys_in_reach(self)}
        if token := keys.get(self.kwargs["key"]):
            return token
        raise Http404


def _keys_in_reach(view: OwnAPIView) -> list[ApiToken]:
    """The caller's keys; for a caller that uses a key for one club, only that club's keys."""
    keys, asking = tokens_of(view.me), view.request.auth
    if isinstance(asking, ApiToken) and asking.club_id is not None:
        return [key for key in keys if key.club_id == asking.club_id]
    return keys


def _signed_in(request: Request, email: str, password: str) -> User:
    """The user with this address and password, within the sign-in page's rate limits."""
    try:
        user = get_adapter().authenticate(request._request, email=email.lower(), password=password)
    except DjangoValidationError as often:
        raise Throttled(detail=" ".join(often.messages)) from often
    if not isinstance(user, User) or not user.is_active:
        sentence = "The email address or password is wrong. Check both and try again."
        raise ValidationError(sentence, code="wrong_sign_in")
    if is_mfa_enabled(user):
        raise PermissionDenied(SECOND_STEP, code="second_step")
    if proof := missing_second_step(user):
        raise PermissionDenied(proof.sentence, code=proof.code)
    return user


def _made(user: User, validated: Mapping[str, Any], by: ApiToken | None = None) -> Made:
    """A new key; one made ``by`` another key may do no more than that key."""
    bounds = set(by.scopes) if by else set(Scope.values)
    if beyond := set(validated.get("scopes", ())) - bounds:
        raise PermissionDenied(
            f"This API key cannot give scopes it does not have: {', '.join(sorted(beyond))}."
        )
    if by is not None and by.ends_at is not None:
        raise PermissionDenied("An API key that expires cannot create other keys.")
    slug = validated.get("club")
    if by is not None and by.club is not None:
        slug = slug or by.club.slug
        if slug != by.club.slug:
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
        by=by,
    )


def _answer(made: Made) -> Response:
    return Response({"token": made.key, **KeyShape(made.token).data}, status=201)


BY_A_PERSON = (
    "An API key can list people with roles, but only a person who has entered their password can "
    "change them. Sign in on the website and use the page People and roles."
)


class PersonShape(serializers.ModelSerializer[Membership]):
    """Someone with a role in the club. Players at a table need none."""

    name = serializers.CharField(source="user.name", help_text="of their account")
    email = serializers.EmailField(source="user.email", help_text="with which they sign in")

    class Meta:
        model = Membership
        fields = ["id", "name", "email", "role", "player"]
        extra_kwargs: ClassVar = {"player": {"help_text": "their id in the member list; or null"}}


class RoleInvitationShape(serializers.ModelSerializer[RoleInvitation]):
    """An invitation to take a role that nobody has accepted yet. Its link is only emailed."""

    ends_at = serializers.DateTimeField(help_text="when its link stops working")

    class Meta:
        model = RoleInvitation
        fields = ["id", "email", "role", "player", "sent_at", "ends_at"]


class SentInvitationShape(RoleInvitationShape):
    """An invitation that has just been created or sent again."""

    is_sent = serializers.BooleanField(help_text="false if no email could be sent")

    class Meta(RoleInvitationShape.Meta):
        fields = [*RoleInvitationShape.Meta.fields, "is_sent"]


class RolesAPIView(ActAPIView):
    """A view of people with roles: a key may read, a person may write with a recent password.

    What the address names is looked for first: another club's row is 404.
    """

    access = MANAGE_ROLES

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.find()
        if request.method in SAFE_METHODS:
            return
        if isinstance(request.auth, ApiToken):
            raise PermissionDenied(BY_A_PERSON, code="by_a_person")
        if proof := missing_password(request._request):
            raise PermissionDenied(f"{proof.sentence} ({proof.url})", code=proof.code)

    def find(self) -> None:
        """Look up the row of the address, if it names one; raises ``Http404``."""


class PeopleView(ClubListAPIView, RolesAPIView):
    sheet = "People with a role"

    @lists(PersonShape)
    def get(self) -> QuerySet[Membership]:
        """List everyone with a role in the club, secretaries first."""
        return memberships_of(self.club)

    def form_kwargs(self) -> dict[str, Any]:
        return {"club": self.club}

    @does(
        InviteForm,
        answers=SentInvitationShape,
        creates=Place("api-role-invitation", invitation="id"),
    )
    def post(self, validated: dict[str, Any]) -> dict[str, Any]:
        """Invite someone by email to take a role.

        For a person in a browser session who entered their password in the last 15 minutes. An API
        key cannot give roles.
        """
        return _sent(services.invite(club=self.club, invited_by=self.me, **validated))


class PersonView(RolesAPIView, ChangeAPIView):
    membership: Membership

    def find(self) -> None:
        self.membership = get_object_or_404(memberships_of(self.club), pk=self.kwargs["person"])

    @reads(PersonShape)
    def get(self) -> Membership:
        """Get someone with a role."""
        return self.membership

    def current(self) -> Mapping[str, Any]:
        self.find()
        return {"role": self.membership.role}

    @changes(RoleForm, answers=PersonShape)
    def patch(self, validated: dict[str, Any]) -> Membership:
        """Change someone's role, as a person who entered their password in the last 15 minutes.

        The only secretary keeps the role.
        """
        return services.change_role(membership=self.membership, role=validated["role"])

    @removes
    def delete(self) -> None:
        """Remove someone's role, as a person who entered their password in the last 15 minutes.

        Results and the member list do not change. The only secretary keeps the role.
        """
        services.remove_role(membership=self.membership)


class RoleInvitationsView(ClubListAPIView, RolesAPIView):
    sheet = "Invitations"

    @lists(RoleInvitationShape)
    def get(self) -> QuerySet[RoleInvitation]:
        """List the invitations to take a role that nobody has accepted yet."""
        return services.invitations_of(self.club)


class _OneInvitation(RolesAPIView):
    invitation: RoleInvitation

    def find(self) -> None:
        rows = services.invitations_of(self.club)
        self.invitation = get_object_or_404(rows, pk=self.kwargs["invitation"])


class RoleInvitationView(_OneInvitation):
    @reads(RoleInvitationShape)
    def get(self) -> RoleInvitation:
        """Get an invitation to take a role."""
        return self.invitation

    @removes
    def delete(self) -> None:
        """Withdraw an invitation: its link stops working.

        For a person in a browser session who entered their password in the last 15 minutes.
        """
        self.invitation.delete()


class RoleInvitationAgainView(_OneInvitation):
    @does(answers=SentInvitationShape)
    def post(self) -> dict[str, Any]:
        """Send an invitation again with a new link, valid for two weeks; the old one stops.

        For a person in a browser session who entered their password in the last 15 minutes.
        """
        return _sent(services.send_again(invitation=self.invitation))


def _sent(invitation: RoleInvitation) -> dict[str, Any]:
    """The invitation, once its email has been sent, if this installation sends any."""
    is_sent = sends_email() and services.send_invitation(invitation=invitation)
    return {**RoleInvitationShape(invitation).data, "is_sent": is_sent}


CLUB = "clubs/<slug:club>/"
PEOPLE = f"{CLUB}settings/people/"
INVITATION = f"{CLUB}settings/invitations/<int:invitation>/"

urlpatterns = [
    path("token/", TokenView.as_view(), name="api-token"),
    path("keys/", KeysView.as_view(), name="api-keys"),
    path("keys/<int:key>/", KeyView.as_view(), name="api-key"),
    path(PEOPLE, PeopleView.as_view(), name="api-people"),
    path(f"{PEOPLE}<int:person>/", PersonView.as_view(), name="api-person"),
    path(
        f"{CLUB}settings/invitations/", RoleInvitationsView.as_view(), name="api-role-invitations"
    ),
    path(INVITATION, RoleInvitationView.as_view(), name="api-role-invitation"),
    path(
        f"{INVITATION}again/", RoleInvitationAgainView.as_view(), name="api-role-invitation-again"
    ),
]
