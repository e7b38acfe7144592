//! States as bytes, in a format of our own that does not depend on compiler, library or machine.
//!
//! A state is written piece by piece into an [`Encoder`]. The form, from which the digests of a save are made:
//!
//! | piece | bytes |
//! |---|---|
//! | a whole number | its bytes, the lowest first; negative ones in two's complement; `usize` as 8 bytes |
//! | `bool` | 1 byte: 0 or 1 |
//! | `Option` | 1 byte: 0, or 1 and then the value |
//! | an array `[T; N]` | its items in order; the length is part of the type and is not written |
//! | a slice, `Vec` or `Box<[T]>` | the length as 4 bytes, then the items in order |
//! | a text | its length in bytes as 4 bytes, then UTF-8 |
//! | a `Box<T>` | what is inside |
//! | a struct | its fields in the order that [`encode_struct!`](crate::encode_struct) lists |
//! | an enum | 1 byte: the number that [`encode_enum!`](crate::encode_enum) gives the variant; then its fields in order |
//! | a field that came later | nothing while it has the value that it has in old matches; else 1 byte, its number, then the value |
//!
//! The two macros take a type apart completely: a new field or a new variant does not compile until somebody has said how
//! it is written, and moving one about in the declaration changes nothing.

/// What can be written into an [`Encoder`].
pub trait Encode {
    /// Writes the value.
    fn encode<E: Encoder>(&self, out: &mut E);

    /// Writes several values one after the other; numbers do it in one go.
    #[inline]
    fn encode_run<E: Encoder>(run: &[Self], out: &mut E)
    where
        Self: Sized,
    {
        for value in run {
            value.encode(out);
        }
    }
}

/// Takes a value apart: into bytes, or straight into a digest.
pub trait Encoder {
    /// A whole number: the lowest `width` bytes of `value`, which is sign-extended where the number is negative.
    fn number(&mut self, value: u64, width: usize);

    /// Several numbers of the same width.
    #[inline]
    fn numbers(&mut self, values: impl Iterator<Item = u64>, width: usize) {
        for value in values {
            self.number(value, width);
        }
    }

    /// How many items follow, where the type does not say so.
    #[inline]
    fn length(&mut self, length: usize) {
        // A state with more than four thousand million parts is no state of a board game.
        self.number(length.min(u32::MAX as usize) as u64, 4);
    }

    /// An array of a fixed length begins.
    #[inline]
    fn array(&mut self, _length: usize) {}

    /// Which variant of an enum, or which later field of a struct, follows.
    #[inline]
    fn variant(&mut self, number: u8) {
        self.number(u64::from(number), 1);
    }

    /// A text.
    fn text(&mut self, text: &str) {
        self.length(text.len());
        self.numbers(text.bytes().map(u64::from), 1);
    }
}

/// The encoding as bytes.
///
/// ```
/// assert_eq!(kernel::encoded(&(Some(2_u16), -1_i8, [true, false])), [1, 2, 0, 255, 1, 0]);
/// ```
pub fn encoded(value: &impl Encode) -> Vec<u8> {
    let mut bytes = Bytes(Vec::new());
    value.encode(&mut bytes);
    bytes.0
}

struct Bytes(Vec<u8>);

impl Encoder for Bytes {
    fn number(&mut self, value: u64, width: usize) {
        self.0.extend_from_slice(&value.to_le_bytes()[..width]);
    }
}

macro_rules! numbers {
    ($($number:ty as $wide:ty),+) => {$(
        impl Encode for $number {
            #[inline]
            fn encode<E: Encoder>(&self, out: &mut E) {
                out.number(*self as $wide as u64, size_of::<Self>());
            }

            #[inline]
            fn encode_run<E: Encoder>(run: &[Self], out: &mut E) {
                out.numbers(run.iter().map(|&value| value as $wide as u64), size_of::<Self>());
            }
        }
    )+};
}

numbers!(u8 as u64, u16 as u64, u32 as u64, u64 as u64, i8 as i64, i16 as i64, i32 as i64, i64 as i64);

impl Encode for u128 {
    #[inline]
    fn encode<E: Encoder>(&self, out: &mut E) {
        out.number(*self as u64, 8);
        out.number((*self >> 64) as u64, 8);
    }
}

impl Encode for usize {
    #[inline]
    fn encode<E: Encoder>(&self, out: &mut E) {
        out.number(*self as u64, 8);
    }
}

impl Encode for bool {
    #[inline]
    fn encode<E: Encoder>(&self, out: &mut E) {
        out.number(u64::from(*self), 1);
    }
}

impl<T: Encode> Encode for Option<T> {
    #[inline]
    fn encode<E: Encoder>(&self, out: &mut E) {
        match self {
            None => out.variant(0),
            Some(value) => {
                out.variant(1);
                value.encode(out);
            }
        }
    }
}

