"""Lines and points laid out for an SVG."""

from itertools import pairwise

from corpus.views.plot import apart, percent, plot


def drawn(**options):
    fields = {"x_range": (0, 10), "y_range": (0, 1), "tell": (str, percent)} | options
    return plot(name="p", title="P", x_axis="x", y_axis="y", **fields)


def test_ends_of_the_axes_are_ends_of_the_frame() -> None:
    found = drawn(lines=[("a", "", [(0, 0), (10, 1)])], dots=[(5, 0.5)], diagonal=True)
    assert found.lines[0].points == "56.0,252.0 376.0,32.0"
    assert (found.left, found.base, found.right, found.top) == (56, 252, 376, 32)
    assert found.reference == found.lines[0].points
    assert found.dots == [((found.left + found.right) / 2, (found.top + found.base) / 2)]
    assert [tick.text for tick in found.y_ticks] == ["0", "20", "40", "60", "80", "100"]
    assert found.lines[0].label == ""


def test_labels_stand_beside_the_ends_of_their_lines() -> None:
    found = drawn(lines=[("a", "", [(0, 0), (10, 1)]), ("b", "second", [(0, 0), (10, 1)])], labels=50)
    assert [line.label for line in found.lines] == ["a", "b"]
    assert abs(found.lines[0].label_y - found.lines[1].label_y) >= 13.9
    assert all(line.label_x > found.right for line in found.lines)


def test_places_are_moved_only_as_far_as_they_must() -> None:
    assert apart([100.0, 10.0]) == [100.0, 10.0]
    assert apart([50.0, 50.0]) == [43.0, 57.0]
    moved = sorted(apart([20.0, 21.0, 22.0, 200.0]))
    assert all(b - a >= 13.9 for a, b in pairwise(moved))
    assert moved[-1] == 200.0
