// The bots at the table: who thinks and for how long, play now, hints, and seats that change hands.
import { toast } from "./toast.js";

const byId = (id) => document.getElementById(id);

export class Staff {
  /** `post` sends something to the server and says whether it was done. */
  constructor(desk, post) {
    this.desk = desk;
    this.post = post;
    setInterval(() => this.tick(), 250);
  }

  /** The clock of a bot that thinks counts on from what the server said. */
  tick() {
    const sign = byId("thinking");
    const ms = sign?.dataset.ms;
    if (!ms || sign.hidden) {
      this.began = null;
      return;
    }
    if (this.began?.ms !== ms) this.began = { ms, at: performance.now() - Number(ms) };
    const seconds = Math.floor((performance.now() - this.began.at) / 1000);
    const clock = sign.querySelector(".clock");
    const words = seconds > 0 ? ` · ${seconds} s` : "";
    if (clock && clock.textContent !== words) clock.textContent = words;
  }

  /** The bot that thinks shall play the best that it has found. */
  playNow() {
    if (!this.desk.setsPace || byId("thinking").hidden) return null;
    return this.post("now");
  }

  /** Gives a seat to the bot that is chosen in the dialogue, or to the one whose it is. */
  handOver(button) {
    return this.post("seat", { seat: Number(button.dataset.seat), bot: button.dataset.bot ?? byId("seats-bot").value });
  }

  /** Says that a seat has changed hands. */
  tellSeats() {
    const { news } = byId("seating").dataset;
    if (news) toast(`${news}.`);
  }

  /** Asks what search would do, and shows it beside the choices. */
  async hint() {
    const button = document.querySelector('#prompt [data-act="hint"]');
    if (!button || this.asking || this.desk.past !== null) return;
    this.asking = true;
    const asked = this.desk.revision;
    const place = byId("hint");
    place.hidden = false;
    place.innerHTML = '<p class="thinking"><span class="dots" aria-hidden="true"><i></i><i></i><i></i></span> Thinking about it</p>';
    button.disabled = true;
    const answer = await fetch(`${this.desk.path}/hint`).catch(() => null);
    this.asking = false;
    button.disabled = false;
    if (this.desk.revision !== asked || place.hidden) return;
    if (answer?.ok) {
      place.innerHTML = await answer.text();
      // The panel is where the eyes are next; on a small screen it may lie below.
      place.scrollIntoView({ block: "nearest" });
      return;
    }
    this.closeHint();
    const why = answer ? await answer.json().catch(() => null) : null;
    toast(why?.error ?? "Maproom does not answer just now.");
  }

  /** Takes the hint away; false if there is none. */
  closeHint() {
    const place = byId("hint");
    if (!place || place.hidden) return false;
    place.hidden = true;
    place.replaceChildren();
    return true;
  }
}
