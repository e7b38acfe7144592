// The connection that brings what has changed; it comes back by itself and asks for what it missed.

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 8_000;
/** The server says a word every 25 seconds. */
const SILENCE_MS = 70_000;
const SEEN_AFTER_MS = 400;
/** A connection that is back sooner is not worth a word. */
const BANNER_AFTER_MS = 1_500;

export class Live {
  /** `since` tells the revision that the page knows; `receive` gets every update. */
  constructor(path, since, receive) {
    this.path = path;
    this.since = since;
    this.receive = receive;
    this.wait = FIRST_WAIT_MS;
    this.socket = null;
    this.timer = 0;
    document.addEventListener("visibilitychange", () => {
      this.tellShown();
      this.wake();
    });
    addEventListener("online", () => this.wake());
    addEventListener("pagehide", () => this.socket?.close());
    addEventListener("pageshow", (event) => event.persisted && this.wake());
    this.connect();
    setInterval(() => this.listen(), 20_000);
  }

  /** A line that has been silent for too long is dead, though it looks open: after sleep, or in another network. */
  listen() {
    if (this.connected && Date.now() - this.heardAt > SILENCE_MS) this.socket.close();
  }

  connect() {
    clearTimeout(this.timer);
    this.heardAt = Date.now();
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    let opened = false;
    let held = "";
    const socket = new WebSocket(`${scheme}//${location.host}${this.path}/live?since=${this.since()}`);
    this.socket = socket;
    socket.addEventListener("open", () => {
      opened = true;
      this.wait = FIRST_WAIT_MS;
      this.show(true);
      this.tellShown();
      // What was said meanwhile was told to nobody here.
      document.dispatchEvent(new CustomEvent("talk"));
    });
    socket.addEventListener("message", (event) => {
      this.heardAt = Date.now();
      // A long message comes in pieces: all but the last begin with +, the last with =.
      const sign = event.data[0];
      if (sign === "+") held += event.data.slice(1);
      else {
        const whole = sign === "=" ? held + event.data.slice(1) : event.data;
        held = "";
        const message = JSON.parse(whole);
        // Whoever has given up sees how it goes on.
        if (message.elsewhere) location.replace(message.elsewhere);
        else if (message.talk !== undefined) document.dispatchEvent(new CustomEvent("talk", { detail: message.talk }));
        else this.receive(message);
      }
    });
    socket.addEventListener("close", () => {
      if (this.socket !== socket) return;
      this.show(false);
      if (this.gone) return;
      if (!opened) this.knock();
      this.timer = setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(this.wait * 1.7, LONGEST_WAIT_MS);
    });
  }

  /** The match is gone, or the link is no longer one of its links: no use in knocking on. */
  giveUp() {
    this.gone = true;
    this.socket?.close();
    this.banner("This match is no longer here: it was deleted, or this link no longer opens it.");
  }

  /** Tries at once, when the person looks again or the network is back. */
  wake() {
    this.listen();
    if (document.hidden || this.socket?.readyState <= WebSocket.OPEN) return;
    this.wait = FIRST_WAIT_MS;
    this.connect();
  }

  /** A connection that was refused: asks whether the match is still there. */
  async knock() {
    const answer = await fetch(`${this.path}/update?since=${this.since()}`).catch(() => null);
    if (answer?.status === 404) this.giveUp();
  }

  /** Tells whether this window can be seen: whoever sees the match needs no notice. Only somebody with an account gets any. */
  tellShown() {
    if (this.path.endsWith("/mine") && this.connected) this.socket.send(document.hidden ? "hidden" : "shown");
  }

  /** Tells how far the person has seen the match, when it has come to rest for a moment. */
  seen(steps) {
    clearTimeout(this.telling);
    this.telling = setTimeout(() => {
      if (!document.hidden && this.connected) this.socket.send(`seen ${steps}`);
    }, SEEN_AFTER_MS);
  }

  get connected() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  show(connected) {
    const sign = document.getElementById("link");
    sign.classList.toggle("lost", !connected);
    sign.title = connected ? "Connected" : "Disconnected; reconnecting";
    sign.firstElementChild.textContent = sign.title;
    clearTimeout(this.warning);
    if (connected) this.banner("");
    else this.warning = setTimeout(() => this.banner("No connection to Maproom. Trying again …"), BANNER_AFTER_MS);
  }

  /** Says across the page that what it shows may be old. */
  banner(words) {
    if (this.gone && !words.startsWith("This match")) return;
    const place = document.getElementById("banner");
    place.textContent = words;
    place.hidden = !words;
  }
}
