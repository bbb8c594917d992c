import pytest

from paragold.matching.files import best as best_row, match_files
from paragold.matching.specs import MatchingSpec
from paragold.problems import FileProblem

FIRST = (
    "id\ttext\na1\tThe harbour lay quiet under the moon.\na2\tTwo boats came in at dawn.\na3\tNobody spoke.\n"
)
SECOND = (
    "id\ttext\nb1\tUnder the moon the harbour lay quiet.\nb2\tAt dawn two boats came in, laden.\nb3\tWhy?\n"
)
KEY = "ours\ttheirs\na1\tb1\na2\tb2,b3\na3\t-\n"


def written(folder):
    paths = folder / "a.tsv", folder / "b.tsv", folder / "key.tsv"
    for path, text in zip(paths, (FIRST, SECOND, KEY), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def rows(path):
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]


def test_an_id_of_both_files_is_refused(tmp_path):
    first, *_ = written(tmp_path)
    with pytest.raises(FileProblem, match=r"line 2: The other file has the id 'a1' too"):
        match_files((first, first), MatchingSpec(), tmp_path / "pairs.tsv")
    assert not (tmp_path / "pairs.tsv").exists()


@pytest.mark.real_data
def test_leagues_part_one_is_near_the_paper(shared_data, tmp_path):
    """Their best F (another edition, another key): exact 75 %, 16 permutations 47 %, 64 permutations 67 %."""
    leagues = shared_data / "leagues"
    files = (leagues / "mercier_part_one.tsv", leagues / "walter_part_one.tsv")
    key = leagues / "silver_paragraph_key_part_one.tsv"
    best = {}
    for settings in (
        MatchingSpec(method="exact"),
        MatchingSpec(method="minhash", permutations=16),
        MatchingSpec(method="minhash", permutations=64),
    ):
        _, _, scores = match_files(files, settings, tmp_path / "pairs.tsv", key)
        best[settings.method, settings.permutations] = best_row(scores, by="row_f").row_f
    assert best["exact", 128] > 0.72
    assert 0.4 < best["minhash", 16] < best["minhash", 64] < best["exact", 128]
    greedy = MatchingSpec(method="exact", greedy=True)
    _, _, scores = match_files(files, greedy, tmp_path / "pairs.tsv", key)
    assert scores.attrs["at_threshold"].precision > 0.93


def test_translations_from_seeds_to_pairs(tmp_path, printed, refused):
    seeds, lexicon, output = (tmp_path / name for name in ("seeds.tsv", "lexicon.tsv", "pairs.tsv"))
    pairs = [("The dam leaked .", "Le barrage fuyait ."), ("The dam broke .", "Le barrage a rompu .")]
    pairs += [("A bridge broke .", "Un pont a rompu .")]
    seeds.write_text("".join(f"{a}\t{b}\n" for a, b in pairs))
    learn = ["associate-words", seeds, "--min-together", "1", "--output", lexicon, "--second-language"]
    assert "word pairs" in printed(*learn, "french")
    assert "no language" in refused(*learn, "x y")
    a, b, key = (tmp_path / name for name in ("a.tsv", "b.tsv", "key.tsv"))
    a.write_text("a1\tThe dam .\na2\tIt broke .\n")
    b.write_text("b1\tIl a rompu .\nb2\tLe barrage .\n")
    key.write_text("a1\tb2\na2\tb1\n")
    told = printed("match-translations", a, b, "--lexicon", lexicon, "--key", key, "--output", output)
    assert "Of the 2 pairs of the key 2 are among them: precision 100.0 %, recall 100.0 %." in told
    assert [row[:2] for row in rows(output)] == [["id_a", "id_b"], ["a1", "b2"], ["a2", "b1"]]
