"""Erasing people: their names go everywhere, results stay with everyone else's. It is for good."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from django.db import transaction
from django.db.models import CharField, F, Model

from clubs.core.locks import lock_club
from clubs.members.person_columns import Former, erased_values
from clubs.models import (
    Alias,
    Club,
    Erasure,
    MemberImport,
    Membership,
    Player,
    PlayerMerge,
    RoleInvitation,
    User,
)
from clubs.models.names import name_key
from clubs.models.tenancy import within
from clubs.selectors.erasing import (
    former_names,
    has,
    records_of,
    rows_to_keep,
    rows_to_let_go,
    traces_of,
    what_forbids,
)
from clubs.selectors.traces import rows_naming
from clubs.services.erasing_files import forget_files
from clubs.traces import Traces
from scoring.scorebook.refusals import refuse

OCCASIONS = ("session", "tournament")


def erase_player(*, player: Player, today: date, made_by: User | None = None) -> Player:
    """One person; refuses the only secretary, a record under another, and who is erased."""
    erased = erase_people(
        people={player.pk: "One person, on request"},
        club=player.club,
        today=today,
        made_by=made_by,
    )
    return erased[0]


@transaction.atomic
def erase_people(
    *, club: Club, people: Mapping[int, str], today: date, made_by: User | None = None
) -> list[Player]:
    """These people (by key, with why) of the club, each with every record made one with theirs.

    What names them in words is said without them, in the club and in its rehearsals; what the
    books of evenings and tournaments have sealed stays as it was sealed.
    """
    lock_club(club.pk)
    found = list(Player.objects.filter(club=club, pk__in=people).select_related("club"))
    for player in found:
        if why_not := what_forbids(player):
            raise refuse("not_now", why_not)
    records = _renamed(club, found)
    _forget(club, records, today)
    for player in found:
        Erasure.objects.create(club=club, player=player, what=people[player.pk], made_by=made_by)
    _close_sign_ins([one for theirs in records.values() for one in theirs])
    return list(Player.objects.filter(pk__in=people))


def _renamed(club: Club, found: Sequence[Player]) -> dict[str, list[Player]]:
    """Everyone's records by the name that they will have."""
    names = former_names(club, len(found))
    return {name: records_of(player) for name, player in zip(names, found, strict=True)}


def _forget(club: Club, records: Mapping[str, list[Player]], today: date) -> None:
    traces = traces_of(club, records)
    everybody = [one for theirs in records.values() for one in theirs]
    namesakes = {name_key(one.name) for one in everybody}
    for rows in rows_to_let_go(everybody):
        if rows.model is not Membership:
            rows.delete()
    Alias.objects.filter(player__in=everybody).delete()
    emails = {one.email.lower() for one in everybody if one.email}
    RoleInvitation.objects.filter(club=club, email__in=emails).delete()
    for name, theirs in records.items():
        _rename_rows(club, name, theirs)
    _forget_lists(club, {one.pk for one in everybody})
    _empty_rows(club, records, today)
    _say_otherwise(club, traces)
    _tell_pages(everybody)
    forget_files(club=club, traces=traces)
    _forget_rehearsals(club, namesakes, today)


def _rename_rows(club: Club, former: str, theirs: Sequence[Player]) -> None:
    """Names beside a link to a person, and those written before there was such a link."""
    keys = {name_key(one.name) for one in theirs}
    for rows in rows_to_keep(theirs):
        if not has(rows.model, "name_key"):
            continue
        rows.update(name=former, name_key=name_key(former))
        unlinked = rows.model._default_manager.filter(
            tournament__club=club, player=None, from_club="", name_key__in=keys
        )
        unlinked.update(name=former, name_key=name_key(former))


def _forget_lists(club: Club, people: set[int]) -> None:
    """What lists that were read in and merges have kept of before."""
    for made in MemberImport.objects.filter(club=club):
        before = {key: kept for key, kept in made.before.items() if int(key) not in people}
        added = [key for key in made.added if key not in people]
        if (before, added) != (made.before, made.added):
            made.before, made.added = before, added
            made.save(update_fields=["before", "added"])
    merges = PlayerMerge.objects.filter(club=club)
    merges.filter(kept__in=people).update(moved={})
    merges.filter(gone__in=people).update(moved={})


def _empty_rows(club: Club, records: Mapping[str, Sequence[Player]], today: date) -> None:
    """Nothing is left of a person's row but what ``PERSON_COLUMNS`` keeps."""
    count = sum(map(len, records.values()))
    spare = iter(former_names(club, count)[len(records) :])
    for former, (kept, *gone) in records.items():
        for record, name in [(kept, former), *((one, next(spare)) for one in gone)]:
            Player.objects.filter(pk=record.pk).update(**erased_values(Former(name, today)))


def _say_otherwise(club: Club, traces: Traces) -> None:
    """Every sentence, list and note of the club that names someone who is erased."""
    for naming in list(rows_naming(club, traces)):
        told = {
            column: _fitting(naming.model, column, traces.out_of(value))
            for column, value in naming.values.items()
        }
        naming.model._default_manager.filter(pk=naming.pk).update(**told)


def _fitting(model: type[Model], column: str, value: Any) -> Any:
    field = model._meta.get_field(column)
    most = field.max_length if isinstance(field, CharField) else None
    return value if most is None else value[:most]


def _tell_pages(people: Iterable[Player]) -> None:
    """Pages that show an evening or tournament of theirs are to ask anew."""
    for rows in rows_to_keep(people):
        for occasion in OCCASIONS:
            if has(rows.model, occasion):
                event: Any = rows.model._meta.get_field(occasion).related_model
                shown = event._default_manager.filter(pk__in=rows.values(occasion))
                shown.update(version=F("version") + 1)


def _close_sign_ins(people: Iterable[Player]) -> None:
    """A sign-in goes with its last club; that of whoever looks after the machine stays."""
    for held in Membership.objects.filter(player__in=list(people)).select_related("user"):
        held.delete()
        if not held.user.is_superuser and not held.user.memberships.exists():
            held.user.delete()


def _forget_rehearsals(club: Club, namesakes: set[str], today: date) -> None:
    """Copies of the club in which something is tried out hold the same people."""
    for copy in club.rehearsals.all():
        with within(copy.pk):
            players = Player.objects.filter(club=copy, name_key__in=namesakes, erased_on=None)
            keys = players.values_list("pk", flat=True)
            if people := dict.fromkeys(keys, "As in the club itself"):
                erase_people(club=copy, people=people, today=today)
