"""Where printouts are stored: a folder of this machine, or a bucket that speaks S3.

The address is that of copies of backups: ``s3://KEY:SECRET@s3.example.org/bucket/folder``, with
``?region=…`` where the provider has regions, and ``s3+http://`` within one's own network.
"""

import re
from importlib.util import find_spec
from typing import Any, Final
from urllib.parse import parse_qs, unquote

from django.core.exceptions import ImproperlyConfigured

ADDRESS: Final = re.compile(
    r"(?P<scheme>s3|s3\+http)://(?P<key>[^:@]+):(?P<secret>[^@]+)@(?P<server>[^/?@]+)"
    r"/(?P<bucket>[^/?]+)/?(?P<folder>[^?]*)(?:\?(?P<query>.*))?"
)
USUAL_REGION: Final = "us-east-1"


def storage(address: str) -> dict[str, Any]:
    """Django's ``STORAGES["default"]``; an empty address means the folder MEDIA_ROOT.

    Raises ``ImproperlyConfigured``, which never repeats the secret.
    """
    if not address:
        return {"BACKEND": "django.core.files.storage.FileSystemStorage"}
    match = ADDRESS.fullmatch(address)
    if match is None:
        raise ImproperlyConfigured(
            "TONGBOX_FILES is not like s3://KEY:SECRET@s3.example.org/bucket/folder."
        )
    if not all(map(find_spec, ("storages", "boto3"))):
        raise ImproperlyConfigured("TONGBOX_FILES needs the extra libraries of tongbox[s3].")
    query = parse_qs(match["query"] or "")
    options = {
        "endpoint_url": f"http{'' if match['scheme'] == 's3+http' else 's'}://{match['server']}",
        "access_key": unquote(match["key"]),
        "secret_key": unquote(match["secret"]),
        "bucket_name": match["bucket"],
        "location": match["folder"].strip("/"),
        "region_name": query.get("region", [USUAL_REGION])[0],
    }
    return {"BACKEND": "clubs.core.bucket.Bucket", "OPTIONS": options}
