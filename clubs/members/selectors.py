"""Members and guests: the list, subscriptions, imports, and records that may be one person's."""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Annotated, Any
from uuid import UUID

from django.db.models import Count, Max, Model

from clubs.core.people_names import (
    How,
    Known,
    Meaning,
    active_records,
    duplicate_pairs,
    is_short_form,
    known_names,
    meant_by,
    names_of,
    owners_of_names,
    people_of,
)
from clubs.core.written_names import people_in
from clubs.language.moments import Value, value_words
from clubs.language.words import counted, whole_number
from clubs.members.files import (
    COLUMNS,
    NICKNAMES,
    TARGETS,
    Fault,
    MemberLine,
    doubts_of_days,
    name_in,
    namesakes_apart,
    notes_of_days,
    read_line,
    with_days_first,
)
from clubs.members.lists import ListColumn, SkippedLine, read_list
from clubs.members.person_columns import EDITED, LABELS
from clubs.models import (
    Alias,
    Attendance,
    Club,
    MemberImport,
    Player,
    PlayerKind,
    PlayerMerge,
    SessionSeat,
    TwoPeople,
    counts,
)
from clubs.models.names import EVERYBODY, Reader, by_surname, name_fault, name_key, surname_key
from clubs.seating.why import listed
from clubs.seats.selectors import SAT, Place, sittings

HELD_ON = ("session__season", "session__held_on")
CAME = counts("attendances__session__")
EVENINGS_ATTENDED = Count("attendances", filter=CAME)
LAST_SEEN = Max("attendances__session__held_on", filter=CAME)


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A person on the club's list; ``name`` as the reader may read it."""

    player: Player
    name: str
    evenings: int
    last_seen: date | None


@dataclass(frozen=True, slots=True)
class EveningRow:
    """One evening of one player."""

    session_id: int
    season_id: int | None
    held_on: date
    table: int
    points: int
    hands: int
    mahjongs: int
    best_hand: int
    pays: Annotated[bool, "whether players pay, so that points have a sign"]


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player's page: every evening, newest first, and what it adds up to."""

    player_id: int
    name: str
    evenings: tuple[EveningRow, ...]

    @property
    def pays(self) -> bool:
        """Whether all points are gains and losses, which have a sign."""
        return all(row.pays for row in self.evenings)

    @property
    def best_hand(self) -> int:
        return max((row.best_hand for row in self.evenings), default=0)


def members(club: Club, *, reader: Reader = EVERYBODY) -> tuple[MemberRow, ...]:
    """Everyone on the club's list by surname, those who left last; one query."""
    players = active_records(club).annotate(evenings=EVENINGS_ATTENDED, last_seen=LAST_SEEN)
    names = names_of(players, reader)
    return tuple(
        MemberRow(player, names[player.pk], player.evenings, player.last_seen)
        for player in sorted(
            players, key=lambda row: (not row.is_active, surname_key(names[row.pk]), row.pk)
        )
    )


def people_in_words(members: Sequence[MemberRow]) -> str:
    """``24 members, 1 guest and 1 who left``; the members as the home page counts them."""
    active = Counter(row.player.kind for row in members if row.player.is_active)
    parts = [counted(active[PlayerKind.MEMBER], "member")]
    if guests := active[PlayerKind.GUEST]:
        parts.append(counted(guests, "guest"))
    if left := len(members) - active.total():
        parts.append(f"{left:,} who left")
    return listed(parts)


def details_of(player: Player) -> dict[str, Any]:
    """Everything that the club holds on a person, by the names of the form's fields; one query."""
    columns = {field: getattr(player, field) for field in EDITED}
    return {**columns, "nicknames": tuple(player.aliases.values_list("name", flat=True))}


