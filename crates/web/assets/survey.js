// What a large map tells when it is asked: about the piece under the pointer or in the focus, and where pieces went of late; and
// lists that lead to pieces.
//
// A piece with data-about names the layers that tell more about it: while one of them is shown, the server is asked. A button of
// a layer with data-asks="movements" has its layer fetched when it is shown. Anywhere on the board, data-shows is the id of a
// piece that is brought into sight, and data-presses of one that is clicked.
import { applyParts } from "./morph.js";
import { ask } from "./send.js";

/** So long a piece is pointed at before the server is asked. */
const PAUSE_MS = 120;
/** On a narrower page a list covers the map. */
const NARROW = 740;

const byId = (id) => document.getElementById(id);

export class Survey {
  constructor(desk, map) {
    this.desk = desk;
    this.map = map;
    this.board = map.board;
    /** What is told about now: the id of a piece, and the parts that are laid over the board. */
    this.told = null;
    this.parts = [];
    /** The revision of the movements that are drawn, and where a film of them begins. */
    this.drawn = null;
    this.from = null;
    for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, (event) => this.consider(event.target, kind));
    this.board.addEventListener("click", (event) => this.press(event.target.closest("[data-shows], [data-presses]")));
    map.onLayer = () => this.refresh();
    this.refresh();
  }

  /** After every change, and when a layer is shown or hidden. */
  refresh() {
    this.forget();
    if (this.shows(this.board.querySelector("[data-asks]")?.dataset.layer)) this.fetchMovements();
  }

  shows(layer) {
    return layer !== undefined && this.board.classList.contains(`show-${layer}`);
  }

  // --- about a piece ---

  consider(element, kind) {
    const entry = element.closest?.("[data-shows]");
    const piece = entry ? byId(entry.dataset.shows) : element.closest?.("[data-about]");
    if (piece?.id === this.told) return;
    if (entry) this.point(piece, kind === "focusin");
    clearTimeout(this.timer);
    this.forget();
    const layers = piece?.dataset.about?.split(" ") ?? [];
    if (!layers.some((layer) => this.shows(layer)) || this.desk.past !== null) return;
    this.told = piece.id;
    this.timer = setTimeout(() => this.tell(piece.id), kind === "focusin" ? 0 : PAUSE_MS);
  }

  async tell(id) {
    const answer = await ask(this.desk, "about", { id });
    const parts = (await answer?.json())?.parts ?? [];
    if (this.told !== id) return;
    applyParts(parts);
    this.parts = parts.map(([key]) => key);
  }

  /** What was told goes. */
  forget() {
    this.told = null;
    for (const key of this.parts) byId(key)?.remove();
    this.parts = [];
  }

  // --- lists ---

  press(button) {
    if (!button) return;
    const { shows, presses } = button.dataset;
    const piece = byId(shows ?? presses);
    if (!piece) return;
    if (innerWidth < NARROW) for (const list of this.board.querySelectorAll("details[name][open]")) list.open = false;
    this.map.centre(piece, true);
    this.point(piece, false);
    if (presses) piece.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  }

  /** Rings the piece of a list's entry. */
  point(piece, reveals) {
    for (const other of this.board.querySelectorAll(".shown-unit")) other.classList.remove("shown-unit");
    piece?.classList.add("shown-unit");
    if (piece && reveals) this.map.centre(piece, false);
  }

  // --- movements ---

  async fetchMovements() {
    const { revision, past } = this.desk;
    if (past !== null || this.drawn === revision) return;
    this.drawn = revision;
    const answer = await fetch(`${this.desk.path}/movements`).catch(() => null);
    if (!answer?.ok) {
      this.drawn = null;
      return;
    }
    const { from, parts } = await answer.json();
    if (this.drawn !== revision) return;
    this.from = from;
    applyParts(parts);
  }

  /** The step at which a film of what the others did begins. */
  async filmFrom() {
    await this.fetchMovements();
    return this.from;
  }
}
