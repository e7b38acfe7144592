// Standing orders: the desk at which they are written. It is fetched when somebody wants it.

import { send } from "./send.js";
import { toast } from "./toast.js";

const STYLE = new URL("orders.css", import.meta.url).href;

export class Orders {
  constructor(desk) {
    this.desk = desk;
    const style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = STYLE;
    document.head.append(style);
    this.dialog = document.createElement("dialog");
    this.dialog.id = "orders-desk";
    this.dialog.setAttribute("aria-labelledby", "orders-title");
    document.body.append(this.dialog);
    this.dialog.addEventListener("submit", (event) => {
      event.preventDefault();
      this.give();
    });
    this.dialog.addEventListener("click", (event) => this.click(event));
  }

  get field() {
    return this.dialog.querySelector("#order-text");
  }

  /** Opens the desk, with a choice that an order is to make or a step that it is to follow. */
  async open({ choice = "", step = 0 } = {}) {
    this.wanted = { choice, step };
    if (!(await this.fill())) return;
    if (!this.dialog.open) this.dialog.showModal();
    this.dialog.scrollTop = 0;
    (this.dialog.querySelector("[data-draft]") ?? this.field).focus();
  }

  /** Fetches the desk; what stands in the editor stays. */
  async fill() {
    const text = this.field?.value ?? "";
    const answer = await fetch(`${this.desk.path}/orders?${new URLSearchParams(this.wanted)}`).catch(() => null);
    if (!answer?.ok) {
      toast("The orders could not be loaded. Try again.");
      return false;
    }
    this.dialog.innerHTML = await answer.text();
    this.field.value = text;
    return true;
  }

  async click(event) {
    const draft = event.target.closest("[data-draft]");
    if (draft) return this.draft(draft.dataset.draft);
    const deed = event.target.closest("[data-order]");
    if (!deed) return undefined;
    const { order, number } = deed.dataset;
    const at = [...this.dialog.querySelectorAll("[data-order]")].indexOf(deed);
    if (await this.post({ deed: order, number: Number(number) })) {
      await this.fill();
      // Who came by the keyboard goes on from where they were.
      ([...this.dialog.querySelectorAll("[data-order]")][at] ?? this.field).focus();
    }
    return undefined;
  }

  /** Writes the text of an order that is made of a choice into the editor. */
  async draft(kind) {
    const choice = this.dialog.querySelector("#order-choice").value;
    const how = kind === "after" ? `after ${this.dialog.querySelector("#order-event").value}` : kind;
    const query = new URLSearchParams({ choice, how });
    const answer = await fetch(`${this.desk.path}/orders/draft?${query}`).catch(() => null);
    const data = await answer?.json().catch(() => null);
    if (!answer?.ok) {
      toast(data?.error ?? "Maproom is not answering right now.");
      return;
    }
    this.tell([]);
    this.field.value = data.text;
    this.field.focus();
  }

  async give() {
    const answer = await send(`${this.desk.path}/orders`, { deed: "give", text: this.field.value });
    if (answer.ok) {
      this.field.value = "";
      await this.fill();
      toast("The order is in force.");
      this.field.focus();
      return;
    }
    this.tell(answer.data.problems ?? [{ what: answer.data.error }]);
  }

  /** Says what is wrong with the text, and puts the caret there. */
  tell(problems) {
    const list = this.dialog.querySelector("#order-problems");
    list.replaceChildren(...problems.map(line));
    this.field.setAttribute("aria-invalid", problems.length > 0);
    const [first] = problems;
    if (first?.from === undefined) return;
    this.field.focus();
    this.field.setSelectionRange(first.from, first.to);
  }

  async post(body) {
    const answer = await send(`${this.desk.path}/orders`, body);
    if (!answer.ok) toast(answer.data.error);
    return answer.ok;
  }
}

function line({ line: row, column, what, expected, hint }) {
  const item = document.createElement("li");
  const where = row ? `Line ${row}, column ${column}: ` : "";
  item.textContent = [`${where}${what}.`, expected ? `Expected: ${expected}.` : "", hint ? `${hint[0].toUpperCase()}${hint.slice(1)}` : ""].filter(Boolean).join(" ").replaceAll("..", ".");
  return item;
}