def player_view(player: Player, *, reader: Reader = EVERYBODY) -> PlayerView:
    """One player's evenings; one query."""
    sat = SessionSeat.objects.filter(
        counts("session__"), player=player, session__club_id=player.club_id
    )
    rows = list(sat.order_by("-session__held_on").values_list(*SAT, *HELD_ON))
    evenings = {row[0]: row[-len(HELD_ON) :] for row in rows}
    places = [Place._make(row[: len(SAT)]) for row in rows]
    return PlayerView(
        player.pk,
        names_of([player], reader)[player.pk],
        tuple(
            EveningRow(
                sitting.session_id,
                season,
                day,
                sitting.table,
                sitting.points,
                sitting.hands,
                sitting.mahjongs,
                sitting.best_hand,
                sitting.pays,
            )
            for sitting in sittings(places)
            for season, day in [evenings[sitting.session_id]]
        ),
    )


SOON = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class DueRow:
    """A member whose subscription is overdue or due soon."""

    player_id: int
    name: str
    email: str
    phone: str
    paid_until: Annotated[date | None, "null: not recorded"]
    is_over: Annotated[bool, "whether it is overdue"]


@dataclass(frozen=True, slots=True)
class GuestRow:
    """A guest, and how often they came."""

    player_id: int
    name: str
    visits: int
    last_seen: date | None
    is_to_ask: Annotated[bool, "whether it is time to ask them to join"]


@dataclass(frozen=True, slots=True)
class LapsedRow:
    """Someone who is no longer a member."""

    player_id: int
    name: str
    since: date
    paid_until: Annotated[date | None, "null: not recorded"]


@dataclass(frozen=True, slots=True)
class Subscriptions:
    """Who is due, who never paid, who has left, and the guests."""

    due: Annotated[tuple[DueRow, ...], "the longest due first"]
    unknown: Annotated[tuple[DueRow, ...], "members with no recorded payment"]
    lapsed: tuple[LapsedRow, ...]
    guests: Annotated[tuple[GuestRow, ...], "the most frequent guests first"]


def subscriptions(club: Club, today: date) -> Subscriptions:
    """The club's subscriptions and guests on this day; one query."""
    people = active_records(club).annotate(visits=EVENINGS_ATTENDED, last_seen=LAST_SEEN)
    everybody = sorted(people.order_by("pk"), key=lambda person: surname_key(person.name))
    rows = [
        DueRow(
            person.pk,
            person.name,
            person.email,
            person.phone,
            person.paid_until,
            is_over(person, today),
        )
        for person in everybody
        if person.is_active and person.kind == PlayerKind.MEMBER
    ]
    due = [row for row in rows if row.paid_until and row.paid_until < today + SOON]
    return Subscriptions(
        due=tuple(sorted(due, key=lambda row: row.paid_until or date.max)),
        unknown=tuple(row for row in rows if row.paid_until is None),
        lapsed=tuple(
            LapsedRow(person.pk, person.name, person.lapsed_on, person.paid_until)
            for person in everybody
            if person.lapsed_on
        ),
        guests=tuple(
            GuestRow(
                guest.pk,
                guest.name,
                guest.visits,
                guest.last_seen,
                should_be_invited(guest.visits, club),
            )
            for guest in sorted(everybody, key=lambda person: -person.visits)
            if guest.is_active and guest.kind == PlayerKind.GUEST
        ),
    )


def should_be_invited(visits: int, club: Club) -> bool:
    """Whether a guest who came so often is asked to join; never where the club asks nobody."""
    return club.guest_visits is not None and visits >= club.guest_visits


def visit_to_join(player: Player, visit: int, club: Club) -> int | None:
    """The visit that this evening is, where a guest is to be asked to join; else None."""
    is_asked = player.kind == PlayerKind.GUEST and should_be_invited(visit, club)
    return visit if is_asked else None


def is_over(player: Player, today: date) -> bool:
    return player.paid_until is not None and player.paid_until < today


SHOWN = 5


@dataclass(frozen=True, slots=True)
class ImportRow:
    """An import."""

    pk: int
    file_name: str
    made_at: datetime
    added: Annotated[int, "how many people were new"]
    changed: Annotated[int, "how many other people it changed"]
    undone_at: Annotated[datetime | None, "null: not undone"]


