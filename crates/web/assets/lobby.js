// The lobby: descriptions of set-ups, renaming, deleting with undo, importing.
import { openDialog, wireDialogs } from "./dialogs.js";
import { send } from "./send.js";
import { toast } from "./toast.js";
import "./zone.js";

wireDialogs();

for (const select of document.querySelectorAll("select[data-blurbs]")) {
  const blurb = document.getElementById(select.dataset.blurbs);
  const tell = () => {
    blurb.textContent = select.selectedOptions[0]?.dataset.blurb ?? "";
  };
  select.addEventListener("change", tell);
  tell();
}

/** Shows fields that depend on other answers, and disables the rest so that they are not sent. */
function switchFields(form) {
  const given = new Map([...form.querySelectorAll("input[type=radio]:checked")].map((input) => [input.name, input.value]));
  for (const set of form.querySelectorAll("[data-when]")) {
    const fits = set.dataset.when.split(" ").every((one) => {
      const [name, value] = one.split("=");
      return given.get(name) === value;
    });
    set.disabled = !fits;
    set.hidden = !fits;
  }
}
for (const form of document.querySelectorAll("form.game")) {
  form.addEventListener("change", () => switchFields(form));
  switchFields(form);
}

/** Fills a form in with the options of a set-up; what the set-up leaves open goes back to its first answer. */
function fillIn(form, options) {
  for (const [key, value] of Object.entries(options)) {
    for (const field of form.querySelectorAll(`[name="option.${key}"]`)) {
      if (field.type === "radio") field.checked = field.value === value;
      else if (field.localName === "textarea") field.value = "";
      else if (field.localName === "select") field.value = [...field.options].some((option) => option.value === value) ? value : "";
      else field.value = value;
    }
  }
  // One event of the form's own: it shows the fields that belong to the answers, and the lists tell what they stand at.
  for (const select of form.querySelectorAll("select")) select.dispatchEvent(new Event("change", { bubbles: true }));
  switchFields(form);
}

for (const list of document.querySelectorAll(".setups")) {
  const cards = [...list.querySelectorAll(".setup")];
  const form = list.closest(".fold").querySelector("form.game");
  let isFilling = false;
  const choose = (card) => {
    for (const other of cards) {
      other.setAttribute("aria-checked", other === card);
      other.tabIndex = other === card ? 0 : -1;
    }
    isFilling = true;
    fillIn(form, JSON.parse(card.dataset.options));
    isFilling = false;
  };
  list.removeAttribute("tabindex");
  list.addEventListener("click", (event) => {
    const card = event.target.closest(".setup");
    if (card) choose(card);
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const at = cards.indexOf(document.activeElement);
    if (!step || at < 0) return;
    event.preventDefault();
    const next = cards[(at + step + cards.length) % cards.length];
    next.focus();
    choose(next);
  });
  cards.forEach((card, at) => {
    card.tabIndex = at ? -1 : 0;
  });
  // Answers given in the form itself are no longer those of a card.
  form.addEventListener("change", (event) => {
    if (isFilling || !event.target.name?.startsWith("option.")) return;
    for (const card of cards) card.setAttribute("aria-checked", false);
    cards[0].tabIndex = 0;
  });
}

async function restore(id) {
  const answer = await send(`/matches/${id}/restore`);
  if (answer.ok) location.reload();
  else toast(answer.data.error);
}

function rename(id, name) {
  const dialog = document.getElementById("rename");
  const field = dialog.querySelector("input");
  field.value = name;
  dialog.returnValue = "";
  openDialog("rename");
  field.select();
  dialog.addEventListener(
    "close",
    async () => {
      if (dialog.returnValue !== "save" || !field.value.trim()) return;
      const answer = await send(`/matches/${id}/rename`, { name: field.value });
      if (answer.ok) location.reload();
      else toast(answer.data.error);
    },
    { once: true },
  );
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.dataset.restore) restore(button.dataset.restore);
  if (button.dataset.rename) rename(button.dataset.rename, button.dataset.name);
  if (button.dataset.delete) {
    const id = button.dataset.delete;
    const answer = await send(`/matches/${id}/delete`);
    if (!answer.ok) return toast(answer.data.error);
    button.closest(".match").remove();
    toast(`${button.dataset.name} deleted.`, { label: "Undo", run: () => restore(id) });
  }
});

document.getElementById("import").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (!file) return;
  const text = await file.text();
  event.target.value = "";
  takeIn(file.name, text, false);
});

/** Takes a record in; of one that parts from the present rules, with `common`, only what it shares with them. */
async function takeIn(name, text, common) {
  const answer = await send(`/matches/import?${new URLSearchParams({ name, common })}`, text);
  if (!answer.ok) {
    const { error, common: steps } = answer.data;
    const act = steps && { label: `Import up to step ${steps}`, run: () => takeIn(name, text, true) };
    return toast(error, act);
  }
  const open = () => {
    location.href = answer.data.path;
  };
  // Notes about the record are shown before it is opened.
  if (answer.data.notes.length) toast(answer.data.notes.join("\n"), { label: "Open", run: open });
  else open();
}
document.body.dataset.ready = "true";
