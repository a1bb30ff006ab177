"""A table's hands as rows: who sat where, who paid whom, in sentences."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated

from django.utils import timezone

from clubs.language.words import count_words
from clubs.models import EARLIER_GAME_OFFSET
from clubs.seating.why import join_with_and
from clubs.table.square import seats_in_play_order
from scoring import Code, Deal, Ending, RuleSet, Wind
from scoring.notes import Citation, citations
from scoring.scorebook.models import Recording
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import GameView, HandRow, RepairRow, repairs_of
from scoring.table.contradictions import ending_contradictions

MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class PersonIds:
    """Whose place a seat is, for programs."""

    player_id: Annotated[int | None, "null for a visitor without a record in the club"] = None
    entrant_id: Annotated[int | None, "in a tournament: whose place the points count for"] = None


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat at the next deal.

    It has no wind if it sits out or the game is over. ``earlier_names`` says who had it for earlier
    hands of the game: ``Ann Cox: hands 1 to 3``; the place was the same person’s then.
    """

    number: int
    name: str
    wind: Wind | None
    is_dealer: bool
    points: int
    earlier_names: tuple[str, ...] = ()
    ids: PersonIds = PersonIds()

    @property
    def sits_out(self) -> bool:
        return self.wind is None


@dataclass(frozen=True, slots=True)
class Transfer:
    """Who pays whom."""

    payer: str
    payee: str
    points: int

    @property
    def text(self) -> str:
        """``Margaret pays Dilip 168``."""
        return f"{self.payer} pays {self.payee} {self.points:,}"


@dataclass(frozen=True, slots=True)
class SeatPayment:
    """Who pays whom, by their seats."""

    payer: int
    payee: int
    points: int


def seat_payments(row: HandRow) -> tuple[SeatPayment, ...]:
    """Who pays whom in a hand, the winner’s payments first."""
    sorted_payments = sorted(row.payments, key=lambda paid: paid[1] != row.winner)
    return tuple(SeatPayment(*paid) for paid in sorted_payments if paid[-1])


@dataclass(frozen=True, slots=True)
class HandLine:
    """One player's part in a hand; score, and sticks afterwards (``count``), only where known."""

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
    """A recorded hand: scores and gains by seat number, payments by name."""

    row: HandRow
    names: Mapping[int, str]

    @property
    def winner_name(self) -> str:
        """Who went Mah-Jong; empty for a drawn hand."""
        return "" if self.row.winner is None else self.names[self.row.winner]

    @property
    def headline(self) -> str:
        """``Ben won, with +240``, without points if only the winner was entered; or ``drawn``."""
        if self.row.winner is None:
            return "drawn"
        if self.row.recording == Recording.WINNER:
            return f"{self.winner_name} won"
        gain = points_text(self.row.gains[self.row.winner], pays=self.row.zero_sum)
        return f"{self.winner_name} won, with {gain}"

    @property
    def notices(self) -> Annotated[tuple[str, ...], "what the tiles say that cannot be, in words"]:
        """What is impossible in tiles that were entered: ``Ann’s tiles: …``, East first."""
        return tuple(
            f"{tiles.name}’s tiles: {notice}"
            for tiles in tiled_hands(self)
            for notice in tiles.notices
        )

    @property
    def outcome(self) -> str:
        """``Margaret (South) went Mah-Jong with 60`` (if known) or ``Nobody went Mah-Jong``."""
        if self.row.winner is None:
            consequence = "nobody pays" if self.row.zero_sum else "nobody scores"
            return f"Nobody went Mah-Jong: a drawn hand, {consequence}"
        wind = self.row.winds[self.row.winner].label
        score = self.row.scores.get(self.row.winner)
        points = "" if score is None else f" with {score:,}"
        return f"{self.winner_name} ({wind}) went Mah-Jong{points}"

    @property
    def payments(self) -> tuple[SeatPayment, ...]:
        """Who pays whom by seat, the winner's payments first."""
        return seat_payments(self.row)

    @property
    def transfers(self) -> tuple[Transfer, ...]:
        """Who pays whom, the winner's payments first."""
        return tuple(
            Transfer(self.names[paid.payer], self.names[paid.payee], paid.points)
            for paid in self.payments
        )

    @property
    def payment_sentences(self) -> list[str]:
        """``Margaret pays Dilip 120; Zoë and Ngaio pay 60 each.`` Then the losers among themselves.

        Empty if nobody pays.
        """
        payers_by_points: dict[int, list[str]] = defaultdict(list)
        by_payer: dict[str, list[str]] = defaultdict(list)
        for payment in self.transfers:
            if payment.payee == self.winner_name:
                payers_by_points[payment.points].append(payment.payer)
            else:
                by_payer[payment.payer].append(f"{payment.payee} {payment.points:,}")
        parts: list[str] = []
        for points, payers in sorted(payers_by_points.items(), reverse=True):
            verb, suffix = ("pay", " each") if len(payers) > 1 else ("pays", "")
            payee = "" if parts else f" {self.winner_name}"
            parts.append(f"{join_with_and(payers)} {verb}{payee} {points:,}{suffix}")
        alone = ", for everyone" if self.row.report.get("pays_for_all") else ""
        to_the_winner = [f"{'; '.join(parts)}{alone}."] if parts else []
        return to_the_winner + [
            f"{payer} pays {join_with_and(owed)}." for payer, owed in by_payer.items()
        ]

    @property
    def lines(self) -> tuple[HandLine, ...]:
        """Everyone who played the hand in seating order, East first."""
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
            for seat in seats_in_play_order(row.winds)
        )

    @property
    def gains(self) -> tuple[tuple[str, int], ...]:
        return tuple((self.names[seat], gain) for seat, gain in sorted(self.row.gains.items()))


