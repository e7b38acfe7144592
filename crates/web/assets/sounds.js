// Short sounds, made here from noise and tones: a die, a move, a hit, your turn. They play only if the settings ask for them.

/** The shortest time between two sounds of a kind, so that a stack that moves is heard once. */
const APART_MS = 90;
const VOLUME = 0.18;

let context = null;
const heard = new Map();

/** A tone that falls or rises and fades. */
function tone(from, to, seconds, shape = "sine", after = 0) {
  const [start, end] = [context.currentTime + after, context.currentTime + after + seconds];
  const source = new OscillatorNode(context, { type: shape, frequency: from });
  source.frequency.exponentialRampToValueAtTime(to, end);
  source.connect(fading(start, end));
  source.start(start);
  source.stop(end);
}

/** A burst of noise around a pitch. */
function noise(pitch, seconds, after = 0) {
  const [start, end] = [context.currentTime + after, context.currentTime + after + seconds];
  const buffer = context.createBuffer(1, Math.ceil(seconds * context.sampleRate), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < samples.length; at++) samples[at] = Math.random() * 2 - 1;
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 1.2 })).connect(fading(start, end));
  source.start(start);
}

function fading(start, end) {
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(VOLUME, start);
  volume.gain.exponentialRampToValueAtTime(0.0005, end);
  volume.connect(context.destination);
  return volume;
}

const SOUNDS = {
  die: () => [0, 0.07, 0.13].forEach((after) => noise(2600, 0.05, after)),
  move: () => noise(900, 0.07),
  hit: () => {
    tone(140, 45, 0.3, "triangle");
    noise(300, 0.2);
  },
  turn: () => {
    tone(523, 523, 0.16);
    tone(784, 784, 0.22, "sine", 0.13);
  },
};

/** Plays a sound if the visitor wants sounds and has touched the page: browsers allow none before that. */
export function play(kind) {
  if (document.documentElement.dataset.sound !== "on" || context?.state !== "running") return;
  const now = performance.now();
  if (now - (heard.get(kind) ?? -Infinity) < APART_MS) return;
  heard.set(kind, now);
  SOUNDS[kind]();
}

/** Listens to the table: dice in the tray, pieces that move or vanish, a question for this seat. */
export function soundTable() {
  if (document.documentElement.dataset.sound !== "on") return;
  const wake = () => {
    context ??= new AudioContext();
    context.resume();
  };
  for (const touch of ["pointerdown", "keydown"]) document.addEventListener(touch, wake, { capture: true });
  const isMine = () => document.querySelector("#prompt.yours") !== null;
  let wasMine = isMine();
  new MutationObserver((changes) => {
    for (const kind of new Set(changes.map(soundOf))) if (kind) play(kind);
    if (isMine() && !wasMine) play("turn");
    wasMine = isMine();
  }).observe(document.getElementById("desk"), {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ["transform", "class"],
  });
}

/** The sound of a change of the page. */
function soundOf({ type, target, attributeName, addedNodes, removedNodes }) {
  const element = target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement;
  if (type === "attributes") return attributeName === "transform" && element.matches("#sheet .glide") ? "move" : null;
  const has = (nodes, css) => [...nodes].some((node) => node.nodeType === Node.ELEMENT_NODE && (node.matches(css) || node.querySelector(css)));
  if (element.closest("#tray") || has(addedNodes, "#tray .roll")) return has(addedNodes, ".roll") ? "die" : null;
  return element.closest("#sheet") && has(removedNodes, ".glide") && !has(addedNodes, ".glide") ? "hit" : null;
}
