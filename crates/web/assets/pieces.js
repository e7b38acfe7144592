// Picking up a piece and putting it down, by mouse, touch or keyboard, with a preview of the result.
//
// A piece carries data-piece, the beginning of its choices' names; a place carries data-choice with all names that belong
// to it, and data-place with what completes such a name. A chain of choices begins with the name of its first one, and so
// with its piece.
import { applyParts } from "./morph.js";
import { ask } from "./send.js";
import { toast } from "./toast.js";

/** How far the pointer moves before a press becomes a drag. */
const DRAG_PX = 7;

export class Pieces {
  /** `choose` makes a choice by its name. */
  constructor(desk, choose) {
    this.desk = desk;
    this.choose = choose;
    /** The beginning of the names that the picked piece stands for, or null. */
    this.prefix = null;
    this.previews = new Map();
    this.ghosts = [];
    this.tapped = null;
    this.drag = null;
    document.addEventListener("pointerdown", (event) => this.press(event), true);
    document.addEventListener("pointermove", (event) => this.move(event));
    document.addEventListener("pointerup", (event) => this.drop(event));
    document.addEventListener("pointercancel", () => this.letGo());
    document.addEventListener("keydown", (event) => this.key(event));
    this.refresh();
  }

  /** Those of some names that the picked piece could mean; all while none is picked. */
  narrow(names) {
    if (this.prefix === null) return names;
    return names.filter((name) => name === this.prefix || name.startsWith(`${this.prefix} `));
  }

  namesOf(place) {
    return this.narrow(place?.dataset.choice?.split("|") ?? []);
  }

  /** Picks up a piece, or puts it back if it is the picked one. */
  pick(piece) {
    const again = piece.id === this.pieceId;
    this.unpick();
    if (again) return;
    this.prefix = piece.dataset.piece;
    this.pieceId = piece.id;
    this.show();
  }

  /** Puts the picked piece back. Returns whether there was one. */
  unpick() {
    const had = this.prefix !== null;
    this.prefix = null;
    this.pieceId = null;
    this.tapped = null;
    this.vanish();
    this.show();
    return had;
  }

  /** Shows what is picked, and where it can go. */
  show() {
    const picking = this.prefix !== null;
    document.body.classList.toggle("picking", picking);
    for (const piece of document.querySelectorAll("[data-piece]")) piece.setAttribute("aria-pressed", String(piece.id === this.pieceId));
    for (const place of document.querySelectorAll("#board [data-choice]")) {
      place.classList.toggle("takes", picking && this.namesOf(place).length > 0);
    }
    for (const line of document.querySelectorAll("#choices ol > li")) {
      const button = line.querySelector("[data-choice]");
      // A choice of another kind, such as to stop, stays in view.
      line.hidden = picking && this.isPlacing(button?.dataset.choice) && !this.namesOf(button).length;
    }
  }

  /** Whether a choice belongs to some piece. */
  isPlacing(name) {
    return [...document.querySelectorAll("[data-piece]")].some((piece) => name?.startsWith(`${piece.dataset.piece} `));
  }

  /** After the board was drawn anew: what is picked stays picked if it is still there. */
  refresh() {
    this.previews.clear();
    this.vanish();
    this.tapped = null;
    document.body.classList.toggle("has-pieces", document.querySelector("#board [data-piece]") !== null);
    const piece = this.pieceId ? document.getElementById(this.pieceId) : null;
    if (piece?.dataset.piece !== this.prefix) this.unpick();
    else this.show();
  }

  /** Takes a click that is about pieces; false if it is not. */
  click(event) {
    if (this.justDropped) return true;
    const target = event.target;
    const piece = target.closest("[data-piece]");
    if (piece) {
      this.pick(piece);
      return true;
    }
    if (this.prefix === null) return false;
    const place = target.closest("#board [data-place], #board [data-choice]");
    if (!place) {
      // Beside everything: the piece is put down again.
      if (target.closest("#board")) this.unpick();
      return false;
    }
    const names = this.namesOf(place);
    if (names.length) return this.onlyLooks(place, names, event);
    if (place.dataset.place) this.showWhyNot(`${this.prefix} ${place.dataset.place}`);
    return true;
  }

