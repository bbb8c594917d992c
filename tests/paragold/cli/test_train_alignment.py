"""Aligners are trained once, stored, extended and applied, from file to file."""

from tests.paragold.aligners.test_extension import NEW, OLD


def test_commands_train_extend_and_apply(tmp_path, paragold):
    for name, text in (("old", OLD), ("new", NEW)):
        lines = "".join(f"{' '.join(a)}\t{' '.join(b)}\n" for a, b in text)
        (tmp_path / f"{name}.tsv").write_text(lines)
    (tmp_path / "pairs.tsv").write_text("kind haus\tchild house\n")
    model, counts, larger = (tmp_path / f"{name}.npz" for name in ("model", "counts", "larger"))
    settings = ("--aligner", "hmm", "--set", "one_language=false", "--set", "identical=false")
    train = ("train-alignment", "--train", tmp_path / "old.tsv", *settings, "--counts", counts, "--output")
    hashes = set()
    for shards in (1, 8):
        done = paragold(*train, model, "--shards", shards)
        assert done.status == 0, done.err
        hashes.add(model.read_bytes() + counts.read_bytes())
    assert len(hashes) == 1
    extend = ("extend-alignment", "--counts", counts, "--train", tmp_path / "new.tsv", "--output", larger)
    assert "extended by 80 pairs" in paragold(*extend).out
    align = (
        "align-words",
        "--input",
        tmp_path / "pairs.tsv",
        "--output",
        tmp_path / "links",
        "--model",
        larger,
    )
    done = paragold(*align)
    assert done.status == 0, done.err
    assert (tmp_path / "links").read_text() == "0-0 1-1\n"
    assert "--train is for training" in paragold(*align, "--train", tmp_path / "new.tsv").err
    assert "--shards must be at least 1" in paragold(*train, model, "--shards", 0).err
    assert "--iterations must be at least 1" in paragold(*extend, "--iterations", 0).err
