"""A list as people keep it: its characters, its lines, its headings, what each column becomes."""

import csv
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise, zip_longest
from typing import Final, NamedTuple

from clubs.core.written_names import NUMBERING, nobody_reason
from clubs.language.spreadsheets import unguard_formula
from clubs.language.words import count_words
from scoring.hands.hand import join_words
from scoring.scorebook.refusals import refuse

MAX_LINES: Final = 2_000
MAX_TITLE_LINES: Final = 30  # lines above the headings
MOST_COLUMNS: Final = 200
MOST_SKIPPED: Final = 6  # lines that are named
LEFT_OUT_WORDS: Final = "were left out, as other people have them"
MOST_EXAMPLE: Final = 60  # characters
MOST_LINES_OF_CELL: Final = 30  # of an address, or a note
QUOTE_MARK: Final = '"'
DELIMITERS: Final = ",;\t"
NO_DELIMITER: Final = "\x1f"  # parts nothing: a list of names with commas in them
TWO_CELLS: Final = re.compile(r"[0-9@].*[,;\t]|[,;\t].*[0-9@]")  # a name has no digits
ONE_NAME: Final = re.compile(r"[\"“„'‘’(]?[^\W\d_](?:,(?!\S)|[^,@;\t])*")  # all of a line
ONE_CELL: Final = re.compile(r"(?:,(?!\S)|[^,;\t])*")  # Ann Hill, chair, 01328 123456
MOST_COMMAS: Final = 2  # in a name: Brown, Ann, MBE
# The number before a name on a list.
NUMBER_BEFORE_NAME: Final = re.compile(r"^\d{1,4}\s+(?=[^\W\d])")
DIGIT: Final = re.compile(r"[0-9]")
NOT_IMPORTED: Final = ""
EMPTY_LINE: Final = re.compile(r"[\s,;\"]*")  # a line of which spreadsheets keep the commas
NAME_HALVES: Final = {"forename", "surname"}
HEADING_SYNONYMS: Final = {
    **dict.fromkeys(("telephone", "tel", "phones", "telephones"), "phone"),
    **dict.fromkeys(("number", "numbers", "nos"), "no"),
    **dict.fromkeys(("sub", "subscription", "subscriptions", "membership"), "subs"),
    **dict.fromkeys(("addr", "addresses"), "address"),
    **dict.fromkeys(("expire", "expiry", "expiration", "exp"), "expires"),
    **dict.fromkeys(("mob", "mobiles", "cell"), "mobile"),
}
SPACED_LETTERS: Final = re.compile(r"\b\w(?: \w\b)+")  # D.O.J.
TYPOGRAPHIC_MARKS: Final = "’‘“”–—"
CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
FIRST_NON_ASCII: Final = 0x80  # the first byte that is no ASCII
BYTE_ORDERS: Final = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
TOTAL_LINE: Final = re.compile(
    r"(grand |sub ?)?totals?( .*)?"
    r"|(number|no|count) of (members|people|players|guests|entries|entrants|names)( \d+)?"
    r"|\d+ (paid up )?(members|people|players|guests|entries|entrants|names)( in total)?"
    r"|(paid up )?(members|people|players|guests|entries|entrants|names) \d+"
)
MOST_CELLS_OF_TOTAL: Final = 3
OLD_ENCODINGS: Final = ("cp1252", "mac_roman", "cp850")
Cells = dict[str, str]
ListRow = tuple[int, list[str]]  # the number of the line it ends on, and its cells


@dataclass(frozen=True, slots=True)
class Target:
    """What a column of a list can become, and the headings by which it is recognised.

    A heading among the ``guesses`` says too little: it counts only if ``read`` takes more than
    half of the column's cells.
    """

    key: str
    label: str
    synonyms: tuple[str, ...] = ()
    guesses: tuple[str, ...] = ()
    read: Callable[[str], object] | None = None

    @property
    def names(self) -> set[str]:
        """The headings that say what the column is, in plain words."""
        return set(map(plain_heading, (self.key, *self.synonyms)))

    @property
    def guessed_names(self) -> set[str]:
        return set(map(plain_heading, self.guesses))


