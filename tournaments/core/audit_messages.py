"""The activity log's sentences for acts of a tournament; see ``clubs.core.audit_messages``."""

from typing import Final

from clubs.core.audit_log import Kind
from clubs.core.audit_messages import Drawer
from tournaments.models import Entrant, Tournament

TOURNAMENTS: Drawer = {
    "tournament-add api-tournaments": "added a tournament",
    "tournament-settings api-tournament-settings": "changed the settings of {tournament}",
    "entrants api-entrants": "changed who is entered for {tournament}",
    "entrants:rules api-entrants-terms": "changed the terms of entry for {tournament}",
    "api-entrants-members": "entered members for {tournament}",
    "api-entrants-names": "entered people for {tournament}",
    "entrants-import api-entrants-import": "imported entries for {tournament}",
    "api-entrant": "changed the details of {entrant} in {tournament}",
    "entrant-note": "updated {entrant} in {tournament}",
    "entrant-withdraw api-entrant-withdraw": "withdrew {entrant} from {tournament}",
    "entrant-readmit api-entrant-readmit": "readmitted {entrant} to {tournament}",
    "seating-changes": "changed the seating of {tournament}",
    "seating-changes:swap": "swapped {entrant<swap-one} and {entrant<swap-other} in {tournament}",
    "api-seating-swap": "swapped {entrant<one} and {entrant<other} in {tournament}",
    "seating-changes:substitute": (
        "changed the substitute for {entrant<substitute-entrant} in {tournament}"
    ),
    "api-seating-substitute": "changed the substitute for {entrant<entrant} in {tournament}",
    "seating-anew api-seating-anew": "reseated the remaining rounds of {tournament}",
    "seating-takeover api-seating-takeover": (
        "let {entrant<newcomer} take over the places of {entrant<leaver} in {tournament}"
    ),
    "seating-undo api-seating-undo": "undid a seating change in {tournament}",
    "round-by-standing api-round-by-standing": "seated a round of {tournament} by standings",
    "seating-by-hand api-seating-by-hand": "seated {round} of {tournament} by hand",
    "seating-list api-seating-list": "imported the seating of {tournament}",
    "tournament-seat api-tournament-seat": "seated {tournament}",
    "tournament-clear api-tournament-clear": "cleared the seating of {tournament}",
    "round-start api-round-start": "started {round<round} of {tournament}",
    "round-unstart api-round-unstart": "undid the start of {round<round} of {tournament}",
    "round-close api-round-close": "closed {round<round} of {tournament}",
    "round-reopen api-round-reopen": "reopened {round<round} of {tournament}",
    "close-stopped api-close-stopped": "closed {table} of {tournament} where play had stopped",
    "tournament-finish api-tournament-finish": "finished {tournament}",
    "tournament-reopen api-tournament-reopen": "reopened {tournament}",
    "results-publish api-results-publish": "published the results of {tournament}",
    "results-hide api-results-hide": "hid the last round of {tournament}",
    "results-release api-results-release": "showed the last round of {tournament}",
    "results-withdraw api-results-withdraw": "unpublished the results of {tournament}",
    "clock-set api-clock-set": "set the clock of {tournament}",
    "clock-minutes api-clock-minutes": "changed the clock of {tournament}",
    "table-minutes api-table-minutes": "changed the minutes for {table} of {tournament}",
    "table-stop api-table-stop": "stopped play at {table} of {tournament}",
    "table-call-answered api-table-call-answered": (
        "marked the call of {table} of {tournament} as dealt with"
    ),
    "table-rulings api-table-rulings": "added a ruling at {table} of {tournament}",
    "ruling-back api-ruling-back": "cancelled a ruling at {table} of {tournament}",
    "prizes api-prizes": "added a prize to {tournament}",
    "prizes-usual api-prizes-usual": "added the standard prizes to {tournament}",
    "prizes-rule api-prizes-rule": "changed the prize rules of {tournament}",
    "prize api-prize": "changed a prize of {tournament}",
    "prize-move api-prize-move": "moved a prize of {tournament} up or down",
    "prize-remove api-prize:delete": "deleted a prize of {tournament}",
}
HANDS: Drawer = {
    "tournament-table api-tournament-table": (
        "entered a hand for {table} in {round} of {tournament}"
    ),
    "api-tournament-table-send": "sent a hand for {table} in {round} of {tournament}",
    "tournament-tiles tournament-tapped api-tournament-table-tiles": (
        "tapped tiles for {table} in {round} of {tournament}"
    ),
    "api-tournament-table-tiles:delete": (
        "removed tapped tiles from {table} in {round} of {tournament}"
    ),
    "api-tournament-table-agree": "agreed to {hand} of {table} in {round} of {tournament}",
    "api-tournament-table-dispute": "disputed {hand} of {table} in {round} of {tournament}",
    "tournament-table:dealer api-tournament-table-dealer": (
        "chose who deals first at {table} in {round} of {tournament}"
    ),
    "api-tournament-table-undo": "undid {hand} of {table} in {round} of {tournament}",
    "tournament-hand": "corrected or ruled on a hand of {table} in {round} of {tournament}",
    "api-tournament-table-decide": "ruled on {hand} of {table} in {round} of {tournament}",
    "api-tournament-table-correct": "corrected {hand} of {table} in {round} of {tournament}",
    "tournament-sheet api-tournament-table-sheet": (
        "entered the paper score sheet of {table} in {round} of {tournament}"
    ),
    "tournament-repair": "corrected several hands of {table} in {round} of {tournament}",
    "api-tournament-table-repair-figures": (
        "corrected swapped scores at {table} in {round} of {tournament}"
    ),
    "api-tournament-table-repair-seats": (
        "corrected the seats at {table} in {round} of {tournament}"
    ),
    "api-tournament-table-repair-sheets": (
        "corrected two paper score sheets that were swapped in {round} of {tournament}"
    ),
    "api-tournament-table-repair-winner": (
        "corrected who went Mah-Jong at {table} in {round} of {tournament}"
    ),
    "tournament-repair-back api-tournament-table-repair-back": (
        "undid a correction at {table} in {round} of {tournament}"
    ),
    "tournament-new-link api-tournament-new-link": (
        "replaced the table card of {table} in {round} of {tournament}"
    ),
}
CHANGES_NOTHING: Final = {
    "api-entrants-import-preview": "a list is checked before it is imported",
    "api-seating-by-hand-preview": "a seating is previewed before it is saved",
    "api-seating-list-preview": "a seating is previewed before it is saved",
    "api-tournament-table-preview": "a hand is scored before it is sent",
}


KINDS: Final = {
    "tournament": Kind(
        lambda club: Tournament.objects.filter(club=club),
        lambda item: item.name,
        "a tournament",
        "tournament",
    ),
    "entrant": Kind(
        lambda club: Entrant.objects.filter(tournament__club=club),
        lambda item: item.name,
        "someone",
    ),
}
