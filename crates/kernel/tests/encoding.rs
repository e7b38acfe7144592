//! Property tests for the encoding: it can be read back as its table says, so different values have different encodings.

use kernel::{encode_enum, encode_struct, encoded};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use testkit::edits::config;

/// A value with every kind of piece in it, nested.
#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Nothing,
    Numbers { small: i8, pair: [u16; 2], large: u128 },
    Words(String, Vec<bool>),
    Inside(Vec<Piece>),
    Maybe(Option<Box<Piece>>),
    Lists(Vec<Vec<u8>>, Box<[i32]>),
}

encode_enum!(Piece {
    0 = Nothing,
    7 = Numbers { small, pair, large },
    2 = Words(text, flags),
    1 = Inside(all),
    255 = Maybe(one),
    3 = Lists(bytes, numbers),
});

/// A state that has grown: its later fields are written where they do not rest.
#[derive(Clone, Debug, PartialEq)]
struct Grown {
    turn: u16,
    pieces: Vec<Piece>,
    snow: Option<u8>,
    night: bool,
}

encode_struct!(Grown { turn, pieces } later { 1 => snow: None, 2 => night: false });

/// Reads an encoding, by nothing but the table in its documentation.
struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    fn number(&mut self, width: usize) -> u128 {
        let (bytes, rest) = self.0.split_at(width);
        self.0 = rest;
        bytes.iter().rev().fold(0, |number, byte| number << 8 | u128::from(*byte))
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        // Item by item, so that a wrong length ends with the bytes and not with the memory.
        let mut list = Vec::new();
        for _ in 0..self.number(4) {
            list.push(item(self));
        }
        list
    }

    fn text(&mut self) -> String {
        String::from_utf8(self.list(|reader| reader.number(1) as u8)).expect("UTF-8")
    }

    fn option<T>(&mut self, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.number(1) == 1).then(|| value(self))
    }

    fn piece(&mut self) -> Piece {
        match self.number(1) {
            0 => Piece::Nothing,
            7 => Piece::Numbers {
                small: self.number(1) as i8,
                pair: [self.number(2) as u16, self.number(2) as u16],
                large: self.number(16),
            },
            2 => Piece::Words(self.text(), self.list(|reader| reader.number(1) == 1)),
            1 => Piece::Inside(self.list(Self::piece)),
            255 => Piece::Maybe(self.option(|reader| Box::new(reader.piece()))),
            3 => Piece::Lists(
                self.list(|reader| reader.list(|reader| reader.number(1) as u8)),
                self.list(|reader| reader.number(4) as i32).into_boxed_slice(),
            ),
            other => panic!("variant {other}"),
        }
    }

    fn grown(&mut self) -> Grown {
        let (turn, pieces) = (self.number(2) as u16, self.list(Self::piece));
        let mut grown = Grown { turn, pieces, snow: None, night: false };
        while !self.0.is_empty() {
            match self.number(1) {
                1 => grown.snow = self.option(|reader| reader.number(1) as u8),
                2 => grown.night = self.number(1) == 1,
                other => panic!("later field {other}"),
            }
        }
        grown
    }
}

fn any_piece() -> impl Strategy<Value = Piece> {
    let leaf = prop_oneof![
        Just(Piece::Nothing),
        (any::<i8>(), any::<[u16; 2]>(), any::<u128>()).prop_map(|(small, pair, large)| Piece::Numbers {
            small,
            pair,
            large
        }),
        (".{0,6}", vec(any::<bool>(), 0..4)).prop_map(|(text, flags)| Piece::Words(text, flags)),
        (vec(vec(any::<u8>(), 0..4), 0..4), vec(any::<i32>(), 0..3))
            .prop_map(|(bytes, numbers)| Piece::Lists(bytes, numbers.into())),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Piece::Inside),
            option::of(inner).prop_map(|one| Piece::Maybe(one.map(Box::new))),
        ]
    })
}

fn any_state() -> impl Strategy<Value = Grown> {
    (any::<u16>(), vec(any_piece(), 0..4), option::of(any::<u8>()), any::<bool>())
        .prop_map(|(turn, pieces, snow, night)| Grown { turn, pieces, snow, night })
}

/// Small values of one type, of which two are often nearly the same.
type Alike = (Vec<Option<u8>>, String, Vec<Vec<bool>>, (Option<Option<u8>>, Vec<()>));

fn alike() -> impl Strategy<Value = Alike> {
    let few = || 0..2_u8;
    let flags = vec(vec(any::<bool>(), 0..3), 0..3);
    (
        vec(option::of(few()), 0..3),
        "[\u{0}\u{1}]{0,2}",
        flags,
        (option::of(option::of(few())), vec(Just(()), 0..3)),
    )
}

proptest! {
    #![proptest_config(config(3_000))]

    #[test]
    fn an_encoding_can_be_read_back(state in any_state()) {
        let bytes = encoded(&state);
        let mut reader = Reader(&bytes);
        prop_assert_eq!(reader.grown(), state);
        prop_assert!(reader.0.is_empty());
    }

    #[test]
    fn no_encoding_goes_on_where_another_ends(one in any_piece(), two in any_piece()) {
        // What stands behind a piece can't be taken for a part of it.
        let (first, second) = (encoded(&one), encoded(&two));
        prop_assert_eq!(first.starts_with(&second), one == two);
    }
}

proptest! {
    #![proptest_config(config(20_000))]

    #[test]
    fn two_values_share_an_encoding_only_if_they_are_the_same(one in alike(), two in alike()) {
        prop_assert_eq!(encoded(&one) == encoded(&two), one == two);
    }
}
