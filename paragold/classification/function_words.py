"""Small closed classes of English words."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTION_WORDS = _words(
    """a about above after again against all also am an and another any are as at be because been
    before being below between both but by can could did do does doing down during each few for from
    further had has have having he her here hers him his how i if in into is it its itself just may
    me might more most must my no nor not now of off on once only or other our out over own per same
    shall she should so some such than that the their them then there these they this those through
    to too under until up upon us very was we were what when where which while who whom whose why
    will with would you your 's 're 've 'll 'd 'm n't"""
)

NEGATIONS = _words(
    """no not n't never none nobody nothing neither nor without cannot deny denied denies denying fail
    failed fails failing unable unlikely refuse refused refuses refusing"""
)

UPWARD = _words(
    """up rise rises rose risen rising gain gains gained gaining climb climbs climbed climbing jump
    jumps jumped jumping surge surges surged surging soar soars soared soaring increase increases
    increased increasing grow grows grew grown growing higher advance advances advanced rally
    rallied more above stronger exceed exceeded improve improved"""
)

DOWNWARD = _words(
    """down fall falls fell fallen falling drop drops dropped dropping decline declines declined
    declining slip slips slipped slipping slide slides slid sliding plunge plunges plunged tumble
    tumbled decrease decreases decreased decreasing shrink shrank lower lose loses lost losing less
    below weaker sink sank dip dipped worsen worsened"""
)
