// The table: clicks out, updates in.
import { Away } from "./away.js";
import { Clocks, deedOf, requestKey } from "./clocks.js";
import { openDialog, wireDialogs } from "./dialogs.js";
import { tumble } from "./dice.js";
import { Ending } from "./ending.js";
import { Happened } from "./happened.js";
import { wireKeys } from "./keys.js";
import { Live } from "./live.js";
import { Log } from "./log.js";
import { MapView } from "./map.js";
import { applyParts } from "./morph.js";
import { Panels } from "./panels.js";
import { Pick } from "./pick.js";
import { Pieces } from "./pieces.js";
import { Plan } from "./plan.js";
import { Pull } from "./pull.js";
import { complete } from "./rows.js";
import { ask, send } from "./send.js";
import { soundTable } from "./sounds.js";
import { Survey } from "./survey.js";
import "./tab.js";
import "./tips.js";
import { BotControls } from "./bots.js";
import { Time } from "./time.js";
import { toast } from "./toast.js";
import { Viewport } from "./viewport.js";

const byId = (id) => document.getElementById(id);

/** What the page knows of the match. */
const desk = { past: null, busy: false, clickedAt: 0, lastClickMs: 0, ...JSON.parse(byId("match").textContent) };
window.maproom = desk;

const viewport = new Viewport(byId("viewport"), byId("sheet"));
const map = viewport.isMap ? new MapView(viewport) : null;
const survey = map && new Survey(desk, map);
const plan = map?.pane.dataset.plan ? new Plan(desk, map, (name) => choose(name)) : null;
const panels = new Panels(desk);
const log = new Log(desk, byId("log"), byId("panel-log"));
const time = new Time(desk, log, whole);
const odds = new Map();
const ending = new Ending(desk);

/** What belongs to the present also while the past is looked at. */
const TIMELESS = new Set(["pace", "thinking", "chance", "seating", "coach", "clocks", "agreements", "fair-dice", "standing-orders", "presence"]);

const happened = new Happened(desk, settle, TIMELESS);
const { film } = happened;
time.onLeave = () => {
  film.cancel();
  happened.traces.clear();
};

// --- updates in --------------------------------------------------------------------------------

/** Fetches everything that can change: after a gap, or when coming back from the past. */
async function whole() {
  const answer = await fetch(`${desk.path}/update?since=${desk.revision}`).catch(() => null);
  if (answer?.status === 404) live.giveUp();
  if (!answer?.ok) {
    toast("Maproom is not answering right now.");
    return;
  }
  happened.receive({ ...(await answer.json()), asked: true });
}

/** Shows the match as an update has it. */
function settle(update) {
  if (update.behind !== undefined) {
    if (update.behind !== happened.newest) whole();
    return;
  }
  // Nothing was chosen, but bots play at another pace, one of them thinks, or a seat has changed hands. The past has a prompt
  // of its own.
  if (!update.whole && update.from === update.to) {
    if (update.to !== desk.revision) return;
    const changed = applyParts(update.parts.filter(([key]) => desk.past === null || TIMELESS.has(key)), desk.past === null ? update : {});
    if (changed.some((part) => part.id === "seating")) botControls.announceSeats();
    showReasons();
    film.showPace();
    return;
  }
  const fits = update.from === desk.revision;
  if (!update.asked && update.to <= desk.revision && !(update.whole && fits)) return;
  // An answer that was overtaken is asked for again: what is shown may still be a moment of the past. A server that stays
  // behind (its data are older than this page) is taken at its word.
  const overtaken = update.asked && update.to < desk.revision;
  if ((!fits && !update.asked) || (overtaken && !desk.overtaken)) {
    desk.overtaken = overtaken;
    whole();
    return;
  }
  desk.overtaken = false;
  desk.revision = update.to;
  desk.steps = update.steps;
  desk.since = update.since;
  const ends = update.over && !desk.over && !update.asked;
  desk.over = update.over;
  if (update.asked && desk.leaving) {
    desk.past = null;
    desk.leaving = false;
    document.body.classList.remove("past");
    time.left();
  }
  writeLog(update);
  if (desk.past === null) {
    showScene(update);
    showReasons();
  }
  else if (update.dice.length || update.steps < desk.past) toast("The match has continued. Press Esc to see it.");
  // After the picture: measuring the log would hold it up.
  requestAnimationFrame(() => setTimeout(followLog));
  time.follow();
  odds.clear();
  panels.refresh();
  plan?.refresh();
  happened.mark();
  if (ends && desk.past === null) ending.open();
  away.follow();
}

