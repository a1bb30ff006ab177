"""Pages about a person's sign-in, look, API keys and the club's roles."""

from functools import partial
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from allauth.account.decorators import reauthentication_required
from allauth.core import ratelimit
from allauth.mfa.totp.views import ActivateTOTPView
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubs.accounts import services
from clubs.accounts.appearance import SETTINGS, appearance_of
from clubs.accounts.forms import (
    ROLE_CHOICES,
    AddressForm,
    InviteForm,
    KeyForm,
    NewAccountForm,
    RoleForm,
)
from clubs.accounts.signin import keys_revoked_message, sign_in_new_account
from clubs.core.access import (
    ClubRequest,
    logs_as,
    public_view,
    requires,
    sealed_link_view,
    secret_link_view,
    sign_in_required,
)
from clubs.core.audit_log import last_entry, log_event
from clubs.core.authentication import (
    is_second_step_required,
    missing_password,
    missing_proof,
    spend_code,
)
from clubs.core.forms import shown_state
from clubs.core.mail import sends_email
from clubs.core.pages import (
    SETTINGS_STEP,
    breadcrumbs,
    club_context,
    render_form,
    run_action,
    save_if_valid,
)
from clubs.core.permissions import MANAGE_ROLES
from clubs.language.moments import moment
from clubs.models import Club, Membership, Role, RoleInvitation, User
from clubs.tenancy import find_by_key
from scoring.scorebook.refusals import Refused

PEOPLE_URL = "c/<slug:club>/settings/people/"


class Removal(NamedTuple):
    """What took a row away: its key in the API, the act in the log, and a sentence."""

    kind: str
    act: str
    text: str


ROLE_REMOVED: Final = Removal("person", "role-remove", "This role was already removed")
INVITATION_WITHDRAWN: Final = Removal(
    "invitation", "role-withdraw", "This invitation was already withdrawn"
)


@sign_in_required
def account(request: HttpRequest) -> HttpResponse:
    """The sign-in: the email address, the password and two-step verification."""
    context = {
        "has_second_step": is_mfa_enabled(request.user),
        "is_required": is_second_step_required(),
    }
    return render(request, "account/account.html", context)


