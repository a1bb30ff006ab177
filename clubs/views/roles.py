"""People with a role in the club: invited, changed and removed by the secretary."""

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, by_sealed_link, door
from clubs.core.audit_log import note
from clubs.core.forms import add_problems
from clubs.core.page_context import SETTINGS_TRAIL, framed, trail
from clubs.core.permissions import MANAGE_ROLES
from clubs.forms.roles import CHOICES, AcceptForm, InviteForm, RoleForm
from clubs.models import Club, Membership, RoleInvitation, User
from clubs.models.tenancy import by_key
from clubs.selectors import roles as rows
from clubs.services import roles as services
from scoring.scorebook.refusals import Refused

UNPROCESSABLE = 422
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
def invite(request: ClubRequest, club: Club) -> HttpResponse:
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
def send_again(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A new email with a new link; the old link stops working."""
    invitation = get_object_or_404(rows.invitations_of(club), pk=pk)
    return _sent(request, club, services.send_again(invitation=invitation))


@door(MANAGE_ROLES)
@require_POST
def withdraw(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The link of an invitation stops working."""
    invitation = get_object_or_404(rows.invitations_of(club), pk=pk)
    invitation.delete()
    messages.success(request, f"Invitation to {invitation.email} withdrawn.")
    return redirect("roles", club.slug)


@door(MANAGE_ROLES)
@require_POST
def change(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
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
def remove(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
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
        return _accept_signed_in(request, invitation, request.user)
    if User.objects.filter(email=invitation.email).exists():
        context = {"invitation": invitation, "must_sign_in": True}
        return render(request, "account/role_invitation.html", context)
    return _accept_as_new(request, invitation)


def _accept_signed_in(request: HttpRequest, invitation: RoleInvitation, user: User) -> HttpResponse:
    if request.method != "POST":
        return render(request, "account/role_invitation.html", {"invitation": invitation})
    try:
        membership = services.accept(invitation=invitation, user=user)
    except Refused:
        return render(request, "account/role_invitation.html", status=410)
    return _welcome(request, membership)


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
    return render(request, "clubs/roles.html", context, status=status)
