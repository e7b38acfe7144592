// Choosing in secret before one is asked: what could be chosen is asked for when somebody wants it.
import { send } from "./send.js";
import { toast } from "./toast.js";

export class Seal {
  /** `settle` sees to it that the page shows what was sealed. */
  constructor(desk, settle) {
    this.desk = desk;
    this.settle = settle;
    this.dialog = document.createElement("dialog");
    this.dialog.id = "seal";
    this.dialog.setAttribute("aria-labelledby", "seal-title");
    document.body.append(this.dialog);
    this.dialog.addEventListener("click", (event) => {
      const button = event.target.closest("[data-seal]");
      if (button) this.choose(button);
    });
  }

  async open() {
    const answer = await fetch(`${this.desk.path}/sealed`).catch(() => null);
    if (!answer?.ok) {
      const data = await answer?.json().catch(() => null);
      toast(data?.error ?? "Maproom is not answering right now.");
      return;
    }
    this.dialog.innerHTML = await answer.text();
    this.dialog.showModal();
  }

  async choose({ dataset, textContent }) {
    const answer = await send(`${this.desk.path}/orders`, { deed: "seal", choice: dataset.seal });
    this.dialog.close();
    toast(answer.ok ? `Sealed: ${textContent}` : answer.data.error);
    if (answer.ok) this.settle();
  }
}
