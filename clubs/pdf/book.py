"""The season's book: cover, contents, calendar, league, every evening, records, members."""

from collections.abc import Callable, Iterator

from clubs.language.moments import long_date
from clubs.language.words import counted
from clubs.paper.document import Contents, Entry
from clubs.paper.fonts import BOLD, TEXT, lines_of
from clubs.paper.formats import USUAL, Format
from clubs.paper.layout import Column, Part, draw_list
from clubs.paper.page import CINNABAR, INK, LINE, SOFT, Paper
from clubs.pdf.pack import draw_cover
from clubs.pdf.tables import draw_league, place_words
from clubs.selectors.made_hands import MadeHand
from clubs.selectors.special_hands import title_of
from clubs.selectors.yearbook import BookEvening, Yearbook
from clubs.table.rows import tallied

OFFICERS = ("Chair", "Secretary", "Treasurer")
TILE, RULE, SECOND = 30.0, 10.5, 13.0
CHAPTERS = {
    "calendar": "Calendar",
    "league": "The league",
    "evenings": "Results of every evening",
    "records": "Records",
    "special": "Special hands",
    "members": "Members",
}


def book_pdf(book: Yearbook, form: Format = USUAL) -> bytes:
    """A PDF of the season with its contents, page numbers and bookmarks.

    There is no chapter of special hands where nobody made one, and none of evenings before the
    first.
    """
    drawn = Book(Paper(f"{book.club}: {book.season}", form), book)
    drawn.front()
    for key in drawn.chapters:
        drawn.paper.next_page(wide=form.is_large and key not in {"special", "members"})
        getattr(drawn, key)()
    drawn.contents.fill_in()
    return drawn.paper.done()


