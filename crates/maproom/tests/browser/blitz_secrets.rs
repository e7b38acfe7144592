//! Eyes for secrets: everything that a seat or a viewer is sent is searched for tokens that they must not know.
//!
//! What a page may name is taken out of it piece by piece: the fixed legend, the units on the board, the viewer's own
//! reserve with its choices, and the lines of the log that are public or their own. If a token is named in what is left,
//! it is a leak.

use std::collections::BTreeMap;

use blitz::units::{KINDS, Supply};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::driver::Page;

/// Who looks, and through which link.
#[derive(Clone, Debug)]
pub struct Looker {
    /// The path of the table: `/m/<id>/<token>`.
    pub path: String,
    /// The name of their side and its class on the board; nothing for one who looks on.
    pub side: Option<(&'static str, &'static str)>,
}

/// What a looker is sent.
#[derive(Debug, Deserialize)]
pub struct Seen {
    /// Every token that is named without leave, with what stands around it.
    pub leaks: Vec<String>,
    /// How many texts were searched.
    pub searched: usize,
    /// The words of the reserve that lies open, and of the own bag.
    pub hand: Vec<String>,
    pub bag: Vec<String>,
    /// Special weapons on the board.
    pub weapons: Vec<String>,
    /// What the odds say of the next special weapon, and of the own next token.
    pub research: BTreeMap<String, f64>,
    pub draw: BTreeMap<String, f64>,
}

/// The functions; `kinds` are words and names of all tokens, `own` the name and the class of the own side.
const EYES: &str = r##"
const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const either = (texts) => `(?:${texts.slice().sort((a, b) => b.length - a.length).map(escape).join('|')})`;
const NAME = either(kinds.map(([, name]) => name));
const WORD = either(kinds.map(([word]) => word));
const ANY = new RegExp(`(?<![A-Za-z0-9])(?:${NAME}|${WORD})(?![A-Za-z0-9])`, 'gi');
const mine = own ? escape(own[0]) : '(?!)';
const OWN_LINE = new RegExp(`^(?:Drawn by the ${mine}: ${NAME}|Research: ${NAME} goes into the (?:bag|reserve) of the ${mine}|Bombing: ${NAME} of the ${mine} goes .*)$`);
const OPEN_LINE = new RegExp(`^(?:${NAME}(?: as ${NAME})? on .+, strength -?\\d+|${NAME}: the space has no effect|(?:Axis|Allies)(?: [A-Z]\\w*)?: ${NAME}(?: as ${NAME})? → .+)$`);
const OPEN_PART = new RegExp(`^(?:then |(?:the )?(?:Axis|Allies) places? )${NAME}(?: as ${NAME})? on `, 'i');
const wordsIn = (text) => [...text.matchAll(new RegExp(`^(?:place|bomb) (${WORD})(?= |$)`, 'g'))].map((found) => found[1]);

/** A line of the story without the number of its rule. */
function plain(line) {
  const copy = line.cloneNode(true);
  copy.querySelectorAll('[data-rule], .rule-link').forEach((rule) => rule.remove());
  return copy.textContent.replace(/\s+/g, ' ').trim();
}

