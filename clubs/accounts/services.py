"""Sign-ins, API keys and roles: read, made, changed and ended."""

import json
import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from smtplib import SMTPException
from typing import Final, NamedTuple

from allauth.account.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.cached_db import SessionStore
from django.contrib.sessions.models import Session
from django.core import signing
from django.db import transaction
from django.db.models import Case, Exists, F, IntegerField, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Lower
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from clubs.core import authentication
from clubs.core.addresses import site_address
from clubs.core.forms import Event, ShownState, overtaken_refusal
from clubs.core.locks import lock_club
from clubs.core.mail import send_notice, sends_email
from clubs.core.mail_limits import count_confirmation, count_mails, is_unreviewed_club
from clubs.core.people_names import active_records
from clubs.core.permissions import ORGANISERS
from clubs.models import (
    ApiToken,
    Club,
    Membership,
    Player,
    Role,
    RoleInvitation,
    Scope,
    User,
    link_key,
)
from clubs.models.names import name_fault, name_key, surname_key, tidy_name
from scoring.scorebook.refusals import refuse

KEY_PREFIX: Final = "tbx_"
SHOWN_KEY_LENGTH: Final = 12
MAX_KEYS: Final = 50
YEAR_DAYS: Final = 365  # days
USE_NOTED_EVERY: Final = timedelta(minutes=1)
ADDRESS_SALT: Final = "clubs.accounts.services.address"
ADDRESS_LINK_AGE: Final = 24 * 60 * 60  # seconds

NO_CONFIRMATION_MESSAGE = (
    "This Tongbox does not send email, so it cannot check a new address. Ask your Tongbox "
    "administrator to set up a mail server first."
)


def key_digest(key: str) -> str:
    """The digest stored for a key; the key cannot be read from it."""
    return sha256(key.encode()).hexdigest()


def valid_tokens() -> QuerySet[ApiToken]:
    """The keys that are valid now."""
    not_ended = Q(ends_at=None) | Q(ends_at__gt=timezone.now())
    return ApiToken.objects.filter(not_ended, revoked_at=None, user__is_active=True)


def find_token(key: str) -> ApiToken | None:
    """The living token with this key, with its account and club; one query."""
    return valid_tokens().select_related("user", "club").filter(digest=key_digest(key)).first()


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """Every key that someone has now, the newest first; one query."""
    return valid_tokens().filter(user=user).select_related("club").order_by("-made_at", "-pk")


def memberships_of(club: Club) -> QuerySet[Membership]:
    """Everyone with a role in the club, secretaries first, then by role and name; one query."""
    ranks = [When(role=role, then=Value(rank)) for rank, role in enumerate(Role)]
    people = Membership.objects.filter(club=club).select_related("user", "player", "club")
    rank = Case(*ranks, output_field=IntegerField())
    return people.order_by(rank, Lower("user__name"), "user__email", "pk")


def people_with_roles(club: Club) -> list[Membership]:
    """The same people by role and surname, and whether they have two-step verification; one query.

    That is ``has_second_step``.
    """
    second_step = Exists(Authenticator.objects.filter(user=OuterRef("user")))
    people = memberships_of(club).annotate(has_second_step=second_step)
    ranks = list(Role)
    return sorted(
        people,
        key=lambda membership: (
            ranks.index(Role(membership.role)),
            surname_key(membership.user.name),
        ),
    )


def invitations_of(club: Club) -> QuerySet[RoleInvitation]:
    """Everyone who has been invited and has not accepted yet; one query."""
    return RoleInvitation.objects.filter(club=club).select_related("player", "invited_by")


def players_without_a_role(club: Club) -> QuerySet[Player]:
    """Members of the club who cannot sign in yet."""
    return club.players.filter(is_active=True, erased_on=None, membership=None)


def secretaries_of(club: Club) -> QuerySet[User]:
    """Everyone who runs the club and can sign in."""
    return User.objects.filter(
        is_active=True, memberships__club=club, memberships__role=Role.SECRETARY
    )


def invitations_by_link() -> QuerySet[RoleInvitation]:
    """Invitations with their clubs, to be looked up by key."""
    return RoleInvitation.objects.select_related("club", "player", "invited_by")


