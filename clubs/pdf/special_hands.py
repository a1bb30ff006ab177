"""The club's book of special hands on paper: every hand with its tiles, then how often each."""

from clubs.language.moments import long_date, short_date
from clubs.language.words import counted
from clubs.paper.fonts import BOLD, TEXT, lines_of
from clubs.paper.formats import USUAL, Format
from clubs.paper.layout import Column, Part, draw_list
from clubs.paper.page import CINNABAR, HAIR, INK, SOFT, Paper
from clubs.selectors.made_hands import MadeHand
from clubs.selectors.special_hands import SpecialBook, title_of

TITLE = "Special hands"
TILES, WORDS, GAP = 27.0, 35.0, 15.0
SIZE, SECOND = 10.5, 13.0
BETWEEN = 8.0
NOTHING = "No special hands yet."
NO_TILES = "The tiles were not entered."


def special_hands_pdf(club: str, book: SpecialBook, form: Format = USUAL) -> bytes:
    """A PDF of the whole book, the newest hand first."""
    paper = Paper(f"{TITLE}: {club}", form)
    y = paper.title(paper.masthead(club, book.rules), TITLE, _lede(book)) - 4
    for hand in book.hands:
        if y - TILES - WORDS - GAP - SECOND * (len(_told(paper, hand)) - 1) < paper.foot:
            paper.next_page()
            y = paper.masthead(club, TITLE) - GAP
        y = _hand(paper, hand, y)
    _list(paper, club, book, y)
    return paper.done()


def _lede(book: SpecialBook) -> str:
    if not book.hands:
        return NOTHING
    return f"{counted(len(book.hands), 'hand')} so far, the newest first."


def _hand(paper: Paper, hand: MadeHand, y: float) -> float:
    paper.footer(TITLE)
    score = f"{hand.score:,}"
    paper.text(paper.margin, y - 13, title_of(hand), size=12.5, face=BOLD, room=paper.room - 60)
    paper.text(paper.right, y - 13, score, size=12.5, face=BOLD, colour=CINNABAR, align="right")
    with paper.tags.paragraph():
        for down, line in enumerate(_told(paper, hand)):
            paper.text(paper.margin, y - 27 - SECOND * down, line, size=SIZE, colour=INK)
    y -= WORDS + SECOND * down
    if hand.tiles:
        _tiles(paper, hand, y - TILES)
    else:
        paper.text(paper.margin, y - 12, NO_TILES, size=10, colour=SOFT)
    y -= TILES + GAP / 2 if hand.tiles else GAP + 4
    paper.rule(paper.margin, y, paper.right, y, colour=HAIR)
    return y - GAP / 2


def _told(paper: Paper, hand: MadeHand) -> list[str]:
    """Who made it, when and where, in as many lines as it takes."""
    told = f"{hand.name}, {long_date(hand.day)}, {hand.where}"
    told += ", not agreed yet" if hand.is_disputed else ""
    return lines_of(told, TEXT, SIZE, paper.room)


def _tiles(paper: Paper, hand: MadeHand, y: float) -> None:
    """The sets side by side, smaller where they would not fit."""
    count, sets = sum(map(len, hand.tiles)), len(hand.tiles)
    whole = count * TILES * 13 / 16 + sets * BETWEEN
    height = min(TILES, TILES * paper.room / whole)
    x = paper.margin
    for group in hand.tiles:
        x += paper.tiles(group, x, y, height) + BETWEEN * height / TILES


def _list(paper: Paper, club: str, book: SpecialBook, y: float) -> None:
    if y - 120 < paper.foot:
        paper.next_page()
        y = paper.masthead(club, TITLE)

    def top(page: int) -> float:
        if page > 1:
            return paper.masthead(club, TITLE)
        paper.text(paper.margin, y - 26, "How often each was made", size=14, face=BOLD)
        return y - 30

    made = tuple(
        (one.title, f"{one.times}", ", ".join(one.names), short_date(one.last_on))
        for one in book.made
    )
    waiting = tuple((title, "", "", "") for title in book.waiting)
    columns = (
        Column("Hand", 66, "left", is_bold=True, wraps=True),
        Column("Times", 14),
        Column("By", 60, "left", wraps=True),
        Column("Last", 28),
    )
    parts = (Part("", made), Part(f"Of {book.rules}, still to be made", waiting))
    draw_list(paper, columns=columns, parts=parts, top=top, footer=TITLE)
