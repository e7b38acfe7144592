// The clocks of people who play each other, and what they do beside choosing.

import { day } from "./when.js";

const byId = (id) => document.getElementById(id);
const SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
const two = (number) => String(number).padStart(2, "0");

/** How much time is left, as the server writes it. */
export function timeLeft(left) {
  if (left >= DAY) return `${Math.floor(left / DAY)} d ${Math.floor((left % DAY) / HOUR)} h`;
  if (left >= HOUR) return `${Math.floor(left / HOUR)} h ${two(Math.floor((left % HOUR) / MINUTE))} min`;
  return `${Math.floor(left / MINUTE)}:${two(Math.floor((left % MINUTE) / SECOND))}`;
}

/** How much of the time that has just passed a seat rested. */
function rested(seat, passed) {
  const now = Date.now();
  return [...seat.querySelectorAll(".resting")].reduce((sum, { dataset: { from, until } }) => (
    sum + Math.max(0, Math.min(now, Number(until)) - Math.max(now - passed, Number(from)))
  ), 0);
}

/** Counts down the clock that runs, from what the server sent. */
export class Clocks {
  constructor() {
    this.seen = new WeakMap();
    setInterval(() => this.tick(), 250);
  }

  tick() {
    for (const seat of document.querySelectorAll("#clocks [data-runs]")) {
      const { left } = seat.dataset;
      if (this.seen.get(seat)?.left !== left) this.seen.set(seat, { left, at: performance.now() });
      const passed = performance.now() - this.seen.get(seat).at;
      const rest = Math.max(0, Number(left) - passed + rested(seat, passed));
      const timer = seat.querySelector("[role=timer]");
      const words = timeLeft(rest);
      if (timer.textContent !== words) timer.textContent = words;
      seat.classList.toggle("short", rest < MINUTE);
    }
    for (const note of document.querySelectorAll("#clocks .resting")) {
      const { from, until } = note.dataset, now = Date.now();
      const words = `resting until ${day(Number(until))}`;
      if (note.textContent !== words) note.textContent = words;
      note.hidden = now < Number(from) || now >= Number(until);
    }
  }
}

/** What a button means that is no choice; null if the person has thought better of it. */
export function deedOf(button) {
  const { deed, sure } = button.dataset;
  if (sure && !window.confirm(sure)) return null;
  const offer = Number(button.closest("[data-offer]")?.dataset.offer ?? 0);
  return { deed, offer };
}

/** A key for a request: if the answer is lost and it is sent again, it counts once. */
export function requestKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
