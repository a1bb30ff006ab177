"""The emergency pack: everything that an evening needs to be finished on paper."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby

from clubs.paper.page import Paper
from clubs.pdf.crib import draw_crib
from clubs.pdf.lists import Occasion, draw_attendance, draw_seats, draw_tally
from clubs.pdf.seated import SeatedTable, blank_table
from clubs.pdf.sheets import draw_how_to, draw_sheet
from scoring.scorebook.editions import rule_set

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
    ``standings`` draw who stands where so far, each from a fresh page on. Whoever came can be
    ticked on the last list, so that nothing hangs on the machine.
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
