"""How servers that speak S3 are asked, of any provider; botocore comes with ``tongbox[s3]``."""

from typing import Final

from botocore.config import Config
from botocore.exceptions import ClientError

MISSING_CODES: Final = ("404", "NoSuchKey")  # the codes for a file that is not there


def client_config(*, connect: int, silent: int, tries: int) -> Config:
    """So many seconds for a connection and without a byte, and so many tries in all.

    Not every provider knows the newer checksums, or has a host name for each bucket.
    """
    return Config(
        connect_timeout=connect,
        read_timeout=silent,
        retries={"mode": "standard", "max_attempts": tries},
        s3={"addressing_style": "path"},
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
    )


def error_code(error: ClientError) -> str:
    """What the server says is wrong, such as ``NoSuchKey``."""
    return str(error.response.get("Error", {}).get("Code", ""))
