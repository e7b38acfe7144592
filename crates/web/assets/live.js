// The connection that brings what has changed; it comes back by itself and asks for what it missed.

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 8_000;

export class Live {
  /** `since` tells the revision that the page knows; `receive` gets every update. */
  constructor(path, since, receive) {
    this.path = path;
    this.since = since;
    this.receive = receive;
    this.wait = FIRST_WAIT_MS;
    this.socket = null;
    this.timer = 0;
    document.addEventListener("visibilitychange", () => this.wake());
    addEventListener("online", () => this.wake());
    addEventListener("pagehide", () => this.socket?.close());
    addEventListener("pageshow", (event) => event.persisted && this.wake());
    this.connect();
  }

  connect() {
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${this.path}/live?since=${this.since()}`);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.wait = FIRST_WAIT_MS;
      this.show(true);
    });
    socket.addEventListener("message", (event) => this.receive(JSON.parse(event.data)));
    socket.addEventListener("close", () => {
      if (this.socket !== socket) return;
      this.show(false);
      this.timer = setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(this.wait * 1.7, LONGEST_WAIT_MS);
    });
  }

  /** Tries at once, when the person looks again or the network is back. */
  wake() {
    if (document.hidden || this.socket?.readyState <= WebSocket.OPEN) return;
    this.wait = FIRST_WAIT_MS;
    this.connect();
  }

  /** Tells how far the person has seen the match. */
  seen(steps) {
    if (!document.hidden && this.socket?.readyState === WebSocket.OPEN) this.socket.send(`seen ${steps}`);
  }

  get connected() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  show(connected) {
    const sign = document.getElementById("link");
    sign.classList.toggle("lost", !connected);
    sign.title = connected ? "Connected" : "Not connected; trying again";
    sign.firstElementChild.textContent = sign.title;
  }
}
