"""A tournament's results on paper; its sheets and cards are those of every table."""

from collections.abc import Callable, Iterator

from clubs.pdf.columns import Column, Part, draw_list
from clubs.pdf.page import MARGIN, SOFT, Paper
from clubs.pdf.tables import counted_players
from tournaments.models import Tournament
from tournaments.selectors.board import Board, Line, TeamLine
from tournaments.selectors.prizes import PrizeRow
from tournaments.selectors.records import MadeHand
from tournaments.selectors.results import Results
from tournaments.selectors.rulings import RulingRow

# The letters we print with have no thirds and sixths.
FRACTIONS = str.maketrans({"⅓": " 1/3", "⅔": " 2/3", "⅙": " 1/6", "⅚": " 5/6"})
TILE = 38.0
REMEMBERED = (
    Column("", 96, "left", is_bold=True),
    Column("Name", 150, "left", is_bold=True),
    Column("With", 130, "left"),
    Column("Where", 150, "left"),
)
RULED = (
    Column("Where", 88, "left"),
    Column("Name", 104, "left", is_bold=True),
    Column("Ruling", 140, "left"),
    Column("Points", 120, "left"),
    Column("Reason", 110, "left"),
)
Top = Callable[[int], float]


def results_pdf(tournament: Tournament, results: Results) -> bytes:
    """A PDF of everybody's place, then prizes, records and rulings, as many pages as it takes."""
    paper = Paper(f"{tournament.name}: standings")
    footer = f"{tournament.name}, {results.board.standing}"
    lede = f"{_day(tournament)}, {results.board.standing}. {results.board.rule}"
    top = _top(paper, tournament, results, tournament.name, lede)
    lines = Part("", tuple(_row(line) for line in results.board.lines))
    teams = Part("Teams", tuple(_team_row(line) for line in results.board.teams))
    draw_list(paper, columns=_columns(results.board), parts=(lines, teams), top=top, footer=footer)
    if remembered := tuple(part for part in _remembered(results) if part.rows):
        paper.next_page()
        top = _below_the_best(
            paper, _top(paper, tournament, results, "Prizes and records"), results
        )
        draw_list(paper, columns=REMEMBERED, parts=remembered, top=top, footer=footer)
    if results.rulings:
        paper.next_page()
        top = _top(paper, tournament, results, "Rulings", "What the director ruled at the tables.")
        rulings = Part("", tuple(_ruling(one) for one in results.rulings))
        draw_list(paper, columns=RULED, parts=(rulings,), top=top, footer=footer)
    return paper.done()


def _top(paper: Paper, tournament: Tournament, results: Results, title: str, lede: str = "") -> Top:
    """What stands above the rows of a page: the club, and on the first page the title."""
    players = counted_players(len(results.board.lines))

    def top(page: int) -> float:
        y = paper.masthead(tournament.club.name, players)
        return paper.title(y, title, lede) if page == 1 else y

    return top


def _below_the_best(paper: Paper, above: Top, results: Results) -> Top:
    """The same with the tiles of the highest hand under the title, where they were told."""

    def top(page: int) -> float:
        y = above(page)
        if page > 1 or not results.records.highest or not results.records.highest[0].tiles:
            return y
        best = results.records.highest[0]
        x, y = MARGIN, y - TILE - 6
        for group in best.tiles:
            x += paper.tiles(group, x, y, TILE * _narrowing(best)) + 9 * _narrowing(best)
        said = f"The highest hand: {best.name}, {best.score:,} points"
        paper.text(MARGIN, y - 14, said, size=9.5, colour=SOFT)
        return y - 24

    return top


def _narrowing(hand: MadeHand) -> float:
    """How much smaller tiles must be so that all of them stand in one row."""
    return min(1.0, 15 / sum(len(group) for group in hand.tiles))


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
    figures = (_printable(figure) for figure in line.figures)
    return (line.place, row.name, row.from_club, f"{row.rounds}", *figures)


def _team_row(line: TeamLine) -> tuple[str, ...]:
    players = counted_players(len(line.row.members))
    return (line.place, line.row.name, players, "", *(_printable(one) for one in line.figures))


def _printable(figure: str) -> str:
    return figure.translate(FRACTIONS).strip()


def _remembered(results: Results) -> Iterator[Part]:
    records = results.records
    yield Part("Prizes", tuple(_prize(row) for row in results.prizes))
    yield Part("Highest hand", tuple(_made(hand) for hand in records.highest))
    most = tuple(("", name, f"Mah-Jongs: {records.mahjongs}", "") for name in records.most_mahjongs)
    yield Part("Most Mah-Jongs", most)
    yield Part("Special hands", tuple(_made(hand) for hand in records.special))


def _prize(row: PrizeRow) -> tuple[str, ...]:
    return (row.title, ", ".join(row.names), _printable(row.figure), row.gift)


def _made(hand: MadeHand) -> tuple[str, ...]:
    return (f"{hand.score:,} points", hand.name, hand.special, hand.where)


def _ruling(one: RulingRow) -> tuple[str, ...]:
    what, _, _ = one.what.partition(":")
    taken_back = " (taken back)" if one.is_taken_back else ""
    return (one.where, one.name, f"{what}{taken_back}", one.cost, one.reason)
