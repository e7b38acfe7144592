// A large map: which piece is shown first, layers by buttons and keys, theatres, the overview, stacks that fan.
//
// The frame of the map carries data-frame (its size in its own units) and data-view (left, top, width, height of the piece
// that is shown first). Anywhere on the board: data-layer toggles the class show-… of the board, data-goto shows a piece,
// data-next shows one place after the other that a selector names, data-key is the key of such a button (keys.js clicks it); data-overview are
// small drawings of the whole map with a rect.window. Pieces with the same data-stack fan out together under the pointer.
// On a map of hexes that are called by row and column (2835), data-hexes says how wide and high their grid is and where the
// first one lies; even rows lie half a hex to the right. A place with a chain of such names then shows the whole way there
// under the pointer, in the group that carries data-ways, from the piece that is under way (.active).

import { REDRAWS } from "./morph.js";

const KEPT = "maproom-layers";

const HEX = /(\d\d)(\d\d)$/;

const numbers = (text) => text.split(" ").map(Number);

/** Moves an element within its parent; where the browser can, without losing focus and the pointer. */
function moveBefore(element, next) {
  const parent = element.parentNode;
  if (parent.moveBefore) parent.moveBefore(element, next);
  else parent.insertBefore(element, next);
}

export class MapView {
  constructor(viewport) {
    this.viewport = viewport;
    this.pane = viewport.viewport;
    this.board = this.pane.closest("#sheet > *");
    [this.width, this.height] = numbers(this.pane.dataset.frame);
    this.next = 0;
    this.raised = [];
    // What is drawn anew says which part stands behind which one, as the server knows them.
    document.addEventListener(REDRAWS, () => this.lower());
    this.restoreLayers();
    this.board.addEventListener("click", (event) => this.press(event.target.closest("[data-layer], [data-goto], [data-next]")));
    this.hexes = this.pane.dataset.hexes ? numbers(this.pane.dataset.hexes) : null;
    this.ways = this.board.querySelector("[data-ways]");
    this.board.addEventListener("pointerover", (event) => {
      this.fan(event.target.closest("[data-stack]"));
      this.showWay(event.target.closest("#map [data-choice]"));
    });
    this.pane.addEventListener("pointerdown", (event) => { this.pressed = event.target.closest("[data-stack]"); });
    this.pane.addEventListener("click", (event) => this.aimAtPressed(event), true);
    this.wireOverview();
    this.show(numbers(this.pane.dataset.view));
    // A frame that gets its size late shows the same piece then.
    this.untouched = true;
    for (const kind of ["pointerdown", "wheel"]) this.pane.addEventListener(kind, () => { this.untouched = false; }, { passive: true });
    new ResizeObserver(() => (this.untouched ? this.show(numbers(this.pane.dataset.view)) : this.follow())).observe(this.pane);
  }

  /** Shows a piece of the map, in its units. */
  show([left, top, width, height]) {
    const piece = [left / this.width, top / this.height, width / this.width, height / this.height];
    // On a small screen all of it would be too small to read: its middle is shown.
    this.viewport.showPiece(piece, this.pane.clientWidth < 600 && width < this.width ? this.viewport.levels[0] : 0);
    this.follow();
  }

  press(button) {
    if (!button) return;
    const { layer, goto, next } = button.dataset;
    if (layer) this.toggle(button);
    else if (goto) this.go(button, numbers(goto));
    else if (next) this.showNext(next);
  }

  go(button, piece) {
    this.untouched = false;
    button.closest("details")?.removeAttribute("open");
    this.show(piece);
  }

  // --- layers ---

  toggle(button) {
    const { layer } = button.dataset;
    const shown = this.board.classList.toggle(`show-${layer}`);
    button.setAttribute("aria-pressed", String(shown));
    this.onLayer?.();
    const kept = { ...this.kept(), [layer]: shown };
    try {
      localStorage.setItem(KEPT, JSON.stringify(kept));
    } catch {
      // Without a place to keep it, it holds for this page.
    }
  }

