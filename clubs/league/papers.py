"""Printouts of a season: the league table, the result, the book and the special hands."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from clubs.evenings.selectors.evenings import ResultRow
from clubs.language.moments import full_date, long_date, short_date, short_month
from clubs.language.words import count_words
from clubs.league.poster import draw_centred, season_poster, size_in_words
from clubs.league.selectors.records import BookEvening, MadeHand, SpecialBook, Yearbook
from clubs.league.selectors.seasons import LeagueRow, LeagueTable, league_table
from clubs.models import Season
from clubs.paper.document import (
    ROW_HEIGHT,
    Column,
    Contents,
    ContentsEntry,
    ListPart,
    draw_list,
    title_drawer,
)
from clubs.paper.fonts import BOLD_FACE, DISPLAY_FACE, TEXT_FACE, break_lines, width_of
from clubs.paper.formats import DEFAULT_FORMAT, Format
from clubs.paper.page import CINNABAR, HAIRLINE_COLOUR, INK, LINE_COLOUR, SOFT_INK, Paper
from clubs.table.rankings import place_words
from clubs.table.rows import points_text

SPECIAL_HANDS_TITLE = "Special hands"
TILES_HEIGHT, HAND_TEXT_HEIGHT, HAND_GAP = 27.0, 35.0, 15.0
TEXT_SIZE, LINE_HEIGHT = 10.5, 13.0
SET_GAP = 8.0
NO_HANDS_MESSAGE = "No special hands yet."
NO_TILES_MESSAGE = "The tiles were not entered."
MIN_ROW_HEIGHT: Final = 14.0  # the least that a row of an evening takes
COVER_TILES = ("WE", "WS", "WW", "WN", "DR", "DG", "DW")
OFFICERS = ("Chair", "Secretary", "Treasurer")
TILE_HEIGHT = 30.0
CHAPTERS = {
    "calendar": "Calendar",
    "league": "The league",
    "evenings": "Results of every evening",
    "records": "Records",
    "special": "Special hands",
    "members": "Members",
}


def special_hands_pdf(club: str, book: SpecialBook, form: Format = DEFAULT_FORMAT) -> bytes:
    """A PDF of the whole book, the newest hand first."""
    paper = Paper(f"{SPECIAL_HANDS_TITLE}: {club}", form)
    lede = f"{count_words(len(book.hands), 'hand')} so far, newest first."
    y = (
        paper.title(
            paper.masthead(club, book.rules),
            SPECIAL_HANDS_TITLE,
            lede if book.hands else NO_HANDS_MESSAGE,
        )
        - 4
    )
    for hand in book.hands:
        detail_lines = _hand_details(paper, hand, ", not agreed yet" if hand.is_disputed else "")
        if (
            y - TILES_HEIGHT - HAND_TEXT_HEIGHT - HAND_GAP - LINE_HEIGHT * (len(detail_lines) - 1)
            < paper.foot
        ):
            paper.next_page()
            y = paper.masthead(club, SPECIAL_HANDS_TITLE) - HAND_GAP
        y = _draw_hand(paper, hand, detail_lines, y)
    _draw_hand_counts(paper, club, book, y)
    return paper.finish()


def _draw_hand(paper: Paper, hand: MadeHand, detail_lines: Sequence[str], y: float) -> float:
    paper.footer(SPECIAL_HANDS_TITLE)
    score = hand.points
    room = paper.room - width_of(score, BOLD_FACE, 12.5) - 10
    paper.text(paper.margin, y - 13, hand.title, size=12.5, face=BOLD_FACE, room=room)
    paper.text(
        paper.right, y - 13, score, size=12.5, face=BOLD_FACE, colour=CINNABAR, align="right"
    )
    with paper.tags.paragraph():
        for line_index, line in enumerate(detail_lines):
            paper.text(
                paper.margin, y - 27 - LINE_HEIGHT * line_index, line, size=TEXT_SIZE, colour=INK
            )
    y -= HAND_TEXT_HEIGHT + LINE_HEIGHT * line_index
    if hand.tiles:
        y -= TILES_HEIGHT
        full_width = sum(map(len, hand.tiles)) * TILES_HEIGHT * 13 / 16 + len(hand.tiles) * SET_GAP
        height = min(TILES_HEIGHT, TILES_HEIGHT * paper.room / full_width)
        x = paper.margin
        for group in hand.tiles:
            x += paper.tiles(group, x, y, height) + SET_GAP * height / TILES_HEIGHT
        y -= HAND_GAP / 2
    else:
        paper.text(paper.margin, y - 12, NO_TILES_MESSAGE, size=10, colour=SOFT_INK)
        y -= HAND_GAP + 4
    paper.rule(paper.margin, y, paper.right, y, colour=HAIRLINE_COLOUR)
    return y - HAND_GAP / 2


def _hand_details(paper: Paper, hand: MadeHand, state: str = "") -> list[str]:
    """Who made it, when and where, on as many lines as needed."""
    details = f"{hand.name}, {long_date(hand.day)}, {hand.location}{state}"
    return break_lines(details, TEXT_FACE, TEXT_SIZE, paper.room)


def _draw_hand_counts(paper: Paper, club: str, book: SpecialBook, y: float) -> None:
    if y - 120 < paper.foot:
        paper.next_page()
        y = paper.masthead(club, SPECIAL_HANDS_TITLE)

    def top(page: int) -> float:
        if page > 1:
            return paper.masthead(club, SPECIAL_HANDS_TITLE)
        paper.text(paper.margin, y - 26, "How often each was made", size=14, face=BOLD_FACE)
        return y - 30

    rows = tuple(
        (count.title, f"{count.times}", ", ".join(count.names), short_date(count.last_on))
        for count in book.hand_counts
    )
    columns = (
        Column("Hand", 66, "left", is_bold=True, wraps=True),
        Column("Times", 14),
        Column("By", 60, "left", wraps=True),
        Column("Last", 28),
    )
    y = (
        draw_list(
            paper, columns=columns, parts=(ListPart("", rows),), top=top, footer=SPECIAL_HANDS_TITLE
        )
        if rows
        else y
    )
    _draw_unmade_hands(paper, club, book, y)


def _draw_unmade_hands(paper: Paper, club: str, book: SpecialBook, y: float) -> None:
    """The hands that nobody has made, in two columns."""
    if not book.waiting:
        return
    is_fresh = y - 120 < paper.foot
    if is_fresh:
        paper.next_page()

    def top(page: int) -> float:
        upper_edge = paper.masthead(club, SPECIAL_HANDS_TITLE) if is_fresh or page > 1 else y
        title = f"{book.rules}: not made yet"
        return (
            paper.lines(
                paper.margin, upper_edge - 26, title, size=14, face=BOLD_FACE, room=paper.room
            )
            - 2
        )

    row_count = -(-len(book.waiting) // 2)
    right = [*book.waiting[row_count:], ""]
    rows = tuple(zip(book.waiting[:row_count], right, strict=False))
    columns = (Column("", 50, "left", wraps=True), Column("", 50, "left", wraps=True))
    draw_list(
        paper, columns=columns, parts=(ListPart("", rows),), top=top, footer=SPECIAL_HANDS_TITLE
    )


def league_pdf(club: str, table: LeagueTable, form: Format = DEFAULT_FORMAT) -> bytes:
    paper = Paper(table.title, form, wide=form.is_large)
    draw_league(paper, club, table, fills=True)
    return paper.finish()


def draw_league(paper: Paper, club: str, table: LeagueTable, *, fills: bool = False) -> float:
    """Draw the season's table from a new page on; returns the height below it."""
    evenings = count_words(len(table.evenings), "evening")
    ranked_rows = tuple(_league_row(row, table) for row in table.rows if row.place is not None)
    unranked_rows = tuple(_league_row(row, table) for row in table.rows if row.place is None)
    return draw_list(
        paper,
        columns=(
            Column("Place", 40, "left", is_bold=True),
            Column("Name", 172, "left", is_bold=True),
            Column(table.heading, 66, is_bold=True),
            Column("Evenings", 52),
            *([Column("Total", 58)] if table.shows_total else []),
            *([Column("Average", 58)] if table.shows_average else []),
            Column("Mah-Jongs", 56),
            Column("Best hand", 54),
        ),
        parts=(ListPart("", ranked_rows), ListPart("Not ranked yet", unranked_rows)),
        top=title_drawer(
            paper, club, evenings, table.title, f"{table.rule} {table.provisional}".strip()
        ),
        footer=table.title,
        fills=fills,
    )


