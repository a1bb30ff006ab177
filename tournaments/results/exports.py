"""Results as files: for a spreadsheet (CSV, Excel) and for other programs (JSON)."""

import json
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from clubs.language.moments import long_date
from clubs.language.spreadsheets import Cell, SheetData, csv_file, workbook
from tournaments.models import Tournament
from tournaments.results.selectors.records import CrossRow, MadeHand, PlayedHand, hands_played
from tournaments.results.selectors.results import Results
from tournaments.results.selectors.standings import (
    StandingLine,
    StandingRow,
    TeamLine,
    TeamRow,
    columns_of,
    load_tournament_data,
)
from tournaments.rounds.selectors import entry_list

ENTRY_HEADINGS: Final = (
    "Number",
    "Name",
    "Club",
    "Team",
    "Couple",
    "Couple with",
    "Paid",
    "Here",
    "State",
)

FIGURE_FIELDS: Final = "table_points total mahjongs mahjongs_credited best_hand"
PLAYER_FIELDS: Final = (
    f"place is_tied name has_left from_club team rounds without_hand sat_out {FIGURE_FIELDS}"
)
TEAM_FIELDS: Final = f"place is_tied name members {FIGURE_FIELDS}"


def results_csv(tournament: Tournament, results: Results) -> bytes:
    """The standings as CSV, one line per player."""
    return csv_file(_standing_rows(tournament, results))


def rounds_csv(_tournament: Tournament, results: Results) -> bytes:
    """Everyone's rounds as CSV, one line for each player in each round."""
    return csv_file(_round_rows(results))


def hands_csv(tournament: Tournament, results: Results) -> bytes:
    """Every hand as CSV, one line for each player in each hand."""
    return csv_file(_hand_rows(played_hands(tournament, results)))


def entries_csv(tournament: Tournament) -> bytes:
    """The entry list, one line per person, with columns that can be imported again."""
    rows: list[list[Cell]] = [list(ENTRY_HEADINGS)]
    entries = entry_list(tournament)
    everyone = (*entries.entered, *entries.waiting, *entries.withdrawn)
    for row in sorted(everyone, key=lambda row: row.entrant.number):
        entrant = row.entrant
        entrant_cells: list[Cell] = [entrant.number, entrant.name, entrant.from_club, entrant.team]
        state = entrant.get_state_display()
        couple: list[Cell] = [entrant.couple, row.partner_in_words]
        rows.append([*entrant_cells, *couple, entrant.has_paid, entrant.is_here, state])
    return csv_file(rows)


def results_json(tournament: Tournament, results: Results) -> bytes:
    """Everything on the results page; table points are exact fractions (``7/4``)."""
    board = results.board
    fields = {
        "tournament": tournament.name,
        "club": tournament.club.name,
        "held_on": tournament.held_on.isoformat(),
        "rules": tournament.rules,
        "ranks_by": tournament.ranks_by,
        "players": board.players,
        "standing": board.standing,
        "is_final": board.is_final,
        "sitting_out": board.sitting_out,
        "without_hand": board.without_hand,
        "standings": [_standing_as_json(line, PLAYER_FIELDS) for line in board.lines],
        "teams": [_standing_as_json(line, TEAM_FIELDS) for line in board.teams],
        "prizes": [
            _field_values(prize, "title gift names figure said=note") for prize in results.prizes
        ],
        "highest_hands": [_hand_as_json(hand) for hand in results.records.highest],
        "special_hands": [_hand_as_json(hand) for hand in results.records.special],
        "rulings": [
            {
                **_field_values(ruling, "round table hand name what"),
                "gains": [gain._asdict() for gain in ruling.gains],
                "reason": ruling.reason,
                "is_cancelled": ruling.is_taken_back,
            }
            for ruling in results.rulings
        ],
        "rounds": [_rounds_as_json(row) for row in results.cross.rows],
        "hands": [_played_hand_as_json(hand) for hand in played_hands(tournament, results)],
    }
    return json.dumps(fields, ensure_ascii=False, indent=2).encode()