let spokenOf = "";

/** A panel over the board that speaks of a place brings it into sight: on a narrow screen above the panel. */
function revealPlace() {
  const anchor = document.querySelector("#board [data-speaks-of]")?.dataset.speaksOf ?? "";
  if (anchor && anchor !== spokenOf) happened.traces.reveal(anchor, pull.isNarrow);
  spokenOf = anchor;
}

function showScene(update) {
  // While a bot chooses there is nothing to have the focus: who had it among the choices has it again among the next.
  const inChoices = byId("choices").contains(document.activeElement) || (desk.hadFocus && document.activeElement === document.body);
  const changed = applyParts(update.parts, update);
  if (update.dice.length && !update.asked) tumble(byId("tray"));
  if (inChoices && !byId("choices").contains(document.activeElement)) choiceButtons()[0]?.focus();
  desk.hadFocus = inChoices && !choiceButtons().length;
  if (!update.asked) {
    for (const part of changed.filter((part) => part.closest("#board"))) {
      part.classList.add("fresh");
      setTimeout(() => part.classList.remove("fresh"), 1000);
    }
    byId("say").textContent = [desk.news, spoken(byId("prompt"))].filter(Boolean).join(". ");
  }
  if (desk.clickedAt) {
    requestAnimationFrame(() => {
      desk.lastClickMs = performance.now() - desk.clickedAt;
      desk.clickedAt = 0;
    });
  }
  rest();
  revealPlace();
  pick.close();
  showNote("");
  botControls.closeHint();
  pieces.refresh();
  survey?.refresh();
}

/** Whether the log stays at its end: until the person scrolls up in it. */
let followsLog = true;
const logScroller = byId("panel-log");
for (const kind of ["wheel", "touchmove", "keyup", "pointerup"]) {
  logScroller.addEventListener(kind, () => {
    setTimeout(() => {
      followsLog = logScroller.scrollHeight - logScroller.scrollTop - logScroller.clientHeight < 80;
    }, 150);
  }, { passive: true });
}
const followLog = () => {
  if (followsLog && desk.past === null) logScroller.scrollTop = logScroller.scrollHeight;
};
new ResizeObserver(followLog).observe(logScroller);

/** Removes log lines that were undone and adds new ones. */
function writeLog(update) {
  // For those who listen rather than look: what happened, then what is asked.
  const news = log.write(update).flatMap((line) => [...line.querySelectorAll("p:not(.why p)")]);
  desk.news = news.slice(-12).map(spoken).join(". ");
}

/** The words of a line without the number of its rule. */
function spoken(element) {
  const copy = element.cloneNode(true);
  copy.querySelectorAll("[data-rule]").forEach((rule) => rule.remove());
  return copy.textContent.trim();
}

const live = new Live(desk.path, () => happened.newest, (update) => happened.receive(update));
const away = new Away(desk, happened, (steps) => live.seen(steps));

// --- clicks out --------------------------------------------------------------------------------

const choiceButtons = () => [...document.querySelectorAll("#choices ol [data-choice]")];

let busySign = 0;

/** The last change is done, or refused. */
function rest() {
  clearTimeout(busySign);
  desk.busy = false;
  document.body.classList.remove("busy");
}

async function change(path, body) {
  // The match has gone on: first see what happened.
  if (film.skip()) return;
  if (desk.busy || !desk.plays || desk.past !== null) return;
  desk.busy = true;
  desk.clickedAt = performance.now();
  // Only an answer that takes its time is shown to be awaited: a flicker for every click would cost a picture.
  busySign = setTimeout(() => document.body.classList.add("busy"), 200);
  const answer = await send(`${desk.path}/${path}`, { revision: desk.revision, request: requestKey(), ...body });
  if (answer.ok) {
    // The live connection brings the change; without one it is fetched.
    if (!live.connected || happened.newest < answer.data.revision) setTimeout(() => happened.newest < answer.data.revision && whole(), live.connected ? 400 : 0);
    return;
  }
  rest();
  desk.clickedAt = 0;
  if (answer.data.code === "stale") {
    toast("The match has changed since you looked: check the position, then choose again.");
    await whole();
  } else toast(answer.data.error + (answer.data.rule ? ` (rule ${answer.data.rule})` : ""));
}

