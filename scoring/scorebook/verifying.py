"""Whether the games' rows are still what the links of their books sealed, row by row."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from django.db import transaction
from django.db.models import Model

from scoring import BadOutcome
from scoring.scorebook import ledger, selectors
from scoring.scorebook.editions import changed_editions, rule_set
from scoring.scorebook.ledger import plain_value, sealed_fields, sha256_digest
from scoring.scorebook.models import (
    Agreement,
    Book,
    Decision,
    Game,
    Hand,
    LedgerEntry,
    Link,
    LinkKind,
    Repair,
    RepairedGame,
    Seat,
)
from scoring.scorebook.moves import Moves
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report, reckon

CHUNK_SIZE: Final = 200
MAX_VALUE_LENGTH: Final = 60
LINK_PARTS: Final = frozenset(
    {"as", "book", "number", "before", "kind", "about", "state", "written_at", "rows"}
)
ABOUT_FIELDS: Final = ("hand", "agreement", "decision", "entry", "repair")

# Each table that is sealed: the way to its game, the way to its hand's number.
TABLE_PATHS: Final[Mapping[type[Model], tuple[str, str]]] = {
    Hand: ("game", "number"),
    LedgerEntry: ("seat__game", "hand__number"),
    Agreement: ("hand__game", "hand__number"),
    Decision: ("hand__game", "hand__number"),
    Repair: ("games__game", ""),
    RepairedGame: ("game", ""),
    Game: ("", ""),
    Seat: ("game", ""),
}
MODELS_BY_NAME: Final = {str(model._meta.model_name): model for model in TABLE_PATHS}
RESEALED_TABLES: Final = frozenset({"game", "seat", "repair"})
# By table and key: row, link's number.
SealedRows = dict[tuple[str, int], tuple[dict[str, Any], int]]
LATE_SEALED_MODELS: Final = (Game, Seat)  # sealed with the first hand of their game


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """A row that is not as it was written: which, and what is wrong with it, in words.

    ``game`` is the key of its game, ``hand`` the number of its hand, where it has them.
    """

    row: str
    text: str
    book: int | None
    game: int | None = None
    hand: int | None = None


@dataclass(frozen=True, slots=True)
class VerifiedBook:
    """One book: how many links it has, and everything that is wrong."""

    book: int
    links: int
    findings: tuple[Discrepancy, ...]


def verify_book(book_id: int) -> VerifiedBook:
    """Read a book and all rows that it seals, a few hundred at a time.

    Tables go on writing meanwhile; only where something differs is the book read once more with
    its writers waiting, and what differs then is told.
    """
    verified_book = _BookReader(book_id).read()
    if not verified_book.findings:
        return verified_book
    with transaction.atomic():
        Book.objects.select_for_update(no_key=True).get(pk=book_id)
        return _BookReader(book_id).read()


def rows_outside_books() -> Iterator[Discrepancy]:
    """Rows whose game has no book at all, so that nothing seals them."""
    for model, (to_game, to_number) in TABLE_PATHS.items():
        if model not in LATE_SEALED_MODELS:
            for pk, game, number in _iterate_rows(
                model, {f"{to_game}__book": None}, to_game, to_number
            ):
                yield Discrepancy(_row_name(model, pk), "belongs to no book", None, game, number)


def _iterate_rows(
    model: type[Model], lookup: Mapping[str, Any], to_game: str, to_number: str
) -> Iterator[tuple[int, int | None, int | None]]:
    """Key, game and hand's number of each such row."""
    rows = model._default_manager.filter(**lookup).order_by("pk").distinct()
    columns = ["pk", to_game or "pk", *([to_number] if to_number else [])]
    for row in rows.values_list(*columns).iterator():
        yield row[0], row[1], row[2] if to_number else None


def _row_name(model: type[Model], pk: Any) -> str:
    return f"{model._meta.verbose_name} row {pk}"


@dataclass(frozen=True, slots=True)
class _SealedOutcome:
    """What a sealed hand says of its seats: who played, who dealt, who won, what they scored."""

    game: int
    number: int
    dealer: int
    winner: int | None
    scores: Mapping[int, int]


