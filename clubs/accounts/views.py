"""Pages about a person's sign-in, look, API keys and the club's roles."""

from typing import Any
from urllib.parse import urlencode

from allauth.account.decorators import reauthentication_required
from allauth.core import ratelimit
from allauth.mfa.totp.views import ActivateTOTPView
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth import login, logout, update_session_auth_hash
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubs.accounts import selectors as rows
from clubs.accounts import services
from clubs.accounts.appearance import SETTINGS, looks_of
from clubs.accounts.forms import CHOICES, AcceptForm, AddressForm, InviteForm, KeyForm, RoleForm
from clubs.accounts.selectors import tokens_of
from clubs.accounts.services import Made, make_token, revoke_token
from clubs.accounts.signin import keys_ended
from clubs.core.access import (
    ClubRequest,
    by_sealed_link,
    by_secret_link,
    door,
    for_the_signed_in,
    open_to_all,
)
from clubs.core.audit_log import note
from clubs.core.authentication import is_required, missing_proof, spend_code
from clubs.core.forms import add_problems
from clubs.core.page_context import SETTINGS_TRAIL, framed, trail
from clubs.core.permissions import MANAGE_ROLES
from clubs.models import Club, Membership, RoleInvitation, User
from clubs.tenancy import by_key
from scoring.scorebook.refusals import Refused

UNPROCESSABLE = 422


@for_the_signed_in
def account(request: HttpRequest) -> HttpResponse:
    """What is known of the sign-in, and what can be done with it."""
    context = {"has_second_step": is_mfa_enabled(request.user), "is_required": is_required()}
    return render(request, "account/account.html", context)


@for_the_signed_in
@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End every session, on every device."""
    if isinstance(request.user, User):
        names = services.sign_out_everywhere(user=request.user)
    logout(request)
    messages.success(request, "You have been signed out everywhere.")
    if names:
        messages.info(request, keys_ended(names))
    return redirect("account_login")


class ActivateSecondStep(ActivateTOTPView):  # type: ignore[misc]
    """Set up the second step; what was opened by the password alone ends with it."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Keep it; every other session and every key for programs ends."""
        user = self.request.user
        with transaction.atomic():
            answer: HttpResponse = super().form_valid(form)
            reason = "you turned on two-step verification"
            names = services.sign_out_everywhere(user=user, reason=reason)
            spend_code(user=user, code=form.cleaned_data["code"])
        update_session_auth_hash(self.request, user)
        if names:
            messages.info(self.request, keys_ended(names))
        return answer


@for_the_signed_in
@reauthentication_required  # type: ignore[untyped-decorator]
def address(request: HttpRequest) -> HttpResponse:
    """Another address to sign in with: it holds once its mailed link is pressed."""
    if wait := ratelimit.consume_or_429(request, action="manage_email", user=request.user):
        answer: HttpResponse = wait
        return answer
    form = AddressForm(request.POST or None)
    if form.is_valid() and isinstance(request.user, User):
        services.ask_for_address(user=request.user, email=form.cleaned_data["email"])
        messages.success(request, f"We have sent an email to {form.cleaned_data['email']}.")
        return redirect("account")
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "account/email_change.html", {"form": form}, status=status)


@by_secret_link
def confirm(request: HttpRequest, key: str) -> HttpResponse:
    """The link in the message: a press of the button takes the address."""
    try:
        fields = services.read_address(key)
        if request.method == "POST":
            services.take_address(key=key)
            messages.success(request, f"{fields['email']} is now your email address.")
            return redirect("account")
    except Refused as refused:
        return render(request, "account/email_confirm.html", {"refused": refused}, status=410)
    return render(request, "account/email_confirm.html", {"key": key, "email": fields["email"]})


@for_the_signed_in
@never_cache
def keys(request: ClubRequest) -> HttpResponse:
    """Every key that is good now; whoever has just shown who they are makes another, told once."""
    proof = missing_proof(request, request.user)
    if proof and request.method == "POST":
        messages.warning(request, proof.sentence)
        return redirect(proof.url)
    clubs = Club.objects.filter(memberships__user=request.user, rehearsal_of=None).order_by("name")
    form = KeyForm(request.POST or None, clubs=clubs)
    made: Made | None = None
    if form.is_valid():
        try:
            made = make_token(user=request.user, **form.cleaned_data)
        except Refused as refused:
            add_problems(form, refused)
        else:
            form = KeyForm(clubs=clubs)
    context = {"form": form, "made": made, "keys": tokens_of(request.user), "proof": proof}
    return render(
        request, "clubs/accounts/keys.html", context, status=UNPROCESSABLE if form.errors else 200
    )


@for_the_signed_in
@require_POST
def revoke_key(request: ClubRequest, pk: int) -> HttpResponse:
    """The key opens nothing any more."""
    token = get_object_or_404(tokens_of(request.user), pk=pk)
    revoke_token(token=token)
    messages.success(request, f"“{token.name}” has been revoked.")
    return redirect("keys")


@open_to_all
def how_it_looks(request: HttpRequest) -> HttpResponse:
    """The settings with a piece of a table to try them on; kept in a cookie."""
    # Where the reader came from, if that is a page of ours.
    address = request.POST.get("from") or request.GET.get("from", "")
    is_ours = address.startswith("/") and url_has_allowed_host_and_scheme(address, None)
    back = address if is_ours else ""
    if request.method != "POST":
        return render(request, "clubs/accounts/how_it_looks.html", {"back": back})
    fields = {name: str(value) for name, value in request.POST.items()}
    # This page again, at the setting that was pressed.
    wanted = f"?{urlencode({'from': back})}" if back else ""
    pressed = "".join(f"#looks-{choice.name}" for choice in SETTINGS if choice.name in fields)
    answer = redirect(f"{reverse('how-it-looks')}{wanted}{pressed}")
    looks_of(request).choosing(fields).keep(answer, secure=request.is_secure())
    return answer


