"""The tiles by their codes, and what kinds of tile the books speak of."""

SUITS = "BCO"
WINDS = ("WE", "WS", "WW", "WN")
DRAGONS = ("DR", "DG", "DW")
HONOURS = WINDS + DRAGONS
TERMINALS = tuple(suit + number for suit in SUITS for number in "19")
MAJORS = TERMINALS + HONOURS
SUIT_TILES = tuple(suit + number for suit in SUITS for number in "123456789")
PLAYING = SUIT_TILES + HONOURS
BONUS = tuple(family + number for family in "FS" for number in "1234")
GREEN = ("DG", "B2", "B3", "B4", "B6", "B8")
JOKER = "JK"

CLAIMED = ("discard", "last_discard", "first_discard", "robbed_kong")
FROM_WALL = ("wall", "last_wall_tile", "first_draw")
WAYS_TO_WIN = (*CLAIMED, *FROM_WALL, "loose_tile", "dealt")
FACTS = (
    "original_call",
    "twofold_fortune",
    "only_possible_tile",
    "not_only_possible_tile",
    "thirteenth_win",
)
NUMBER_OF_WIND = {"E": "1", "S": "2", "W": "3", "N": "4"}


def suits_among(tiles: tuple[str, ...]) -> set[str]:
    """The suits of these tiles, as letters."""
    return {tile[0] for tile in tiles if tile[0] in SUITS}


def has_honours(tiles: tuple[str, ...]) -> bool:
    """Whether there is a wind or a dragon among these tiles."""
    return any(tile in HONOURS for tile in tiles)


def one_suit_with_honours(tiles: tuple[str, ...]) -> bool:
    """All suit tiles of one suit, with at least one wind or dragon."""
    return len(suits_among(tiles)) == 1 and has_honours(tiles)


def one_suit_only(tiles: tuple[str, ...]) -> bool:
    """One suit and no honours."""
    return len(suits_among(tiles)) == 1 and not has_honours(tiles)
