"""The inner loops of matching, compiled by Numba: importing this takes half a second and 80 MB.

Word sets are given as `offsets` and `codes`, as `WordSets` has them; `found` is room for pairs (`SCORED`), at
least for one, and what is returned has as many as were found. `plain_colliding_pairs` is the hash tables'
work as a plain loop.
"""

from typing import Any

import numpy as np

from paragold.arrays import Array
from paragold.parallel import compiled

EMPTY_KEY = np.iinfo(np.uint32).max
# Odd, so that multiplication modulo 2^32 loses nothing. The first two are those of MurmurHash3's last step.
FIRST_FACTOR = np.uint32(0x85EBCA6B)
SECOND_FACTOR = np.uint32(0xC2B2AE35)
LAST_FACTOR = np.uint32(0x9E3779B1)
GOLDEN_FACTOR = np.uint64(0x9E3779B97F4A7C15)
# Of a sentence the words are put in order one by one; with so many that would take longer than sorting.
MANY_WORDS = 64

# Above the bits of any size.
_MAGNITUDES = 40
_EACH_BYTE = np.uint64(0x0101010101010101)


@compiled
def _with_pair(found: Array, count: int, first: int, second: int, score: float) -> Array:
    """The table with a pair in row `count`, with as much room again where it is full."""
    if count == found.size:
        longer = np.empty(2 * count, found.dtype)
        # One by one: assigned as a whole, it compiles in a message about shapes, which takes two seconds.
        for row in range(count):
            longer[row] = found[row]
        found = longer
    found[count].first, found[count].second, found[count].score = first, second, score
    return found


@compiled
def _slot_of(key: Any, room: int) -> Any:
    """Where the search for a key begins in a hash table of `room` slots, a power of two."""
    return np.int64(np.uint64(np.uint64(key) * GOLDEN_FACTOR) >> np.uint64(40)) & (room - 1)


@compiled
def _slots_of(keys: Array, room: int) -> Array:
    """The hash table of the keys, with their indices; -1 in an empty slot."""
    slots = np.full(room, -1, np.int32)
    for index in range(keys.size):
        slot = _slot_of(keys[index], room)
        while slots[slot] >= 0:
            slot = (slot + 1) & (room - 1)
        slots[slot] = index
    return slots


@compiled
def numbered_words(text: Array, words: int, end: int) -> Any:
    """The number of each word by first appearance, and how many different words there are.

    text: uint8, the words one after the other, each with the byte `end` behind it, which is in none.
    """
    numbers = np.empty(words, np.int32)
    starts = np.empty(words, np.int64)
    lengths = np.empty(words, np.int32)
    # A word of up to eight bytes is its key; longer ones fold into it, and are compared byte by byte.
    keys = np.empty(words, np.uint64)
    room = 1 << 12
    slots = np.full(room, -1, np.int32)
    known = 0
    place = 0
    for word in range(words):
        start = place
        key = np.uint64(0)
        byte = text[place]
        while byte != end:
            key = np.uint64((key << np.uint64(8)) | (key >> np.uint64(56))) ^ np.uint64(byte)
            place += 1
            byte = text[place]
        length = place - start
        place += 1
        slot = _slot_of(key, room)
        while True:
            number = slots[slot]
            if number < 0:
                number = known
                known += 1
                keys[number] = key
                starts[number] = start
                lengths[number] = length
                slots[slot] = number
                if 2 * known > room:
                    room *= 2
                    slots = _slots_of(keys[:known], room)
                break
            if keys[number] == key and lengths[number] == length:
                same = length if length <= 8 else 0
                while same < length and text[starts[number] + same] == text[start + same]:
                    same += 1
                if same == length:
                    break
            slot = (slot + 1) & (room - 1)
        numbers[word] = number
    return numbers, known


