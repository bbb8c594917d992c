"""The gate: every check in turn, seconds for each, the whole test suite last.

`gate.py` runs all of it, `gate.py lint` only the checks that need no server, `gate.py fast` those for the
inner loop: ruff, the library with fewer random examples, and what needs no database. `gate.py safety` shows
what no change may lose, in five minutes. A failing step does not
keep the others from running; its name stands in the last lines, and the exit code is 1.
"""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

from ops.launcher.programs import FRUGAL  # noqa: E402 - the repository must be on the path first
from scripts import services  # noqa: E402 - as above

BIN = Path(sys.executable).parent
# The user's own installation must neither decide a test nor be touched by one.
FOREIGN = (
    *("DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE", "PORT"),
    "PYTHONDONTWRITEBYTECODE",  # each of the many processes that tests start would compile the program again
)

# A test runs on SQLite, which an installation has by default, unless it is listed here. The services run on
# PostgreSQL alone, which is the stricter one; what calls them, pages, API and browser, runs them on SQLite.
ON_POSTGRESQL = (
    *(f"tests/{app}/services" for app in ("projects", "corpus", "annotation", "alignment")),
    "tests/corpus/management",
    "tests/jobs/services/test_retention.py",
)
# The same, of files whose other tests run on SQLite: every address for every role.
TESTS_ON_POSTGRESQL = ("tests/permissions/test_matrix.py::test_each_role_gets_what_the_matrix_says",)
# On both: constraints, locks and transactions, columns of JSON, bulk copies.
ON_BOTH = (
    *(f"tests/{app}/models" for app in ("corpus", "annotation", "alignment")),
    *("tests/config/test_constraints.py", "tests/projects/services/test_logins.py"),
    *(
        f"tests/jobs/services/test_{name}.py"
        for name in ("ledger", "liveness", "removal_races", "short_jobs", "side_by_side", "worker_killed")
    ),
    *(f"tests/projects/test_{name}.py" for name in ("middleware", "overload", "sessions", "submissions")),
    *(f"tests/corpus/services/test_{name}.py" for name in ("importing", "pair_storage", "datasets")),
    *(
        f"tests/annotation/services/test_{name}.py"
        for name in ("fifty_at_once", "leasing", "reassignment", "write_lock")
    ),
    *("tests/annotation/api/test_judgements.py", "tests/annotation/api/test_concurrency.py"),
    "tests/alignment/services/test_freezing_at_once.py",
    *(
        f"tests/ops/test_{name}.py"
        for name in ("archive_jobs", "archive_values", "backup", "health", "kept_counts")
    ),
    # The others damage files, which are refused before a row is stored.
    *(
        f"tests/ops/test_archive.py::test_{name}"
        for name in (
            "accounts_are_found_mapped_or_made_without_a_way_in",
            "a_bad_archive_is_refused_and_nothing_is_stored",
        )
    ),
)
# Not for the inner loop: what needs a database for the most part, and installations that are launched.
NOT_FAST = (
    *(
        "--ignore=tests/paragold",
        "--ignore=tests/browser",
        "--ignore=tests/contract",
        "--ignore=tests/mutated",
    ),
    *("--ignore=tests/permissions", "--ignore=tests/projects/api/test_openapi.py"),
    *(f"--ignore-glob=*/{layer}" for layer in ("models", "services", "management", "api", "views")),
    *(f"--ignore=tests/ops/launcher/test_{name}.py" for name in ("bootstrap", "files_only", "launcher")),
)
# What no change may lose: blindness, permissions, answers stored exactly once, imports that are complete or
# change nothing, frozen exports, the time that annotators wait; extraction and AER beside slow references.
SAFETY = (
    *("tests/safety", "tests/permissions", "tests/contract/test_double_submission.py"),
    *(f"tests/annotation/{name}.py" for name in ("api/test_judgements", "api/test_concurrency")),
    *(f"tests/annotation/services/test_{name}.py" for name in ("fifty_at_once", "importing", "write_lock")),
    *("tests/projects/test_submissions.py", "tests/corpus/services/test_importing.py"),
    *(f"tests/alignment/{name}.py" for name in ("services/test_exporting", "services/test_link_import")),
)
SAFETY_OF_THE_LIBRARY = ("tests/paragold/extraction", "tests/paragold/metrics")
KILLS = 20

# Two processes, each of which takes a file at a time: what is made once for a module is made in one of them.
IN_FILES = ("-n", "2", "--dist", "loadfile")
OF_THE_LIBRARY = ("-m", "pytest", "-q", *IN_FILES, "-c", "tests/library.ini")
# Two on PostgreSQL and at the same time three on SQLite, where the longer half is: more than there are cores,
# since tests often wait for a browser, a server or a worker. Files go out in the order of tests/conftest.py,
# long ones first, so that no process is busy alone at the end.
SIDE_BY_SIDE = {"servers": 2, "files": 3}

