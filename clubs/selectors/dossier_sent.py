"""What a person was asked, sent and has paid, and which words of the club name them."""

from collections.abc import Iterator, Sequence

from django.db.models import Q

from clubs.evenings.selectors.calendar import in_pounds
from clubs.models import (
    Alias,
    Invitation,
    Message,
    Player,
    RoleInvitation,
    SentResult,
    StandBy,
    TableMoney,
    Wish,
)
from clubs.selectors.dossier_parts import Part, part
from clubs.selectors.erasing import traces_of
from clubs.selectors.traces import rows_naming
from clubs.traces import Traces, names_to_find

ANOTHER = "another player"
TOLD_ELSEWHERE = frozenset(
    {
        "clubs.Message",
        "clubs.MemberImport",
        "clubs.PlayerMerge",
        "clubs.Wish",
        "tournaments.Drawing",
    }
)


def parts(records: Sequence[Player]) -> list[Part]:
    """Invitations, messages, money, wishes, and sentences of the club that name the person."""
    return [
        _invitations(records),
        _role_invitations(records),
        _stands_by(records),
        _messages(records),
        _results(records),
        _money(records),
        _wishes(records),
        _words(records),
    ]


def _invitations(records: Sequence[Player]) -> Part:
    rows = [
        (one.held_on, one.asked_at, one.get_answer_display(), one.answered_at)
        for one in Invitation.objects.filter(player__in=records)
    ]
    columns = "For|Asked|Your answer|Answered"
    about = "Evenings you were invited to."
    return part("Invitations", about, columns, rows, "clubs.Invitation")


def _role_invitations(records: Sequence[Player]) -> Part:
    rows = [
        (row.email, row.get_role_display(), row.sent_at, row.ends_at)
        for row in RoleInvitation.objects.filter(player__in=records)
    ]
    about = "Roles in the club you have been offered but not accepted yet."
    return part(
        "Roles offered", about, "Sent to|Role|Sent|Open until", rows, "clubs.RoleInvitation"
    )


def _stands_by(records: Sequence[Player]) -> Part:
    rows = [[one.since] for one in StandBy.objects.filter(player__in=records)]
    about = "That you are on the substitutes list."
    return part("Substitutes list", about, "Since", rows, "clubs.StandBy")


def _messages(records: Sequence[Player]) -> Part:
    rows = [
        (
            one.sent_at or one.batch.made_at,
            one.email,
            one.subject,
            one.body,
            one.get_state_display(),
            one.answer,
        )
        for one in Message.objects.filter(player__in=records).select_related("batch")
    ]
    columns = "When|To|Subject|Words|State|What the mail server said"
    about = "What the club wrote to you."
    return part("Messages and letters", about, columns, rows, "clubs.Message", "clubs.Batch")


def _results(records: Sequence[Player]) -> Part:
    sent = SentResult.objects.filter(player__in=records).select_related("session")
    rows = [(one.session.held_on, one.sent_at) for one in sent]
    about = "Evenings whose result was sent to you."
    return part("Results sent", about, "Evening|Sent", rows, "clubs.SentResult")


def _money(records: Sequence[Player]) -> Part:
    paid = TableMoney.objects.filter(player__in=records).select_related("session")
    rows = [(one.session.held_on, in_pounds(one.pence), one.taken_at) for one in paid]
    about = "Table money you paid."
    return part("Table money", about, "Evening|Paid|Recorded", rows, "clubs.TableMoney")


def _wishes(records: Sequence[Player]) -> Part:
    """Whom a wish is about beside them, and why it was made, is the others' as much as theirs."""
    mine = Wish.objects.filter(Q(player__in=records) | Q(other__in=records)).distinct()
    rows = [
        (
            one.get_kind_display(),
            f"table {one.table}" if one.table else ANOTHER,
            one.until,
            "a note is kept for the secretary" if one.reason else "",
        )
        for one in mine
    ]
    about = (
        "Seating preferences about you. Other people named in them are left out to protect them. "
        "Ask the secretary about any note."
    )
    return part("Seating preferences", about, "What|With|Until|Note", rows, "clubs.Wish")


def _words(records: Sequence[Player]) -> Part:
    about = "Notes that mention your name. Other people’s names are left out."
    return part("Notes that mention you", about, "Where|Words", _sentences(records))


def _sentences(records: Sequence[Player]) -> Iterator[tuple[str, str]]:
    club = records[0].club
    own = traces_of(club, {"": records})
    theirs = Player.objects.filter(club=club).exclude(pk__in=[one.pk for one in records])
    aliases = Alias.objects.filter(club=club).exclude(player__in=records)
    names = {*theirs.values_list("name", flat=True), *aliases.values_list("name", flat=True)}
    others = names_to_find(names) - own.instead.keys()
    hidden = Traces(dict.fromkeys(others, ANOTHER), frozenset(own.instead))
    for naming in rows_naming(club, own):
        if naming.model._meta.label not in TOLD_ELSEWHERE:
            for value in naming.values.values():
                for text in value if isinstance(value, list) else [value]:
                    if own.are_in(text):
                        yield (
                            str(naming.model._meta.verbose_name).capitalize(),
                            f"{hidden.out_of(text)}",
                        )
