// On a narrow screen the decision lies in a sheet at the lower edge: a tap or a finger pulls it up, a choice lets it down.

/** So far a finger has to go to mean it. */
const FAR = 36;

export class Pull {
  constructor() {
    this.ask = document.getElementById("ask");
    this.grip = document.getElementById("grip");
    this.drag = null;
    this.ask.addEventListener("pointerdown", (event) => this.down(event));
    this.ask.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) this.ask.addEventListener(end, (event) => this.up(event));
    // For keys and screen readers; a finger or a mouse has been heeded when it was lifted.
    this.grip.addEventListener("click", (event) => event.detail || this.set(!this.isUp));
  }

  get isUp() {
    return document.body.classList.contains("raised");
  }

  get isNarrow() {
    return this.grip.checkVisibility();
  }

  set(up) {
    document.body.classList.toggle("raised", up);
    this.grip.setAttribute("aria-expanded", up);
    if (!up) this.ask.scrollTop = 0;
  }

  /** A choice was made: the board is what matters. */
  lower() {
    if (this.isUp) this.set(false);
    else if (this.isNarrow) this.ask.scrollTop = 0;
  }

  down(event) {
    const handle = event.target.closest("#grip, #prompt");
    if (!handle || event.target.closest("button:not(#grip), a") || !this.isNarrow) return;
    this.drag = { id: event.pointerId, y: event.clientY, height: this.ask.offsetHeight };
    handle.setPointerCapture(event.pointerId);
  }

  move(event) {
    if (event.pointerId !== this.drag?.id) return;
    const height = this.drag.height + this.drag.y - event.clientY;
    this.ask.classList.add("pulled");
    this.ask.style.height = `${Math.max(90, Math.min(innerHeight * 0.85, height))}px`;
  }

  up(event) {
    if (event.pointerId !== this.drag?.id) return;
    const way = this.drag.y - event.clientY;
    this.drag = null;
    this.ask.classList.remove("pulled");
    this.ask.style.height = "";
    if (event.type === "pointercancel") return;
    if (Math.abs(way) < 6) this.set(!this.isUp);
    else if (Math.abs(way) > FAR) this.set(way > 0);
  }
}
