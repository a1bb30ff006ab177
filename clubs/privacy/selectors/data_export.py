"""Everything held on one person: headed parts, as a page for a browser and as data."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime
from operator import attrgetter
from typing import Annotated, Any, Final

from django.apps import apps
from django.db.models import Q
from django.template.loader import render_to_string
from django.utils import timezone

from clubs import models
from clubs.evenings.selectors.calendar import in_pounds
from clubs.language.moments import long_date, long_moment
from clubs.members.person_columns import PERSON_COLUMNS, ExportHeading
from clubs.privacy.redaction import NameTraces, texts_in
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

NO_VALUE = "–"
ACT_COLUMNS = {
    "made_by": "who made it",
    "asked_by": "who asked",
    "taken_by": "who took it",
    "invited_by": "who invited them",
    "founded_by": "who started it",
}
EMAIL_ADDRESS = "account.EmailAddress"
SECOND_STEP = "mfa.Authenticator"
SeatNames = Mapping[Seat, str]
OTHER_PLAYER = "another player"
TILE_CODE = re.compile("[A-Z][A-Z1-9]")
HANDS_NOTE = (
    "Every hand that counts, with the parts that concern you. Other people’s scores are left out. "
    "Tiles are written short: B6 is the 6 of bamboos, C of characters, O of circles, W a wind, "
    "D a dragon, F a flower, S a season."
)

TABLES_WITH_OWN_PART = {
    "clubs.Message",
    "clubs.MemberImport",
    "clubs.PlayerMerge",
    "clubs.Wish",
    "tournaments.Drawing",
}

TABLES_LEFT_OUT: Final[dict[str, str]] = {
    "auth.Group": "not used here",
    "auth.Permission": "not used here",
    "contenttypes.ContentType": "a list of the kinds of rows that the program has",
    "sessions.Session": "a random number for each browser in which you are signed in",
    "account.EmailConfirmation": "a random number while an email address is being confirmed",
    "clubs.AwayCopy": "when a backup was copied to another place",
    "clubs.Backup": "when the whole system was backed up",
    "clubs.AgreedTerms": "the terms that clubs have agreed to",
    "clubs.DeletedClub": "the names of clubs that were deleted",
    "clubs.Delivery": "numbers of evenings, tables and hands sent to another program",
    "clubs.Installation": "the address at which phones open Tongbox",
    "clubs.SentMails": "how many emails a club sent on a day, under a code",
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

NEGATIVE_NUMBER = re.compile(r"-\d+")


@dataclass(frozen=True, slots=True)
class ExportPart:
    """A heading of the file on a person.

    ``tables`` are those whose data it holds.
    """

    title: str
    about: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    tables: tuple[str, ...]


def make_part(
    title: str, description: str, columns: str, rows: Iterable[Iterable[object]], *tables: str
) -> ExportPart:
    """A heading; ``columns`` parted by a bar, what is None left empty."""
    cells = tuple(tuple(cell_text(cell) for cell in row) for row in rows)
    return ExportPart(title, description, tuple(columns.split("|")), cells, tables)


def make_attribute_part(
    title: str, description: str, columns: Mapping[str, str], rows: Iterable[object], *tables: str
) -> ExportPart:
    """A heading with an attribute of each row in each column: ``{"Day": "session.held_on"}``."""
    values = ([attrgetter(path)(row) for path in columns.values()] for row in rows)
    cells = ([value() if callable(value) else value for value in row] for row in values)
    return make_part(title, description, "|".join(columns), cells, *tables)


def cell_text(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, datetime):
        return long_moment(cell)
    if isinstance(cell, date):
        return long_date(cell)
    return str(cell)


def person_parts(records: Sequence[models.Player]) -> list[ExportPart]:
    """Details, other names, the sign-in and what was done with it, lists and merges."""
    users = list(models.User.objects.filter(memberships__player__in=records).distinct())
    merges = models.PlayerMerge.objects.filter(Q(kept__in=records) | Q(gone__in=records))
    return [
        _details_part(records),
        make_attribute_part(
            "Other names",
            "Nicknames and previous names used to recognise you in lists.",
            {"Name": "name"},
            models.Alias.objects.filter(player__in=records),
            "clubs.Alias",
        ),
        make_attribute_part(
            "How you sign in",
            "Your password is stored in a scrambled form that no one can read.",
            {
                "Email": "user.email",
                "Name": "user.name",
                "Role in the club": "get_role_display",
                "Since": "user.date_joined",
                "Last signed in": "user.last_login",
            },
            models.Membership.objects.filter(player__in=records).select_related("user"),
            "clubs.Membership",
            "clubs.User",
        ),
        _account_part(users),
        _acts_part(records, users),
        _imports_part(records),
        make_part(
            "Merged records",
            "Duplicate records of you that were merged.",
            "When|Record|Other record|Now",
            (
                (
                    row.made_at,
                    row.kept.name,
                    row.gone.name,
                    "separate again" if row.undone_at else "one",
                )
                for row in merges.select_related("kept", "gone")
            ),
            "clubs.PlayerMerge",
        ),
    ]


def _details_part(records: Sequence[models.Player]) -> ExportPart:
    title, description = ExportHeading.DETAILS.value, "Your details as a member or guest."
    columns = [column for column in PERSON_COLUMNS if column.data_export == ExportHeading.DETAILS]
    values = (
        (column.label, getattr(record, column.name)) for record in records for column in columns
    )
    rows = [
        (label.capitalize(), NO_VALUE if value in ("", None) else value) for label, value in values
    ]
    return make_part(title, description, "What|Held", rows, "clubs.Player")


def _account_part(users: Sequence[models.User]) -> ExportPart:
    keys = models.ApiToken.objects.filter(user__in=users)
    emails = apps.get_model(EMAIL_ADDRESS)._default_manager.filter(user__in=users)
    rows = [
        *(
            ("Email address", email.email, "confirmed" if email.verified else "not confirmed")
            for email in emails
        ),
        *(
            (f"API key: {key.name}", f"{key.beginning}…", f"created {long_date(key.made_at)}")
            for key in keys
        ),
        *(
            (
                f"Request to start {founding_request.name}",
                founding_request.email,
                f"made {long_date(founding_request.asked_at)}",
            )
            for founding_request in models.FoundingRequest.objects.filter(
                email__in=[user.email for user in users]
            )
        ),
        *(
            (
                f"Two-step verification: {step.get_type_display()}",
                "a secret",
                f"created {long_date(step.created_at)}",
            )
            for step in apps.get_model(SECOND_STEP)._default_manager.filter(user__in=users)
        ),
    ]
    description = "What belongs to your account."
    tables = (EMAIL_ADDRESS, "clubs.ApiToken", "clubs.FoundingRequest", SECOND_STEP)
    return make_part(
        "Account: email addresses and API keys", description, "What|Held|State", rows, *tables
    )


def _acts_part(records: Sequence[models.Player], users: Sequence[models.User]) -> ExportPart:
    """How often each table says that this sign-in did something in the club."""
    club, rows, tables = records[0].club_id, [], []
    for model, columns in tables_of_acts():
        tables.append(model._meta.label)
        for column in columns:
            lookup = {f"{column}__in": [user.pk for user in users], club_lookup_of(model): club}
            if count := model._default_manager.filter(**lookup).count():
                noun = model._meta.verbose_name if count == 1 else model._meta.verbose_name_plural
                rows.append((f"{count} {noun}", ACT_COLUMNS[column]))
    description = "Things recorded under your name when you did them for the club."
    return make_part("What you did for the club", description, "What|As", rows, *tables)


def tables_of_acts() -> Iterator[tuple[type[Any], list[str]]]:
    """Each table of clubs with a column for who did something."""
    for model in apps.get_app_config("clubs").get_models():
        columns = [
            field.name
            for field in model._meta.concrete_fields
            if field.related_model is models.User and field.null
        ]
        if columns:
            yield model, columns


def club_lookup_of(model: type[Any]) -> str:
    """The way to the club from a table of acts."""
    if model is models.Club:
        return "pk"
    if any(field.name == "club" for field in model._meta.concrete_fields):
        return "club"
    return "session__club" if hasattr(model, "session") else "season__league__club"


def _imports_part(records: Sequence[models.Player]) -> ExportPart:
    keys, rows = {player.pk for player in records}, []
    for member_import in models.MemberImport.objects.filter(club=records[0].club_id):
        for key in keys:
            value = member_import.before.get(str(key))
            if value is None and key not in member_import.added:
                continue
            changes = (value or {}).get("fields", {})
            changes_text = "; ".join(
                f"{name}: {old_value} became {now}" for name, (old_value, now) in changes.items()
            )
            rows.append(
                (
                    member_import.made_at,
                    member_import.file_name,
                    changes_text,
                    "undone" if member_import.undone_at else "",
                )
            )
    description = "Member imports that changed your details."
    return make_part(
        "Imports", description, "When|File|What it changed|State", rows, "clubs.MemberImport"
    )


def play_parts(records: Sequence[models.Player]) -> list[ExportPart]:
    """Evenings and what counts for the league, then every hand at the club’s tables."""
    places = models.SessionSeat.objects.filter(player__in=records).order_by("session__held_on")
    session_seats = list(places.select_related("session", "table", "seat__game"))
    seats = {
        place.seat: f"{long_date(place.session.held_on)}, table {place.table.table_number}"
        for place in session_seats
    }
    visits = models.Attendance.objects.filter(player__in=records).order_by("session__held_on")
    return [
        make_attribute_part(
            "Visits",
            "Evenings when you were checked in.",
            {"Evening": "session.held_on"},
            visits.select_related("session"),
            "clubs.Attendance",
            "clubs.Session",
        ),
        make_attribute_part(
            "Evenings played",
            "Where you sat and what it came to.",
            {
                "Evening": "session.held_on",
                "Table": "table.table_number",
                "Points": "seat.points",
                "Hands": "seat.hands",
                "Mah-Jongs": "seat.mahjongs",
                "Best hand": "seat.best_hand",
            },
            session_seats,
            "clubs.SessionSeat",
            "clubs.SessionTable",
            "scorebook.Seat",
        ),
        *score_book_parts(seats, "at the club"),
        _league_part(records),
    ]


def score_book_parts(places: SeatNames, location: str) -> list[ExportPart]:
    """Everything the score book has on these seats; also for a tournament’s."""
    games = {seat.game_id: label for seat, label in places.items()}
    decisions = (
        Decision.objects.filter(hand__game__in=games).select_related("hand__game").order_by("pk")
    )
    repairs = Repair.objects.filter(games__game__in=games).distinct().order_by("pk")
    own_seats = Q(pk__in=[])
    for seat in places:
        own_seats |= Q(game=seat.game_id, seat=seat.number)
    return [
        _hands_part(places, location),
        _agreements_part(places, location),
        make_part(
            f"Decided by the scorer {location}",
            "Hands at your table that the scorer kept as entered.",
            "Where|Hand|When|Why",
            (
                (games[row.hand.game_id], row.hand.number_at_table, row.made_at, row.reason)
                for row in decisions.order_by("pk")
            ),
            "scorebook.Decision",
        ),
        _corrections_part(places, location),
        make_attribute_part(
            f"Corrected {location}",
            "Corrections of several hands at your table.",
            {"When": "made_at", "What": "get_kind_display", "Why": "reason"},
            repairs,
            "scorebook.Repair",
        ),
        make_part(
            f"Tiles being tapped {location}",
            "Tiles you tapped that have not been sent yet.",
            "Where|Hand|When|Tiles",
            (
                (games[row.game_id], row.game.hands_before + row.number, row.updated_at, row.draft)
                for row in TappedHand.objects.filter(own_seats).select_related("game")
            ),
            "scorebook.TappedHand",
        ),
    ]


def _league_part(records: Sequence[models.Player]) -> ExportPart:
    duty_credits = models.Credit.objects.filter(player__in=records).select_related("session")
    handicaps = models.Handicap.objects.filter(player__in=records).select_related("season__league")
    rows = [
        *(
            (credit.session.held_on, f"Missed on club duty: {credit.reason}")
            for credit in duty_credits
        ),
        *(
            (handicap.season, f"Handicap of {handicap.points:+d} an evening")
            for handicap in handicaps
        ),
    ]
    description = "What counts for you besides the hands."
    return make_part("League", description, "When|What", rows, "clubs.Credit", "clubs.Handicap")


def _hands_part(places: SeatNames, location: str) -> ExportPart:
    by_game = {seat.game_id: seat for seat in places}
    hands = Hand.objects.filter(game__in=by_game, is_current=True).select_related("game")
    rows = []
    for hand in hands.order_by("game_id", "number"):
        seat = by_game[hand.game_id]
        tiles = hand.report.get("tiles", {}).get(str(seat.number), {})
        rows.append(
            (
                places[seat],
                hand.number_at_table,
                hand.sent_at,
                hand.scores.get(seat.number),
                hand.gains.get(seat.number, "sat out"),
                {None: "nobody", seat.number: "you"}.get(hand.winner, OTHER_PLAYER),
                hand.get_state_display(),
                " ".join(text for text in texts_in(tiles) if TILE_CODE.fullmatch(text)),
            )
        )
    columns = "Where|Hand|Recorded|Your score|Your gain|Mah-Jong|State|Your tiles"
    return make_part(f"Hands {location}", HANDS_NOTE, columns, rows, "scorebook.Hand")


def _agreements_part(places: SeatNames, location: str) -> ExportPart:
    by_game = {(seat.game_id, seat.number): label for seat, label in places.items()}
    agreements = Agreement.objects.filter(hand__game__in={game for game, _ in by_game})
    rows = [
        (
            label,
            row.hand.number_at_table,
            row.said_at,
            "agreed" if row.agrees else "disputed",
            row.note,
        )
        for row in agreements.order_by("pk").select_related("hand__game")
        if (label := by_game.get((row.hand.game_id, row.seat)))
    ]
    columns = "Where|Hand|When|Said to be|In your words"
    description = "What you said about each hand from your seat."
    return make_part(
        f"Agreed and not agreed {location}", description, columns, rows, "scorebook.Agreement"
    )


def _corrections_part(places: SeatNames, location: str) -> ExportPart:
    """Penalties, and hands that were taken back; hands that count have a heading of their own."""
    entries = LedgerEntry.objects.filter(seat__in=places).exclude(kind=EntryKind.HAND)
    rows = [
        (
            places[entry.seat],
            entry.written_at,
            entry.get_kind_display(),
            f"{entry.points:+d}",
            entry.reason,
        )
        for entry in entries.order_by("pk").select_related("seat")
    ]
    columns = "Where|When|What|Points|Why"
    description = "Undone hands, penalties and bonuses."
    return make_part(f"Corrections {location}", description, columns, rows, "scorebook.LedgerEntry")


def message_parts(records: Sequence[models.Player]) -> list[ExportPart]:
    """Invitations, messages, money, wishes, and sentences of the club that name the person."""
    paid = models.TableMoney.objects.filter(player__in=records).select_related("session")
    return [
        *_invitation_parts(records),
        make_part(
            "Messages and letters",
            "What the club wrote to you.",
            "When|To|Subject|Words|State|What the mail server said",
            (
                (
                    row.sent_at or row.batch.made_at,
                    row.email,
                    row.subject,
                    row.body,
                    row.get_state_display(),
                    row.answer,
                )
                for row in models.Message.objects.filter(player__in=records).select_related("batch")
            ),
            "clubs.Message",
            "clubs.Batch",
        ),
        make_attribute_part(
            "Results sent",
            "Evenings whose result was sent to you.",
            {"Evening": "session.held_on", "Sent": "sent_at"},
            models.SentResult.objects.filter(player__in=records).select_related("session"),
            "clubs.SentResult",
        ),
        make_part(
            "Table money",
            "Table money you paid.",
            "Evening|Paid|Recorded",
            ((row.session.held_on, in_pounds(row.pence), row.taken_at) for row in paid),
            "clubs.TableMoney",
        ),
        _wishes_part(records),
        _notes_part(records),
    ]


def _invitation_parts(records: Sequence[models.Player]) -> list[ExportPart]:
    return [
        make_attribute_part(
            "Invitations",
            "Evenings you were invited to.",
            {
                "For": "held_on",
                "Asked": "asked_at",
                "Your answer": "get_answer_display",
                "Answered": "answered_at",
            },
            models.Invitation.objects.filter(player__in=records),
            "clubs.Invitation",
        ),
        make_attribute_part(
            "Roles offered",
            "Roles in the club you have been offered but not accepted yet.",
            {
                "Sent to": "email",
                "Role": "get_role_display",
                "Sent": "sent_at",
                "Open until": "ends_at",
            },
            models.RoleInvitation.objects.filter(player__in=records),
            "clubs.RoleInvitation",
        ),
        make_attribute_part(
            "Substitutes list",
            "That you are on the substitutes list.",
            {"Since": "since"},
            models.StandBy.objects.filter(player__in=records),
            "clubs.StandBy",
        ),
        make_attribute_part(
            "Similar names",
            "The club has noted that you and someone else are two people. "
            "Their name is left out here.",
            {"Since": "made_at"},
            models.TwoPeople.objects.filter(Q(one__in=records) | Q(other__in=records)),
            "clubs.TwoPeople",
        ),
    ]


def _wishes_part(records: Sequence[models.Player]) -> ExportPart:
    """Whom a wish is about beside them, and why it was made, is the others' as much as theirs."""
    wishes = models.Wish.objects.filter(Q(player__in=records) | Q(other__in=records)).distinct()
    rows = [
        (
            wish.get_kind_display(),
            f"table {wish.table}" if wish.table else OTHER_PLAYER,
            wish.until,
            "a note is kept for the secretary" if wish.reason else "",
        )
        for wish in wishes
    ]
    description = (
        "Seating preferences about you. Other people named in them are left out to protect them. "
        "Ask the secretary about any note."
    )
    return make_part("Seating preferences", description, "What|With|Until|Note", rows, "clubs.Wish")