@dataclass(slots=True)
class _BookReader:
    """One passage through a book; the links are trusted once each follows on the one before."""

    book_id: int
    moves: Moves = field(default_factory=Moves)
    findings: list[Discrepancy] = field(default_factory=list)
    count: int = 0
    head: str = ""
    seen_keys: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    latest: SealedRows = field(default_factory=dict)
    outcomes: dict[int, _SealedOutcome] = field(default_factory=dict)
    states: dict[int, tuple[str, bool, int]] = field(default_factory=dict)
    points: dict[int, int] = field(default_factory=lambda: defaultdict(int))

    def read(self) -> VerifiedBook:
        """Everything about the book."""
        book = Book.objects.get(pk=self.book_id)
        self._read_moves(book)
        links = Link.objects.filter(book=book).order_by("number").iterator(CHUNK_SIZE)
        while batch := list(islice(links, CHUNK_SIZE)):
            sealed_rows: SealedRows = {}
            for link in batch:
                content = self._link(link)
                for table, rows in content["rows"].items() if content else ():
                    for row in rows:
                        self._keep(table, row)
                        target_rows = self.latest if table in RESEALED_TABLES else sealed_rows
                        target_rows[table, row["id"]] = (row, link.number)
            self._compare(sealed_rows)
        row = _row_name(Book, book.pk)
        if book.length != self.count:
            self._note(row, f"was {book.length} links long, and {self.count} are there")
        if book.head != self.head:
            self._note(row, "is sealed with another digest than that of its last link")
        self._compare(self.latest)
        self._states()
        self._totals()
        self._first_dealers()
        self._never_sealed()
        return VerifiedBook(book.pk, self.count, tuple(self.findings))

    def _read_moves(self, book: Book) -> None:
        row = _row_name(Book, book.pk)
        try:
            self.moves = Moves.read(book.moves)
        except (ValueError, TypeError):
            self._note(row, "does not say where its rows came from as a move writes it")
        if self.moves.last > book.length:
            self._note(row, f"says that {self.moves.last} of its links were written elsewhere")

    def _note(self, row: str, text: str, game: int | None = None, hand: int | None = None) -> None:
        self.findings.append(Discrepancy(row, text, self.book_id, game, hand))

    def _link(self, link: Link) -> dict[str, Any] | None:
        """What a link sealed, if it can be read; whatever is wrong with the link is noted."""
        row = _row_name(Link, link.pk)
        if link.number != self.count + 1:
            self._note(row, f"link {link.number} comes after link {self.count}")
        self.count, digest = link.number, sha256_digest(link.sealed)
        if digest != link.digest:
            self._note(row, f"link {link.number} no longer has the text that its digest seals")
        content = _parse_link(link.sealed)
        if content is not None and content["before"] != self.head:
            self._note(row, f"link {link.number} does not follow on the one before it")
        self.head = digest
        if content is None:
            self._note(row, f"the text of link {link.number} cannot be read")
            return None
        content = self.moves.present(link.number, content)
        for column, now, sealed_value in _link_columns(link, content):
            if now != sealed_value:
                self._note(row, _difference_text(column, now, sealed_value, link.number))
        if hand := content["about"].get("hand"):
            taken_back = content["kind"] == LinkKind.TAKEN_BACK
            is_standing = self.states.get(hand, ("", True, 0))[1]
            self.states[hand] = (content["state"], is_standing and not taken_back, link.number)
        return content

    def _keep(self, table: str, row: dict[str, Any]) -> None:
        """What later checks need of a sealed row."""
        self.seen_keys[table].add(row["id"])
        if table == "ledgerentry":
            self.points[row["seat_id"]] += row["points"]
        if table == "hand":
            scores = {int(seat): row[f"score_{seat}"] or 0 for seat in row["deal"]["winds"]}
            self.outcomes[row["id"]] = _SealedOutcome(
                row["game_id"], row["number"], row["deal"]["dealer"], row["winner"], scores
            )

    def _compare(self, sealed_rows: SealedRows) -> None:
        """Each sealed row beside the row that is there now."""
        for table, model in MODELS_BY_NAME.items():
            names = [column.attname for column in sealed_fields(model)]
            keys = [pk for name, pk in sealed_rows if name == table]
            rows = model._default_manager.order_by("pk")
            some = iter(keys)
            present: dict[int, dict[str, Any]] = {}
            while batch := list(islice(some, CHUNK_SIZE)):
                present |= {row["id"]: row for row in rows.filter(pk__in=batch).values(*names)}
            for pk in keys:
                sealed_row, number = sealed_rows[table, pk]
                now = present.get(pk)
                row = _row_name(model, pk)
                game_and_hand = self._locate(table, sealed_row)
                if now is None:
                    self._note(row, f"is gone; it was sealed as link {number}", *game_and_hand)
                    continue
                for column in sorted(now.keys() & sealed_row.keys()):
                    holds = plain_value(now[column])
                    if holds != sealed_row[column]:
                        self._note(
                            row,
                            _difference_text(column, holds, sealed_row[column], number),
                            *game_and_hand,
                        )

    def _locate(self, table: str, row: dict[str, Any]) -> tuple[int | None, int | None]:
        """The game and the number of the hand that a sealed row belongs to."""
        hand = row["id"] if table == "hand" else row.get("hand_id")
        if hand in self.outcomes:
            return self.outcomes[hand].game, self.outcomes[hand].number
        if table == "ledgerentry":
            seat = self.latest.get(("seat", row["seat_id"]))
            return (seat[0]["game_id"] if seat else None), None
        return (row["id"] if table == "game" else row.get("game_id")), None

    def _states(self) -> None:
        """Whether each hand stands, and how far it has come."""
        rows = Hand.objects.filter(game__book=self.book_id).order_by("pk")
        for pk, state, is_current in rows.values_list("pk", "state", "is_current").iterator():
            if pk not in self.states or pk not in self.outcomes:
                continue
            told_state, stands, number = self.states[pk]
            game_and_hand = (self.outcomes[pk].game, self.outcomes[pk].number)
            columns = (("state", state, told_state), ("is_current", is_current, stands))
            for column, now, sealed_value in columns:
                if now != sealed_value:
                    self._note(
                        _row_name(Hand, pk),
                        _difference_text(column, now, sealed_value, number),
                        *game_and_hand,
                    )

    def _totals(self) -> None:
        """What each seat has, told anew from the hands that stand and the sealed entries."""
        totals: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0, 0])
        for pk, hand in self.outcomes.items():
            if self.states.get(pk, ("", True))[1]:
                for seat, score in hand.scores.items():
                    so_far = totals[hand.game, seat]
                    so_far[0] += 1
                    if hand.winner == seat:
                        so_far[1] += 1
                        so_far[2] = max(so_far[2], score)
        for row in Seat.objects.filter(game__book=self.book_id).order_by("pk").iterator():
            hands, mahjongs, best = totals[row.game_id, row.number]
            sums = {"points": self.points[row.pk], "hands": hands, "mahjongs": mahjongs}
            for column, expected_value in {**sums, "best_hand": best}.items():
                if (now := getattr(row, column)) != expected_value:
                    text = f"{column} is {now}, but what was sealed makes {expected_value}"
                    self._note(_row_name(Seat, row.pk), text, row.game_id)

    def _first_dealers(self) -> None:
        """Whether each game names as its first dealer whoever dealt its first hand."""
        dealers = {
            hand.game: hand.dealer
            for pk, hand in self.outcomes.items()
            if hand.number == 1 and self.states.get(pk, ("", True))[1]
        }
        games = Game.objects.filter(book=self.book_id, continues=None).order_by("pk")
        for game, first_dealer in games.values_list("pk", "first_dealer").iterator():
            sealed_game, _ = self.latest.get(("game", game), ({}, 0))
            dealer = first_dealer
            for hand, first, other_seat in sealed_game.get("exchanges", ()):
                if hand == 1:
                    dealer = {first: other_seat, other_seat: first}.get(dealer, dealer)
            if dealer != dealers.get(game, dealer):
                text = (
                    f"first_dealer is {first_dealer}, but seat {dealers[game]} dealt hand 1 as "
                    "sealed"
                )
                self._note(_row_name(Game, game), text, game)

    def _never_sealed(self) -> None:
        """Rows of the book's games that no link knows."""
        for model, (to_game, to_number) in TABLE_PATHS.items():
            if model in LATE_SEALED_MODELS:
                continue
            sealed_keys = self.seen_keys[str(model._meta.model_name)]
            lookup = {f"{to_game}__book": self.book_id}
            for pk, game, number in _iterate_rows(model, lookup, to_game, to_number):
                if pk not in sealed_keys:
                    text = "was never sealed: it was added outside Tongbox"
                    self._note(_row_name(model, pk), text, game, number)


