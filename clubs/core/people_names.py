"""The names of a club's people: looked up, shown, and compared for duplicates."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from django.db.models import Exists, OuterRef, QuerySet

from clubs.core.written_names import (
    WrittenName,
    read_name,
    split_pair,
    to_spoken_order,
    without_titles,
)
from clubs.models import Alias, Club, Player, PlayerMerge
from clubs.models.names import Person, Reader, name_key, shown_names, tidy_name
from scoring.scorebook.refusals import refuse

LONG_NAME_LENGTH = 8
SHORT_NAMES = {
    short_form: full_name
    for full_name, shorts in {
        "alexander": "alec alex sandy",
        "andrew": "andy drew",
        "anthony": "tony",
        "barbara": "babs",
        "catherine": "cathy kate kath kathy katherine kathryn kay",
        "christine": "chris chrissie tina",
        "christopher": "chris kit",
        "david": "dave",
        "deborah": "deb debbie debra",
        "dorothy": "dot dottie",
        "edward": "ed eddie ted",
        "elizabeth": "bess beth betty eliza libby lil liz lizzie",
        "frances": "fran frankie",
        "francis": "frank",
        "geoffrey": "geoff jeff jeffrey",
        "jacqueline": "jackie",
        "james": "jim jimmy",
        "janet": "jan",
        "john": "jack johnny jon",
        "joan": "joanie",
        "josephine": "jo josie",
        "judith": "jude judy",
        "margaret": "daisy maggie madge marge margie meg peg peggy rita",
        "michael": "mick mike",
        "pamela": "pam",
        "patricia": "pat patsy tricia trish",
        "peter": "pete",
        "richard": "dick rick",
        "robert": "bert bob bobby rob",
        "ronald": "ron ronnie",
        "stephen": "steve steven",
        "susan": "sue susie",
        "theresa": "teresa terry tess",
        "thomas": "tom",
        "valerie": "val",
        "victoria": "vicky",
        "william": "bill billy will",
    }.items()
    for short_form in shorts.split()
}


class MatchKind(StrEnum):
    SAME = "the same name"
    NICKNAME = "known by that name"
    ORDER = "the same words"
    INITIALS = "the initials match"
    DOUBTFUL = "possibly an existing member"
    NEW = "a new person"


class KnownName(NamedTuple):
    """A known name of someone; ``is_alias`` if it is not their main name."""

    person: int
    name: str
    is_alias: bool = False


@dataclass(frozen=True, slots=True)
class NameMatch:
    """The match of a name: one certain person, several candidates, or nobody."""

    match_kind: MatchKind
    people: tuple[int, ...] = ()


@lru_cache(maxsize=10_000)
def name_words(name: str) -> tuple[str, ...]:
    """The words of a name without titles, accents, capitals, hyphens and apostrophes."""
    plain = name_key(read_name(name).name).replace("'", "").replace("-", " ")
    return without_titles(tuple(plain.split()))


def is_short_form(nickname: str, name: str) -> bool:
    """Whether a nickname is short for the first name: Peg for Margaret Hill, not Fakenham."""
    nickname_words, first = name_words(nickname), name_words(name)
    return len(nickname_words) == 1 and bool(
        whole_first_names(nickname_words[0]) & whole_first_names(first[0])
    )


def read_one_name(raw_name: str) -> WrittenName:
    """The name as somebody wrote it on a list, read. Raises ``Refused`` for that of two people."""
    if people := split_pair(raw_name):
        are_told_apart = name_key(people[0]) != name_key(people[1])
        names = f": {' and '.join(people)}" if are_told_apart else ""
        message = f"{tidy_name(raw_name)} are two people{names}. Enter each of them separately."
        raise refuse("two_people", message, "name")
    return read_name(raw_name)


def distinguished_name(parsed_name: WrittenName) -> str:
    """The name with what stood in brackets, if that is no short form of it: a town, or a team."""
    bracket_texts = tuple(
        text for text in parsed_name.in_brackets if not is_short_form(text, parsed_name.name)
    )
    return replace(parsed_name, in_brackets=bracket_texts).with_brackets


def match_name(name: str, name_entries: Sequence[KnownName]) -> NameMatch:
    """Match a name against the known ones; certain matches come before near ones."""
    key, name_parts = name_key(to_spoken_order(name)), name_words(name)
    for entry in name_entries:
        if name_key(entry.name) == key:
            return NameMatch(
                MatchKind.NICKNAME if entry.is_alias else MatchKind.SAME, (entry.person,)
            )
    person_parts = [(entry.person, name_words(entry.name)) for entry in name_entries]
    if people := _person_keys(
        item for item in person_parts if sorted(item[1]) == sorted(name_parts)
    ):
        return _match_of(MatchKind.ORDER, people)
    if people := _person_keys(
        item for item in person_parts if have_matching_initials(name_parts, item[1])
    ):
        return _match_of(MatchKind.INITIALS, people)
    if people := _person_keys(
        item for item in person_parts if are_similar_names(name_parts, item[1])
    ):
        return NameMatch(MatchKind.DOUBTFUL, people)
    return NameMatch(MatchKind.NEW)


def duplicate_pairs(name_entries: Sequence[KnownName]) -> tuple[tuple[int, int], ...]:
    """Pairs of people whose names may belong to one person, each pair once."""
    person_parts = [(entry.person, name_words(entry.name)) for entry in name_entries]
    result = {
        (min(first, second), max(first, second)): None
        for (first, name_parts), (second, other_parts) in combinations(person_parts, 2)
        if first != second
        and (
            sorted(name_parts) == sorted(other_parts)
            or have_matching_initials(name_parts, other_parts)
            or are_similar_names(name_parts, other_parts)
        )
    }
    return tuple(result)


def have_matching_initials(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    """Whether the last names are equal, and the first names or their initials match."""
    if len(first) != len(second) or len(first) < 2 or first[-1] != second[-1] or first == second:
        return False
    return all(
        first_word == second_word
        or (1 in (len(first_word), len(second_word)) and first_word[0] == second_word[0])
        for first_word, second_word in zip(first, second, strict=True)
    )


def are_similar_names(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    """Whether one name may be a typo, a short form or a part of the other."""
    if not first or not second:
        return False
    if set(first) < set(second) or set(second) < set(first):
        is_short = 1 in (len(first), len(second))
        return is_short or (first[0], first[-1]) == (second[0], second[-1])
    if first[1:] == second[1:] and whole_first_names(first[0]) & whole_first_names(second[0]):
        return True
    return is_typo(first, second)


def is_typo(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    """Whether one name may be the other with slips of the pen.

    Ann and Ian Bolton are two people: a first name that differs begins with the same letter, and
    a short word has one slip at most.
    """
    if len(first) != len(second):
        first_text, second_text = "".join(first), "".join(second)
        return first_text[0] == second_text[0] and is_within_distance(first_text, second_text, 1)
    slips = [
        0
        if first_text == second_text
        else 2
        if min(len(first_text), len(second_text)) >= LONG_NAME_LENGTH
        else 1
        for first_text, second_text in zip(first, second, strict=True)
    ]
    is_alike = first[0] == second[0] or first[0][0] == second[0][0]
    return (
        is_alike
        and sum(map(bool, slips)) <= 2
        and all(
            not most or is_within_distance(first_text, second_text, most)
            for first_text, second_text, most in zip(first, second, slips, strict=True)
        )
    )


def whole_first_names(first: str) -> set[str]:
    return {first, SHORT_NAMES.get(first, first)}


def is_within_distance(first: str, second: str, slips: int) -> bool:
    """Whether the edit distance is within the limit: insert, delete, replace or swap a letter."""
    if abs(len(first) - len(second)) > slips or len(set(first) ^ set(second)) > 2 * slips:
        return False
    previous_row, row = list[int](), list(range(len(second) + 1))
    for row_index, first_letter in enumerate(first, start=1):
        previous_row, last, row = row, previous_row, [row_index]
        for column_index, second_letter in enumerate(second, start=1):
            least = min(
                row[column_index - 1] + 1,
                previous_row[column_index] + 1,
                previous_row[column_index - 1] + (first_letter != second_letter),
            )
            if (
                row_index > 1
                and column_index > 1
                and first_letter == second[column_index - 2]
                and second_letter == first[row_index - 2]
            ):
                least = min(least, last[column_index - 2] + 1)
            row.append(least)
    return row[-1] <= slips


def _person_keys(person_parts: Iterable[tuple[int, tuple[str, ...]]]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(person for person, _ in person_parts))


def _match_of(match_kind: MatchKind, people: tuple[int, ...]) -> NameMatch:
    return NameMatch(match_kind if len(people) == 1 else MatchKind.DOUBTFUL, people)


def names_of(players: Iterable[Player], reader: Reader) -> dict[int, str]:
    """The players of one list by their keys, as shown to the reader; no query."""
    return shown_names(map(person_of, players), reader)


def person_of(player: Player) -> Person:
    return Person(player.pk, player.name, player.shown_as, player.pk)


def active_records(club: Club) -> QuerySet[Player]:
    """The club's people by name, without erased ones and merged records."""
    merges = PlayerMerge.objects.filter(gone=OuterRef("pk"), undone_at=None)
    return Player.objects.filter(~Exists(merges), club=club, erased_on=None)


def people_of(club: Club) -> dict[int, Player]:
    """Everyone of the club by key; one query."""
    return {player.pk: player for player in active_records(club)}


def known_names(club: Club, people: Iterable[Player]) -> list[KnownName]:
    """Every name of these people of the club, their main one first; one query."""
    main_names = [KnownName(player.pk, player.name) for player in people]
    keys = {entry.person for entry in main_names}
    aliases = Alias.objects.filter(club=club).values_list("player_id", "name")
    other_names = [
        KnownName(person, name, is_alias=True) for person, name in aliases if person in keys
    ]
    return [*main_names, *other_names]


def owners_of_names(club: Club) -> dict[str, int]:
    """The owners of each name, by the name's key; three queries."""
    owners = dict(Player.objects.filter(club=club).values_list("name_key", "pk"))
    aliases = dict(Alias.objects.filter(club=club).values_list("name_key", "player_id"))
    return owners | aliases | dict(active_records(club).values_list("name_key", "pk"))
