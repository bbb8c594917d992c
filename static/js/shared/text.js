/**
 * Shows stored text as it is stored: never as markup, isolated from its surroundings, with characters that
 * cannot be seen (direction controls, zero-width characters, control characters) named where they stand.
 *
 * @typedef {object} Text a sentence or a headline
 * @property {string} text
 * @property {string} [language]
 * @property {string} [direction]
 *
 * `starts` are the tokens' offsets in code points.
 * @typedef {Text & { tokens: string[], starts: number[] }} Sentence
 *
 * @typedef {"a" | "b"} Side one of the two sentences of a pair
 */

import { gettext } from "./texts.js";

/** @type {Side[]} */
export const SIDES = ["a", "b"];

const INVISIBLE = new RegExp(
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e"
  + "\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0]|[\\u{e0000}-\\u{e007f}]",
  "gu",
);
/** @type {Record<number, string>} */
const NAMES = {
  0xad: "soft hyphen", 0x61c: "arabic letter mark", 0x200b: "zero-width space",
  0x200c: "zero-width non-joiner", 0x200d: "zero-width joiner",
  0x200e: "left-to-right mark", 0x200f: "right-to-left mark",
  0x2028: "line separator", 0x2029: "paragraph separator", 0x202a: "left-to-right embedding",
  0x202b: "right-to-left embedding", 0x202c: "end of direction", 0x202d: "left-to-right override",
  0x202e: "right-to-left override", 0x2060: "word joiner", 0x2066: "left-to-right isolate",
  0x2067: "right-to-left isolate", 0x2068: "first strong isolate", 0x2069: "end of isolate",
  0xfeff: "zero-width no-break space",
};
const PICTURE = /\p{Extended_Pictographic}/u;
// A joiner between letters of these scripts, or between emoji, is spelling and not a trick.
const JOINING_SCRIPTS = [
  "Arabic", "Syriac", "Mongolian", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Tamil", "Telugu",
  "Kannada", "Malayalam", "Sinhala",
];
const JOINING = new RegExp(`[${JOINING_SCRIPTS.map((script) => `\\p{Script=${script}}`).join("")}]`, "u");

const LETTER = /\p{L}/u;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * The direction of a text: what is stored of it, else that of its first letter.
 * @param {Text} text @returns {"ltr" | "rtl"}
 */
export function directionOf({ text, direction }) {
  if (direction === "ltr" || direction === "rtl") return direction;
  return RIGHT_TO_LEFT.test(LETTER.exec(text)?.[0] ?? "") ? "rtl" : "ltr";
}

/**
 * The direction of a word that stands alone: its own, or that of its sentence where it has no letters, so
 * that brackets look as they do there.
 * @param {string} token @param {"ltr" | "rtl"} sentence
 */
export const wordDirection = (token, sentence) => (
  LETTER.test(token) ? directionOf({ text: token }) : sentence);

/** @param {string} text @param {number} index @param {number} code */
function isSpelling(text, index, code) {
  const before = [...text.slice(Math.max(0, index - 4), index)].at(-1) ?? "";
  const after = String.fromCodePoint(text.codePointAt(index + 1) ?? 0);
  const picture = before === "\ufe0f" || PICTURE.test(before) || /\p{Emoji_Modifier}/u.test(before);
  if (code === 0x200d && picture && PICTURE.test(after)) return true;
  return (code === 0x200c || code === 0x200d) && JOINING.test(before);
}

/**
 * Cuts a string into what can be seen and what cannot: [{text}, {text, name: "U+202E", title: "..."}, ...].
 * The texts joined give the string back.
 * @param {string} text @returns {{ text: string, name?: string, title?: string }[]}
 */
export function splitInvisible(text) {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(INVISIBLE)) {
    const code = match[0].codePointAt(0) ?? 0;
    const { index = 0 } = match;
    if (isSpelling(text, index, code)) continue;
    if (index > from) parts.push({ text: text.slice(from, index) });
    const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
    parts.push({ text: match[0], name, title: NAMES[code] ?? gettext("invisible character") });
    from = index + match[0].length;
  }
  if (from < text.length || !parts.length) parts.push({ text: text.slice(from) });
  return parts;
}

/**
 * Offsets in code points -> offsets in UTF-16 units, for the given string.
 * @param {string} text @param {number[]} offsets
 */
export function toUnits(text, offsets) {
  if (!/[\ud800-\udfff]/.test(text)) return [...offsets];
  const units = [0];
  let unit = 0;
  for (const character of text) units.push(unit += character.length);
  return offsets.map((offset) => units[Math.min(offset, units.length - 1)]);
}

/**
 * The spans [from, to) in UTF-16 units of the tokens whose indices are in `chosen`; neighbours are joined.
 * @param {Sentence} sentence @param {Iterable<number>} chosen
 */
export function spansOf({ text, tokens, starts }, chosen) {
  const begin = toUnits(text, starts);
  /** @type {[number, number][]} */
  const spans = [];
  let previous = -2;
  for (const index of [...chosen].sort((x, y) => x - y)) {
    const to = begin[index] + tokens[index].length;
    if (index === previous + 1) spans[spans.length - 1][1] = to;
    else spans.push([begin[index], to]);
    previous = index;
  }
  return spans;
}

/**
 * A string as nodes, with what cannot be seen marked.
 * @param {string} text
 */
export function textNodes(text) {
  return splitInvisible(text).map((part) => {
    if (!part.name) return document.createTextNode(part.text);
    // <bdi> keeps the character (a copy of the text is exact) and ends its effect on the letters after it.
    const mark = document.createElement("bdi");
    mark.className = "invisible";
    mark.dataset.name = part.name;
    mark.title = part.title ?? "";
    mark.textContent = part.text;
    return mark;
  });
}

/**
 * A sentence in a <bdi>, with the tokens in `chosen` (indices) in <mark>; a headline has no tokens to mark.
 * @param {Text | Sentence} sentence @param {Set<number>} [chosen]
 */
export function sentenceNode(sentence, chosen = new Set()) {
  const { text } = sentence;
  const isolated = document.createElement("bdi");
  isolated.dir = sentence.direction || "auto";
  if (sentence.language) isolated.lang = sentence.language;
  let from = 0;
  for (const [start, end] of chosen.size && "tokens" in sentence ? spansOf(sentence, chosen) : []) {
    isolated.append(...textNodes(text.slice(from, start)));
    const mark = document.createElement("mark");
    mark.append(...textNodes(text.slice(start, end)));
    isolated.append(mark);
    from = end;
  }
  isolated.append(...textNodes(text.slice(from)));
  return isolated;
}

/**
 * The two sentences of a pair, for those who hear the page.
 * @param {Record<Side, { text: string }>} pair
 */
export function bothSentences({ a, b }) {
  return `${gettext("First sentence:")} ${a.text} ${gettext("Second sentence:")} ${b.text}`;
}