def imports_of(club: Club, *, most: int | None = SHOWN) -> tuple[ImportRow, ...]:
    """The newest imports, None: all of them; one query."""
    return tuple(map(import_row, club.imports.all()[:most]))


def imported_by(club: Club, press: UUID | None) -> MemberImport | None:
    """The import that this check page made and nobody undid; one query."""
    return club.imports.filter(press=press, undone_at=None).first() if press else None


def import_row(made: MemberImport) -> ImportRow:
    """An import as a row; no query."""
    return ImportRow(
        made.pk,
        made.file_name,
        made.made_at,
        len(made.added),
        len(made.before) - len(made.added),
        made.undone_at,
    )


NEW, OUT, TWO = "new", "out", "two"
ANOTHER = "If this is someone else, add an initial or a middle name."


@dataclass(frozen=True, slots=True)
class Change:
    """A difference between a line and the club’s list."""

    label: Annotated[str, "the field, in words"]
    was: str
    becomes: str


@dataclass(frozen=True, slots=True)
class PlannedLine:
    """A line and what would become of it; ``people`` are those who may be meant.

    Of a line for two, ``known`` says in sentences why they are not both new.
    """

    line: MemberLine
    how: Annotated[How, "how the person was recognised, in words"]
    people: tuple[Player, ...]
    changes: tuple[Change, ...]
    faults: tuple[Fault, ...] = ()
    known: tuple[str, ...] = ()

    @property
    def problems(self) -> list[str]:
        """What is wrong with the line, a sentence each."""
        return [fault.sentence for fault in self.faults]

    @property
    def is_doubtful(self) -> bool:
        return self.how == How.DOUBTFUL

    @property
    def is_new(self) -> bool:
        return self.how == How.NEW

    @property
    def are_two_new(self) -> bool:
        """Whether the line has two people, who are both new as far as one can tell."""
        return bool(two_of(self.line)) and not self.known

    @property
    def person(self) -> Player | None:
        return None if self.is_doubtful or self.is_new else self.people[0]


@dataclass(frozen=True, slots=True)
class Answers:
    """What was answered on the check page.

    ``columns`` says by a column's number what it becomes. By a line's number ``choices`` says who
    it is (a person's key, ``new``, ``out``, or ``two`` where it has the names of two), and
    ``mended`` has its corrected cells by target.
    """

    columns: Mapping[int, str] = field(default_factory=dict)
    choices: Mapping[int, str] = field(default_factory=dict)
    mended: Mapping[int, Mapping[str, str]] = field(default_factory=dict)


NO_ANSWERS = Answers()


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What importing a list would do: its columns, its lines, and the lines that are nobody's."""

    columns: tuple[ListColumn, ...]
    lines: tuple[PlannedLine, ...]
    skipped: tuple[SkippedLine, ...]
    problems: Annotated[tuple[str, ...], "what is wrong with the columns; empty if nothing is"]

    @property
    def faulty(self) -> list[PlannedLine]:
        """The lines with faults, without those that are skipped anyway."""
        return [
            plan
            for plan in self.lines
            if plan.faults and (plan.are_two_new or not plan.line.nobody)
        ]

    @property
    def people(self) -> list[PlannedLine]:
        """The lines that are one person's, as far as one can tell."""
        return [plan for plan in self.lines if not plan.line.nobody]

    @property
    def count(self) -> int:
        """How many people there are, with both of each couple."""
        return len(self.people) + 2 * sum(plan.are_two_new for plan in self.lines)


