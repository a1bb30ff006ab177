"""What a person played at the club: evenings, hands, what their seat said and was told."""

import re
from collections.abc import Mapping, Sequence

from django.db.models import Q

from clubs.language.moments import long_date
from clubs.models import Attendance, Credit, Handicap, Player, SessionSeat
from clubs.selectors.dossier_parts import Part, part
from clubs.traces import texts_in
from scoring.scorebook.models import (
    Agreement,
    Decision,
    EntryKind,
    Hand,
    LedgerEntry,
    Repair,
    Seat,
    TappedHand,
)

Places = Mapping[Seat, str]
HANDS = "scorebook.Hand"
TILE = re.compile("[A-Z][A-Z1-9]")
ABOUT_HANDS = (
    "Every hand that counts, with the parts that concern you. Other people’s scores are left out. "
    "Tiles are "
    "written short: B6 is the 6 of bamboos, C of characters, O of circles, W a wind, D a dragon, "
    "F a flower, S a season."
)


def parts(records: Sequence[Player]) -> list[Part]:
    """Evenings and what counts for the league, then every hand at the club’s tables."""
    held = SessionSeat.objects.filter(player__in=records).order_by("session__held_on")
    seated = list(held.select_related("session", "table", "seat__game"))
    places = {one.seat: f"{long_date(one.session.held_on)}, table {one.table.at}" for one in seated}
    return [
        _visits(records),
        _evenings(seated),
        *played(places, "at the club"),
        _league(records),
    ]


def played(places: Places, where: str) -> list[Part]:
    """Everything the score book has on these seats; also for a tournament’s."""
    return [
        _hands(places, where),
        _said(places, where),
        _ruled(places, where),
        _entries(places, where),
        _repairs(places, where),
        _tapped(places, where),
    ]


def _visits(records: Sequence[Player]) -> Part:
    here = Attendance.objects.filter(player__in=records).order_by("session__held_on")
    rows = [[day] for day in here.values_list("session__held_on", flat=True)]
    about = "Evenings when you were checked in."
    return part("Visits", about, "Evening", rows, "clubs.Attendance", "clubs.Session")


def _evenings(seated: Sequence[SessionSeat]) -> Part:
    rows = [
        (
            one.session.held_on,
            one.table.at,
            one.seat.points,
            one.seat.hands,
            one.seat.mahjongs,
            one.seat.best_hand,
        )
        for one in seated
    ]
    return part(
        "Evenings played",
        "Where you sat and what it came to.",
        "Evening|Table|Points|Hands|Mah-Jongs|Best hand",
        rows,
        "clubs.SessionSeat",
        "clubs.SessionTable",
        "scorebook.Seat",
    )


def _league(records: Sequence[Player]) -> Part:
    missed = Credit.objects.filter(player__in=records).select_related("session")
    handicaps = Handicap.objects.filter(player__in=records).select_related("season__league")
    rows = [
        *((one.session.held_on, f"Missed on club duty: {one.reason}") for one in missed),
        *((one.season, f"Handicap of {one.points:+d} an evening") for one in handicaps),
    ]
    about = "What counts for you besides the hands."
    return part("League", about, "When|What", rows, "clubs.Credit", "clubs.Handicap")


def _hands(places: Places, where: str) -> Part:
    by_game = {seat.game_id: seat for seat in places}
    hands = Hand.objects.filter(game__in=by_game, is_current=True).order_by("game_id", "number")
    rows = [_hand(hand, by_game[hand.game_id], places) for hand in hands]
    return part(
        f"Hands {where}",
        ABOUT_HANDS,
        "Where|Hand|Recorded|Your score|Your gain|Mah-Jong|State|Your tiles",
        rows,
        HANDS,
    )


def _hand(hand: Hand, seat: Seat, places: Places) -> tuple[object, ...]:
    won = {None: "nobody", seat.number: "you"}.get(hand.winner, "another player")
    tiles = hand.report.get("tiles", {}).get(str(seat.number), {})
    return (
        places[seat],
        hand.number,
        hand.sent_at,
        hand.scores.get(seat.number),
        hand.gains.get(seat.number, "sat out"),
        won,
        hand.get_state_display(),
        " ".join(text for text in texts_in(tiles) if TILE.fullmatch(text)),
    )


def _said(places: Places, where: str) -> Part:
    by_game = {(seat.game_id, seat.number): label for seat, label in places.items()}
    said = Agreement.objects.filter(hand__game__in={game for game, _ in by_game}).order_by("pk")
    rows = [
        (label, one.hand.number, one.said_at, "agreed" if one.agrees else "disputed", one.note)
        for one in said.select_related("hand")
        if (label := by_game.get((one.hand.game_id, one.seat)))
    ]
    columns = "Where|Hand|When|Said to be|In your words"
    about = "What you said about each hand from your seat."
    return part(f"Agreed and not agreed {where}", about, columns, rows, "scorebook.Agreement")


def _ruled(places: Places, where: str) -> Part:
    games = {seat.game_id: label for seat, label in places.items()}
    found = Decision.objects.filter(hand__game__in=games).select_related("hand").order_by("pk")
    rows = [(games[one.hand.game_id], one.hand.number, one.made_at, one.reason) for one in found]
    about = "Hands at your table that the scorer kept as entered."
    columns = "Where|Hand|When|Why"
    return part(f"Decided by the scorer {where}", about, columns, rows, "scorebook.Decision")


def _entries(places: Places, where: str) -> Part:
    """Hands are told already; what is left are penalties and hands that were taken back."""
    found = LedgerEntry.objects.filter(seat__in=places).exclude(kind=EntryKind.HAND).order_by("pk")
    rows = [
        (places[one.seat], one.written_at, one.get_kind_display(), f"{one.points:+d}", one.reason)
        for one in found.select_related("seat")
    ]
    columns = "Where|When|What|Points|Why"
    about = "Undone hands, penalties and bonuses."
    return part(f"Corrections {where}", about, columns, rows, "scorebook.LedgerEntry")


def _repairs(places: Places, where: str) -> Part:
    games = {seat.game_id: label for seat, label in places.items()}
    found = Repair.objects.filter(games__game__in=games).distinct().order_by("pk")
    rows = [(one.made_at, one.get_kind_display(), one.reason) for one in found]
    about = "Corrections of several hands at your table."
    return part(f"Corrected {where}", about, "When|What|Why", rows, "scorebook.Repair")


def _tapped(places: Places, where: str) -> Part:
    mine = Q(pk__in=[])
    for seat in places:
        mine |= Q(game=seat.game_id, seat=seat.number)
    games = {seat.game_id: label for seat, label in places.items()}
    rows = [
        (games[one.game_id], one.number, one.updated_at, one.draft)
        for one in TappedHand.objects.filter(mine)
    ]
    about = "Tiles you tapped that have not been sent yet."
    columns = "Where|Hand|When|Tiles"
    return part(f"Tiles being tapped {where}", about, columns, rows, "scorebook.TappedHand")
