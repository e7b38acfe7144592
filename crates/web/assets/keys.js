// Keyboard shortcuts for everything that the mouse can do.

const DIGITS_MS = 650;

/** Wires the keys. `acts` are the actions by name; `choices` lists the buttons of the legal choices. */
export function wireKeys(acts, choices) {
  let digits = "";
  let timer = 0;

  /** Takes the choice of a number; with more than nine choices it waits for a second digit. */
  function digit(key) {
    const buttons = choices();
    clearTimeout(timer);
    // Two digits that are no choice together were meant as two answers: the first is given at once.
    const isTogether = Number(digits + key) <= buttons.length;
    if (isTogether || !digits) digits += key;
    const number = Number(digits);
    const take = () => {
      digits = "";
      buttons[number - 1]?.click();
    };
    if (number * 10 > buttons.length || !isTogether) take();
    else timer = setTimeout(take, DIGITS_MS);
  }

  function moveFocus(by) {
    const buttons = choices();
    if (!buttons.length) return;
    const at = buttons.indexOf(document.activeElement);
    buttons[at < 0 ? (by > 0 ? 0 : buttons.length - 1) : (at + by + buttons.length) % buttons.length].focus();
  }

  document.addEventListener("keydown", (event) => {
    // A box that is ticked takes no text: keys work as everywhere else, but for the space that ticks it.
    const field = event.target.closest("input:not(.sheet [type=checkbox]), select, textarea, dialog[open]");
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      if (!field || field.id === "slider") acts.escape();
      else if (field.nodeName !== "DIALOG") field.blur();
      return;
    }
    if (field && field.id !== "slider") return;
    // A key that is held down must not answer one question after the other.
    if (event.repeat && !/^(Arrow|[,.+=-])/.test(event.key)) {
      if (event.key === "Enter" && event.target.closest("[data-choice]")) event.preventDefault();
      return;
    }
    const reading = event.target.closest("[role=tabpanel]");
    if (reading && /^(Arrow|Home|End|Page)/.test(event.key)) return;
    const zoomed = event.target.closest("#viewport");
    const deed = {
      " ": () => (field || reading || event.target.closest("button, a, summary, input, [role=button]") ? null : acts.togglePause()),
      Enter: () => (event.target.closest("button, a, summary") ? null : acts.takeDefault()),
      u: acts.undo,
      U: event.shiftKey ? acts.undoTurn : acts.undo,
      o: acts.odds,
      O: event.shiftKey ? () => acts.orders() : acts.odds,
      T: document.getElementById("panel-talk") ? acts.talk : undefined,
      l: acts.log,
      r: acts.rules,
      w: acts.why,
      f: acts.fork,
      h: acts.hint,
      n: acts.playNow,
      t: acts.replay,
      b: acts.seats,
      s: acts.share,
      d: acts.debug,
      "?": acts.help,
      ",": acts.back,
      ".": acts.forward,
      Home: acts.first,
      End: acts.now,
      "+": acts.zoomIn,
      "=": acts.zoomIn,
      "-": acts.zoomOut,
      j: () => moveFocus(1),
      k: () => moveFocus(-1),
      ArrowDown: zoomed ? () => acts.move(0, 80) : () => moveFocus(1),
      ArrowUp: zoomed ? () => acts.move(0, -80) : () => moveFocus(-1),
      ArrowLeft: zoomed ? () => acts.move(-80, 0) : null,
      ArrowRight: zoomed ? () => acts.move(80, 0) : null,
    }[event.key];
    if (/^\d$/.test(event.key) && field?.id !== "slider") {
      if (event.key === "0" && !digits) acts.fit();
      else digit(event.key);
      event.preventDefault();
      return;
    }
    // A board may have keys of its own, for layers and the like.
    const own = deed || event.key.length > 1 ? null : document.querySelector(`#sheet [data-key="${CSS.escape(event.key)}"]`);
    if (own) {
      own.click();
      event.preventDefault();
      return;
    }
    if (!deed || (field?.id === "slider" && event.key.startsWith("Arrow"))) return;
    if (deed() !== null) event.preventDefault();
  });
}