def plan_import(*, club: Club, text: str, answers: Answers = NO_ANSWERS) -> ImportPlan:
    """What importing the list would do; nothing is stored, five queries.

    Lines with something wrong have their ``faults``. Raises ``Refused`` for a text that is no list.
    """
    read = read_list(text, TARGETS, wanted=COLUMNS, chosen=answers.columns)
    people = people_of(club)
    known = known_names(club, people.values())
    in_list = [
        (number, with_days_first(cells)) for number, cells in (read.lines if read.has_names else ())
    ]
    written = [(number, {**cells, **_mended(number, answers)}) for number, cells in in_list]
    lines = namesakes_apart(
        _with_notes(read_line(number, cells), in_cells)
        for (number, cells), (_, in_cells) in zip(written, in_list, strict=True)
    )
    named = {
        name_key(name)
        for line in lines
        if not two_of(line)
        for name in (line.name, *line.nicknames)
    }
    meanings = [_meaning(line, people, known) for line in lines]
    claims = Counter(meaning.people[0] for meaning in meanings if _is_sure(meaning))
    plan = []
    for line, meaning in zip(lines, meanings, strict=True):
        # Where two lines are one person, only the line with that very name is certain.
        is_other = _is_sure(meaning) and meaning.how != How.SAME
        how = How.DOUBTFUL if is_other and claims[meaning.people[0]] > 1 else meaning.how
        row = _planned(line, replace(meaning, how=how), people, known)
        plan.append(replace(row, known=tuple(_who_is_known(line, named, people, known))))
        named |= {name_key(name) for name in two_of(line)}  # of a couple’s lines the first counts
    rows = _with_taken_names(plan, owners_of_names(club), answers.choices)
    problems = (*read.problems(TARGETS), *doubts_of_days(read.columns, written))
    return ImportPlan(read.columns, tuple(rows), read.skipped, problems)


def _with_notes(line: MemberLine, in_list: Mapping[str, str]) -> MemberLine:
    """The line with notes of what was left out of its dates; ``in_list`` are its cells there."""
    return replace(line, notes=(*line.notes, *notes_of_days(in_list, line.cells)))


def _mended(number: int, answers: Answers) -> dict[str, str]:
    """The corrected cells of a line; two people, and who is skipped, keep the names of the list."""
    has_own = answers.choices.get(number) in (TWO, OUT)
    mended = answers.mended.get(number, {})
    return {key: cell for key, cell in mended.items() if not (has_own and key == "name")}


def two_of(line: MemberLine) -> tuple[str, ...]:
    """The names of a line that is for two people; empty if it is not, or does not say both."""
    names = people_in(name_in(line.cells)) if line.nobody else ()
    are_two = len({name_key(name) for name in names}) > 1
    return names if are_two and not any(map(name_fault, names)) else ()


def _who_is_known(
    line: MemberLine, named: Container[str], people: Mapping[int, Player], known: Sequence[Known]
) -> Iterator[str]:
    """Which of a line's two people are on the club's list or another line, a sentence each."""
    for name in two_of(line):
        meaning = meant_by(name, known)
        others = " or ".join(people[person].name for person in meaning.people)
        if _is_sure(meaning):
            yield f"{name} is already a member" + (f", {others}." if others != name else ".")
        elif meaning.people:
            yield f"{name} may already be a member: {others}."
        elif name_key(name) in named:
            yield f"{name} is also on another line."


def _meaning(line: MemberLine, people: Mapping[int, Player], known: Sequence[Known]) -> Meaning:
    """Who a line is by its name, else perhaps by its email address."""
    meaning = _meant_by_name(line, known)
    address = str(line.fields.get("email", "")).casefold()
    if meaning.how == How.NEW and address:
        same = [key for key, player in people.items() if player.email.casefold() == address]
        return Meaning(How.DOUBTFUL, tuple(same)) if same else meaning
    return meaning


def _meant_by_name(line: MemberLine, known: Sequence[Known]) -> Meaning:
    """Who a line is by its name; a member with other words in brackets may be a namesake."""
    whole, meaning = meant_by(line.told_apart().name, known), meant_by(line.name, known)
    if whole.how in (How.SAME, How.NICKNAME) or not _is_sure(meaning):
        return whole if whole.how in (How.SAME, How.NICKNAME) else meaning
    own = {name_key(entry.name) for entry in known if entry.person == meaning.people[0]}
    are_theirs = all(
        name_key(words) in own or is_short_form(words, line.name) for words in line.in_brackets
    )
    return meaning if are_theirs else replace(meaning, how=How.DOUBTFUL)


