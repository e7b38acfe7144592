// Times of day as somebody says them who is here: "18:05", "Tuesday 18:05", "3 November 18:05".

const DAY = 86_400_000;
const SAID = { hour: "2-digit", minute: "2-digit" };

/** A moment, in milliseconds since 1970, in the zone of this browser. */
export function when(at, now = Date.now()) {
  const date = new Date(at);
  const time = date.toLocaleTimeString("en-GB", SAID);
  if (date.toDateString() === new Date(now).toDateString()) return time;
  return `${day(at, now)} ${time}`;
}

/** A day: its name if it is near enough to be meant, else its date. */
export function day(at, now = Date.now()) {
  const isNear = Math.abs(now - at) < 6 * DAY;
  return new Date(at).toLocaleDateString("en-GB", isNear ? { weekday: "long" } : { day: "numeric", month: "long" });
}