/** Undoes choice by choice while something is on the page: an attack that was being put together is taken back. */
async function cancel(button) {
  const { while: something } = button.dataset;
  for (let left = 16; left > 0 && document.querySelector(something); left -= 1) {
    const before = desk.revision;
    await change("undo", { scope: "step" });
    for (let tries = 0; tries < 100 && desk.revision === before; tries += 1) await new Promise((done) => setTimeout(done, 20));
    if (desk.revision === before) return;
  }
}

const choose = (choice) => {
  pieces.unpick();
  happened.traces.clear();
  pull.lower();
  return change("choose", { choice });
};
const pull = new Pull();
const pieces = new Pieces(desk, choose);
pieces.onWords = (words) => showNote(inWords(words));

/** Several choices belong to one place: asks which. */
const pick = new Pick(desk, () => new Map(choiceButtons().map((button) => [button.dataset.choice, button.querySelector("span:not(.sr)")])));
pieces.onSeveral = (names, place, event) => pick.ask(names, place, { x: event.clientX, y: event.clientY });

/** Asks the server to let the bots play at another pace, or to let one of them make a choice. */
async function setPace(word) {
  const answer = await send(`${desk.path}/pace`, { pace: word });
  if (!answer.ok) toast(answer.data.error);
  else if (!live.connected) whole();
}

const botControls = new BotControls(desk, async (path, body) => {
  const answer = await send(`${desk.path}/${path}`, body);
  if (!answer.ok) toast(answer.data.error);
  else if (!live.connected) whole();
  return answer.ok;
});

/** Stops the bots, or lets them go on as before; null where there is nothing to stop. */
function togglePause() {
  const { hidden, dataset } = byId("pace");
  if (dataset.bots === undefined) return hidden ? null : film.togglePause();
  if (!desk.setsPace || hidden) return null;
  return setPace(dataset.pace === "pause" ? dataset.resume : "pause");
}

new Clocks();

let ordersDesk = null;

/** Opens the desk for standing orders, which is fetched when it is first wanted. */
async function orders(about) {
  if (!document.querySelector('[data-act="orders"]')) return;
  ordersDesk ??= import("./orders.js").then(({ Orders }) => new Orders(desk));
  await (await ordersDesk).open(about);
}

let sealing = null;

/** Offers what can be chosen in secret before one is asked. */
async function seal() {
  sealing ??= import("./seal.js").then(({ Seal }) => new Seal(desk, () => live.connected || whole()));
  await (await sealing).open();
}

/** A choice's menu: an order can be made of it. */
document.addEventListener("contextmenu", (event) => {
  const place = event.target.closest?.("#choices ol [data-choice]");
  if (!place || desk.past !== null || !document.querySelector('[data-act="orders"]')) return;
  event.preventDefault();
  orders({ choice: place.dataset.choice });
});