  kept() {
    try {
      return JSON.parse(localStorage.getItem(KEPT)) ?? {};
    } catch {
      return {};
    }
  }

  restoreLayers() {
    const kept = this.kept();
    for (const button of this.board.querySelectorAll("[data-layer]")) {
      const { layer } = button.dataset;
      const shown = kept[layer] ?? button.getAttribute("aria-pressed") === "true";
      this.board.classList.toggle(`show-${layer}`, shown);
      button.setAttribute("aria-pressed", String(shown));
    }
  }

  // --- places ---

  /** Brings the next place where something can be done into the middle. */
  showNext(selector) {
    const places = [...this.board.querySelectorAll(selector)];
    if (!places.length) return;
    const place = places[this.next % places.length];
    this.next += 1;
    this.centre(place, true);
    place.classList.add("fresh");
    setTimeout(() => place.classList.remove("fresh"), 1000);
  }

  /** Brings a piece into the middle, large enough to be told from others; with `always` also if it is in sight. */
  centre(piece, always) {
    const frame = this.pane.getBoundingClientRect();
    const off = () => {
      const at = piece.getBoundingClientRect();
      return [at.left + at.width / 2 - frame.left - frame.width / 2, at.top + at.height / 2 - frame.top - frame.height / 2];
    };
    const [dx, dy] = off();
    if (!always && Math.abs(dx) < frame.width * 0.42 && Math.abs(dy) < frame.height * 0.42) return;
    this.untouched = false;
    const [least] = this.viewport.levels;
    if (always && least && this.viewport.scale < least) this.viewport.zoomBy(least / this.viewport.scale);
    const [left, top] = off();
    this.pane.scrollBy({ left, top, behavior: "instant" });
  }

  fan(piece) {
    const stack = piece?.dataset.stack ?? null;
    if (stack === this.fanned) return;
    this.fanned = stack;
    for (const open of this.board.querySelectorAll(".fanned")) open.classList.remove("fanned");
    this.lower();
    if (stack === null) return;
    const pieces = [...this.board.querySelectorAll(`[data-stack="${stack}"]`)];
    this.raise(pieces);
    for (const one of pieces) one.classList.add("fanned");
  }

  /** Draws pieces above their neighbours: a drawing has no other order than that of its elements. */
  raise(pieces) {
    this.raised = pieces.map((piece) => [piece, piece.nextElementSibling]);
    for (const piece of pieces) moveBefore(piece, null);
  }

  /** Puts raised pieces back where they were, the last one first, because one may have stood before another. */
  lower() {
    for (const [piece, next] of this.raised.reverse()) {
      if (piece.isConnected && (next === null || next.parentNode === piece.parentNode)) moveBefore(piece, next);
    }
    this.raised = [];
  }