function eyes(seen) {
  const left = (what, text) => {
    seen.searched++;
    for (const found of text.matchAll(ANY)) seen.leaks.push(`${what}: …${text.slice(Math.max(0, found.index - 70), found.index + 50)}…`);
  };
  const mustBeMine = (what, words) => {
    for (const word of words) if (!seen.hand.includes(word)) seen.leaks.push(`${what}: a choice names ${word}`);
  };
  /** HTML: a whole page, or parts of one. */
  function html(what, text, moment) {
    const page = new DOMParser().parseFromString(text, 'text/html');
    const drop = (css, keep = () => false) => page.querySelectorAll(css).forEach((element) => keep(element) || element.remove());
    // The fixed legend.
    drop('svg.definitions, .meanings, .legend, .legend-list, link, style, script:not(#match)');
    // A rank among the bots has the name of a token.
    drop('select#seats-bot, select[name^="seat."]');
    // The viewer's own reserve, and only theirs.
    const hand = own ? page.querySelector(`#hand.${own[1]} .tokens`) : null;
    const words = [...(hand?.querySelectorAll(`.counter.${own[1]} use[href^="#k-"]`) ?? [])].map((use) => use.getAttribute('href').slice(3));
    if (hand && moment === 'now') seen.hand = words;
    if (moment === 'now') page.querySelectorAll('[data-choice]').forEach((each) => mustBeMine(what, each.dataset.choice.split('|').flatMap(wordsIn)));
    if (moment === 'now') page.querySelectorAll('[data-piece]').forEach((each) => mustBeMine(what, wordsIn(each.dataset.piece)));
    if (own) {
      // The choices of now have been looked at; those of a message belong to another moment.
      drop('#choices');
      hand?.remove();
      // What they consider: a ghost, and words.
      page.querySelectorAll('#ghost-token, #choice-note').forEach((thought) => {
        const ghosts = [...thought.querySelectorAll('use[href^="#k-"]')].map((use) => use.getAttribute('href').slice(3));
        const named = kinds.filter(([, name]) => [" →", " as "].some((next) => thought.textContent.startsWith(name + next))).map(([word]) => word);
        mustBeMine(what, [...ghosts, ...named]);
        thought.remove();
      });
    }
    // The units on the board.
    drop('.space .counter, .on > .counter');
    page.querySelectorAll('.space').forEach((space) => space.removeAttribute('aria-label') ?? space.removeAttribute('data-choice'));
    page.querySelectorAll('.supply .last').forEach((last) => new RegExp(`^last: ${NAME}$`).test(last.textContent.trim()) && last.remove());
    // The story.
    page.querySelectorAll('#log .step').forEach((step) => {
      for (const line of step.querySelectorAll('p')) {
        const words = plain(line);
        if (OWN_LINE.test(words)) seen.ownSteps.add(Number(step.dataset.step));
        if (OWN_LINE.test(words) || OPEN_LINE.test(words)) line.remove();
      }
    });
    page.querySelectorAll('#log .headline').forEach((line) => {
      const parts = plain(line).split('; ');
      line.textContent = parts.filter((part) => !OWN_LINE.test(part) && !OPEN_LINE.test(part) && !OPEN_PART.test(part)).join('; ');
    });
    page.querySelectorAll('#say').forEach((say) => {
      say.textContent = say.textContent.split('. ').filter((line) => !OWN_LINE.test(line) && !OPEN_LINE.test(line)).join('. ');
    });
    page.querySelectorAll('li.match p.last').forEach((last) => OPEN_LINE.test(plain(last)) && last.remove());
    // Odds: of the own bag, and of weapons that were not seen.
    page.querySelectorAll('.answer').forEach((answer) => {
      const title = plain(answer.querySelector('h3'));
      const key = { 'The next special weapon': 'research', [`The next token of the ${own?.[0]}`]: 'draw' }[title];
      if (!key) return;
      if (moment === 'now') seen[key] = Object.fromEntries([...answer.querySelectorAll('li')].map((line) => [line.querySelector('.what').textContent, Number(line.querySelector('meter').value)]));
      answer.querySelector('.chances').remove();
    });
    left(what, page.documentElement.outerHTML);
  }
  /** A message or an answer with parts. */
  function update(what, text, moment) {
    const { parts = [], log = '', ...rest } = JSON.parse(text);
    html(what, `<main>${parts.map(([, , part]) => part).join('')}</main><ol id="log">${log}</ol>`, moment);
    left(what, JSON.stringify(rest) + JSON.stringify(parts.map(([key, place]) => [key, place])));
  }
  /** The debug drawer. */
  function debug(what, text) {
    const told = JSON.parse(text);
    if (told.digest !== null) seen.leaks.push(`${what}: a digest`);
    const last = told.view.sides.map((side) => side.last_unit);
    for (const side of told.view.sides) {
      delete side.last_unit;
      if (side.name !== own?.[0]) continue;
      if (`${side.reserve}` !== `${seen.hand}`) seen.leaks.push(`${what}: the reserve is ${side.reserve}, not ${seen.hand}`);
      seen.bag = side.bag ?? [];
      delete side.reserve;
      delete side.bag;
    }
    for (const theatre of told.view.theatres) {
      seen.weapons.push(...theatre.units.map((unit) => unit.unit));
      delete theatre.units;
    }
    mustBeMine(what, [...told.choices, ...told.closed.map((closed) => closed.choice)].flatMap(wordsIn));
    told.choices = [];
    // A reason may name the own token that it is about.
    told.closed = told.closed.map(({ choice, why }) => {
      const about = kinds.find(([word]) => wordsIn(choice).includes(word) && seen.hand.includes(word));
      // A spy is what was placed last, which lies open.
      const copied = about?.[0] === 'spy' ? kinds.filter(([word]) => last.includes(word)) : [];
      const reason = about?.[0] === 'spy' ? why.replace('a spy as ', '') : why;
      return [about, ...copied].reduce((left, kind) => (kind ? left.replace(kind[1], '') : left), reason);
    });
    for (const [step, actor, name, , digest] of told.log) {
      if (digest !== null) seen.leaks.push(`${what}: the digest of step ${step}`);
      if (actor === 'fate' && name !== null && !seen.ownSteps.has(step)) seen.leaks.push(`${what}: step ${step} is ${name}`);
    }
    told.log = [];
    left(what, JSON.stringify(told));
  }
  return { html, update, debug, left };
}

