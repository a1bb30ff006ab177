"""A table on paper: who starts with which wind, and where its phone page is."""

from dataclasses import dataclass

from clubs.models.names import first_names
from clubs.rows import TableView
from scoring import RuleSet, Wind, deals
from scoring.scorebook.editions import rule_set
from scoring.scorebook.selectors import GameView


@dataclass(frozen=True, slots=True)
class Chair:
    """One player of the table; no wind for the fifth, who starts by sitting out."""

    number: int
    name: str
    short_name: str
    wind: Wind | None

    @property
    def part(self) -> str:
        """``East`` or ``sits out first``."""
        return self.wind.label if self.wind else "sits out first"


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """A table with the club it belongs to and the full address of its phone page."""

    club: str
    view: TableView
    address: str

    @property
    def title(self) -> str:
        """``Table 3``, or ``Table`` with a number to be written in."""
        return self.view.title if self.view.number else "Table ____"

    @property
    def rules(self) -> RuleSet:
        """The edition that the table plays under."""
        return rule_set(self.view.game.rules)

    @property
    def address_lines(self) -> tuple[str, str]:
        """The address in two halves for a narrow column: the site, the rest."""
        scheme, _, rest = self.address.partition("://")
        site, _, path = rest.partition("/")
        return f"{scheme}://{site}", f"/{path}"

    @property
    def chairs(self) -> tuple[Chair, ...]:
        """Everyone in the order of the seats, first East first."""
        start = deals((), rules=self.rules, seats=self.view.game.size).deals[0]
        short = first_names(self.view.names)
        return tuple(
            Chair(number, name, short[number], start.winds.get(number))
            for number, name in sorted(self.view.names.items())
        )


def blank_table(club: str, event: str, rules: str, players: int) -> SeatedTable:
    """A table without number, names and address, for a sheet to be filled in by hand."""
    seats = range(1, players + 1)
    game = GameView(
        pk=0,
        rules=rules,
        size=players,
        is_closed=False,
        hands_planned=None,
        hands=(),
        totals=dict.fromkeys(seats, 0),
        next_deal=deals((), rules=rule_set(rules), seats=players).deals[0],
    )
    return SeatedTable(club, TableView(0, event, dict.fromkeys(seats, ""), game), "")
