// Marks over the board: where the last things happened, and what moved from where to where.
//
// A place is an anchor: the id of an element, or id:x,y,width,height, a box in the coordinates of a drawing. The marks lie in a
// drawing of their own over the sheet, or over its map, which is drawn anew whenever the sheet gets another size.

const SVG = "http://www.w3.org/2000/svg";
/** So far a ring stands off what it marks. */
const OFF = 4;
/** More marks than this would hide the board. */
const MOST = 60;

const make = (name, attributes) => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

/** What the lines of the log say about places: those in some steps or actions, in order. */
export function linesIn(elements) {
  return [...elements].flatMap((element) => {
    const lines = element.matches("p, summary") ? [element] : [...element.querySelectorAll("p")];
    return lines
      .filter((line) => line.dataset.at || line.dataset.to || line.dataset.lost)
      .map((line) => ({ ...line.dataset, at: line.dataset.at?.split(" ") ?? [], action: line.closest("li") }));
  });
}

export class Traces {
  constructor(sheet) {
    this.sheet = sheet;
    this.layer = make("svg", { id: "traces", class: "traces", "aria-hidden": "true" });
    this.layer.innerHTML = '<defs><marker id="trace-head" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="5" markerHeight="5" orient="auto-start-reverse"><path d="M0 0L10 5L0 10z"/></marker></defs>';
    this.marks = this.layer.appendChild(make("g", { class: "last" }));
    this.lit = this.layer.appendChild(make("g", { class: "pointed-at" }));
    // On a map the marks move and grow with it.
    this.ground = sheet.querySelector('[data-zoom="map"]')?.firstElementChild ?? sheet;
    this.ground.append(this.layer);
    this.lines = [];
    new ResizeObserver(() => this.draw(this.marks, this.lines)).observe(sheet);
  }

  /** Marks what some lines say, instead of what was marked before. */
  show(lines) {
    this.lines = lines;
    this.draw(this.marks, lines);
  }

  /** Lights what some lines say, until something else is pointed at. */
  light(lines) {
    this.draw(this.lit, lines);
  }

  clear() {
    this.show([]);
  }

  /** The box of an anchor on the screen; null where it is not on the page. */
  onScreen(anchor) {
    const [id, inside] = anchor.split(":");
    const element = document.getElementById(id);
    // What is off the board has no place there.
    if (!element || element.classList.contains("off")) return null;
    let { left, top, right, bottom } = element.getBoundingClientRect();
    if (inside) {
      const [x, y, width, height] = inside.split(",").map(Number);
      const matrix = element.getScreenCTM?.();
      if (!matrix) return null;
      ({ x: left, y: top } = new DOMPoint(x, y).matrixTransform(matrix));
      ({ x: right, y: bottom } = new DOMPoint(x + width, y + height).matrixTransform(matrix));
    }
    return right - left < 1 && bottom - top < 1 ? null : { left, top, right, bottom };
  }

  /** The same in the coordinates of the sheet, or of what lies on it. */
  box(anchor, on = this.sheet) {
    const at = this.onScreen(anchor);
    if (!at) return null;
    const { left, top, right, bottom } = at;
    const ground = on.getBoundingClientRect();
    const scale = ground.width / on.offsetWidth || 1;
    return {
      x: (left - ground.left) / scale,
      y: (top - ground.top) / scale,
      width: (right - left) / scale,
      height: (bottom - top) / scale,
    };
  }

  /** Brings an anchor into sight on a board that scrolls: where it comes in first, or at the upper edge. */
  reveal(anchor, atTop = false) {
    const pane = document.getElementById(anchor.split(":")[0])?.closest("[data-zoom], #viewport");
    const at = this.onScreen(anchor);
    if (!pane || !at) return;
    const frame = pane.getBoundingClientRect();
    const way = (from, to, low, high) => (from < low ? from - low : Math.max(0, Math.min(to - high, from - low)));
    const top = atTop ? at.top - frame.top - OFF : way(at.top, at.bottom, frame.top, frame.bottom);
    pane.scrollBy({ left: way(at.left, at.right, frame.left, frame.right), top, behavior: "instant" });
  }

  /** Brings an anchor to the middle of a map, unless it is well in sight. */
  follow(anchor) {
    const pane = document.getElementById(anchor.split(":")[0])?.closest('[data-zoom="map"]');
    const at = this.onScreen(anchor);
    if (!pane || !at) return;
    const frame = pane.getBoundingClientRect();
    const [left, top] = [(at.left + at.right) / 2 - frame.left - frame.width / 2, (at.top + at.bottom) / 2 - frame.top - frame.height / 2];
    if (Math.abs(left) > frame.width * 0.38 || Math.abs(top) > frame.height * 0.38) pane.scrollBy({ left, top, behavior: "instant" });
  }

  draw(group, lines) {
    group.replaceChildren();
    const ringed = new Set();
    /** Where the last thing of an action happened: what moves on from there has no other beginning. */
    let last = null;
    let action = null;
    for (const line of lines.slice(-MOST)) {
      if (line.action !== action) last = null;
      action = line.action;
      for (const anchor of line.at) {
        if (!ringed.has(anchor)) this.ring(group, anchor);
        ringed.add(anchor);
        last = anchor;
      }
      const from = line.from ?? last;
      if (line.to && from && from !== line.to) this.arrow(group, from, line.to, line.combat !== undefined);
      if (line.to) last = line.to;
    }
  }

  ring(group, anchor) {
    const box = this.box(anchor, this.ground);
    if (!box) return;
    group.append(make("rect", {
      class: "ring",
      x: box.x - OFF,
      y: box.y - OFF,
      width: box.width + 2 * OFF,
      height: box.height + 2 * OFF,
      rx: Math.min(10, box.height / 3 + OFF),
    }));
  }

  arrow(group, from, to, isAttack) {
    const [start, end] = [this.box(from, this.ground), this.box(to, this.ground)];
    if (!start || !end) return;
    const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
    const [[ax, ay], [bx, by]] = [middle(start), middle(end)];
    const bow = Math.min(18, Math.hypot(bx - ax, by - ay) / 6);
    const path = `M${ax} ${ay}Q${(ax + bx) / 2} ${(ay + by) / 2 - bow} ${bx} ${by}`;
    group.append(
      make("path", { class: "way-ground", d: path }),
      make("path", { class: isAttack ? "way attack" : "way", d: path, "marker-end": "url(#trace-head)" }),
    );
  }
}