def _notes_part(records: Sequence[models.Player]) -> ExportPart:
    club = records[0].club
    traces = traces_of(club, {"": records})
    hidden_names = NameTraces(
        dict.fromkeys(traces.other_names, OTHER_PLAYER), frozenset(traces.replacements)
    )
    rows = (
        (str(naming.model._meta.verbose_name).capitalize(), hidden_names.out_of(text))
        for naming in rows_naming(club, traces)
        if naming.model._meta.label not in TABLES_WITH_OWN_PART
        for value in naming.values.values()
        for text in (value if isinstance(value, list) else [value])
        if traces.are_in(text)
    )
    description = "Notes that mention your name. Other people’s names are left out."
    return make_part("Notes that mention you", description, "Where|Words", rows)


PartsFunction = Callable[[Sequence[models.Player]], Sequence[ExportPart]]

PARTS_FUNCTIONS: Final[list[PartsFunction]] = [person_parts, play_parts, message_parts]


@dataclass(frozen=True, slots=True)
class PersonalData:
    """All the personal data on one person."""

    club: str
    name: str
    made_at: datetime
    parts: tuple[ExportPart, ...]
    left_out: Annotated[Mapping[str, str], "tables that are not included, each with the reason"]

    @property
    def with_rows(self) -> tuple[ExportPart, ...]:
        return tuple(part for part in self.parts if part.rows)

    @property
    def empty(self) -> tuple[ExportPart, ...]:
        return tuple(part for part in self.parts if not part.rows)