def _with_taken_names(
    plan: Iterable[PlannedLine], owners: Mapping[str, int], choices: Mapping[int, str]
) -> Iterator[PlannedLine]:
    """Each line with its faults, among them names that are someone else's.

    They may be someone's in the club, or on a line above. A nickname that only stood beside the
    name is left out then.
    """
    owners, lines = dict(owners), dict[str, int]()
    for row in plan:
        line, choice = row.line, choice_of(row, choices)
        person = whole_number(choice)
        if person is None and choice == NEW and name_key(line.name) in owners:
            line = line.told_apart()
        faults, free = [], []
        own = person or -line.number
        named = [(NICKNAMES, name) for name in line.nicknames]
        if person is None:
            names = two_of(line) if choice == TWO else (line.name,)
            named = [*(("name", name) for name in names), *named]
        for column, name in named:
            key = name_key(name)
            if choice in (OUT, "") or not key:
                continue
            is_taken = owners.setdefault(key, own) != own
            if is_taken and name in line.beside:
                continue
            if is_taken:
                faults.append(_taken_name(column, name, lines.get(key)))
            else:
                lines.setdefault(key, line.number)
            free += [name] if column == NICKNAMES else []
        nicknames = line.nicknames if choice in (OUT, "") else tuple(free)
        kept = replace(line, nicknames=nicknames)
        yield replace(row, line=kept, faults=(*line.faults, *faults))


def _taken_name(column: str, name: str, above: int | None) -> Fault:
    """``above``: the number of the line that has it too; None: a member has it."""
    where = f"on line {above}, too" if above else "already the name of another member"
    advice = f" {ANOTHER}" if column == "name" else ""
    return Fault(column, f"{name} is {where}.{advice}", "name_taken")


def choice_of(row: PlannedLine, choices: Mapping[int, str]) -> str:
    """What was chosen for a line, or what it is taken for; empty where someone must choose."""
    usual = NEW if row.is_new else f"{row.person.pk}" if row.person else ""
    usual = (TWO if row.are_two_new else OUT) if row.line.nobody else usual
    return choices.get(row.line.number) or usual


def differences(line: MemberLine, player: Player) -> dict[str, Value]:
    """The fields that the line says otherwise than they are held."""
    return {key: value for key, value in line.fields.items() if getattr(player, key) != value}


def _is_sure(meaning: Meaning) -> bool:
    return meaning.how not in (How.NEW, How.DOUBTFUL)


def _planned(
    line: MemberLine, meaning: Meaning, people: Mapping[int, Player], known: Iterable[Known]
) -> PlannedLine:
    likely = tuple(people[person] for person in meaning.people)
    changes: list[Change] = []
    if _is_sure(meaning):
        person = likely[0]
        for key, value in differences(line, person).items():
            was = value_words(getattr(person, key))
            changes.append(Change(LABELS[key], was, value_words(value)))
        own = {name_key(entry.name) for entry in known if entry.person == person.pk}
        if fresh := [name for name in line.nicknames if name_key(name) not in own]:
            changes.append(Change("also known as", "", ", ".join(fresh)))
    return PlannedLine(line, meaning.how, likely, tuple(changes))


@dataclass(frozen=True, slots=True)
class DuplicateRow:
    """Two records with similar names. The one with more evenings would be kept."""

    kept_id: int
    kept: str
    kept_evenings: int
    gone_id: int
    gone: str
    gone_evenings: int


@dataclass(frozen=True, slots=True)
class MergeRow:
    """Two merged records."""

    pk: int
    kept_id: int
    kept: str
    gone: Annotated[str, "the name of the other record, now a nickname"]
    made_at: datetime
    undone_at: Annotated[datetime | None, "null: still merged"]


@dataclass(frozen=True, slots=True)
class TwoPeopleRow:
    """The answer that two records with similar names are two people."""

    pk: int
    one_id: int
    one: str
    other_id: int
    other: str
    made_at: datetime


