"""Everything held on one person, as headed parts."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from django.apps import apps
from django.db.models import Q
from django.utils import timezone

from clubs.evenings.selectors.calendar import in_pounds
from clubs.language.moments import long_date, long_moment
from clubs.members.person_columns import PERSON_COLUMNS, Heading
from clubs.models import (
    Alias,
    ApiToken,
    Attendance,
    Credit,
    Handicap,
    Invitation,
    MemberImport,
    Membership,
    Message,
    Player,
    PlayerMerge,
    RoleInvitation,
    SentResult,
    SessionSeat,
    StandBy,
    TableMoney,
    User,
    Wish,
)
from clubs.privacy.redaction import Traces, names_to_find, texts_in
from clubs.privacy.selectors.erasure import records_of, rows_naming, traces_of
from scoring.scorebook.models import (
    Agreement,
    Decision,
    EntryKind,
    Hand,
    LedgerEntry,
    Repair,
    Seat,
    TappedHand,
)


@dataclass(frozen=True, slots=True)
class Part:
    """A heading, what it is about, and its rows; ``tables`` are those that it tells."""

    title: str
    about: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    tables: tuple[str, ...]


def part(
    title: str, about: str, columns: str, rows: Iterable[Iterable[object]], *tables: str
) -> Part:
    """A heading; ``columns`` parted by a bar, what is None left empty."""
    words = tuple(tuple(in_words(cell) for cell in row) for row in rows)
    return Part(title, about, tuple(columns.split("|")), words, tables)


def in_words(cell: object) -> str:
    """A value as a person reads it."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, datetime):
        return long_moment(cell)
    if isinstance(cell, date):
        return long_date(cell)
    return str(cell)


NOTHING = "–"
AS = {
    "made_by": "who made it",
    "asked_by": "who asked",
    "taken_by": "who took it",
    "invited_by": "who invited them",
}
EMAIL_ADDRESS = "account.EmailAddress"
SECOND_STEP = "mfa.Authenticator"


def person_parts(records: Sequence[Player]) -> list[Part]:
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
    memberships = Membership.objects.filter(player__in=records).select_related("user")
    rows = [
        (
            membership.user.email,
            membership.user.name,
            membership.get_role_display(),
            membership.user.date_joined,
            membership.user.last_login,
        )
        for membership in memberships
    ]
    about = "Your password is stored in a scrambled form that no one can read."
    columns = "Email|Name|Role in the club|Since|Last signed in"
    return part("How you sign in", about, columns, rows, "clubs.Membership", "clubs.User")


def _addresses(users: Sequence[User]) -> Part:
    emails = apps.get_model(EMAIL_ADDRESS)._default_manager.filter(user__in=users)
    rows = [
        *(
            ("Email address", email.email, "confirmed" if email.verified else "not confirmed")
            for email in emails
        ),
    ]
    rows += [
        (
            f"API key: {api_token.name}",
            f"{api_token.beginning}…",
            f"created {long_date(api_token.made_at)}",
        )
        for api_token in ApiToken.objects.filter(user__in=users)
    ]
    rows += [
        (
            f"Two-step verification: {item.get_type_display()}",
            "a secret",
            f"created {long_date(item.created_at)}",
        )
        for item in apps.get_model(SECOND_STEP)._default_manager.filter(user__in=users)
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
    keys, rows = {player.pk for player in records}, []
    for made in MemberImport.objects.filter(club=records[0].club_id):
        for key in keys:
            value = made.before.get(str(key))
            if value is None and key not in made.added:
                continue
            changed = (value or {}).get("fields", {})
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
        (
            player_merge.made_at,
            player_merge.kept.name,
            player_merge.gone.name,
            "separate again" if player_merge.undone_at else "one",
        )
        for player_merge in merges.select_related("kept", "gone")
    ]
    about = "Duplicate records of you that were merged."
    return part("Merged records", about, "When|Record|Other record|Now", rows, "clubs.PlayerMerge")


