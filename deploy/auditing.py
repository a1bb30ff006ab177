"""``deploy/audit``: are there known faults in what we build on, and under which licences is it?

Every package of ``requirements.txt``, at the version and with the hashes given there, is
looked up in a list of known faults. What could not be looked up is never counted as good.
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Final, NamedTuple

REQUIREMENTS: Final = Path(__file__).resolve().parent.parent / "requirements.txt"
PINNED: Final = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)(?: *; *(.*?))? *\\?$", re.MULTILINE)
OTHER_PLATFORMS: Final = ("== 'win32'", "python_full_version < '3.11.3'")
SERVICES: Final = ("pypi", "osv")
EXIT_GOOD, EXIT_FAULTS, EXIT_NOT_CHECKED = 0, 1, 75
KNOWN_LICENCES: Final = (
    "0BSD", "Apache", "Apache 2.0", "Apache License", "Apache Software License", "Apache-2.0",
    "BSD", "BSD 3-Clause", "BSD License", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC",
    "LGPL-3.0-only", "MIT", "MIT License", "MIT-0", "MIT-CMU", "MPL-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)", "New BSD", "PSF-2.0", "PSFL",
    "Python Software Foundation License", "Zlib", "Zope Public License",
)  # fmt: skip


LICENCE_FILES: Final = {"pyrage": "MIT"}  # in the file LICENSE of the package alone


class Audit(NamedTuple):
    """A service's report: packages it knows, faults in them, packages that it did not check."""

    checked_count: int
    faults: list[str]
    unchecked_packages: list[str]


def pinned_versions() -> dict[str, str]:
    """Every package that an installation has here, and its version."""
    result = PINNED.findall(REQUIREMENTS.read_text(encoding="utf-8"))
    return {
        name: version
        for name, version, markers in result
        if not any(platform in markers for platform in OTHER_PLATFORMS)
    }


def read_report(fields: dict[str, Any]) -> Audit:
    """What the report of one service says."""
    packages = fields.get("dependencies", [])
    skipped_names = [package["name"] for package in packages if "skip_reason" in package]
    faults = [
        f"{package['name']} {package['version']}: {fault['id']}, mended in "
        f"{', '.join(fault['fix_versions']) or 'no version yet'}"
        for package in packages
        for fault in package.get("vulns", [])
    ]
    missing = sorted(
        set(map(_normalised_name, pinned_versions()))
        - {_normalised_name(package["name"]) for package in packages}
    )
    return Audit(len(packages) - len(skipped_names), faults, [*skipped_names, *missing])


def ask_service(service: str) -> Audit:
    """One service's answer; nothing checked where it could not be reached."""
    command = [
        sys.executable, "-m", "pip_audit", "--requirement", str(REQUIREMENTS), "--require-hashes",
        "--disable-pip", "--vulnerability-service", service, "--format", "json",
        "--progress-spinner", "off",
    ]  # fmt: skip
    try:
        process = subprocess.run(
            command, capture_output=True, encoding="utf-8", timeout=180, check=False
        )
        return read_report(json.loads(process.stdout))
    except (json.JSONDecodeError, subprocess.TimeoutExpired):
        return Audit(0, [], list(pinned_versions()))


def check_faults() -> int:
    """Ask one service after the other until one has checked everything; the exit code."""
    audit = Audit(0, [], [])
    for service in SERVICES:
        audit = ask_service(service)
        if audit.faults or not audit.unchecked_packages:
            break
    for fault in audit.faults:
        print(f"FAULT  {fault}")
    if audit.faults:
        return EXIT_FAULTS
    if audit.unchecked_packages:
        print(
            f"NOT CHECKED for known faults: {len(audit.unchecked_packages)} of "
            f"{len(pinned_versions())} packages."
        )
        print("No list of known faults could be reached. This is no pass: ask again elsewhere.")
        return EXIT_NOT_CHECKED
    print(f"{audit.checked_count} packages checked: no known fault.")
    return EXIT_GOOD


def licence_of(package: Distribution) -> str:
    """What a package says of its licence: the expression, else the classifiers, else the words."""
    package_metadata = package.metadata
    classifiers = [
        item.rpartition(" :: ")[2]
        for item in package_metadata.get_all("Classifier", [])
        if item.startswith("License ::") and "Other" not in item
    ]
    expression, licence_text = (
        (package_metadata.get_all(field) or [""])[0] for field in ("License-Expression", "License")
    )
    licence = expression or " AND ".join(classifiers) or licence_text.partition("\n")[0]
    return licence or LICENCE_FILES.get(package.name, "")


def check_licences() -> int:
    """A line for every package; fails where a licence is none that we know."""
    unknown = []
    for name in pinned_versions():
        try:
            licence = licence_of(distribution(name))
        except PackageNotFoundError:
            licence = "not installed here"
        is_known = bool(licence) and all(
            part in KNOWN_LICENCES for part in re.split(" AND | OR ", licence)
        )
        print(f"{name:32}{licence}{'' if is_known else '   UNKNOWN'}")
        unknown += [] if is_known else [name]
    if unknown:
        print(f"Unknown licence: {', '.join(unknown)}.")
    return EXIT_FAULTS if unknown else EXIT_GOOD


def _normalised_name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code: 0 good, 1 a known fault or an unknown licence, 75 not checked."""
    parser = argparse.ArgumentParser(prog="deploy/audit", description=__doc__)
    parser.add_argument("--licences", action="store_true", help="list the licences instead")
    parser.add_argument("--report-only", action="store_true", help="“not checked” does not fail")
    args = parser.parse_args(arguments)
    code = check_licences() if args.licences else check_faults()
    return EXIT_GOOD if args.report_only and code == EXIT_NOT_CHECKED else code


if __name__ == "__main__":
    sys.exit(main())
