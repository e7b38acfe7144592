// Dice that tumble for half a second and then show their face.
import { mayMove } from "./morph.js";

const TUMBLE_MS = 520;
const FACE_MS = 65;

/** Lets the dice of the tray tumble, one a little after the other. */
export function tumble(tray) {
  if (!mayMove()) return;
  [...tray.querySelectorAll(".roll .die")].forEach((die, at) => {
    const start = performance.now() + at * 90;
    die.dataset.final = die.dataset.face;
    die.classList.add("tumbling");
    const timer = setInterval(() => {
      const now = performance.now();
      // A die that was drawn anew meanwhile shows its face already.
      if (!die.isConnected || die.dataset.final === undefined) {
        clearInterval(timer);
      } else if (now - start >= TUMBLE_MS) {
        clearInterval(timer);
        die.classList.remove("tumbling");
        die.dataset.face = die.dataset.final;
        delete die.dataset.final;
      } else if (now >= start) {
        die.dataset.face = 1 + ((Number(die.dataset.face) + Math.floor(Math.random() * 5)) % 6);
      }
    }, FACE_MS);
  });
}
