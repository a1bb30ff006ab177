"""A tournament's printed results, certificates and poster."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from clubs.language.moments import long_date
from clubs.language.words import counted
from clubs.league.papers import Poster, centred, highest_hand, poster_of
from clubs.paper.document import Column, Part, draw_list, titled
from clubs.paper.fonts import BOLD, DISPLAY, TEXT, lines_of, width_of
from clubs.paper.formats import USUAL, Format
from clubs.paper.page import CINNABAR, INK, LINE, SOFT, Paper
from clubs.table.rows import tallied
from scoring.scorebook.selectors import sealed_words
from tournaments.models import Tournament
from tournaments.results.selectors.records import (
    MadeHand,
    PlayedHand,
    Records,
    RoundCell,
    SeatAtHand,
    by_table,
)
from tournaments.results.selectors.results import BEST_OF, PrizeGiving, PrizeRow, Results, RulingRow

# The printed fonts have no thirds and sixths.
FRACTIONS = str.maketrans({"⅓": " 1/3", "⅔": " 2/3", "⅙": " 1/6", "⅚": " 5/6"})
TILE = 38.0
REMEMBERED = (
    Column("", 96, "left", is_bold=True),
    Column("Name", 150, "left", is_bold=True),
    Column("With", 130, "left"),
    Column("Details", 150, "left"),
)
ROUNDS_LEDE = "Table points of each round, with points won or lost in brackets."
HANDS_LEDE = "Seats are in the order of the names above each table, starting with the first East."
A_ROUND, SEATS = 74.0, 4
HAND_COLUMNS = (
    Column("Hand", 40, "left", is_bold=True),
    Column("Mah-Jong", 150, "left"),
    *(Column(f"Seat {number}", 60) for number in range(1, SEATS + 1)),
)
TICK = 22.0
WINNER, SMALL, LEADING = 25.0, 10.5, 14.0
Top = Callable[[int], float]


def results_pdf(
    tournament: Tournament,
    results: Results,
    form: Format = USUAL,
    *,
    hands: Sequence[PlayedHand] = (),
) -> bytes:
    """A PDF of places and rounds, then prizes, records, rulings and, if given, every hand."""
    paper = Paper(f"{tournament.name}: standings", form, wide=form.is_large)
    draw_standings(paper, tournament, results)
    footer = _footer(tournament, results)
    _draw_rounds(paper, tournament, results, footer)
    if remembered := tuple(part for part in _remembered(results) if part.rows):
        paper.next_page()
        above = _top(paper, tournament, results, "Prizes and records")
        top = _below_the_best(paper, above, results)
        draw_list(paper, columns=REMEMBERED, parts=remembered, top=top, footer=footer)
    if results.rulings:
        paper.next_page()
        top = _top(paper, tournament, results, "Rulings", "Director’s rulings at the tables.")
        _draw_rulings(paper, results.rulings, top, footer)
    if hands:
        paper.next_page()
        top = _top(paper, tournament, results, "Every hand", HANDS_LEDE)
        parts = tuple(_hand_parts(hands, pays=tournament.pays))
        draw_list(paper, columns=HAND_COLUMNS, parts=parts, top=top, footer=footer)
    return paper.done()


def _draw_rounds(paper: Paper, tournament: Tournament, results: Results, footer: str) -> None:
    """Draw everyone's table points and gain by round, with as many rounds per list as fit."""
    cross = results.cross
    wide = max(1, int((paper.room - 190) // A_ROUND))
    for first in range(0, len(cross.rounds), wide):
        numbers = cross.rounds[first : first + wide]
        paper.next_page()
        title = "Round by round"
        if len(cross.rounds) > wide:
            title = f"{title}: {numbers[0]} to {numbers[-1]}"
        columns = (
            Column("Place", 40, "left", is_bold=True),
            Column("Name", 150, "left", is_bold=True),
            *(Column(f"Round {number}", A_ROUND, "left", wraps=True) for number in numbers),
        )
        rows = []
        for row in cross.rows:
            cells = row.cells[first : first + wide]
            figures = (_cell(cell, pays=tournament.pays) for cell in cells)
            rows.append((row.line.place, row.line.row.marked_name, *figures))
        top = _top(paper, tournament, results, title, ROUNDS_LEDE)
        draw_list(paper, columns=columns, parts=(Part("", tuple(rows)),), top=top, footer=footer)


def _cell(cell: RoundCell, *, pays: bool) -> str:
    """``4 (+96)``, with the substitute's name if there was one."""
    if cell.table is None:
        return "sat out" if cell.sits_out else "–"
    figures = f"{_printable(cell.share)} ({tallied(cell.points, pays=pays)})"
    return f"{figures} {cell.substitute}".strip()


def _hand_parts(hands: Sequence[PlayedHand], *, pays: bool) -> Iterator[Part]:
    """For each table its players, then a row per hand: number, winner, and each seat's part."""
    for (round_, table), played in by_table(hands).items():
        by_seat = zip(*(hand.seats for hand in played), strict=True)
        names = [" then ".join(_in_turn(seats)) for seats in by_seat]
        rows = []
        for hand in played:
            points = [tallied(seat.points, pays=pays) for seat in hand.seats]
            rows.append((f"{hand.number}", hand.winner or "nobody", *points))
        yield Part(f"Round {round_}, table {table}: {', '.join(names)}", tuple(rows))


def _in_turn(seats: Iterable[SeatAtHand]) -> Iterator[str]:
    """Who played a seat's hands, each change named."""
    return (name for name, _ in groupby(seat.substitute or seat.name for seat in seats))


def draw_standings(paper: Paper, tournament: Tournament, results: Results) -> None:
    """Draw the places of players and teams from a new page on."""
    day = long_date(tournament.held_on)
    lede = f"{day}, {results.board.standing}. {_printable(results.board.rule)}"
    top = _top(paper, tournament, results, tournament.name, lede)
    lines, teams = [], []
    for line in results.board.lines:
        row = line.row
        rounds = f"{row.rounds} (sat out {row.sat_out})" if row.sat_out else f"{row.rounds}"
        figures = map(_printable, line.figures)
        lines.append((line.place, row.marked_name, row.from_club, rounds, *figures))
    for team in results.board.teams:
        players = counted(len(team.row.members), "player")
        figures = map(_printable, team.figures)
        teams.append((team.place, team.row.name, players, "", *figures))
    first, *others = results.board.columns
    columns = (
        Column("Place", 40, "left", is_bold=True),
        Column("Name", 160, "left", is_bold=True),
        Column("From", 122, "left"),
        Column("Rounds", 44),
        Column(first, 62, is_bold=True),
        *(Column(header, 54) for header in others),
    )
    parts = (Part("", tuple(lines)), Part("Teams", tuple(teams)))
    draw_list(paper, columns=columns, parts=parts, top=top, footer=_footer(tournament, results))


def _footer(tournament: Tournament, results: Results) -> str:
    return f"{tournament.name}, {results.board.standing}{sealed_words(tournament.book)}"


def _top(paper: Paper, tournament: Tournament, results: Results, title: str, lede: str = "") -> Top:
    """Draw the heading of a page: the club, and on the first page the title."""
    players = counted(len(results.board.lines), "player")
    return titled(paper, tournament.club.name, players, title, lede)


def _below_the_best(paper: Paper, above: Top, results: Results) -> Top:
    """The same with the tiles of the highest hand under the title, if they were entered."""

    def top(page: int) -> float:
        y = above(page)
        if page > 1 or not results.records.highest or not results.records.highest[0].tiles:
            return y
        best = results.records.highest[0]
        x, y = paper.margin, y - TILE - 6
        for group in best.tiles:
            x += paper.tiles(group, x, y, TILE * _narrowing(best)) + 9 * _narrowing(best)
        said = highest_hand([hand.name for hand in results.records.highest], best.score)
        return paper.paragraph(paper.margin, y - 14, said, room=paper.room, size=9.5)

    return top


def _narrowing(hand: MadeHand) -> float:
    """The scale at which all the tiles fit in one row."""
    return min(1.0, 15 / sum(len(group) for group in hand.tiles))


def _printable(figure: str) -> str:
    return figure.translate(FRACTIONS).strip()


def _remembered(results: Results) -> Iterator[Part]:
    records = results.records
    prizes = (
        (row.title, ", ".join(row.names), _printable(row.figure), row.gift)
        for row in results.prizes
    )
    yield Part("Prizes", tuple(prizes))
    yield Part("Highest hand", tuple(_made(hand) for hand in records.highest))
    most = tuple(("", name, f"Mah-Jongs: {records.mahjongs}", "") for name in records.most_mahjongs)
    yield Part("Most Mah-Jongs", most)
    yield Part("Special hands", tuple(_made(hand) for hand in records.special))


def _made(hand: MadeHand) -> tuple[str, ...]:
    return (f"{hand.score:,} points", hand.name, hand.special, hand.where)


def _draw_rulings(paper: Paper, rulings: Sequence[RulingRow], top: Top, footer: str) -> None:
    page, y = 1, top(1)
    paper.footer(footer)
    for ruling in rulings:
        said = (ruling.what, ruling.cost, ruling.reason)
        lines = [line for text in said for line in lines_of(text, TEXT, SMALL, paper.room)]
        if y - 34 - LEADING * (len(lines) + 1) < paper.foot:
            paper.next_page()
            page += 1
            y = top(page)
            paper.footer(footer)
        y -= 28
        half = paper.room * 0.58
        low = paper.lines(paper.margin, y, ruling.name, size=12, face=BOLD, room=half)
        where = f"{ruling.where}, cancelled" if ruling.is_taken_back else ruling.where
        rest = paper.room - half - 12
        paper.lines(paper.right, y, where, size=SMALL, colour=CINNABAR, align="right", room=rest)
        y = min(low, y)
        for line in lines:
            y -= LEADING
            paper.text(paper.margin, y, line, size=SMALL)
        y -= 6
        paper.rule(paper.margin, y, paper.right, y, colour=LINE)


def prize_giving_pdf(tournament: Tournament, giving: PrizeGiving, form: Format = USUAL) -> bytes:
    """A PDF to read out: the prizes in the order in which they are given, last first."""
    paper = Paper(f"{tournament.name}: prize-giving", form)
    footer = f"{tournament.name}, {giving.standing}"
    paper.footer(footer)
    read = "Read from the top. The last prize comes first."
    lede = read if giving.is_final else f"Not final: {giving.standing}. {read}"
    y = paper.masthead(tournament.club.name, long_date(tournament.held_on))
    y = paper.title(y, f"Prizes: {tournament.name}", lede)
    for row in reversed(giving.rows):
        winners = ", ".join(row.names) or "no one yet"
        lines = lines_of(winners, DISPLAY, WINNER, paper.room - TICK - 20)
        if y - (60 + (WINNER + 3) * len(lines) + LEADING * len(_notes(paper, row))) < paper.foot:
            paper.next_page()
            paper.footer(footer)
            y = paper.masthead(tournament.club.name, tournament.name)
        y = _give(paper, row, lines, y)
    return paper.done()


def _notes(paper: Paper, row: PrizeRow) -> list[str]:
    """The notes below the names: the result, and why the prize is shared or passed on."""
    said = f"{_printable(row.figure)}. {row.said}" if row.figure else row.said
    return lines_of(said.strip(), TEXT, SMALL, paper.room - TICK - 20)


def _give(paper: Paper, row: PrizeRow, lines: Sequence[str], y: float) -> float:
    """Draw one prize below y: what it is for, what is given, its winner, and a box to tick."""
    paper.rule(paper.margin, y - 8, paper.right, y - 8, colour=LINE)
    y -= 28
    half, rest = paper.room * 0.44, paper.room * 0.52
    y = min(
        paper.lines(paper.margin, y, row.title, size=13, face=BOLD, colour=CINNABAR, room=half),
        paper.lines(paper.right, y, row.gift, size=12, face=BOLD, align="right", room=rest),
    )
    paper.box(paper.right - TICK, y - 12 - TICK, TICK, TICK, line=1.2, round_by=3)
    y -= 6
    for line in lines:
        y -= WINNER + 3
        room = paper.room - TICK - 20
        paper.text(paper.margin, y, line, size=WINNER, face=DISPLAY, room=room)
    y -= 4
    for line in _notes(paper, row):
        y -= LEADING
        paper.text(paper.margin, y, line, size=SMALL, colour=SOFT)
    return y - 6


HONOUR_TILES = ("DR", "DG", "DW")
Honoured = tuple[str, str, str]


def honoured(giving: PrizeGiving, records: Records) -> tuple[Honoured, ...]:
    """Each winner of each prize: the prize, the name, and the result.

    The highest hand and most Mah-Jongs are included even without a declared prize, or if the prize
    passed to the next in line.
    """
    won = [(row.title, name, row.figure) for row in giving.rows for name in row.names]
    figures = {(name, figure) for _, name, figure in won}
    title, word = BEST_OF["best_hand"]
    highest = dict.fromkeys((hand.name, hand.score) for hand in records.highest)
    best = [(title, name, f"{word}: {score:,}") for name, score in highest]
    title, word = BEST_OF["mahjongs"]
    most = [(title, name, f"{word}: {records.mahjongs:,}") for name in records.most_mahjongs]
    return (*won, *(item for item in (*best, *most) if item[1:] not in figures))


def certificates_pdf(
    tournament: Tournament, honours: Sequence[Honoured], form: Format = USUAL
) -> bytes:
    """A PDF with a landscape page for each winner, to be signed."""
    paper = Paper(f"{tournament.name}: certificates", form, wide=True)
    for at, item in enumerate(honours):
        if at:
            paper.next_page()
        _certificate(paper, tournament, *item)
    return paper.done()


def _certificate(paper: Paper, tournament: Tournament, title: str, name: str, figure: str) -> None:
    high, edge = paper.height, paper.margin
    paper.box(edge, edge, paper.room, high - 2 * edge, line=2.4, colour=CINNABAR)
    paper.box(edge + 7, edge + 7, paper.room - 14, high - 2 * edge - 14, colour=LINE)
    tiles = high * 0.12
    wide = 3 * tiles * 0.75 + 2 * tiles / 16
    paper.tiles(HONOUR_TILES, (paper.width - wide) / 2, high * 0.78, tiles)
    centred(paper, high * 0.7, tournament.club.name, 13, BOLD)
    centred(paper, high * 0.585, title, 34, DISPLAY, CINNABAR)
    one_line = width_of(name, DISPLAY, high * 0.075) <= paper.room - 60
    centred(paper, high * 0.42, name, high * (0.075 if one_line else 0.06), DISPLAY)
    centred(paper, high * 0.3, figure.translate(FRACTIONS), 14, TEXT, SOFT)
    when = f"{tournament.name}, {long_date(tournament.held_on)}"
    centred(paper, high * 0.235, when, 13, TEXT)
    middle, floor = paper.width / 2, edge + high * 0.085
    paper.rule(middle - 90, floor + 13, middle + 90, floor + 13, width=0.8, colour=INK)
    centred(paper, floor, "Tournament director", 10.5, TEXT, SOFT)


def poster_pdf(tournament: Tournament, results: Results, form: Format = USUAL) -> bytes:
    """A one-page PDF for the wall: the first in large type, the next, the highest hand."""
    board, highest = results.board, results.records.highest
    names = [hand.name for hand in highest]
    poster = Poster(
        club=tournament.club.name,
        when=long_date(tournament.held_on),
        title=tournament.name,
        standing=board.standing.capitalize(),
        lines=[
            (line.place, line.row.name, _printable(line.figures[0]) if line.figures else "")
            for line in board.lines
        ],
        highest=highest_hand(names, highest[0].score) if highest else "",
        footer=f"{tournament.name}, {board.standing}{sealed_words(tournament.book)}",
    )
    return poster_of(poster, form)
