// What happened without the viewer: shown step by step when it comes, marked on the board until the next click, and shown again
// on demand.
import { applyParts } from "./morph.js";
import { Film, shotsIn } from "./film.js";
import { Traces, linesIn } from "./traces.js";

/** So many steps of the log are fetched at a time. */
const PIECE = 1000;

const byId = (id) => document.getElementById(id);

export class Happened {
  /** `settle` shows the match as an update has it; `timeless` are the parts that belong to no position. */
  constructor(desk, settle, timeless) {
    this.desk = desk;
    this.settle = settle;
    this.timeless = timeless;
    this.traces = new Traces(byId("sheet"));
    this.film = new Film(desk, this.traces);
    /** Updates that came while something was being shown, in order. */
    this.waiting = [];
    /** The line of the log whose places are lit. */
    this.pointedAt = null;
    for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, (event) => this.pointAt(event.target));
  }

  /** The newest revision that the page has been told of: what is being shown may be older. */
  get newest() {
    return Math.max(this.desk.revision, ...this.waiting.map((update) => update.to));
  }

  /** Takes an update; what happened without the viewer is shown step by step first. */
  async receive(update) {
    const { film, waiting, desk } = this;
    if (film.isPlaying && update.behind === undefined) {
      if (!update.asked) {
        waiting.push(update);
        applyParts(update.parts.filter(([key]) => this.timeless.has(key)));
        film.paceChanged();
        return;
      }
      // The whole present is here: there is no need to show how it came about.
      waiting.length = 0;
      film.cancel();
    }
    const shots = update.from === desk.revision && !update.asked ? film.shotsOf(update) : [];
    if (!shots.length) {
      this.settle(update);
      return;
    }
    waiting.push(update);
    await film.play(shots, { from: desk.steps, to: update.steps });
    this.drain();
  }

  /** Takes the updates that had to wait. */
  drain() {
    const [first, ...rest] = this.waiting.splice(0);
    if (first) this.settle(first);
    for (const update of rest) this.receive(update);
  }

  /** Marks what happened since the viewer's last decision, and offers to show it again. */
  mark() {
    const { desk } = this;
    const steps = desk.past === null ? [...document.querySelectorAll("#log .step")].filter((step) => Number(step.dataset.step) > desk.since) : [];
    this.traces.show(linesIn(steps));
    byId("replay").hidden = desk.over || !steps.some((step) => step.dataset.by !== String(desk.seat));
    this.film.showPace();
  }

  /** Shows again what happened since the viewer's last decision. */
  async replay() {
    if (!byId("replay").hidden) await this.show(byId("log"), this.desk.since);
  }

  /** Shows again what happened after a step, however long ago: its lines are fetched. False if there was nothing to show. */
  async replayFrom(from, isAbsence = false) {
    const { desk } = this;
    const list = document.createElement("ol");
    for (let first = from; first < desk.steps; first += PIECE) {
      const answer = await fetch(`${desk.path}/log?from=${first}&to=${Math.min(desk.steps, first + PIECE)}`).catch(() => null);
      if (!answer?.ok) return false;
      list.insertAdjacentHTML("beforeend", await answer.text());
    }
    return this.show(list, from, isAbsence);
  }

  /**
   * Shows what some lines of the log say happened after a step, up to now. In an absence also what a bot or an order chose for the
   * viewer is news, and nobody waits for what is only passed over.
   */
  async show(list, from, isAbsence = false) {
    const { desk, film } = this;
    if (film.isPlaying || desk.past !== null) return false;
    const shots = shotsIn(list, from, isAbsence ? null : desk.seat).filter((shot) => !isAbsence || !shot.isIdle);
    if (!shots.length) return false;
    await film.play(shots, { from, to: desk.steps, rewinds: true });
    this.mark();
    this.drain();
    return true;
  }

  /** Lights the places of a line of the log. */
  pointAt(element) {
    const line = element.closest?.("#log .step, #log .action") ?? null;
    if (line !== this.pointedAt) this.traces.light(line ? linesIn([line]) : []);
    this.pointedAt = line;
  }
}
