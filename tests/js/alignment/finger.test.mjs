import assert from "node:assert/strict";
import { test } from "node:test";
import { Finger, HOLD } from "../../../static/js/alignment/finger.js";

function setUp(context) {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const root = new EventTarget();
  const begun = [];
  const finger = new Finger(root, (event) => begun.push(event.clientY));
  const send = (type, values = {}) => {
    const event = Object.assign(
      new Event(type, { cancelable: true }),
      { pointerType: "touch", isPrimary: true, clientX: 5, clientY: 5, ...values },
    );
    root.dispatchEvent(event);
    return event;
  };
  return { finger, begun, send, wait: (time) => context.mock.timers.tick(time) };
}

test("a finger that rests has the drag, and the page does not scroll under it", (context) => {
  const { finger, begun, send, wait } = setUp(context);
  send("pointerdown");
  send("pointermove", { clientY: 9 });
  wait(HOLD);
  assert.deepEqual([finger.holds, begun], [true, [5]]);
  assert.ok(send("touchmove").defaultPrevented);
  send("pointerup");
  assert.ok(finger.holds, "until the touch has ended, for who hears of the pointer first");
  send("touchend");
  assert.ok(!finger.holds);
  assert.ok(!send("touchmove").defaultPrevented);
});

test("one that moves at once scrolls, one that lifts taps, a mouse does neither", (context) => {
  const { finger, begun, send, wait } = setUp(context);
  send("pointerdown");
  send("pointermove", { clientY: 40 });
  wait(HOLD);
  send("pointerdown");
  send("pointerup");
  wait(HOLD);
  send("pointerdown", { pointerType: "mouse" });
  wait(HOLD);
  send("pointerdown");
  send("pointercancel");
  wait(HOLD);
  assert.deepEqual([finger.holds, begun], [false, []]);
});