def results_xlsx(tournament: Tournament, results: Results) -> bytes:
    """An Excel workbook: standings, rounds, hands, records; teams, prizes and rulings if any."""
    sheets: dict[str, Iterable[list[Cell]]] = {"Standings": _standing_rows(tournament, results)}
    if results.board.teams:
        sheets["Teams"] = _team_rows(tournament, results)
    if results.prizes:
        prizes: list[list[Cell]] = [
            [row.title, row.gift, ", ".join(row.names), row.figure, row.note]
            for row in results.prizes
        ]
        sheets["Prizes"] = [["Prize", "Given", "Won by", "With", "Note"], *prizes]
    if results.cross.rounds:
        sheets["By round"] = _cross_table_rows(results)
        sheets["Rounds"] = _round_rows(results)
        sheets["Hands"] = _hand_rows(played_hands(tournament, results))
    sheets["Records"] = _record_rows(results)
    if results.rulings:
        sheets["Rulings"] = _ruling_rows(results)
    title_lines = (tournament.name, f"{long_date(tournament.held_on)}, {results.board.standing}")
    tables = [
        SheetData(name, list(map(str, headings)), rows, title_lines, for_paper=True)
        for name, (headings, *rows) in sheets.items()
    ]
    return workbook(tables, title=f"{tournament.name}: results")


def _standing_rows(tournament: Tournament, results: Results) -> Iterator[list[Cell]]:
    keys = columns_of(tournament)
    heads = ("Place", "Shared", "Player", "From", "Team", "Rounds", "Without a hand", "Sat out")
    last_heads = ("Tie broken by", "Prizes", "Withdrew", "Substitutes")
    yield [*heads, *results.board.columns, *last_heads]
    substitutes = {row.line.row.entrant_id: row.substitutes for row in results.cross.rows}
    for line in results.board.lines:
        row = line.row
        figures = _ranking_figures(row, keys)
        first_cells: list[Cell] = [row.place, row.is_tied, row.name, row.from_club, row.team]
        won = ", ".join(results.won_by(row.name))
        sitters = substitutes.get(row.entrant_id, {}).items()
        marks: list[Cell] = [
            row.has_left,
            ", ".join(f"{sitter} in {rounds}" for sitter, rounds in sitters),
        ]
        rounds: list[Cell] = [row.rounds, row.without_hand, row.sat_out]
        yield [*first_cells, *rounds, *figures, line.parted_by, won, *marks]


def played_hands(tournament: Tournament, results: Results) -> tuple[PlayedHand, ...]:
    """The hands of the rounds that count in these results; three queries."""
    return hands_played(
        tournament,
        last_round=results.board.last_round,
        names=results.cross.names,
        tournament_data=load_tournament_data(tournament),
    )


def _cross_table_rows(results: Results) -> Iterator[list[Cell]]:
    """One line per player: table points and gain of every round side by side."""
    heads = [(f"Round {n}: table points", f"Round {n}: gain") for n in results.cross.rounds]
    yield ["Place", "Player", *(heading for head_pair in heads for heading in head_pair)]
    for row in results.cross.rows:
        figures: list[Cell] = []
        for cell in row.cells:
            has_seat = cell.table is not None
            sitting_out_cells = ["sat out" if cell.sits_out else "", ""]
            figures += [cell.table_points, cell.points] if has_seat else sitting_out_cells
        yield [row.line.row.place, row.line.row.name, *figures]


def _round_rows(results: Results) -> Iterator[list[Cell]]:
    """One line for each player in each round."""
    yield ["Round", "Table", "Player", "Substitute", "Hands", "Table points", "Gain", "Sat out"]
    for index, _ in enumerate(results.cross.rounds):
        for row in results.cross.rows:
            cell, name = row.cells[index], row.line.row.name
            if cell.table is None:
                yield [cell.round, None, name, "", None, None, None, cell.sits_out]
                continue
            first_cells: list[Cell] = [cell.round, cell.table, name, cell.substitute]
            yield [*first_cells, cell.hands, cell.table_points, cell.points, False]