Places = Mapping[Seat, str]
HANDS = "scorebook.Hand"
TILE = re.compile("[A-Z][A-Z1-9]")
ABOUT_HANDS = (
    "Every hand that counts, with the parts that concern you. Other people’s scores are left out. "
    "Tiles are "
    "written short: B6 is the 6 of bamboos, C of characters, O of circles, W a wind, D a dragon, "
    "F a flower, S a season."
)


def play_parts(records: Sequence[Player]) -> list[Part]:
    """Evenings and what counts for the league, then every hand at the club’s tables."""
    session_seats = SessionSeat.objects.filter(player__in=records).order_by("session__held_on")
    seated = list(session_seats.select_related("session", "table", "seat__game"))
    places = {
        seat.seat: f"{long_date(seat.session.held_on)}, table {seat.table.at}" for seat in seated
    }
    return [
        _visits(records),
        _evenings(seated),
        *played(places, "at the club"),
        _league(records),
    ]


def played(places: Places, where: str) -> list[Part]:
    """Everything the score book has on these seats; also for a tournament’s."""
    return [
        _hands(places, where),
        _agreements(places, where),
        _ruled(places, where),
        _entries(places, where),
        _repairs(places, where),
        _tapped(places, where),
    ]


def _visits(records: Sequence[Player]) -> Part:
    here = Attendance.objects.filter(player__in=records).order_by("session__held_on")
    rows = [[day] for day in here.values_list("session__held_on", flat=True)]
    about = "Evenings when you were checked in."
    return part("Visits", about, "Evening", rows, "clubs.Attendance", "clubs.Session")


def _evenings(seated: Sequence[SessionSeat]) -> Part:
    rows = [
        (
            seat.session.held_on,
            seat.table.at,
            seat.seat.points,
            seat.seat.hands,
            seat.seat.mahjongs,
            seat.seat.best_hand,
        )
        for seat in seated
    ]
    return part(
        "Evenings played",
        "Where you sat and what it came to.",
        "Evening|Table|Points|Hands|Mah-Jongs|Best hand",
        rows,
        "clubs.SessionSeat",
        "clubs.SessionTable",
        "scorebook.Seat",
    )


def _league(records: Sequence[Player]) -> Part:
    missed = Credit.objects.filter(player__in=records).select_related("session")
    handicaps = Handicap.objects.filter(player__in=records).select_related("season__league")
    rows = [
        *((credit.session.held_on, f"Missed on club duty: {credit.reason}") for credit in missed),
        *(
            (handicap.season, f"Handicap of {handicap.points:+d} an evening")
            for handicap in handicaps
        ),
    ]
    about = "What counts for you besides the hands."
    return part("League", about, "When|What", rows, "clubs.Credit", "clubs.Handicap")


def _hands(places: Places, where: str) -> Part:
    by_game = {seat.game_id: seat for seat in places}
    hands = Hand.objects.filter(game__in=by_game, is_current=True).order_by("game_id", "number")
    rows = [_hand(hand, by_game[hand.game_id], places) for hand in hands]
    return part(
        f"Hands {where}",
        ABOUT_HANDS,
        "Where|Hand|Recorded|Your score|Your gain|Mah-Jong|State|Your tiles",
        rows,
        HANDS,
    )


def _hand(hand: Hand, seat: Seat, places: Places) -> tuple[object, ...]:
    won = {None: "nobody", seat.number: "you"}.get(hand.winner, "another player")
    tiles = hand.report.get("tiles", {}).get(str(seat.number), {})
    return (
        places[seat],
        hand.number,
        hand.sent_at,
        hand.scores.get(seat.number),
        hand.gains.get(seat.number, "sat out"),
        won,
        hand.get_state_display(),
        " ".join(text for text in texts_in(tiles) if TILE.fullmatch(text)),
    )


