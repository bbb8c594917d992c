import json

import pytest
from django.test import Client
from django.urls import reverse

from alignment.models import TrainedAligner
from tests.factories.annotation import dataset_of
from tests.factories.corpus import ProjectFactory, UserFactory
from tests.factories.experiments import experiment
from tests.factories.trained_aligners import linked_gold, trained_aligner
from tests.plugins.installing import FAILED, INSTALLED, add_broken, install, run


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """A folder with the example alone."""
    return install(tmp_path_factory.mktemp("example"))


@pytest.fixture(scope="module")
def with_broken(tmp_path_factory):
    """A folder with the example and a plug-in of which some parts cannot be used and others fail."""
    site = install(tmp_path_factory.mktemp("with-broken"))
    add_broken(site)
    return site


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("the dam broke\tthe dam burst\nthe dam held\tthe dam held\n")
    return path


def test_the_tests_of_the_example_pass(example):
    done = run(
        example, "-m", "pytest", "-q", "-p", "no:cacheprovider", "docs/examples/plugin/tests", "-n", "0"
    )
    assert done.returncode == 0, done.stdout


def test_plugins_are_listed_with_package_and_version(example):
    done = run(example, "-m", "paragold", "plugins", "--json")
    assert done.returncode == 0, done.stderr
    listed = {(one["kind"], one["id"]): one for one in json.loads(done.stdout)["plugins"]}
    assert sorted(listed) == [
        ("aligner", "dice"),
        ("extraction method", "openings"),
        ("language", "hi"),
        ("link format", "arrows"),
        ("pair scorer", "character-ngrams"),
        ("segmenter", "lines"),
    ]
    assert {(one["distribution"], one["version"], one["error"]) for one in listed.values()} == {
        ("paragold-example", "1.0", "")
    }


def test_parts_that_cannot_be_used_are_listed_with_error_and_remedy(with_broken):
    done = run(with_broken, "-m", "paragold", "plugins")
    assert done.returncode == 1
    assert f"{len(FAILED)} of {INSTALLED} plug-ins cannot be used" in done.stderr
    for words in (
        "aligner best (broken_for_tests:best): The id 'best' is taken.\n  Update the plug-in",
        "AttributeError: module 'broken_for_tests' has no attribute 'absent'",
        "No module named 'no_such_module_for_tests'",
        "It says that it learns from gold links.",
        "The ending .pharaoh of its files is taken.",
        "The id 'overlap' is that of a feature class.",
        "Its signature has 41 characters.",
    ):
        assert words in done.stdout
    assert run(with_broken, "-m", "paragold", "plugins", "--json").returncode == 1


def test_the_aligner_and_the_link_format(example, pairs, tmp_path):
    """The aligner takes its parameters and signs with the plug-in; the format is recognised."""
    output = tmp_path / "links.txt"
    command = ("-m", "paragold", "align-words", "--aligner", "dice", "--input", pairs, "--output", output)
    done = run(example, *command, "--set", "min_dice=0.4")
    assert done.returncode == 0, done.stderr
    gold = tmp_path / "gold.arrows"
    gold.write_text("the dam\tthe dam\t0=>0 1->1\n")
    scored = run(example, "-m", "paragold", "score-links", "--gold", gold, "--aligner", "identity")
    assert scored.returncode == 0, scored.stderr
    assert "min_dice:0.4" in done.stdout and "plugin:paragold-example 1.0" in done.stdout
    assert output.read_text().splitlines() == ["0-0 1-1 2-2", "0-0 1-1 2-2"]
    refused = run(example, *command, "--set", "min_dice=4")
    assert refused.stderr == "Minimum Dice coefficient must be a number from 0.0 to 1.0; it is 4.\n"


def test_a_plugin_that_fails_is_named(with_broken, pairs, tmp_path):
    command = ("-m", "paragold", "align-words", "--input", pairs, "--output", tmp_path / "links.txt")
    crashed = run(with_broken, *command, "--aligner", "crashing")
    assert crashed.returncode == 1
    assert "The plug-in broken-for-tests 0.3 failed: ZeroDivisionError" in crashed.stderr
    assert "Traceback" not in crashed.stderr
    outside = run(with_broken, *command, "--aligner", "outside")
    assert (
        "broken-for-tests 0.3 failed: the aligner outside gave links outside the sentences" in outside.stderr
    )
    for aligner in ("identity", "dice"):
        assert run(with_broken, *command, "--aligner", aligner).returncode == 0


CLUSTER = [
    {"id": "a", "sentences": ["The dam broke on Monday in the north ."]},
    {"id": "b", "sentences": ["The dam held until Friday in the north ."]},
]
ARTICLES = json.dumps({"cluster_id": "c", "articles": CLUSTER}) + "\n"


@pytest.mark.parametrize(
    ("method", "message", "many"),
    [
        ("beyond", "the extraction method beyond gave pairs of texts that are not in the cluster", True),
        ("listing", "the extraction method listing gave an object of type list in place of Hits", False),
        ("negative", "the extraction method negative gave a negative distance", False),
        ("dividing", "ZeroDivisionError: ", True),
    ],
)
def test_what_an_extraction_method_must_not_give_is_said(with_broken, tmp_path, method, message, many):
    """From one file, and a wrong answer and an error also from many files in other processes."""
    articles, output = tmp_path / "articles.jsonl", tmp_path / "pairs"
    articles.write_text(ARTICLES)
    criteria = ("--set", f"method={method}", "--set", "max_edit_distance=none")
    for files in [("--input", articles), (articles, articles)][: 1 + many]:
        command = ("-m", "paragold", "extract-pairs", *criteria, *files, "--output", f"{output}-{method}")
        refused = run(with_broken, *command)
        assert refused.returncode == 1, refused.stderr
        assert f"The plug-in broken-for-tests 0.3 failed: {message}" in refused.stderr
        assert "Traceback" not in refused.stderr


def test_the_extraction_method_finds_pairs_in_one_file_and_in_many(example, tmp_path):
    articles = tmp_path / "articles.jsonl"
    articles.write_text(ARTICLES)
    criteria = ("--set", "method=openings", "--set", "max_edit_distance=none", "--set", "min_shared_words=0")
    for files, output in (("--input", articles), "pairs.tsv"), ((articles,), "pairs"):
        command = ("-m", "paragold", "extract-pairs", *criteria, *files, "--output", tmp_path / output)
        done = run(example, *command, "--json")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["pairs_kept"] == 1


def test_plugins_in_the_web_application(with_broken):
    """The tests of `in_application`, in a process with the plug-ins."""
    tests = "tests/plugins/in_application.py"
    done = run(with_broken, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", tests)
    assert done.returncode == 0, done.stdout


@pytest.mark.django_db
def test_what_was_made_with_a_plugin_is_shown_after_it_is_gone():
    project = ProjectFactory()
    gold = linked_gold(project, 6)
    made = experiment([dataset_of(project, 5)], [gold])
    made.rows.update(aligner="dice", parameters={"aligner": "dice", "min_dice": 0.4})
    trained = trained_aligner(project.datasets.get(size=5))
    TrainedAligner.objects.update(aligner="dice", parameters={"aligner": "dice", "min_dice": 0.4})
    client = Client()
    client.force_login(UserFactory(is_superuser=True))
    pages = {
        "experiments": (),
        "experiment": (made.pk,),
        "aligners": (),
        "aligner": (trained.pk,),
        "launch": ("draw-linking-batch",),
    }
    for name, keys in pages.items():
        page = client.get(reverse(name, args=[project.slug, *keys]))
        assert page.status_code == 200, name
