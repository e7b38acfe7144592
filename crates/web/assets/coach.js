// The coach: turns the pages of a lesson, and draws rings around what it speaks of.
import { applyParts } from "./morph.js";
import { send } from "./send.js";
import { toast } from "./toast.js";

const { path } = JSON.parse(document.getElementById("match").textContent);
/** How often the rings are put where their things are: boards glide, scroll and zoom. */
const EVERY_MS = 150;

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-coach]");
  if (!button || button.disabled) return;
  button.disabled = true;
  const answer = await send(`${path}/coach`, { coach: button.dataset.coach });
  button.disabled = false;
  if (!answer.ok) toast(answer.data.error);
  else if (answer.data.panel) applyParts([["coach", "ask", answer.data.panel]]);
});

const layer = document.createElement("div");
layer.className = "rings";
layer.setAttribute("aria-hidden", "true");
document.body.append(layer);

/** What the coach points at on the present page. */
const looked = () => {
  const ids = document.getElementById("coach")?.dataset.look ?? "";
  return ids.split(" ").filter(Boolean).map((id) => document.getElementById(id)).filter(Boolean);
};

/** The part of a thing that can be seen: boards scroll in frames of their own. */
function visible(thing) {
  let { left, top, right, bottom } = thing.getBoundingClientRect();
  if (right - left < 2 || bottom - top < 2) return null;
  const frame = thing.closest("#viewport, #ask, .panel")?.getBoundingClientRect();
  if (frame) {
    left = Math.max(left, frame.left);
    top = Math.max(top, frame.top);
    right = Math.min(right, frame.right);
    bottom = Math.min(bottom, frame.bottom);
  }
  return right - left > 4 && bottom - top > 4 ? { left, top, right, bottom } : null;
}

let shown = "";
function place() {
  const coach = document.getElementById("coach");
  const things = looked();
  const page = `${coach?.dataset.page} ${coach?.dataset.look}`;
  if (page !== shown) {
    shown = page;
    // Only when the page has turned: nothing moves under the reader's hand.
    if (things.length && !visible(things[0])) things[0].scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  const places = things.map(visible).filter(Boolean);
  while (layer.children.length > places.length) layer.lastChild.remove();
  while (layer.children.length < places.length) layer.append(document.createElement("i"));
  places.forEach(({ left, top, right, bottom }, at) => {
    const { style } = layer.children[at];
    style.transform = `translate(${Math.round(left) - 5}px, ${Math.round(top) - 5}px)`;
    style.width = `${Math.round(right - left) + 10}px`;
    style.height = `${Math.round(bottom - top) + 10}px`;
  });
}
setInterval(() => document.hidden || place(), EVERY_MS);
place();
document.body.dataset.coach = "ready";
