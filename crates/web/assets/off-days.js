// Days of the week on which no clock runs: the same boxes in every form that has a place for them.
const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

function make(tag, properties, ...inside) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...inside);
  return element;
}

function boxes() {
  const days = DAYS.map((day) =>
    make("label", {}, make("input", { type: "checkbox", name: "off", value: day.toLowerCase() }), ` ${day}`),
  );
  const zone = make("input", { name: "zone", placeholder: "UTC", maxLength: 40, spellcheck: false });
  zone.dataset.zone = "";
  return make(
    "fieldset",
    {},
    make("legend", {}, "No clock runs on"),
    make("div", { className: "row" }, ...days),
    make("label", { className: "field" }, "In the time zone ", zone),
  );
}

for (const place of document.querySelectorAll("details.off-days")) place.append(boxes());
