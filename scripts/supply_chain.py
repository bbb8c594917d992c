"""What Paragold is installed from: licences of the packages, and a bill of materials (CycloneDX).

supply_chain.py FILE.json  checks that each package of requirements.txt has hashes and a licence that an MIT
                           program may be shipped with, and writes the bill; used by the gate and `make sbom`
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

REPOSITORY = Path(__file__).resolve().parents[1]
PINS = REPOSITORY / "requirements.txt"
# Words of an SPDX expression or a classifier. An expression with "OR" needs one of its sides, "AND" all.
PERMISSIVE = re.compile(
    r"(0BSD|Apache( Software License|-2\.0( WITH LLVM-exception)?)|BSD( License|[- ][23]-Clause)?|CC0-1\.0"
    r"|CNRI-Python|ISC( License.*)?|MIT(-0)?( License)?|PSF-2\.0|Python Software Foundation License|Zlib)"
)
# Others, with the reason why they may be there.
ACCEPTED = {
    "certifi": "MPL-2.0: a list of certificates, used unchanged",
    "fido2": "BSD, beside a file of MPL-2.0 (public suffixes) and one of Apache-2.0, both unchanged",
    "psycopg": "LGPL-3.0: imported, used unchanged, and replaceable by its user",
    "psycopg-binary": "LGPL-3.0: as psycopg",
    "qrcode": "BSD, made from a program under MIT, which its classifier calls another licence",
    "tld": "MPL-1.1 of the three it offers: imported and used unchanged",
}


def pins(text: str) -> dict[str, list[str]]:
    """The hashes of each pinned package that this machine installs, by its name."""
    found = {}
    for block in re.split(r"\n(?=\S)", text.strip()):
        line, *hashes = (part.strip() for part in re.split(r"\\\n", block))
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate():
            found[requirement.name] = hashes
    return found


def licences(package: str) -> list[str]:
    """Alternatives, one of which must be permissive; each a list of licences joined by " AND "."""
    about = metadata.metadata(package)
    given = {name: about[name] for name in ("License-Expression", "License") if name in about}
    classifiers = [one for one in about.get_all("Classifier") or [] if one.startswith("License ::")]
    words = given.get("License-Expression") or " AND ".join(one.split(" :: ")[-1] for one in classifiers)
    return re.split(r"\s+OR\s+", words or given.get("License") or "none named")


def is_permissive(expression: str) -> bool:
    return all(PERMISSIVE.fullmatch(part.strip(" ()")) for part in expression.split(" AND "))


def problems(text: str) -> list[str]:
    found = []
    for name, hashes in pins(text).items():
        if not hashes or not all(one.startswith("--hash=sha256:") for one in hashes):
            found.append(f"{name} has no hashes in requirements.txt. Run `make lock`.")
        alternatives = licences(name)
        if name not in ACCEPTED and not any(map(is_permissive, alternatives)):
            found.append(
                f"{name} has the licence {' OR '.join(alternatives)}. Do without it, or say in "
                "scripts/supply_chain.py why it may be shipped with."
            )
    return found


def main() -> int:
    text = PINS.read_text(encoding="utf-8")
    wrong = problems(text)
    for sentence in wrong:
        print(sentence)
    bill = Path(sys.argv[1])
    program = Path(sys.executable).with_name("cyclonedx-py")
    options = ("--pyproject", REPOSITORY / "pyproject.toml", "--output-reproducible", "--output-file", bill)
    subprocess.run((program, "requirements", PINS, *options), check=True, stderr=subprocess.DEVNULL)
    parts = {part["name"] for part in json.loads(bill.read_text(encoding="utf-8"))["components"]}
    if missing := set(pins(text)) - parts:
        wrong.append(", ".join(missing))
        print(f"The bill of materials lacks {', '.join(sorted(missing))}.")
    print(f"{len(parts)} packages, {len(wrong)} problems, bill of materials in {bill}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
