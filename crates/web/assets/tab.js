// The title of the browser's tab: says when it is the player's move, for those who look at another tab meanwhile.

const name = document.title;
const ask = document.getElementById("ask");

function show() {
  document.title = document.querySelector("#prompt.yours") ? `● Your move · ${name}` : name;
}
new MutationObserver(show).observe(ask, { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] });
show();
