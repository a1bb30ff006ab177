"""Words in the cells of a spreadsheet: kept from being taken for a formula, and read back."""

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
GUARDED = (*FORMULA_SIGNS, "'")


def guarded(words: str) -> str:
    """The words with an apostrophe before what a spreadsheet would take for a formula."""
    return f"'{words}" if words.startswith(GUARDED) else words


def unguarded(cell: str) -> str:
    """What was written before ``guarded``; other words stay as they are."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(GUARDED) else cell