def _league_row(row: LeagueRow, table: LeagueTable) -> tuple[str, ...]:
    return (
        place_words(row.place, is_tied=row.is_tied),
        row.name,
        points_text(row.counts, pays=row.is_signed),
        f"{row.evenings_attended}",
        *([points_text(row.total, pays=row.pays)] if table.shows_total else []),
        *([points_text(row.mean, pays=row.pays)] if table.shows_average else []),
        f"{row.mahjongs}",
        f"{row.best_hand:,}",
    )


def draw_result(
    paper: Paper, club: str, held_on: date, rows: tuple[ResultRow, ...], footer: str
) -> None:
    """Draw one evening's result from a new page on."""
    day = full_date(held_on)
    top = title_drawer(paper, club, count_words(len(rows), "player"), day)
    draw_rows(paper, rows, top, f"{footer} · {day}")


def result_pdf(
    club: str,
    held_on: date,
    rows: tuple[ResultRow, ...],
    form: Format = DEFAULT_FORMAT,
    *,
    is_final: bool = True,
) -> bytes:
    """A PDF of one evening's result, to fill a sheet on the wall."""
    day, title = full_date(held_on), "Result" if is_final else "Result so far"
    paper = Paper(f"{title}: {day}", form, wide=form.is_large)
    top = title_drawer(paper, club, count_words(len(rows), "player"), day, title)
    draw_rows(paper, rows, top, f"{title} · {day}", fills=True)
    return paper.finish()


