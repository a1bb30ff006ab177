"""A tournament's standings on paper; its sheets and cards are those of every table."""

from clubs.pdf.columns import Column, Part, draw_list
from clubs.pdf.page import Paper
from clubs.pdf.tables import counted_players
from tournaments.models import Tournament
from tournaments.selectors.board import Board, Line, board

# The letters we print with have no thirds and sixths.
FRACTIONS = str.maketrans({"⅓": " 1/3", "⅔": " 2/3", "⅙": " 1/6", "⅚": " 5/6"})


def standings_pdf(tournament: Tournament) -> bytes:
    """A PDF of everybody's place, as many pages as it takes."""
    found = board(tournament)
    paper = Paper(f"{tournament.name}: standings")
    lede = f"{_day(tournament)}, {found.standing}. {found.rule}"

    def top(page: int) -> float:
        y = paper.masthead(tournament.club.name, counted_players(len(found.lines)))
        return paper.title(y, tournament.name, lede) if page == 1 else y

    draw_list(
        paper,
        columns=_columns(found),
        parts=(Part("", tuple(_row(line) for line in found.lines)),),
        top=top,
        footer=f"{tournament.name}, {found.standing}",
    )
    return paper.done()


def _day(tournament: Tournament) -> str:
    return f"{tournament.held_on.day} {tournament.held_on:%B %Y}"


def _columns(found: Board) -> tuple[Column, ...]:
    first, *others = found.columns
    return (
        Column("Place", 40, "left", is_bold=True),
        Column("Name", 160, "left", is_bold=True),
        Column("From", 122, "left"),
        Column("Rounds", 44),
        Column(first, 62, is_bold=True),
        *(Column(header, 54) for header in others),
    )


def _row(line: Line) -> tuple[str, ...]:
    row = line.row
    figures = (figure.translate(FRACTIONS).strip() for figure in line.figures)
    return (line.place, row.name, row.from_club, f"{row.rounds}", *figures)
