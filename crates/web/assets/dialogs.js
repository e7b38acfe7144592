// Dialogs: opening, closing, and the settings form.
import { toast } from "./toast.js";

/** Opens a dialog by its id. */
export function openDialog(id) {
  const dialog = document.getElementById(id);
  if (!dialog || dialog.open) return;
  dialog.showModal();
  // The button that has the focus may be at its end.
  dialog.scrollTop = 0;
}

/** Wires the buttons and the settings form of a page. */
export function wireDialogs() {
  document.addEventListener("click", (event) => {
    const close = event.target.closest("[data-close]");
    if (close) close.closest("dialog")?.close();
    if (event.target.closest('[data-act="settings"]')) openDialog("settings");
    // A click outside a dialog closes it.
    if (event.target.nodeName === "DIALOG") {
      const box = event.target.getBoundingClientRect();
      const inside =
        event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
      if (!inside) event.target.close();
    }
  });
  const form = document.querySelector("#settings form");
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
    if (answer.ok) location.reload();
    else toast("The settings could not be saved.");
  });
}
