"""What a club plays with when everything is down: the pack and the crib sheet."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby

from clubs.paper.fonts import BOLD
from clubs.paper.formats import USUAL, Format
from clubs.paper.layout import SIZE, Column, Part, draw_list
from clubs.paper.page import Paper
from clubs.table.papers.cards import (
    Occasion,
    SeatedTable,
    blank_table,
    draw_attendance,
    draw_seats,
    draw_tally,
)
from clubs.table.papers.score_sheets import draw_how_to, draw_sheet
from scoring import RuleSet
from scoring.scorebook.editions import rule_set
from scoring.sheet import Section, sections

SOURCE = "Source"
NARROW = {"Exposed": 16, "Concealed": 18, "Points": 14, "Doubles": 15, "Here": 14}
WORDS, FIRST, ROOM = 40, 30, 96.0


def crib_pdf(club: str, rules: RuleSet, form: Format = USUAL) -> bytes:
    """A PDF of the whole rule set, including house rules, in the book's order."""
    paper = Paper(f"{rules.name}: crib sheet", form, wide=form.is_large)
    draw_crib(paper, club, rules)
    return paper.done()


def draw_crib(paper: Paper, club: str, rules: RuleSet) -> None:
    """Draw the rule set from a new page on."""
    lede = "What every hand is worth here, and how payments work."
    y = paper.title(paper.masthead(club, "Crib sheet"), rules.name, lede)
    for section in sections(rules):
        y = _section(paper, club, rules, section, y)


def _section(paper: Paper, club: str, rules: RuleSet, section: Section, y: float) -> float:
    if y - ROOM < paper.foot:
        paper.next_page()
        y = paper.masthead(club, "Crib sheet")

    def top(page: int) -> float:
        if page > 1:
            return paper.masthead(club, section.title)
        paper.text(paper.margin, y - 26, section.title, size=14, face=BOLD, room=paper.room)
        room = paper.room
        return paper.paragraph(paper.margin, y - 42, section.note, room=room, size=9.5) + 8

    kept = [at for at, name in enumerate(section.columns) if name != SOURCE]
    columns = tuple(_column(section.columns[at], is_first=at == 0) for at in kept)
    rows = tuple(tuple(row[at] for at in kept) for row in section.rows)
    footer = f"{rules.name}, {club}"
    return draw_list(paper, columns=columns, parts=(Part("", rows),), top=top, footer=footer) - SIZE


def _column(name: str, *, is_first: bool) -> Column:
    if name in NARROW:
        return Column(name, NARROW[name], "left", wraps=True)
    share = FIRST if is_first else WORDS
    return Column(name, share, "left", is_bold=is_first, wraps=True)


SPARE_SHEETS = (4, 5)
Drawing = Callable[[Paper], object]


def blank_sheets(about: Occasion, rules: str) -> bytes:
    """A PDF of score sheets without names: for four players and, where five may play, for five."""
    paper = Paper(f"Blank score sheets: {about.event}", about.form, wide=True)
    _blanks(paper, about, rules, is_first=True)
    return paper.done()


def emergency_pack(
    about: Occasion,
    tables: Sequence[SeatedTable],
    names: Sequence[tuple[str, bool]],
    rules: str,
    standings: Sequence[Drawing] = (),
) -> bytes:
    """A PDF of the seats, every table's sheet with what is recorded, blanks, tallies and rules.

    The tables of several rounds have a list of seats and a tally sheet for each, with its name.
    ``standings`` draw the standings so far, each from a new page on. The last list is for ticking
    who came.
    """
    form = about.form
    paper = Paper(f"Emergency pack: {about.event}", form, wide=form.is_large)
    rounds = [
        (replace(about, event=event), list(seated))
        for event, seated in groupby(tables, lambda table: table.view.event)
    ]
    for at, (of_round, seated) in enumerate(rounds):
        if at:
            paper.next_page(wide=form.is_large)
        draw_seats(paper, of_round, seated)
        for table in seated:
            paper.next_page(wide=True)
            draw_sheet(paper, table)
    _blanks(paper, about, rules)
    for draw in standings:
        paper.next_page(wide=form.is_large)
        draw(paper)
    for of_round, seated in rounds:
        paper.next_page(wide=form.is_large)
        draw_tally(paper, of_round, seated)
    paper.next_page()
    draw_crib(paper, about.club, rule_set(rules))
    paper.next_page()
    draw_attendance(paper, about, names)
    return paper.done()


def _blanks(paper: Paper, about: Occasion, rules: str, *, is_first: bool = False) -> None:
    sizes = [players for players in SPARE_SHEETS if players in rule_set(rules).seats]
    for at, players in enumerate(sizes):
        if at or not is_first:
            paper.next_page(wide=True)
        draw_sheet(paper, blank_table(about.club, about.event, rules, players))
    if paper.form.is_large:
        paper.next_page()
        draw_how_to(paper, blank_table(about.club, about.event, rules, sizes[0]))
