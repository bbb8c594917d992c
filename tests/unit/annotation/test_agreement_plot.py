from annotation.views.agreement import BOTTOM, HEIGHT, TOP, plot
from paragold.agreement.estimates import Estimate


def test_without_a_value_there_is_no_plot():
    assert plot([]) is None
    assert plot([("1", Estimate(None, 2))]) is None


def test_full_agreement_is_at_the_top_and_none_at_the_base():
    found = plot([("1", Estimate(1.0, 5, 1.0, 1.0)), ("2", Estimate(0.0, 5, 0.0, 0.5))])
    assert (found.points[0].y, found.points[1].y) == (TOP, HEIGHT - BOTTOM)
    assert [tick.value for tick in found.ticks] == [0, 0.25, 0.5, 0.75, 1]
    assert len(found.bands) == len(found.lines) == 1


def test_the_axis_reaches_below_zero_where_a_value_does():
    found = plot([("1", Estimate(0.5, 5, -0.3, 0.9))])
    assert found.ticks[0].value == -0.5
    assert found.points[0].low <= HEIGHT - BOTTOM
    assert plot([("1", Estimate(-1.0, 5, -3.0, 0.9))]).ticks[0].value == -1


def test_line_and_band_break_where_there_is_no_value():
    good = Estimate(0.5, 5, 0.2, 0.8)
    found = plot([("1", good), ("2", Estimate(None, 5)), ("3", good), ("4", Estimate(0.4, 1))])
    assert [len(line.split()) for line in found.lines] == [1, 2]
    assert [len(band.split()) for band in found.bands] == [4, 4]
