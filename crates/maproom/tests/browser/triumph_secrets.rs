//! Eyes for the secrets of Triumph & Tragedy: every byte that a window was sent is searched for what its player must not know.
//!
//! What is true is read from each player's own view after every choice: the cards that nobody else may know, and the units that
//! lie face up. A text for another window may name no such card; a block of another nation is a back without anything on it, or
//! a face that lies open; a unit in words is of a type that was shown before.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::driver::Page;

/// The seats in order, by their words.
pub const SEATS: [&str; 3] = ["axis", "west", "ussr"];

/// What is true after a choice.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Truth {
    pub revision: u64,
    pub steps: u64,
    /// How long the server took to play the last choice and to draw it for everybody.
    pub micros: u64,
    /// "Spring 1936".
    pub season: String,
    /// The cards of each seat that nobody else may know: hand, vault, and what was committed face down.
    pub cards: [Vec<String>; 3],
    /// Blocks on the map, whosever they are.
    pub blocks: usize,
    /// Units that lie face up for everybody, in words: "German Infantry 2 in Vienna".
    pub shown: Vec<String>,
    /// Whether cards lie committed face down.
    pub committed: bool,
    /// The technologies in the vault of each seat.
    pub vaults: [Vec<String>; 3],
    /// The seat that is asked, and what it may choose.
    pub asked: Option<usize>,
    pub choices: Vec<String>,
}

/// Reads the truth from the three players' own views.
const TRUTH: &str = r#"
  const [paths, seats] = arguments;
  const adjectives = { germany: 'German', italy: 'Italian', britain: 'British', france: 'French', usa: 'US', ussr: 'Soviet' };
  const powers = { axis: ['germany', 'italy'], west: ['britain', 'france', 'usa'], ussr: ['ussr'] };
  const all = await Promise.all(paths.map((path) => unheard(`${path}/debug`).then((answer) => answer.json())));
  const choices = all.map((debug) => debug.choices);
  // A committed card lies face down as long as cards can be committed.
  const isCommand = choices.flat().some((name) => name.startsWith('commit '));
  const cards = all.map(({ view }, at) => {
    const own = view.factions.find((faction) => faction.id === seats[at]);
    const committed = isCommand && own.committed_card ? [own.committed_card] : [];
    return [...own.hand.map((words) => words.slice(0, 3)), ...own.vault.flatMap((pair) => pair.cards), ...committed];
  });
  const shown = all.flatMap(({ view }, at) => view.areas.flatMap((area) => area.units
    .filter((unit) => powers[seats[at]].includes(unit.nation) && unit.revealed)
    .map((unit) => `${adjectives[unit.nation]} ${unit.type} ${unit.cv} in ${area.name}`)));
  const asked = choices.findIndex((names) => names.length > 0);
  return {
    revision: all[0].revision, steps: all[0].steps, cards, shown,
    micros: all[0].microseconds.play + all[0].microseconds.draw,
    season: `${all[0].view.season} ${all[0].view.year}`,
    blocks: all[0].view.areas.flatMap((area) => area.units).length,
    committed: isCommand && all[0].view.factions.some((faction) => faction.committed),
    vaults: all.map(({ view }, at) => view.factions.find((faction) => faction.id === seats[at]).vault.map((pair) => pair.technology)),
    asked: asked < 0 ? null : asked, choices: choices[asked] ?? [],
  };"#;

/// What is true now; `page` is any page of the server.
pub async fn truth(page: &Page, paths: &[String; 3]) -> Truth {
    let found = page.run(TRUTH, vec![json!(paths), json!(SEATS)]).await;
    serde_json::from_value(found).expect("what is true")
}

/// What a window was sent.
#[derive(Debug, Deserialize)]
pub struct Seen {
    /// Every secret that was found, with where and what stands around it.
    pub leaks: Vec<String>,
    /// How many texts were searched.
    pub searched: usize,
    /// How many backs of others were looked at.
    pub backs: usize,
    /// The size of the largest update of a live connection, and of the largest that lists the plays of one's own cards.
    pub largest: usize,
    pub card_play: usize,
}