def _agreements(places: Places, where: str) -> Part:
    by_game = {(seat.game_id, seat.number): label for seat, label in places.items()}
    said = Agreement.objects.filter(hand__game__in={game for game, _ in by_game}).order_by("pk")
    rows = [
        (
            label,
            agreement.hand.number,
            agreement.said_at,
            "agreed" if agreement.agrees else "disputed",
            agreement.note,
        )
        for agreement in said.select_related("hand")
        if (label := by_game.get((agreement.hand.game_id, agreement.seat)))
    ]
    columns = "Where|Hand|When|Said to be|In your words"
    about = "What you said about each hand from your seat."
    return part(f"Agreed and not agreed {where}", about, columns, rows, "scorebook.Agreement")


def _ruled(places: Places, where: str) -> Part:
    games = {seat.game_id: label for seat, label in places.items()}
    decisions = Decision.objects.filter(hand__game__in=games).select_related("hand").order_by("pk")
    rows = [
        (games[decision.hand.game_id], decision.hand.number, decision.made_at, decision.reason)
        for decision in decisions
    ]
    about = "Hands at your table that the scorer kept as entered."
    columns = "Where|Hand|When|Why"
    return part(f"Decided by the scorer {where}", about, columns, rows, "scorebook.Decision")


def _entries(places: Places, where: str) -> Part:
    """Hands are told already; what is left are penalties and hands that were taken back."""
    ledger_entries = (
        LedgerEntry.objects.filter(seat__in=places).exclude(kind=EntryKind.HAND).order_by("pk")
    )
    rows = [
        (
            places[ledger_entry.seat],
            ledger_entry.written_at,
            ledger_entry.get_kind_display(),
            f"{ledger_entry.points:+d}",
            ledger_entry.reason,
        )
        for ledger_entry in ledger_entries.select_related("seat")
    ]
    columns = "Where|When|What|Points|Why"
    about = "Undone hands, penalties and bonuses."
    return part(f"Corrections {where}", about, columns, rows, "scorebook.LedgerEntry")


def _repairs(places: Places, where: str) -> Part:
    games = {seat.game_id: label for seat, label in places.items()}
    repairs = Repair.objects.filter(games__game__in=games).distinct().order_by("pk")
    rows = [(repair.made_at, repair.get_kind_display(), repair.reason) for repair in repairs]
    about = "Corrections of several hands at your table."
    return part(f"Corrected {where}", about, "When|What|Why", rows, "scorebook.Repair")


def _tapped(places: Places, where: str) -> Part:
    mine = Q(pk__in=[])
    for seat in places:
        mine |= Q(game=seat.game_id, seat=seat.number)
    games = {seat.game_id: label for seat, label in places.items()}
    rows = [
        (games[tapped_hand.game_id], tapped_hand.number, tapped_hand.updated_at, tapped_hand.draft)
        for tapped_hand in TappedHand.objects.filter(mine)
    ]
    about = "Tiles you tapped that have not been sent yet."
    columns = "Where|Hand|When|Tiles"
    return part(f"Tiles being tapped {where}", about, columns, rows, "scorebook.TappedHand")


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


def message_parts(records: Sequence[Player]) -> list[Part]:
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
        (
            invitation.held_on,
            invitation.asked_at,
            invitation.get_answer_display(),
            invitation.answered_at,
        )
        for invitation in Invitation.objects.filter(player__in=records)
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
    rows = [[stand_by.since] for stand_by in StandBy.objects.filter(player__in=records)]
    about = "That you are on the substitutes list."
    return part("Substitutes list", about, "Since", rows, "clubs.StandBy")


def _messages(records: Sequence[Player]) -> Part:
    rows = [
        (
            message.sent_at or message.batch.made_at,
            message.email,
            message.subject,
            message.body,
            message.get_state_display(),
            message.answer,
        )
        for message in Message.objects.filter(player__in=records).select_related("batch")
    ]
    columns = "When|To|Subject|Words|State|What the mail server said"
    about = "What the club wrote to you."
    return part("Messages and letters", about, columns, rows, "clubs.Message", "clubs.Batch")