impl<T: Encode, const N: usize> Encode for [T; N] {
    #[inline]
    fn encode<E: Encoder>(&self, out: &mut E) {
        out.array(N);
        T::encode_run(self, out);
    }
}

impl<T: Encode> Encode for [T] {
    #[inline]
    fn encode<E: Encoder>(&self, out: &mut E) {
        out.length(self.len());
        T::encode_run(self, out);
    }
}

impl<T: Encode> Encode for Vec<T> {
    #[inline]
    fn encode<E: Encoder>(&self, out: &mut E) {
        self[..].encode(out);
    }
}

impl<T: Encode + ?Sized> Encode for Box<T> {
    #[inline]
    fn encode<E: Encoder>(&self, out: &mut E) {
        (**self).encode(out);
    }
}

impl<T: Encode + ?Sized> Encode for &T {
    #[inline]
    fn encode<E: Encoder>(&self, out: &mut E) {
        (**self).encode(out);
    }
}

impl Encode for str {
    fn encode<E: Encoder>(&self, out: &mut E) {
        out.text(self);
    }
}

impl Encode for String {
    fn encode<E: Encoder>(&self, out: &mut E) {
        out.text(self);
    }
}

macro_rules! tuples {
    ($($name:ident)*) => {
        impl<$($name: Encode),*> Encode for ($($name,)*) {
            #[inline]
            #[allow(non_snake_case, unused_variables, reason = "the items are named after their types")]
            fn encode<Out: Encoder>(&self, out: &mut Out) {
                let ($($name,)*) = self;
                $($name.encode(out);)*
            }
        }
    };
}

tuples!();
tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);

/// Says how a struct is encoded: its fields in this order, whatever the order of the declaration is.
///
/// A field of a type that has no encoding of its own is given as an expression. Fields that were added to a state after
/// matches had been stored come last, numbered, each with the value that those matches have: while a field rests there it
/// is not written, so that the digests of those matches stay what they are. Only the struct that ends an encoding, which is
/// the state itself, may have such fields: behind one that is left out nothing else may come.
///
/// ```
/// pub struct Front { region: u8, held_by: std::num::NonZeroU8 }
/// kernel::encode_struct!(Front { region, held_by = held_by.get() });
///
/// pub struct State { turn: u16, fronts: Vec<Front>, winter: bool }
/// kernel::encode_struct!(State { turn, fronts } later { 1 => winter: false });
///
/// let mut state = State { turn: 3, fronts: Vec::new(), winter: false };
/// assert_eq!(kernel::encoded(&state), [3, 0, 0, 0, 0, 0]);
/// state.winter = true;
/// assert_eq!(kernel::encoded(&state), [3, 0, 0, 0, 0, 0, 1, 1]);
/// ```
///
/// A field that nobody has thought of does not compile:
///
/// ```compile_fail
/// pub struct Front { region: u8, held: bool }
/// kernel::encode_struct!(Front { region });
/// ```
#[macro_export]
macro_rules! encode_struct {
    ($name:ty { $($field:ident $(= $value:expr)?),* $(,)? }
        $(later { $($number:literal => $late:ident : $rest:expr),+ $(,)? })?) => {
        $(const _: () = $crate::assert_rising(&[$($number),+]);)?
        impl $crate::Encode for $name {
            #[inline]
            fn encode<E: $crate::Encoder>(&self, out: &mut E) {
                let Self { $($field,)* $($($late,)+)? } = self;
                $($crate::encode_field!(out, $field $(, $value)?);)*
                $(
                    $(if *$late != $rest {
                        $crate::Encoder::variant(out, $number);
                        $crate::Encode::encode($late, out);
                    })+
                )?
            }
        }
    };
    ($name:ty [ $($field:ident $(= $value:expr)?),+ $(,)? ]) => {
        impl $crate::Encode for $name {
            #[inline]
            fn encode<E: $crate::Encoder>(&self, out: &mut E) {
                let Self($($field),+) = self;
                $($crate::encode_field!(out, $field $(, $value)?);)+
            }
        }
    };
}

/// A field of [`encode_struct!`]: as it is, or as an expression says.
#[doc(hidden)]
#[macro_export]
macro_rules! encode_field {
    ($out:ident, $field:ident) => {
        $crate::Encode::encode($field, $out)
    };
    ($out:ident, $field:ident, $value:expr) => {
        $crate::Encode::encode(&$value, $out)
    };
}