def hands_in_words(first: int, last: int | None) -> str:
    """``hand 3``, ``hands 3 to 5``, ``from hand 3``."""
    if last is None:
        return f"from hand {first}"
    return f"hand {first}" if first == last else f"hands {first} to {last}"


@dataclass(frozen=True, slots=True)
class EarlierSitter:
    """Who had a seat up to a hand of the same game; as a substitute with that full name."""

    seat: int
    last_hand: int
    name: str
    substitute: str = ""


@dataclass(frozen=True, slots=True)
class TableView:
    """A table of an evening or a tournament, for phone, desk, API and printouts.

    ``names`` are those shown to its readers, ``substitutes`` the full names of those of them
    who sit in for somebody, and ``ids`` say by seat whose places these are. ``stake`` are the
    points that each player started with, if the event has one, ``earlier_gains`` those that they
    won here before someone joined or left. ``leavers`` are the names and points of whoever has
    played here and has left. ``earlier_sitters`` played hands of this game before someone else took
    their seat. ``withdrawn`` seats have lost their player.
    """

    number: int
    event: str
    names: Mapping[int, str]
    game: GameView
    stake: int = 0
    substitutes: Mapping[int, str] = field(default_factory=dict)
    custom_title: str = ""
    earlier_gains: Mapping[int, int] = field(default_factory=dict)
    leavers: tuple[tuple[str, int], ...] = ()
    earlier_sitters: tuple[EarlierSitter, ...] = ()
    withdrawn: frozenset[int] = frozenset()
    ids: Mapping[int, PersonIds] = field(default_factory=dict)

    def names_at(self, hand: int) -> Mapping[int, str]:
        """Who played a hand, by seat, as shown to the readers."""
        return dict(self.names) | {
            seat: sitter.name for seat, sitter in self._sitters_at(hand).items()
        }

    def substitutes_at(self, hand: int) -> Mapping[int, str]:
        """Who sat in for somebody in a hand, by seat: agreements to it are bound to that."""
        earlier_substitutes = {
            seat: sitter.substitute for seat, sitter in self._sitters_at(hand).items()
        }
        return {
            seat: name
            for seat, name in (dict(self.substitutes) | earlier_substitutes).items()
            if name
        }

    def _sitters_at(self, hand: int) -> dict[int, EarlierSitter]:
        latest_first = sorted(self.earlier_sitters, key=lambda sitter: -sitter.last_hand)
        return {sitter.seat: sitter for sitter in latest_first if hand <= sitter.last_hand}

    @property
    def title(self) -> str:
        """``Table 3``, or its other title."""
        hand_count = len(self.game.hands)
        return self.custom_title or table_title(self.number, self.game.hands_before, hand_count)

    @property
    def earlier_hands(self) -> str:
        """``Hands 1 to 5``: those that the table played before its players changed, else empty."""
        hands_before = self.game.hands_before
        return numbered_hands(0, hands_before).capitalize() if hands_before else ""

    @property
    def earlier_points(self) -> tuple[int, ...]:
        """What each player, in the order of the seats, won in those hands."""
        return tuple(self.earlier_gains.get(seat, 0) for seat in sorted(self.names))

    @property
    def ruled_points(self) -> tuple[int, ...]:
        """What rulings gave or took, in the order of the seats; empty where there are none."""
        gains = Counter[int]()
        for hand in self.game.hands:
            gains.update(hand.gains)
        points = tuple(self.game.totals[seat] - gains[seat] for seat in sorted(self.names))
        return points if any(points) else ()

    @property
    def totals(self) -> dict[int, int]:
        """Each player's points at this table: all hands together, and rulings."""
        points = self.game.totals.items()
        return {seat: own_points + self.earlier_gains.get(seat, 0) for seat, own_points in points}

    @property
    def seats(self) -> tuple[SeatRow, ...]:
        """The seats with their winds for the next hand, or the last ones."""
        deal = self.game.next_deal
        return tuple(self._seat(seat, deal) for seat in sorted(self.names))

    def _seat(self, seat: int, deal: Deal | None) -> SeatRow:
        return SeatRow(
            number=seat,
            name=self.names[seat],
            wind=None if deal is None else deal.winds.get(seat),
            is_dealer=deal is not None and deal.dealer == seat,
            points=self.totals[seat],
            earlier_names=tuple(self._who_was_in(seat)),
            ids=self.ids.get(seat, PersonIds()),
        )

    def _who_was_in(self, seat: int) -> Iterator[str]:
        first = 1
        for sitter in sorted(self.earlier_sitters, key=lambda sitter: sitter.last_hand):
            if sitter.seat == seat:
                yield f"{sitter.name}: {hands_in_words(first, sitter.last_hand)}"
                first = sitter.last_hand + 1

    @property
    def playing(self) -> tuple[SeatRow, ...]:
        """The seats of the next hand in seating order, East first."""
        deal = self.game.next_deal
        seats = seats_in_play_order(deal.winds) if deal else ()
        return tuple(self._seat(seat, deal) for seat in seats)

    @property
    def hands(self) -> tuple[HandView, ...]:
        return tuple(self.hand_view(row) for row in self.game.hands)

    def hand_view(self, row: HandRow) -> HandView:
        """A hand of this table with the names of those who played it."""
        return HandView(row, self.names_at(row.number))