async function look(path, page, frames, record) {
  const seen = { leaks: [], searched: 0, hand: [], bag: [], weapons: [], research: {}, draw: {}, ownSteps: new Set() };
  const see = eyes(seen);
  const read = (at) => fetch(at).then((answer) => answer.text());
  const get = (of) => read(path + of);
  const [served, now, debug, lobby, kept] = await Promise.all([get(''), get('/update?since=0'), get('/debug'), read('/'), read(record)]);
  see.html('the page as it is served', served, 'now');
  if (page) see.html('the page', page, 'then');
  see.update('update', now, 'now');
  see.debug('debug', debug);
  see.html('the lobby', lobby, 'then');
  see.left('record', kept);
  const { steps } = JSON.parse(now);
  const moments = [...new Set([0, 3, 6, Math.floor(steps / 2), steps - 2, steps - 1, steps])];
  await Promise.all(moments.map(async (step) => see.update(`at ${step}`, await get(`/at/${step}`), 'then')));
  const { frames: film } = JSON.parse(await get(`/film?from=0&to=${steps}&at=${moments}&rewind=1`));
  for (const { step, parts, gone, places } of film) see.update(`film ${step}`, JSON.stringify({ parts, gone, places }), 'then');
  const others = ['/odds', '/odds?about=research', '/odds?about=draw', '/odds?about=bot', '/export', '/print', '/thumbnail.svg'];
  await Promise.all(others.map(async (of) => see.html(of, await get(of), of === '/odds' ? 'now' : 'then')));
  for (const [at, frame] of frames.entries()) see.update(`message ${at}`, frame, 'then');
  return { ...seen, ownSteps: undefined };
}
"##;

/// Looks at everything that a looker is sent; `page` is the page whose connection fetches it, `shown` whether its
/// own HTML and messages belong to the looker.
pub async fn look(page: &Page, looker: &Looker, messages: &[String], shown: bool) -> Seen {
    let kinds: Vec<[&str; 2]> = KINDS.iter().map(|kind| [kind.word, kind.name]).collect();
    let script = format!(
        "const [kinds, own, path, shown, frames, record] = arguments; {EYES}
        return look(path, shown ? document.documentElement.outerHTML : '', frames, record);"
    );
    let own = looker.side.map(|(name, class)| json!([name, class]));
    let id = looker.path.split('/').nth(2).unwrap_or_default();
    let record = format!("/matches/{id}/record");
    let arguments = vec![
        json!(kinds),
        own.unwrap_or(Value::Null),
        json!(looker.path),
        json!(shown),
        json!(whole(messages)),
        json!(record),
    ];
    serde_json::from_value(page.run(&script, arguments).await).expect("what was seen")
}

/// Messages that came in pieces, put together: all but the last begin with +, the last with =.
pub fn whole(messages: &[String]) -> Vec<String> {
    let (mut all, mut held) = (Vec::new(), String::new());
    for message in messages {
        match message.split_at_checked(1) {
            Some(("+", piece)) => held.push_str(piece),
            Some(("=", piece)) => all.push(std::mem::take(&mut held) + piece),
            _ => all.push(message.clone()),
        }
    }
    assert!(held.is_empty(), "a message without an end");
    all.retain(|message| message.starts_with('{'));
    all
}

impl Seen {
    /// Fails if something was seen that should not be, or if the odds know more than the looker.
    #[track_caller]
    pub fn assert_honest(&self, who: &str) {
        assert!(self.leaks.is_empty(), "{who} is sent secrets:\n{}", self.leaks.join("\n"));
        assert!(self.searched > 12, "{who}: only {} texts were searched", self.searched);
        assert_odds(&self.draw, &counts(self.bag.iter()), who);
        // The default is the printing of 2019.
        let pile = Supply::new(false, false).pile;
        let mut unseen: BTreeMap<String, i32> =
            KINDS.iter().map(|kind| (kind.name.to_owned(), pile.count(kind.kind) as i32)).collect();
        for (name, count) in counts(self.weapons.iter().chain(&self.hand).chain(&self.bag)) {
            unseen.entry(name).and_modify(|left| *left -= count);
        }
        unseen.retain(|_, count| *count > 0);
        if !self.research.is_empty() {
            assert_odds(&self.research, &unseen, who);
        }
    }
}

fn counts<'a>(words: impl Iterator<Item = &'a String>) -> BTreeMap<String, i32> {
    let mut counts = BTreeMap::new();
    for word in words {
        let kind =
            KINDS.iter().find(|kind| kind.word == word).unwrap_or_else(|| panic!("{word} is no token"));
        *counts.entry(kind.name.to_owned()).or_default() += 1;
    }
    counts
}

#[track_caller]
fn assert_odds(told: &BTreeMap<String, f64>, tokens: &BTreeMap<String, i32>, who: &str) {
    let all: i32 = tokens.values().sum();
    let same = told.len() == tokens.len()
        && tokens.iter().all(|(name, count)| {
            let expected = f64::from(*count) / f64::from(all);
            told.get(name).is_some_and(|chance| (chance - expected).abs() < 0.001)
        });
    assert!(same, "{who}: the odds {told:?} are not those of {tokens:?}");
}
