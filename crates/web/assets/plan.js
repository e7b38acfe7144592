// A plan for a piece on a large map: stops are added by Shift+click, and the odds of coming that far are asked for. Where there
// is no Shift key, the button with data-plans makes every click one for the plan until it is pressed again.
//
// A map with data-plan="QUESTION" is planned on: `QUESTION PIECE STOP STOP …` is a question about odds of its game. Its hexes are
// named by row and column (data-hexes); the piece is the active one, or one that could be activated.

import { ask, say } from "./send.js";

const SVG = "http://www.w3.org/2000/svg";
const MOST_STOPS = 8;

const words = (text) => Object.assign(document.createElement("p"), { textContent: text });

export class Plan {
  constructor(desk, map, choose) {
    this.desk = desk;
    this.map = map;
    this.choose = choose;
    this.stops = [];
    this.unit = null;
    this.button = map.board.querySelector("[data-plans]");
    this.button?.addEventListener("click", () => this.turn(!this.plans));
    map.pane.addEventListener("click", (event) => {
      if (!(event.shiftKey || this.plans) || event.defaultPrevented || desk.past !== null) return;
      event.stopPropagation();
      event.preventDefault();
      this.click(event);
    }, true);
    this.drawn = document.createElementNS(SVG, "g");
    this.drawn.setAttribute("class", "plan");
    // Over everything else: stops often lie under pieces.
    map.ways.ownerSVGElement.append(this.drawn);
    this.card = Object.assign(document.createElement("aside"), { className: "plan-card", hidden: true });
    this.card.setAttribute("aria-live", "polite");
    this.card.setAttribute("aria-label", "Plan");
    this.card.addEventListener("click", (event) => {
      const act = event.target.closest("[data-plan-act]")?.dataset.planAct;
      if (act === "go") this.go();
      if (act === "end") this.turn(false);
    });
    map.pane.parentElement.append(this.card);
  }

  /** Whether clicks are for the plan without the Shift key. */
  get plans() {
    return this.button?.getAttribute("aria-pressed") === "true";
  }

  turn(on) {
    this.button?.setAttribute("aria-pressed", String(on));
    if (!on) this.clear();
    else if (this.active) {
      this.unit = this.active;
      this.show();
    } else this.tell("Click the unit whose march you want to plan.");
  }

  get active() {
    return this.map.board.querySelector(".units .active")?.id.replace(/^u-/, "") ?? null;
  }

  /** What stands on the piece. */
  get printed() {
    return document.getElementById(`u-${this.unit}`)?.querySelector("text")?.textContent || this.unit;
  }

  click(event) {
    const piece = event.target.closest("[data-choice]");
    const names = piece?.dataset.choice.split("|") ?? [];
    const activated = names.find((name) => name.startsWith("activate "))?.split(" ")[1];
    if (!this.active && activated) {
      this.unit = activated;
      this.stops = [];
      this.show();
      return;
    }
    this.unit = this.active ?? this.unit;
    if (!this.unit || this.stops.length >= MOST_STOPS) return;
    const hex = this.map.hexAt(event.clientX, event.clientY);
    if (hex && hex !== this.stops.at(-1)) this.stops = [...this.stops, hex];
    this.show();
  }

  /** After a change: what has been reached is done; a plan whose piece can do no more is over. */
  refresh() {
    if (!this.unit || this.desk.past !== null) return;
    const piece = document.getElementById(`u-${this.unit}`);
    const can = this.active === this.unit || piece?.dataset.choice?.includes(`activate ${this.unit}`);
    if (!can) {
      this.clear();
      return;
    }
    const here = this.map.hexOf(piece);
    const at = this.stops.indexOf(here);
    if (at >= 0) this.stops = this.stops.slice(at + 1);
    this.show();
  }

  /** Says something on the card, with the buttons. */
  tell(text) {
    this.card.hidden = false;
    this.card.replaceChildren(words(text), this.buttons());
  }

  async show() {
    this.draw();
    const { unit, stops } = this;
    if (!stops.length) {
      this.tell(`Plan for ${this.printed}: ${this.plans ? "click" : "Shift+click"} where it should go, one stop after the other.`);
      return;
    }
    this.card.hidden = false;
    const answer = await say(ask(this.desk, "odds", { about: [this.map.pane.dataset.plan, unit, ...stops].join(" ") }, { refusals: true }));
    if (!answer || unit !== this.unit || stops !== this.stops) return;
    const told = document.createElement("div");
    if (answer.ok) told.innerHTML = answer.text;
    else told.append(words(answer.text));
    this.card.replaceChildren(told, this.buttons());
  }

  buttons() {
    const row = Object.assign(document.createElement("p"), { className: "plan-acts" });
    const button = (act, text) => {
      const made = Object.assign(document.createElement("button"), { type: "button", textContent: text });
      made.dataset.planAct = act;
      return made;
    };
    if (this.unit && this.active !== this.unit) row.append(button("go", "Activate"));
    else if (this.next()) row.append(button("go", "Go to the first stop"));
    row.append(button("end", "Drop the plan"));
    return row;
  }

  /** The chain of choices that leads to the first stop, if it can be made now. */
  next() {
    const [stop] = this.stops;
    const ends = (name) => stop && name.split(" > ").at(-1).endsWith(` ${stop}`) && /^(step|attack) /.test(name);
    for (const place of this.map.board.querySelectorAll("[data-choice]")) {
      const found = place.dataset.choice.split("|").find(ends);
      if (found) return found;
    }
    return null;
  }

  go() {
    const name = this.active === this.unit ? this.next() : `activate ${this.unit}`;
    if (name) this.choose(name);
  }

  draw() {
    const start = this.map.placeOf(document.getElementById(`u-${this.unit}`));
    const points = this.stops.map((stop) => this.map.middle(` ${stop}`));
    const make = (name, attributes, text = "") => {
      const made = document.createElementNS(SVG, name);
      for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
      made.textContent = text;
      return made;
    };
    this.drawn.replaceChildren();
    if (!start || !points.length) return;
    this.drawn.append(make("path", { d: `M${[start, ...points].map((point) => point.join(" ")).join("L")}` }));
    points.forEach(([x, y], at) => this.drawn.append(make("circle", { cx: x, cy: y, r: 5 }), make("text", { x, y: y + 2.4 }, at + 1)));
  }

  /** Drops the plan. Whether there was one. */
  clear() {
    const had = this.unit !== null;
    this.unit = null;
    this.stops = [];
    this.drawn.replaceChildren();
    this.card.hidden = true;
    return had;
  }
}