def likely_duplicates(club: Club) -> tuple[DuplicateRow, ...]:
    """Pairs with like names that were never here on the same evening, by name; four queries.

    Two with addresses or numbers of their own are two people, and so are two of whom the secretary
    has said so.
    """
    named = active_records(club).annotate(evenings=EVENINGS_ATTENDED).order_by("pk")
    people = {person.pk: person for person in by_surname(named)}
    answers = TwoPeople.objects.filter(club=club).values_list("one", "other")
    told_apart = {frozenset(pair) for pair in answers}
    alike = duplicate_pairs(known_names(club, people.values()))
    pairs = [pair for pair in alike if frozenset(pair) not in told_apart]
    evenings: dict[int, set[int]] = defaultdict(set)
    paired = {person for pair in pairs for person in pair}
    rows = Attendance.objects.filter(player__in=paired).values_list("player_id", "session_id")
    for player, session in rows:
        evenings[player].add(session)
    likely = []
    for pair in pairs:
        first, second = sorted(pair, key=lambda key: (-len(evenings[key]), key))
        kept, gone = people[first], people[second]
        there, elsewhere = evenings[kept.pk], evenings[gone.pk]
        if not there & elsewhere and not have_other_contacts(kept, gone):
            likely.append(
                DuplicateRow(kept.pk, kept.name, len(there), gone.pk, gone.name, len(elsewhere))
            )
    return tuple(likely)


def have_other_contacts(one: Player, other: Player) -> bool:
    """Whether both have addresses or numbers, and none of the two is the same."""
    emails = {one.email.casefold(), other.email.casefold()}
    phones = [
        {digits_of(phone) for phone in (player.phone, player.second_phone) if phone}
        for player in (one, other)
    ]
    has_emails, has_phones = "" not in emails, all(phones)
    is_same = (has_emails and len(emails) == 1) or bool(phones[0] & phones[1])
    return (has_emails or has_phones) and not is_same


def digits_of(phone: str) -> str:
    return "".join(filter(str.isdigit, phone)).removeprefix("44").lstrip("0")


def merges_of(club: Club) -> tuple[MergeRow, ...]:
    """The merged records, newest first; one query."""
    merges = club.merges.filter(kept__erased_on=None, gone__erased_on=None)
    return tuple(map(merge_row, merges.select_related("kept", "gone")))


def merge_row(merge: PlayerMerge) -> MergeRow:
    kept, gone = merge.kept, merge.gone
    return MergeRow(merge.pk, kept.pk, kept.name, gone.name, merge.made_at, merge.undone_at)


def kept_apart(club: Club) -> tuple[TwoPeopleRow, ...]:
    """The pairs that are kept as two people, newest first; one query."""
    there = active_records(club)
    pairs = club.two_people.filter(one__in=there, other__in=there).order_by("-pk")
    return tuple(map(two_people_row, pairs.select_related("one", "other")))


def two_people_row(pair: TwoPeople) -> TwoPeopleRow:
    one, other = pair.one, pair.other
    return TwoPeopleRow(pair.pk, one.pk, one.name, other.pk, other.name, pair.made_at)


def kept_instead(player: Player) -> int | None:
    """The key of the record that this one was merged into, None if it was not; one query."""
    merged = PlayerMerge.objects.filter(gone=player, undone_at=None)
    return merged.values_list("kept_id", flat=True).first()


Relation = tuple[type[Model], str]


def relations() -> list[Relation]:
    """Each table that points to people, with its column; names and merges are apart."""
    return [
        (relation.related_model, relation.field.name)
        for relation in Player._meta.related_objects
        if isinstance(relation.related_model, type)
        and relation.related_model not in (Alias, PlayerMerge)
    ]


def are_two_people(one: Player, other: Player) -> bool:
    """Whether someone has answered that these records are two people; one query."""
    return TwoPeople.objects.filter(one__in=(one, other), other__in=(one, other)).exists()
