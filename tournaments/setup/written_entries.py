"""An entry list as people keep it: read, and tried against the entries that are there."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from clubs.core.written_names import has_details, nobody_reason, read_name
from clubs.members.files import (
    HALF_NAME_TARGETS,
    NAME_TARGET,
    CapitalNames,
    recase_lines,
    written_name,
)
from clubs.members.lists import (
    NAME_HALVES,
    ListColumn,
    SkippedLine,
    Target,
    has_headings,
    read_list,
)
from clubs.models.names import name_key, tidy_name
from scoring.scorebook.refusals import ProblemLike, Refusal, Refused
from tournaments.models import Tournament
from tournaments.rounds.couples import couple_notes
from tournaments.setup.services import Entry, FaultyEntry, check_entries, teams_by_key

COLUMNS_HINT = "name, and club, team, couple and paid if you have them"
OWN_COLUMNS = {"number", "here", "state"}  # columns of a list that Tongbox wrote
NAME_COLUMNS = {"name", *NAME_HALVES}
YES_WORDS = {"yes", "y", "x", "1", "true", "paid", "✓"}
TARGETS = (
    NAME_TARGET,
    *HALF_NAME_TARGETS,
    Target("club", "Club", ("from club", "home club", "clubs", "club name", "from")),
    Target("team", "Team", ("team name", "teams")),
    Target("couple", "Couple", ("couples", "partner", "spouse", "keep apart", "kept apart")),
    Target("paid", "Fee paid", ("fee", "fee paid", "entry fee", "has paid", "entry paid")),
)


@dataclass(frozen=True, slots=True)
class WrittenEntryList:
    """An entry list as read; before it is tried, no entry is faulty."""

    entries: tuple[Entry, ...]
    columns: tuple[ListColumn, ...]
    skipped_lines: tuple[SkippedLine, ...]
    problems: tuple[str, ...]
    faulty: tuple[FaultyEntry, ...] = ()
    notes: tuple[str, ...] = ()  # on teams and couples, each a sentence
    capitals: CapitalNames | None = None

    @property
    def are_all_there(self) -> bool:
        """Whether the list was entered before, as by a second press."""
        codes = {problem.code for faulty in self.faulty for problem in faulty.problems}
        return not self.entries and codes == {"name_taken"}


def read_entries(
    text: str,
    *,
    columns: Mapping[int, str] | None = None,
    is_pasted: bool = False,
    small_letters: bool = False,
) -> WrittenEntryList:
    """A list with the columns name, club, team and paid; raises ``Refused`` for another.

    Pasted names need no line that names the columns. With ``small_letters`` names in capitals
    become such as people write.
    """
    heading_line = column_names_of(text) if is_pasted else ""
    parsed_list = read_list(
        text, TARGETS, columns_hint=COLUMNS_HINT, chosen_targets=columns, heading_line=heading_line
    )
    is_our_own = {column.heading.casefold() for column in parsed_list.columns} >= OWN_COLUMNS
    entries, skipped_lines = [], list(parsed_list.skipped_lines)
    name_lines = parsed_list.lines if parsed_list.has_names else ()
    lines, capitals = recase_lines(name_lines, is_wanted=small_letters)
    for line, row in lines:
        name = written_name(row)
        is_alone = not any(value for key, value in row.items() if key not in NAME_COLUMNS)
        reason = "" if is_our_own else nobody_reason(name, is_alone=is_alone)
        if reason:
            skipped_lines.append(SkippedLine(line, reason, name))
            continue
        spoken_name = name if is_our_own else read_name(name).with_brackets
        has_paid = row.get("paid", "").casefold() in YES_WORDS
        other_fields = (row.get("club", ""), row.get("team", ""), has_paid)
        couple = row.get("couple", "")
        entries.append(
            Entry(line, spoken_name, *other_fields, is_typed=not is_our_own, couple=couple)
        )
    skipped_lines.sort(key=lambda skipped_line: skipped_line.line)
    problems = parsed_list.problems(TARGETS)
    return WrittenEntryList(
        tuple(entries), parsed_list.columns, tuple(skipped_lines), problems, capitals=capitals
    )


def column_names_of(text: str) -> str:
    """The line that names the columns of a pasted list; empty if the list has one.

    Cells beside the name, as a spreadsheet copies them or as people part them by commas or
    semicolons, are the club and the team.
    """
    if has_headings(text, TARGETS):
        return ""
    lines = [line for line in text.splitlines() if line.strip()]
    delimiter = _delimiter_of(lines)
    widest = max((line.rstrip().count(delimiter) for line in lines), default=0)
    numbered_lines = sum(line.partition(delimiter)[0].strip(" .)").isdecimal() for line in lines)
    numbers = ["no."] if widest and numbered_lines * 2 > len(lines) else []
    headings = [*numbers, "name", "club", "team", "paid"][: widest + 1]
    return delimiter.join(headings)


def _delimiter_of(lines: Sequence[str]) -> str:
    """What parts the cells of most lines. One comma alone is that of ``Jones, Gareth``."""
    for delimiter in ("\t", ";"):
        if sum(delimiter in line for line in lines) * 2 > len(lines):
            return delimiter
    return "," if sum(map(has_details, lines)) * 2 > len(lines) else "\t"


def try_entries(
    *,
    tournament: Tournament,
    text: str,
    columns: Mapping[int, str] | None = None,
    is_pasted: bool = False,
    small_letters: bool = False,
) -> WrittenEntryList:
    """The list with those that cannot be entered apart; nothing is stored."""
    written_list = read_entries(
        text, columns=columns, is_pasted=is_pasted, small_letters=small_letters
    )
    new_entrants, faulty = check_entries(tournament, written_list.entries)
    wrong = {row.entry for row in faulty}
    good = tuple(entry for entry in written_list.entries if entry not in wrong)
    notes = (*_team_notes(tournament, good), *couple_notes(tournament, new_entrants))
    return replace(written_list, entries=good, faulty=tuple(faulty), notes=notes)


def _team_notes(tournament: Tournament, entries: Iterable[Entry]) -> Iterable[str]:
    teams, notes = teams_by_key(tournament), dict[str, str]()
    for entry in entries:
        team_name = tidy_name(entry.team)
        if team_name != (team := teams.setdefault(name_key(team_name), team_name)):
            notes[team_name] = (
                f"“{team_name}” and “{team}” are the same team, so both become “{team}”."
            )
    return notes.values()


def preview_entries(
    *,
    tournament: Tournament,
    text: str,
    columns: Mapping[int, str] | None = None,
    small_letters: bool = False,
) -> WrittenEntryList:
    """The list, not stored; raises ``Refused`` as ``enter_entries`` would now."""
    written_list = try_entries(
        tournament=tournament, text=text, columns=columns, small_letters=small_letters
    )
    problems: list[ProblemLike] = [
        Refusal("wrong_columns", problem, "columns") for problem in written_list.problems
    ]
    problems += [problem for faulty in written_list.faulty for problem in faulty.problems]
    if problems:
        raise Refused(problems)
    return written_list
