"""Where printouts are stored: a folder of this machine, or a bucket that speaks S3.

The address is that of copies of backups: ``s3://KEY:SECRET@s3.example.org/bucket/folder``, with
``?region=…`` where the provider has regions, and ``s3+http://`` within one's own network.
"""

from importlib.util import find_spec
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from clubs.backup import BackupError
from clubs.backup.locations import S3_SCHEMES, Location


def storage_settings(address: str) -> dict[str, Any]:
    """Django's ``STORAGES["default"]``; an empty address means the folder MEDIA_ROOT.

    Raises ``ImproperlyConfigured``, which never repeats the secret.
    """
    if not address:
        return {"BACKEND": "django.core.files.storage.FileSystemStorage"}
    message = "TONGBOX_FILES is not like s3://KEY:SECRET@s3.example.org/bucket/folder."
    try:
        location = Location.read(address)
    except BackupError as why:
        raise ImproperlyConfigured(message) from why
    is_complete = location.user and location.password and location.bucket
    if location.scheme not in S3_SCHEMES or not is_complete:
        raise ImproperlyConfigured(message)
    if not all(map(find_spec, ("storages", "boto3"))):
        raise ImproperlyConfigured("TONGBOX_FILES needs the extra libraries of tongbox[s3].")
    options = {
        "endpoint_url": location.url,
        "access_key": location.user,
        "secret_key": location.password,
        "bucket_name": location.bucket,
        "location": location.folder,
        "region_name": location.region,
    }
    return {"BACKEND": "clubs.core.bucket.Bucket", "OPTIONS": options}