/// The functions: `own` is the word of the seat, or null for one who looks on; `truths` are in order, the last is true now.
const EYES: &str = r##"
const SEATS = ['axis', 'west', 'ussr'];
const POWERS = { axis: { germany: 'German', italy: 'Italian' }, west: { britain: 'British', france: 'French', usa: 'US' }, ussr: { ussr: 'Soviet' } };
const KINDS = ['Fortress', 'Air Force', 'Carrier', 'Submarine', 'Fleet', 'Tank', 'Infantry', 'Convoy'];
// Where the Cadres of the set-up stand.
const CITIES = {
  axis: ['berlin', 'ruhr', 'munich', 'konigsberg', 'rome', 'milan', 'tripoli'],
  west: ['london', 'glasgow', 'suez', 'delhi', 'bombay', 'paris', 'marseille', 'algiers'],
  ussr: ['moscow', 'leningrad', 'baku', 'kiev', 'odessa', 'kharkov', 'stalingrad', 'urals'],
};
const TITLES = { axis: 'Axis', west: 'West', ussr: 'USSR' };
const others = SEATS.filter((seat) => seat !== own);
const foreign = Object.assign({}, ...others.map((seat) => POWERS[seat]));
const wordOf = (title) => title.toLowerCase().replace(' ', '_');
// "German Infantry", "germany infantry 2", "new germany tank": a unit of others by its type.
const FACE = new RegExp(`\\b(${Object.values(foreign).join('|')}) (${KINDS.join('|')})\\b|\\b(${Object.keys(foreign).join('|')}) (${KINDS.map(wordOf).join('|')})\\b`, 'g');
const now = truths.at(-1);
const vaults = others.flatMap((seat) => now.vaults[SEATS.indexOf(seat)]);
const everShown = new Set(truths.flatMap((truth) => truth.shown));
const shownTypes = new Set([...everShown].map((words) => words.replace(/ \d.*/, '')));
const at = (revision) => truths.findLast((truth) => truth.revision <= revision) ?? truths[0];

const seen = { leaks: [], searched: 0, backs: 0, largest: 0, card_play: 0 };
const leak = (what, why, text = '', index = 0) => seen.leaks.push(`${what}: ${why}: …${text.slice(Math.max(0, index - 80), index + 60)}…`);