# Compiling the loops of the aligners takes half a minute; processes side by side would each do it.
COMPILE = """
from paragold.aligners.registry import ALIGNERS, aligner_of
pairs = [(["a", "dam", "broke"], ["the", "dam", "burst"])] * 3
for name in ("hmm", "best"):
    aligner_of({"aligner": name}).fit(pairs).align_all(pairs)
"""

# So does compiling the tests, in which pytest writes out each assertion.
COLLECT = ("-m", "pytest", "-qq", "-n", "0", "--collect-only", "--ignore=tests/paragold", "tests")

Environment = Mapping[str, str]


class Gate:
    """Runs steps in one environment, and keeps the seconds of each and the names of those that failed."""

    def __init__(self, env: Environment) -> None:
        self.env = env
        self.failed: list[str] = []
        self._seconds: list[str] = []

    def step(self, name: str, action: Callable[[], int]) -> None:
        print(f"--- {name}", flush=True)
        started = time.monotonic()
        try:
            code = action()
        except (services.ServiceError, FileNotFoundError) as error:
            print(error, flush=True)
            code = 1
        self._seconds.append(f"{name} {time.monotonic() - started:.0f}")
        if code != 0:
            self.failed.append(f"{name} (exit code {code})")

    def run(self, name: str, *command: str | Path, **variables: str) -> None:
        """A step that is a command, which may not be installed: then scripts/system-packages.sh has it."""
        self.step(name, lambda: beside(command, {**self.env, **variables}).wait())

    def python(self, name: str, *arguments: str, **variables: str) -> None:
        self.run(name, sys.executable, *arguments, **variables)

    def report_seconds(self) -> None:
        print("--- seconds: " + ", ".join(self._seconds), flush=True)


def beside(
    command: Sequence[str | Path], env: Environment, output: IO[bytes] | int | None = None
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, cwd=REPOSITORY, env=env, stdin=subprocess.DEVNULL, stdout=output)


def result(process: subprocess.Popen[bytes]) -> int:
    """Wait for the process, print what it said, give its exit code."""
    words, _ = process.communicate()
    print(words.decode(errors="replace"), end="", flush=True)
    return process.returncode


def clean_environment(folder: Path) -> dict[str, str]:
    """The caller's environment without an installation's settings, with a throw-away data folder and key."""
    kept = {k: v for k, v in os.environ.items() if k not in FOREIGN and not k.startswith("PARAGOLD_")}
    return {
        **kept,
        **FRUGAL,  # several processes share the cores
        "CI": "true",
        "PARAGOLD_VAR": str(folder),
        "PARAGOLD_SECRET_KEY": secrets.token_urlsafe(64),
    }


@contextmanager
def types_beside(gate: Gate) -> Iterator[None]:
    """mypy takes longer than all other checks: it runs beside the block, and its result is the last step."""
    with beside([BIN / "mypy", "."], gate.env, subprocess.PIPE) as mypy:
        yield
        gate.step("mypy", lambda: result(mypy))


def checks(gate: Gate) -> None:
    gate.run("ruff check", BIN / "ruff", "check", ".")
    gate.run("ruff format", BIN / "ruff", "format", "--check", ".")
    gate.run("lint-imports", BIN / "lint-imports")
    gate.python("migrations", "manage.py", "makemigrations", "--check", "--dry-run")
    deployed = ("manage.py", "check", "--deploy", "--fail-level", "WARNING")
    gate.python("check --deploy", "-W", "error", *deployed, PARAGOLD_HTTPS="1")
    gate.python("supply chain", "scripts/supply_chain.py", f"{gate.env['PARAGOLD_VAR']}/sbom.json")
    documentation_site(gate)
    # The JSDoc types of static/js; node-typescript has the program.
    gate.run("JavaScript types", "tsc", "--project", ".")
    javascript_tests(gate)


def lint(gate: Gate) -> None:
    with types_beside(gate):
        checks(gate)


def documentation_site(gate: Gate) -> None:
    """Build it strictly: each page is in the navigation, each link and heading that is linked exists, and the
    OpenAPI document is valid."""
    gate.python("documentation site", "scripts/documentation_site.py", f"{gate.env['PARAGOLD_VAR']}/site")


def javascript_tests(gate: Gate) -> None:
    """With the Node that Playwright brings along, so that no other one is needed."""
    from playwright._impl._driver import compute_driver_executable

    node, _ = compute_driver_executable()
    # Node ends with 0 where it is given no test.
    tests = sorted((REPOSITORY / "tests" / "js").rglob("*.test.*js")) or [Path("there-is-no-test.js")]
    gate.run("JavaScript tests", node, "--test", "--test-reporter=dot", *tests)


