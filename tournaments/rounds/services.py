"""Writes the seats of a round's tables, and the house players who fill the last of them."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Self

from django.db.models import Prefetch, Q, QuerySet

from clubs.models.names import HOUSE_PLAYER, name_key
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Game, Hand, Seat
from tournaments.models import Call, Capacity, Entrant, Placement, Round, Ruling, Table, Tournament

SEATS_AT_TABLE = 4
FIRST_FUTURE_KEY: Final = 2**62  # of a house player who is not stored: after everyone who is


@dataclass(frozen=True, slots=True)
class Sitter:
    """A seat's entrant, and who sat there in which capacity."""

    entrant: int
    capacity: str = Capacity.ENTRANT
    substitute: str = ""


def sitter_of(entrant: Entrant) -> Sitter:
    return Sitter(entrant.pk, Capacity.HOUSE if entrant.is_house else Capacity.ENTRANT)


@dataclass(frozen=True, slots=True)
class TableSeating:
    """A table with its four seats, East first; ``link_key`` if its card has been printed."""

    number: int
    seats: tuple[Sitter, ...]
    link_key: str = ""


@dataclass(frozen=True, slots=True)
class RoundSeating:
    """Tables of a round, all of them if ``is_whole``, and the entrants who sit out.

    Without a table the round is not seated. One seated by standing has the standing's order, and
    sentences on its trade-offs.
    """

    number: int
    tables: tuple[TableSeating, ...]
    sitting_out: tuple[int, ...]
    is_whole: bool = True
    in_order: tuple[int, ...] = ()
    traded: tuple[str, ...] = ()

    @property
    def sitters(self) -> list[Sitter]:
        return [sitter for table in self.tables for sitter in table.seats]

    def with_sitters(self, comes: Mapping[int, Sitter]) -> Self:
        """The round with others in the seats of these entrants."""
        tables = (
            replace(table, seats=tuple(comes.get(sitter.entrant, sitter) for sitter in table.seats))
            for table in self.tables
        )
        return replace(self, tables=tuple(tables))

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def round_from_json(data: dict[str, Any]) -> RoundSeating:
    """A round from the result of ``as_json``."""
    tables = tuple(
        TableSeating(
            table["number"], tuple(Sitter(**seat) for seat in table["seats"]), table["link_key"]
        )
        for table in data["tables"]
    )
    return RoundSeating(
        data["number"],
        tables,
        tuple(data["sitting_out"]),
        data["is_whole"],
        tuple(data.get("in_order", ())),
        tuple(data.get("traded", ())),
    )


def unseated_round(number: int) -> RoundSeating:
    return RoundSeating(number, (), ())


def round_seatings(rounds: QuerySet[Round]) -> list[RoundSeating]:
    """The rounds as they are now; four queries however many."""
    places = Placement.objects.select_related("seat").order_by("seat__number")
    with_seats = rounds.prefetch_related(
        "sitting_out", Prefetch("tables__placements", places, to_attr="seated")
    )
    return [
        RoundSeating(
            round_.number,
            tuple(map(_table_seating, round_.tables.all())),
            tuple(entrant.pk for entrant in round_.sitting_out.all()),
            in_order=tuple(round_.seated_in_order),
            traded=tuple(round_.traded),
        )
        for round_ in with_seats
    ]


def _table_seating(table: Table) -> TableSeating:
    seats: list[Placement] = table.seated  # type: ignore[attr-defined]
    return TableSeating(
        table.number,
        tuple(Sitter(place.entrant_id, place.capacity, place.substitute) for place in seats),
        table.link_key,
    )


def keep_substitutes(
    tournament: Tournament, rounds: Sequence[RoundSeating], old_rounds: Sequence[RoundSeating]
) -> list[RoundSeating]:
    """The new seats with each round's substitutes, except those who have entered since."""
    entered_keys = set(tournament.entrants.entered().values_list("name_key", flat=True))
    substitutes: dict[int, dict[int, Sitter]] = defaultdict(dict)
    for round_ in old_rounds:
        for sitter in round_.sitters:
            if sitter.substitute and name_key(sitter.substitute) not in entered_keys:
                substitutes[round_.number][sitter.entrant] = sitter
    return [round_.with_sitters(substitutes[round_.number]) for round_ in rounds]


