"""A whole plan read from a spreadsheet or a letter: round, table, East, South, West, North."""

import csv
from collections import defaultdict

from clubs.members.lines import delimiter_of
from scoring.scorebook.refusals import Finding, Refusal, Refused, refuse
from tournaments.services.making import MOST_ROUNDS, MOST_TABLES
from tournaments.services.written import WIND_NAMES, WrittenRound, WrittenTable

COLUMNS = ("round", "table", *WIND_NAMES)
OUT = "out"
EXAMPLE = "1,1,Ann,Ben,Cy,Di"


def read_plan(text: str, *, rests: bool) -> list[WrittenRound]:
    """The rounds of such a list; the first line may name the columns.

    A line with ``out`` for a table names those who sit out.

    Raises ``Refused`` with a sentence for every line that cannot be read.
    """
    lines = text.lstrip("\ufeff").splitlines()
    if len(lines) > MOST_ROUNDS * MOST_TABLES + 1:
        raise refuse(
            "too_long", f"The list has {len(lines):,} lines, more than any tournament needs."
        )
    delimiter = delimiter_of(next((line for line in lines if line.strip()), ""))
    try:
        rows = list(csv.reader(lines, delimiter=delimiter))
    except csv.Error as error:
        raise refuse("bad_file", f"The list cannot be read: {error}.") from error
    return _rounds(rows, rests=rests)


def _rounds(rows: list[list[str]], *, rests: bool) -> list[WrittenRound]:
    tables: dict[int, dict[int, WrittenTable]] = defaultdict(dict)
    out: dict[int, list[str]] = defaultdict(list)
    problems: list[Finding] = []
    for line, cells in enumerate(rows, start=1):
        told = [cell.strip().removeprefix("'") for cell in cells]
        if not any(told) or (line == 1 and not told[0].isdecimal()):
            continue
        if told[1:2] == [OUT] and _is_number(told[0], MOST_ROUNDS):
            out[int(told[0])] += filter(None, told[2:])
            continue
        try:
            number, table = _table(line, told)
        except Refused as refused:
            problems.extend(refused.problems)
            continue
        if table.number in tables[number]:
            said = f"Line {line}: round {number} already has a table {table.number}."
            problems.append(Refusal("table_twice", said))
        tables[number][table.number] = table
    if problems:
        raise Refused(problems)
    if not tables:
        raise refuse("no_table", f"The list has no tables. Enter lines like this: {EXAMPLE}")
    return [
        WrittenRound(number, tuple(there.values()), rests, tuple(out[number]))
        for number, there in sorted(tables.items())
    ]


def _table(line: int, told: list[str]) -> tuple[int, WrittenTable]:
    number, table = [*told, "", ""][:2]
    if not _is_number(number, MOST_ROUNDS) or not _is_number(table, MOST_TABLES):
        said = f"Line {line} must start with the numbers of the round and the table: {EXAMPLE}"
        raise refuse("bad_line", said)
    names = told[2:]
    while len(names) > len(WIND_NAMES) and not names[-1]:
        names.pop()
    if len(names) != len(WIND_NAMES):
        said = f"Line {line} has {len(names)} names. A table needs four: {EXAMPLE}"
        raise refuse("bad_line", said)
    return int(number), WrittenTable(int(table), tuple(names))


def _is_number(text: str, most: int) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 5 and 1 <= int(text) <= most
