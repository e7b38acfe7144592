// Completes what the server sends in short, so that a message with a hundred choices stays small.

/** A label as in the list of choices: what follows the first comma or colon is shown smaller. */
export function words(label) {
  const cut = label.search(/[:,] /);
  const span = document.createElement("span");
  const what = document.createElement("b");
  what.textContent = cut < 0 ? label : label.slice(0, cut);
  span.append(what);
  if (cut >= 0) {
    const meaning = document.createElement("small");
    meaning.textContent = label.slice(cut + 2);
    span.append(meaning);
  }
  return span;
}

/** A place in a drawing that can be chosen is a button for everybody; a list of choices in rows becomes a list of buttons. */
export function complete(root) {
  for (const place of [root, ...root.querySelectorAll("[data-choice]:not([role])")]) {
    if (!(place instanceof SVGElement) || !place.dataset.choice || place.hasAttribute("role")) continue;
    // What has no name of its own is for the pointer only; it stands in a list as well.
    if (!place.querySelector(":scope > title")) continue;
    place.setAttribute("role", "button");
    place.setAttribute("tabindex", "0");
  }
  for (const list of root.querySelectorAll("ol[data-rows]")) fill(list);
}

/** A row is a name, its label, and where there are more: a question about its odds, a heading, what it is called there. */
function fill(list) {
  const rows = list.textContent.split("\n").map((row) => row.split("\t"));
  const preferred = Number(list.dataset.rows);
  list.removeAttribute("data-rows");
  list.textContent = "";
  let group = { heading: "", into: list };
  rows.forEach(([name, label, question = "", heading = "", short = ""], at) => {
    if (heading && heading !== group.heading) group = { heading, into: opened(list, heading) };
    if (!heading) group = { heading: "", into: list.appendChild(document.createElement("li")) };
    group.into.append(button(name, label, question, short, at, at === preferred));
  });
}

/** A run of choices under a heading. */
function opened(list, heading) {
  const item = document.createElement("li");
  item.className = "group";
  const title = document.createElement("p");
  title.textContent = heading;
  const into = document.createElement("div");
  into.setAttribute("role", "group");
  into.setAttribute("aria-label", heading);
  item.append(title, into);
  list.append(item);
  return into;
}

function button(name, label, question, short, at, preferred) {
  const made = document.createElement("button");
  made.className = preferred ? "choice default" : "choice";
  made.dataset.choice = name;
  if (question) made.dataset.ask = question;
  const number = document.createElement("kbd");
  number.textContent = at + 1;
  made.append(number, short ? words(short) : words(label));
  if (short) {
    const called = document.createElement("b");
    called.textContent = short;
    made.lastChild.replaceChildren(called);
    made.lastChild.title = label;
  }
  if (preferred) {
    const enter = document.createElement("kbd");
    enter.className = "enter";
    enter.textContent = "Enter";
    made.append(enter);
  }
  return made;
}