def _results(records: Sequence[Player]) -> Part:
    sent = SentResult.objects.filter(player__in=records).select_related("session")
    rows = [(sent_result.session.held_on, sent_result.sent_at) for sent_result in sent]
    about = "Evenings whose result was sent to you."
    return part("Results sent", about, "Evening|Sent", rows, "clubs.SentResult")


def _money(records: Sequence[Player]) -> Part:
    paid = TableMoney.objects.filter(player__in=records).select_related("session")
    rows = [
        (table_money.session.held_on, in_pounds(table_money.pence), table_money.taken_at)
        for table_money in paid
    ]
    about = "Table money you paid."
    return part("Table money", about, "Evening|Paid|Recorded", rows, "clubs.TableMoney")


def _wishes(records: Sequence[Player]) -> Part:
    """Whom a wish is about beside them, and why it was made, is the others' as much as theirs."""
    mine = Wish.objects.filter(Q(player__in=records) | Q(other__in=records)).distinct()
    rows = [
        (
            wish.get_kind_display(),
            f"table {wish.table}" if wish.table else ANOTHER,
            wish.until,
            "a note is kept for the secretary" if wish.reason else "",
        )
        for wish in mine
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
    theirs = Player.objects.filter(club=club).exclude(pk__in=[player.pk for player in records])
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


Room = Callable[[Sequence[Player]], Sequence[Part]]

ROOMS: Final[list[Room]] = [person_parts, play_parts, message_parts]

LEFT_OUT: Final[dict[str, str]] = {
    "auth.Group": "not used here",
    "auth.Permission": "not used here",
    "contenttypes.ContentType": "a list of the kinds of rows that the program has",
    "sessions.Session": "a random number for each browser in which you are signed in",
    "account.EmailConfirmation": "a random number while an email address is being confirmed",
    "clubs.Backup": "when the whole system was backed up",
    "clubs.Club": "the club itself",
    "clubs.Delivery": "numbers of evenings, tables and hands sent to another program",
    "clubs.KeptAnswer": "responses to API requests, kept for a day in case of retries",
    "clubs.League": "the club’s leagues; your place follows from the results above",
    "clubs.Season": "the club’s seasons; your place follows from the results above",
    "clubs.ReplacedLink": "old table links that no longer work",
    "clubs.Series": "when the club meets",
    "clubs.Holiday": "when the club does not meet",
    "clubs.Retention": "the club’s retention schedule",
    "scorebook.Book": "the seal over an evening’s or a tournament’s hands",
    "scorebook.Link": "sealed copies of the hands and words above",
    "scorebook.Edition": "rules of play",
    "scorebook.Game": "a table’s game; your hands in it are above",
    "scorebook.RepairedGame": "a table’s hands before several were corrected",
}


@dataclass(frozen=True, slots=True)
class Dossier:
    """All of it, as of a moment; ``left_out`` says what is not told, and why."""

    club: str
    name: str
    made_at: datetime
    parts: tuple[Part, ...]
    left_out: Mapping[str, str]

    @property
    def told(self) -> tuple[Part, ...]:
        """The headings under which there is something."""
        return tuple(part for part in self.parts if part.rows)

    @property
    def empty(self) -> tuple[Part, ...]:
        """The headings under which there is nothing."""
        return tuple(part for part in self.parts if not part.rows)


def open_room(room: Room, left_out: Mapping[str, str]) -> None:
    """Let another app tell what it holds; once, when the program starts."""
    if room not in ROOMS:
        ROOMS.append(room)
    LEFT_OUT.update(left_out)


def dossier(player: Player) -> Dossier:
    """Everything on the player and every record that was made one with theirs."""
    records = records_of(player)
    parts = [part for room in ROOMS for part in room(records)]
    return Dossier(
        player.club.name, player.name, timezone.localtime(), tuple(parts), dict(LEFT_OUT)
    )
