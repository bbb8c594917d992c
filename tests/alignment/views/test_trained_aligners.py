import io
import json
import zipfile

import pytest
from django.urls import reverse

from alignment.models import AlignerRun
from jobs.services.running import run_here
from tests.factories.corpus import dataset_of
from tests.factories.trained_aligners import trained_aligner


@pytest.fixture
def dataset(project, tmp_path, settings):
    settings.VAR = tmp_path
    return dataset_of(project, pairs=6)


def text_of(answer):
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_links_of_a_dataset_are_shown_explained_and_fetched(project, as_, dataset):
    trained = trained_aligner(dataset, aligner="best", starting_point="none")
    address = reverse("launch", args=[project.slug, "apply-aligner"])
    answer = as_("manager").post(address, {"trained": trained.pk, "dataset": dataset.pk})
    run = AlignerRun.objects.get()
    assert answer.url == reverse("aligner-run", args=[project.slug, run.pk])
    run_here(job=run.job)
    page = as_("viewer").get(answer.url)
    [(row, links), *_] = page.context["rows"]
    assert links == len(row.link_list) > 0
    why = f"{reverse('aligner-pair', args=[project.slug, trained.pk])}?pair={row.pair_id}"
    assert why in text_of(page)
    explained = as_("viewer").get(why)
    assert [why["link"] for why in explained.context["links"] if why["drawn"]] == row.link_list
    a, b = explained.context["links"][0]["link"]
    chosen = as_("viewer").get(f"{why}&link={a}-{b}")
    assert chosen.context["chosen"]["link"] == (a, b)
    assert "mean posterior" in text_of(chosen)
    download = reverse("aligner-run-download", args=[project.slug, run.pk])
    data = as_("manager").get(f"{download}?format=jsonl").content
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        lines = archive.read("links.jsonl").decode().splitlines()
    assert json.loads(lines[0])["sure"] == [list(link) for link in row.link_list]
    assert as_("manager").get(f"{download}?format=xml").status_code == 302
    again = as_("manager").post(address, {"trained": trained.pk, "dataset": dataset.pk})
    assert again.url == answer.url
