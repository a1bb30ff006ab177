"""Numbers with what they count."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """``1 hand``, ``1,204 hands``; the plural is the noun with an s unless it is given."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"
