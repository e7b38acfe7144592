// Coming back: what happened since this seat last looked is offered as a film.
//
// Until somebody has said whether they want to see it, the house is not told that they have.
import { toast } from "./toast.js";
import { when } from "./when.js";

/** So many steps are shown at most; what is older stands in the log. */
const MOST = 1000;
/** Whoever was gone for less has only looked at something else. */
const GONE_MS = 120_000;

const byId = (id) => document.getElementById(id);

export class Away {
  /** `tellSeen` tells how far the person has seen the match. */
  constructor(desk, happened, tellSeen) {
    this.desk = desk;
    this.happened = happened;
    this.tellSeen = tellSeen;
    this.panel = byId("away");
    /** From which step on something was missed, and since when; null if nothing. */
    this.missed = desk.away ?? null;
    /** Where the match stood when the window was put aside. */
    this.left = null;
    this.show();
  }

  /** The window was put aside, or is looked at again. */
  look() {
    const { desk, left } = this;
    if (document.hidden) {
      this.left ??= { from: desk.steps, since: Date.now() };
      return;
    }
    this.left = null;
    const isBack = left && desk.returns && desk.steps > left.from && Date.now() - left.since >= GONE_MS;
    if (isBack && !this.missed) this.missed = left;
    this.follow();
  }

  /** The match has gone on, or was taken back. */
  follow() {
    if (this.missed && this.missed.from >= this.desk.steps) this.missed = null;
    this.show();
    if (!this.missed) this.tellSeen(this.desk.steps);
  }

  /** Offers what was missed. */
  show() {
    const { missed, desk, panel } = this;
    panel.hidden = !missed;
    if (!missed) return;
    const count = desk.steps - missed.from;
    panel.querySelector(".what").textContent = `${count.toLocaleString("en-GB")} step${count === 1 ? "" : "s"} since ${when(missed.since)}`;
  }

  /** Shows what was missed, as this seat saw it. */
  async play() {
    const { missed, desk, happened } = this;
    if (!missed || happened.film.isPlaying) return;
    const shown = await happened.replayFrom(Math.max(missed.from, desk.steps - MOST), true);
    if (!shown) toast("Nothing of that is to be seen on the board: the log tells it.");
    this.close();
  }

  close() {
    this.missed = null;
    this.follow();
  }
}
