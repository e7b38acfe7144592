// Zooming and moving the board: one transform over the sheet, the browser's own scrolling for the rest.
//
// A board whose panels are to stay where they are marks the part that is zoomed with `data-zoom`: it scrolls by itself, and
// its only child grows. `data-zoom="map"` is a map: it lies freely in its frame, the wheel zooms, and `map.js` adds the rest.
// `data-levels` are sizes at which a map changes its look: its child has the class `zoom-0`, `zoom-1` … of its level.

const STEP = 1.25;
const SMALLEST = 0.5;
/** To show all of a large board, it may become smaller than by hand. */
const SMALLEST_FIT = 0.2;
const LARGEST = 5;
/** So long after the last step of zooming a map is drawn anew. */
const HELD_MS = 240;

export class Viewport {
  constructor(whole, board) {
    const pane = board.querySelector("[data-zoom]");
    const viewport = pane ?? whole;
    this.viewport = viewport;
    this.sheet = pane?.firstElementChild ?? board;
    this.scale = 1;
    this.isMap = pane?.dataset.zoom === "map";
    this.levels = pane?.dataset.levels?.split(" ").map(Number) ?? [];
    this.fingers = new Map();
    viewport.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    viewport.addEventListener("pointerdown", (event) => this.down(event));
    viewport.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
      viewport.addEventListener(end, (event) => this.up(event));
    }
    // A drag is no click; what a key or a list clicks is none of a drag.
    viewport.addEventListener("click", (event) => {
      if (this.dragged && event.detail > 0) {
        event.stopPropagation();
        event.preventDefault();
      }
      this.dragged = false;
    }, true);
  }

  zoomBy(factor, x, y) {
    const box = this.viewport.getBoundingClientRect();
    const [px, py] = [x ?? box.left + box.width / 2, y ?? box.top + box.height / 2];
    this.zoomTo(Math.min(LARGEST, Math.max(this.isMap ? SMALLEST_FIT : Math.min(SMALLEST, this.scale), this.scale * factor)), px, py, box);
  }

  /** Sets the size; the point that is given stays where it is. */
  zoomTo(scale, px, py, box) {
    const grown = scale / this.scale;
    const left = (this.viewport.scrollLeft + px - box.left) * grown - (px - box.left);
    const top = (this.viewport.scrollTop + py - box.top) * grown - (py - box.top);
    this.scale = scale;
    // What is smaller than its frame lies in the middle.
    const aside = Math.max(0, (this.viewport.clientWidth - this.sheet.scrollWidth * scale) / 2);
    this.sheet.style.transform = scale === 1 ? "" : `translateX(${aside}px) scale(${scale})`;
    if (this.isMap) this.hold();
    else this.settle();
    this.viewport.classList.toggle("zoomed", scale !== 1 || this.isMap);
    // Where all is in sight there is nothing to scroll to.
    this.viewport.classList.toggle("all-shown", scale < 1 && this.sheet.offsetHeight * scale <= this.viewport.offsetHeight);
    this.viewport.scrollTo({ left, top, behavior: "instant" });
  }

  /** While a map is being zoomed its picture is only stretched; it is drawn anew when that is over. */
  hold() {
    this.sheet.style.willChange = "transform";
    clearTimeout(this.held);
    this.held = setTimeout(() => {
      this.sheet.style.willChange = "";
      this.settle();
    }, HELD_MS);
    if (this.settled === undefined) this.settle();
  }

  /** What a map shows at which size. Nothing is touched while its level stays the same: all of it would be styled anew. */
  settle() {
    if (this.settled === this.scale) return;
    this.settled = this.scale;
    const level = this.levels.filter((from) => this.scale >= from).length;
    if (this.levels.length) this.levels.concat(0).forEach((_, at) => this.sheet.classList.toggle(`zoom-${at}`, at === level));
  }

  zoomIn() {
    this.zoomBy(STEP);
  }

  zoomOut() {
    this.zoomBy(1 / STEP);
  }

  /** Shows all of the board, however large it is. */
  fit() {
    const { clientWidth, clientHeight } = this.viewport;
    const { scrollWidth, offsetHeight } = this.sheet;
    const fits = Math.min(1, clientWidth / scrollWidth, clientHeight / offsetHeight);
    this.zoomTo(Math.max(SMALLEST_FIT, fits), 0, 0, { left: 0, top: 0 });
    this.viewport.scrollTo({ left: 0, top: 0, behavior: "instant" });
  }

  /** Shows a piece of a map: left, top, width, height in parts of its size, not smaller than `least`. */
  showPiece([left, top, width, height], least = 0) {
    const { clientWidth, clientHeight } = this.viewport;
    const { offsetWidth, offsetHeight } = this.sheet;
    const fits = Math.min(clientWidth / (width * offsetWidth), clientHeight / (height * offsetHeight));
    this.zoomTo(Math.max(SMALLEST_FIT, least, Math.min(LARGEST, fits)), 0, 0, { left: 0, top: 0 });
    this.viewport.scrollTo({
      left: (left + width / 2) * offsetWidth * this.scale - clientWidth / 2,
      top: (top + height / 2) * offsetHeight * this.scale - clientHeight / 2,
      behavior: "instant",
    });
  }

  moveBy(dx, dy) {
    this.viewport.scrollBy({ left: dx, top: dy });
  }

  wheel(event) {
    // On a map the wheel of a mouse zooms; two fingers on a pad move it.
    const turned = this.isMap && event.deltaX === 0 && (event.deltaMode !== 0 || Math.abs(event.deltaY) >= 50);
    if (!event.ctrlKey && !turned) return;
    event.preventDefault();
    const by = event.ctrlKey ? event.deltaY * 0.01 : Math.sign(event.deltaY) * 0.2;
    this.zoomBy(Math.exp(-by), event.clientX, event.clientY);
  }

  down(event) {
    this.dragged = false;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  move(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    if (this.fingers.size === 2) {
      const [other] = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      const apart = (at) => Math.hypot(at.x - other.x, at.y - other.y) || 1;
      this.zoomBy(apart(now) / apart(before), (now.x + other.x) / 2, (now.y + other.y) / 2);
      this.dragged = true;
    } else if (event.pointerType === "mouse" && (this.dragged || Math.hypot(now.x - before.x, now.y - before.y) > 4)) {
      this.viewport.scrollBy({ left: before.x - now.x, top: before.y - now.y, behavior: "instant" });
      this.dragged = true;
      this.cover();
    } else {
      return;
    }
    this.fingers.set(event.pointerId, now);
  }

  up(event) {
    this.fingers.delete(event.pointerId);
    this.veil?.remove();
  }

  /**
   * While a map is dragged it lies under a pane of glass, which shows the closed hand and lets the pointer leave the frame. Set
   * on the map itself, the hand would be handed down to all of its thousands of parts, and what slips past would light up.
   */
  cover() {
    if (!this.isMap || this.veil?.isConnected) return;
    this.veil ??= Object.assign(document.createElement("div"), { className: "map-veil" });
    this.viewport.append(this.veil);
  }
}
