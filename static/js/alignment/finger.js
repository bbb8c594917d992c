/**
 * A finger that rests for a moment before it moves drags, as a mouse does; one that moves at once scrolls the
 * page.
 */

export const HOLD = 300; // milliseconds
const STILL = 10; // pixels that a resting finger may wander

export class Finger {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {[number, number] | null} */
  #start = null;

  /**
   * begin(event) is called with the pointerdown once a finger has rested on `root`; it has the drag until it
   * lifts.
   * @param {HTMLElement} root @param {(event: PointerEvent) => void} begin
   */
  constructor(root, begin) {
    this.holds = false;
    root.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "touch" || !event.isPrimary) return;
      this.#letGo();
      this.holds = false;
      this.#start = [event.clientX, event.clientY];
      this.#timer = setTimeout(() => {
        this.holds = true;
        globalThis.navigator?.vibrate?.(10);
        begin(event);
      }, HOLD);
    });
    root.addEventListener("pointermove", ({ pointerType, clientX, clientY }) => {
      if (pointerType !== "touch" || !this.#start) return;
      const [x, y] = this.#start;
      if (Math.hypot(clientX - x, clientY - y) > STILL) this.#letGo();
    });
    for (const end of ["pointerup", "pointercancel"]) root.addEventListener(end, () => this.#letGo());
    // While it drags, the page stays where it is, and no menu of the browser comes up.
    root.addEventListener("touchmove", (event) => {
      if (this.holds && event.cancelable) event.preventDefault();
    }, { passive: false });
    root.addEventListener("touchend", () => { this.holds = false; });
    root.addEventListener("contextmenu", (event) => { if (this.holds) event.preventDefault(); });
  }

  #letGo() {
    clearTimeout(this.#timer);
    this.#start = null;
  }
}
