import pytest

import paragold as pg

pytestmark = pytest.mark.real_data


@pytest.fixture
def gold(shared_data, tmp_path):
    """The gold links; the text lies in one file there, and is trained on as it is."""
    lines = (shared_data / "bilingual" / "enfr.src-tgt").read_text().splitlines()
    sides = zip(*(line.split("|||") for line in lines), strict=True)
    paths = [tmp_path / "en", tmp_path / "fr"]
    for path, sentences in zip(paths, sides, strict=True):
        path.write_text("".join(" ".join(text.split()) + "\n" for text in sentences))
    return pg.read_links(
        shared_data / "bilingual" / "enfr.gold", "pharaoh_1", source=paths[0], target=paths[1]
    )


def aer(gold, **aligners):
    fitted = {name: aligner.fit(gold).predict(gold) for name, aligner in aligners.items()}
    return pg.score(gold, fitted, resamples=0).xs("all", level="words")["aer"].to_dict()


def test_the_hmm_is_within_two_points_of_the_model_of_eflomal(gold):
    in_two = pg.Thot().settings_for("en", "fr")
    eflomal = pg.Thot(model="eflomal", **in_two)
    if hint := eflomal.install_hint():
        pytest.skip(hint)
    rates = aer(gold, hmm=pg.HMM(**pg.HMM().settings_for("en", "fr")), eflomal=eflomal)
    assert rates["hmm"] < rates["eflomal"] + 0.02
