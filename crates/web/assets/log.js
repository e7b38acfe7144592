// The log: new lines at its end, and earlier ones when somebody goes back to them.
//
// Steps that the page does not have are held open by a gap: a line with a button, which knows from where to where it goes.
import { toast } from "./toast.js";

/** So many steps are fetched at a time, and so many around a step that is looked for. */
const PIECE = 300;
const AROUND = 100;
/** The server gives no more at once. */
const MOST = 1000;

const numbers = (gap) => [Number(gap.dataset.from), Number(gap.dataset.to)];

export class Log {
  constructor(desk, list, scroller) {
    this.desk = desk;
    this.list = list;
    this.scroller = scroller;
    /** The gap that is being filled, and what is waited for. */
    this.filling = null;
    this.watch = new IntersectionObserver((seen) => {
      for (const { target, isIntersecting, boundingClientRect, rootBounds } of seen) {
        if (!isIntersecting) continue;
        // Whoever comes from above reads on with the beginning of the gap, whoever comes from below with its end.
        const fromAbove = target.previousElementSibling && boundingClientRect.top > (rootBounds?.top ?? 0) + (rootBounds?.height ?? 0) / 2;
        this.fill(target, fromAbove ? "first" : "last");
      }
    }, { root: scroller });
    if (desk.logFrom > 0) list.prepend(this.gap(0, desk.logFrom));
    list.addEventListener("click", (event) => {
      const gap = event.target.closest(".gap");
      if (!gap) return;
      event.stopPropagation();
      if (event.target.closest("[data-all]")) this.all(gap);
      else this.fill(gap, "last");
    });
  }

  /** A line that stands for the steps after `from`, up to `to`. */
  gap(from, to) {
    const line = document.createElement("li");
    line.className = "gap";
    line.innerHTML = '<button type="button"></button> <button type="button" data-all="">All of them</button>';
    this.span(line, from, to);
    this.watch.observe(line);
    return line;
  }

  /** Says what a gap holds open. */
  span(gap, from, to) {
    gap.dataset.from = from;
    gap.dataset.to = to;
    gap.dataset.step = from + 1;
    gap.firstElementChild.textContent = from + 1 === to ? `Step ${to}` : `Steps ${from + 1} to ${to}`;
    gap.firstElementChild.setAttribute("aria-label", `Show more of the log: steps ${from + 1} to ${to}`);
  }

  /** Takes away what was taken back and adds what is new; returns the lines that were added. */
  write(update) {
    for (const line of [...this.list.children].reverse()) {
      if (line.classList.contains("gap")) {
        const [from, to] = numbers(line);
        if (to <= update.keep) break;
        if (from < update.keep) {
          this.span(line, from, update.keep);
          break;
        }
      } else if (Number(line.dataset.step) <= update.keep) break;
      line.remove();
    }
    if (update.logFrom > update.keep) {
      const last = this.list.lastElementChild;
      const from = last?.classList.contains("gap") ? numbers(last)[0] : update.keep;
      if (from < update.keep) last.remove();
      this.list.append(this.gap(from, update.logFrom));
    }
    const known = this.list.childElementCount;
    this.list.insertAdjacentHTML("beforeend", update.log);
    const fresh = [...this.list.children].slice(known);
    this.tidy();
    return fresh.filter((line) => line.isConnected);
  }

  /** Takes away headings of turns that stand there already: every piece of the log has one before its first line. */
  tidy() {
    let turn = null;
    for (const line of [...this.list.children]) {
      if (line.classList.contains("gap")) turn = null;
      else if (line.classList.contains("turn")) {
        if (line.dataset.turn === turn) line.remove();
        turn = line.dataset.turn;
      }
    }
  }

  /** Fetches steps of a gap: at its beginning, at its end, or around a step. */
  async fill(gap, which) {
    if (this.filling) return this.filling;
    const [from, to] = numbers(gap);
    let [first, last] = [from, to];
    if (which === "first") last = Math.min(to, from + PIECE);
    else if (which === "last") first = Math.max(from, to - PIECE);
    else if (which !== "all") [first, last] = [Math.max(from, which - AROUND), Math.min(to, which + AROUND)];
    else first = Math.max(from, to - MOST);
    this.filling = this.fetch(gap, first, last);
    const done = await this.filling;
    this.filling = null;
    // A gap that is still in sight is not reported again by itself.
    if (done && gap.isConnected && typeof which === "string") {
      this.watch.unobserve(gap);
      this.watch.observe(gap);
    }
    return done;
  }

  async fetch(gap, first, last) {
    const [from, to] = numbers(gap);
    const seen = this.desk.seen === null || this.desk.seen === undefined ? "" : `&seen=${this.desk.seen}`;
    const answer = await fetch(`${this.desk.path}/log?from=${first}&to=${last}${seen}`).catch(() => null);
    if (!answer?.ok) {
      toast("The log can't be fetched just now.");
      return false;
    }
    const lines = await answer.text();
    // The match may have been taken back meanwhile.
    if (!gap.isConnected || numbers(gap)[0] !== from || numbers(gap)[1] !== to) return true;
    this.hold(gap, () => {
      const template = document.createElement("template");
      template.innerHTML = lines;
      const fresh = [...template.content.children];
      if (first > from) gap.after(...fresh);
      else gap.before(...fresh);
      // What was looked for lies in the middle: there is a gap behind it as well.
      if (first > from && last < to) (fresh.at(-1) ?? gap).after(this.gap(last, to));
      if (first > from) this.span(gap, from, first);
      else if (last < to) this.span(gap, last, to);
      else gap.remove();
      this.tidy();
    });
    return true;
  }

  /** Changes the list so that what the person reads stays where it is. */
  hold(gap, change) {
    const top = this.scroller.getBoundingClientRect().top;
    const lines = [...this.list.children].filter((line) => line !== gap);
    const anchor = lines.find((line) => line.getBoundingClientRect().bottom > top);
    const before = anchor?.getBoundingClientRect().top;
    change();
    if (anchor?.isConnected) this.scroller.scrollTop += anchor.getBoundingClientRect().top - before;
  }

  /** Everything that a gap holds open, for a search in the page. */
  async all(gap) {
    while (gap.isConnected && (await this.fill(gap, "all")));
  }

  /** Sees to it that the line of a step is there. */
  async need(step) {
    const missing = () => [...this.list.querySelectorAll(".gap")].find((gap) => {
      const [from, to] = numbers(gap);
      return from < step && step <= to;
    });
    for (let gap = missing(); gap; gap = missing()) if (!(await this.fill(gap, step))) return;
  }
}
