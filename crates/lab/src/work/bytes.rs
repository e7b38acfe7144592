//! How results are written as bytes: whole numbers of a few bytes each, and texts.

use std::fmt;

/// Writes the bytes of a part.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByteWriter(Vec<u8>);

impl ByteWriter {
    /// A whole number, seven bits to a byte, the lowest first.
    pub fn put(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// A number that may be negative: small ones of either sign are short.
    pub fn put_signed(&mut self, number: i64) {
        self.put(((number << 1) ^ (number >> 63)).cast_unsigned());
    }

    /// The bits of a number with a point.
    pub fn put_bits(&mut self, number: f64) {
        self.0.extend(number.to_bits().to_le_bytes());
    }

    /// A text.
    pub fn put_text(&mut self, text: &str) {
        self.put(text.len() as u64);
        self.0.extend(text.as_bytes());
    }

    /// What another has written.
    pub fn put_all(&mut self, other: &Self) {
        self.0.extend(&other.0);
    }

    /// Begins anew.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Begins anew and returns what was written.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.0)
    }
}

/// Bytes that are not what was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unreadable;

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it does not fit this game: was it made by another build?")
    }
}

/// Reads what a [`ByteWriter`] has written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByteReader<'b>(&'b [u8]);

impl<'b> ByteReader<'b> {
    pub fn new(bytes: &'b [u8]) -> Self {
        Self(bytes)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many bytes are left.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn get(&mut self) -> Result<u64, Unreadable> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first().ok_or(Unreadable)?;
            self.0 = rest;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                return Err(Unreadable);
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Unreadable)
    }

    /// A number that is at most so large, for counts: what is broken must not ask for all memory.
    pub fn get_up_to(&mut self, most: u64) -> Result<usize, Unreadable> {
        let number = self.get()?;
        if number > most { Err(Unreadable) } else { usize::try_from(number).map_err(|_| Unreadable) }
    }

    pub fn get_signed(&mut self) -> Result<i64, Unreadable> {
        let number = self.get()?;
        Ok((number >> 1).cast_signed() ^ (number & 1).cast_signed().wrapping_neg())
    }

    pub fn get_bits(&mut self) -> Result<f64, Unreadable> {
        let (bits, rest) = self.0.split_first_chunk().ok_or(Unreadable)?;
        self.0 = rest;
        Ok(f64::from_bits(u64::from_le_bytes(*bits)))
    }

    pub fn get_text(&mut self) -> Result<&'b str, Unreadable> {
        let length = self.get_up_to(self.0.len() as u64)?;
        let (text, rest) = self.0.split_at_checked(length).ok_or(Unreadable)?;
        self.0 = rest;
        std::str::from_utf8(text).map_err(|_| Unreadable)
    }

    /// Checks that nothing is left.
    pub fn end(self) -> Result<(), Unreadable> {
        if self.is_empty() { Ok(()) } else { Err(Unreadable) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX - 1, u64::MAX];
        let signed = [0, 1, -1, 63, -64, 64, i64::MAX, i64::MIN];
        let mut out = ByteWriter::default();
        numbers.iter().for_each(|number| out.put(*number));
        signed.iter().for_each(|number| out.put_signed(*number));
        out.put_bits(-0.1);
        out.put_text("Größe 🎲");
        let bytes = out.take();
        let mut read = ByteReader::new(&bytes);
        assert!(numbers.iter().all(|number| read.get() == Ok(*number)));
        assert!(signed.iter().all(|number| read.get_signed() == Ok(*number)));
        assert_eq!((read.get_bits(), read.get_text()), (Ok(-0.1), Ok("Größe 🎲")));
        assert_eq!(read.end(), Ok(()));
    }

    #[test]
    fn broken_bytes_are_refused() {
        for broken in
            [&[][..], &[0x80], &[0xff; 10], &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2]]
        {
            assert_eq!(ByteReader::new(broken).get(), Err(Unreadable), "{broken:?}");
        }
        assert_eq!(ByteReader::new(&[5, b'a']).get_text(), Err(Unreadable));
        assert_eq!(ByteReader::new(&[1, 0xff]).get_text(), Err(Unreadable));
        assert_eq!(ByteReader::new(&[7]).get_up_to(6), Err(Unreadable));
        assert_eq!(ByteReader::new(&[7]).end(), Err(Unreadable));
        assert_eq!(ByteReader::new(&[7; 7]).get_bits(), Err(Unreadable));
    }
}