@compiled
def rarest_first(bounds: Array, numbers: Array, words: int) -> Any:
    """Sets of words out of lists: codes, offsets.

    Text t is numbers[bounds[t]:bounds[t + 1]], numbers from 0 to words - 1. The rarest word (in texts; then
    that of the lowest number) gets the code 0; the codes of a text are ascending and distinct.
    """
    texts = bounds.size - 1
    offsets = np.zeros(bounds.size, np.int64)
    occurring = np.empty(numbers.size, np.int32)
    frequencies = np.zeros(words, np.int32)
    seen_in = np.full(words, -1, np.int32)
    size = 0
    for text in range(texts):
        for place in range(bounds[text], bounds[text + 1]):
            word = numbers[place]
            if seen_in[word] != text:
                seen_in[word] = text
                frequencies[word] += 1
                occurring[size] = word
                size += 1
        offsets[text + 1] = size
    # Sorted by counting: where the words of each frequency begin.
    heads = np.zeros(texts + 2, np.int64)
    for word in range(words):
        heads[frequencies[word] + 1] += 1
    heads = np.cumsum(heads)
    codes_of = np.empty(words, np.int32)
    for word in range(words):
        codes_of[word] = heads[frequencies[word]]
        heads[frequencies[word]] += 1
    codes = np.empty(size, np.int32)
    for text in range(texts):
        start = offsets[text]
        if offsets[text + 1] - start > MANY_WORDS:
            for place in range(start, offsets[text + 1]):
                codes[place] = codes_of[occurring[place]]
            codes[start : offsets[text + 1]].sort()
            continue
        for place in range(start, offsets[text + 1]):
            code = codes_of[occurring[place]]
            free = place
            while free > start and codes[free - 1] > code:
                codes[free] = codes[free - 1]
                free -= 1
            codes[free] = code
    return codes, offsets


@compiled
def minimum_places(offsets: Array, codes: Array, multipliers: Array, increments: Array) -> Array:
    """The minimum place of a text's words in each permuted dictionary, shape (texts, multipliers.size).

    A permutation maps the numbers of 32 bits onto each other, one to one: no two words share a place.
    """
    # Every step is cast back to 32 bits; nothing is looked up.
    texts = offsets.size - 1
    columns = multipliers.size
    keys = np.empty((texts, columns), np.uint32)
    minima = np.empty(columns, np.uint32)
    half = np.uint32(16)
    for text in range(texts):
        minima[:] = EMPTY_KEY
        for place in range(offsets[text], offsets[text + 1]):
            mixed = np.uint32(codes[place])
            mixed = np.uint32(np.uint32(mixed ^ np.uint32(mixed >> half)) * FIRST_FACTOR)
            mixed = np.uint32(np.uint32(mixed ^ np.uint32(mixed >> np.uint32(13))) * SECOND_FACTOR)
            mixed = np.uint32(mixed ^ np.uint32(mixed >> half))
            for column in range(columns):
                shuffled = np.uint32(mixed * multipliers[column] + increments[column])
                shuffled = np.uint32(shuffled ^ np.uint32(shuffled >> half))
                minima[column] = min(minima[column], np.uint32(shuffled * LAST_FACTOR))
        for column in range(columns):
            keys[text, column] = minima[column]
    return keys


@compiled
def hash_tables(keys: Array, split: int) -> Any:
    """A hash table for each permutation: listed, after, ends.

    keys: shape (texts, permutations). `listed` holds the texts of every entry side by side, ascending, from
    `split` on. Those of the entry of text t in table k that come after t, or all where t is before `split`,
    are listed[after[k, t]:ends[k, t]].
    """
    texts, columns = keys.shape
    after = np.empty((columns, texts), np.uint32)
    ends = np.empty((columns, texts), np.uint32)
    listed = np.empty(columns * (texts - split), np.int32)
    room = 2
    while room < 2 * texts:
        room *= 2
    mask = np.uint32(room - 1)
    known = np.empty(room, np.uint32)
    slots = np.empty(room, np.int32)
    entries = np.empty(texts, np.int32)
    filled = np.empty(texts, np.int64)
    start = 0
    for column in range(columns):
        slots[:] = -1
        count = 0
        for text in range(texts):
            key = keys[text, column]
            slot = (key ^ (key >> np.uint32(15))) & mask
            while slots[slot] >= 0 and known[slot] != key:
                slot = (slot + np.uint32(1)) & mask
            if slots[slot] < 0:
                slots[slot] = count
                known[slot] = key
                filled[count] = 0
                count += 1
            entries[text] = slots[slot]
            filled[slots[slot]] += text >= split
        for entry in range(count):
            size = filled[entry]
            filled[entry] = start
            start += size
        for text in range(texts):
            entry = entries[text]
            if text >= split:
                listed[filled[entry]] = text
                filled[entry] += 1
            after[column, text] = filled[entry]
        for text in range(texts):
            ends[column, text] = filled[entries[text]]
    return listed, after, ends


