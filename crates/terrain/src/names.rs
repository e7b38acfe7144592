//! The names of cells: two digits for the column, two for the row.

/// Refuses a board whose columns or rows cannot be named.
pub(crate) const fn check(cols: u8, rows: u8) {
    assert!(1 <= cols && cols <= 99 && 1 <= rows && rows <= 99, "a board has from 1 to 99 columns and rows");
}

/// Appends a name.
pub(crate) fn write(col: u8, row: u8, text: &mut String) {
    for number in [col, row] {
        text.push(char::from(b'0' + number / 10));
        text.push(char::from(b'0' + number % 10));
    }
}

/// The column and the row that a name says.
pub(crate) fn parse(name: &str) -> Option<(u8, u8)> {
    let &[a, b, c, d] = name.as_bytes() else { return None };
    let number = |tens: u8, ones: u8| {
        (tens.is_ascii_digit() && ones.is_ascii_digit()).then(|| (tens - b'0') * 10 + ones - b'0')
    };
    Some((number(a, b)?, number(c, d)?))
}
