"""Finite fields, whose arithmetic spreads players so that no two meet twice."""

from dataclasses import dataclass
from functools import lru_cache

Polynomial = tuple[int, ...]  # digits to the base p, lowest power first


@dataclass(frozen=True, slots=True)
class Field:
    """The field of `prime` ** `degree` elements, numbered by their digits to that base."""

    prime: int
    degree: int
    modulus: Polynomial

    @property
    def order(self) -> int:
        """How many elements there are."""
        return int(self.prime**self.degree)

    def add(self, one: int, other: int) -> int:
        """The sum of two elements."""
        pairs = zip(self._digits(one), self._digits(other), strict=True)
        return self._number(tuple((a + b) % self.prime for a, b in pairs))

    def multiply(self, one: int, other: int) -> int:
        """The product of two elements."""
        product = [0] * (2 * self.degree)
        for i, a in enumerate(self._digits(one)):
            for j, b in enumerate(self._digits(other)):
                product[i + j] += a * b
        return self._number(_remainder(product, self.modulus, self.prime))

    def _digits(self, element: int) -> Polynomial:
        return _digits(element, self.prime, self.degree)

    def _number(self, digits: Polynomial) -> int:
        return sum(digit * self.prime**power for power, digit in enumerate(digits))


@lru_cache(maxsize=32)
def field_of(order: int) -> Field | None:
    """The field with `order` elements, or None where `order` is no power of a prime."""
    prime = next((p for p in range(2, order + 1) if order % p == 0), None)
    if prime is None:
        return None
    degree = next(d for d in range(1, order.bit_length() + 1) if prime**d >= order)
    if prime**degree != order:
        return None
    return Field(prime, degree, _irreducible(prime, degree))


def _digits(number: int, prime: int, count: int) -> Polynomial:
    return tuple(number // prime**power % prime for power in range(count))


def _remainder(product: list[int], modulus: Polynomial, prime: int) -> Polynomial:
    """`product` modulo a monic polynomial, with as many digits as its degree."""
    degree = len(modulus) - 1
    left = [digit % prime for digit in product]
    for top in range(len(left) - 1, degree - 1, -1):
        for power, digit in enumerate(modulus):
            place = top - degree + power
            left[place] = (
                (left[place] - left[top] * digit) % prime if power < degree else left[place]
            )
        left[top] = 0
    return tuple(left[:degree])


def _irreducible(prime: int, degree: int) -> Polynomial:
    """The first monic polynomial of that degree without a divisor of half of it or less."""
    for number in range(prime**degree):
        candidate = (*_digits(number, prime, degree), 1)
        if not any(_divides(divisor, candidate, prime) for divisor in _divisors(prime, degree)):
            return candidate
    raise ArithmeticError(f"no irreducible polynomial of degree {degree} over {prime}")


def _divisors(prime: int, degree: int) -> list[Polynomial]:
    return [
        (*_digits(number, prime, half), 1)
        for half in range(1, degree // 2 + 1)
        for number in range(prime**half)
    ]


def _divides(divisor: Polynomial, candidate: Polynomial, prime: int) -> bool:
    return not any(_remainder(list(candidate), divisor, prime))
