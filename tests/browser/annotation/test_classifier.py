"""The loop closes on the demo project: judgements, classifier, refined dataset, a row of the AER table."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from alignment.models import Experiment
from annotation.models import ClassifierRun, TrainedClassifier
from jobs.models import ACTIVE, Job
from jobs.services.running import run_here
from ops.demo import load_demo
from tests.browser import whole_path as path

LogIn = Callable[..., Page]
BASE = "/projects/demo"


@pytest.fixture
def passwords(transactional_db):
    return {login.username: login.password for login in load_demo()}


def work():
    """Do what is asked for, as a worker would. The page that waits for it then draws itself anew."""
    for job in Job.objects.filter(state__in=ACTIVE):
        run_here(job=job)
        assert job.state == "done", job.error


def test_from_judgements_to_a_row_of_the_table(log_in, passwords):
    page = log_in("manager", passwords["manager"])
    page.goto(f"{BASE}/")
    expect(page.locator(".phase").last).to_contain_text("train one")
    page.goto(f"{BASE}/classifier/")
    path.follow(page, "Train a classifier")
    for unused in ("wordnet", "association", "correlations", "overlap", "weighted", "products"):
        box = page.get_by_role("checkbox", name=re.compile(f"^{unused}:"))
        box.focus()
        box.press("Space")
    path.push(page, "Train it")
    page.wait_for_url(re.compile(r"/classifier/\d+/$"))
    work()
    assert TrainedClassifier.objects.count() == 1
    expect(page.get_by_role("heading", name="Cross-validation results")).to_be_visible()
    expect(page.get_by_role("img", name="Learning curve")).to_be_visible()
    rates = page.get_by_role("region", name="Feature classes")
    for kept in ("all", "no string", "every pair kept"):
        row = rates.get_by_role("row").filter(has=page.get_by_role("rowheader", name=kept, exact=True))
        rate = row.get_by_role("cell").last
        expect(rate).to_contain_text(re.compile(r"\d+\.\d\d"))

    path.follow(page, "Apply it to a dataset")
    expect(page.get_by_role("heading", name="What each threshold would keep")).to_be_visible()
    path.fill(page, "Threshold", "0.2")
    path.fill(page, "Name of the refined dataset", "kept by svm")
    path.push(page, "Apply it")
    page.wait_for_url(re.compile(r"/classifier/runs/\d+/$"))
    work()
    run = ClassifierRun.objects.get()
    refined = run.refined.get()
    assert 0 < refined.size < run.dataset.size
    page.get_by_role("region", name="Accepted, most certain").get_by_role("link").first.press("Enter")
    expect(page.get_by_role("heading", name="Why it decides this way")).to_be_visible()
    expect(page.get_by_role("rowheader", name="intercept")).to_be_visible()

    page.goto(f"{BASE}/launch/run-experiment/")
    for box in page.get_by_role("checkbox").all():
        wanted = re.search("kept by svm|^ ?ibm1", box.evaluate("box => box.labels[0].textContent.trim()"))
        test_set = box.get_attribute("name") == "gold_sets"
        if box.is_checked() != bool(wanted or test_set):
            box.focus()
            box.press("Space")
    path.push(page, "Run experiment")
    page.wait_for_url(re.compile(r"/experiments/\d+/$"))
    work()
    assert Experiment.objects.count() == 1
    row = page.get_by_role("row").filter(has_text="kept by svm").first
    expect(row).to_contain_text(re.compile(r"\d+\.\d"))
