/**
 * The words of one token list that have no partner in the other, by the longest common subsequence of the
 * lower-cased tokens. Returns {a: Set<index>, b: Set<index>}. Time and space are |a| x |b|.
 * @param {string[]} a @param {string[]} b
 */
export function differingTokens(a, b) {
  const left = a.map((token) => token.toLowerCase());
  const right = b.map((token) => token.toLowerCase());
  const width = right.length + 1;
  // longest[i * width + j]: the length of the common subsequence of left[i:] and right[j:].
  const longest = new Uint32Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] = left[i] === right[j]
        ? longest[(i + 1) * width + j + 1] + 1
        : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  const only = { a: new Set(left.keys()), b: new Set(right.keys()) };
  for (let i = 0, j = 0; i < left.length && j < right.length;) {
    if (left[i] === right[j]) {
      only.a.delete(i);
      only.b.delete(j);
      i += 1;
      j += 1;
    } else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) i += 1;
    else j += 1;
  }
  return only;
}
