// The last page of a match, over the board. What a look at the whole match finds is added when it is ready.
import { send } from "./send.js";
import { toast } from "./toast.js";

/** How long to wait before asking again how far the look at the match has come. */
const ASK_AGAIN_MS = 1_200;

export class Ending {
  constructor(desk) {
    this.desk = desk;
    this.place = document.getElementById("ending");
  }

  get isOpen() {
    return !this.place.hidden;
  }

  /** Opens the card. A spectator is shown how the chances went if they ask for it. */
  async open(look = false) {
    this.place.hidden = false;
    clearTimeout(this.timer);
    const answer = await fetch(`${this.desk.path}/ending${look ? "?look=1" : ""}`).catch(() => null);
    if (!this.isOpen) return;
    if (!answer?.ok) {
      toast("The end of the match could not be loaded. Try again.");
      this.close();
      return;
    }
    const had = this.place.contains(document.activeElement) ? document.activeElement.dataset.act : null;
    this.place.innerHTML = await answer.text();
    if (had) this.place.querySelector(`[data-act="${had}"]`)?.focus();
    if (this.place.querySelector("[data-coming]")) this.timer = setTimeout(() => this.isOpen && this.open(look), ASK_AGAIN_MS);
  }

  /** Closes the card; false if it is not open. */
  close() {
    if (!this.isOpen) return false;
    clearTimeout(this.timer);
    this.place.hidden = true;
    return true;
  }

  /** Starts the match again, from the same side or the other one. */
  async rematch(changesSides) {
    if (this.starting) return;
    this.starting = true;
    const answer = await send(`${this.desk.path}/rematch`, { change_sides: changesSides });
    if (answer.ok) location.href = answer.data.path;
    else toast(answer.data.error);
    this.starting = answer.ok;
  }
}
