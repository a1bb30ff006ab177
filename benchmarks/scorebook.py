"""What the score book costs, in time and queries: `python -m benchmarks.scorebook`."""

import os

import django

from clubs.tenancy import across_clubs


def main() -> None:
    """Set Django up with the settings of the tests, then measure."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.test_settings")
    django.setup()
    from benchmarks.book import measure

    measure()


if __name__ == "__main__":
    with across_clubs():
        main()
