// What happens without the viewer is shown one step after the other, at their pace: bots, dice, forced moves.
//
// The lines of an update say what happened; the positions in between are fetched when they are to be seen. The match itself
// has gone on: whoever does not want to wait goes to the end.
import { applyParts, mayMove } from "./morph.js";
import { tumble } from "./dice.js";
import { linesIn } from "./traces.js";

const byId = (id) => document.getElementById(id);

/** How long a step is shown. */
const SHOWN_MS = { slow: 2000, normal: 700, fast: 150 };
/** How long a piece that is destroyed is seen to be. */
const FALL_MS = 650;
/** So many dice of a combat are shown together. */
const DICE = 6;
/** More steps than this are shown action by action. */
const MANY = 40;
/** The server draws no longer films. */
const LONGEST = 200;

/** Settings of this browser. */
const PREFIX = "maproom.film.";
const setting = (key) => localStorage.getItem(PREFIX + key);
const isOn = (key, byDefault) => (setting(key) ?? (byDefault ? "on" : "off")) === "on";

/** The steps of some log lines that happened after a step, as they are to be shown. */
export function shotsIn(list, after, seat) {
  const steps = [...list.querySelectorAll(".step")].filter((step) => Number(step.dataset.step) > after);
  const shots = steps.map((element) => {
    const lines = [...element.querySelectorAll("p")].filter((line) => !line.closest(".why, .chose"));
    const action = element.closest("li");
    return {
      step: Number(element.dataset.step),
      action,
      turn: headingOf(action),
      lines,
      places: linesIn(lines),
      face: element.dataset.purpose === undefined ? null : element.querySelector(".die")?.dataset.face,
      purpose: element.dataset.purpose ?? "",
      isOwn: seat !== null && element.dataset.by === String(seat),
      isIdle: element.dataset.idle !== undefined,
      isCombat: lines.some((line) => line.dataset.combat !== undefined),
    };
  });
  return shots.filter((shot) => shot.lines.length || shot.face).sort((one, other) => one.step - other.step);
}

/** A long film goes from action to action: each is one picture, told by its headline. */
export function condensed(shots) {
  if (shots.length <= MANY) return shots;
  const actions = new Map();
  for (const shot of shots) {
    const group = actions.get(shot.action) ?? [];
    group.push(shot);
    actions.set(shot.action, group);
  }
  return [...actions.values()].map((group) => {
    const last = group.at(-1);
    if (group.length === 1) return last;
    const headline = last.action.querySelector(".headline");
    return {
      ...last,
      lines: headline ? [headline] : last.lines,
      places: group.flatMap((shot) => shot.places),
      rolls: group.filter((shot) => shot.face),
      face: null,
      isOwn: group.every((shot) => shot.isOwn),
      isCombat: group.some((shot) => shot.isCombat),
      isWhole: true,
    };
  });
}

/** The heading under which an action stands. */
function headingOf(action) {
  let line = action;
  while (line && !line.classList.contains("turn")) line = line.previousElementSibling;
  return line?.textContent ?? null;
}

export class Film {
  /** `traces` marks places on the board. */
  constructor(desk, traces) {
    this.desk = desk;
    this.traces = traces;
    this.panel = byId("film");
    this.moment = byId("moment");
    this.isPlaying = false;
    this.isHeld = false;
    for (const box of document.querySelectorAll("[data-film]")) {
      box.checked = isOn(box.dataset.film, box.defaultChecked);
      box.addEventListener("change", () => localStorage.setItem(PREFIX + box.dataset.film, box.checked ? "on" : "off"));
    }
    this.showPace();
  }

  // --- pace ------------------------------------------------------------------------------------

  /** The pace: that of the match where bots play, else this browser's own. */
  get pace() {
    const { bots, pace } = byId("pace").dataset;
    return bots === undefined ? setting("pace") ?? "normal" : pace ?? "normal";
  }

  /** Sets this browser's pace; a match with bots has its own. */
  setPace(word) {
    if (word !== "pause") localStorage.setItem(`${PREFIX}resume`, word);
    localStorage.setItem(`${PREFIX}pace`, word);
    this.showPace();
    this.paceChanged();
  }

  togglePause() {
    this.setPace(this.pace === "pause" ? setting("resume") ?? "normal" : "pause");
  }

  /** Presses the button of this browser's pace, where it counts. */
  showPace() {
    const controls = byId("pace");
    if (controls.dataset.bots !== undefined) return;
    for (const button of controls.querySelectorAll("[data-pace]")) button.setAttribute("aria-pressed", String(button.dataset.pace === this.pace));
  }

