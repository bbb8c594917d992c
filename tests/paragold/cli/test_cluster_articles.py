import json

import pytest

from paragold.sources.articles import ArticleReader
from replication.event_scores import event_scores, topic_of

STORM = "A storm hit the coast at Northport on Monday and flooded forty houses, the mayor said."
STORM_AGAIN = "The storm at Northport flooded houses on the coast; forty families left, said the mayor."
VOTE = "Lawmakers in Elmsford passed the library bill by a single vote after a long debate."
VOTE_AGAIN = "By one vote the library bill passed in Elmsford, where lawmakers had a long debate."


def article(key, day, text, event=""):
    return {"id": key, "published": day, "text": text} | ({"cluster_id": event} if event else {})


STREAM = [
    article("post-1", "2004-08-31", STORM, "storm"),
    article("post-2", "2004-08-31T09:30:00Z", VOTE, "vote"),
    article("mail-1", "2004-09-01", STORM_AGAIN, "storm"),
    article("mail-2", "2004-09-02", VOTE_AGAIN, "vote"),
]


def written(path, articles):
    path.write_text("".join(json.dumps(value) + "\n" for value in articles), encoding="utf-8")
    return path


def clusters_in(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    return {value["id"]: value["cluster_id"] for value in map(json.loads, lines)}


FOUND = {
    "post-1": "2004-08-31-001",
    "mail-1": "2004-08-31-001",
    "post-2": "2004-08-31-002",
    "mail-2": "2004-08-31-002",
}


def test_articles_come_out_with_their_clusters(tmp_path, printed):
    source, output = written(tmp_path / "news.jsonl", STREAM), tmp_path / "clustered.jsonl"
    told = printed("cluster-articles", source, "--output", output, "--gold")
    assert clusters_in(output) == FOUND
    assert "4 articles make 2 new clusters." in told
    assert "found" in told and "100.0" in told
    assert "all in one" in told and "one each" in told
    # What comes out can be imported, and is the same but for the clusters.
    reader = ArticleReader(output)
    assert [key for key, _ in reader] == ["2004-08-31-001", "2004-08-31-002"]
    first = json.loads(output.read_text(encoding="utf-8").splitlines()[0])
    assert first == STREAM[0] | {"cluster_id": "2004-08-31-001"}
    undated = [{"id": value["id"], "text": value["text"]} for value in STREAM]
    printed("cluster-articles", written(tmp_path / "in.jsonl", undated), "--output", output, "--ignore-dates")
    assert set(clusters_in(output).values()) == {"event-001", "event-002"}


def test_a_day_is_added_to_what_stands(tmp_path, printed, refused):
    early, late = tmp_path / "early.jsonl", tmp_path / "late.jsonl"
    printed("cluster-articles", written(tmp_path / "1.jsonl", STREAM[:2]), "--output", early)
    told = printed(
        "cluster-articles", written(tmp_path / "2.jsonl", STREAM[2:]), "--standing", early, "--output", late
    )
    assert clusters_in(early) | clusters_in(late) == FOUND
    assert "2 articles join 2 clusters that are there already." in told
    # Another text under an id that stands is refused.
    changed = written(tmp_path / "2.jsonl", [article("post-1", "2004-08-31", VOTE_AGAIN)])
    told = refused("cluster-articles", changed, "--standing", early, "--output", tmp_path / "late.jsonl")
    assert "stored with another text" in told


@pytest.mark.real_data
def test_look_alike_events_are_told_apart(shared_data):
    clusters = list(ArticleReader(shared_data / "news" / "ecbplus_topics_1_35.jsonl"))
    even = [(key, record) for key, records in clusters for record in records if not topic_of(key) % 2]
    report = {row["way"]: row for row in event_scores(even)}
    for way in ("found", "dated"):
        for baseline in ("all in one", "one each", "topic only"):
            assert report[way]["f"] > report[baseline]["f"] + 0.15
            assert report[way]["adjusted_rand"] > report[baseline]["adjusted_rand"] + 0.15