const acts = {
  undo: () => change("undo", { scope: "step" }),
  undoTurn: () => change("undo", { scope: "turn" }),
  cancel,
  takeDefault: () => film.goOn() || document.querySelector("#choices .default")?.click(),
  odds: () => panels.open("odds"),
  log: () => panels.open("log"),
  rules: () => panels.rule(document.querySelector("#prompt [data-rule]")?.dataset.rule ?? ""),
  debug: () => panels.open("debug"),
  why: () => {
    const closed = byId("closed");
    if (!closed) return;
    closed.open = !closed.open;
    if (closed.open) closed.querySelector("summary").focus();
  },
  share: () => {
    for (const input of document.querySelectorAll("#share [data-path]")) input.value = location.origin + input.dataset.path;
    openDialog("share");
  },
  help: () => openDialog("help"),
  pace: (button) => {
    const { pace } = button.dataset;
    if (byId("pace").dataset.bots === undefined) film.setPace(pace === "pause" && film.pace === "pause" ? "normal" : pace);
    else if (pace === "pause") togglePause();
    else setPace(pace);
  },
  filmGo: () => film.goOn(),
  filmEnd: () => film.skip(),
  replay: async () => {
    await happened.replay();
    pieces.refresh();
  },
  awayShow: async () => {
    await away.play();
    pieces.refresh();
  },
  awayNo: () => away.close(),
  filmMonth: async () => {
    const from = await survey?.filmFrom();
    if (typeof from !== "number") return;
    await happened.replayFrom(from);
    pieces.refresh();
  },
  ending: () => ending.open(),
  endingLook: () => ending.open(true),
  endingClose: () => ending.close(),
  rematch: () => ending.rematch(false),
  changeSides: () => ending.rematch(true),
  botStep: () => setPace("step"),
  playNow: () => botControls.playNow(),
  seats: () => openDialog("seats"),
  talk: () => {
    panels.open("talk");
    byId("say-text")?.focus();
  },
  handOver: (button) => botControls.handOver(button),
  deed: (button) => {
    const deed = deedOf(button);
    return deed && change("deed", deed);
  },
  orders: () => orders({ step: desk.past ?? 0 }),
  seal,
  orderDeed: async ({ dataset }) => {
    const answer = await send(`${desk.path}/orders`, { deed: dataset.deed, number: Number(dataset.number ?? 0) });
    if (!answer.ok) toast(answer.data.error);
    else if (!live.connected) whole();
  },
  hint: () => botControls.hint(),
  hintClose: () => botControls.closeHint(),
  review: () => {
    location.href = `${desk.path}/review`;
  },
  togglePause,
  first: () => time.show(0),
  back: () => time.step(-1),
  forward: () => time.step(1),
  now: () => time.now(),
  fork: () => desk.past !== null && document.querySelector('#prompt [data-act="fork"]') && time.fork(desk.past),
  zoomIn: () => viewport.zoomIn(),
  zoomOut: () => viewport.zoomOut(),
  fit: () => viewport.fit(),
  move: (dx, dy) => viewport.moveBy(dx, dy),
  closeSide: () => panels.close(),
  escape: () => {
    if (panels.close() || film.skip() || plan?.clear()) return;
    if (pick.isOpen) pick.close();
    else if (ending.close()) return;
    else if (pieces.unpick()) showNote("");
    else if (botControls.closeHint()) showNote("");
    else if (desk.past !== null) time.now();
    else if (pull.isUp) pull.set(false);
    else document.activeElement?.blur?.();
  },
};
const byWord = { "away-show": "awayShow", "away-no": "awayNo", "order-deed": "orderDeed", "film-month": "filmMonth", "film-go": "filmGo", "film-end": "filmEnd", "ending-look": "endingLook", "ending-close": "endingClose", "change-sides": "changeSides", "close-side": "closeSide", "bot-step": "botStep", "play-now": "playNow", "hand-over": "handOver", "hint-close": "hintClose", "undo-turn": "undoTurn", "zoom-in": "zoomIn", "zoom-out": "zoomOut", "zoom-fit": "fit" };

document.addEventListener("click", (event) => {
  const target = event.target;
  const menu = byId("pick");
  if (!menu.contains(target)) pick.close();
  const rule = target.closest("[data-rule]");
  if (rule && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    panels.rule(rule.dataset.rule);
    return;
  }
  const button = target.closest("[data-act]");
  const act = acts[byWord[button?.dataset.act] ?? button?.dataset.act];
  if (act) {
    act(button);
    return;
  }
  const copy = target.closest("[data-copy]");
  if (copy) {
    const input = byId(copy.dataset.copy);
    input.select();
    navigator.clipboard?.writeText(input.value).then(() => toast("Copied."), () => {});
    return;
  }
  // Unfolding the reasons of a line is not going there.
  const line = target.closest("summary") ? null : target.closest("#log [data-step]");
  if (line && (target.closest(".jump") || line.classList.contains("step"))) {
    panels.close();
    time.show(Number(line.dataset.to ?? line.dataset.step));
    return;
  }
  // What is lit belongs to a position that has passed: a click goes on instead.
  if (film.isPlaying && target.closest("#board, [data-choice]")) {
    film.click();
    return;
  }
  if (pieces.click(event)) return;
  const place = target.closest("[data-choice]");
  // The second click of a double click would answer a question that nobody has read. Fingers do not double click.
  if (place && (event.detail < 2 || event.pointerType === "touch")) {
    const names = menu.contains(place) || place.closest("#hint") ? [place.dataset.choice] : pieces.namesOf(place);
    pick.close();
    // A click that a key made has no place of its own.
    if (names.length > 1) pick.ask(names, place, event.detail ? { x: event.clientX, y: event.clientY } : null);
    else choose(names[0]);
    return;
  }
  const closed = target.closest("[data-closed]");
  if (closed && closed.closest("#board")) toast(`Not possible now: ${closed.dataset.closed}.`);
});

