//! Changes to texts that are likely to hurt somewhere, made by a generator that can be repeated.

/// A small generator of its own, so that a failure can be repeated.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// Pieces that are likely to hurt somewhere.
const PIECES: [&str; 34] = [
    "\"", "\"\"\"", "'", "[", "]", "[[", "]]", "{", "}", "=", ".", ",", ";", ":", "(", ")", "\n", "\r", "\0",
    "\\", "#", " ", "é", "–", "💀", "\u{feff}", "0x", "1e9", "\t", "-", "+", "_", "true", "x9",
];
const NUMBERS: [&str; 12] = [
    "0",
    "-1",
    "1",
    "7",
    "21",
    "255",
    "256",
    "65536",
    "4294967296",
    "99999999999999999999999999",
    "1.5",
    "0b11",
];

/// One change somewhere in a text.
pub fn mutate(text: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(text.len() + 1);
    match random.below(9) {
        0 => {
            let end = (at + 1 + random.below(6)).min(text.len());
            text.drain(at.min(end)..end);
        }
        1 => {
            let piece = random.pick(&PIECES).bytes();
            text.splice(at..at, piece);
        }
        2 if !text.is_empty() => {
            let (one, two) = (random.below(text.len()), random.below(text.len()));
            text.swap(one, two);
        }
        3 => {
            if let Some(start) = text[at..].iter().position(u8::is_ascii_digit) {
                let start = at + start;
                let length = text[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                text.splice(start..start + length, random.pick(&NUMBERS).bytes());
            }
        }
        4 if random.below(4) == 0 => text.truncate(at),
        5 => {
            let line = line_at(text, at);
            let copy = text[line.clone()].to_vec();
            text.splice(line.end..line.end, copy);
        }
        6 => {
            let line = line_at(text, at);
            text.drain(line);
        }
        7 => {
            // A word in the place of another.
            let (from, to) = (word_at(text, at), word_at(text, random.below(text.len() + 1)));
            let word = text[to].to_vec();
            text.splice(from, word);
        }
        _ => {
            if let Some(byte) = text.get_mut(at) {
                *byte = byte.wrapping_add(1 + random.below(9) as u8);
            }
        }
    }
}

fn line_at(text: &[u8], at: usize) -> std::ops::Range<usize> {
    let start = text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |found| found + 1);
    let end = text[at..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |found| at + found + 1);
    start..end
}

fn word_at(text: &[u8], at: usize) -> std::ops::Range<usize> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric();
    let start = text[..at].iter().rposition(|byte| !is_word(byte)).map_or(0, |found| found + 1);
    let end = text[at..].iter().position(|byte| !is_word(byte)).map_or(text.len(), |found| at + found);
    start..end
}
