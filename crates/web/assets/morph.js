// Makes a part of the page like a freshly drawn one, element by element, so that the focus stays where it is and a piece
// that has moved can glide.

import { complete } from "./rows.js";

const GLIDE_MS = 450;

/** Told to the document before parts are drawn: whoever has put elements elsewhere puts them back. */
export const REDRAWS = "maproom-redraws";

/** Whether things may move: the person's settings, then the system's. */
export function mayMove() {
  if (document.documentElement.dataset.motion === "still") return false;
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Reads an element from text; `like` says whether it belongs to a drawing or to the text of the page. */
function parse(html, like) {
  const drawing = like instanceof SVGElement;
  const template = document.createElement("template");
  template.innerHTML = drawing ? `<svg>${html}</svg>` : html;
  const root = drawing ? template.content.firstElementChild : template.content;
  const element = root.firstElementChild;
  if (element) complete(element);
  return element;
}

/** Puts drawn parts in place: [key, holder, element] each, or [key, null, class]. Where they are the whole scene, parts that
 * are not among them go, and all stand in the order in which they were drawn; else those of `gone` go, and `places` says
 * where parts belong that are new or stand elsewhere: [key, holder, the part before it or null]. Returns what has changed. */
export function applyParts(parts, { whole = false, gone = [], places = [] } = {}) {
  document.dispatchEvent(new Event(REDRAWS));
  const changed = [];
  if (whole) removeOthers(parts);
  for (const key of gone) document.getElementById(key)?.remove();
  for (const [key, holder, html] of parts) {
    const old = document.getElementById(key);
    if (holder === null) {
      if (old && old.getAttribute("class") !== html) {
        old.setAttribute("class", html);
        changed.push(old);
      }
      continue;
    }
    const parent = old ? old.parentNode : document.getElementById(holder);
    if (!parent) continue;
    const fresh = parse(html, parent);
    if (!fresh) continue;
    if (!old) {
      parent.append(fresh);
      changed.push(fresh);
    } else if (!old.isEqualNode(fresh)) {
      changed.push(morph(old, fresh));
    }
  }
  for (const [key, holder, before] of places) place(key, holder, before);
  return changed;
}

/** Puts a part behind another one, or first in its holder. */
function place(key, holder, before) {
  const part = document.getElementById(key);
  const other = before === null ? null : document.getElementById(before);
  if (!part) return;
  if (other) {
    if (other.nextElementSibling !== part) other.after(part);
  } else {
    const into = document.getElementById(holder);
    if (into && into.firstElementChild !== part) into.prepend(part);
  }
}

function removeOthers(parts) {
  const keys = new Set(parts.map(([key]) => key));
  for (const holder of new Set(parts.map(([, holder]) => holder).filter(Boolean))) {
    const place = document.getElementById(holder);
    // The places of a sheet hold nothing but parts; those of the page's frame hold other things as well.
    if (!place?.closest("#sheet")) continue;
    for (const child of [...place.children]) if (!keys.has(child.id)) child.remove();
    const drawn = parts.filter(([, of]) => of === holder).map(([key]) => document.getElementById(key)).filter(Boolean);
    if (drawn.some((child, at) => place.children[at] !== child)) place.append(...drawn);
  }
}

/** Makes `old` like `fresh` and returns the element that is in the page afterwards. */
export function morph(old, fresh) {
  if (old.nodeName !== fresh.nodeName || old.id !== fresh.id) {
    old.replaceWith(fresh);
    return fresh;
  }
  morphAttributes(old, fresh);
  const freshes = [...fresh.childNodes];
  keepFolds(old, freshes);
  const olds = [...old.childNodes];
  freshes.forEach((child, at) => {
    const present = olds[at];
    if (!present) old.append(child);
    else if (present.nodeType !== child.nodeType) present.replaceWith(child);
    else if (child.nodeType === Node.ELEMENT_NODE) morph(present, child);
    else if (present.data !== child.data) present.data = child.data;
  });
  olds.slice(freshes.length).forEach((child) => child.remove());
  return old;
}

/** What somebody has unfolded stays so where lines come and go before it: a fold with an id is brought to its place, by removing
 * what stands before it or by keeping places free. */
function keepFolds(old, freshes) {
  for (const fold of [...old.children].filter((child) => child.nodeName === "DETAILS" && child.id)) {
    const to = freshes.findIndex((child) => child.id === fold.id);
    let at = [...old.childNodes].indexOf(fold);
    for (; to >= 0 && at > to; at -= 1) fold.previousSibling.remove();
    for (; at < to; at += 1) fold.before("");
  }
}

function morphAttributes(old, fresh) {
  for (const { name } of [...old.attributes]) {
    // Whether a list is folded is the person's own business.
    if (!fresh.hasAttribute(name) && !(name === "open" && old.nodeName === "DETAILS")) old.removeAttribute(name);
  }
  for (const { name, value } of [...fresh.attributes]) {
    const before = old.getAttribute(name);
    if (before === value) continue;
    old.setAttribute(name, value);
    if (name === "transform" && before && old.classList.contains("glide")) glide(old, before, value);
  }
}

function glide(piece, from, to) {
  const css = (text) => {
    const [x, y] = (text.match(/-?[\d.]+/g) || [0, 0]).map(Number);
    return `translate(${x}px, ${y}px)`;
  };
  if (!mayMove() || !piece.animate) return;
  piece.animate([{ transform: css(from) }, { transform: css(to) }], { duration: GLIDE_MS, easing: "ease-in-out" });
}
