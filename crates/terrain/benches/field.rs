//! `cargo bench -p terrain`: floods of boards of several sizes. The time for each cell should not grow
//! with the board, and nothing should be allocated.

use divan::counter::ItemsCount;
use terrain::{Cell, Field, HexGrid, SquareGrid};

#[global_allocator]
static ALLOCATOR: divan::AllocProfiler = divan::AllocProfiler::system();

fn main() {
    divan::main();
}

/// A flood of the whole board from its middle; to enter a cell costs from 1 to 4.
fn flood<const N: usize>(bencher: divan::Bencher<'_, '_>, table: &[[Cell; N]], limit: u16) {
    let costs: Vec<u16> =
        (0..table.len() as u32).map(|n| 1 + (n.wrapping_mul(0x9E37_79B9) >> 30) as u16).collect();
    let source = table.len() as Cell / 2;
    let mut field = Field::new();
    let mut run = move || {
        field.flood(table.len(), [(divan::black_box(source), 0)], limit, |here, reach| {
            for &next in &table[usize::from(here)] {
                if let Some(&cost) = costs.get(usize::from(next)) {
                    reach.to(next, cost);
                }
            }
        });
        field.distance(0)
    };
    run();
    bencher.counter(ItemsCount::new(table.len())).bench_local(run);
}

#[divan::bench(args = [(10, 8), (20, 15), (40, 30), (80, 60)])]
fn squares(bencher: divan::Bencher<'_, '_>, (cols, rows): (u8, u8)) {
    flood(bencher, &SquareGrid::new(cols, rows).neighbours(), u16::MAX);
}

#[divan::bench(args = [(20, 15), (60, 45)])]
fn hexes(bencher: divan::Bencher<'_, '_>, (cols, rows): (u8, u8)) {
    flood(bencher, &HexGrid::new(cols, rows).neighbours(), u16::MAX);
}

/// A unit with eight movement points on a large board.
#[divan::bench(args = [(20, 15), (60, 45)])]
fn hexes_within_eight(bencher: divan::Bencher<'_, '_>, (cols, rows): (u8, u8)) {
    flood(bencher, &HexGrid::new(cols, rows).neighbours(), 8);
}
