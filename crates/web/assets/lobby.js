// The lobby: descriptions of set-ups, renaming, deleting with undo, importing.
import { openDialog, wireDialogs } from "./dialogs.js";
import { send } from "./send.js";
import { toast } from "./toast.js";

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
