// The slider over the whole match: the board as it was, and playing on from there.
import { applyParts } from "./morph.js";
import { send } from "./send.js";
import { toast } from "./toast.js";

export class Time {
  /** `back` brings the board back to now; `log` is the log beside it. */
  constructor(desk, log, back) {
    this.desk = desk;
    this.log = log;
    this.back = back;
    this.slider = document.getElementById("slider");
    this.output = document.getElementById("step");
    this.wanted = null;
    this.busy = false;
    /** The moment of the past that the board shows, and the revision at which it was drawn. */
    this.shown = null;
    this.slider.addEventListener("input", () => this.show(Number(this.slider.value)));
  }

  /** The slider after the match has gone on or back. */
  follow() {
    this.slider.max = this.desk.steps;
    if (this.desk.past === null) this.slider.value = this.desk.steps;
    this.label();
  }

  label() {
    const at = this.desk.past ?? this.desk.steps;
    this.output.textContent = `${at} / ${this.desk.steps}`;
    this.slider.setAttribute("aria-valuetext", `step ${at} of ${this.desk.steps}`);
  }

  step(by) {
    const at = (this.desk.past ?? this.desk.steps) + by;
    this.show(Math.min(this.desk.steps, Math.max(0, at)));
  }

  /** Shows the board after a step; the last one is now. */
  async show(step) {
    if (step >= this.desk.steps) {
      if (this.desk.past !== null) this.now();
      return;
    }
    this.onLeave?.();
    this.desk.past = step;
    this.desk.leaving = false;
    document.body.classList.add("past");
    this.slider.value = step;
    this.label();
    this.mark();
    this.wanted = step;
    if (this.busy) return;
    this.busy = true;
    // Only the last wish counts while the slider is dragged.
    while (this.wanted !== null) {
      const at = this.wanted;
      this.wanted = null;
      // What differs from the moment that is shown is enough.
      const known = this.shown ? `?shown=${this.shown.step}&revision=${this.shown.revision}` : "";
      const answer = await fetch(`${this.desk.path}/at/${at}${known}`).catch(() => null);
      if (!answer?.ok) {
        toast("That position can't be shown right now.");
        break;
      }
      const scene = await answer.json();
      if (this.desk.past === null) break;
      // A present that was shown in between is no ground to build on.
      if (!scene.whole && !this.shown) {
        this.wanted ??= at;
        continue;
      }
      applyParts(scene.parts, scene);
      this.shown = { step: scene.step, revision: scene.revision };
    }
    this.busy = false;
  }

  /** The present is on the board again. */
  left() {
    this.shown = null;
  }

  /** Back to now: the past is left when the present is there to be shown. */
  async now() {
    if (this.desk.past === null) return;
    this.wanted = null;
    this.desk.leaving = true;
    await this.back();
    this.follow();
    this.mark();
  }

  /** Marks the line of the log that is shown, fetching it first where the page does not have it yet. */
  async mark() {
    const wanted = this.desk.past;
    if (wanted !== null) await this.log.need(wanted);
    if (this.desk.past !== wanted) return;
    const lines = [...document.querySelectorAll("#log .step")];
    lines.forEach((line) => line.classList.remove("shown"));
    document.querySelectorAll("#log .shown-in").forEach((line) => line.classList.remove("shown-in"));
    if (this.desk.past === null) return;
    const at = lines.findLast((line) => Number(line.dataset.step) <= this.desk.past);
    at?.classList.add("shown");
    // A step that is folded away is shown by the line of its action.
    const action = at?.closest(".action");
    if (action && action !== at) action.classList.add("shown-in");
    (at?.offsetParent ? at : action)?.scrollIntoView({ block: "nearest" });
  }

  /** An address may name a moment: `#step=12`, as the review writes it. */
  followAddress() {
    const go = () => {
      const step = Number(/^#step=(\d+)$/.exec(location.hash)?.[1] ?? NaN);
      if (Number.isInteger(step)) this.show(step);
    };
    addEventListener("hashchange", go);
    go();
  }

  async fork(step) {
    if (this.forking) return;
    this.forking = true;
    const answer = await send(`${this.desk.path}/fork`, { step });
    if (answer.ok) location.href = answer.data.path;
    else toast(answer.data.error);
    this.forking = answer.ok;
  }
}