  paceChanged() {
    if (this.isPlaying && !this.isHeld && this.pace !== "pause") this.wake();
    this.label();
  }

  // --- showing ---------------------------------------------------------------------------------

  /** The steps of an update that are to be shown one after the other; none if it is to be shown at once. */
  shotsOf(update) {
    const { past, steps, seat } = this.desk;
    if (!isOn("play", true) || this.pace === "once" || past !== null || document.hidden || update.whole || update.steps <= steps) return [];
    const list = document.createElement("ol");
    list.innerHTML = update.log;
    const shots = shotsIn(list, steps, seat);
    return shots.some((shot) => !shot.isOwn) ? shots : [];
  }

  /** Shows steps after a position, up to another one. `rewinds`: the board shows the current position, not the first. */
  async play(steps, { from: first, to, rewinds = false }) {
    const all = condensed(steps);
    const shots = rewinds ? all.slice(-LONGEST) : all;
    const from = shots.length < all.length ? shots[0].step - 1 : first;
    this.isPlaying = true;
    this.isSkipped = false;
    this.isCancelled = false;
    this.shown = [];
    // The choices are out of sight for a while: who had the focus among them gets it back.
    if (byId("choices").contains(document.activeElement)) this.desk.hadFocus = true;
    document.body.classList.add("filming");
    const at = shots.map((shot) => shot.step).join(",");
    const query = `from=${from}&to=${to}&at=${at}${rewinds ? "&rewind=1" : ""}`;
    const answer = await fetch(`${this.desk.path}/film?${query}`).catch(() => null);
    const film = answer?.ok ? await answer.json().catch(() => null) : null;
    const frames = film?.frames ?? [];
    if (rewinds && frames.length) this.apply(frames.shift());
    let turn = byId("turn").textContent;
    for (const [n, shot] of shots.entries()) {
      if (this.isSkipped) break;
      if (shot.turn && shot.turn !== turn && isOn("turns", false)) await this.hold(shot.turn);
      turn = shot.turn ?? turn;
      await this.show(shot, shots[n - 1], shots[n + 1], frames, `${n + 1} of ${shots.length}`);
    }
    for (const frame of frames) this.apply(frame);
    this.isPlaying = false;
    document.body.classList.remove("filming");
    this.panel.hidden = true;
    this.moment.hidden = true;
  }

  async show(shot, before, next, frames, count) {
    if (before?.action !== shot.action) this.shown = [];
    this.shown.push(shot);
    await this.letFall(shot);
    while (frames.length && frames[0].step <= shot.step) this.apply(frames.shift());
    if (shot.isOwn) return;
    this.traces.show(this.shown.flatMap((earlier) => earlier.places));
    const place = shot.places.flatMap((line) => [line.to, ...line.at]).find((anchor) => anchor && this.traces.onScreen(anchor));
    if (place) this.traces.follow(place);
    this.tell(shot, count);
    // A combat is one moment: it is held when its last die is seen. A film that is long anyway goes on by itself.
    const holds = shot.isCombat && !shot.isWhole && !(next?.isCombat && next.action === shot.action) && isOn("hold", true) && this.mayHold && this.pace !== "once";
    if (holds) await this.hold("");
    else await this.rest((SHOWN_MS[this.pace] ?? SHOWN_MS.normal) * (shot.isWhole && shot.isCombat ? 2 : 1));
    this.moment.hidden = true;
  }

  /** Only those who play are waited for. */
  get mayHold() {
    return this.desk.plays && !document.querySelector('#prompt [data-act="hand-over"]');
  }

  apply(frame) {
    // The page may have gone to another position while this one was awaited.
    if (!this.isCancelled) applyParts(frame.parts, frame);
  }

  /** A piece that is destroyed is crossed out before it goes. */
  async letFall(shot) {
    const pieces = shot.places.map((line) => line.lost && byId(line.lost)).filter(Boolean);
    if (!pieces.length || this.isSkipped) return;
    for (const piece of pieces) piece.classList.add("falling");
    this.traces.show(shot.places);
    await this.rest(mayMove() ? Math.max(FALL_MS, SHOWN_MS[this.pace] ?? 0) : SHOWN_MS[this.pace] ?? FALL_MS);
    for (const piece of pieces) piece.classList.remove("falling");
  }

