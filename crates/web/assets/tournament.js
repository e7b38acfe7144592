// A tournament's page follows itself: the server says that there is something new, and the page fetches itself again.
import { wireDialogs } from "./dialogs.js";
import "./zone.js";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

wireDialogs();

const main = () => document.querySelector("main[data-follows]");
let wait = FIRST_WAIT_MS;
let asking = false;
let again = false;

/** Whether somebody is writing, or has something unfolded: then the page is not changed under their hands. */
const isBusy = () => main().contains(document.activeElement?.closest("form")) || main().querySelector("details[open]");

async function refresh() {
  if (asking || isBusy()) {
    again = true;
    return;
  }
  asking = true;
  again = false;
  try {
    const answer = await fetch(location.pathname, { headers: { accept: "text/html" } });
    if (answer.ok && !answer.redirected) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const next = page.querySelector("main[data-follows]");
      if (next && !isBusy() && next.innerHTML !== main().innerHTML) main().replaceChildren(...next.childNodes);
    }
  } catch {
    again = true;
  }
  asking = false;
}

function connect() {
  const address = new URL(main().dataset.follows, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const socket = new WebSocket(address);
  socket.addEventListener("open", () => {
    wait = FIRST_WAIT_MS;
    refresh();
  });
  socket.addEventListener("message", (message) => {
    if (message.data === "new" || again) refresh();
  });
  socket.addEventListener("close", () => {
    setTimeout(connect, wait);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  });
}
connect();
for (const event of ["focusout", "toggle"]) {
  document.addEventListener(event, () => setTimeout(() => again && refresh(), 0), true);
}