@compiled
def _packed(keys: Array) -> Array:
    """A byte of each key, eight in a number, shape (texts, ceil(permutations / 8))."""
    texts, columns = keys.shape
    marks = np.zeros((texts, (columns + 7) // 8), np.uint64)
    for text in range(texts):
        for column in range(columns):
            key = keys[text, column]
            mark = np.uint64(np.uint8(key ^ (key >> np.uint32(8)) ^ (key >> np.uint32(16))))
            marks[text, column >> 3] |= mark << np.uint64(8 * (column & 7))
    return marks


@compiled
def neighbours_mixed(keys: Array) -> Array:
    """A number from each key and the next of its text, after the last the first; shape of `keys`."""
    mixed = np.empty_like(keys)
    texts, columns = keys.shape
    for text in range(texts):
        for column in range(columns):
            other = keys[text, column + 1 - columns * (column + 1 == columns)]
            number = np.uint32(np.uint32(keys[text, column] * FIRST_FACTOR) ^ np.uint32(other * LAST_FACTOR))
            mixed[text, column] = np.uint32(number ^ np.uint32(number >> np.uint32(15)))
    return mixed


@compiled
def colliding_pairs(
    keys: Array, entered: Array, split: int, minimum: int, quota: int, needed: int, largest: int, found: Array
) -> Array:
    """Pairs of texts with at least `minimum` equal keys, found in hash tables; the score is how many.

    The tables are those of `entered`, keys or what is mixed from them. A text looks its partners up in its
    `quota` smallest entries, but for those with more than `largest` texts after it; of those that it meets
    `needed` times there all keys are compared.
    """
    texts, columns = keys.shape
    listed, after, ends = hash_tables(entered, split)
    marks = _packed(keys)
    words = marks.shape[1]
    count = 0
    # How often a text was met, above `base`, which rises from text to text so that nothing is cleared.
    met = np.zeros(texts, np.int64)
    base = 0
    chosen = np.empty(texts, np.int32)
    # Entries by the bits of their size: sorting them would take longer than what it saves.
    bits = np.zeros(1024, np.int32)
    for size in range(1, 1024):
        bits[size] = bits[size >> 1] + 1
    magnitudes = np.empty(columns, np.int32)
    histogram = np.empty(_MAGNITUDES, np.int32)
    for text in range(split if split else texts):
        histogram[:] = 0
        for column in range(columns):
            size = ends[column, text] - after[column, text]
            magnitude = 0
            while size >= 1024:
                size >>= 10
                magnitude += 10
            magnitude += bits[size]
            magnitudes[column] = magnitude
            histogram[magnitude] += 1
        left, edge = quota, 0
        while edge < _MAGNITUDES and histogram[edge] < left:
            left -= histogram[edge]
            edge += 1
        candidates = 0
        for column in range(columns):
            if magnitudes[column] >= edge:
                if magnitudes[column] > edge or left == 0:
                    continue
                left -= 1
            if ends[column, text] - after[column, text] > largest:
                continue
            for place in range(after[column, text], ends[column, text]):
                other = listed[place]
                now = max(met[other], base) + 1
                met[other] = now
                if now == base + needed:
                    chosen[candidates] = other
                    candidates += 1
        base += columns
        for candidate in range(candidates):
            other = chosen[candidate]
            different = np.int64(0)
            for word in range(words):
                unequal = marks[text, word] ^ marks[other, word]
                unequal |= unequal >> np.uint64(4)
                unequal |= unequal >> np.uint64(2)
                unequal |= unequal >> np.uint64(1)
                different += np.int64(((unequal & _EACH_BYTE) * _EACH_BYTE) >> np.uint64(56))
            if different > columns - minimum:
                continue
            both = np.uint32(0)
            for column in range(columns):
                both += np.uint32(keys[text, column] == keys[other, column])
            if both < minimum:
                continue
            found = _with_pair(found, count, text, other, float(both))
            count += 1
    return found[:count].copy()


def plain_colliding_pairs(keys: Array, split: int, minimum: int) -> list[tuple[int, int, int]]:
    """The pairs with `minimum` equal keys, by comparing all keys of every two texts.

    Texts before `split` are compared with those from there on, or with 0 all with all.
    """
    pairs = []
    for first in range(split or len(keys)):
        equal = (keys == keys[first]).sum(axis=1)
        partners = range(max(first + 1, split), len(keys))
        pairs += [(first, second, int(equal[second])) for second in partners if equal[second] >= minimum]
    return pairs


@compiled
def shared_words(offsets: Array, codes: Array, first: Array, second: Array) -> Array:
    """How many words the two texts of each pair share, shape (pairs,)."""
    counts = np.empty(first.size, np.int64)
    for pair in range(first.size):
        place, end = offsets[first[pair]], offsets[first[pair] + 1]
        other, other_end = offsets[second[pair]], offsets[second[pair] + 1]
        shared = 0
        while place < end and other < other_end:
            difference = codes[place] - codes[other]
            shared += difference == 0
            place += difference <= 0
            other += difference >= 0
        counts[pair] = shared
    return counts


@compiled
def jaccard(codes: Array, start: int, end: int, other_start: int, other_end: int, threshold: float) -> float:
    """Jaccard of two ascending stretches of codes, or -1 as soon as it must stay below the threshold."""
    size = end - start
    other_size = other_end - other_start
    # |A n B| >= t / (1 + t) * (|A| + |B|); a little less, so that rounding drops no pair.
    needed = threshold / (1.0 + threshold) * (size + other_size) - 1e-6
    shared = 0
    while start < end and other_start < other_end:
        if shared + min(end - start, other_end - other_start) < needed:
            return -1.0
        difference = codes[start] - codes[other_start]
        shared += difference == 0
        start += difference <= 0
        other_start += difference >= 0
    similarity = shared / max(size + other_size - shared, 1)
    return similarity if similarity >= threshold else -1.0


@compiled
def similar_sets(offsets: Array, codes: Array, threshold: float, split: int, found: Array) -> Array:
    """All pairs with Jaccard >= threshold, each once, in any order.

    By prefix filtering (Bayardo, Ma & Srikant 2007): similar sets share one of their rarest words.

    Of n words at least ceil(t * n) must be shared, so one of the n - ceil(t * n) + 1 rarest words is.
    """
    texts = offsets.size - 1
    sizes = offsets[1:] - offsets[:-1]
    prefixes = sizes - np.ceil(threshold * sizes - 1e-9).astype(np.int64) + 1
    prefixes = np.minimum(np.maximum(prefixes, 0), sizes)
    words = codes.max() + 1 if codes.size else 1
    # Texts under each word of their prefix, by size, so that those of a fitting size are together.
    heads = np.zeros(words + 1, np.int64)
    for text in range(split, texts):
        for place in range(offsets[text], offsets[text] + prefixes[text]):
            heads[codes[place] + 1] += 1
    heads = np.cumsum(heads)
    listed = np.empty(heads[-1], np.int32)
    filled = heads[:-1].copy()
    for text in np.argsort(sizes[split:], kind="mergesort") + split:
        for place in range(offsets[text], offsets[text] + prefixes[text]):
            listed[filled[codes[place]]] = text
            filled[codes[place]] += 1
    count = 0
    seen_by = np.full(texts, -1, np.int64)
    for text in range(split if split else texts):
        start, end = offsets[text], offsets[text + 1]
        smallest = threshold * sizes[text] - 1e-9
        largest = sizes[text] / threshold + 1e-9
        for place in range(start, start + prefixes[text]):
            low, high = heads[codes[place]], heads[codes[place] + 1]
            top = high
            while low < top:
                middle = (low + top) // 2
                if sizes[listed[middle]] < smallest:
                    low = middle + 1
                else:
                    top = middle
            for position in range(low, high):
                other = listed[position]
                if sizes[other] > largest:
                    break
                if other <= text or seen_by[other] == text:
                    continue
                seen_by[other] = text
                score = jaccard(codes, start, end, offsets[other], offsets[other + 1], threshold)
                if score < 0:
                    continue
                found = _with_pair(found, count, text, other, score)
                count += 1
    return found[:count].copy()


@compiled
def similar_in_groups(
    offsets: Array, codes: Array, members: Array, bounds: Array, threshold: float, split: int, found: Array
) -> Array:
    """As `similar_sets`, of pairs within a group only; a pair in several groups may come several times.

    Group g is members[bounds[g]:bounds[g + 1]], ascending.
    """
    count = 0
    for group in range(bounds.size - 1):
        for left in range(bounds[group], bounds[group + 1]):
            text = members[left]
            if split and text >= split:
                break
            start, end = offsets[text], offsets[text + 1]
            size = end - start
            for right in range(left + 1, bounds[group + 1]):
                other = members[right]
                if split and other < split:
                    continue
                other_size = offsets[other + 1] - offsets[other]
                if min(size, other_size) < threshold * max(size, other_size) - 1e-9:
                    continue
                score = jaccard(codes, start, end, offsets[other], offsets[other + 1], threshold)
                if score < 0:
                    continue
                found = _with_pair(found, count, text, other, score)
                count += 1
    return found[:count].copy()
