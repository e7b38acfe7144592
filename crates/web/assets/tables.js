// Gathering tables: the page of one follows who comes, and leads to the match as soon as it has started.
import { wireDialogs } from "./dialogs.js";
import { toast } from "./toast.js";
import "./zone.js";

wireDialogs();

const table = document.getElementById("gathering");
const EVERY_MS = 3_000;

async function look() {
  if (document.hidden) return;
  const answer = await fetch(`${location.pathname}?state=1`).catch(() => null);
  if (answer?.status === 404) location.assign("/tables");
  if (!answer?.ok) return;
  const { path, revision } = await answer.json();
  if (path) location.assign(path);
  // Nobody who is filling something in loses it.
  else if (String(revision) !== table.dataset.revision && !document.activeElement?.closest("#gathering form input[type=text], #gathering select")) location.reload();
}
if (table) {
  setInterval(look, EVERY_MS);
  document.addEventListener("visibilitychange", look);
}

for (const input of document.querySelectorAll("input[data-path]")) input.value = location.origin + input.dataset.path;
document.addEventListener("click", (event) => {
  const copy = event.target.closest("[data-copy]");
  if (!copy) return;
  const input = document.getElementById(copy.dataset.copy);
  input.select();
  navigator.clipboard?.writeText(input.value).then(() => toast("Copied."), () => {});
});

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
document.body.dataset.ready = "true";
