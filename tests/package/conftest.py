"""What is tried here is made first: `make test-wheel`, `make test-frozen`."""

import os

collect_ignore = []
if "TONGBOX_WHEELS" not in os.environ:
    collect_ignore.append("test_wheel.py")
if "TONGBOX_FROZEN" not in os.environ:
    collect_ignore.append("test_frozen.py")
