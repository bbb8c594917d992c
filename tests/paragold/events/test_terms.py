"""What an article is compared by."""

from paragold.events.clustering import Terms
from paragold.events.settings import EventSpec


def test_stems_names_and_title_are_weighed() -> None:
    count = Terms(EventSpec(title_weight=2, name_weight=3))
    terms = count("Dam mended", [["The", "dam", "near", "Northport", "leaks", "."]])
    assert terms == {"dam": 3, "mend": 2, "near": 1, "northport": 3, "leak": 1}


def test_the_first_sentence_stands_for_a_missing_title() -> None:
    count = Terms(EventSpec(title_weight=2, name_weight=1))
    assert count(" ", [["Dam", "leaks"], ["dam"]]) == {"dam": 3, "leak": 2}


def test_languages_have_their_stemmers_or_none() -> None:
    dutch, thai = Terms(EventSpec(language="nl-BE")), Terms(EventSpec(language="th"))
    assert set(dutch("", [["de", "branden"]])) == {"de", "brand"}
    assert set(thai("", [["Branden", "the"]])) == {"branden", "the"}