@dataclass(frozen=True, slots=True)
class ListColumn:
    """A column of a list by its number from 1; ``becomes`` is a target's key, or empty."""

    number: int
    heading: str
    example: str
    becomes: str


@dataclass(frozen=True, slots=True)
class SkippedLine:
    """A line that is nobody's, and why."""

    line: int
    reason: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class ReadList:
    """A list: its columns, the lines with their cells by target, and the lines left out."""

    columns: tuple[ListColumn, ...]
    lines: tuple[tuple[int, Cells], ...]
    skipped_lines: tuple[SkippedLine, ...]

    @property
    def has_names(self) -> bool:
        return holds_names(column.becomes for column in self.columns)

    def problems(self, targets: Sequence[Target]) -> tuple[str, ...]:
        """What is wrong with what the columns become, each in a sentence."""
        times = Counter(column.becomes for column in self.columns)
        nameless = () if self.has_names else ("Choose which column holds the names.",)
        return nameless + tuple(
            f"Choose “{target.label}” for one column only."
            for target in targets
            if times[target.key] > 1
        )


def lines_skipped(names: Sequence[str]) -> str:
    """``2 lines were skipped: Ann Hill and line 7.`` Of many lines the first are named."""
    verb = "was" if len(names) == 1 else "were"
    return f"{count_words(len(names), 'line')} {verb} skipped: {_shortened_list(names)}."


def nicknames_left_out(names: Sequence[str]) -> str:
    """``1 nickname was left out, as someone else has it: Peg.`` Of many the first are named."""
    are = "was left out, as someone else has it" if len(names) == 1 else LEFT_OUT_WORDS
    return f"{count_words(len(names), 'nickname')} {are}: {_shortened_list(names)}."


def _shortened_list(names: Sequence[str]) -> str:
    unnamed_count = len(names) - MOST_SKIPPED
    short_names = [
        name[:MOST_EXAMPLE] for name in names[: MOST_SKIPPED if unnamed_count > 1 else None]
    ]
    return join_words([*short_names, *([f"{unnamed_count} others"] if unnamed_count > 1 else [])])


def holds_names(keys: Iterable[str]) -> bool:
    """Whether these columns hold names: whole, or in two halves."""
    key_set = set(keys)
    return "name" in key_set or key_set >= NAME_HALVES


class DecodedText(NamedTuple):
    """The text of a file; ``is_guessed`` where the file does not say how its letters are stored."""

    text: str
    is_guessed: bool = False


def decode_file(content: bytes) -> DecodedText | None:
    """The text of a file in the encodings that spreadsheets write; None if it is no text.

    What is not UTF-8 is of an older computer: UTF-8 with stray bytes in it, Windows or Mac,
    whichever has fewest signs and capitals within words.
    """
    encoding = BYTE_ORDERS.get(content[:2], "utf-8-sig")
    if encoding == "utf-8-sig" and b"\0" in content[:200]:
        encoding = "utf-16-le" if content[1:2] == b"\0" else "utf-16-be"
    text = _decode_as(content, encoding)
    if text is not None or encoding != "utf-8-sig":
        return None if text is None or CONTROLS.search(text) else DecodedText(text)
    guesses = [decode_stray_bytes(content), *(_decode_as(content, old) for old in OLD_ENCODINGS)]
    likely = [guess for guess in guesses if guess is not None and not CONTROLS.search(guess)]
    return DecodedText(min(likely, key=_count_odd_signs), is_guessed=True) if likely else None


