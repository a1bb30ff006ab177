"""Copies of backups in S3-compatible storage, of any provider; boto3 comes with ``tongbox[s3]``."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import boto3
from boto3.exceptions import S3UploadFailedError
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    EndpointConnectionError,
    SSLError,
)

from clubs.backup import BackupError
from clubs.backup.locations import SILENCE_SECONDS, Fault, Location
from clubs.core.s3 import MISSING_CODES, client_config, error_code

CONNECT_SECONDS: Final = 10  # seconds
FAULTS_BY_CODE: Final = {
    "InvalidAccessKeyId": Fault.UNKNOWN,
    "SignatureDoesNotMatch": Fault.UNKNOWN,
    "401": Fault.UNKNOWN,
    "AccessDenied": Fault.FORBIDDEN,
    "MethodNotAllowed": Fault.FORBIDDEN,
    "403": Fault.FORBIDDEN,
    "NoSuchBucket": Fault.NO_FOLDER,
    "EntityTooLarge": Fault.TOO_LARGE,
    "QuotaExceeded": Fault.FULL,
    "InsufficientStorage": Fault.FULL,
    "XMinioStorageFull": Fault.FULL,
    "507": Fault.FULL,
    "RequestTimeTooSkewed": Fault.WRONG_CLOCK,
    **dict.fromkeys(MISSING_CODES, Fault.NO_FILE),
}


@dataclass(frozen=True, slots=True)
class S3:
    """A bucket, or a folder in one: ``s3://KEY:SECRET@s3.example.org/bucket/folder?region=…``."""

    location: Location

    @property
    def name(self) -> str:
        return self.location.name

    @property
    def pattern(self) -> str:
        return self.location.pattern

    @property
    def _folder(self) -> str:
        folder = self.location.folder
        return f"{folder}/" if folder else ""

    def upload(self, file: Path, name: str) -> None:
        """It has its name only when all of it is there; parts of one cut off are deleted first."""
        key = self._folder + name
        with self._client() as client:
            with suppress(ClientError):  # not every user may, and not every provider can
                listing = client.list_multipart_uploads(Bucket=self.location.bucket, Prefix=key)
                for upload in listing.get("Uploads", ()):
                    client.abort_multipart_upload(
                        Bucket=self.location.bucket, Key=upload["Key"], UploadId=upload["UploadId"]
                    )
            client.upload_file(str(file), self.location.bucket, key)

    def get(self, name: str, file: Path) -> None:
        with self._client() as client:
            client.download_file(self.location.bucket, self._folder + name, str(file))

    def names(self) -> list[str]:
        with self._client() as client:
            pages = client.get_paginator("list_objects_v2").paginate(
                Bucket=self.location.bucket, Prefix=self._folder, Delimiter="/"
            )
            return [
                item["Key"].removeprefix(self._folder)
                for page in pages
                for item in page.get("Contents", ())
            ]

    def delete(self, name: str) -> None:
        with self._client() as client:
            client.delete_object(Bucket=self.location.bucket, Key=self._folder + name)

    @contextmanager
    def _client(self) -> Iterator[Any]:
        location = self.location
        if not location.bucket:
            raise BackupError(
                f"The address of {location.server} must end with the bucket, and a folder if "
                "you like: …/bucket/folder."
            )
        location.check()
        client = boto3.client(
            "s3",
            endpoint_url=location.url,
            region_name=location.region,
            aws_access_key_id=location.user,
            aws_secret_access_key=location.password,
            config=client_config(connect=CONNECT_SECONDS, silent=SILENCE_SECONDS, tries=3),
        )
        try:
            yield client
        except S3UploadFailedError as why:
            cause = why.__cause__ or why.__context__
            raise self._trouble(cause if isinstance(cause, Exception) else why) from why
        except (BotoCoreError, ClientError, OSError) as why:
            raise self._trouble(why) from why
        finally:
            client.close()

    def _trouble(self, error: Exception) -> BackupError:
        if isinstance(error, ClientError):
            code = error_code(error)
            if code in FAULTS_BY_CODE:
                return self.location.trouble(FAULTS_BY_CODE[code])
            return BackupError(f"{self.location.server} answered: {code}.")
        if isinstance(error, SSLError):
            return self.location.trouble(Fault.UNTRUSTED)
        if isinstance(error, EndpointConnectionError | ConnectTimeoutError):
            return self.location.trouble(Fault.UNREACHABLE)
        if isinstance(error, BotoCoreError):  # some of these are errors of the system, too
            return self.location.trouble(Fault.SILENT)
        strerror = error.strerror if isinstance(error, OSError) else None
        return BackupError(f"The copy could not be read or written here: {strerror or error}.")