PAGE = "People and roles"
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


@door(MANAGE_ROLES)
@never_cache
def roles(request: ClubRequest, club: Club) -> HttpResponse:
    """Everyone with a role, everyone who is invited, and a form to invite another."""
    return _page(request, club, InviteForm(club=club))


@door(MANAGE_ROLES)
@require_POST
@reauthentication_required  # type: ignore[untyped-decorator]
def invite_role(request: ClubRequest, club: Club) -> HttpResponse:
    """Invite someone by email to take a role."""
    form = InviteForm(request.POST, club=club)
    if form.is_valid():
        try:
            invitation = services.invite(club=club, invited_by=request.user, **form.cleaned_data)
        except Refused as refused:
            add_problems(form, refused)
        else:
            return _sent(request, club, invitation)
    return _page(request, club, form)


@door(MANAGE_ROLES)
@require_POST
def send_invitation_again(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A new email with a new link; the old link stops working."""
    invitation = get_object_or_404(rows.invitations_of(club), pk=pk)
    return _sent(request, club, services.send_again(invitation=invitation))


@door(MANAGE_ROLES)
@require_POST
def withdraw_invitation(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The link of an invitation stops working."""
    invitation = get_object_or_404(rows.invitations_of(club), pk=pk)
    invitation.delete()
    messages.success(request, f"Invitation to {invitation.email} withdrawn.")
    return redirect("roles", club.slug)


@door(MANAGE_ROLES)
@require_POST
def change_role(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Give someone another role."""
    membership = get_object_or_404(rows.memberships_of(club), pk=pk)
    answer: HttpResponse = _change(request, membership)
    return answer


@reauthentication_required  # type: ignore[untyped-decorator]
def _change(request: ClubRequest, membership: Membership) -> HttpResponse:
    form = RoleForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Choose one of these roles.")
        return redirect("roles", membership.club.slug)
    try:
        changed = services.change_role(membership=membership, role=form.cleaned_data["role"])
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, f"{changed.user} is now {changed.get_role_display()}.")
    return redirect("roles", membership.club.slug)


@door(MANAGE_ROLES)
@require_POST
def remove_role(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Take someone's role: they can no longer open the members' pages."""
    membership = get_object_or_404(rows.memberships_of(club), pk=pk)
    answer: HttpResponse = _remove(request, membership)
    return answer


@reauthentication_required  # type: ignore[untyped-decorator]
def _remove(request: ClubRequest, membership: Membership) -> HttpResponse:
    try:
        services.remove_role(membership=membership)
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, f"{membership.user} no longer has a role here.")
        if membership.user_id == request.user.pk:
            return redirect("home")
    return redirect("roles", membership.club.slug)


@by_sealed_link
@never_cache
def invitation(request: HttpRequest, key: str) -> HttpResponse:
    """The link of an invitation: accept it with the account at hand, or make one."""
    invitation = by_key(rows.invitations_by_link, key=key)
    if invitation is None or invitation.has_ended:
        return render(request, "account/role_invitation.html", status=410)
    if isinstance(request.user, User):
        if request.method != "POST":
            return render(request, "account/role_invitation.html", {"invitation": invitation})
        try:
            membership = services.accept(invitation=invitation, user=request.user)
        except Refused:
            return render(request, "account/role_invitation.html", status=410)
        return _welcome(request, membership)
    if User.objects.filter(email=invitation.email).exists():
        context = {"invitation": invitation, "must_sign_in": True}
        return render(request, "account/role_invitation.html", context)
    return _accept_as_new(request, invitation)


def _accept_as_new(request: HttpRequest, invitation: RoleInvitation) -> HttpResponse:
    name = invitation.player.name if invitation.player else ""
    form = AcceptForm(request.POST or None, email=invitation.email, initial={"name": name})
    if form.is_valid():
        try:
            membership = services.accept_as_new(
                invitation=invitation,
                name=form.cleaned_data["name"],
                password=form.cleaned_data["password1"],
            )
        except Refused as refused:
            add_problems(form, refused)
        else:
            login(request, membership.user, backend=BACKEND)
            return _welcome(request, membership)
    context = {"invitation": invitation, "form": form}
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "account/role_invitation.html", context, status=status)


def _welcome(request: HttpRequest, membership: Membership) -> HttpResponse:
    role, club = membership.get_role_display(), membership.club
    note(club=club.pk, what="role-accept", by=str(membership.user))
    messages.success(request, f"Welcome to {club.name}. You are now {role}.")
    return redirect("club", club.slug)


def _sent(request: HttpRequest, club: Club, invitation: RoleInvitation) -> HttpResponse:
    """Email the invitation, say whether it left, and go back to the page."""
    if not services.sends_email():
        messages.success(request, f"Give {invitation.email} the link below.")
    elif services.send_invitation(invitation=invitation):
        messages.success(request, f"We have emailed an invitation to {invitation.email}.")
    else:
        sentence = "We could not send the email just now. Press “Send again” in a few minutes."
        messages.warning(request, sentence)
    return redirect("roles", club.slug)


def _page(request: ClubRequest, club: Club, form: InviteForm) -> HttpResponse:
    context = framed(
        club,
        "settings",
        form=form,
        people=rows.memberships_of(club),
        invitations=[
            (invitation, services.link_of(invitation)) for invitation in rows.invitations_of(club)
        ],
        choices=CHOICES,
        sends_email=services.sends_email(),
        breadcrumbs=trail(club, SETTINGS_TRAIL, here=PAGE),
    )
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "clubs/accounts/roles.html", context, status=status)