/** Any text: no secret card, no type of a hidden unit, no chit. */
function plain(what, text, truth) {
  seen.searched++;
  // Paths of drawings have letters and numbers, too.
  const words = text.replace(/ d=(\\?")[^"]*"/g, '');
  const secret = new Set(others.flatMap((seat) => [...truth.cards[SEATS.indexOf(seat)], ...now.cards[SEATS.indexOf(seat)]]));
  for (const found of words.matchAll(/(?<![A-Za-z0-9#])[AI]\d\d(?![A-Za-z0-9])/g)) {
    if (secret.has(found[0])) leak(what, `the card ${found[0]}`, words, found.index);
  }
  for (const found of words.matchAll(FACE)) {
    const adjective = found[1] ?? foreign[found[3]];
    const kind = found[2] ?? KINDS.find((title) => wordOf(title) === found[4]);
    if (!shownTypes.has(`${adjective} ${kind}`)) leak(what, `a hidden ${adjective} ${kind}`, words, found.index);
  }
  for (const found of words.matchAll(/\b(?:cadre|muster) ([a-z_]+) [a-z_]+\b/g)) {
    if (others.some((seat) => CITIES[seat].includes(found[1]))) leak(what, found[0], words, found.index);
  }
}

/** HTML: a page, or parts of one. `truth` is what was true then. */
function html(what, text, truth, isPast = false) {
  const page = new DOMParser().parseFromString(text, 'text/html');
  // The fixed legend explains the numbers of cards by two of them.
  page.querySelectorAll('.legend, .legend-list, .meanings').forEach((element) => element.remove());
  const open = new Set(isPast ? everShown : truth.shown);
  for (const power of Object.keys(foreign)) {
    for (const block of page.querySelectorAll(`#units .block.${power}, .parts > .block.${power}`)) {
      const title = block.querySelector('title')?.textContent.replace(/^Escaped |, disrupted/g, '') ?? '';
      if (block.classList.contains('back')) {
        seen.backs++;
        const told = block.querySelector('use[href^="#u-"], use[href^="#p-"], .pip') ?? (Object.keys(block.dataset).length ? block : null);
        if (told || !/^\d+ \w+ units?( that escaped)?, hidden, in .+$/.test(title)) leak(what, 'more than a back', block.outerHTML, 80);
      } else {
        if (!open.has(title)) leak(what, `a face that does not lie open, ${title}`);
      }
    }
    for (const fighter of page.querySelectorAll(`.fighter:has(.block.${power})`)) {
      const words = fighter.title.replace(/, disrupted/, '');
      if (![...open].some((shown) => shown.startsWith(`${words} in `))) leak(what, `a fighter that does not lie open, ${words}`);
    }
    if (page.querySelector(`.unit-tray .block.${power}`)) leak(what, 'the tray of another');
  }
  for (const seat of others) {
    const vault = page.querySelector(`#facts-${seat} .secret`);
    if (vault) leak(what, `the vault of ${seat}`, vault.outerHTML);
    if (page.querySelector(`#hand .card.${seat}, #hand-${seat}`)) leak(what, `the hand of ${seat}`);
    if (/\d for peace|\d for Atomic/.test(page.querySelector(`#vp-${seat}`)?.title ?? '')) leak(what, `what the chits of ${seat} are worth`);
  }
  // Lines of the log about vaults and chits of others name neither.
  for (const line of page.querySelectorAll('#log p, #log .headline, .step p, #say')) {
    for (const part of line.textContent.split(/[;.] /)) {
      const about = others.find((seat) => part.includes(TITLES[seat]));
      if (about && /Peace Dividend of \d/.test(part)) leak(what, 'a chit', part);
      if (others.some((seat) => new RegExp(`Dividends:.*${TITLES[seat]} \\(\\d`).test(part))) leak(what, 'a chit', part);
      if (about && part.includes('vault') && vaults.some((title) => part.includes(title))) leak(what, 'a vault', part);
    }
  }
  plain(what, page.documentElement.outerHTML, truth);
}

/** A message or an answer with parts. */
function update(what, text, truth, isPast = false) {
  const { parts = [], log = '', ...rest } = JSON.parse(text);
  html(what, `<main><svg class="parts" id="units">${parts.filter(([, place]) => place === 'units').map(([, , part]) => part).join('')}</svg>` +
    `${parts.filter(([, place]) => place !== 'units').map(([, , part]) => part).join('')}</main><ol id="log">${log}</ol>`, truth, isPast);
  plain(what, JSON.stringify(rest) + JSON.stringify(parts.map(([key, place]) => [key, place])), truth);
}

/** The debug drawer. */
function debug(what, text) {
  const told = JSON.parse(text);
  if (told.digest !== null || told.log.some(([, , , , digest]) => digest !== null)) leak(what, 'a digest');
  for (const faction of told.view.factions.filter((faction) => faction.id !== own)) {
    for (const key of ['hand', 'vault', 'peace_dividend_values', 'committed_card']) if (key in faction) leak(what, `${key} of ${faction.id}`);
  }
  for (const area of told.view.areas) for (const unit of area.units.filter((unit) => unit.nation in foreign)) {
    const words = `${foreign[unit.nation]} ${unit.type} ${unit.cv} in ${area.name}`;
    if (unit.hidden ? 'type' in unit || 'cv' in unit : !now.shown.includes(words)) leak(what, `a unit, ${words}`);
  }
  // Everybody has drawn one chit in 1936.
  if (told.log.filter(([, , name]) => name?.startsWith('chit ')).length > (own ? 1 : 0)) leak(what, 'the chit of another');
  if (told.log.some(([, actor, , forced]) => actor !== own && actor !== 'fate' && forced)) leak(what, 'that a choice was forced');
  plain(what, JSON.stringify(told), now);
}

/** What a page fetched by itself. */
function fetched(url, text) {
  if (/\/(update|film|at\/\d+)(\?|$)/.test(url)) return;
  if (text.startsWith('<')) html(url, text, now, true);
  else plain(url, text, now);
}

async function look(path, page, frames, heard) {
  const get = (of) => unheard(path + of).then((answer) => answer.text());
  html('the page as it is served', await get(''), now);
  if (page) html('the page', page, now);
  update('update', await get('/update?since=0'), now);
  debug('debug', await get('/debug'));
  html('the lobby', await unheard('/').then((answer) => answer.text()), now, true);
  const moments = [...new Set([0, 10, 40, Math.floor(now.steps / 2), now.steps - 3, now.steps - 1, now.steps])].filter((step) => step >= 0);
  for (const step of moments) update(`at ${step}`, await get(`/at/${step}`), now, true);
  const { frames: film } = JSON.parse(await get(`/film?from=${Math.max(0, now.steps - 40)}&to=${now.steps}&at=${[...Array(40)].map((_, back) => now.steps - back)}&rewind=1`));
  for (const { step, parts, gone, places } of film) update(`film ${step}`, JSON.stringify({ parts, gone, places }), now, true);
  html('log', `<ol id="log">${await get(`/log?from=0&to=${now.steps}`)}</ol>`, now, true);
  for (const of of ['/odds', '/odds?about=victory', '/export', '/print', '/thumbnail.svg', '/thumbnail.svg?tone=dark', '/closed', '/hint', '/review', `/at/${now.steps}/thumbnail.svg`])
    html(of, await get(of), now, true);
  for (const [at_, frame] of frames.entries()) {
    const { to } = JSON.parse(frame);
    const then = at(to ?? now.revision);
    const plays = SEATS[then.asked] === own && then.choices.some((name) => /^(diplomacy|wild|tech|spy) /.test(name));
    const kind = plays ? 'card_play' : 'largest';
    seen[kind] = Math.max(seen[kind], new TextEncoder().encode(frame).length);
    update(`message ${at_}`, frame, then);
  }
  for (const [url, text] of heard) fetched(url, text);
  return seen;
}
"##;

/// Keeps what a page fetches by itself, from its next document on.
const EAR: &str = "window.heard = [];
    window.unheard = window.fetch.bind(window);
    window.fetch = async (...asked) => {
        const answer = await unheard(...asked);
        answer.clone().text().then((text) => heard.push([answer.url, text])).catch(() => {});
        return answer;
    };";

/// Lets a page keep what it fetches.
pub async fn listen(page: &Page) {
    page.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": EAR })).await;
    page.reload().await;
    crate::table::ready(page).await;
}

/// Looks at everything that the window of a seat was sent: `own` is its seat. With `shown` its own page and whatever it fetched
/// by itself belong to it.
pub async fn look(
    page: &Page,
    path: &str,
    own: Option<&str>,
    truths: &[Truth],
    messages: &[String],
    shown: bool,
) -> Seen {
    let script = format!(
        "const [own, path, shown, truths, frames] = arguments; {EYES}
        return look(path, shown ? document.documentElement.outerHTML : '', frames, shown ? heard.splice(0) : []);"
    );
    let frames = crate::blitz_secrets::whole(messages);
    let own = own.map_or(Value::Null, Value::from);
    let arguments = vec![own, json!(path), json!(shown), json!(truths), json!(frames)];
    serde_json::from_value(page.run(&script, arguments).await).expect("what was seen")
}
