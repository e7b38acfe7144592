// The page of notices: this browser can be one of the channels.
import "./account.js";

const place = document.getElementById("push");
const form = place?.querySelector("form");
const state = document.getElementById("push-state");

/** The key of the house, as a browser wants it. */
function bytes(key) {
  const text = atob(key.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

/** Bytes as the house reads them. */
function plain(buffer) {
  const text = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function subscription() {
  const worker = await navigator.serviceWorker.getRegistration("/");
  return worker?.pushManager.getSubscription();
}

/** The card of the channel that is this browser, if it is one. */
function card(known) {
  return [...document.querySelectorAll("[data-endpoint]")].find((one) => one.dataset.endpoint === known?.endpoint);
}

/** Asks the person, subscribes, and sends the form with what the browser gave. */
async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted") {
    state.textContent = "This browser does not allow it: look into its settings for this page.";
    return;
  }
  const worker = await navigator.serviceWorker.register("/notices-worker.js");
  await navigator.serviceWorker.ready;
  // A subscription that was made for another house would never be heard of.
  await (await worker.pushManager.getSubscription())?.unsubscribe();
  const made = await worker.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytes(place.dataset.key),
  });
  form.elements.address.value = made.endpoint;
  form.elements.secret.value = `${plain(made.getKey("p256dh"))} ${plain(made.getKey("auth"))}`;
  form.submit();
}

async function offer() {
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) return;
  const known = await subscription();
  const own = card(known);
  if (own) {
    own.querySelector("h2").append(" ", badge());
    own.querySelector(".remove").addEventListener("submit", async (event) => {
      event.preventDefault();
      await known.unsubscribe();
      event.target.submit();
    });
    place.hidden = true;
    return;
  }
  state.textContent = "A note appears here, also while no page of Maproom is open.";
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    subscribe().catch((why) => {
      state.textContent = `This browser could not subscribe: ${why.message}`;
    });
  });
}

function badge() {
  const sign = document.createElement("span");
  sign.className = "badge";
  sign.textContent = "This browser";
  return sign;
}

if (place) offer();
