"""What importing a list would do: who is on each line, what changes, and what is wrong."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

from clubs.core.people_names import (
    KnownName,
    MatchKind,
    NameMatch,
    is_short_form,
    known_names,
    match_name,
    owners_of_names,
    people_of,
)
from clubs.core.written_names import split_pair
from clubs.language.moments import FieldValue, readable_value
from clubs.language.words import whole_number
from clubs.members.files import (
    COLUMNS_HINT,
    NICKNAMES,
    TARGETS,
    CapitalNames,
    Fault,
    MemberLine,
    date_notes,
    distinguish_namesakes,
    month_first_doubts,
    put_days_first,
    read_line,
    recase_lines,
    written_name,
)
from clubs.members.lists import ListColumn, SkippedLine, read_list
from clubs.members.person_columns import COLUMN_LABELS
from clubs.models import Club, Player
from clubs.models.names import name_fault, name_key

NEW_CHOICE, SKIP_CHOICE, TWO_CHOICE = "new", "out", "two"
NAMESAKE_ADVICE = "If this is someone else, add an initial or a middle name."


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A difference between a line and the club’s list."""

    label: Annotated[str, "the field, in words"]
    old_value: str
    becomes: str


@dataclass(frozen=True, slots=True)
class PlannedLine:
    """A line and what would become of it; ``people`` are those who may be meant.

    Of a line for two, ``known_reasons`` says in sentences why they are not both new. ``left_out``
    are the nicknames that are not imported, as they are someone else's.
    """

    line: MemberLine
    match_kind: Annotated[MatchKind, "how the person was recognised, in words"]
    people: tuple[Player, ...]
    changes: tuple[FieldChange, ...]
    faults: tuple[Fault, ...] = ()
    known_reasons: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def problems(self) -> list[str]:
        """What is wrong with the line, a sentence each."""
        return [fault.message for fault in self.faults]

    @property
    def is_doubtful(self) -> bool:
        return self.match_kind == MatchKind.DOUBTFUL

    @property
    def is_new(self) -> bool:
        return self.match_kind == MatchKind.NEW

    @property
    def are_two_new(self) -> bool:
        """Whether the line has two people, who are both new as far as one can tell."""
        return bool(names_of_two(self.line)) and not self.known_reasons

    @property
    def person(self) -> Player | None:
        return None if self.is_doubtful or self.is_new else self.people[0]


@dataclass(frozen=True, slots=True)
class Answers:
    """What was answered on the check page.

    ``columns`` says by a column's number what it becomes. By a line's number ``choices`` says who
    it is (a person's key, ``new``, ``out``, or ``two`` where it has the names of two), and
    ``mended_cells`` has its corrected cells by target. With ``small_letters`` names in capitals are
    written in the usual way.
    """

    columns: Mapping[int, str] = field(default_factory=dict)
    choices: Mapping[int, str] = field(default_factory=dict)
    mended_cells: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    small_letters: bool = False


NO_ANSWERS = Answers()


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What importing a list would do: its columns, its lines, and the lines that are nobody's."""

    columns: tuple[ListColumn, ...]
    lines: tuple[PlannedLine, ...]
    skipped_lines: tuple[SkippedLine, ...]
    problems: Annotated[tuple[str, ...], "what is wrong with the columns; empty if nothing is"]
    capitals: CapitalNames | None = None

    @property
    def faulty(self) -> list[PlannedLine]:
        """The lines with faults, without those that are skipped anyway."""
        return [
            plan
            for plan in self.lines
            if plan.faults and (plan.are_two_new or not plan.line.no_person_reason)
        ]

    @property
    def people(self) -> list[PlannedLine]:
        """The lines that are one person's, as far as one can tell."""
        return [plan for plan in self.lines if not plan.line.no_person_reason]

    @property
    def count(self) -> int:
        """How many people there are, with both of each couple."""
        return len(self.people) + 2 * len(self.pairs)

    @property
    def pairs(self) -> list[PlannedLine]:
        """The lines that are for two new people."""
        return [plan for plan in self.lines if plan.are_two_new]

    @property
    def nobodies(self) -> list[PlannedLine]:
        """The lines that are probably no person, or for two of whom one is known."""
        return [plan for plan in self.lines if plan.line.no_person_reason and not plan.are_two_new]


def _single_name_keys(lines: Iterable[MemberLine]) -> set[str]:
    """The keys of all names and nicknames on lines for one person."""
    return {
        name_key(name)
        for line in lines
        if not names_of_two(line)
        for name in (line.name, *line.nicknames)
    }