def _parse_link(text: str) -> dict[str, Any] | None:
    try:
        content = json.loads(text)
    except ValueError:
        return None
    return content if isinstance(content, dict) and content.keys() >= LINK_PARTS else None


def _link_columns(link: Link, content: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Each column of a link that its text tells too: the name, what it holds, what was sealed."""
    yield "book_id", link.book_id, content["book"]
    for name in ("number", "kind", "state", "written_at"):
        yield name, plain_value(getattr(link, name)), content[name]
    for name in ABOUT_FIELDS:
        yield f"{name}_id", getattr(link, f"{name}_id"), content["about"].get(name)


def _difference_text(column: str, now: Any, sealed_value: Any, number: int) -> str:
    """What a column holds instead of what was sealed; long values are not spelled out."""
    sealed_text, present_text = json.dumps(sealed_value), json.dumps(now)
    if len(sealed_text) > MAX_VALUE_LENGTH or len(present_text) > MAX_VALUE_LENGTH:
        return f"{column} differs from what was sealed as link {number}"
    return f"{column} is {present_text}, but {sealed_text} was sealed as link {number}"


@dataclass(frozen=True, slots=True)
class Recount:
    """How much was replayed, and a sentence for each thing that differs."""

    games: int
    hands: int
    differences: tuple[str, ...]


def recount(*, repair: bool = False) -> Recount:
    """Replay all games; with ``repair``, set the seats' totals to what ledger and hands say."""
    games = hands = 0
    differences = list(changed_editions())
    for game in Game.objects.order_by("pk").iterator():
        with transaction.atomic():
            current = list(game.hands.filter(is_current=True).order_by("number"))
            differences += differing_hands(game, current)
            for seat in game.seats.all():
                stored_totals = {name: getattr(seat, name) for name in ledger.TOTAL_FIELDS}
                totals = ledger.totals_of(seat)
                if stored_totals != totals:
                    differences.append(f"{seat}: stored {stored_totals}, the ledger says {totals}")
                if stored_totals != totals and repair:
                    ledger.recount_totals(seat)
                gained_points = sum(hand.gains.get(seat.number, 0) for hand in current)
                ledger_points = ledger.hand_points(seat)
                if gained_points != ledger_points:
                    text = f"the hands gave {gained_points}, the ledger says {ledger_points}"
                    differences.append(f"{seat}: {text}")
        games += 1
        hands += len(current)
    return Recount(games, hands, tuple(differences))


def differing_hands(game: Game, hands: list[Hand]) -> Iterator[str]:
    """A sentence for each of a game's current hands that the engine now makes something else of."""
    try:
        if not _has_right_opening(game):
            yield f"{game} does not go on where game {game.continues_id} has stopped"
        progress = selectors.progress_after(game, [selectors.outcome_of(hand) for hand in hands])
    except (BadOutcome, ValueError, TypeError, LookupError) as bad:
        yield f"{game} cannot be played again: {bad}"
        return
    for hand, deal in zip(hands, progress.deals, strict=False):
        report = Report.from_json(hand.report)
        try:
            replayed_hand = reckon(report, deal, rule_set(game.rules))
        except Refused as refused:
            yield f"{hand}: the engine refuses it now: {refused}"
            continue
        payments = [tuple(paid) for paid in hand.payments]
        stored_values = (hand.winner, hand.deal, hand.scores, hand.gains, payments)
        replayed_values = (
            report.winner,
            selectors.deal_as_json(deal),
            dict(replayed_hand.scores),
            dict(replayed_hand.gains),
            list(replayed_hand.payments),
        )
        if stored_values != replayed_values:
            yield f"{hand}: stored {stored_values}, replayed {replayed_values}"


def _has_right_opening(game: Game) -> bool:
    """Whether a game begins where the one has stopped that it carries on, if it does."""
    earlier_game = game.continues
    if earlier_game is None:
        return game.opening is None
    is_earlier = earlier_game.pk < game.pk and (earlier_game.book_id, earlier_game.rules) == (
        game.book_id,
        game.rules,
    )
    opening = selectors.opening_after(earlier_game, selectors.seats_before(game))
    return is_earlier and game.opening == opening
