"""Printouts in a bucket that speaks S3; its libraries come with ``tongbox[s3]``."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError
from django.core.files.base import ContentFile, File
from storages.backends.s3 import S3Storage

from clubs.core.files import StorageUnavailable
from clubs.core.s3 import MISSING_CODES, client_config, error_code

CONNECT_SECONDS, READ_SECONDS = 5, 20  # seconds


class Bucket(S3Storage):  # type: ignore[misc]
    """Files are read and written by this process alone: no address of one is given to anybody.

    Every method raises ``StorageUnavailable`` where the server does not answer or refuses.
    """

    def get_default_settings(self) -> dict[str, Any]:
        patience = client_config(connect=CONNECT_SECONDS, silent=READ_SECONDS, tries=2)
        return {**super().get_default_settings(), "client_config": patience}

    def _open(self, name: str, mode: str = "rb") -> "File[bytes]":  # noqa: ARG002
        """All of it: printouts are a few megabytes."""
        key = self._normalize_name(name)
        with translate_errors(name):
            return ContentFile(self.bucket.Object(key).get()["Body"].read(), name=name)

    def _save(self, name: str, content: "File[bytes]") -> str:
        with translate_errors(name):
            return str(super()._save(name, content))

    def exists(self, name: str) -> bool:
        with translate_errors(name):
            return bool(super().exists(name))

    def delete(self, name: str) -> None:
        with translate_errors(name):
            super().delete(name)


@contextmanager
def translate_errors(name: str) -> Iterator[None]:
    """Errors of the library as ours; ``FileNotFoundError`` where there is no such file."""
    try:
        yield
    except ClientError as why:
        code = error_code(why)
        if code in MISSING_CODES:
            raise FileNotFoundError(name) from why
        raise StorageUnavailable(f"The storage for printouts refused: {code}.") from why
    except BotoCoreError as why:
        raise StorageUnavailable(f"The storage for printouts is not responding: {why}") from why
