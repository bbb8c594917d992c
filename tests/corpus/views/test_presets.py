from corpus.models import Extraction, ProjectPreset
from corpus.services.presets import save_preset

from .test_candidates import L12

NEW = "candidates/presets/?preset=L12-2004"


def test_parameters_are_saved_chosen_and_extracted_with(house):
    sent = L12 | {"max_edit_distance": "7", "preset_name": "near <ones>"}
    answer = house.manager.post(house.url(NEW), sent)
    assert answer.url == house.url("candidates/new/?preset=near+%3Cones%3E")
    page = house.manager.get(answer.url).content.decode()
    assert 'name="max_edit_distance" value="7"' in page and "near &lt;ones&gt;" in page
    assert "L12-2004 with max_edit_distance 7." in page and "by manager" in page
    house.manager.post(answer.url, {"name": ""})
    extraction = Extraction.objects.get(preset="near <ones>")
    assert extraction.criteria["max_edit_distance"] == 7
    dry = house.manager.get(house.url("candidates/dry-run/?preset=near+%3Cones%3E"))
    assert dry.context["preset"].name == "near <ones>"


def test_presets_are_listed_with_the_candidates_and_deleted_there(house):
    save_preset(project=house.project, by=None, name="near", preset="L12", settings={"max_edit_distance": 4})
    page = house.manager.get(house.url("candidates/")).content.decode()
    assert "Presets of this project" in page and "L12 with max_edit_distance 4." in page
    assert "candidates/new/?preset=near" in page
    assert "Delete" not in house.viewer.get(house.url("candidates/")).content.decode()
    saved = ProjectPreset.objects.get()
    answer = house.manager.post(house.url(f"candidates/presets/{saved.pk}/delete/"), follow=True)
    assert "The preset near is deleted" in answer.content.decode()
    assert "Presets of this project" not in answer.content.decode() and not ProjectPreset.objects.exists()
