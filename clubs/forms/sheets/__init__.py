"""A paper sheet as it is typed in: a row a hand, tried as if those above were in the book."""

from clubs.forms.sheets.comparing import WAITS
from clubs.forms.sheets.moving import choosing_all, row_put_in, row_taken_out
from clubs.forms.sheets.rows import BOOK, PAPER
from clubs.forms.sheets.sheet import EMPTY, Sheet

__all__ = [
    "BOOK",
    "EMPTY",
    "PAPER",
    "WAITS",
    "Sheet",
    "choosing_all",
    "row_put_in",
    "row_taken_out",
]