def write_seatings(tournament: Tournament, rounds: Sequence[RoundSeating]) -> None:
    """Write these tables; of a whole round, delete every other table.

    The caller holds the locks and knows that no hand is recorded at any of the tables. As many
    queries for many rounds as for one.
    """
    rounds_with_tables = [round_ for round_ in rounds if round_.tables]
    rounds_by_number = _rounds_by_number(tournament)
    Round.objects.bulk_create(
        Round(tournament=tournament, number=round_.number)
        for round_ in rounds_with_tables
        if round_.number not in rounds_by_number
    )
    rounds_by_number = _rounds_by_number(tournament)
    tables = Table.objects.filter(round__tournament=tournament)
    table_seatings = {
        (round_.number, table.number): table for round_ in rounds for table in round_.tables
    }
    tables_by_key = {
        (table.round.number, table.number): table for table in tables.select_related("round")
    }
    games = set_aside_games(
        tables.filter(
            pk__in=[tables_by_key[key].pk for key in tables_by_key.keys() & table_seatings]
        )
    )
    for table in tables_by_key.values():
        table.game_id = games.get(table.pk, table.game_id)
    whole_rounds = {round_.number for round_ in rounds if round_.is_whole}
    surplus = [
        table.pk
        for key, table in tables_by_key.items()
        if key[0] in whole_rounds and key not in table_seatings
    ]
    remove_tables(tables.filter(pk__in=surplus))
    new = {key: table for key, table in table_seatings.items() if key not in tables_by_key}
    tables_by_key |= _open_tables(tournament, rounds_by_number, new)
    _write_placements({tables_by_key[key]: table.seats for key, table in table_seatings.items()})
    seatings = {rounds_by_number[round_.number]: round_ for round_ in rounds_with_tables}
    _write_sitting_out(seatings)
    _store_standing_order(
        {round_: seating for round_, seating in seatings.items() if seating.is_whole}
    )
    if len(rounds_with_tables) < len(rounds):
        unseated_numbers = [round_.number for round_ in rounds if not round_.tables]
        tournament.rounds.filter(number__in=unseated_numbers).delete()


def _write_sitting_out(seatings: Mapping[Round, RoundSeating]) -> None:
    resting = Round.sitting_out.through.objects
    resting.filter(round__in=seatings).delete()
    resting.bulk_create(
        Round.sitting_out.through(round=round_, entrant_id=entrant)
        for round_, seating in seatings.items()
        for entrant in seating.sitting_out
    )


def _store_standing_order(fields: Mapping[Round, RoundSeating]) -> None:
    changed_rounds = []
    for round_, laid_round in fields.items():
        standing_order = (list(laid_round.in_order), list(laid_round.traded))
        if standing_order != (round_.seated_in_order, round_.traded):
            round_.seated_in_order, round_.traded = standing_order
            changed_rounds.append(round_)
    if changed_rounds:
        Round.objects.bulk_update(changed_rounds, ["seated_in_order", "traded"])


def _rounds_by_number(tournament: Tournament) -> dict[int, Round]:
    return {round_.number: round_ for round_ in tournament.rounds.all()}


def _open_tables(
    tournament: Tournament, rounds: Mapping[int, Round], new: Mapping[tuple[int, int], TableSeating]
) -> dict[tuple[int, int], Table]:
    """These tables with their games, by the numbers of round and table."""
    games = scorebook.open_games(
        rules=tournament.rules,
        sizes=[SEATS_AT_TABLE] * len(new),
        hands_planned=tournament.hands_a_round,
        agreement=tournament.agreement,
        book=tournament.book,
    )
    tables = Table.objects.bulk_create(
        Table(
            round=rounds[number],
            number=laid_table.number,
            game=seats[0].game,
            **({"link_key": laid_table.link_key} if laid_table.link_key else {}),
        )
        for ((number, _), laid_table), seats in zip(new.items(), games, strict=True)
    )
    return dict(zip(new, tables, strict=True))


def _write_placements(fields: Mapping[Table, tuple[Sitter, ...]]) -> None:
    """Write everyone into the seats of their tables, replacing the former players."""
    games = [table.game_id for table in fields]
    Placement.objects.filter(table__game__in=games).delete()
    seats = {(seat.game_id, seat.number): seat for seat in Seat.objects.filter(game__in=games)}
    Placement.objects.bulk_create(
        Placement(
            round_id=table.round_id,
            table=table,
            seat=seats[table.game_id, number],
            entrant_id=sitter.entrant,
            capacity=sitter.capacity,
            substitute=sitter.substitute,
        )
        for table, sitters in fields.items()
        for number, sitter in enumerate(sitters, start=1)
    )


def remove_tables(tables: QuerySet[Table]) -> None:
    """Delete tables at which nothing stands, with their games.

    A game with hands that were undone stays in the score book, which keeps all that was written.
    """
    set_aside_games(tables)
    games = list(tables.values_list("game_id", flat=True))
    Placement.objects.filter(table__game__in=games).delete()
    Call.objects.filter(table__game__in=games).delete()
    Table.objects.filter(game__in=games).delete()
    scorebook.remove_games(games)


