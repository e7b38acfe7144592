// The laboratory: a batch follows itself while it is played, forms are sent without losing what was filled in, and texts are
// checked while somebody writes.
import { wireDialogs } from "./dialogs.js";
import { morph } from "./morph.js";
import { toast } from "./toast.js";

const FOLLOW_MS = 1_000;
const CHECK_MS = 350;

wireDialogs();

const main = () => document.querySelector("main.lab");

// --- following ---------------------------------------------------------------------------------

/** Fetches a page of ours; null if there is none. */
async function fetched(address) {
  try {
    const answer = await fetch(address, { headers: { accept: "text/html" } });
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  } catch {
    return null;
  }
}

/** Makes the page as it is now; what somebody has unfolded stays so. */
async function follow() {
  if (!document.hidden) {
    const page = await fetched(location.href);
    const next = page?.querySelector("main.lab");
    if (next) {
      const shown = [...main().querySelectorAll("[aria-expanded=true]")].map((button) => button.dataset.shows);
      morph(main(), document.adoptNode(next));
      for (const id of shown) show(main().querySelector(`[data-shows="${id}"]`));
    }
  }
  soon();
}

/** Looks again after a while, if there is anything to follow; the page may say after how long. */
function soon() {
  if (main().hasAttribute("data-follow")) setTimeout(follow, Number(main().dataset.follow) || FOLLOW_MS);
}
soon();

/** Shows the rest of a long table. */
function show(button) {
  const rest = button && document.getElementById(button.dataset.shows);
  if (!rest) return;
  rest.hidden = false;
  button.hidden = true;
  button.setAttribute("aria-expanded", "true");
}

// --- sending -----------------------------------------------------------------------------------

/** Sends a form. What is wrong is said beside it; else the page that comes of it is opened. */
async function order(form) {
  const trouble = form.querySelector(".trouble[role=alert]");
  const button = form.querySelector("button[type=submit]");
  trouble.hidden = true;
  button.disabled = true;
  try {
    const body = new URLSearchParams(new FormData(form));
    const answer = await fetch(form.action, { method: "POST", body, headers: { accept: "application/json" } });
    if (answer.ok && answer.redirected) {
      location.href = answer.url;
      return;
    }
    const text = await answer.text();
    try {
      trouble.textContent = JSON.parse(text).error;
    } catch {
      trouble.textContent = text;
    }
  } catch {
    trouble.textContent = "Maproom is not answering. Is it still running?";
  }
  button.disabled = false;
  trouble.hidden = false;
  trouble.scrollIntoView({ block: "nearest" });
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.matches("form.order")) {
    event.preventDefault();
    order(form);
  } else if (form.dataset.deed === "delete" && !confirm("Delete this batch with all that came of it?")) {
    event.preventDefault();
  }
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.dataset.shows) {
    const rest = document.getElementById(button.dataset.shows);
    show(button);
    rest.tabIndex = -1;
    rest.focus();
  } else if (button.dataset.line) goTo(button);
  else if (button.dataset.act === "original") {
    const writing = document.querySelector(".writing");
    const text = writing.querySelector("textarea");
    text.value = text.defaultValue;
    drawn(writing);
    check(writing);
    toast("This is the original again.");
  }
});

// Another set-up may have other seats.
document.addEventListener("change", async (event) => {
  const { target } = event;
  if (target.matches("select[data-setup]") && target.value) {
    const { game } = target.form.dataset;
    const page = await fetched(`/lab/new/${game}?setup=${encodeURIComponent(target.value)}`);
    const next = page?.getElementById("seats");
    if (!next) return;
    const chosen = [...document.querySelectorAll("#seats select")].map((seat) => seat.value);
    document.getElementById("seats").replaceWith(document.adoptNode(next));
    document.querySelectorAll("#seats select").forEach((seat, at) => {
      if (chosen[at]) seat.value = chosen[at];
    });
  } else if (target.matches("select[data-original]")) {
    location.href = `${target.dataset.original}?of=${encodeURIComponent(target.value)}`;
  } else if (target.name?.startsWith("b.") && target.value) {
    // Whoever fills in a second way wants it.
    target.form.elements.compare.checked = true;
  }
});

// --- writing -----------------------------------------------------------------------------------

/** Puts the caret where a mistake is. */
function goTo(button) {
  const text = button.closest(".writing").querySelector("textarea");
  const lines = text.value.split("\n");
  const line = Number(button.dataset.line) - 1;
  const before = lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0);
  // Columns are counted in characters and not in halves of them.
  const within = [...(lines[line] ?? "")].slice(0, Number(button.dataset.column) - 1).join("").length;
  text.focus();
  text.setSelectionRange(before + within, before + within);
  const high = Number.parseFloat(getComputedStyle(text).lineHeight);
  text.scrollTop = Math.max(0, (line - 3) * high);
}

/** Draws the numbers of the lines beside a text, and marks those with mistakes. */
function drawn(writing) {
  const text = writing.querySelector("textarea");
  const gutter = writing.querySelector(".gutter");
  const count = text.value.split("\n").length;
  const bad = new Set([...writing.querySelectorAll(".problems .error [data-line]")].map((button) => Number(button.dataset.line)));
  const key = `${count} ${[...bad]}`;
  if (gutter.dataset.key !== key) {
    gutter.dataset.key = key;
    const rows = Array.from({ length: count }, (_, at) => {
      const row = document.createElement("span");
      row.textContent = at + 1;
      if (bad.has(at + 1)) row.className = "bad";
      return row;
    });
    gutter.replaceChildren(...rows);
  }
  gutter.scrollTop = text.scrollTop;
}

/** Scrolls a long line to what is meant in it. */
function toCaret(pre) {
  const lines = pre.textContent.split("\n");
  const longest = Math.max(1, ...lines.map((line) => line.length));
  const caret = lines[1]?.indexOf("^") ?? 0;
  pre.scrollLeft = Math.max(0, ((caret - 12) * pre.scrollWidth) / longest);
}

/** Asks what is wrong with a text. An answer that comes after the next question is of no use any more. */
async function check(writing) {
  const text = writing.querySelector("textarea");
  const found = writing.querySelector(".findings");
  const asked = (writing.asked = (writing.asked ?? 0) + 1);
  if (!text.value.trim()) {
    found.replaceChildren();
    drawn(writing);
    return;
  }
  const { game, kind } = writing.dataset;
  let html = "";
  try {
    const answer = await fetch(writing.dataset.check, { method: "POST", body: new URLSearchParams({ game, kind, text: text.value }) });
    html = answer.ok ? await answer.text() : "";
  } catch {
    // The next letter asks again.
  }
  if (asked !== writing.asked) return;
  if (html) {
    found.innerHTML = html;
    for (const pre of found.querySelectorAll(".problems pre")) toCaret(pre);
  } else found.textContent = "It could not be checked: is Maproom still running?";
  drawn(writing);
}

for (const writing of document.querySelectorAll(".writing")) {
  const text = writing.querySelector("textarea");
  let soon = 0;
  text.addEventListener("input", () => {
    drawn(writing);
    clearTimeout(soon);
    soon = setTimeout(() => check(writing), CHECK_MS);
    if (text.name.startsWith("b.") && text.value.trim()) text.form.elements.compare.checked = true;
  });
  text.addEventListener("scroll", () => drawn(writing));
  writing.closest("details")?.addEventListener("toggle", () => drawn(writing));
  drawn(writing);
  if (text.value.trim()) check(writing);
}

document.body.dataset.ready = "true";
