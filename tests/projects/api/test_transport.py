import json

import pytest

from projects.api.transport import JSONRenderer


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "Zürich \U0001f600 \ud83d"])
def test_answers_may_hold_lone_surrogates(text):
    answer = {text: [text]}
    assert json.loads(JSONRenderer().render(answer)) == answer
