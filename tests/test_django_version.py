"""What leans on private parts of Django names the version whose parts were read."""

import django
import pytest

READ = (5, 2)
PRIVATE_PARTS = {
    "scoring/scorebook/prepared.py": (
        "SQLCompiler.as_sql, select, klass_info, annotation_col_map, get_converters; ModelIterable "
        "and its sisters, get_related_populators; create_namedtuple_class; UpdateQuery, "
        "DeleteQuery, how an INSERT makes values of fields; mark_for_rollback_on_error"
    ),
    "clubs/core/audit_log.py": (
        "how the compilers begin INSERT, UPDATE and DELETE; what connection.run_on_commit holds"
    ),
    "config/sqlite/base.py": (
        "DatabaseWrapper._start_transaction_under_autocommit, _commit, _rollback, _close"
    ),
    "config/postgresql/base.py": "DatabaseWrapper.is_usable, errors_occurred, and who calls them",
}


@pytest.mark.parametrize("file", PRIVATE_PARTS)
def test_private_parts_are_of_the_django_that_was_read(file: str) -> None:
    assert django.VERSION[:2] == READ, (
        f"{file} was written by reading Django {READ[0]}.{READ[1]}. Read in the new version: "
        f"{PRIVATE_PARTS[file]}. When all files here hold, name the new version in READ."
    )