def clubs_of(user: User | AnonymousUser) -> list[Club]:
    """The clubs that someone signed in belongs to, all for a superuser; never a rehearsal.

    A superuser who has yet to set up the second step sees only their own.
    """
    if not isinstance(user, User):
        return []
    if authentication.is_operator(user):
        return list(Club.objects.filter(rehearsal_of=None).order_by("name"))
    return own_clubs_of(user)


def own_clubs_of(user: User) -> list[Club]:
    """The clubs in which someone has a role, by name; never a rehearsal."""
    clubs = Club.objects.filter(memberships__user=user.pk, rehearsal_of=None)
    return list(clubs.order_by("name"))


def delete_unused_accounts(keys: Iterable[int]) -> None:
    """Delete those of these accounts that have no role in any club, with their sessions.

    A superuser's account stays.
    """
    accounts = User.objects.filter(pk__in=keys, memberships=None, is_superuser=False)
    emails = dict(accounts.values_list("pk", "email"))
    accounts.delete()
    _delete_sessions(emails)


def _delete_sessions(accounts: Mapping[int, str]) -> None:
    """Delete the sessions of these accounts, whose email addresses are given by key.

    A session is sealed text: it is found by reading each of them.
    """
    if not accounts:
        return
    users, emails = set(map(str, accounts)), {json.dumps(email) for email in accounts.values()}
    for session in Session.objects.iterator():
        fields = session.get_decoded()
        text = json.dumps(fields)
        if fields.get("_auth_user_id") in users or any(email in text for email in emails):
            SessionStore(session.session_key).delete()


class NewToken(NamedTuple):
    """A new token, and its key, which is shown only once."""

    token: ApiToken
    key: str


@transaction.atomic
def make_token(
    *,
    user: User,
    name: str,
    scopes: Iterable[str],
    club: Club | None = None,
    days: int | None = YEAR_DAYS,
    parent: ApiToken | None = None,
) -> NewToken:
    """Create a key for a program, valid for ``days`` days or (None) until it is revoked.

    One that was made ``parent`` another key is revoked with it. Only its digest is stored. Raises
    ``Refused`` for a user with fifty keys, without any scope, and if all their keys, or that key,
    were revoked meanwhile.
    """
    now = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if now.get_session_auth_hash() != user.get_session_auth_hash():
        raise refuse("signed_out", "You have been signed out. Sign in, then create the key.")
    if parent is not None and not valid_tokens().filter(pk=parent.pk).exists():
        raise refuse("revoked", "This API key no longer works.")
    if len(tokens_of(user)) >= MAX_KEYS:
        raise refuse("too_many", f"You already have {MAX_KEYS} keys. Revoke any that are not used.")
    scope_values = [scope.value for scope in Scope if scope in set(scopes)]
    if not scope_values:
        raise refuse("no_scope", "Choose at least one permission.", "scopes")
    key = KEY_PREFIX + secrets.token_urlsafe(30)
    token = ApiToken.objects.create(
        user=user,
        club=club,
        parent=parent,
        name=name,
        beginning=key[:SHOWN_KEY_LENGTH],
        digest=key_digest(key),
        scopes=scope_values,
        ends_at=None if days is None else timezone.now() + timedelta(days=days),
    )
    return NewToken(token, key)


def note_use(*, token: ApiToken, now: datetime) -> None:
    """Note when a key was last used; writes at most once a minute."""
    if token.used_at is None or token.used_at <= now - USE_NOTED_EVERY:
        stale = Q(used_at=None) | Q(used_at__lte=now - USE_NOTED_EVERY)
        ApiToken.objects.filter(stale, pk=token.pk).update(used_at=now)


@transaction.atomic
def revoke_token(*, token: ApiToken) -> None:
    """Revoke an API key, and those that were created with it; idempotent."""
    User.objects.select_for_update(no_key=True).get(pk=token.user_id)  # none is being created
    tokens = ApiToken.objects.filter(pk=token.pk)
    while tokens:
        keys = list(tokens.values_list("pk", flat=True))
        ApiToken.objects.filter(pk__in=keys, revoked_at=None).update(revoked_at=timezone.now())
        tokens = ApiToken.objects.filter(parent__in=keys, revoked_at=None)