def table_title(number: int, hands_before: int, hand_count: int) -> str:
    """``Table 2`` of an evening; for 1002, before its players changed, ``Table 2, hands 1 to 6``.

    ``hands_before`` and ``hand_count`` are the hands of earlier games of the table, and of this
    one.
    """
    game, table_number = divmod(number, EARLIER_GAME_OFFSET)
    return (
        f"Table {table_number}, {numbered_hands(hands_before, hand_count)}"
        if game
        else f"Table {table_number}"
    )


def numbered_hands(hands_before: int, hand_count: int) -> str:
    """``hands 5 to 8``, as people count: those of a game with so many played before it."""
    return hands_in_words(hands_before + 1, hands_before + hand_count) if hand_count else "no hands"


@dataclass(frozen=True, slots=True)
class EarlierGame:
    """Hands that a table played before its players changed, with their link for whoever asks."""

    number: Annotated[int, "of the table that these hands have: 1002 for table 2"]
    game_id: int
    hands: Annotated[str, "hands 1 to 6"]
    key: Annotated[str, "their link; empty for a seat that was someone else’s"]
    waiting: Annotated[int, "how many of these hands are not agreed yet"]


@dataclass(frozen=True, slots=True)
class OtherGames:
    """The games before this one at its table, the first one first, and the one played now.

    ``key_now`` is the link of the table as it plays now, if others play there: empty for a seat
    whose player has left.
    """

    earlier_games: Sequence[EarlierGame] = ()
    key_now: str = ""


@dataclass(frozen=True, slots=True)
class LinkedTable:
    """A table with the key of its secret link."""

    link_key: str
    view: TableView


@dataclass(frozen=True, slots=True)
class Arrival:
    """Someone on the list at the door: their whole name, whether they came, what they paid.

    ``paid`` is ``£2.50``, empty before they have paid.
    """

    name: str
    is_here: bool
    paid: str = ""


def points_text(points: int | Decimal, *, pays: bool) -> str:
    """Points as the rules show them: signed gains if players pay one another, else ``1,096``."""
    return signed_points(points) if pays else f"{points:,}"


def signed_points(points: int | Decimal) -> str:
    """Signed points with typographic signs: ``+1,096``, ``−36``, ``0``."""
    sign = "" if points == 0 else "+" if points > 0 else MINUS
    return f"{sign}{abs(points):,}"