/// Says how an enum is encoded: the number of each variant, once and for all, then its fields in order.
///
/// ```
/// pub enum Order { Hold, March { from: u8, to: u8 }, Dig(u8) }
/// kernel::encode_enum!(Order { 0 = Hold, 2 = Dig(depth), 1 = March { from, to } });
/// assert_eq!(kernel::encoded(&Order::March { from: 4, to: 5 }), [1, 4, 5]);
/// assert_eq!(kernel::encoded(&[Order::Hold, Order::Dig(3)]), [0, 2, 3]);
/// ```
///
/// A number that is given twice does not compile, nor does a variant without one:
///
/// ```compile_fail
/// pub enum Order { Hold, March }
/// kernel::encode_enum!(Order { 0 = Hold, 0 = March });
/// ```
/// ```compile_fail
/// pub enum Order { Hold, March }
/// kernel::encode_enum!(Order { 0 = Hold });
/// ```
#[macro_export]
macro_rules! encode_enum {
    ($name:ty { $($number:literal = $variant:ident
        $(( $($item:ident),+ $(,)? ))? $({ $($field:ident),+ $(,)? })?),+ $(,)? }) => {
        const _: () = $crate::assert_distinct(&[$($number),+]);
        impl $crate::Encode for $name {
            #[inline]
            fn encode<E: $crate::Encoder>(&self, out: &mut E) {
                match self {
                    $(Self::$variant $(( $($item),+ ))? $({ $($field),+ })? => {
                        $crate::Encoder::variant(out, $number);
                        $($($crate::Encode::encode($item, out);)+)?
                        $($($crate::Encode::encode($field, out);)+)?
                    })+
                }
            }
        }
    };
}

/// Stops the compilation where two variants have the same number.
#[doc(hidden)]
pub const fn assert_distinct(numbers: &[u8]) {
    let mut at = 0;
    while at < numbers.len() {
        let mut other = at + 1;
        while other < numbers.len() {
            assert!(numbers[at] != numbers[other], "two variants have the same number");
            other += 1;
        }
        at += 1;
    }
}

/// Stops the compilation where later fields are not numbered in rising order.
#[doc(hidden)]
pub const fn assert_rising(numbers: &[u8]) {
    let mut at = 1;
    while at < numbers.len() {
        assert!(numbers[at - 1] < numbers[at], "later fields are numbered in rising order");
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_lowest_byte_first() {
        assert_eq!(encoded(&(0x0102_u16, 0x0304_0506_u32)), [2, 1, 6, 5, 4, 3]);
        assert_eq!(encoded(&(-2_i8, -2_i32)), [254, 254, 255, 255, 255]);
        assert_eq!(encoded(&(u64::MAX - 1)), [254, 255, 255, 255, 255, 255, 255, 255]);
        assert_eq!(encoded(&(1_u128 << 64 | 7)), [7, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(encoded(&3_usize), [3, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn only_what_varies_in_length_carries_a_length() {
        assert_eq!(encoded(&[1_u8, 2]), [1, 2]);
        assert_eq!(encoded(&vec![1_u16, 2]), [2, 0, 0, 0, 1, 0, 2, 0]);
        assert_eq!(encoded(&vec![1_u8, 2].into_boxed_slice()), [2, 0, 0, 0, 1, 2]);
        assert_eq!(encoded(&(vec![1_u8], vec![2_u8, 3])), [1, 0, 0, 0, 1, 2, 0, 0, 0, 2, 3]);
        assert_eq!(encoded(&("é", String::from("a"))), [2, 0, 0, 0, 0xc3, 0xa9, 1, 0, 0, 0, b'a']);
        assert_eq!(encoded(&Box::new(Some(false))), [1, 0]);
        assert_eq!(encoded(&None::<u64>), [0]);
    }

    struct Declared {
        last: u8,
        first: u16,
    }
    encode_struct!(Declared { first, last });

    struct Wrapped(u8, bool);
    encode_struct!(Wrapped[number, flag = u16::from(*flag)]);

    #[test]
    fn the_listed_order_counts_and_not_the_declared_one() {
        assert_eq!(encoded(&Declared { last: 9, first: 1 }), [1, 0, 9]);
        assert_eq!(encoded(&Wrapped(5, true)), [5, 1, 0]);
    }

    struct Grown {
        turn: u8,
        snow: u8,
        night: bool,
    }
    encode_struct!(Grown { turn } later { 1 => snow: 0, 2 => night: false });

    #[test]
    fn a_later_field_is_written_when_it_leaves_its_rest() {
        let all = |turn, snow, night| encoded(&Grown { turn, snow, night });
        assert_eq!(all(4, 0, false), [4]);
        assert_eq!(all(4, 3, false), [4, 1, 3]);
        assert_eq!(all(4, 0, true), [4, 2, 1]);
        assert_eq!(all(4, 3, true), [4, 1, 3, 2, 1]);
    }
}