def draw_rows(
    paper: Paper,
    rows: tuple[ResultRow, ...],
    top: Callable[[int], float],
    footer: str,
    height: float = ROW_HEIGHT,
    *,
    fills: bool = False,
) -> float:
    """Draw a result below the height that ``top`` returns, as ``draw_list`` does."""
    columns, part = result_parts(rows)
    return draw_list(
        paper, columns=columns, parts=(part,), top=top, footer=footer, height=height, fills=fills
    )


def result_parts(rows: Sequence[ResultRow]) -> tuple[tuple[Column, ...], ListPart]:
    """The columns of a result and its rows."""
    points = "Gain" if all(row.pays for row in rows) else "Points"
    row_texts = tuple(_result_row(row, has_hands=True) for row in rows)
    return _result_columns(points, has_hands=True), ListPart("", row_texts)


def _result_columns(points: str, *, has_hands: bool) -> tuple[Column, ...]:
    return (
        Column("Place", 40, "left", is_bold=True),
        Column("Name", 190, "left", is_bold=True),
        Column(points, 62, is_bold=True),
        Column("Table", 46),
        *([Column("Hands", 48)] if has_hands else []),
        Column("Mah-Jongs", 60),
        Column("Best hand", 58),
    )


def _result_row(row: ResultRow, *, has_hands: bool) -> tuple[str, ...]:
    return (
        place_words(row.place, is_tied=row.is_tied),
        row.name,
        points_text(row.points, pays=row.pays),
        f"{row.table}",
        *([f"{row.hands}"] if has_hands else []),
        f"{row.mahjongs}",
        f"{row.best_hand:,}",
    )


def draw_cover(paper: Paper, club: str, titles: tuple[str, str], facts: Sequence[str]) -> float:
    """Draw the first page: club, kind of printout and season; returns the height below."""
    middle, room, is_large = paper.width / 2, paper.room, paper.form.is_large
    high = paper.height - 128 if is_large else paper.height * 0.64
    paper.mark("sign", middle - 48, high, 96)
    draw_centred(paper, high - 52, club, 15, BOLD_FACE, margins=0)
    draw_centred(paper, high - 104, titles[0], 40, DISPLAY_FACE, margins=0)
    draw_centred(paper, high - 144, titles[1], 26, DISPLAY_FACE, CINNABAR, margins=0)
    paper.rule(middle - 60, high - 170, middle + 60, high - 170, width=1.2, colour=INK)
    for index, fact in enumerate(facts):
        draw_centred(paper, high - 196 - 19 * index, fact, 13, TEXT_FACE, SOFT_INK, margins=0)
    height = min(44.0 if is_large else 64.0, room / (len(COVER_TILES) * 0.82))
    width = len(COVER_TILES) * height * 0.75 + (len(COVER_TILES) - 1) * height / 16
    paper.tiles(
        COVER_TILES, middle - width / 2, paper.height * (0.05 if is_large else 0.12), height
    )
    return high - 196 - 19 * len(facts)


def book_pdf(book: Yearbook, form: Format = DEFAULT_FORMAT) -> bytes:
    """A PDF of the season with contents, page numbers and bookmarks.

    The chapter of special hands is left out if there are none, and that of evenings before the
    first.
    """
    season_book = SeasonBook(Paper(f"{book.club}: {book.season}", form), book)
    season_book.front()
    for key in season_book.chapters:
        season_book.paper.next_page(wide=form.is_large and key not in {"special", "members"})
        getattr(season_book, key)()
    season_book.contents.fill_in()
    return season_book.paper.finish()


