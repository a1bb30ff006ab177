"""A table as everyone sees it: who sits where with which wind, what was played, who pays whom."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from clubs.core.chairs import round_the_table
from clubs.language.numbers import ordinal
from clubs.models import EARLIER_GAME
from scoring import Deal, Wind
from scoring.scorebook.models import Game
from scoring.scorebook.selectors import GameView, HandRow, game_view

MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat at the next deal: no wind while it sits out or when the game is over."""

    number: int
    name: str
    wind: Wind | None
    is_dealer: bool
    points: int

    @property
    def sits_out(self) -> bool:
        """Whether the seat has no part in the next hand."""
        return self.wind is None


@dataclass(frozen=True, slots=True)
class Transfer:
    """One payment of a settlement, with names."""

    payer: str
    payee: str
    points: int

    @property
    def sentence(self) -> str:
        """``Margaret pays Dilip 168``."""
        return f"{self.payer} pays {self.payee} {self.points:,}"


@dataclass(frozen=True, slots=True)
class HandLine:
    """One player's part in a hand; no score where none was told (a drawn hand).

    ``count`` is what the player has in sticks afterwards, where that was told.
    """

    seat: int
    name: str
    wind: Wind
    is_dealer: bool
    is_winner: bool
    score: int | None
    gain: int
    count: int | None = None


@dataclass(frozen=True, slots=True)
class HandView:
    """A recorded hand with names: what each scored and gained, and who pays whom."""

    row: HandRow
    names: Mapping[int, str]

    @property
    def winner_name(self) -> str:
        """Who went Mah-Jong; empty for a drawn hand."""
        return "" if self.row.winner is None else self.names[self.row.winner]

    @property
    def outcome(self) -> str:
        """``Margaret (South) went Mah-Jong with 60`` or ``Nobody went Mah-Jong``.

        Without the score where none is known.
        """
        if self.row.winner is None:
            nobody = "nobody pays" if self.row.zero_sum else "nobody scores"
            return f"Nobody went Mah-Jong: a drawn hand, {nobody}"
        wind = self.row.winds[self.row.winner].label
        score = self.row.scores.get(self.row.winner)
        points = "" if score is None else f" with {score:,}"
        return f"{self.winner_name} ({wind}) went Mah-Jong{points}"

    @property
    def transfers(self) -> tuple[Transfer, ...]:
        """Who pays whom, the winner's payments first."""
        ordered = sorted(self.row.payments, key=lambda paid: paid[1] != self.row.winner)
        return tuple(
            Transfer(self.names[payer], self.names[payee], points)
            for payer, payee, points in ordered
            if points
        )

    @property
    def lines(self) -> tuple[HandLine, ...]:
        """Everyone who played the hand as they sit, from East on."""
        row = self.row
        counts = row.report.get("tallies", {})
        return tuple(
            HandLine(
                seat=seat,
                name=self.names[seat],
                wind=row.winds[seat],
                is_dealer=seat == row.dealer,
                is_winner=seat == row.winner,
                score=row.scores.get(seat),
                gain=row.gains[seat],
                count=counts.get(str(seat)),
            )
            for seat in round_the_table(row.winds)
        )

    @property
    def gains(self) -> tuple[tuple[str, int], ...]:
        """Each player's name and net of the hand, in seat order."""
        return tuple((self.names[seat], gain) for seat, gain in sorted(self.row.gains.items()))


@dataclass(frozen=True, slots=True)
class TableView:
    """A table of an evening or a tournament, as phone, desk, API and paper show it.

    ``names`` are those that its readers are told, ``whole`` what agreements are bound to.
    ``stake`` are the points that lay before each player at first, where the event says so.
    """

    number: int
    event: str
    names: Mapping[int, str]
    game: GameView
    stake: int = 0
    whole: Mapping[int, str] = field(default_factory=dict)
    called: str = ""

    @property
    def title(self) -> str:
        """``Table 3``, or what it is called instead."""
        return self.called or f"Table {self.number}"

    @property
    def seats(self) -> tuple[SeatRow, ...]:
        """The seats with their winds for the next hand, or as they last were."""
        deal = self.game.next_deal
        return tuple(self._seat(seat, deal) for seat in sorted(self.names))

    def _seat(self, seat: int, deal: Deal | None) -> SeatRow:
        return SeatRow(
            number=seat,
            name=self.names[seat],
            wind=None if deal is None else deal.winds.get(seat),
            is_dealer=deal is not None and deal.dealer == seat,
            points=self.game.totals[seat],
        )

    @property
    def playing(self) -> tuple[SeatRow, ...]:
        """The seats of the next hand as they sit, from East on."""
        deal = self.game.next_deal
        seats = round_the_table(deal.winds) if deal else ()
        return tuple(self._seat(seat, deal) for seat in seats)

    @property
    def hands(self) -> tuple[HandView, ...]:
        """The recorded hands, first to last."""
        return tuple(HandView(row, self.names) for row in self.game.hands)

    @property
    def last_hand(self) -> HandView | None:
        """The hand recorded last, if any."""
        return self.hands[-1] if self.game.hands else None


def table_title(number: int) -> str:
    """``Table 2`` of an evening; for 1002, a game of it that has ended, ``Table 2, first game``."""
    game, at = divmod(number, EARLIER_GAME)
    return f"Table {at}, {ordinal(game)} game" if game else f"Table {at}"


def table_view(
    *,
    number: int,
    event: str,
    game: Game,
    names: Mapping[int, str],
    whole: Mapping[int, str],
    stake: int = 0,
    called: str = "",
) -> TableView:
    """The view of a table whose seats have these names, by the seats' numbers."""
    return TableView(
        number=number,
        event=event,
        names=names,
        game=game_view(game),
        stake=stake,
        whole=whole,
        called=called,
    )


@dataclass(frozen=True, slots=True)
class LinkedTable:
    """A table with the key of its secret link."""

    link_key: str
    view: TableView


def tallied(points: int | Decimal, *, pays: bool) -> str:
    """Points as the rules have them: gains with their sign where players pay one another.

    Where everyone's own scores add up, they are plain: ``1,096``.
    """
    return signed(points) if pays else f"{points:,}"


def signed(points: int | Decimal) -> str:
    """Points with their sign in words' type: ``+1,096``, ``−36``, ``0``."""
    if points == 0:
        return "0"
    return f"{'+' if points > 0 else MINUS}{abs(points):,}"
