// The menu for a place with several choices; works with mouse, touch, arrow keys or numbers.
//
// A choice may be a chain ("step 0303 > step 0404"): the menu says what its last link does.

import { words } from "./rows.js";
import { ask } from "./send.js";

const LINK = " > ";

export class Pick {
  /** `known` gives the words of the open choices, an element each, by name. */
  constructor(desk, known) {
    this.desk = desk;
    this.known = known;
    this.menu = document.getElementById("pick");
    this.menu.addEventListener("keydown", (event) => this.key(event));
  }

  get isOpen() {
    return !this.menu.hidden;
  }

  close() {
    if (!this.isOpen) return;
    const had = this.menu.contains(document.activeElement);
    this.menu.hidden = true;
    // Who came by the keyboard goes back to where they were.
    if (had && this.from?.isConnected) this.from.focus({ preventScroll: true });
  }

  /** Asks which of some names is meant, beside a point of the screen or, without one, beside a place. */
  ask(names, place, point) {
    const known = this.known();
    this.from = document.activeElement;
    this.menu.replaceChildren(...names.map((name, at) => item(name, at, known.get(name)?.cloneNode(true) ?? words(name.split(LINK).at(-1)))));
    this.menu.hidden = false;
    this.menu.scrollTop = 0;
    const box = place.getBoundingClientRect();
    this.point = point ?? { x: box.left + box.width / 2, y: box.bottom };
    this.lay();
    this.menu.firstElementChild.focus({ preventScroll: true });
    if (names.some((name) => !known.has(name))) this.tell(names);
  }

  /** Keeps the menu on the screen. */
  lay() {
    const { offsetWidth, offsetHeight, style } = this.menu;
    style.left = `${Math.max(8, Math.min(this.point.x, innerWidth - offsetWidth - 8))}px`;
    style.top = `${Math.max(8, Math.min(this.point.y, innerHeight - offsetHeight - 8))}px`;
  }

  /** What is not in the list of choices is asked for: the words of a chain's last link. */
  async tell(names) {
    const first = this.menu.firstElementChild;
    const answer = await ask(this.desk, "labels", { choice: names.join("|") });
    const { labels } = (await answer?.json()) ?? {};
    if (!labels || !this.isOpen || this.menu.firstElementChild !== first) return;
    labels.forEach((label, at) => label && this.menu.children[at].lastElementChild.replaceWith(words(label)));
    this.lay();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const items = [...this.menu.children];
    const at = items.indexOf(document.activeElement);
    const go = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (go !== undefined) items.at(go % items.length).focus();
    else if (/^[1-9]$/.test(event.key) && !event.repeat) items[Number(event.key) - 1]?.click();
    else if (event.key === "Escape" || event.key === "Tab") this.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function item(name, at, label) {
  const button = document.createElement("button");
  button.type = "button";
  button.setAttribute("role", "menuitem");
  button.dataset.choice = name;
  const number = document.createElement("kbd");
  number.textContent = at < 9 ? at + 1 : "";
  number.hidden = at >= 9;
  button.append(number, label);
  return button;
}
