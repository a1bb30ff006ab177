"""Dates, times and counts in templates; every template has these without loading them."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django import template

from clubs.core.files import file_name
from clubs.language import moments
from clubs.language.phones import number_to_dial
from clubs.language.words import count_words
from clubs.models.names import this_person, within_sentence

register = template.Library()

MOMENT_FILTERS: tuple[Callable[[Any], str], ...] = (
    moments.full_date,
    moments.long_date,
    moments.short_date,
    moments.weekday,
    moments.weekday_and_date,
    moments.day_and_month,
    moments.month_and_year,
    moments.time_of_day,
    moments.time_on_the_clock,
    moments.long_moment,
    moments.short_moment,
    moments.moment,
)


def empty_if_none(wording: Callable[[Any], str]) -> Callable[[Any], str]:
    """The same wording, empty where there is no moment, so that ``default`` can follow it."""

    @wraps(wording)
    def format_value(value: object) -> str:
        return wording(value) if value else ""

    return format_value


for wording in MOMENT_FILTERS:
    register.filter(wording.__name__, empty_if_none(wording))

register.filter("counted", count_words)
register.filter("dialled", number_to_dial)
register.filter("this_person", this_person)
register.filter("within_sentence", within_sentence)
register.simple_tag(file_name)
