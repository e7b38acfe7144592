// The browser knows its time zone: forms that ask for one begin with it.
import "./off-days.js";

const own = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
for (const field of document.querySelectorAll("[data-zone]")) field.value ||= own;
