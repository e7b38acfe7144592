// Dice that tumble for half a second and then show their face.
import { mayMove } from "./morph.js";

const TUMBLE_MS = 520;
const FACE_MS = 65;

/** Lets the dice of the tray tumble, one a little after the other. */
export function tumble(tray) {
  if (!mayMove()) return;
  [...tray.querySelectorAll(".roll .die")].forEach((die, at) => {
    const face = die.dataset.face;
    const start = performance.now() + at * 90;
    die.classList.add("tumbling");
    const timer = setInterval(() => {
      const now = performance.now();
      if (!die.isConnected || now - start >= TUMBLE_MS) {
        clearInterval(timer);
        die.classList.remove("tumbling");
        if (die.isConnected && die.classList.contains("settling") === false) die.dataset.face = face;
        return;
      }
      if (now >= start) die.dataset.face = 1 + ((Number(die.dataset.face) + 1 + Math.floor(Math.random() * 4)) % 6);
    }, FACE_MS);
  });
}