@transaction.atomic
def sign_out_everywhere(*, user: User, reason: str = "you signed out everywhere") -> list[str]:
    """End all of the user's sessions, including this one, and revoke all API keys.

    ``user`` is refreshed from the database. Returns the names of the keys, which are also emailed.
    """
    User.objects.filter(pk=user.pk).update(signed_out=F("signed_out") + 1)
    user.refresh_from_db(fields=["signed_out"])
    return revoke_all_tokens(user=user, reason=reason)


@transaction.atomic
def revoke_all_tokens(*, user: User, reason: str) -> list[str]:
    """Revoke every API key; an email names them, if any, and the reason (a clause).

    Returns the names, newest first.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    names = [token.name for token in tokens_of(user)]
    ApiToken.objects.filter(user=user, revoked_at=None).update(revoked_at=timezone.now())
    if names:
        adapter, context = get_adapter(), {"keys": names, "reason": reason}
        transaction.on_commit(  # robust: without a mail server the keys are revoked all the same
            lambda: adapter.send_notification_mail("account/email/keys_ended", user, context),
            robust=True,
        )
    return names


def request_address_change(*, user: User, email: str) -> str:
    """Email a link to the new address, and return it.

    Only its owner learns if it already has an account. Raises ``Refused`` where the
    installation does not send email.
    """
    if not sends_email():
        raise refuse("no_mail_server", NO_CONFIRMATION_MESSAGE, "email")
    email = email.lower()
    count_confirmation(email)
    if User.objects.filter(email=email).exists():
        get_adapter().send_mail("account/email/address_taken", email, {})
        return email
    fields = {"person": user.pk, "was": user.email, "email": email}
    path = reverse("account_confirm_email", args=[signing.dumps(fields, salt=ADDRESS_SALT)])
    context = {"activate_url": f"{site_address()}{path}"}
    get_adapter().send_mail("account/email/email_confirmation", email, context)
    return email


def change_address(*, key: str) -> User:
    """Change the address to the one in the emailed link; notifies the old one.

    Raises ``Refused`` for a link that is over a day old or was used, or if the address is taken.
    """
    fields = read_address_link(key)
    with transaction.atomic():
        users = User.objects.select_for_update()
        user = users.filter(pk=fields["person"], email=fields["was"]).first()
        if user is None or User.objects.filter(email=fields["email"]).exists():
            raise refuse("used_link", "This link has already been used.", "key")
        user.email = fields["email"]
        user.save(update_fields=["email"])
    context = {"to_email": user.email}
    get_adapter().send_notification_mail(
        "account/email/email_changed", user, context, fields["was"]
    )
    return user


def read_address_link(key: str) -> dict[str, str]:
    """The payload of an emailed link: ``person``, ``was`` and ``email``. Raises ``Refused``."""
    try:
        fields: dict[str, str] = signing.loads(key, salt=ADDRESS_SALT, max_age=ADDRESS_LINK_AGE)
    except signing.BadSignature as bad:
        raise refuse("bad_link", "This link has expired.", "key") from bad
    return fields


@transaction.atomic
def invite(
    *, club: Club, email: str, role: Role, invited_by: User, player: Player | None = None
) -> RoleInvitation:
    """Invite someone to a role; a second invitation of the same person replaces the first.

    Raises ``Refused`` for an address that has a role in the club already or is somebody else's
    invitation, in a practice club, and for a member who can already sign in. The email is sent by
    ``send_invitation``.
    """
    lock_club(club.pk)
    email = email.lower()
    if club.rehearsal_of_id is not None:
        raise refuse("is_rehearsal", "You cannot invite people to a practice evening.")
    if player is not None and Membership.objects.filter(player=player).exists():
        raise refuse("has_a_role", f"{player.name} can already sign in.", "player")
    _refuse_address_of_another(club, email, player)
    if sends_email():
        count_mails(club, [email])
    invitation, _ = RoleInvitation.objects.update_or_create(
        club=club,
        email=email,
        defaults={
            "role": role,
            "player": player,
            "invited_by": invited_by,
            "key": link_key(),
            "sent_at": timezone.now(),
        },
    )
    return invitation


def _refuse_address_of_another(club: Club, email: str, player: Player | None) -> None:
    """A couple may share an address in the member list, but each needs one to sign in with."""
    holders = Membership.objects.filter(club=club, user__email=email)
    if current := holders.select_related("player").first():
        role, other_player = current.get_role_display(), current.player
        if player and other_player and other_player != player:
            message = (
                f"{other_player.name} signs in with {email}. {player.name} needs another address."
            )
        else:
            message = f"{email} is already a {role} here. Change the role in the list above."
        raise refuse("has_a_role", message, "email")
    waiting = RoleInvitation.objects.filter(club=club, email=email).select_related("player").first()
    invited_player = waiting.player if waiting and not waiting.has_ended else None
    if invited_player and invited_player != player:
        message = (
            f"{invited_player.name} is already invited with {email}. Withdraw that invitation, or "
            "use another address."
        )
        raise refuse("address_taken", message, "email")


def send_invitation(*, invitation: RoleInvitation) -> bool:
    """Email the link of an invitation; False if no mail server accepted it.

    Of a new club that nobody has looked at, it tells neither names nor anything else they typed.
    """
    if not sends_email():
        return False
    context = {
        "invitation": invitation,
        "link": invitation_link(invitation),
        "site_address": site_address(),
        "is_new": is_unreviewed_club(invitation.club),
    }
    subject = f"{invitation.club.name}: your invitation"
    if is_unreviewed_club(invitation.club):
        subject = "Your invitation to a mah-jong club"
    body = render_to_string("account/email/role_invitation_message.txt", context).strip()
    try:
        send_notice(subject, f"{body}\n", [invitation.email])
    except (SMTPException, OSError):
        return False
    return True


def invitation_link(invitation: RoleInvitation) -> str:
    return site_address() + reverse("role-invitation", args=[invitation.key])


@transaction.atomic
def renew_invitation(*, invitation: RoleInvitation) -> RoleInvitation:
    """Give an invitation a new link, valid for two weeks; the old link stops working.

    Raises ``Refused`` beyond the day's limit of emails.
    """
    if sends_email():
        count_mails(invitation.club, [invitation.email])
    invitation.key, invitation.sent_at = link_key(), timezone.now()
    invitation.save(update_fields=["key", "sent_at"])
    return invitation


@transaction.atomic
def accept_invitation(*, invitation: RoleInvitation, user: User) -> Membership:
    """Give the role to the holder of the invitation's link. Raises ``Refused`` if it expired.

    Someone who already has a role keeps the higher of the two.
    """
    lock_club(invitation.club_id)
    current = RoleInvitation.objects.filter(pk=invitation.pk, key=invitation.key).first()
    if current is None or current.has_ended:
        message = "This invitation has been used, withdrawn, or has expired."
        raise refuse("used_link", message, "key")
    role, player = Role(current.role), current.player
    membership = Membership.objects.filter(club=current.club_id, user=user).first()
    if membership is None:
        membership = Membership(club_id=current.club_id, user=user)
    elif list(Role).index(Role(membership.role)) < list(Role).index(role):
        role = Role(membership.role)
    is_free = player is not None and not Membership.objects.filter(player=player).exists()
    if membership.player_id is None and is_free:
        membership.player = player
    membership.role = role
    membership.save()
    current.delete()
    if role in ORGANISERS:
        _tell_secretaries(membership, f"{user} is now a {membership.get_role_display()}")
    return membership


def possible_own_records(club: Club, user: User) -> tuple[Player, ...]:
    """Who may be this account's owner, who is joined to no one yet; at most two queries."""
    if not club.memberships.filter(user=user.pk, player=None).exists():
        return ()
    condition = Q(name_key=name_key(user.name)) | Q(email__iexact=user.email, email__gt="")
    return tuple(active_records(club).filter(condition, membership=None).order_by("pk"))