def fast(gate: Gate) -> None:
    gate.run("ruff check", BIN / "ruff", "check", ".")
    gate.python("tests of the library", *OF_THE_LIBRARY, "--hypothesis-profile=quick", "tests/paragold")
    without = ("-m", "not database", *NOT_FAST, "tests")
    gate.python("tests without a database", "-m", "pytest", "-q", *IN_FILES, *without)
    gate.report_seconds()


def safety(gate: Gate) -> None:
    """The workers are killed beside the tests: both wait most of the time."""
    kills = [sys.executable, "-m", "benchmarks", "kills", "--kills", str(KILLS)]
    with beside(kills, gate.env, subprocess.PIPE) as killed:
        gate.python("extraction and AER beside slow references", *OF_THE_LIBRARY, *SAFETY_OF_THE_LIBRARY)
        gate.step(
            "blindness, permissions, answers, imports, exports, milliseconds",
            lambda: tests_of(gate.env, "servers", *SAFETY).wait(),
        )
        gate.step(f"{KILLS} kills", lambda: result(killed))
    gate.report_seconds()


def tests(gate: Gate) -> None:
    """Those of the library, then those on PostgreSQL, and beside both those on SQLite: two cores have work to
    the end, though tests often wait. Shown one after the other."""
    elsewhere = [f"--ignore={path}" for path in ("tests/paragold", *only_on_postgresql())]
    elsewhere += [f"--deselect={test}" for test in TESTS_ON_POSTGRESQL]
    log = Path(gate.env["PARAGOLD_VAR"]) / "files.log"
    with (
        log.open("wb") as written,
        tests_of(gate.env, "files", "tests", *elsewhere, output=written) as on_files,
    ):
        try:
            gate.python("tests of the library", *OF_THE_LIBRARY, "tests/paragold")
            gate.step("tests on PostgreSQL and Redis", lambda: tests_on_servers(gate.env))
            gate.report_seconds()
            gate.step("tests on SQLite and files", lambda: followed(on_files, log))
        finally:
            on_files.terminate()


def followed(process: subprocess.Popen[bytes], log: Path) -> int:
    """Show what the process has written and writes until it ends; its exit code."""
    with log.open("rb") as words:
        while True:
            code = process.poll()
            print(words.read().decode(errors="replace"), end="", flush=True)
            if code is not None:
                return code
            time.sleep(1)


def tests_of(
    env: Environment, folder: str, *arguments: str, output: IO[bytes] | None = None
) -> subprocess.Popen[bytes]:
    """With a data folder of its own, `folder` within the gate's, so that no run sees what another left."""
    side_by_side = ("-n", str(SIDE_BY_SIDE[folder]), "--dist", "loadfile", "--no-loadscope-reorder")
    command = (sys.executable, "-u", "-m", "pytest", "-q", *side_by_side, *arguments)
    return beside(command, {**env, "PARAGOLD_TEST_VAR": f"{env['PARAGOLD_VAR']}/{folder}"}, output)


def only_on_postgresql() -> list[str]:
    """The files that the run on SQLite leaves out."""
    both = {REPOSITORY / path for path in ON_BOTH}
    given = [REPOSITORY / path for path in ON_POSTGRESQL]
    files = (file for path in given for file in (path.rglob("test_*.py") if path.is_dir() else [path]))
    return [str(file.relative_to(REPOSITORY)) for file in files if both.isdisjoint((file, *file.parents))]


def tests_on_servers(env: Environment) -> int:
    with services.postgresql() as database_url, services.redis() as redis_url:
        env = {**env, "DATABASE_URL": database_url, "REDIS_URL": redis_url}
        others = [path for path in ON_BOTH if not path.startswith(ON_POSTGRESQL)]
        with tests_of(env, "servers", *ON_POSTGRESQL, *TESTS_ON_POSTGRESQL, *others) as on_servers:
            try:
                return on_servers.wait()
            finally:
                on_servers.terminate()


def stop_cleanly(number: int, frame: object) -> None:
    """So that SIGTERM leaves through the context managers, which stop the servers."""
    sys.exit(128 + number)


def main(arguments: list[str]) -> int:
    signal.signal(signal.SIGTERM, stop_cleanly)
    signal.signal(signal.SIGHUP, stop_cleanly)
    with tempfile.TemporaryDirectory(prefix="paragold-gate-") as folder:
        gate = Gate(clean_environment(Path(folder)))
        if arguments:
            {"lint": lint, "fast": fast, "safety": safety}[arguments[0]](gate)
        else:
            own = {**gate.env, "PARAGOLD_TEST_VAR": f"{folder}/collected"}
            with types_beside(gate):
                # Beside the checks, what the processes of the tests would each compile is compiled once.
                with (
                    beside([sys.executable, "-c", COMPILE], gate.env, subprocess.DEVNULL),
                    beside([sys.executable, *COLLECT], own, subprocess.DEVNULL),
                ):
                    checks(gate)
                tests(gate)
    if gate.failed:
        print("\nThe gate FAILED: " + "; ".join(gate.failed), flush=True)
    return 1 if gate.failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
