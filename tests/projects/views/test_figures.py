import xml.etree.ElementTree as ET

import pytest
from django.test import RequestFactory

from paragold.charts import bar_chart, ranked_chart
from projects.views.figures import page_with_figures

SVG = "{http://www.w3.org/2000/svg}"
FIGURES = [
    None,
    bar_chart([("<a>", 3)], name="days", title="Answers & days", x_axis="day", y_axis="answers"),
    ranked_chart([("hmm", 9.9, (9, 11), True)], name="aer", title="AER", x_axis="AER, %"),
]


@pytest.mark.django_db
def test_a_figure_is_a_file_of_its_own():
    for name, words in (("days", {"Answers & days", "day", "answers", "<a>"}), ("aer", {"AER, %", "hmm"})):
        request = RequestFactory().get("/", {"svg": name})
        answer = page_with_figures(request, "no such template", {}, FIGURES)
        assert answer["Content-Disposition"] == f'attachment; filename="{name}.svg"'
        root = ET.fromstring(answer.content)
        assert root.tag == f"{SVG}svg"
        assert words <= {text.text for text in root.iter(f"{SVG}text")}
        assert root.find(f"{SVG}style") is not None
