// Talk at the table and notes for oneself. The live connection says only that something was said; what it was, each page asks for.
import { send } from "./send.js";
import { toast } from "./toast.js";

const { path } = JSON.parse(document.getElementById("match").textContent);
const byId = (id) => document.getElementById(id);
const panel = byId("panel-talk");
const list = byId("talk-lines");
const form = byId("say-form");
const hide = byId("talk-hide");
const isSeat = panel.dataset.heard !== undefined;
const HIDDEN = `maproom talk hidden ${path.split("/")[2]}`;
/** The most lines that the page keeps. */
const MOST = 400;

let last = 0;
let heard = isSeat ? Number(panel.dataset.heard) : null;
let asking = null;
let isOpen = !panel.hidden;
let unread = 0;
let hasFetched = false;

const isHidden = () => localStorage.getItem(HIDDEN) === "yes";

/** Marks the buttons that lead here with the number of lines that were not read. */
function mark() {
  const count = isHidden() ? 0 : unread;
  for (const sign of document.querySelectorAll("[data-unread]")) {
    sign.hidden = !count;
    sign.textContent = count ? String(count) : "";
    sign.setAttribute("aria-label", count ? `, ${count} unread` : "");
  }
}

/** What is shown now counts as read. */
function read() {
  if (!isOpen || document.hidden || isHidden()) return;
  unread = 0;
  mark();
  if (heard === null || last <= heard) return;
  heard = last;
  if (isSeat) send(`${path}/talk/heard`, { n: last });
}

const isAtEnd = () => panel.scrollHeight - panel.scrollTop - panel.clientHeight < 60;

/** Fetches what was said since, one request after the other. */
function more() {
  asking = (asking ?? Promise.resolve()).then(fetchLines);
  return asking;
}

async function fetchLines() {
  if (!list) return;
  const answer = await fetch(`${path}/talk?after=${last}`).catch(() => null);
  if (!answer?.ok) return;
  const { html, last: newest } = await answer.json();
  const follows = isAtEnd();
  const isFirst = !hasFetched;
  hasFetched = true;
  list.insertAdjacentHTML("beforeend", html);
  const fresh = [...list.children].filter((line) => Number(line.dataset.n) > last);
  while (list.childElementCount > MOST) list.firstElementChild.remove();
  last = newest;
  byId("talk-empty").hidden = list.childElementCount > 0;
  // Whoever only watches has read what was there before they came.
  heard ??= newest;
  const others = fresh.filter((line) => !line.classList.contains("mine") && Number(line.dataset.n) > heard);
  unread += others.length;
  if (others.length && !isOpen && !isHidden() && !isFirst) {
    const newest = others.at(-1);
    byId("talk-news").textContent = `${newest.querySelector(".who b").textContent}: ${newest.querySelector(".words").textContent}`;
  }
  mark();
  read();
  if (fresh.length && (follows || isFirst) && isOpen) panel.scrollTop = panel.scrollHeight;
}

document.addEventListener("talk", () => more());
document.addEventListener("visibilitychange", read);
document.addEventListener("panel", (event) => {
  isOpen = event.detail === "talk";
  if (isOpen) panel.scrollTop = panel.scrollHeight;
  read();
});

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = form.elements.text;
  const text = field.value.trim();
  if (!text || form.dataset.busy) return;
  form.dataset.busy = "yes";
  const answer = await send(`${path}/talk`, { text });
  delete form.dataset.busy;
  if (!answer.ok) return toast(answer.data.error);
  field.value = "";
  field.focus();
  await more();
  panel.scrollTop = panel.scrollHeight;
});

function showHidden() {
  const off = isHidden();
  for (const part of [list, form, byId("talk-empty")]) part?.classList.toggle("away", off);
  hide.textContent = off ? "Show the talk at this table" : "Hide the talk at this table";
  hide.setAttribute("aria-pressed", off);
  mark();
}
hide?.addEventListener("click", () => {
  localStorage.setItem(HIDDEN, isHidden() ? "no" : "yes");
  showHidden();
  read();
});

// --- what to do about a line -------------------------------------------------------------------

panel.addEventListener("click", async (event) => {
  const { contact, account, report } = event.target.closest("button")?.dataset ?? {};
  if (contact) {
    const body = new URLSearchParams({ account, kind: contact, on: "yes" });
    const answer = await fetch("/people", { method: "POST", body }).catch(() => null);
    if (!answer?.ok) return toast("That did not work. Try it on the page “People”.");
    for (const button of list.querySelectorAll(`[data-account="${account}"]`)) button.closest("li").remove();
    toast(contact === "block" ? "Blocked. “People” ends it again." : "Muted. “People” ends it again.");
  }
  if (report) {
    const line = event.target.closest("li");
    if (line.querySelector("form")) return;
    const why = document.createElement("form");
    why.className = "why-report";
    why.innerHTML = `<label>What is wrong with it? <input name="why" maxlength="500"></label><button type="submit">Send the report</button>`;
    line.querySelector(".about").append(why);
    why.elements.why.focus();
    why.addEventListener("submit", async (sent) => {
      sent.preventDefault();
      const answer = await send(`${path}/talk/report`, { n: Number(report), why: why.elements.why.value });
      if (answer.ok) why.remove();
      toast(answer.ok ? "Reported. The answer will stand on the page “People”." : answer.data.error);
    });
  }
});

// --- notes -------------------------------------------------------------------------------------

const note = byId("note-text");
if (note) {
  const state = byId("note-state");
  let timer = 0;
  const save = async () => {
    clearTimeout(timer);
    timer = 0;
    const answer = await send(`${path}/note`, { text: note.value });
    // Whoever has written on meanwhile has not been saved yet.
    if (!timer) state.textContent = answer.ok ? "Saved." : answer.data.error;
  };
  note.addEventListener("input", () => {
    state.textContent = "";
    clearTimeout(timer);
    timer = setTimeout(save, 800);
  });
  note.addEventListener("blur", () => timer && save());
}

if (hide) showHidden();
more();
document.body.dataset.talk = "ready";
