import pytest
from rest_framework import serializers

from projects.api.serializers import ListField


def test_a_list_of_wrong_elements_is_not_checked_to_its_end():
    class Counted(serializers.IntegerField):
        checked = 0

        def to_internal_value(self, data):
            Counted.checked += 1
            return super().to_internal_value(data)

    field = ListField(child=Counted(), max_length=100_000)
    with pytest.raises(serializers.ValidationError) as refused:
        field.run_validation([1, *["a"] * 50_000])
    assert list(refused.value.detail) == [1, 2, 3, 4, 5, 6]
    assert refused.value.detail[6] == ["From here on the list was not checked."]
    assert Counted.checked == 6


def test_a_few_wrong_elements_are_all_named():
    field = ListField(child=serializers.IntegerField(), max_length=10)
    with pytest.raises(serializers.ValidationError) as refused:
        field.run_validation([1, "a", 2, "b"])
    assert list(refused.value.detail) == [1, 3]
    assert field.run_validation([3, "4"]) == [3, 4]
