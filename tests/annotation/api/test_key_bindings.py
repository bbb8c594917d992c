from annotation.models import KeyBindings

URL = "/api/v1/key-bindings/"


def keys_of(data, page):
    (found,) = [one for one in data["items"] if one["page"] == page]
    return {one["action"]: one["keys"] for one in found["actions"]}


def put(client, page, keys):
    return client.put(URL, {"page": page, "keys": keys}, format="json")


def test_keys_are_stored_replaced_and_reset(people):
    client = people.client("annotator")
    assert keys_of(client.get(URL).data, "judge")["undo"] == ["KeyU", "Control+KeyZ"]
    answer = put(client, "judge", {"undo": "KeyB", "skip": "Shift+KeyK"})
    assert answer.status_code == 200
    found = keys_of(answer.data, "judge")
    assert (found["undo"], found["skip"], found["flag"]) == (["KeyB"], ["Shift+KeyK"], ["KeyX"])
    assert keys_of(client.get(URL).data, "link")["undo"] == ["KeyU", "Control+KeyZ"]
    assert keys_of(people.client("second").get(URL).data, "judge")["undo"] == ["KeyU", "Control+KeyZ"]
    assert keys_of(put(client, "judge", {"flag": "KeyB"}).data, "judge")["undo"] == ["KeyU", "Control+KeyZ"]
    put(client, "judge", {})
    assert not KeyBindings.objects.exists()
