// The bots at the table: thinking clock, play now, hints, handing seats over.
import { toast } from "./toast.js";

const byId = (id) => document.getElementById(id);

export class BotControls {
  /** `post` sends something to the server and says whether it was done. */
  constructor(desk, post) {
    this.desk = desk;
    this.post = post;
    setInterval(() => this.tick(), 250);
  }

  /** Counts on from the thinking time that the server sent. */
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

  /** Makes the thinking bot play the best choice it has found. */
  playNow() {
    if (!this.desk.setsPace || byId("thinking").hidden) return null;
    return this.post("now");
  }

  /** Gives a seat to the bot selected in the dialog, or back to its player. */
  handOver(button) {
    return this.post("seat", { seat: Number(button.dataset.seat), bot: button.dataset.bot ?? byId("seats-bot").value });
  }

  /** Announces that a seat has changed hands. */
  announceSeats() {
    const { news } = byId("seating").dataset;
    if (news) toast(`${news}.`);
  }

  /** Asks for a hint and shows it next to the choices. */
  async hint() {
    const button = document.querySelector('#prompt [data-act="hint"]');
    if (!button || this.asking || this.desk.past !== null) return;
    this.asking = true;
    const asked = this.desk.revision;
    const place = byId("hint");
    place.hidden = false;
    place.innerHTML = '<p class="thinking"><span class="dots" aria-hidden="true"><i></i><i></i><i></i></span> Thinking</p>';
    button.disabled = true;
    const answer = await fetch(`${this.desk.path}/hint`).catch(() => null);
    this.asking = false;
    button.disabled = false;
    if (this.desk.revision !== asked || place.hidden) return;
    if (answer?.ok) {
      place.innerHTML = await answer.text();
      // The panel is where the eyes are next; on a small screen it may lie below, and be larger than the sheet.
      place.scrollIntoView({ block: place.offsetHeight > place.parentElement.clientHeight ? "start" : "nearest" });
      return;
    }
    this.closeHint();
    const why = answer ? await answer.json().catch(() => null) : null;
    toast(why?.error ?? "Maproom is not answering right now.");
  }

  /** Closes the hint; false if there is none. */
  closeHint() {
    const place = byId("hint");
    if (!place || place.hidden) return false;
    place.hidden = true;
    place.replaceChildren();
    return true;
  }
}