@sign_in_required
@logs_as("sign-ins", "signed out everywhere")
@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End every session, on every device."""
    if isinstance(request.user, User):
        names = services.sign_out_everywhere(user=request.user)
    logout(request)
    messages.success(request, "You have been signed out everywhere.")
    if names:
        messages.info(request, keys_revoked_message(names))
    return redirect("account_login")


class ActivateSecondStep(ActivateTOTPView):  # type: ignore[misc]
    def form_valid(self, form: Any) -> HttpResponse:
        """Save it; ends every other session and revokes all API keys."""
        user = self.request.user
        with transaction.atomic():
            answer: HttpResponse = super().form_valid(form)
            reason = "you turned on two-step verification"
            names = services.sign_out_everywhere(user=user, reason=reason)
            spend_code(user=user, code=form.cleaned_data["code"])
        update_session_auth_hash(self.request, user)
        if names:
            messages.info(self.request, keys_revoked_message(names))
        return answer


@sign_in_required
@reauthentication_required  # type: ignore[untyped-decorator]
def change_address(request: HttpRequest) -> HttpResponse:
    """Change the email address, once the link in the email is opened."""
    if wait := ratelimit.consume_or_429(request, action="manage_email", user=request.user):
        answer: HttpResponse = wait
        return answer
    form = AddressForm(request.POST or None)
    user: Any = request.user
    ask = partial(services.request_address_change, user=user)
    if email := save_if_valid(form, lambda: ask(email=form.cleaned_data["email"])):
        messages.success(request, f"We have sent an email to {email}.")
        return redirect("account")
    return render_form(request, "account/email_change.html", {"form": form}, form)


@secret_link_view
def confirm_address(request: HttpRequest, key: str) -> HttpResponse:
    """The link in the email: the button confirms the new address."""
    try:
        fields = services.read_address_link(key)
        if request.method == "POST":
            services.change_address(key=key)
            messages.success(request, f"{fields['email']} is now your email address.")
            return redirect("account")
    except Refused as refused:
        return render(request, "account/email_confirm.html", {"refused": refused}, status=410)
    return render(request, "account/email_confirm.html", {"key": key, "email": fields["email"]})


@sign_in_required
@logs_as("programs", "created an API key", log_for="POST api-key-list")
@never_cache
def api_keys(request: ClubRequest) -> HttpResponse:
    """Lists API keys and creates one, shown only once, which needs a recent sign-in."""
    proof = missing_proof(request, request.user)
    if proof and request.method == "POST":
        messages.warning(request, proof.message)
        return redirect(proof.url)
    clubs = services.own_clubs_of(request.user)
    form = KeyForm(request.POST or None, clubs=clubs)
    new_token = save_if_valid(
        form, lambda: services.make_token(user=request.user, **form.cleaned_data)
    )
    page_form = KeyForm(clubs=clubs) if new_token else form
    keys = services.tokens_of(request.user)
    context = {"form": page_form, "made": new_token, "keys": keys, "proof": proof}
    return render_form(request, "clubs/accounts/keys.html", context, page_form)


@sign_in_required
@logs_as("programs", "revoked an API key", log_for="DELETE api-key-detail")
@require_POST
def revoke_key(request: ClubRequest, pk: int) -> HttpResponse:
    token = next((key for key in services.tokens_of(request.user) if key.pk == pk), None)
    if token is None:
        raise Http404
    services.revoke_token(token=token)
    messages.success(request, f"“{token.name}” has been revoked.")
    return redirect("keys")


@public_view
def display_settings(request: HttpRequest) -> HttpResponse:
    """Appearance settings with a sample table to try them on; stored in a cookie."""
    # The previous page, if it is one of ours.
    address = request.POST.get("from") or request.GET.get("from", "")
    is_ours = address.startswith("/") and url_has_allowed_host_and_scheme(address, None)
    return_url = address if is_ours else ""
    if request.method != "POST":
        return render(request, "clubs/accounts/how_it_looks.html", {"back": return_url})
    fields = {name: str(value) for name, value in request.POST.items()}
    # This page again, scrolled to the setting that was changed.
    query = f"?{urlencode({'from': return_url})}" if return_url else ""
    fragment = "".join(f"#looks-{choice.name}" for choice in SETTINGS if choice.name in fields)
    answer = redirect(f"{reverse('how-it-looks')}{query}{fragment}")
    appearance_of(request).choosing(fields).keep(answer, secure=request.is_secure())
    return answer


@requires(MANAGE_ROLES)
@never_cache
def roles(request: ClubRequest, club: Club) -> HttpResponse:
    """Everyone with a role, everyone who is invited, and a form to invite another."""
    return _roles_page(request, club, InviteForm(club=club))


@requires(MANAGE_ROLES)
@require_safe
@reauthentication_required  # type: ignore[untyped-decorator]
def show_links(request: ClubRequest, club: Club) -> HttpResponse:  # noqa: ARG001
    """Back to the page, which shows the links of invitations after a recent password."""
    return redirect("roles", club.slug)


@requires(MANAGE_ROLES, "invited someone to take a role")
@require_POST
@reauthentication_required  # type: ignore[untyped-decorator]
def invite_role(request: ClubRequest, club: Club) -> HttpResponse:
    form = InviteForm(request.POST, club=club)
    invitation = save_if_valid(
        form, lambda: services.invite(club=club, invited_by=request.user, **form.cleaned_data)
    )
    return (
        _send_and_redirect(request, club, invitation)
        if invitation
        else _roles_page(request, club, form)
    )


@requires(MANAGE_ROLES, "sent an invitation again")
@require_POST
@reauthentication_required  # type: ignore[untyped-decorator]
def send_invitation_again(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    invitation = services.invitations_of(club).filter(pk=pk).first()
    if invitation is None:
        return _already_removed(request, club, INVITATION_WITHDRAWN, pk)
    if not run_action(request, lambda: services.renew_invitation(invitation=invitation)):
        return redirect("roles", club.slug)
    return _send_and_redirect(request, club, invitation)


@requires(MANAGE_ROLES, "withdrew an invitation")
@require_POST
@reauthentication_required  # type: ignore[untyped-decorator]
def withdraw_invitation(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    invitation = services.invitations_of(club).filter(pk=pk).first()
    if invitation is None:
        return _already_removed(request, club, INVITATION_WITHDRAWN, pk)
    invitation.delete()
    messages.success(request, f"Invitation to {invitation.email} withdrawn.")
    return redirect("roles", club.slug)


@requires(MANAGE_ROLES, "changed the role of {person}")
@require_POST
def change_role(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    membership = services.memberships_of(club).filter(pk=pk).first()
    if membership is None:
        return _already_removed(request, club, ROLE_REMOVED, pk)
    answer: HttpResponse = _change_role(request, membership)
    return answer


@reauthentication_required  # type: ignore[untyped-decorator]
def _change_role(request: ClubRequest, membership: Membership) -> HttpResponse:
    form, is_changed = RoleForm(request.POST), False
    if form.is_valid():
        is_changed = run_action(
            request,
            lambda: services.change_role(
                membership=membership,
                role=form.cleaned_data["role"],
                page_state=shown_state("role-change", request.POST),
            ),
            lambda changed_membership: (
                f"{changed_membership.user} is now a {changed_membership.get_role_display()}."
            ),
        )
    else:
        messages.error(request, "Choose one of these roles.")
    is_own = is_changed and membership.user_id == request.user.pk
    gave_up = is_own and form.cleaned_data["role"] is not Role.SECRETARY
    return redirect("club" if gave_up else "roles", membership.club.slug)


@requires(MANAGE_ROLES, "removed someone’s role")
@require_POST
def remove_role(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Take someone's role: they can no longer open the members' pages."""
    membership = services.memberships_of(club).filter(pk=pk).first()
    if membership is None:
        return _already_removed(request, club, ROLE_REMOVED, pk)
    answer: HttpResponse = _remove_role(request, membership)
    return answer


