"""Every page that can be sent something is known as one, and tried by the whole cast."""

from tests.clubs.core.test_doors import POSTS as OF_CLUBS
from tests.page_forms import pages_with_a_form, posted_to
from tests.test_doors import DECIDED_BY_ALLAUTH
from tests.tournaments.core.test_doors import POSTS as OF_TOURNAMENTS


def test_every_page_that_a_template_posts_to_is_known_as_one() -> None:
    assert sorted(posted_to() - pages_with_a_form() - DECIDED_BY_ALLAUTH) == []


def test_every_form_is_sent_by_the_whole_cast() -> None:
    assert pages_with_a_form() == OF_CLUBS.keys() | OF_TOURNAMENTS.keys()
