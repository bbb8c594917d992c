"""The pairs that were imported into Label Studio and doccano (README.md)."""

from paragold.formats.judgement_formats import JudgedPair
from paragold.metrics.links import LinkedPair, Links

LINKS = [
    LinkedPair(
        "dam/post#0|mail#2",
        ("The", "dam", "burst", "👩\u200d🚒", "on", "Monday", "."),
        ("On", "Monday", "the", '"dam"', "broke", "."),
        Links.of([(1, 3), (5, 1), (6, 5)], [(0, 2), (2, 4), (4, 0)]),
    ),
    LinkedPair(
        "vote/1",
        ("e\u0301tude", "שלום", "<b>"),
        ("study", "a\u00a0b", "水"),
        Links.of([(0, 0)], [(1, 1), (1, 2)]),
    ),
    LinkedPair("vote/2", ("It", "rained", "."), ("Snow", "fell", "."), Links.of([(2, 2)])),
]
JUDGED = [
    JudgedPair(
        "dam/1",
        'The "dam" burst  on Monday 👩\u200d🚒.',
        "On Monday, the dam broke; nobody was hurt.",
        "paraphrase",
    ),
    JudgedPair(
        "vote/1",
        "e\u0301tude, שלום <b>&amp;",
        "line one and\tmore",
        "not_paraphrase",
        comment='only "half"',
        flagged=True,
    ),
    JudgedPair("vote/2", "It rained.", "Snow fell.", "not_paraphrase"),
]