  /** Tells a step beside the board, and a combat at its place as well. */
  tell(shot, count) {
    const of = shot.isCombat ? this.shown.filter((earlier) => earlier.isCombat) : [shot];
    const dice = of.flatMap((earlier) => earlier.rolls ?? (earlier.face ? [earlier] : [])).slice(-DICE).map((die) => roll(die));
    const words = of.flatMap((earlier) => earlier.lines).map((line) => {
      const copy = document.createElement("p");
      copy.append(...[...line.cloneNode(true).childNodes].filter((node) => !node.classList?.contains("die")));
      copy.querySelectorAll("[data-rule]").forEach((rule) => rule.remove());
      return copy;
    });
    this.panel.hidden = false;
    this.panel.querySelector(".where").textContent = [shot.turn, count].filter(Boolean).join(" · ");
    this.panel.querySelector(".dice").replaceChildren(...dice);
    this.panel.querySelector(".words").replaceChildren(...words);
    this.label();
    byId("say").textContent = words.map((line) => line.textContent.trim()).join(". ");
    if (shot.isCombat) this.place(dice, words);
    if (dice.length && this.pace !== "fast") tumble(this.panel.querySelector(".dice"));
  }

  /** The moment of a combat, at its place on the board. */
  place(dice, words) {
    const places = this.shown.flatMap((earlier) => earlier.places).flatMap((line) => [line.to, ...line.at]);
    const anchor = places.find((place) => place && this.traces.box(place));
    if (anchor) this.traces.reveal(anchor);
    const box = anchor && this.traces.box(anchor);
    this.moment.hidden = true;
    if (!box) return;
    this.moment.replaceChildren(...dice.map((die) => die.cloneNode(true)), ...words.map((line) => line.cloneNode(true)));
    this.moment.hidden = false;
    const sheet = byId("sheet");
    const { offsetWidth: width, offsetHeight: height } = this.moment;
    const left = Math.min(Math.max(4, box.x + box.width / 2 - width / 2), Math.max(4, sheet.offsetWidth - width - 4));
    const below = box.y + box.height + 10;
    const top = below + height <= sheet.offsetHeight ? below : Math.max(4, box.y - height - 10);
    Object.assign(this.moment.style, { left: `${left}px`, top: `${top}px` });
    this.moment.scrollIntoView?.({ block: "nearest", inline: "nearest" });
  }

  /** What the button does. */
  label() {
    const go = this.panel.querySelector('[data-act="film-go"]');
    go.firstChild.textContent = this.isHeld ? "Go on " : "Next ";
    go.classList.toggle("go-on", this.isHeld);
  }

  // --- waiting ---------------------------------------------------------------------------------

  /** Waits so long, or until somebody goes on; during a pause only that. */
  rest(ms) {
    if (this.isSkipped) return null;
    return new Promise((done) => {
      this.done = done;
      if (this.pace === "once") done();
      else if (this.pace !== "pause") this.timer = setTimeout(done, ms);
    });
  }

  /** Waits until somebody goes on. */
  async hold(words) {
    if (this.isSkipped) return;
    this.isHeld = true;
    this.panel.hidden = false;
    this.panel.classList.add("held");
    if (words) {
      this.panel.querySelector(".where").textContent = words;
      this.panel.querySelector(".dice").replaceChildren();
      this.panel.querySelector(".words").replaceChildren();
    }
    this.label();
    await new Promise((done) => {
      this.done = done;
    });
    this.isHeld = false;
    this.panel.classList.remove("held");
  }

  wake() {
    clearTimeout(this.timer);
    this.done?.();
  }

  /** Goes on with the next step; false if nothing is being shown. */
  goOn() {
    if (!this.isPlaying) return false;
    this.wake();
    return true;
  }

  /** Goes to the end; false if nothing is being shown. */
  skip() {
    if (!this.isPlaying) return false;
    this.isSkipped = true;
    this.wake();
    return true;
  }

  /** Stops at once: the board shows something else already. */
  cancel() {
    this.isCancelled = true;
    this.skip();
  }

  /** A click on the board goes on from a combat, else to the end; false if nothing is being shown. */
  click() {
    return this.isHeld ? this.goOn() : this.skip();
  }
}

/** A die with what it was for. */
function roll({ face, purpose }) {
  const element = document.createElement("span");
  element.className = "roll";
  element.innerHTML = '<i class="die"></i><span class="purpose"></span>';
  element.firstElementChild.dataset.face = face;
  element.lastElementChild.textContent = purpose;
  return element;
}
