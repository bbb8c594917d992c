import pytest

from annotation.shortcuts import KeyProblem, check_keys, chord, shown


@pytest.mark.parametrize(
    ("text", "stored", "shown_as"),
    [
        ("KeyJ", "KeyJ", "J"),
        ("Shift+KeyJ", "Shift+KeyJ", "Shift J"),
        ("Shift+Control+KeyZ", "Control+Shift+KeyZ", "Ctrl Shift Z"),
        ("ArrowLeft", "ArrowLeft", "←"),
        ("Numpad4", "Numpad4", "4"),
        ("Semicolon", "Semicolon", ";"),
        ("Control+Enter", "Control+Enter", "Ctrl ↵"),
        ("Space", "Space", "Space"),
    ],
)
def test_a_chord_has_one_spelling(text, stored, shown_as):
    assert (chord(text), shown(stored)) == (stored, shown_as)


@pytest.mark.parametrize(
    "text",
    [
        "",
        *[
            "Tab",
            "Escape",
            "F5",
            "KeyÄ",
            "Control+KeyT",
            "Control+KeyW",
            "Alt+KeyF",
            "Meta+KeyJ",
            "Shift",
            "J",
        ],
    ],
)
def test_what_the_browser_needs_is_refused(text):
    with pytest.raises(KeyProblem):
        chord(text)


def test_no_key_twice():
    with pytest.raises(KeyProblem, match="G is used by “Undo: take back the last answer” and “Guidelines”"):
        check_keys("judge", {"undo": "KeyG"})
    with pytest.raises(KeyProblem, match="B is used"):
        check_keys("judge", {"undo": "KeyB", "skip": "KeyB"})
    with pytest.raises(KeyProblem, match=r"\? is used|Shift / is used"):
        check_keys("judge", {"undo": "Shift+Slash"})
    swapped = {"paraphrase": "KeyF", "not_paraphrase": "KeyJ"}
    assert check_keys("judge", swapped) == swapped
