// The words of signs on the board, for those whom the browser doesn't tell them: by long press on a touch screen, by focus,
// and by pointer where a sign has a name but no title of its own.

const POINT_MS = 450;
const PRESS_MS = 450;
/** A finger that moves further than this scrolls. */
const STILL_PX = 9;

const board = document.getElementById("board");
const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;
tip.setAttribute("role", "tooltip");
document.body.append(tip);

/** The title of an element: its attribute, or the first child of a drawing. */
const titleOf = (element) => element.getAttribute("title") ?? element.querySelector(":scope > title")?.textContent ?? "";

/** What is to be said about a place, and by which element: the nearest that has words. */
function words(target, { named }) {
  for (let element = target; element && element !== board; element = element.parentElement) {
    const title = titleOf(element);
    if (title) return named ? null : { element, text: title };
    const name = element.getAttribute("aria-label");
    // The name of a whole group says nothing about the sign in it.
    if (name && element.getAttribute("role") !== "group") return { element, text: name };
  }
  return null;
}

function show(found) {
  tip.hidden = !found;
  if (!found) return;
  tip.textContent = found.text;
  const at = found.element.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  const above = at.top - height - 8;
  const left = Math.min(Math.max(6, at.left + at.width / 2 - width / 2), innerWidth - width - 6);
  tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(above > 4 ? above : Math.min(at.bottom + 8, innerHeight - height - 6))}px)`;
}

let timer = 0;
const later = (ms, act) => {
  clearTimeout(timer);
  timer = setTimeout(act, ms);
};
const hide = () => {
  clearTimeout(timer);
  show(null);
};

board.addEventListener("pointerover", (event) => {
  if (event.pointerType === "touch") return;
  hide();
  later(POINT_MS, () => show(words(event.target, { named: true })));
});
board.addEventListener("pointerleave", hide);
board.addEventListener("focusin", (event) => {
  if (event.target.matches(":focus-visible")) show(words(event.target, { named: false }));
});
board.addEventListener("focusout", hide);
document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
document.addEventListener("scroll", hide, { capture: true, passive: true });

let pressed = null;
document.addEventListener("keydown", () => {
  pressed = null;
});
board.addEventListener("pointerdown", (event) => {
  hide();
  pressed = null;
  if (event.pointerType !== "touch") return;
  pressed = { x: event.clientX, y: event.clientY, told: false };
  later(PRESS_MS, () => {
    const found = words(event.target, { named: false });
    if (!pressed || !found) return;
    pressed.told = true;
    show(found);
  });
});
board.addEventListener("pointermove", (event) => {
  if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > STILL_PX) hide();
});
for (const kind of ["pointerup", "pointercancel"]) {
  board.addEventListener(kind, () => {
    if (!pressed?.told) clearTimeout(timer);
  });
}
// A long press asks what something is; it does not choose it.
board.addEventListener("click", (event) => {
  if (pressed?.told) {
    event.preventDefault();
    event.stopPropagation();
  }
  pressed = null;
}, { capture: true });
board.addEventListener("contextmenu", (event) => pressed?.told && event.preventDefault());