def plan_import(*, club: Club, text: str, answers: Answers = NO_ANSWERS) -> ImportPlan:
    """What importing the list would do; nothing is stored, five queries.

    Lines with something wrong have their ``faults``. Raises ``Refused`` for a text that is no list.
    """
    parsed_list = read_list(
        text, TARGETS, columns_hint=COLUMNS_HINT, chosen_targets=answers.columns
    )
    people = people_of(club)
    name_entries = known_names(club, people.values())
    named_lines = parsed_list.lines if parsed_list.has_names else ()
    small, capitals = recase_lines(named_lines, is_wanted=answers.small_letters)
    in_list = [(number, put_days_first(cells)) for number, cells in small]
    numbered_cells = [
        (number, {**cells, **_corrected_cells(number, answers)}) for number, cells in in_list
    ]
    lines = distinguish_namesakes(
        _with_notes(read_line(number, cells), in_cells)
        for (number, cells), (_, in_cells) in zip(numbered_cells, in_list, strict=True)
    )
    name_keys = _single_name_keys(lines)
    meanings = [_match_line(line, people, name_entries) for line in lines]
    claims = Counter(meaning.people[0] for meaning in meanings if _is_sure(meaning))
    plan = []
    for line, meaning in zip(lines, meanings, strict=True):
        # Where two lines are one person, only the line with that very name is certain.
        is_other = _is_sure(meaning) and meaning.match_kind != MatchKind.SAME
        match_kind = (
            MatchKind.DOUBTFUL if is_other and claims[meaning.people[0]] > 1 else meaning.match_kind
        )
        row = _plan_line(line, replace(meaning, match_kind=match_kind), people)
        plan.append(
            replace(row, known_reasons=tuple(_known_people(line, name_keys, people, name_entries)))
        )
        # Of a couple’s lines the first counts.
        name_keys |= {name_key(name) for name in names_of_two(line)}
    checked_lines = _with_taken_names(plan, owners_of_names(club), answers.choices)
    rows = (_with_new_nicknames(row, name_entries) for row in checked_lines)
    problems = (
        *parsed_list.problems(TARGETS),
        *month_first_doubts(parsed_list.columns, numbered_cells),
    )
    return ImportPlan(
        parsed_list.columns, tuple(rows), parsed_list.skipped_lines, problems, capitals
    )


def _with_notes(line: MemberLine, in_list: Mapping[str, str]) -> MemberLine:
    """The line with notes of what was left out of its dates; ``in_list`` are its cells there."""
    return replace(line, notes=(*line.notes, *date_notes(in_list, line.cells)))


def _corrected_cells(number: int, answers: Answers) -> dict[str, str]:
    """The corrected cells of a line; two people, and who is skipped, keep the names of the list."""
    has_own = answers.choices.get(number) in (TWO_CHOICE, SKIP_CHOICE)
    corrections = answers.mended_cells.get(number, {})
    return {key: cell for key, cell in corrections.items() if not (has_own and key == "name")}


def names_of_two(line: MemberLine) -> tuple[str, ...]:
    """The names of a line that is for two people; empty if it is not, or does not say both."""
    names = split_pair(written_name(line.cells)) if line.no_person_reason else ()
    are_two = len({name_key(name) for name in names}) > 1
    return names if are_two and not any(map(name_fault, names)) else ()


def _known_people(
    line: MemberLine,
    name_keys: Container[str],
    people: Mapping[int, Player],
    name_entries: Sequence[KnownName],
) -> Iterator[str]:
    """Which of a line's two people are on the club's list or another line, a sentence each."""
    for name in names_of_two(line):
        meaning = match_name(name, name_entries)
        member_names = " or ".join(people[person].name for person in meaning.people)
        if _is_sure(meaning):
            yield f"{name} is already a member" + (
                f", {member_names}." if member_names != name else "."
            )
        elif meaning.people:
            yield f"{name} may already be a member: {member_names}."
        elif name_key(name) in name_keys:
            yield f"{name} is also on another line."


def _match_line(
    line: MemberLine, people: Mapping[int, Player], name_entries: Sequence[KnownName]
) -> NameMatch:
    """Who a line is by its name, else perhaps by its email address."""
    meaning = _match_by_name(line, name_entries)
    address = str(line.fields.get("email", "")).casefold()
    if meaning.match_kind == MatchKind.NEW and address:
        matching_people = [
            key for key, player in people.items() if player.email.casefold() == address
        ]
        return NameMatch(MatchKind.DOUBTFUL, tuple(matching_people)) if matching_people else meaning
    return meaning