def _hand_rows(hands: Sequence[PlayedHand]) -> Iterator[list[Cell]]:
    """One line for each player in each hand."""
    yield ["Round", "Table", "Hand", "Player", "Substitute", "Mah-Jong", "Score", "Points"]
    for hand in hands:
        for seat in hand.seats:
            score: Cell = "" if seat.score is None else seat.score
            first_cells: list[Cell] = [
                hand.round,
                hand.table,
                hand.number,
                seat.name,
                seat.substitute,
            ]
            yield [*first_cells, seat.won, score, seat.points]


def _team_rows(tournament: Tournament, results: Results) -> Iterator[list[Cell]]:
    keys = columns_of(tournament)
    yield ["Place", "Team", "Players", *results.board.columns, "Tie broken by"]
    for line in results.board.teams:
        figures = _ranking_figures(line.row, keys)
        members = ", ".join(line.row.members)
        yield [line.row.place, line.row.name, members, *figures, line.parted_by]


def _ranking_figures(row: StandingRow | TeamRow, keys: Sequence[str]) -> list[Fraction]:
    """The figures of a row that rank, in the order of the columns."""
    names = ("mahjongs_counted" if key == "mahjongs" else key for key in keys)
    return [Fraction(getattr(row, name)) for name in names]


def _record_rows(results: Results) -> Iterator[list[Cell]]:
    records = results.records
    yield ["Record", "Player", "Points", "Hand", "Round", "Table", "Hand number", "Tiles"]
    for hand in records.highest:
        yield _record_row("Highest hand", hand)
    for name in records.most_mahjongs:
        yield ["Most Mah-Jongs", name, records.mahjongs, "", "", "", "", ""]
    for hand in records.special:
        yield _record_row("Special hand", hand)


def _record_row(title: str, hand: MadeHand) -> list[Cell]:
    tiles = "  ".join(" ".join(group) for group in hand.tiles)
    place_cells = [hand.round, hand.table, hand.number]
    return [title, hand.name, hand.score, hand.special, *place_cells, tiles]


def _ruling_rows(results: Results) -> Iterator[list[Cell]]:
    yield ["Round", "Table", "Hand", "Player", "Ruling", "Points", "Reason", "Cancelled"]
    for ruling in results.rulings:
        first_cells: list[Cell] = [ruling.round, ruling.table, ruling.hand or "", ruling.name]
        yield [*first_cells, ruling.what, ruling.cost, ruling.reason, ruling.is_taken_back]


def _field_values(row: object, names: str) -> dict[str, Any]:
    """These fields of a row, exact fractions as text; ``gain=points``: ``points`` as ``gain``."""
    pairs = (name.rpartition("=") for name in names.split())
    values = {key or name: getattr(row, name) for key, _, name in pairs}
    return {
        key: str(value) if isinstance(value, Fraction) else value for key, value in values.items()
    }


def _standing_as_json(line: StandingLine | TeamLine, fields: str) -> dict[str, Any]:
    return {**_field_values(line.row, fields), "tie_broken_by": line.parted_by}


def _hand_as_json(hand: MadeHand) -> dict[str, Any]:
    return _field_values(hand, "name score special round table hand=number tiles")


def _rounds_as_json(row: CrossRow) -> dict[str, Any]:
    return {
        "name": row.line.row.name,
        "rounds": [
            _field_values(cell, "round table sits_out substitute hands table_points gain=points")
            for cell in row.cells
        ],
    }


def _played_hand_as_json(hand: PlayedHand) -> dict[str, Any]:
    return {
        **_field_values(hand, "round table hand=number"),
        "winner": hand.winner or None,
        "seats": [_field_values(seat, "name substitute score points") for seat in hand.seats],
    }
