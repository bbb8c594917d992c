"""A page on which there is nothing yet says so, and offers whoever may take it the step that fills it."""

import pytest
from django.urls import reverse

PAGES = {
    "aligners": ("none are frozen yet", "gold"),
    "launch:train-aligner": ("no text to train on", "candidates"),
    "aligners-compare": ("There are no gold links yet", "gold"),
    "experiments": ("there are none yet", "gold"),
    "exports": ("There is no gold to export yet", "gold"),
    "gold": ("No gold set yet", "judge"),
    "launch:freeze-gold-links": ("No words were linked", "link"),
    "link": ("there is no gold set yet", "link-import"),
    "launch:draw-linking-batch": ("There is no gold set to draw from", "gold"),
}


def address(page, project):
    name, _, kind = page.partition(":")
    return reverse(name, args=[project.slug, *filter(None, [kind])])


@pytest.mark.parametrize("page", PAGES)
def test_the_next_step_is_offered(project, as_, page):
    said, step = PAGES[page]
    text = as_("manager").get(address(page, project)).content.decode()
    main = text.partition("<main")[2]
    assert said in main and address(step, project) in main


@pytest.mark.parametrize(("page", "step"), [("aligners", "launch:train-aligner"), ("link", "link-import")])
def test_others_are_offered_nothing_that_they_may_not_do(project, as_, page, step):
    text = as_("annotator" if page == "link" else "viewer").get(address(page, project))
    assert address(step, project) not in text.content.decode()