def _match_by_name(line: MemberLine, name_entries: Sequence[KnownName]) -> NameMatch:
    """Who a line is by its name; a member with other words in brackets may be a namesake."""
    full_match = match_name(line.told_apart().name, name_entries)
    meaning = match_name(line.name, name_entries)
    if full_match.match_kind in (MatchKind.SAME, MatchKind.NICKNAME) or not _is_sure(meaning):
        return (
            full_match if full_match.match_kind in (MatchKind.SAME, MatchKind.NICKNAME) else meaning
        )
    own_keys = {name_key(entry.name) for entry in name_entries if entry.person == meaning.people[0]}
    are_theirs = all(
        name_key(text) in own_keys or is_short_form(text, line.name) for text in line.in_brackets
    )
    return meaning if are_theirs else replace(meaning, match_kind=MatchKind.DOUBTFUL)


def _with_taken_names(
    plan: Iterable[PlannedLine], owners: Mapping[str, int], choices: Mapping[int, str]
) -> Iterator[PlannedLine]:
    """Each line with its faults, among them names that are someone else's.

    They may be someone's in the club, or on a line above. A nickname that only stood beside the
    name is left out then, and a note says so.
    """
    owners, lines = dict(owners), dict[str, int]()
    for row in plan:
        line, choice = row.line, choice_of(row, choices)
        person = whole_number(choice)
        if person is None and choice == NEW_CHOICE and name_key(line.name) in owners:
            line = line.told_apart()
        of_either = line.nicknames if choice == TWO_CHOICE else ()
        notes = [f"{name} is left out, as either of the two may have it." for name in of_either]
        faults, left_out = list[Fault](), list[str]()
        owner = person or -line.number
        for column, name in _claimed_names(line, choice):
            key = name_key(name)
            if not key or owners.setdefault(key, owner) == owner:
                lines.setdefault(key, line.number)
            elif name in line.nicknames_beside:
                left_out.append(name)
                notes.append(f"{name} is left out, as it is {_owner_words(lines.get(key))}.")
            else:
                faults.append(_taken_name_fault(column, name, lines.get(key)))
        free = tuple(name for name in line.nicknames if name not in left_out)
        kept_line = replace(line, nicknames=free, notes=(*line.notes, *notes))
        all_faults = (*line.faults, *faults)
        yield replace(row, line=kept_line, faults=all_faults, left_out=tuple(left_out))


def _claimed_names(line: MemberLine, choice: str) -> Iterator[tuple[str, str]]:
    """The names that the line gives to someone, each with its column."""
    if choice in (SKIP_CHOICE, ""):
        return
    if whole_number(choice) is None:
        yield from (
            ("name", name)
            for name in (names_of_two(line) if choice == TWO_CHOICE else (line.name,))
        )
    if choice != TWO_CHOICE:
        yield from ((NICKNAMES, name) for name in line.nicknames)


def _taken_name_fault(column: str, name: str, line_number: int | None) -> Fault:
    """``line_number``: the number of the line that has it too; None: a member has it."""
    advice = f" {NAMESAKE_ADVICE}" if column == "name" else ""
    return Fault(column, f"{name} is {_owner_words(line_number)}.{advice}", "name_taken")


def _owner_words(line_number: int | None) -> str:
    return f"on line {line_number}, too" if line_number else "already the name of another member"


def choice_of(row: PlannedLine, choices: Mapping[int, str]) -> str:
    """What was chosen for a line, or what it is taken for; empty where someone must choose."""
    usual = NEW_CHOICE if row.is_new else f"{row.person.pk}" if row.person else ""
    usual = (TWO_CHOICE if row.are_two_new else SKIP_CHOICE) if row.line.no_person_reason else usual
    return choices.get(row.line.number) or usual


def differences(line: MemberLine, player: Player) -> dict[str, FieldValue]:
    """The fields that the line says otherwise than they are held."""
    return {key: value for key, value in line.fields.items() if getattr(player, key) != value}


def _is_sure(meaning: NameMatch) -> bool:
    return meaning.match_kind not in (MatchKind.NEW, MatchKind.DOUBTFUL)


def _plan_line(line: MemberLine, meaning: NameMatch, people: Mapping[int, Player]) -> PlannedLine:
    likely = tuple(people[person] for person in meaning.people)
    changes: list[FieldChange] = []
    if _is_sure(meaning):
        person = likely[0]
        for key, value in differences(line, person).items():
            old_value = readable_value(getattr(person, key))
            changes.append(FieldChange(COLUMN_LABELS[key], old_value, readable_value(value)))
    return PlannedLine(line, meaning.match_kind, likely, tuple(changes))


def _with_new_nicknames(row: PlannedLine, name_entries: Iterable[KnownName]) -> PlannedLine:
    """The line with the nicknames that its person does not have yet among the changes."""
    if row.person is None:
        return row
    own_keys = {name_key(entry.name) for entry in name_entries if entry.person == row.person.pk}
    fresh = [name for name in row.line.nicknames if name_key(name) not in own_keys]
    change = FieldChange("also known as", "", ", ".join(fresh))
    return replace(row, changes=(*row.changes, change)) if fresh else row