def set_aside_games(tables: QuerySet[Table]) -> dict[int, int]:
    """Give each of these tables a new game if its own has only hands and rulings that were undone.

    The old game stays in the score book, without the table: whoever sits there next has no part in
    it. Returns the new games' keys by those of the tables. One query if there is no such game.
    """
    undone = tables.filter(Q(game__hands__isnull=False) | Q(rulings__isnull=False)).distinct()
    return {
        table.pk: _new_game_at(table)
        for table in undone.select_related("game__book")
        if not has_hands(Game.objects.filter(pk=table.game_id))
    }


def _new_game_at(table: Table) -> int:
    """Open a game for the table as its old one was planned, and move its players there."""
    Ruling.objects.filter(table=table, takes_back__isnull=False).delete()
    Ruling.objects.filter(table=table).delete()
    old = table.game
    (seats,) = scorebook.open_games(
        rules=old.rules,
        sizes=[old.size],
        hands_planned=old.hands_planned,
        agreement=old.agreement,
        book=old.book,
    )
    by_number = {seat.number: seat for seat in seats}
    places = list(Placement.objects.filter(table=table).select_related("seat"))
    for place in places:
        place.seat = by_number[place.seat.number]
    Placement.objects.bulk_update(places, ["seat"])
    table.game = seats[0].game
    table.save(update_fields=["game"])
    return table.game_id


def games_at(tournament: Tournament, rounds: Collection[int] | None = None) -> QuerySet[Game]:
    games = Game.objects.filter(tournament_table__round__tournament=tournament)
    return games if rounds is None else games.filter(tournament_table__round__number__in=rounds)


def has_hands(games: QuerySet[Game]) -> bool:
    """Whether a hand or a ruling counts in any of these games; what was undone does not."""
    hands = Hand.objects.filter(game__in=games, is_current=True)
    return hands.exists() or counting_rulings(games).exists()


def counting_rulings(games: QuerySet[Game]) -> QuerySet[Ruling]:
    """The rulings at these games that were not cancelled."""
    return Ruling.objects.filter(table__game__in=games, takes_back=None, taken_back_by=None)


def house_players(tournament: Tournament, count: int) -> list[Entrant]:
    """So many house players, those of earlier rounds first; further ones are not stored yet.

    Those have keys from ``FIRST_FUTURE_KEY`` on: what is only planned, previewed or refused leaves
    nobody behind. Queries, but no writes.
    """
    players = list(tournament.entrants.filter(is_house=True))[:count]
    used = set(tournament.entrants.values_list("name_key", flat=True))
    number = next_number(tournament)
    for offset in range(count - len(players)):
        names = (HOUSE_PLAYER, *(f"{HOUSE_PLAYER} {suffix}" for suffix in range(2, len(used) + 3)))
        name = next(name for name in names if name_key(name) not in used)
        used.add(name_key(name))
        entrant = Entrant(
            pk=FIRST_FUTURE_KEY + offset,
            tournament=tournament,
            number=number + offset,
            name=name,
            name_key=name_key(name),
            is_house=True,
        )
        players.append(entrant)
    return players


def is_future(entrant: Entrant) -> bool:
    """Whether this house player is planned but not stored."""
    return (entrant.pk or 0) >= FIRST_FUTURE_KEY


def stored_players(tournament: Tournament, roster: Sequence[Entrant]) -> list[Entrant]:
    """The roster, its future house players stored now; under the tournament's lock."""
    count = sum(entrant.is_house for entrant in roster)
    houses = iter(call_house_players(tournament, count))
    return [next(houses) if entrant.is_house else entrant for entrant in roster]


def with_stored_players(
    tournament: Tournament, roster: Sequence[Entrant], rounds: Sequence[RoundSeating]
) -> list[RoundSeating]:
    """The rounds planned for a roster, its future house players stored now; under the lock."""
    if not any(map(is_future, roster)):
        return list(rounds)
    stored_entrants = stored_players(tournament, roster)
    comes = {
        planned_entrant.pk: sitter_of(entrant)
        for planned_entrant, entrant in zip(roster, stored_entrants, strict=True)
        if is_future(planned_entrant)
    }
    return [round_.with_sitters(comes) for round_ in rounds]


def call_house_players(tournament: Tournament, count: int) -> list[Entrant]:
    """So many house players, all of them stored; under the tournament's lock."""
    players = house_players(tournament, count)
    for player in filter(is_future, players):
        player.pk = None
        player.save(force_insert=True)
    return players


def next_number(tournament: Tournament) -> int:
    """The number of the next entrant, after everyone's so far."""
    last = tournament.entrants.order_by("number").last()
    return last.number + 1 if last else 1