  /**
   * A stack that still fans out while the button is down slips away under the pointer, and the browser gives the click to
   * nobody: it is meant for the piece that was pressed.
   */
  aimAtPressed(event) {
    const { pressed } = this;
    this.pressed = null;
    // A drag is no click (see viewport.js), and what a key clicks was not pressed.
    if (event.defaultPrevented || event.detail === 0 || !pressed?.isConnected || pressed.contains(event.target)) return;
    event.stopImmediatePropagation();
    const { detail, clientX, clientY, shiftKey, ctrlKey, metaKey, altKey } = event;
    const keys = { shiftKey, ctrlKey, metaKey, altKey };
    pressed.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail, clientX, clientY, ...keys }));
  }

  /** The middle of a hex that a choice ends with. */
  middle(name) {
    const found = HEX.exec(name);
    if (!found) return null;
    const [wide, high, x, y] = this.hexes;
    const [row, column] = [Number(found[1]), Number(found[2])];
    return [x + wide * (column - 1) + (row % 2 ? 0 : wide / 2), y + high * (row - 1)];
  }

  /** The hex under a point of the window, by its row and column; null beside the map. */
  hexAt(clientX, clientY) {
    const matrix = this.ways.getScreenCTM()?.inverse();
    if (!matrix) return null;
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix);
    return this.nearest(x, y);
  }

  /** The hex in which a piece stands. */
  hexOf(piece) {
    const at = this.placeOf(piece);
    return at && this.nearest(...at);
  }

  /** Where a piece stands on the map. */
  placeOf(piece) {
    return piece?.getAttribute("transform")?.match(/-?[\d.]+/g)?.slice(0, 2).map(Number) ?? null;
  }

  /** The hex whose middle is nearest to a point. */
  nearest(px, py) {
    const [wide, high, x, y] = this.hexes;
    const near = Math.round((py - y) / high) + 1;
    let best = null;
    for (const row of [near - 1, near, near + 1]) {
      const column = Math.round((px - x - (row % 2 ? 0 : wide / 2)) / wide) + 1;
      if (row < 1 || column < 1 || row > 99 || column > 99) continue;
      const name = `${String(row).padStart(2, "0")}${String(column).padStart(2, "0")}`;
      const [mx, my] = this.middle(` ${name}`);
      const far = Math.hypot(mx - px, my - py);
      if (!best || far < best.far) best = { name, far };
    }
    return best?.far <= wide ? best.name : null;
  }

  /** Draws the whole way of a chain of steps, before it is gone. */
  showWay(place) {
    if (!this.hexes || !this.ways) return;
    const chain = place?.dataset.choice.split("|").find((name) => name.startsWith("step ")) ?? "";
    if (chain === this.wayShown) return;
    this.wayShown = chain;
    this.ways.replaceChildren();
    const start = this.placeOf(this.board.querySelector(".active"));
    const links = chain.split(" > ");
    const points = links.map((link) => this.middle(link)).filter(Boolean);
    if (!start || !points.length) return;
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("class", links.at(-1).startsWith("step ") ? "march-way" : "march-way attack");
    path.setAttribute("d", `M${[start, ...points].map((point) => point.join(" ")).join("L")}`);
    this.ways.append(path);
  }

  // --- overview ---

  wireOverview() {
    this.windows = [...this.board.querySelectorAll("[data-overview] .window")];
    if (!this.windows.length) return;
    let waits = false;
    const follow = () => {
      if (waits) return;
      waits = true;
      requestAnimationFrame(() => {
        waits = false;
        this.follow();
      });
    };
    this.pane.addEventListener("scroll", follow, { passive: true });
    const aim = (event) => {
      if (!(event.buttons & 1)) return;
      event.preventDefault();
      this.untouched = false;
      const box = event.currentTarget.getBoundingClientRect();
      const { clientWidth, clientHeight } = this.pane;
      const { scale, sheet } = this.viewport;
      this.pane.scrollTo({
        left: ((event.clientX - box.left) / box.width) * sheet.offsetWidth * scale - clientWidth / 2,
        top: ((event.clientY - box.top) / box.height) * sheet.offsetHeight * scale - clientHeight / 2,
        behavior: "instant",
      });
    };
    for (const overview of this.board.querySelectorAll("[data-overview]")) {
      overview.addEventListener("pointerdown", aim);
      overview.addEventListener("pointermove", aim);
    }
  }

  /** Draws where one is into the overviews. */
  follow() {
    const { scale, sheet } = this.viewport;
    const unit = (sheet.offsetWidth * scale) / this.width || 1;
    const place = {
      x: this.pane.scrollLeft / unit,
      y: this.pane.scrollTop / unit,
      width: Math.min(this.width, this.pane.clientWidth / unit),
      height: Math.min(this.height, this.pane.clientHeight / unit),
    };
    for (const window of this.windows) for (const [name, value] of Object.entries(place)) window.setAttribute(name, value.toFixed(0));
  }
}
