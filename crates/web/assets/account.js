// Accounts: the browser knows which time zones there are.
import { wireDialogs } from "./dialogs.js";
import { when } from "./when.js";
import "./zone.js";

wireDialogs();

const list = document.getElementById("zones");
if (list) {
  for (const zone of Intl.supportedValuesOf?.("timeZone") ?? []) {
    const option = document.createElement("option");
    option.value = zone;
    list.append(option);
  }
}

// Until when there is time, in the zone of this browser.
for (const time of document.querySelectorAll("time.until[data-at]")) time.textContent = `until ${when(Number(time.dataset.at))}`;
