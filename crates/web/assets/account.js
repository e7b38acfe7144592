// Accounts: the browser knows its time zone, and which there are.
import { wireDialogs } from "./dialogs.js";

wireDialogs();

const own = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
for (const field of document.querySelectorAll("[data-zone]")) field.value = own;

const list = document.getElementById("zones");
if (list) {
  for (const zone of Intl.supportedValuesOf?.("timeZone") ?? []) {
    const option = document.createElement("option");
    option.value = zone;
    list.append(option);
  }
}
