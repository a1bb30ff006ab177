"""What every act of a tournament is called in a sentence; ``clubs.deedwords`` says how."""

from typing import Final

from clubs.deedwords import Drawer

TOURNAMENTS: Drawer = {
    "tournament-add api-tournaments": "announced a tournament",
    "tournament-settings api-tournament-settings": "changed the settings of {tournament}",
    "entrants api-entrants": "changed who is entered for {tournament}",
    "api-entrants-terms": "changed the terms of entry for {tournament}",
    "api-entrants-members": "entered members for {tournament}",
    "api-entrants-names": "entered people for {tournament}",
    "entrants-import api-entrants-import": "imported entries for {tournament}",
    "api-entrant": "changed what is held on {entrant} of {tournament}",
    "entrant-note": "updated {entrant} in {tournament}",
    "entrant-withdraw api-entrant-withdraw": "withdrew {entrant} from {tournament}",
    "entrant-readmit api-entrant-readmit": "readmitted {entrant} to {tournament}",
    "seating-changes": "changed the seating of {tournament}",
    "seating-changes:swap": "let {entrant<swap-one} and {entrant<swap-other} change places in "
    "{tournament}",
    "api-seating-swap": "let {entrant<one} and {entrant<other} change places in {tournament}",
    "seating-changes:substitute": "changed who sits in for {entrant<substitute-entrant} in "
    "{tournament}",
    "api-seating-substitute": "changed who sits in for {entrant<entrant} in {tournament}",
    "seating-anew api-seating-anew": "reseated the remaining rounds of {tournament}",
    "seating-takeover api-seating-takeover": "let {entrant<newcomer} take over the places of "
    "{entrant<leaver} in {tournament}",
    "seating-undo api-seating-undo": "undid a seating change in {tournament}",
    "round-by-standing api-round-by-standing": "seated a round of {tournament} by standing",
    "seating-by-hand api-seating-by-hand": "seated {round} of {tournament} by hand",
    "seating-list api-seating-list": "imported the seating of {tournament}",
    "tournament-seat api-tournament-seat": "seated {tournament}",
    "tournament-clear api-tournament-clear": "cleared the seating of {tournament}",
    "round-start api-round-start": "started {round<round} of {tournament}",
    "round-unstart api-round-unstart": "took the start of {round<round} of {tournament} back",
    "round-close api-round-close": "closed {round<round} of {tournament}",
    "round-reopen api-round-reopen": "opened {round<round} of {tournament} again",
    "close-stopped api-close-stopped": "closed {table} of {tournament} where play had stopped",
    "tournament-finish api-tournament-finish": "finished {tournament}",
    "tournament-reopen api-tournament-reopen": "opened {tournament} again",
    "results-publish api-results-publish": "published the results of {tournament}",
    "results-hide api-results-hide": "hid the results of {tournament}",
    "results-release api-results-release": "released the results of {tournament}",
    "results-withdraw api-results-withdraw": "unpublished the results of {tournament}",
    "clock-set api-clock-set": "set the clock of {tournament}",
    "clock-minutes api-clock-minutes": "changed the clock of {tournament}",
    "table-minutes api-table-minutes": "gave {table} of {tournament} other minutes",
    "table-stop api-table-stop": "stopped play at {table} of {tournament}",
    "table-call-answered api-table-call-answered": "answered the call of {table} of {tournament}",
    "table-rulings api-table-rulings": "ruled at {table} of {tournament}",
    "ruling-back api-ruling-back": "cancelled a ruling at {table} of {tournament}",
    "prizes api-prizes": "added a prize to {tournament}",
    "prizes-usual api-prizes-usual": "added the standard prizes to {tournament}",
    "prizes-rule api-prizes-rule": "changed how the prizes of {tournament} are given",
    "prize api-prize": "changed a prize of {tournament}",
    "prize-move api-prize-move": "moved a prize of {tournament} up or down",
    "prize-remove api-prize:delete": "deleted a prize of {tournament}",
}
HANDS: Drawer = {
    "tournament-table api-tournament-table": "entered a hand for {table} in {round} of "
    "{tournament}",
    "api-tournament-table-send": "sent in a hand for {table} in {round} of {tournament}",
    "tournament-tiles tournament-tapped api-tournament-table-tiles": "tapped tiles for {table} in "
    "{round} of {tournament}",
    "api-tournament-table-tiles:delete": "removed tiles from {table} in {round} of {tournament}",
    "api-tournament-table-agree": "agreed to {hand} of {table} in {round} of {tournament}",
    "api-tournament-table-dispute": "disputed {hand} of {table} in {round} of {tournament}",
    "tournament-table:dealer api-tournament-table-dealer": "said who deals first at {table} in "
    "{round} of {tournament}",
    "api-tournament-table-undo": "undid {hand} of {table} in {round} of {tournament}",
    "tournament-hand": "corrected or ruled on a hand of {table} in {round} of {tournament}",
    "api-tournament-table-decide": "ruled on {hand} of {table} in {round} of {tournament}",
    "api-tournament-table-correct": "corrected {hand} of {table} in {round} of {tournament}",
    "tournament-sheet api-tournament-table-sheet": "typed in the sheet of {table} in {round} of "
    "{tournament}",
    "tournament-repair": "corrected several hands of {table} in {round} of {tournament}",
    "api-tournament-table-repair-figures": (
        "corrected swapped scores at {table} in {round} of {tournament}"
    ),
    "api-tournament-table-repair-seats": (
        "corrected the seats at {table} in {round} of {tournament}"
    ),
    "api-tournament-table-repair-sheets": "repaired two sheets that were exchanged in {round} of "
    "{tournament}",
    "api-tournament-table-repair-winner": "repaired who went Mah-Jong at {table} in {round} of "
    "{tournament}",
    "tournament-repair-back api-tournament-table-repair-back": (
        "undid a correction at {table} in {round} of {tournament}"
    ),
    "tournament-new-link api-tournament-new-link": (
        "replaced the table card of {table} in {round} of {tournament}"
    ),
}
CHANGES_NOTHING: Final = {
    "api-entrants-import-preview": "a list is looked at before it is read in",
    "api-seating-by-hand-preview": "a seating is looked at before it is kept",
    "api-seating-list-preview": "a seating is looked at before it is kept",
    "api-tournament-table-preview": "a hand is reckoned before it is sent",
}