class SeasonBook:
    """Draws the chapters, each from a new page on."""

    def __init__(self, paper: Paper, book: Yearbook) -> None:
        self.paper, self.book = paper, book
        self.footer = f"{book.club}, {book.season}"
        unmade = set() if book.special else {"special"}
        unmade |= set() if book.evenings else {"calendar", "evenings", "records"}
        self.chapters = [key for key in CHAPTERS if key not in unmade]
        entries = []
        for key in self.chapters:
            entries.append(ContentsEntry(key, CHAPTERS[key]))
            if key == "evenings":
                entries += [
                    ContentsEntry(_bookmark_key(evening), evening.day, 1)
                    for evening in book.evenings
                ]
        self.contents = Contents(paper, tuple(entries))

    def front(self) -> None:
        """The title page, with lines for the officers to sign, and the contents."""
        paper, book = self.paper, self.book
        facts = [
            "Season book",
            f"{long_date(book.starts_on)} to {long_date(book.ends_on)}",
            size_in_words(len(book.evenings), len(book.table.rows)),
        ]
        y = draw_cover(paper, book.club, (book.league, book.season), facts)
        width = paper.room / len(OFFICERS)
        for index, officer in enumerate(OFFICERS):
            left_edge = paper.margin + index * width + 8
            paper.rule(left_edge, y - 44, left_edge + width - 16, y - 44, width=0.8, colour=INK)
            paper.text(left_edge, y - 57, officer, size=10, colour=SOFT_INK, room=width - 16)
        paper.next_page()
        paper.begins("contents", "Contents")
        self.contents.draw(self._top("Contents")(1), book.club, self.footer)

    def _top(self, title: str) -> Callable[[int], float]:
        return title_drawer(self.paper, self.book.club, self.book.season, title)

    def calendar(self) -> None:
        """One line for each evening."""
        self.contents.begins("calendar")
        columns = (
            Column("Evening", 150, "left", is_bold=True),
            Column("Tables", 42),
            Column("Players", 46),
            Column("Hands", 42),
            Column("First", 190, "left", wraps=True),
        )
        rows = tuple(
            (
                evening.day,
                f"{evening.tables}",
                f"{len(evening.rows)}",
                f"{evening.hands}",
                ", ".join(evening.first),
            )
            for evening in self.book.evenings
        )
        self._list("calendar", columns, (ListPart("", rows),))

    def _list(self, key: str, columns: tuple[Column, ...], parts: tuple[ListPart, ...]) -> float:
        top = self._top(CHAPTERS[key])
        return draw_list(self.paper, columns=columns, parts=parts, top=top, footer=self.footer)

    def league(self) -> None:
        """The final table, and the ranking rules in sentences."""
        self.contents.begins("league")
        paper, table = self.paper, self.book.table
        y = draw_league(paper, self.book.club, table)
        wrapped_paragraphs = [
            break_lines(paragraph, TEXT_FACE, TEXT_SIZE, paper.room)
            for paragraph in table.sentences
        ]
        if (
            y - 62 - sum(5 + 1.35 * TEXT_SIZE * len(lines) for lines in wrapped_paragraphs)
            < paper.foot
        ):
            paper.next_page()
            paper.footer(self.footer)
            y = paper.masthead(self.book.club, self.book.season)
        y -= 34
        paper.text(paper.margin, y, "How this season is ranked", size=14, face=BOLD_FACE)
        y -= 20
        for paragraph in table.sentences:
            y = paper.paragraph(
                paper.margin, y, paragraph, room=paper.room, size=TEXT_SIZE, colour=INK
            )
            y -= 5

    def evenings(self) -> None:
        """Every evening's result, one below the other."""
        self.contents.begins("evenings")
        days = {evening.day: _bookmark_key(evening) for evening in self.book.evenings}
        draw_list(
            self.paper,
            columns=_result_columns("Points", has_hands=False),
            parts=tuple(
                ListPart(
                    evening.day,
                    tuple(_result_row(row, has_hands=False) for row in evening.rows),
                    is_unbreakable=True,
                )
                for evening in self.book.evenings
            ),
            top=self._top(CHAPTERS["evenings"]),
            footer=self.footer,
            on_heading=lambda day: self.contents.begins(days[day]),
            height=MIN_ROW_HEIGHT,
        )

    def records(self) -> None:
        """The season's records, and the tiles of the highest hand if they were entered."""
        self.contents.begins("records")
        columns = (
            Column("", 120, "left", is_bold=True, wraps=True),
            Column("", 150, "left", wraps=True),
            Column("", 96, "left", wraps=True),
            Column("", 170, "left", wraps=True),
        )
        rows = tuple(
            (record.title, ", ".join(record.names), record.figure, record.date_text)
            for record in self.book.records
        )
        y = self._list("records", columns, (ListPart("", rows),))
        if self.book.best and y - 90 > self.paper.foot:
            self.paper.text(self.paper.margin, y - 34, "The highest hand", size=14, face=BOLD_FACE)
            self._hand(self.book.best, y - 46)

    def special(self) -> None:
        """Each special hand of the season with its tiles, in chronological order."""
        self.contents.begins("special")
        paper, page, top = self.paper, 1, self._top(CHAPTERS["special"])
        y = top(page)
        paper.footer(self.footer)
        for hand in self.book.special:
            height = 50 + LINE_HEIGHT * (len(_hand_details(paper, hand)) - 1)
            height += TILE_HEIGHT + 10 if hand.tiles else 0
            if y - height < paper.foot:
                paper.next_page()
                page += 1
                y = top(page)
                paper.footer(self.footer)
            y = self._hand(hand, y)
            paper.rule(paper.margin, y, paper.right, y, colour=LINE_COLOUR)

    def _hand(self, hand: MadeHand, y: float) -> float:
        """Draw a hand below y: name, player, date and tiles; returns the height below."""
        paper = self.paper
        half = paper.room * 0.66
        paper.text(paper.margin, y - 22, hand.title, size=13, face=BOLD_FACE, room=half)
        x, points, room = paper.right, f"{hand.score:,} points", paper.room - half - 8
        paper.text(
            x, y - 22, points, size=11, face=BOLD_FACE, colour=CINNABAR, align="right", room=room
        )
        y -= 38
        with paper.tags.paragraph():
            for line in _hand_details(paper, hand):
                paper.text(paper.margin, y, line, size=TEXT_SIZE, colour=SOFT_INK)
                y -= LINE_HEIGHT
        y -= 10 - LINE_HEIGHT
        if hand.tiles:
            tile_count = sum(map(len, hand.tiles))
            tile = min(TILE_HEIGHT, (paper.room - 9 * len(hand.tiles)) / (tile_count * 0.82))
            x, y = paper.margin, y - tile
            for group in hand.tiles:
                x += paper.tiles(group, x, y, tile) + 9
            y -= 10
        return y

    def members(self) -> None:
        """Everyone's name as they chose to be shown."""
        self.contents.begins("members")
        column_count = 2 if self.paper.form.is_large else 3
        names = list(self.book.members)
        row_count = -(-len(names) // column_count)
        sides = [
            names[start : start + row_count] for start in range(0, len(names), max(1, row_count))
        ]
        padded_sides = [side + [""] * (row_count - len(side)) for side in sides]
        rows = tuple(zip(*padded_sides, strict=True))
        columns = tuple(
            Column("", 100, "left", wraps=True) for _ in range(max(1, len(padded_sides)))
        )
        y = self._list("members", columns, (ListPart("", rows),))
        if self.book.unnamed_count:
            word = "member" if self.book.unnamed_count == 1 else "members"
            unnamed_text = f"And {self.book.unnamed_count} {word}"
            paper = self.paper
            paper.text(
                paper.margin,
                y - 20,
                f"{unnamed_text} who chose not to be named.",
                size=10.5,
                colour=SOFT_INK,
            )


def _bookmark_key(evening: BookEvening) -> str:
    return f"evening-{evening.session_id}"


@dataclass(frozen=True, slots=True)
class SeasonPaper:
    """A printout of a season that is ready at once: its page, the list and the API read it.

    ``kind`` ends its addresses, ``name`` is the URL name of its page, ``file`` part of its file's.
    """

    kind: str
    title: str
    note: str
    name: str
    file: str
    draw: Callable[[Season, Format], bytes]

    def file_for(self, season: Season) -> str:
        """The name of its file, without ``.pdf``."""
        return f"{season.league.club.slug}-{self.file}-{season.pk}"


def _draw_poster(season: Season, form: Format) -> bytes:
    period = f"{short_month(season.starts_on)} to {short_month(season.ends_on)}"
    return season_poster(season.league.club.name, period, league_table(season), form)


_ALL_PAPERS = (
    SeasonPaper(
        "table",
        "League table",
        "The current table, in full",
        "season-pdf",
        "league",
        lambda season, form: league_pdf(season.league.club.name, league_table(season), form),
    ),
    SeasonPaper(
        "poster",
        "Poster",
        "The season’s top ten, for the notice board",
        "season-poster-pdf",
        "poster",
        _draw_poster,
    ),
)
SEASON_PAPERS: Final = {paper.kind: paper for paper in _ALL_PAPERS}