  /** The first tap shows a preview, the second one makes the choice. */
  onlyLooks(place, names, event) {
    if (event.pointerType !== "touch" || names.length !== 1 || this.tapped === names[0]) return false;
    this.tapped = names[0];
    this.preview(names[0]).then((words) => words && toast("Tap again to confirm."));
    return true;
  }

  async showWhyNot(choice) {
    const answer = await ask(this.desk, "why", { choice });
    if (!answer) return;
    const { why, rule } = await answer.json();
    if (why) toast(`Not possible: ${why}${rule ? ` (rule ${rule})` : ""}.`);
  }

  // --- previews ---

  /** Shows the ghosts of a choice, and gives its words. */
  async preview(choice) {
    if (!document.querySelector("#sheet [data-previews]") || this.desk.past !== null || !this.desk.plays) return "";
    // A choice that is on its way is not asked about: somebody else may be to choose by then.
    if (this.desk.busy || !document.querySelector("#prompt.yours")) return "";
    this.wanted = choice;
    if (!this.previews.has(choice)) {
      const answer = await ask(this.desk, "preview", { choice });
      if (!answer) return "";
      this.previews.set(choice, await answer.json());
    }
    if (this.wanted !== choice) return "";
    this.vanish();
    this.wanted = choice;
    const { words, parts } = this.previews.get(choice) ?? { words: "", parts: [] };
    applyParts(parts);
    this.ghosts = parts.map(([key]) => key);
    return words;
  }

  /** The ghosts go. */
  vanish() {
    this.wanted = null;
    for (const key of this.ghosts) document.getElementById(key)?.remove();
    this.ghosts = [];
  }

  // --- dragging ---

  press(event) {
    const piece = event.target.closest("[data-piece]");
    if (!piece || event.button !== 0 || !this.desk.plays) return;
    // The board must not move along.
    event.stopPropagation();
    this.drag = { piece, id: event.pointerId, x: event.clientX, y: event.clientY, image: null };
    if (piece.hasPointerCapture?.(event.pointerId)) piece.releasePointerCapture(event.pointerId);
  }

  move(event) {
    const drag = this.drag;
    if (!drag || event.pointerId !== drag.id) return;
    if (!drag.image) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_PX) return;
      const box = drag.piece.getBoundingClientRect();
      drag.image = drag.piece.firstElementChild.cloneNode(true);
      drag.image.classList.add("dragged");
      drag.image.style.width = drag.image.style.height = `${box.width}px`;
      drag.half = box.width / 2;
      // Inside the board, for its colours.
      drag.piece.closest("#sheet > *").append(drag.image);
      if (this.pieceId !== drag.piece.id) this.pick(drag.piece);
    }
    drag.image.style.transform = `translate(${event.clientX - drag.half}px, ${event.clientY - drag.half}px)`;
    this.aim(event);
  }

  /** The place under the pointer. */
  aim(event) {
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const place = under?.closest("#board [data-place], #board [data-choice]") ?? null;
    if (place === this.drag.place) return;
    this.drag.place?.classList.remove("aimed");
    this.drag.place = place;
    this.vanish();
    const names = this.namesOf(place);
    if (names.length !== 1) return;
    place.classList.add("aimed");
    this.preview(names[0]).then((words) => words && this.onWords?.(words));
  }

  drop(event) {
    const drag = this.drag;
    if (!drag || event.pointerId !== drag.id) return;
    const place = drag.place;
    const dragged = drag.image !== null;
    this.letGo();
    if (!dragged) return;
    // The click that follows a drop is none.
    this.justDropped = true;
    setTimeout(() => {
      this.justDropped = false;
    });
    const names = this.namesOf(place);
    if (names.length === 1) this.choose(names[0]);
    else if (names.length) this.onSeveral?.(names, place, event);
    else if (place?.dataset.place && this.prefix) this.showWhyNot(`${this.prefix} ${place.dataset.place}`);
  }

  letGo() {
    this.drag?.image?.remove();
    this.drag?.place?.classList.remove("aimed");
    this.drag = null;
  }

  /** Places that are drawings are chosen like buttons. */
  key(event) {
    const place = event.target.closest?.('[role="button"][data-choice]');
    if (!place || place.nodeName === "BUTTON" || event.repeat || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    place.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }
}
