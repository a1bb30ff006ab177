"""The rules as they are played, on paper: what lies beside the players."""

from clubs.paper.fonts import BOLD
from clubs.paper.formats import USUAL, Format
from clubs.paper.layout import SIZE, Column, Part, draw_list
from clubs.paper.page import Paper
from scoring import RuleSet
from scoring.sheet import Section, sections

SOURCE = "Source"
NARROW = {"Exposed": 16, "Concealed": 18, "Points": 14, "Doubles": 15, "Here": 14}
WORDS, FIRST, ROOM = 40, 30, 96.0


def crib_pdf(club: str, rules: RuleSet, form: Format = USUAL) -> bytes:
    """A PDF of the whole rule set, house rules and all, in the order of the book."""
    paper = Paper(f"{rules.name}: crib sheet", form, wide=form.is_large)
    draw_crib(paper, club, rules)
    return paper.done()


def draw_crib(paper: Paper, club: str, rules: RuleSet) -> None:
    """The rule set from a fresh page on, one table below another."""
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
