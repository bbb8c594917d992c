import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const css = readFileSync(new URL("../../../static/css/base.css", import.meta.url), "utf8");
const tokens = Object.fromEntries([...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(
  ([, name, light, dark]) => [name, { light, dark }],
));

/** Relative luminance and contrast ratio, WCAG 2.2. */
function luminance(hex) {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

test("suggested links are never fainter than 3:1, not even while links of other words are pointed at", () => {
  const links = readFileSync(new URL("../../../static/css/link.css", import.meta.url), "utf8");
  const rules = [...links.matchAll(/^ *([^{}\n]*(?:suggested|fading)[^{}\n]*)\{([^{}]*)\}/gm)];
  const strokes = rules.flatMap(([, selector, body]) => {
    assert.ok(!body.includes("opacity"), selector);
    return /stroke: var\(--(\w+)\)/.exec(body)?.[1] ?? [];
  });
  assert.ok(strokes.length >= 3, "in the ladder, stepped back, and in the matrix");
  for (const name of strokes) {
    for (const scheme of ["light", "dark"]) {
      const ratio = contrast(tokens[name][scheme], tokens.paper[scheme]);
      assert.ok(ratio >= 3, `${name}, ${scheme}: ${ratio.toFixed(2)}`);
    }
  }
});
