"""What a score sheet tells those who fill it in: how to write, who pays, who plays next."""

from collections.abc import Iterable

from clubs.pdf.seated import SeatedTable
from scoring import Wind
from scoring.policies import Rule, Succession
from scoring.scorebook.reports import asks_who_discarded

USUAL_ORDER = tuple(Wind)


def how_to(table: SeatedTable) -> list[str]:
    """A paragraph on writing, one on paying where anyone pays, one on who plays next."""
    paid = [] if table.rules.payments is None else [_paying(table)]
    return [_writing(table), *paid, _said(_passing(table))]


def east_is(table: SeatedTable) -> str:
    """The header of the column in which the player is ringed who plays first."""
    return "Dealer is" if _deal_moves(table) else "East is"


def _deal_moves(table: SeatedTable) -> bool:
    return table.rules.passing.succession is Succession.WINNER_DEALS


def _writing(table: SeatedTable) -> str:
    prevails = "the prevailing wind and " if table.rules.passing.prevailing else ""
    first = "deals" if _deal_moves(table) else "is East"
    scores = "Write all the scores and circle the score of the player who went Mah-Jong"
    if not table.rules.losers_score:
        scores = "Write and circle the winner's score; no one else scores"
    if asks_who_discarded(table.rules):
        scores += (
            ". Write D for the player who discarded the last tile; "
            "leave blank if it was drawn from the wall"
        )
    goulash = ", G for a goulash" if table.rules.passing.goulash_after_a_draw else ""
    return (
        f"Circle {prevails}the number of the player who {first}. {scores}. "
        f"Circle D for a drawn hand{goulash}."
    )


def _paying(table: SeatedTable) -> str:
    payments = table.rules.payments
    words = _said(payments.words()) if payments else ""
    whom = "Under each pair, write what is paid and circle who receives it."
    return f"{words} {whom} Tick = 0 when the gains add up to zero."


def _passing(table: SeatedTable) -> Iterable[Rule]:
    passing = table.rules.passing
    unsaid = {"Order of the winds"} if passing.order == USUAL_ORDER else set()
    if len(table.chairs) != 3:
        unsaid.add("The fourth wind with three players")
    return (rule for rule in passing.words() if rule[0] not in unsaid)


def _said(rules: Iterable[Rule]) -> str:
    return " ".join(f"{about[:1].upper()}{about[1:]}: {words}." for about, words in rules)