def has_account(player: Player) -> bool:
    """Whether an account is joined to this record; one query."""
    return Membership.objects.filter(player=player).exists()


@transaction.atomic
def join_member(*, user: User, player: Player) -> Membership:
    """Join an account that has a role in the club to its own record; the role stays.

    Raises ``Refused`` where the account or the record is joined already.
    """
    lock_club(player.club_id)
    membership = Membership.objects.filter(club=player.club_id, user=user).first()
    if membership is None:
        raise refuse("no_role", "You have no role in this club.")
    if membership.player_id == player.pk:
        return membership
    if membership.player:
        message = f"You are {membership.player.name} on the list. Merge the two records instead."
        raise refuse("is_joined", message)
    if has_account(player):
        raise refuse("has_a_role", f"{player.name} already signs in with another account.")
    membership.player = player
    membership.save(update_fields=["player"])
    return membership


@transaction.atomic
def accept_with_new_account(*, invitation: RoleInvitation, name: str, password: str) -> Membership:
    """Create an account for the invited address and give it the role.

    Raises ``Refused`` for an invalid name, and for an address that already has an account: its
    owner must sign in first.
    """
    if fault := name_fault(name):
        raise refuse("bad_name", fault, "name")
    lock_club(invitation.club_id)
    if User.objects.filter(email=invitation.email).exists():
        raise refuse("email_taken", "This address has an account. Sign in to accept.", "email")
    user = User.objects.create_user(invitation.email, password, name=tidy_name(name))
    return accept_invitation(invitation=invitation, user=user)


