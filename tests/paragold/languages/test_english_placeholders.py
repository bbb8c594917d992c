"""Placeholders for comparison, in the manner of the papers."""

import pytest

from paragold.languages import ENGLISH


@pytest.mark.parametrize(
    ("text", "compared"),
    [
        ("the 2nd quake at 12:30", "the %%number%% quake at %%number%%"),
        ("paid $ 3.5 million to him", "paid %%money%% to him"),
        ("€5 euros and 20 cents", "%%money%% and %%money%%"),
        ("3 million dollars for 3 million people", "%%money%% for %%number%% million people"),
        ("a 3-million-dollar deal , a 5 million-euro one", "a %%money%% deal , a %%money%% one"),
        ("million $", "million $"),
        ("$ signs , b52 and mayday", "$ signs , b52 and mayday"),
        ("closed mondays , not wed. or sat. morning", "closed %%day%% , not %%day%% or %%day%% morning"),
        ("gave a $ 40 fine , a $ 5 million-a-year job", "gave a %%money%% fine , a %%money%% -a-year job"),
        ("", ""),
    ],
)
def test_numbers_days_and_money(text, compared):
    assert " ".join(ENGLISH.placeholders(text.split())) == compared


@pytest.mark.parametrize(
    ("text", "compared"),
    [
        # Brockett and Dolan 2005, table 5
        ("A 12-year-old girl was arrested", "a %%number%% -year-old girl was arrested"),
        ("two 19th-century maps", "two %%number%% -century maps"),
        ("$ 1.2 million of $1.2m", "%%money%% of %%money%%"),
        ("a $5-billion-a-year loss", "a %%money%% -a-year loss"),
        ("$30,000-a-year jobs and £175million", "%%money%% -a-year jobs and %%money%%"),
        ("1.2 million US dollars, 400m yuan", "%%money%% , %%money%%"),
        ("a 450-pound man, 3m tall", "a %%number%% -pound man , 3m tall"),
        ("the 2003-04 season, B-52s", "the %%number%% season , b-52s"),
        ("It cost US$5m, A$40 or C$5bn", "it cost %%money%% , %%money%% or %%money%%"),
        ("HK$200, NZ$3, S$4 or R$5", "%%money%% , %%money%% , %%money%% or %%money%%"),
        ("A $40 fine and a $3 million deal", "a %%money%% fine and a %%money%% deal"),
        ("40€ or 5 € or 50p", "%%money%% or %%money%% or %%money%%"),
        ("on Wed. he, on Tues. she, on Sat. they", "on %%day%% he , on %%day%% she , on %%day%% they"),
        ("Mondays and Fridays, Fri night", "%%day%% and %%day%% , %%day%% night"),
        ("The sun shone when they wed.", "the sun shone when they wed ."),
        ("Mon ami, said he who sat.", "mon ami , said he who sat ."),
        ("He may march in May, a second later", "he may march in may , a second later"),
        ("the mid-1990s, early-2000s and '90s", "the mid- %%number%% , early- %%number%% and %%number%%"),
        ("6ft tall, 5km at 3pm", "%%number%% ft tall , %%number%% km at %%number%% pm"),
        ("a 6ft-tall man of 12bn", "a %%number%% ft-tall man of %%number%% bn"),
        ("five million dollars, twenty-five euros", "%%money%% , %%money%%"),
        ("half a million pounds, a hundred yen", "%%money%% , %%money%%"),
        ("one hundred and five dollars", "%%money%%"),
        ("a five-million-dollar, ten-euro-a-day plan", "a %%money%% , %%money%% -a-day plan"),
        ("five million people, two men, a million", "five million people , two men , a million"),
        ("4 pounds of meat for 4 pounds", "%%number%% pounds of meat for %%money%%"),
        ("two pounds of sugar, two pounds", "two pounds of sugar , %%money%%"),
        ("3 million pounds of aid, 9 pounds of debt", "%%money%% of aid , %%money%% of debt"),
        ("he weighs about 200 pounds", "he weighs about %%number%% pounds"),
    ],
)  # fmt: skip
def test_words_as_the_tokeniser_makes_them(text, compared):
    assert " ".join(ENGLISH.placeholders([token.lower() for token in ENGLISH.tokens(text)[0]])) == compared
