// Short messages at the foot of the page.

/** Shows a message; `act` adds a button, for example to undo something. */
export function toast(text, act) {
  const place = document.getElementById("toasts");
  const shown = document.createElement("div");
  shown.className = "toast";
  const words = document.createElement("p");
  words.textContent = text;
  shown.append(words);
  if (act) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = act.label;
    button.addEventListener("click", () => {
      shown.remove();
      act.run();
    });
    shown.append(button);
  }
  place.replaceChildren(shown);
  setTimeout(() => shown.remove(), act ? 10_000 : 6_000);
}
