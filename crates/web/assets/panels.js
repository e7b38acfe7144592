// The panels beside the board: log, odds, rules, debug drawer.

import { ask, say } from "./send.js";

export class Panels {
  constructor(desk) {
    this.desk = desk;
    this.rules = null;
    this.oddsAt = desk.revision;
    document.querySelector(".tabs").addEventListener("click", (event) => {
      const tab = event.target.closest("[data-tab]");
      if (tab) this.open(tab.dataset.tab);
    });
    document.querySelector(".tabs").addEventListener("keydown", (event) => {
      const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!move) return;
      event.stopPropagation();
      const tabs = [...document.querySelectorAll(".tabs [data-tab]")];
      const at = tabs.indexOf(document.activeElement);
      const next = tabs[(at + move + tabs.length) % tabs.length];
      next.focus();
      this.open(next.dataset.tab);
    });
    document.getElementById("odds").addEventListener("submit", (event) => {
      event.preventDefault();
      this.answer(event.target.elements.about.value.trim());
    });
    const find = document.getElementById("find");
    let timer = 0;
    find.addEventListener("submit", (event) => event.preventDefault());
    find.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.search(find.elements.words.value), 150);
    });
  }

  /** Shows a panel. */
  async open(name) {
    if (!document.getElementById(`panel-${name}`)) return;
    for (const tab of document.querySelectorAll(".tabs [data-tab]")) {
      const chosen = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", chosen);
      tab.tabIndex = chosen ? 0 : -1;
      document.getElementById(`panel-${tab.dataset.tab}`).hidden = !chosen;
    }
    this.shown = name;
    // On a narrow screen the panels lie over the board.
    document.body.classList.add("side-open");
    document.dispatchEvent(new CustomEvent("panel", { detail: name }));
    if (name === "odds") await this.odds();
    if (name === "rules") await this.book();
    if (name === "debug") await this.debug();
  }

  /** On a narrow screen: back to the board. Whether there was something to close. */
  close() {
    const wasOpen = document.body.classList.contains("side-open") && document.querySelector(".side-close").checkVisibility();
    document.body.classList.remove("side-open");
    if (wasOpen) document.dispatchEvent(new CustomEvent("panel", { detail: "" }));
    return wasOpen;
  }

  /** After a change: what is open is brought up to date. */
  refresh() {
    if (this.shown === "odds") this.odds();
    if (this.shown === "debug") this.debug();
  }

  async odds() {
    if (this.oddsAt === this.desk.revision) return;
    this.oddsAt = this.desk.revision;
    const answer = await fetch(`${this.desk.path}/odds`).catch(() => null);
    if (answer?.ok) document.getElementById("odds").innerHTML = await answer.text();
  }

  /** Answers a question that somebody typed. */
  async answer(about) {
    if (!about) return;
    const answer = await say(ask(this.desk, "odds", { about }, { refusals: true }));
    const place = document.getElementById("odds-asked");
    if (!answer || !place) return;
    if (answer.ok) place.innerHTML = answer.text;
    else place.textContent = answer.text;
  }

  /** The rulebook, fetched once. */
  async book() {
    this.rules ??= (async () => {
      const answer = await fetch(`/rules/${this.desk.game}/panel`).catch(() => null);
      if (!answer?.ok) {
        this.rules = null;
        return;
      }
      document.getElementById("rules").innerHTML = await answer.text();
    })();
    await this.rules;
  }

  /** Opens the rulebook beside the board at a rule. */
  async rule(number) {
    await this.open("rules");
    document.querySelectorAll("#rules .found").forEach((found) => found.classList.remove("found"));
    let at = number;
    let place = document.getElementById(`rule-${at}`);
    while (!place && at.includes(".")) {
      at = at.slice(0, at.lastIndexOf("."));
      place = document.getElementById(`rule-${at}`) ?? document.getElementById(`rule-${at}.0`);
    }
    if (!place) return;
    place.classList.add("found");
    place.scrollIntoView({ block: "start" });
    place.tabIndex = -1;
    place.focus({ preventScroll: true });
  }

  async search(words) {
    const hits = document.getElementById("hits");
    if (words.trim().length < 2) {
      hits.replaceChildren();
      return;
    }
    const query = new URLSearchParams({ words });
    const answer = await fetch(`/rules/${this.desk.game}/search?${query}`).catch(() => null);
    if (!answer?.ok) return;
    hits.innerHTML = await answer.text();
    // Whoever searches has often read far down in the book: the hits stand above it.
    document.getElementById("panel-rules").scrollTop = 0;
  }

  /** The state as a tree, the choices, the log with digests, the timing. */
  async debug() {
    const answer = await fetch(`${this.desk.path}/debug`).catch(() => null);
    if (!answer?.ok) return;
    const data = await answer.json();
    data.microseconds["click to board"] = Math.round((this.desk.lastClickMs ?? 0) * 1000);
    document.getElementById("debug").replaceChildren(...Object.entries(data).map(([key, value]) => tree(key, value, 0)));
  }
}

/** A value as a tree that folds. */
function tree(key, value, depth) {
  if (value === null || typeof value !== "object") {
    const line = document.createElement("p");
    line.textContent = `${key}: ${JSON.stringify(value)}`;
    return line;
  }
  const entries = Object.entries(value);
  if (entries.every(([, inner]) => inner === null || typeof inner !== "object") && entries.length < 8) {
    const line = document.createElement("p");
    line.textContent = `${key}: ${Array.isArray(value) ? value.join("  ") : entries.map(([k, v]) => `${k} ${v}`).join(", ")}`;
    return line;
  }
  const fold = document.createElement("details");
  fold.open = depth < 1 && entries.length < 12;
  const summary = document.createElement("summary");
  summary.textContent = `${key} (${entries.length})`;
  fold.append(summary, ...entries.map(([inner, of]) => tree(inner, of, depth + 1)));
  return fold;
}