def register_parts(room: PartsFunction, left_out: Mapping[str, str]) -> None:
    """Register another app's data; called once at start-up."""
    if room not in PARTS_FUNCTIONS:
        PARTS_FUNCTIONS.append(room)
    TABLES_LEFT_OUT.update(left_out)


def personal_data(player: models.Player) -> PersonalData:
    """Everything on the player and every record that was made one with theirs."""
    records = records_of(player)
    parts = tuple(part for room in PARTS_FUNCTIONS for part in room(records))
    return PersonalData(
        player.club.name, player.name, timezone.localtime(), parts, dict(TABLES_LEFT_OUT)
    )


def personal_data_page(dossier: PersonalData) -> bytes:
    """One HTML file that loads nothing from elsewhere; it also holds the data for programs."""
    data = personal_data_json(dossier).decode()
    safe = data.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    # A loss has a minus sign for people, and a hyphen for programs.
    parts = [
        replace(
            part,
            rows=tuple(
                tuple(f"−{cell[1:]}" if NEGATIVE_NUMBER.fullmatch(cell) else cell for cell in row)
                for row in part.rows
            ),
        )
        for part in dossier.with_rows
    ]
    context = {"dossier": dossier, "parts": parts, "data": safe}
    return render_to_string("clubs/privacy/file.html", context).encode()


def personal_data_json(dossier: PersonalData) -> bytes:
    return json.dumps(personal_data_values(dossier), ensure_ascii=False, indent=1).encode()


def personal_data_values(dossier: PersonalData) -> dict[str, Any]:
    """The data as plain values: each heading with its columns, and rows by column."""
    return {
        **asdict(dossier),
        "made_at": dossier.made_at.isoformat(timespec="seconds"),
        "parts": [
            {
                **asdict(part),
                "rows": [dict(zip(part.columns, row, strict=True)) for row in part.rows],
            }
            for part in dossier.parts
        ],
    }
