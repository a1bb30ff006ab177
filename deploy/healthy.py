"""``python -m deploy.healthy http://127.0.0.1:8001``: does this web service answer? 0 or 1."""

import http.client
import os
import sys
from urllib.parse import urlsplit

TIMEOUT_SECONDS = 10


def status_of(address: str, path: str = "/healthz/") -> int:
    """The service's status for a request as the proxy would send it; 0: no answer."""
    name = os.environ.get("TONGBOX_HOSTS", "localhost").split(",")[0]
    name = "localhost" if name in {"*", "nearby"} else name
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=TIMEOUT_SECONDS)
    try:
        connection.request("GET", path, headers={"Host": name, "X-Forwarded-Proto": "https"})
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        connection.close()


def main() -> None:
    """Print the status and end with 0 when it is 200."""
    address, *path = sys.argv[1:]
    status = status_of(address, *path)
    print(f"{address}{path[0] if path else '/healthz/'}: {status or 'no answer'}")
    sys.exit(status != 200)


if __name__ == "__main__":
    main()
