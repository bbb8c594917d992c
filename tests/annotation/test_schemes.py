import pytest

from annotation.schemes import BUTTONS, SCHEME_LABELS, Label, most_cautious
from annotation.shortcuts import PAGES
from paragold.formats.judgement_files import scheme_of
from projects.models import Scheme


def test_every_label_of_a_scheme_has_a_button_with_a_key_of_its_own():
    assert set(SCHEME_LABELS) == set(BUTTONS) == set(Scheme.values)
    actions = {shortcut.action for shortcut in PAGES["judge"].shortcuts}
    for scheme, buttons in BUTTONS.items():
        assert {button.label for button in buttons} == set(SCHEME_LABELS[scheme])
        assert actions >= {button.action for button in buttons}
    assert {label for labels in SCHEME_LABELS.values() for label in labels} == set(Label)


@pytest.mark.parametrize("scheme", SCHEME_LABELS)
def test_the_scheme_of_labels(scheme):
    labels = SCHEME_LABELS[scheme]
    assert scheme_of([*labels, None]) == scheme
    assert most_cautious([str(label) for label in labels], scheme) == labels[-1]
