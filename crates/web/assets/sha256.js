// SHA-256, for pages that browsers do not count as secure: there crypto.subtle is missing.

const FRACTION = 2 ** 32;
const PRIMES = [];
for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);
const bits = (root) => ((root - Math.floor(root)) * FRACTION) | 0;
const START = PRIMES.slice(0, 8).map((prime) => bits(Math.sqrt(prime)));
const ROUND = PRIMES.map((prime) => bits(Math.cbrt(prime)));
const turn = (word, by) => (word >>> by) | (word << (32 - by));

/** The hash of some bytes, as bytes. */
export function sha256(message) {
  const length = message.length;
  const padded = new Uint8Array(((length + 8) >> 6 << 6) + 64);
  padded.set(message);
  padded[length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(length / 2 ** 29));
  view.setUint32(padded.length - 4, length << 3);
  const state = Int32Array.from(START);
  const words = new Int32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) words[i] = view.getInt32(at + 4 * i);
      else {
        const [near, far] = [words[i - 2], words[i - 15]];
        const low = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3);
        const high = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10);
        words[i] = words[i - 16] + low + words[i - 7] + high;
      }
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const choice = (e & f) ^ (~e & g);
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + ROUND[i] + words[i]) | 0;
      const most = (a & b) ^ (a & c) ^ (b & c);
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + most) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] += word));
  }
  const hash = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => hash.setInt32(4 * i, word));
  return new Uint8Array(hash.buffer);
}