def transfers_text(points: Mapping[int, int], names: Mapping[int, str]) -> str:
    """``Ann −500, Ben +500``; ``no points`` if nobody gains or loses any."""
    text = ", ".join(
        f"{names[seat]} {signed_points(amount)}" for seat, amount in sorted(points.items())
    )
    return text or "no points"


@dataclass(frozen=True, slots=True)
class RulingChange:
    """What becomes of a ruling if its hand changes; ``points`` are the differences, by seat."""

    game_id: int
    title: Annotated[str, "whom the ruling is on, and what it says"]
    before: Annotated[str, "the points it moves now, in words"]
    after: Annotated[str, "the points it moves afterwards, in words"]
    note: Annotated[str, "why it then moves none, or what the hand counts against it; or empty"]
    points: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class TableAt:
    """A table by its title, with the URL of its organisers' page."""

    title: str
    address: str


@dataclass(frozen=True, slots=True)
class ListedRepair:
    """A correction of several hands; ``undo_url`` undoes it, and is empty if nothing can."""

    location: str
    repair: RepairRow
    undo_url: str


def repair_list(tables: Mapping[int, TableAt]) -> tuple[ListedRepair, ...]:
    """The repairs at these tables, by the key of their game, newest first; one query."""
    rows = []
    for repair in repairs_of(tables.keys()):
        repaired_tables = [tables[key] for key in repair.game_ids if key in tables]
        is_open = repair.can_be_undone(timezone.now())
        undo_url = f"{repaired_tables[0].address}corrections/{repair.pk}/undo/" if is_open else ""
        rows.append(
            ListedRepair(
                join_with_and([table.title for table in repaired_tables]), repair, undo_url
            )
        )
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A line of the score."""

    name: str
    tiles: tuple[str, ...]
    worth: Annotated[str, "in words, for example 1 double or points"]
    source: Annotated[str, "the place in the book, or the note; empty for a recorded hand"] = ""

    @property
    def pieces(self) -> tuple[Citation, ...]:
        """The source piece by piece, so that each note it names can be a link."""
        return tuple(citations(self.source))


def worth_of(doubles: int | None, points: int | None) -> str:
    """``1 double``, ``2 doubles``; without doubles the points: ``1,000``."""
    return f"{points:,}" if doubles is None else count_words(doubles, "double")


@dataclass(frozen=True, slots=True)
class TiledHand:
    """One player's tiles in groups of codes; ``sum`` is before doubling, empty without doubles.

    ``notices`` are sentences on what was reported of the hand but is impossible.
    """

    name: str
    wind: Wind
    total: int
    sum: str
    groups: tuple[tuple[str, ...], ...]
    lines: tuple[ScoreLine, ...]
    notices: tuple[str, ...]


def tiled_hands(hand: HandView) -> Iterator[TiledHand]:
    """Each seat that was entered in tiles, East first."""
    for line in hand.lines:
        score = hand.row.lines.get(str(line.seat))
        if score is None:
            continue
        tiles, doubles = hand.row.report["tiles"][str(line.seat)], score["doubles"]
        groups = [item["tiles"] for item in tiles.get("sets", ())]
        groups += [tiles[name] for name in ("concealed", "bonus") if tiles.get(name)]
        yield TiledHand(
            name=line.name,
            wind=line.wind,
            total=score["total"],
            sum=f"{score['basic']:,} × {1 << doubles:,}" if doubles else "",
            groups=tuple(map(tuple, groups)),
            lines=tuple(
                ScoreLine(
                    item["name"],
                    tuple(item["tiles"]),
                    worth_of(item.get("doubles"), item.get("points", item.get("value"))),
                )
                for item in score["items"]
            ),
            # A loser enters only what scores, so too few tiles are normal.
            notices=tuple(
                notice["message"]
                for notice in score.get("notices", ())
                if notice["code"] != Code.SHORT_HAND
            ),
        )


def doubts_about(hand: HandView, rules: RuleSet) -> list[str]:
    """What is impossible in the reported ending, besides what the tiles' own notices say."""
    report, winds = Report.from_json(hand.row.report), hand.row.winds
    winner, discarder, pays_for_all = (
        None if seat is None else winds[seat]
        for seat in (report.winner, report.discarder, report.pays_for_all)
    )
    ending = Ending(winner, winds[hand.row.dealer], report.won_by, discarder, pays_for_all)
    told_of_tiles = {notice for tiled_hand in tiled_hands(hand) for notice in tiled_hand.notices}
    sentences = [notice.message for notice in ending_contradictions(ending, rules)]
    return [message for message in sentences if message not in told_of_tiles]
