"""The example of a plug-in, and one that is broken in many ways, installed into a folder for a process."""

import os
import shutil
import subprocess
import sys

from tests.processes import REPOSITORY

EXAMPLE = REPOSITORY / "docs" / "examples" / "plugin"
BROKEN = """
import re
import numpy as np
from paragold.aligners.identity import Identity
from paragold.classification.pair_scorers import PairScorer
from paragold.extraction.criteria import ExtractionMethod
from paragold.extraction.methods import Hits
from paragold.formats.link_formats import LinkFormat
from paragold.formats.pair_files import PairFormat
from paragold.sources.article_sources import ArticleSource
from paragold.text.segmenters import Segmenter


class Crash(Identity):
    id, label, suggestion = "crashing", "Crashes on every pair", ""

    def draw(self, pairs):
        return [[(0, 1 // 0)] for source, target in pairs]


class Outer(Crash):
    id, label = "outside", "Links words that are not there"

    def draw(self, pairs):
        return [[(0, len(target))] for source, target in pairs]


class Best(Crash):
    id, label = "best", "Not the real one"


class Golden(Crash):
    id, label, learns_from_gold = "golden", "Learns from gold links", True


class Hinting(Crash):
    id, label = "hinting", "Cannot say what to install"

    def install_hint(self):
        raise OSError("no such program")


class Foreign(Crash):
    id, label, in_experiments = "foreign", "Has no such parameter", {"iterations": 5}


def stop(path, name):
    raise RuntimeError("no file is good enough")


def giving(name, hits):
    return ExtractionMethod(name, name, False, "", lambda *given: iter([hits()]))


def hits_of(*columns):
    return Hits(*(np.array([number]) for number in columns))


beyond = giving("beyond", lambda: hits_of(0, 9, 1, 1))
listing = giving("listing", lambda: [(0, 1)])
negative = giving("negative", lambda: hits_of(0, 1, -1, 1))
dividing = giving("dividing", lambda: 1 // 0)
crashing, outside, best = Crash(), Outer(), Best()
golden, hinting, foreign = Golden(), Hinting(), Foreign()
unpatterned = LinkFormat(
    id="unpatterned", label="No pattern", help="", example="", extensions=(".x",), first_line=".",
    read=lambda text, reading: [], write=lambda pair, number: "",
)
grabbing = LinkFormat(
    id="grabbing", label="Names of others", help="", example="", extensions=(".Pharaoh",),
    first_line=re.compile("x"), read=lambda text, reading: [], write=lambda pair, number: "",
)
tabs = PairFormat("tabs", "Names of others", lambda folder, stem, first, language: None, ("tsv",))
picky = ArticleSource("picky", "Recognises nothing", stop, stop)
verbose = Segmenter("verbose", "Signature too long", lambda text: [], "x" * 41)
overlap = PairScorer("overlap", "Name of a feature class", lambda pairs, parameters: [])
greedy = Segmenter("greedy", "Leaves text out", lambda text: [(0, 1)], "greedy-1")
"""
ENTRY_POINTS = """
[paragold.aligners]
crashing = broken_for_tests:crashing
outside = broken_for_tests:outside
best = broken_for_tests:best
absent = broken_for_tests:absent
foreign = broken_for_tests:foreign
golden = broken_for_tests:golden
hinting = broken_for_tests:hinting
[paragold.extraction_methods]
beyond = broken_for_tests:beyond
dividing = broken_for_tests:dividing
listing = broken_for_tests:listing
negative = broken_for_tests:negative
[paragold.link_formats]
unpatterned = broken_for_tests:unpatterned
grabbing = broken_for_tests:grabbing
[paragold.pair_formats]
tabs = broken_for_tests:tabs
[paragold.importers]
picky = broken_for_tests:picky
[paragold.segmenters]
greedy = broken_for_tests:greedy
verbose = broken_for_tests:verbose
[paragold.pair_scorers]
elsewhere = no_such_module_for_tests:scorer
overlap = broken_for_tests:overlap
"""
FAILED = {
    *("absent", "best", "elsewhere", "foreign", "golden", "grabbing", "hinting", "tabs"),
    *("overlap", "unpatterned", "verbose"),
}
INSTALLED = 25


def install(folder):
    """The example as pip installs it, into a folder of its own, without a network."""
    source, site = folder / "source", folder / "site"
    shutil.copytree(EXAMPLE, source, ignore=shutil.ignore_patterns("__pycache__"))
    offline = ("--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check", "--quiet")
    command = [sys.executable, "-m", "pip", "install", *offline, "--target", str(site), str(source)]
    subprocess.run(command, check=True)
    return site


def add_broken(site):
    """A second distribution in the same folder."""
    (site / "broken_for_tests.py").write_text(BROKEN)
    distribution = site / "broken_for_tests-0.3.dist-info"
    distribution.mkdir()
    (distribution / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-for-tests\nVersion: 0.3\n")
    (distribution / "entry_points.txt").write_text(ENTRY_POINTS)


def run(site, *arguments):
    """Python with these arguments in a process that finds the plug-ins, and nothing of the test's own."""
    own = ("PYTEST", "PARAGOLD", "DJANGO", "DATABASE_URL", "REDIS_URL")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(own)}
    environment["PYTHONPATH"] = str(site)
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(
        command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=False
    )
