from __future__ import annotations

import pytest

from paragold.languages import LANGUAGES, language
from paragold.languages.language import Language

TEXTS = [
    ("nl", "Dhr. De Wit, dir. van de bank, noemde ca. 40 banen. | Mw. Smits hield het op max. twintig."),
    ("nl", "'s Ochtends bracht ir. K. Prins o.a. 7,5 mln. gulden mee. | Wie wist dat?"),
    ("nl", "De auto's zijn d.d. 12 jan. 1999 gekeurd, zei mr. dr. Van Dam. | Zij knikte."),
    ("nl", "Het regende. | 's Morgens scheen de zon. | 't Is mooi geweest."),
    ("nl", "Dat kostte 1,3 mld. Euro's zijn schaars. | Het plan van de N.V. Philips werd verworpen."),
    ("nl", "Volgens prof. Jan Smit (o.a. KU Leuven) is dat bijv. Nederland niet gelukt. | 'Ja', zei hij."),
    ("nl", "Zij werkt in de V.S. | De president woont er ook. | Hij zag Jan. | Piet niet."),
    ("nl", "Op blz. 12 van art. 3 staat nr. 7. | ,,Jawel'', zei minister E. van der Laan."),
    ("nl", "Volgens prof.dr. Th. Jansen en J.-P. Smit klopt dat. | Mooi in de VS. | Piet won."),
    ("de", "Bis zum 9. November flossen ca. 1,4 Mrd. Mark. | Das weiß Dr. h. c. Kohl, z. B. aus Bonn."),
    ("de", 'Die Nr. 5 siegte, d. h. Bayern verlor. | "Wirklich?", rief Fr. Weber am Do. im Radio.'),
    ("de", "Im 19. Jahrhundert lebten u. a. Bauern dort. | Er wurde 85. | Sie auch."),
    (
        "de",
        "Papst Johannes Paul II. Besuch war kurz. | Er starb 2005. | Danach kam Benedikt XVI. | Der ging.",
    ),
    ("de", "Der 1. FC Köln spielt in der Hauptstr. 5 gegen den 1. FSV Mainz 05. | Am 14. Juli ist frei."),
    ("de", "Friedrich d. Gr. lebte in Potsdam. | „Wir gewinnen.“ | Das sagte er am 2. Weihnachtstag."),
    ("de", "H.-J. Müller und Dr.-Ing. Weiß kamen am 31.12. Silvester zu feiern. | Gut so."),
    ("fr", "Mme. Petit et M. Roche sont arrivés à 7 h. 15. | L'usine était vide."),
    ("fr", "M. Le Pen et Mme Dupont sont venus. | Il était 9 h. | Elle dormait."),
    ("fr", "César est mort en 44 av. J.-C. à Rome. | Voir p. 12, art. 3, etc. | Le reste suit."),
    ("fr", "J.-P. Belmondo et Ch. Pasqua sont là. | « Viens ! » dit-elle. | « Je viens. » | Il sourit."),
    ("es", "La Sra. Gil y el Dr. Paz viven en EE. UU. desde mayo. | ¿Quién lo sabía?"),
    ("es", "Vive en EE.UU. | El presidente también. | Nació en el 44 a. C. en Roma. | Murió en el 12 d. C."),
    (
        "es",
        "La S. A. de C. V. cerró. | D. Juan y Dña. Ana protestaron. | Véase la pág. 12, etc. | Cádiz ganó.",
    ),
    ("es", "Gracias a Ud. | No sé, p. ej. Madrid es grande. | Fco. Javier vive en la Avda. América."),
    ("cs", "„Půjdeme.“ | Řekl to včera. | Dobře."),
]
TOKENS = [
    (
        "nl",
        "'s Avonds in 's-Gravenhage : zo'n auto's , mond- en klauwzeer , 24-jarige , d.w.z. 2,5 mln. euro .",
    ),
    ("nl", "d.w.z. prof. J. 't Hart heeft -ie ."),
    ("de", "Am 3. Oktober z. B. gab 's 2,5 Mrd. für SPD - Chef Dr. h. c. Müller am 12 ."),
    ("fr", "Aujourd'hui , l' école d' été n' est qu' une idée : a -t-il dit « l'on » donne -le -moi ?"),
    ("fr", "c'est-à-dire celui-ci , rendez-vous quelqu'un jusqu’ à 44 av. J.-C. peut-être ."),
    ("es", "¿ Quién ? El n.º 5 de EE. UU. y EE.UU. pagó 1.000,50 € a D. Juan ."),
]
JOINED_BEFORE = {"-t-il", "-le", "-moi", "-ie", "'s", "-", "Chef"}
PLACEHOLDERS = [
    ("nl", "maandag 2,5 miljoen euro € 3 mln. 12-jarige", "%%day%% %%money%% %%money%% %%number%% -jarige"),
    ("de", "montag 3. oktober 2,5 mrd. euro", "%%day%% %%number%% oktober %%money%%"),
    ("fr", "lundi 2,5 millions d' euros , 3 € 1er", "%%day%% %%money%% , %%money%% %%number%%"),
    ("es", "lunes 2,5 millones de euros 1.º", "%%day%% %%money%% %%number%%"),
]
NUMBERS = [
    ("en", "1,000.5", "1000.5"),
    ("nl", "1.000,5", "1000.5"),
    ("de", "3.", "3"),
    ("fr", "vingt", "20"),
    ("es", "mil", "1000"),
    ("nl", "fiets", None),
]


@pytest.mark.parametrize(("tag", "marked"), TEXTS)
def test_sentences(tag: str, marked: str) -> None:
    sentences = marked.split(" | ")
    text = " ".join(sentences)
    assert [text[start:end] for start, end in language(tag).sentences(text)] == sentences


@pytest.mark.parametrize(("tag", "spaced"), TOKENS)
def test_tokens(tag: str, spaced: str) -> None:
    tokens = spaced.split(" ")
    words, starts = language(tag).tokens(glued(tag, tokens))
    assert words == tokens
    assert starts == sorted(starts)


def glued(tag: str, tokens: list[str]) -> str:
    """The text of tokens: clitics and marks without their space."""
    text = ""
    for number, token in enumerate(tokens):
        leans = token in ".,?:»" or (number > 0 and tag != "nl" and token in JOINED_BEFORE) or token == "-ie"
        before = tokens[number - 1][-1:] if number else ""
        joined = not text or leans or (before in "'’-¿«" and tokens[number - 1] != "mond-")
        text += token if joined else f" {token}"
    return text


@pytest.mark.parametrize(("tag", "text", "expected"), PLACEHOLDERS)
def test_placeholders(tag: str, text: str, expected: str) -> None:
    assert " ".join(language(tag).placeholders(text.split())) == expected


@pytest.mark.parametrize(("tag", "word", "number"), NUMBERS)
def test_numbers(tag: str, word: str, number: str | None) -> None:
    assert language(tag).number(word) == number


@pytest.mark.parametrize("known", LANGUAGES, ids=LANGUAGES.ids())
def test_words_are_in_lower_case(known: Language) -> None:
    listed = known.sentence_rules.any_case
    assert listed == {word.lower() for word in listed}
    assert not [word for word in listed | known.sentence_rules.exact_case if word.endswith(".")]
    assert known.function_words == {word.lower() for word in known.function_words}


def test_other_tags() -> None:
    assert language("nl-BE") is language("nl")
    assert (language("ar").direction, language("ja").direction) == ("rtl", "ltr")
    assert language("ja").sentences("これは本です。はい。") == [(0, 7), (7, 10)]
    assert language("xx").stem("Boeken") == "boeken"
