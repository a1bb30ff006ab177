"""``python -m deploy.stack``: everything up on loopback until Ctrl-C."""

import argparse
import signal
import sys
from types import FrameType

from deploy.stack.servers import Missing
from deploy.stack.stack import Stack


def main() -> None:
    """Bring it up, say where it is, and wait."""
    parser = argparse.ArgumentParser(prog="python -m deploy.stack", description=__doc__)
    parser.add_argument("--webs", type=int, default=2, help="web services of eight threads (2)")
    parser.add_argument("--workers", type=int, default=1, help="Celery workers (1)")
    parser.add_argument("--port", type=int, help="the first of 4 + webs ports; else any free ones")
    parser.add_argument("--sample", action="store_true", help="with the sample club")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, _end)
    try:
        with Stack(
            webs=arguments.webs,
            workers=arguments.workers,
            first_port=arguments.port,
            sample=arguments.sample,
        ) as stack:
            _say(stack)
            signal.pause()
    except Missing as missing:
        sys.exit(str(missing))
    except KeyboardInterrupt:
        pass


def _say(stack: Stack) -> None:
    print(f"Open at {stack.url} (certificate {stack.certificate}; Ctrl-C ends it)")
    print(f"DATABASE_URL={stack.database_url}\nREDIS_URL={stack.redis.url}")
    print(f"Logs and settings are in {stack.folder}", flush=True)


def _end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