def _decode_as(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return None


def decode_stray_bytes(content: bytes) -> str | None:
    """As UTF-8 whose stray bytes are of Windows; None where most of it is no UTF-8."""
    strays = content.decode("utf-8-sig", "surrogateescape")
    stray = [char for char in strays if 0xDC80 <= ord(char) <= 0xDCFF]
    letters = sum(ord(char) >= FIRST_NON_ASCII for char in strays) - len(stray)
    if len(stray) > letters:
        return None
    characters = (
        bytes([ord(char) - 0xDC00]).decode("cp1252", "replace")
        if 0xDC80 <= ord(char) <= 0xDCFF
        else char
        for char in strays
    )
    return "".join(characters)


def _count_odd_signs(text: str) -> int:
    """How often a sign stands within a word, or a capital before or after small letters."""
    odd_count = 0
    for previous_char, char, next_char in zip(text, text[1:], [*text[2:], ""], strict=False):
        if ord(char) < FIRST_NON_ASCII or char in TYPOGRAPHIC_MARKS or not previous_char.isalpha():
            continue
        kind = unicodedata.category(char)
        odd_count += kind not in {"Ll", "Lu", "Lo"}
        odd_count += kind == "Lu" and (previous_char.islower() or next_char.islower())
    return odd_count


def delimiter_of(first_line: str) -> str:
    """Some spreadsheets part the columns by semicolons or tabs instead of commas."""
    return max(DELIMITERS, key=first_line.count)


def _keep_rows(
    rows: Iterable[ListRow], headings: Sequence[str]
) -> tuple[list[ListRow], list[SkippedLine]]:
    """The rows below the headings that name somebody, and the others with their reasons."""
    kept_rows, skipped_lines = [], []
    for line, cells in rows:
        if reason := _skip_reason(cells, headings):
            skipped_lines.append(SkippedLine(line, reason, _example(cells)))
        else:
            kept_rows.append((line, cells))
    return kept_rows, skipped_lines


def read_list(
    text: str,
    targets: Sequence[Target],
    *,
    columns_hint: str,
    chosen_targets: Mapping[int, str] | None = None,
    heading_line: str = "",
) -> ReadList:
    """Find the headings of a list, and read each line below them.

    ``chosen_targets`` says by a column's number what it becomes, where that is not what its heading
    says. ``heading_line`` is a line of headings that the text does not have; lines are counted
    without it. Names alone, one a line, need no heading. Raises ``Refused`` for any other text in
    which no line has a known heading; ``columns_hint`` says in words which columns there should be.
    """
    lines = text.lstrip("\ufeff").splitlines()
    line_count = sum(not EMPTY_LINE.fullmatch(line) for line in lines) - 1
    if line_count > MAX_LINES:
        message = f"The file has {line_count:,} lines. Import {MAX_LINES:,} or fewer."
        raise refuse("too_long", message)
    headed_lines = [heading_line, *lines] if heading_line else lines
    rows, heading_index = _best_split(headed_lines, targets)
    rows = [(line - len(headed_lines) + len(lines), cells) for line, cells in rows]
    parts = list[SkippedLine]()
    if rows and _count_known_headings(rows[heading_index][1], targets):
        titles, (_, headings), rows_below = (
            rows[:heading_index],
            rows[heading_index],
            rows[heading_index + 1 :],
        )
        parts = list(_lines_within_rows(rows, lines))
    elif rows_below := _name_only_rows(lines):
        titles, headings, chosen_targets = [], [""], {1: "name", **(chosen_targets or {})}
    else:
        began = ", ".join(filter(None, rows[0][1])) if rows else "nothing"
        message = f"One line must contain the column names: {columns_hint}."
        raise refuse("wrong_columns", f"{message} Your list begins: {began[:120]}.")
    why_above = "above the headings"
    filled_titles = [(line, cells) for line, cells in titles if any(cells)]
    skipped_lines = [SkippedLine(line, why_above, _example(cells)) for line, cells in filled_titles]
    kept_rows, skipped_rows = _keep_rows(rows_below, headings)
    columns = _list_columns(
        headings, [cells for _, cells in kept_rows], targets, chosen_targets or {}
    )
    lines_read = tuple((line, _cells_by_target(cells, columns)) for line, cells in kept_rows)
    skipped_lines = sorted(
        [*skipped_lines, *skipped_rows, *parts], key=lambda skipped_line: skipped_line.line
    )
    return ReadList(columns, lines_read, tuple(skipped_lines))


def _lines_within_rows(rows: Iterable[ListRow], lines: Sequence[str]) -> Iterator[SkippedLine]:
    """The lines within a row, of which a cell goes on over lines."""
    for (previous_number, _), (last, _) in pairwise(rows):
        for number in range(previous_number + 1, last):
            yield SkippedLine(number, f"part of line {last}", _example([lines[number - 1]]))


def _name_only_rows(lines: Iterable[str]) -> list[ListRow]:
    """The rows of a list that is names alone, one a line; empty if it is another list.

    Numbers of the list are left out; with a space behind them, where most lines have one. A few
    lines may be nobody's, such as headings and telephone numbers.
    """
    bare = (line.strip(" \t,;") for line in lines)
    cells = ["".join(*csv.reader([line], delimiter=NO_DELIMITER)) for line in bare]
    if sum(NUMBER_BEFORE_NAME.match(cell) is not None for cell in cells) * 2 > sum(
        map(bool, cells)
    ):
        cells = [NUMBER_BEFORE_NAME.sub("", cell) for cell in cells]
    names = [NUMBERING.sub("", cell) for cell in cells if cell]
    people = [name for name in names if not (ONE_CELL.fullmatch(name) and _is_nobody(name))]
    are_names = all(ONE_NAME.fullmatch(name) and name.count(",") <= MOST_COMMAS for name in people)
    have_digits = sum(DIGIT.search(name) is not None for name in people)
    is_list = are_names and have_digits * 2 < len(people)
    return (
        [(line_number, [cell]) for line_number, cell in enumerate(cells, start=1) if cell]
        if is_list
        else []
    )


def _is_nobody(name: str) -> bool:
    return bool(nobody_reason(name, is_alone=True))


def has_headings(text: str, targets: Sequence[Target]) -> bool:
    """Whether a line of the text names columns that hold names."""
    rows, heading_index = _best_split(text.splitlines(), targets)
    plain = {plain_heading(cell) for cell in rows[heading_index][1]} if rows else set()
    return holds_names([target.key for target in targets if plain & target.names])


def _best_split(lines: list[str], targets: Sequence[Target]) -> tuple[list[ListRow], int]:
    """The rows, parted as most headings are known and fewest cells have none."""
    splits = [_rows_and_headings(lines, delimiter, targets) for delimiter in _delimiters(lines)]

    def fit(split: tuple[list[ListRow], int]) -> tuple[int, bool]:
        rows, heading_index = split
        if not rows:
            return 0, False
        headings = rows[heading_index][1]
        rows_below = [cells for _, cells in rows[heading_index + 1 :]]
        is_whole = all(len(headings) >= len(cells) for cells in rows_below)
        plain = (NUMBERING.sub("", cell) for cell in chain.from_iterable(rows_below))
        is_two = len(headings) == 1 and any(map(TWO_CELLS.search, plain))
        return _count_known_headings(headings, targets), is_whole and not is_two

    return max(splits, key=fit)


def _delimiters(lines: list[str]) -> Iterator[str]:
    """Each that may part the cells, the likeliest first; Excel's ``sep=;`` says it."""
    first = lines[0].casefold() if lines else ""
    if first in {f"sep={delimiter}" for delimiter in DELIMITERS}:
        lines[0] = ""
        yield first[-1]
    else:
        top = "".join(lines[:MAX_TITLE_LINES])
        yield from sorted(DELIMITERS, key=lambda delimiter: -top.count(delimiter))
        yield NO_DELIMITER


def _rows_and_headings(
    lines: list[str], delimiter: str, targets: Sequence[Target]
) -> tuple[list[ListRow], int]:
    """The rows from the first to the last that hold anything, and which has most headings."""
    try:
        rows = list(_split_rows(lines, delimiter))
    except csv.Error as error:
        raise refuse("bad_file", f"The file cannot be read as CSV: {error}.") from error
    filled_indexes = [index for index, (_, cells) in enumerate(rows) if any(cells)]
    rows = rows[filled_indexes[0] : filled_indexes[-1] + 1] if filled_indexes else []
    top = range(min(len(rows), MAX_TITLE_LINES))
    return rows, max(
        top, key=lambda index: _count_known_headings(rows[index][1], targets), default=0
    )


def _split_rows(lines: Sequence[str], delimiter: str) -> Iterator[ListRow]:
    """Each row, with the number of its last line: a cell within quotation marks may have several.

    A mark that nothing closes, or that a cell goes on after, is one as people write it: it swallows
    no other line.
    """
    start = 0
    while start < len(lines):
        ahead = (f"{line}\n" for line in lines[start : start + MOST_LINES_OF_CELL])
        reader = csv.reader(ahead, delimiter=delimiter, strict=True)
        try:
            cells, ends = next(reader), start + reader.line_num
        except csv.Error:
            cells, ends = _split_cells(lines[start], delimiter), start + 1
        yield ends, [" ".join(cell.splitlines()).strip() for cell in cells[:MOST_COLUMNS]]
        start = ends


def _split_cells(line: str, delimiter: str) -> list[str]:
    """The cells of a line by itself; where its marks are no pairs, they part nothing."""
    if line.count(QUOTE_MARK) % 2 == 0:
        return next(csv.reader([line], delimiter=delimiter))
    return [cell.strip().removeprefix(QUOTE_MARK) for cell in line.split(delimiter)]


@lru_cache(maxsize=1_000)
def plain_heading(heading: str) -> str:
    """A heading without capitals, hyphens and marks: ``E-mail *`` is ``email``."""
    text = re.sub(r"[-’'‐]", "", unguard_formula(heading).casefold())
    plain = " ".join(re.sub(r"[^\w&]|_", " ", text).split())
    plain = SPACED_LETTERS.sub(lambda letters: letters[0].replace(" ", ""), plain)
    return " ".join(HEADING_SYNONYMS.get(word, word) for word in plain.split())


def _count_known_headings(cells: Sequence[str], targets: Sequence[Target]) -> int:
    """How many of the cells are headings that are known."""
    names = {name for target in targets for name in target.names | target.guessed_names}
    return len({plain for plain in map(plain_heading, cells) if plain in names})


def _list_columns(
    headings: Sequence[str],
    rows: Sequence[list[str]],
    targets: Sequence[Target],
    chosen_targets: Mapping[int, str],
) -> tuple[ListColumn, ...]:
    """The columns that have a heading or anything in them, and what each becomes."""
    columns = []
    taken_keys = set(chosen_targets.values())
    for number, cells in enumerate(zip_longest(headings, *rows, fillvalue=""), start=1):
        heading, texts = cells[0], list(filter(None, cells[1:]))
        if not heading and not texts:
            continue
        becomes = chosen_targets.get(number)
        if becomes is None:
            # Where two columns are known by one name, the first has it, or the second the next.
            may_become = _likely_targets(heading, texts, targets)
            becomes = next((key for key in may_become if key not in taken_keys), NOT_IMPORTED)
        taken_keys.add(becomes)
        label = heading or f"Column {number} (no heading)"
        columns.append(ListColumn(number, label[:MOST_EXAMPLE], _example(texts[:1]), becomes))
    return tuple(columns)


def _likely_targets(heading: str, texts: Sequence[str], targets: Sequence[Target]) -> list[str]:
    """The keys of what the column may become, the likeliest first."""
    plain = plain_heading(heading)
    may_become = []
    for target in targets:
        if plain in target.names:
            may_become.append(target.key)
        elif plain in target.guessed_names and target.read:
            readable = sum(_is_readable(word, target.read) for word in texts)
            if readable * 2 > len(texts) or not texts:
                may_become.append(target.key)
    return may_become


def _is_readable(word: str, read: Callable[[str], object]) -> bool:
    try:
        read(unguard_formula(word))
    except ValueError:
        return False
    return True


def _skip_reason(cells: Sequence[str], headings: Sequence[str]) -> str:
    """Why nobody is on this line; empty if someone is."""
    plain = list(filter(None, map(plain_heading, cells)))
    if not plain:
        return "empty"
    if Counter(plain) == Counter(plain_heading(heading) for heading in headings if heading):
        return "the headings again"
    is_total = any(TOTAL_LINE.fullmatch(text) for text in [*plain, " ".join(plain)])
    return "a total" if is_total and len(plain) <= MOST_CELLS_OF_TOTAL else ""


def _cells_by_target(cells: Sequence[str], columns: Sequence[ListColumn]) -> Cells:
    return {
        column.becomes: unguard_formula(cells[column.number - 1])
        if column.number <= len(cells)
        else ""
        for column in columns
        if column.becomes
    }


def _example(cells: Sequence[str]) -> str:
    return " ".join(", ".join(filter(None, cells)).split())[:MOST_EXAMPLE]
