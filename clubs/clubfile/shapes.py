"""Shapes of values: what a column of a club file may hold, put together from small parts."""

from collections.abc import Callable, Mapping
from typing import Any, Final

Shape = Callable[[Any], bool]  # whether a value has it

READER_ERRORS: Final = (ValueError, TypeError, LookupError, AttributeError, OverflowError)


def integer(least: int, most: int) -> Shape:
    return lambda value: type(value) is int and least <= value <= most


def optional(shape: Shape) -> Shape:
    """The shape, or nothing."""
    return lambda value: value is None or shape(value)


def boolean(value: Any) -> bool:
    return type(value) is bool


def string(longest: int) -> Shape:
    return lambda value: type(value) is str and len(value) <= longest


def number_as_text(least: int, most: int) -> Shape:
    """A whole number as JSON has it where it is a name: ``"3"``."""
    names = {str(number) for number in range(least, most + 1)}
    return lambda value: type(value) is str and value in names


def one_of(*values: Any) -> Shape:
    return lambda value: any(type(value) is type(option) and value == option for option in values)


def any_of(*shapes: Shape) -> Shape:
    return lambda value: any(shape(value) for shape in shapes)


def list_of(item: Shape) -> Shape:
    return lambda value: type(value) is list and all(map(item, value))


def tuple_of(*items: Shape) -> Shape:
    """A list of just these."""
    return lambda value: (
        type(value) is list
        and len(value) == len(items)
        and all(item(part) for item, part in zip(items, value, strict=True))
    )


def mapping_of(name: Shape, item: Shape) -> Shape:
    return lambda value: (
        type(value) is dict and all(name(key) and item(part) for key, part in value.items())
    )


def object_with(
    required_parts: Mapping[str, Shape],
    optional_parts: Mapping[str, Shape] | None = None,
    *,
    allows_others: bool = False,
) -> Shape:
    """An object with these parts; ``allows_others``: others are not looked at."""
    shapes = {**(optional_parts or {}), **required_parts}
    return lambda value: (
        type(value) is dict
        and required_parts.keys() <= value.keys()
        and (allows_others or value.keys() <= shapes.keys())
        and all(shape(value[name]) for name, shape in shapes.items() if name in value)
    )


def readable_by(reader: Callable[[Any], object]) -> Shape:
    """What the reader of it takes without complaint."""

    def shape(value: Any) -> bool:
        try:
            reader(value)
        except READER_ERRORS:
            return False
        return True

    return shape


PLAIN_SHAPE: Final = any_of(optional(boolean), integer(-(2**63), 2**63 - 1), string(500))
COUNT_SHAPE: Final = integer(0, 10_000_000)  # how often something happened
SMALL_SHAPE: Final = integer(0, 32_767)  # the most that a small column of PostgreSQL takes
FROM_ONE_SHAPE: Final = integer(1, 32_767)
KEY_SHAPE: Final = integer(1, 2**63 - 1)
