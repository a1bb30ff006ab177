"""What is held on a person: details, names, sign-in, lists and merges."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.apps import apps

from clubs.language.moments import long_date
from clubs.members.person_columns import PERSON_COLUMNS, Heading
from clubs.models import Alias, ApiToken, MemberImport, Membership, Player, PlayerMerge, User
from clubs.selectors.dossier_parts import Part, part

NOTHING = "–"
AS = {
    "made_by": "who made it",
    "asked_by": "who asked",
    "taken_by": "who took it",
    "invited_by": "who invited them",
}
EMAIL_ADDRESS = "account.EmailAddress"
SECOND_STEP = "mfa.Authenticator"


def parts(records: Sequence[Player]) -> list[Part]:
    """Details, other names, the sign-in and what was done with it, lists and merges."""
    users = list(User.objects.filter(memberships__player__in=records).distinct())
    return [
        _details(records),
        _names(records),
        _sign_in(records),
        _addresses(users),
        _acts(records, users),
        _imports(records),
        _merges(records),
    ]


def _details(records: Sequence[Player]) -> Part:
    title, about = Heading.DETAILS.value, "Your details as a member or guest."
    shown = [column for column in PERSON_COLUMNS if column.data_export == Heading.DETAILS]
    values = (
        (column.label, getattr(record, column.name)) for record in records for column in shown
    )
    rows = [
        (label.capitalize(), NOTHING if value in ("", None) else value) for label, value in values
    ]
    return part(title, about, "What|Held", rows, "clubs.Player")


def _names(records: Sequence[Player]) -> Part:
    rows = [[alias.name] for alias in Alias.objects.filter(player__in=records)]
    about = "Nicknames and previous names used to recognise you in lists."
    return part("Other names", about, "Name", rows, "clubs.Alias")


def _sign_in(records: Sequence[Player]) -> Part:
    held = Membership.objects.filter(player__in=records).select_related("user")
    rows = [
        (
            one.user.email,
            one.user.name,
            one.get_role_display(),
            one.user.date_joined,
            one.user.last_login,
        )
        for one in held
    ]
    about = "Your password is stored in a scrambled form that no one can read."
    columns = "Email|Name|Role in the club|Since|Last signed in"
    return part("How you sign in", about, columns, rows, "clubs.Membership", "clubs.User")


def _addresses(users: Sequence[User]) -> Part:
    emails = apps.get_model(EMAIL_ADDRESS)._default_manager.filter(user__in=users)
    rows = [
        *(
            ("Email address", one.email, "confirmed" if one.verified else "not confirmed")
            for one in emails
        ),
    ]
    rows += [
        (f"API key: {one.name}", f"{one.beginning}…", f"created {long_date(one.made_at)}")
        for one in ApiToken.objects.filter(user__in=users)
    ]
    rows += [
        (
            f"Two-step verification: {one.get_type_display()}",
            "a secret",
            f"created {long_date(one.created_at)}",
        )
        for one in apps.get_model(SECOND_STEP)._default_manager.filter(user__in=users)
    ]
    about = "What belongs to your account."
    tables = (EMAIL_ADDRESS, "clubs.ApiToken", SECOND_STEP)
    return part("Account: email addresses and API keys", about, "What|Held|State", rows, *tables)


def _acts(records: Sequence[Player], users: Sequence[User]) -> Part:
    """How often each table says that this sign-in did something in the club."""
    club, rows, tables = records[0].club_id, [], []
    for model, columns in tables_of_acts():
        tables.append(model._meta.label)
        for column in columns:
            where = {f"{column}__in": [user.pk for user in users], way_of(model): club}
            if count := model._default_manager.filter(**where).count():
                named = model._meta.verbose_name if count == 1 else model._meta.verbose_name_plural
                rows.append((f"{count} {named}", AS[column]))
    about = "Things recorded under your name when you did them for the club."
    return part("What you did for the club", about, "What|As", rows, *tables)


def tables_of_acts() -> Iterator[tuple[type[Any], list[str]]]:
    """Each table of clubs with a column for who did something."""
    for model in apps.get_app_config("clubs").get_models():
        columns = [
            field.name
            for field in model._meta.concrete_fields
            if field.related_model is User and field.null
        ]
        if columns:
            yield model, columns


def way_of(model: type[Any]) -> str:
    """The way to the club from a table of acts."""
    if any(field.name == "club" for field in model._meta.concrete_fields):
        return "club"
    return "session__club" if hasattr(model, "session") else "season__league__club"


def _imports(records: Sequence[Player]) -> Part:
    keys, rows = {one.pk for one in records}, []
    for made in MemberImport.objects.filter(club=records[0].club_id):
        for key in keys:
            told = made.before.get(str(key))
            if told is None and key not in made.added:
                continue
            changed = (told or {}).get("fields", {})
            words = "; ".join(f"{name}: {was} became {now}" for name, (was, now) in changed.items())
            state = "undone" if made.undone_at else ""
            rows.append((made.made_at, made.file_name, words, state))
    about = "Member imports that changed your details."
    return part("Imports", about, "When|File|What it changed|State", rows, "clubs.MemberImport")


def _merges(records: Sequence[Player]) -> Part:
    merges = PlayerMerge.objects.filter(kept__in=records) | PlayerMerge.objects.filter(
        gone__in=records
    )
    rows = [
        (one.made_at, one.kept.name, one.gone.name, "separate again" if one.undone_at else "one")
        for one in merges.select_related("kept", "gone")
    ]
    about = "Duplicate records of you that were merged."
    return part("Merged records", about, "When|Record|Other record|Now", rows, "clubs.PlayerMerge")