@reauthentication_required  # type: ignore[untyped-decorator]
def _remove_role(request: ClubRequest, membership: Membership) -> HttpResponse:
    is_removed = run_action(
        request,
        lambda: services.remove_role(
            membership=membership, page_state=shown_state("role-remove", request.POST)
        ),
        f"{membership.user} no longer has a role here.",
    )
    if is_removed and membership.user_id == request.user.pk:
        return redirect("home")
    return redirect("roles", membership.club.slug)


def _already_removed(request: ClubRequest, club: Club, removal: Removal, pk: int) -> HttpResponse:
    """Say who removed that row of the club before, and when; raises ``Http404`` if nobody did."""
    last = last_entry(club, removal.kind, pk, [removal.act])
    if last is None:
        raise Http404
    messages.info(request, f"{removal.text} by {last.actor} at {moment(last.at)}.")
    return redirect("roles", club.slug)


@sealed_link_view
@never_cache
def invitation(request: HttpRequest, key: str) -> HttpResponse:
    """The link of an invitation: accept it with your account, or create one."""
    invitation = find_by_key(services.invitations_by_link, key=key)
    if invitation is None or invitation.has_ended:
        return render(request, "account/role_invitation.html", status=410)
    if isinstance(request.user, User):
        if request.method != "POST":
            return render(request, "account/role_invitation.html", {"invitation": invitation})
        try:
            membership = services.accept_invitation(invitation=invitation, user=request.user)
        except Refused:
            return render(request, "account/role_invitation.html", status=410)
        return _welcome(request, membership)
    if User.objects.filter(email=invitation.email).exists():
        context = {"invitation": invitation, "must_sign_in": True}
        return render(request, "account/role_invitation.html", context)
    return _accept_with_new_account(request, invitation)


def _accept_with_new_account(request: HttpRequest, invitation: RoleInvitation) -> HttpResponse:
    name = invitation.player.name if invitation.player else ""
    form = NewAccountForm(request.POST or None, email=invitation.email, initial={"name": name})
    membership = save_if_valid(
        form,
        lambda: services.accept_with_new_account(
            invitation=invitation,
            name=form.cleaned_data["name"],
            password=form.cleaned_data["password1"],
        ),
    )
    if membership:
        sign_in_new_account(request, membership.user)
        return _welcome(request, membership)
    context = {"invitation": invitation, "form": form}
    return render_form(request, "account/role_invitation.html", context, form)


def _welcome(request: HttpRequest, membership: Membership) -> HttpResponse:
    role, club = membership.get_role_display(), membership.club
    log_event(club=club.pk, act_name="role-accept", actor=str(membership.user))
    messages.success(request, f"Welcome to {club.name}. You are now a {role}.")
    return redirect("club", club.slug)


def _send_and_redirect(
    request: HttpRequest, club: Club, invitation: RoleInvitation
) -> HttpResponse:
    """Email the invitation, show whether it was sent, and redirect to the page."""
    if not sends_email():
        messages.success(request, f"Give {invitation.email} the link below.")
    elif services.send_invitation(invitation=invitation):
        messages.success(request, f"We have emailed an invitation to {invitation.email}.")
    else:
        message = "We could not send the email just now. Press “Send again” in a few minutes."
        messages.warning(request, message)
    return redirect("roles", club.slug)


def _roles_page(request: ClubRequest, club: Club, form: InviteForm) -> HttpResponse:
    context = club_context(
        club,
        "settings",
        form=form,
        people=services.people_with_roles(club),
        invitations=[
            (invitation, services.invitation_link(invitation))
            for invitation in services.invitations_of(club)
        ],
        choices=ROLE_CHOICES,
        sends_email=sends_email(),
        shows_links=not sends_email() and missing_password(request) is None,
        breadcrumbs=breadcrumbs(club, SETTINGS_STEP, title="People and roles"),
    )
    return render_form(request, "clubs/accounts/roles.html", context, form)


urlpatterns = [
    path("display/", display_settings, name="how-it-looks"),
    path(PEOPLE_URL, roles, name="roles"),
    path(f"{PEOPLE_URL}links/", show_links, name="role-links"),
    path(f"{PEOPLE_URL}invite/", invite_role, name="role-invite"),
    path(f"{PEOPLE_URL}<int:pk>/change/", change_role, name="role-change"),
    path(f"{PEOPLE_URL}<int:pk>/remove/", remove_role, name="role-remove"),
    path(f"{PEOPLE_URL}invited/<int:pk>/again/", send_invitation_again, name="role-send-again"),
    path(f"{PEOPLE_URL}invited/<int:pk>/withdraw/", withdraw_invitation, name="role-withdraw"),
    path("invited/<slug:key>/", invitation, name="role-invitation"),
    path("account/", account, name="account"),
    path("account/sign-out-everywhere/", sign_out, name="sign-out-everywhere"),
    path("keys/", api_keys, name="keys"),
    path("keys/<int:pk>/revoke/", revoke_key, name="key-revoke"),
]