/** Fills the list of reasons in "Why not …?" if it is open: they come when somebody looks at them. */
async function showReasons() {
  const closed = byId("closed");
  const list = closed?.open ? closed.querySelector("ul") : null;
  if (!list || list.childElementCount) return;
  const { revision } = desk;
  const answer = await fetch(`${desk.path}/closed`).catch(() => null);
  const reasons = answer?.ok ? await answer.text() : null;
  // An update in the meantime has emptied the list and asks for the new reasons itself.
  if (revision !== desk.revision) return;
  if (reasons === null) toast("The reasons could not be loaded. Try again.");
  else list.innerHTML = reasons;
}

// The event does not bubble.
document.addEventListener("toggle", (event) => event.target.id === "closed" && showReasons(), true);

// --- what a choice would mean ------------------------------------------------------------------

/** Says something beside the choices; `about` names what its odds are of. */
function showNote(html, about = "") {
  const place = byId("choice-note");
  place.dataset.about = about;
  place.hidden = !html;
  place.innerHTML = html;
}

/** Lights what belongs together, and tells the odds or the reason. */
async function consider(element) {
  // What is being read stays.
  if (element?.closest?.("#choice-note")) return;
  for (const lit of document.querySelectorAll(".considered")) lit.classList.remove("considered");
  const place = element?.closest?.("[data-choice], [data-closed]");
  if (!pieces.tapped) pieces.vanish();
  if (!place) return showNote("");
  if (place.dataset.closed) {
    const words = document.createElement("p");
    words.textContent = `Not possible now: ${place.dataset.closed}.`;
    return showNote(place.closest("#board") ? words.outerHTML : "");
  }
  const names = pieces.namesOf(place);
  if (!names.length) return showNote("");
  // Several choices with questions of their own have no odds in common.
  const questions = new Set();
  for (const other of document.querySelectorAll("[data-choice]")) {
    if (!other.dataset.choice.split("|").some((name) => names.includes(name))) continue;
    other.classList.add("considered");
    if (other.dataset.ask) questions.add(other.dataset.ask);
  }
  const about = questions.size === 1 ? [...questions][0] : "";
  const asked = desk.revision;
  const foreseen = names.length === 1 ? await pieces.preview(names[0]) : "";
  if (desk.revision !== asked || !place.classList.contains("considered")) return;
  const words = foreseen ? inWords(foreseen) : "";
  showNote(words);
  if (!about) return;
  if (!odds.has(about)) {
    const answer = await ask(desk, "odds", { about });
    if (!answer) return;
    odds.set(about, await answer.text());
  }
  if (place.classList.contains("considered")) showNote(words + odds.get(about), about);
}

function inWords(text) {
  const words = document.createElement("p");
  words.className = "foreseen";
  words.textContent = text;
  return words.outerHTML;
}

let considering = 0;
for (const kind of ["pointerover", "focusin"]) {
  document.addEventListener(kind, (event) => {
    clearTimeout(considering);
    considering = setTimeout(() => consider(event.target), kind === "focusin" ? 0 : 120);
  });
}

// --- begin -------------------------------------------------------------------------------------

applyParts(desk.classes);
complete(document.body);
// A board that is larger than its frame opens where its viewer is at home, or where something is going on.
const home = document.querySelector("#board [data-home]")?.dataset.home;
if (home) happened.traces.reveal(home, pull.isNarrow);
revealPlace();
wireDialogs();
wireKeys(acts, choiceButtons);
const news = document.querySelector("#log .new-mark");
if (news) {
  followsLog = false;
  logScroller.scrollTop = news.offsetTop - logScroller.offsetTop;
} else followLog();
document.addEventListener("visibilitychange", () => away.look());
setTimeout(() => away.follow(), 1_500);
time.follow();
happened.mark();
time.followAddress();
soundTable();
document.body.dataset.ready = "true";
