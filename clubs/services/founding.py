"""A new club and its secretary; a sign-in and a role for someone of a club."""

import secrets
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils.text import slugify

from clubs.models import Club, Membership, Role, User
from clubs.models.names import name_fault, tidy_name
from scoring import rule_set_keys
from scoring.scorebook.refusals import refuse


@dataclass(frozen=True, slots=True)
class Granted:
    """A role given; the password is None when the person could sign in already."""

    membership: Membership
    password: str | None


@transaction.atomic
def found_club(*, name: str, email: str, rules: str = "bmja") -> Granted:
    """A club of that name, playing these rules, whose secretary signs in with the address."""
    if fault := name_fault(name):
        raise refuse("bad_name", fault, "name")
    slug = slugify(tidy_name(name))[:60]
    if not slug:
        raise refuse("bad_name", "The club's name needs at least one letter from A to Z.", "name")
    if Club.objects.filter(slug=slug).exists():
        raise refuse("name_taken", "There is already a club with that name.", "name")
    if rules not in rule_set_keys():
        known = ", ".join(rule_set_keys())
        raise refuse("bad_value", f"There are no rules “{rules}”; there are {known}.", "rules")
    club = Club.objects.create(name=tidy_name(name), slug=slug, rules=rules)
    return give_role(club=club, email=email, role=Role.SECRETARY)


@transaction.atomic
def give_role(*, club: Club, email: str, role: Role, name: str = "") -> Granted:
    """Give someone a role in the club instead of any they had, and a sign-in if they have none."""
    try:
        validate_email(email)
    except ValidationError as error:
        raise refuse("bad_email", f"{email} is not a valid email address.", "email") from error
    user = User.objects.filter(email=email.lower()).first()
    password = None if user else secrets.token_urlsafe(9)
    user = user or User.objects.create_user(email, password, name=tidy_name(name))
    membership, _ = Membership.objects.update_or_create(
        club=club, user=user, defaults={"role": role}
    )
    return Granted(membership, password)
