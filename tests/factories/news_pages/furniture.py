"""What stands around a story: menus, advertisements, comments, teasers, notices. All of it made up here."""

from __future__ import annotations

MENU = ("Home", "World", "Politics", "Business", "Science", "Culture", "Sport", "Weather", "Opinion", "Video")

ADVERTISEMENTS = (
    "Sleep better from tonight. The Halden mattress comes with a hundred nights to change your mind.",
    "Advertisement. Fly to the southern islands from 49 crowns, every morning except Sundays.",
    "Your neighbours have switched their electricity supplier. Compare twelve tariffs in two minutes.",
    "Sponsored: Seven things that a good accountant would never tell you, and one that he should.",
)

COMMENTS = (
    "I live two streets away and heard nothing about it until the evening. Why does nobody warn people?",
    "Thank you for this report. My grandfather worked there for years, and he always said it would come.",
    "With respect, the writer has never been there. It was not like this at all, ask anybody in the town.",
    "First! Also, who pays for all of this? We do, as always, and next year they will ask for more.",
    "Can somebody explain why it takes the authorities three days to answer a plain question?",
    "This is the second time in five years. I hope that everybody is well, and that they learn from it.",
)

TEASERS = (
    "The minister who would not resign: how a quiet lawyer outlived four governments.",
    "Bakers in the old town say that the price of flour has doubled since spring.",
    "A river returns: ten years after the dam was taken down, the salmon are back.",
    "Cup final goes to a replay after the floodlights failed in the last minute.",
    "What your dentist knows about you, and what she is allowed to tell.",
    "In pictures: the longest night of the year, from the lighthouse to the opera.",
)

NOTICES = (
    "We and our 214 partners store cookies on your device to show advertisements that fit you. Accept all.",
    "Get the morning letter. The news of the day in your mailbox before breakfast, from Monday to Friday.",
    "You have read two of your three free articles this month. Subscribe for one crown a week.",
    "Follow us. Share this article. Print. Save for later.",
)

ABOUT_THE_AUTHOR = (
    "Ines Varga has reported from the coast since 2011 and won two prizes for her work on the fishing fleet.",
    "Our reporter writes about cities and the people who run them. Write to the desk with what you know.",
)

COPYRIGHT = "All rights reserved. No part of this site may be reproduced without permission in writing."
CAPTIONS = (
    "The scene on the morning after. Photograph: Anna Lind",
    "Residents waiting for news. Archive picture: The Desk",
)