class Book:
    """Draws the chapters, each from a fresh page on."""

    def __init__(self, paper: Paper, book: Yearbook) -> None:
        self.paper, self.book = paper, book
        self.footer = f"{book.club}, {book.season}"
        unmade = set() if book.special else {"special"}
        unmade |= set() if book.evenings else {"calendar", "evenings", "records"}
        self.chapters = [key for key in CHAPTERS if key not in unmade]
        self.contents = Contents(paper, tuple(self._entries()))

    def _entries(self) -> Iterator[Entry]:
        for key in self.chapters:
            yield Entry(key, CHAPTERS[key])
            if key == "evenings":
                yield from (Entry(_key(one), one.day, 1) for one in self.book.evenings)

    def front(self) -> None:
        """The title page, with lines for the officers to sign, and the contents."""
        paper, book = self.paper, self.book
        facts = [
            "Season book",
            f"{long_date(book.starts_on)} to {long_date(book.ends_on)}",
            f"{counted(len(book.evenings), 'evening')}, {counted(len(book.table.rows), 'player')}",
        ]
        y = draw_cover(paper, book.club, (book.league, book.season), facts)
        width = paper.room / len(OFFICERS)
        for at, officer in enumerate(OFFICERS):
            left = paper.margin + at * width + 8
            paper.rule(left, y - 44, left + width - 16, y - 44, width=0.8, colour=INK)
            paper.text(left, y - 57, officer, size=10, colour=SOFT, room=width - 16)
        paper.next_page()
        paper.begins("contents", "Contents")
        self.contents.draw(self._top("Contents")(1), book.club, self.footer)

    def _top(self, title: str) -> Callable[[int], float]:
        """What stands above a chapter: the club, and on its first page the title."""

        def top(page: int) -> float:
            y = self.paper.masthead(self.book.club, self.book.season)
            return self.paper.title(y, title) if page == 1 else y

        return top

    def calendar(self) -> None:
        """Every evening in a line."""
        self.contents.begins("calendar")
        columns = (
            Column("Evening", 150, "left", is_bold=True),
            Column("Tables", 42),
            Column("Players", 46),
            Column("Hands", 42),
            Column("First", 190, "left", wraps=True),
        )
        rows = tuple(
            (one.day, f"{one.tables}", f"{len(one.rows)}", f"{one.hands}", ", ".join(one.first))
            for one in self.book.evenings
        )
        self._list("calendar", columns, (Part("", rows),))

    def _list(self, key: str, columns: tuple[Column, ...], parts: tuple[Part, ...]) -> float:
        top = self._top(CHAPTERS[key])
        return draw_list(self.paper, columns=columns, parts=parts, top=top, footer=self.footer)

    def league(self) -> None:
        """The final table, and the rules by which it ranks in sentences."""
        self.contents.begins("league")
        paper, table = self.paper, self.book.table
        y = draw_league(paper, self.book.club, table)
        told = [lines_of(one, TEXT, RULE, paper.room) for one in table.sentences]
        if y - 62 - sum(5 + 1.35 * RULE * len(lines) for lines in told) < paper.foot:
            paper.next_page()
            paper.footer(self.footer)
            y = paper.masthead(self.book.club, self.book.season)
        y -= 34
        paper.text(paper.margin, y, "How this season is ranked", size=14, face=BOLD)
        y -= 20
        for one in table.sentences:
            y = paper.paragraph(paper.margin, y, one, room=paper.room, size=RULE, colour=INK) - 5

    def evenings(self) -> None:
        """Every evening's result, one below the other."""
        self.contents.begins("evenings")
        days = {one.day: _key(one) for one in self.book.evenings}
        draw_list(
            self.paper,
            columns=(
                Column("Place", 40, "left", is_bold=True),
                Column("Name", 190, "left", is_bold=True),
                Column("Points", 62, is_bold=True),
                Column("Table", 46),
                Column("Mah-Jongs", 60),
                Column("Best hand", 58),
            ),
            parts=tuple(Part(one.day, _rows(one)) for one in self.book.evenings),
            top=self._top(CHAPTERS["evenings"]),
            footer=self.footer,
            on_heading=lambda day: self.contents.begins(days[day]),
        )

    def records(self) -> None:
        """The most of everything, and the tiles of the highest hand where they were told."""
        self.contents.begins("records")
        columns = (
            Column("", 120, "left", is_bold=True, wraps=True),
            Column("", 150, "left", wraps=True),
            Column("", 96, "left", wraps=True),
            Column("", 170, "left", wraps=True),
        )
        rows = tuple(
            (one.title, ", ".join(one.names), one.figure, one.when) for one in self.book.records
        )
        y = self._list("records", columns, (Part("", rows),))
        if self.book.best and y - 90 > self.paper.foot:
            self.paper.text(self.paper.margin, y - 34, "The highest hand", size=14, face=BOLD)
            self._hand(self.book.best, y - 46)

    def special(self) -> None:
        """Each special hand of the season with its tiles, in the order in which they were made."""
        self.contents.begins("special")
        paper, page, top = self.paper, 1, self._top(CHAPTERS["special"])
        y = top(page)
        paper.footer(self.footer)
        for hand in self.book.special:
            if y - self._height(hand) < paper.foot:
                paper.next_page()
                page += 1
                y = top(page)
                paper.footer(self.footer)
            y = self._hand(hand, y)
            paper.rule(paper.margin, y, paper.right, y, colour=LINE)

    def _height(self, hand: MadeHand) -> float:
        below = SECOND * (len(self._where(hand)) - 1)
        return 50 + below + (TILE + 10 if hand.tiles else 0)

    def _where(self, hand: MadeHand) -> list[str]:
        """Who made it, when and where, in as many lines as it takes."""
        said = f"{hand.name}, {long_date(hand.day)}, {hand.where}"
        return lines_of(said, TEXT, RULE, self.paper.room)

    def _hand(self, hand: MadeHand, y: float) -> float:
        """A hand below y: its name, who made it and when, its tiles; returns the height below."""
        paper = self.paper
        half = paper.room * 0.66
        paper.text(paper.margin, y - 22, title_of(hand), size=13, face=BOLD, room=half)
        points = f"{hand.score:,} points"
        room = paper.room - half - 8
        paper.text(
            paper.right,
            y - 22,
            points,
            size=11,
            face=BOLD,
            colour=CINNABAR,
            align="right",
            room=room,
        )
        y -= 38
        with paper.tags.paragraph():
            for line in self._where(hand):
                paper.text(paper.margin, y, line, size=RULE, colour=SOFT)
                y -= SECOND
        y -= 10 - SECOND
        if hand.tiles:
            many = sum(map(len, hand.tiles))
            tile = min(TILE, (paper.room - 9 * len(hand.tiles)) / (many * 0.82))
            x, y = paper.margin, y - tile
            for group in hand.tiles:
                x += paper.tiles(group, x, y, tile) + 9
            y -= 10
        return y

    def members(self) -> None:
        """Everyone's name as they chose it to stand."""
        self.contents.begins("members")
        across = 2 if self.paper.form.is_large else 3
        names = list(self.book.members)
        down = -(-len(names) // across)
        sides = [names[at : at + down] for at in range(0, len(names), max(1, down))]
        filled = [side + [""] * (down - len(side)) for side in sides]
        rows = tuple(zip(*filled, strict=True))
        columns = tuple(Column("", 100, "left", wraps=True) for _ in range(max(1, len(filled))))
        y = self._list("members", columns, (Part("", rows),))
        if self.book.unnamed:
            one = self.book.unnamed == 1
            said = f"And {self.book.unnamed} {'member' if one else 'members'}"
            paper = self.paper
            paper.text(
                paper.margin, y - 20, f"{said} who chose not to be named.", size=10.5, colour=SOFT
            )


def _key(evening: BookEvening) -> str:
    return f"evening-{evening.session_id}"


def _rows(evening: BookEvening) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (
            place_words(row.place, is_tied=row.is_tied),
            row.name,
            tallied(row.points, pays=row.pays),
            f"{row.table}",
            f"{row.mahjongs}",
            f"{row.best_hand:,}",
        )
        for row in evening.rows
    )