@transaction.atomic
def change_role(
    *, membership: Membership, role: Role, page_state: ShownState | None = None
) -> Membership:
    """Change someone's role.

    Raises ``Refused`` for the club's only secretary, and ``Overtaken`` if the role is neither the
    one ``page_state`` nor the one wanted.
    """
    lock_club(membership.club_id)
    current = _lock_membership(membership)
    if current.role == role:
        return current
    _refuse_overtaken(current, page_state)
    if role is not Role.SECRETARY:
        _refuse_last_secretary(current)
    current.role = role
    current.save(update_fields=["role"])
    _tell_secretaries(current, f"{current.user} is now a {current.get_role_display()}")
    return current


@transaction.atomic
def remove_role(*, membership: Membership, page_state: ShownState | None = None) -> None:
    """Remove someone's role and revoke their keys for the club.

    Raises ``Refused`` for the only secretary, and ``Overtaken`` if the role is not the one
    ``page_state``. Results and the member's record stay.
    """
    lock_club(membership.club_id)
    current = _lock_membership(membership)
    _refuse_overtaken(current, page_state)
    _refuse_last_secretary(current)
    keys = ApiToken.objects.filter(user=current.user_id, club=current.club_id, revoked_at=None)
    keys.update(revoked_at=timezone.now())
    _tell_secretaries(current, f"{current.user} no longer has a role")
    current.delete()


def _refuse_overtaken(current: Membership, page_state: ShownState | None) -> None:
    if page_state and page_state.state not in ("", current.role):
        event = Event(current.club, "person", current.pk, {"role-change": ""})
        raise overtaken_refusal(event, page_state)


def _lock_membership(membership: Membership) -> Membership:
    current = Membership.objects.select_related("user", "club").filter(pk=membership.pk).first()
    if current is None:
        raise refuse("gone", "Someone else has removed this person in the meantime.")
    return current


def _refuse_last_secretary(membership: Membership) -> None:
    if membership.role != Role.SECRETARY:
        return
    secretaries = Membership.objects.filter(club=membership.club_id, role=Role.SECRETARY)
    if not secretaries.exclude(pk=membership.pk).exists():
        message = "A club needs a secretary. Make someone else a secretary first."
        raise refuse("only_secretary", message, "role")


def _tell_secretaries(membership: Membership, summary: str) -> None:
    """Email every secretary once committed; without a mail server the page says it."""
    club = membership.club
    page = site_address() + reverse("roles", args=[club.slug])
    text = f"{summary} at {club.name}.\n\nIf this is not right, change it here:\n{page}\n"
    recipients = list(secretaries_of(club).values_list("email", flat=True))

    def send() -> None:
        for email in recipients:
            send_notice(f"{club.name}: {summary}", text, [email], fail_silently=True)

    transaction.on_commit(send)
