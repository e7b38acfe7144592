// Sitting down: this browser draws a number for the dice, seals it, and shows it when everybody has sat down.
import { send } from "./send.js";
import { sha256 } from "./sha256.js";
import { toast } from "./toast.js";

const AGAIN_MS = 4_000;
const MOST_AGAIN_MS = 60_000;
const TAG = new TextEncoder().encode("maproom number 1");

const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** What is shown before the number: the hash of the seal of the house, the seat and the number. */
function sealed(house, seat, number) {
  return hex(sha256(new Uint8Array([...TAG, ...unhex(house), seat, ...unhex(number)])));
}

/** The number of this browser for a match and a seat; kept here, so that a page that is opened again has it still. */
class OwnNumber {
  constructor(house, seat) {
    Object.assign(this, { house, seat, key: `maproom number ${house} ${seat}` });
    this.number = OwnNumber.kept.get(this.key) ?? null;
    try {
      this.number ??= localStorage.getItem(this.key);
    } catch {
      // A browser that keeps nothing has it as long as the page is open.
    }
  }

  draw() {
    if (this.number) return;
    this.number = hex(crypto.getRandomValues(new Uint8Array(32)));
    OwnNumber.kept.set(this.key, this.number);
    try {
      localStorage.setItem(this.key, this.number);
    } catch {
      // As above.
    }
  }

  get seal() {
    return sealed(this.house, this.seat, this.number);
  }
}
OwnNumber.kept = new Map();

const path = JSON.parse(document.getElementById("match").textContent).path;
let isSending = false;
let timer = 0;
let wait = AGAIN_MS;
let isFirst = true;
let hasWarned = false;

/** Does what the panel says is due, and again later if it stays so. */
async function look() {
  const panel = document.getElementById("fair-dice");
  if (!panel || isSending) return;
  const { house, seat, due, share } = panel.dataset;
  const own = house && seat !== undefined ? new OwnNumber(house, Number(seat)) : null;
  if (own?.number && share) check(own, share);
  const sits = due === "sit" || (due === "wait" && isFirst && own && !(own.number && share === own.seal));
  isFirst = false;
  if (!sits && !(due === "number" && own?.number && share === own.seal)) return;
  isSending = true;
  if (sits) {
    own?.draw();
    await send(`${path}/sit`, own ? { commitment: own.seal } : {});
  } else await send(`${path}/number`, { number: own.number });
  isSending = false;
  clearTimeout(timer);
  // The answer comes as a change of the panel, often before that of the request; without one it is tried again.
  if (document.getElementById("fair-dice")?.dataset.due !== due) {
    look();
    return;
  }
  timer = setTimeout(look, wait);
  wait = Math.min(wait * 2, MOST_AGAIN_MS);
}

/** Whether what this browser has sealed is what counts. It says so once if it is not. */
function check(own, share) {
  const [seal, number] = share.split(" ");
  const isOut = share.endsWith("left-out");
  const isOther = number && !isOut && (seal !== own.seal || number !== own.number);
  if (hasWarned || !(isOut || isOther)) return;
  hasWarned = true;
  toast(isOut ? "The dice were begun without the number of this browser: see Share." : "Another browser has put your number into the dice: see Share.");
}

new MutationObserver(look).observe(document.getElementById("share-dice"), { childList: true, subtree: true, attributes: true });
look();
