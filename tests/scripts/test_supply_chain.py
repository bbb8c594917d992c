from scripts import supply_chain


def test_every_pin_has_hashes_and_a_licence():
    text = supply_chain.PINS.read_text(encoding="utf-8")
    assert len(supply_chain.pins(text)) > 60
    assert supply_chain.problems(text) == []


def test_a_missing_hash_and_another_licence_are_named(monkeypatch):
    text = "rapidfuzz==3.0\nnumpy==2.0 \\\n    --hash=sha256:00 \\\n    --hash=sha256:11\n"
    assert supply_chain.pins(text) == {"rapidfuzz": [], "numpy": ["--hash=sha256:00", "--hash=sha256:11"]}
    monkeypatch.setattr(supply_chain, "licences", lambda name: ["GPL-3.0-only", "Proprietary"])
    assert supply_chain.problems(text) == [
        "rapidfuzz has no hashes in requirements.txt. Run `make lock`.",
        *(
            f"{name} has the licence GPL-3.0-only OR Proprietary. Do without it, or say in "
            "scripts/supply_chain.py why it may be shipped with."
            for name in ("rapidfuzz", "numpy")
        ),
    ]


def test_what_is_accepted_is_still_used_and_needs_it():
    """A reason for a package that is gone, or has become permissive, is taken out."""
    pins = supply_chain.pins(supply_chain.PINS.read_text(encoding="utf-8"))
    for name in supply_chain.ACCEPTED:
        assert name in pins
        assert not any(map(supply_chain.is_permissive, supply_chain.licences(name)))


def test_one_side_of_or_and_all_of_and():
    assert supply_chain.is_permissive("BSD-3-Clause AND 0BSD AND MIT")
    assert not supply_chain.is_permissive("MIT AND GPL-2.0-only")
    assert not supply_chain.is_permissive("")
    assert supply_chain.pins("tzdata==1 ; sys_platform == 'never' \\\n    --hash=sha256:00\n") == {}
