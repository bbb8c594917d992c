import assert from "node:assert/strict";
import { test } from "node:test";

import {
  cellAt, cellSize, curveOf, distanceTo, nearestCurve, pathOf, pointAt, ports, rectangleCells, rowAt,
} from "../../../static/js/alignment/geometry.js";

const box = { rowHeight: 24, width: 200 };

test("a curve joins the middles of its two rows", () => {
  const curve = curveOf(0, 3, box);
  assert.deepEqual(curve, { x0: 0, y0: 12, x1: 200, y1: 84 });
  assert.equal(pathOf(curve), "M0 12C100 12 100 84 200 84");
  assert.deepEqual(pointAt(curve, 0), [0, 12]);
  assert.deepEqual(pointAt(curve, 0.5), [100, 48]);
  assert.deepEqual(pointAt(curve, 1), [200, 84]);
});

test("points on a curve are near it, others are as far as they are", () => {
  const curve = curveOf(2, 40, box);
  for (const t of [0, 0.13, 0.41, 0.77, 1]) {
    assert.ok(distanceTo(curve, ...pointAt(curve, t)) < 1, `t = ${t}`);
  }
  assert.equal(distanceTo(curveOf(1, 1, box), 100, 46), 10);
});

test("the nearest curve within the tolerance is found, or none", () => {
  const curves = [["0-0", curveOf(0, 0, box)], ["1-1", curveOf(1, 1, box)]];
  assert.equal(nearestCurve(curves, 90, 15, 6), "0-0");
  assert.equal(nearestCurve(curves, 90, 33, 6), "1-1");
  assert.equal(nearestCurve(curves, 90, 24, 6), null);
});

test("the links of one word leave it in the order of their other words, within the row", () => {
  const offsets = ports([[0, 5], [0, 2], [0, 9], [3, 2]], 24);
  assert.ok(offsets.get("0-2").a < offsets.get("0-5").a && offsets.get("0-5").a < offsets.get("0-9").a);
  assert.equal(offsets.get("0-5").a, 0);
  assert.ok(offsets.get("0-2").b < offsets.get("3-2").b);
  assert.equal(offsets.get("0-9").b, 0, "a single link meets the middle of the row");
  const crowd = ports(Array.from({ length: 60 }, (_, j) => [0, j]), 24);
  assert.ok([...crowd.values()].every(({ a }) => Math.abs(a) < 12));
});

test("rows and cells under a point", () => {
  assert.deepEqual([rowAt(-4, 24, 9), rowAt(47, 24, 9), rowAt(999, 24, 9)], [0, 1, 8]);
  assert.deepEqual(cellAt(31, 16, 15, 4, 4), [1, 2]);
  assert.equal(cellAt(61, 16, 15, 4, 4), null);
  assert.deepEqual(cellAt(900, -3, 15, 4, 4, true), [0, 3]);
  assert.deepEqual(rectangleCells([2, 1], [1, 2]), [[1, 1], [1, 2], [2, 1], [2, 2]]);
  assert.deepEqual(
    [cellSize(400, 20, 6, 16), cellSize(400, 40, 6, 16), cellSize(400, 200, 6, 16)], [16, 10, 6],
  );
});
