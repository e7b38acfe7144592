// The review: going through the curve, filtering, playing on from a moment.
import { wireDialogs } from "./dialogs.js";
import { send } from "./send.js";
import { toast } from "./toast.js";

const byId = (id) => document.getElementById(id);

wireDialogs();

// --- while the review is looked for ------------------------------------------------------------

const wait = byId("wait");

/** Asks how far it is, until it is ready. */
async function follow() {
  const answer = await fetch(wait.dataset.progress).catch(() => null);
  const far = answer?.ok ? await answer.json() : null;
  // What was refused meanwhile is said by the page itself.
  if (far?.done || (answer && !answer.ok)) {
    location.reload();
    return;
  }
  if (far) {
    byId("far").value = far.progress;
    byId("percent").textContent = `${Math.floor(far.progress * 100)} %`;
  }
  setTimeout(follow, 600);
}
if (wait) follow();

// --- the curve ---------------------------------------------------------------------------------

const data = JSON.parse(byId("review-data")?.textContent ?? "null");

/** Shows a position of the match beside the curve. */
function show(at) {
  const place = data.places[at];
  if (!place) return;
  const [x, told] = place;
  byId("cursor").setAttribute("x1", x);
  byId("cursor").setAttribute("x2", x);
  byId("walk").value = at;
  byId("walk").setAttribute("aria-valuetext", told);
  byId("readout").textContent = told;
  byId("to-board").href = `${data.path}#step=${at}`;
}

/** The position under a point of the screen. */
function under(event) {
  const curve = byId("curve");
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(curve.getScreenCTM().inverse());
  const { left, right } = curve.dataset;
  const share = (point.x - Number(left)) / (Number(right) - Number(left));
  return Math.round(Math.min(1, Math.max(0, share)) * (data.places.length - 1));
}

if (data) {
  byId("walk").addEventListener("input", () => show(Number(byId("walk").value)));
  byId("curve").addEventListener("pointermove", (event) => show(under(event)));
  byId("curve").addEventListener("focusin", (event) => {
    const step = /#step=(\d+)/.exec(event.target.closest("a")?.getAttribute("href") ?? "")?.[1];
    if (step) show(Number(step) + 1);
  });
  byId("curve").addEventListener("click", (event) => {
    if (!event.target.closest("a")) location.href = `${data.path}#step=${under(event)}`;
  });
}

// --- filters -----------------------------------------------------------------------------------

const filter = byId("filter");

/** Shows the moments of a kind and of a seat. A draw is nobody's, so that it stays whatever the seat. */
function sift() {
  const kind = filter.elements.kind.value;
  const seat = filter.elements.seat?.value ?? "";
  let shown = 0;
  for (const moment of document.querySelectorAll("#moments > .moment")) {
    const { kind: of, actor } = moment.dataset;
    const fits = kind === "all" || of === kind || (kind === "choice" && of === "mistake") || (kind === "luck" && of === "small");
    moment.hidden = !fits || (seat !== "" && actor !== seat && actor !== "fate");
    shown += moment.hidden ? 0 : 1;
  }
  byId("none").hidden = shown > 0;
}

if (filter) {
  filter.addEventListener("change", sift);
  filter.addEventListener("submit", (event) => event.preventDefault());
  sift();
}

// --- playing on --------------------------------------------------------------------------------

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-fork]");
  if (!button) return;
  button.disabled = true;
  const answer = await send(`${data.path}/fork`, { step: Number(button.dataset.fork) });
  button.disabled = false;
  if (answer.ok) location.href = answer.data.path;
  else toast(answer.data.error);
});

document.body.dataset.ready = "true";
