"""A list of members looked at before it is stored: each line new, known, or doubtful."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace

from clubs.core.people_names import known_names, people_of
from clubs.core.similar_names import How, Known, Meaning, meant_by
from clubs.language.words import Value, value_words
from clubs.memberlines import COLUMNS, SYNONYMS, MemberLine, read_line
from clubs.models import Club, Player
from clubs.models.names import name_key
from clubs.person_columns import LABELS
from clubs.services.lists import csv_rows
from scoring.scorebook.refusals import Refusal, Refused


@dataclass(frozen=True, slots=True)
class Change:
    """What a line changes of what is held: the field's words, before and after."""

    label: str
    was: str
    becomes: str


@dataclass(frozen=True, slots=True)
class PlannedLine:
    """A line and what would become of it; ``people`` are those who may be meant."""

    line: MemberLine
    how: How
    people: tuple[Player, ...]
    changes: tuple[Change, ...]

    @property
    def is_doubtful(self) -> bool:
        """Whether someone must choose."""
        return self.how == How.DOUBTFUL

    @property
    def is_new(self) -> bool:
        """Whether nobody on the list is like it."""
        return self.how == How.NEW

    @property
    def person(self) -> Player | None:
        """Who it is for certain."""
        return None if self.is_doubtful or self.is_new else self.people[0]


def plan_import(*, club: Club, text: str) -> tuple[PlannedLine, ...]:
    """What reading the list in would do; nothing is stored, two queries.

    Raises ``Refused`` with a sentence for every line that cannot be read.
    """
    people = people_of(club)
    known = known_names(club, people.values())
    lines = read_members(text)
    told = [_with_address(line, meant_by(line.name, known), people.values()) for line in lines]
    claims = Counter(meaning.people[0] for meaning in told if _is_sure(meaning))
    return tuple(
        _planned(line, _doubted(meaning, claims), people, known)
        for line, meaning in zip(lines, told, strict=True)
    )


def read_members(text: str) -> list[MemberLine]:
    """The lines of the list; ``Refused`` names everything that is wrong with any of them."""
    rows = csv_rows(text, columns=COLUMNS, synonyms=SYNONYMS)
    lines = [read_line(number, row) for number, row in rows]
    seen = Counter(name_key(line.name) for line in lines)
    problems = []
    for line in lines:
        faults = list(line.faults)
        if line.name and seen[name_key(line.name)] > 1:
            faults.append(f"{line.name} is in the file twice.")
        problems += [
            Refusal("bad_line", f"Line {line.number}: {fault}", f"lines.{line.number}")
            for fault in faults
        ]
    if problems:
        raise Refused(problems)
    return lines


def differences(line: MemberLine, player: Player) -> dict[str, Value]:
    """The fields that the line says otherwise than they are held."""
    return {key: told for key, told in line.fields.items() if getattr(player, key) != told}


def _with_address(line: MemberLine, meaning: Meaning, people: Iterable[Player]) -> Meaning:
    """Someone new with the address of someone known is perhaps that person."""
    address = str(line.fields.get("email", "")).casefold()
    if meaning.how != How.NEW or not address:
        return meaning
    same = tuple(player.pk for player in people if player.email.casefold() == address)
    return Meaning(How.DOUBTFUL, same) if same else meaning


def _is_sure(meaning: Meaning) -> bool:
    return meaning.how not in (How.NEW, How.DOUBTFUL)


def _doubted(meaning: Meaning, claims: Mapping[int, int]) -> Meaning:
    """Where two lines are one person, only the line with that very name is certain."""
    if _is_sure(meaning) and meaning.how != How.SAME and claims[meaning.people[0]] > 1:
        return replace(meaning, how=How.DOUBTFUL)
    return meaning


def _planned(
    line: MemberLine, meaning: Meaning, people: Mapping[int, Player], known: Iterable[Known]
) -> PlannedLine:
    likely = tuple(people[person] for person in meaning.people)
    changes: tuple[Change, ...] = ()
    if _is_sure(meaning):
        held = {name_key(entry.name) for entry in known if entry.person == likely[0].pk}
        changes = (*_changes(line, likely[0]), *_nicknames(line, held))
    return PlannedLine(line, meaning.how, likely, changes)


def _changes(line: MemberLine, player: Player) -> Iterator[Change]:
    for key, told in differences(line, player).items():
        yield Change(LABELS[key], value_words(getattr(player, key)), value_words(told))


def _nicknames(line: MemberLine, held: Set[str]) -> Iterator[Change]:
    if fresh := [name for name in line.nicknames if name_key(name) not in held]:
        yield Change("also known as", "", ", ".join(fresh))
