//! Rows of a database in BSATN: ours, SpacetimeDB's own crate, and borsh, which writes the same bytes
//! for these rows.
//!
//! | workload | rows | columns |
//! |---|---|---|
//! | `rows-100`, `rows-10000` | of 24 bytes | two `u32`, two `f32`, a `u64` |
//! | `names-100`, `names-10000` | of 22 to 38 bytes | a `u32`, a `u64`, an `i32`, a name of 2 to 18 bytes |
//! | `read-...` | the same, read row by row where they lie | |

use std::hint::black_box;

use onewrite::bsatn::{Decode, Encode};
use onewrite::reader::Reader;
use spacetimedb_sats::bsatn;

use crate::row::Rows;

/// A row whose bytes are always as many.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Encode,
    Decode,
    borsh::BorshSerialize,
    borsh::BorshDeserialize,
    spacetimedb_sats::ser::Serialize,
    spacetimedb_sats::de::Deserialize,
)]
#[sats(crate = spacetimedb_sats)]
struct Player {
    id: u32,
    health: u32,
    x: f32,
    y: f32,
    score: u64,
}

/// A row with a text in it.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Encode,
    Decode,
    borsh::BorshSerialize,
    spacetimedb_sats::ser::Serialize,
    spacetimedb_sats::de::Deserialize,
)]
#[sats(crate = spacetimedb_sats)]
struct Named<'a> {
    id: u32,
    score: u64,
    delta: i32,
    name: &'a str,
}

const ROOM: &str = "the room is there";

pub(crate) fn add(rows: &mut Rows) {
    for (count, [fixed, named, read_fixed, read_named]) in [
        (100, ["rows-100", "names-100", "read-rows-100", "read-names-100"]),
        (10_000, ["rows-10000", "names-10000", "read-rows-10000", "read-names-10000"]),
    ] {
        let players: Vec<Player> = (0..count).map(player).collect();
        let players: &'static [Player] = players.leak();
        let names: Vec<Named<'static>> = (0..count).map(name).collect();
        let names: &'static [Named<'static>] = names.leak();
        write(rows, fixed, players);
        let bytes = encoded(players);
        read(rows, read_fixed, bytes, sum_of_player);
        read_with_borsh(rows, bytes, sum_of_player);
        write(rows, named, names);
        let bytes = encoded(names);
        read::<Named<'static>>(rows, read_named, bytes, |row| row.score + row.name.len() as u64);
    }
}

fn sum_of_player(row: Player) -> u64 {
    row.score + u64::from(row.id)
}

fn player(id: u32) -> Player {
    let number = id.wrapping_mul(0x9e37_79b9);
    let part = |shift: u32| f32::from((number >> shift) as u16) / 16.0;
    Player { id, health: number % 101, x: part(0), y: part(8), score: u64::from(number) << 7 }
}

fn name(id: u32) -> Named<'static> {
    let number = id.wrapping_mul(0x9e37_79b9);
    let name = &"p-0123456789abcdef"[..2 + number as usize % 17];
    Named { id, score: u64::from(number) << 7, delta: number as i32, name }
}

fn encoded<T: Encode>(values: &[T]) -> &'static [u8] {
    let mut bytes = vec![0; values.encoded_len()];
    values.encode_to_slice(&mut bytes).expect(ROOM);
    bytes.leak()
}

fn write<T>(rows: &mut Rows, name: &'static str, values: &'static [T])
where
    T: Encode + borsh::BorshSerialize + spacetimedb_sats::ser::Serialize,
{
    rows.begin(name, values.len(), encoded(values).to_vec(), ["onewrite", "onewrite"]);
    rows.memory("onewrite", move |out| black_box(values).encode_to_slice(out).expect(ROOM));
    rows.peers();
    rows.memory("spacetimedb-sats", move |out| {
        let available = out.len();
        let mut free = out;
        bsatn::to_writer(&mut free, black_box(values)).expect(ROOM);
        available - free.len()
    });
    rows.memory("borsh", move |out| {
        let available = out.len();
        let mut free = out;
        borsh::to_writer(&mut free, black_box(values)).expect(ROOM);
        available - free.len()
    });
}

/// Rows of reading write what `sum` makes of every row, added up, so that nothing is left out.
fn read<T>(rows: &mut Rows, name: &'static str, bytes: &'static [u8], sum: fn(T) -> u64)
where
    T: Decode<'static> + spacetimedb_sats::de::Deserialize<'static> + 'static,
{
    let ours = move || {
        let mut reader = Reader::new(black_box(bytes));
        let mut total = 0_u64;
        for _ in 0..reader.u32_le().expect("a count") {
            let row = black_box(T::decode(&mut reader).expect("a row"));
            total = total.wrapping_add(sum(row));
        }
        reader.finish().expect("no more");
        total
    };
    let count = u32::from_le_bytes(*bytes.first_chunk().expect("a count"));
    rows.begin(name, count as usize, ours().to_le_bytes().to_vec(), ["onewrite", ""]);
    rows.total(bytes.len());
    rows.memory("onewrite", move |out| put(out, ours()));
    rows.peers();
    rows.memory("spacetimedb-sats", move |out| {
        let mut rest = black_box(bytes);
        let mut total = 0_u64;
        for _ in 0..bsatn::from_reader::<u32>(&mut rest).expect("a count") {
            let row = black_box(bsatn::from_reader::<T>(&mut rest).expect("a row"));
            total = total.wrapping_add(sum(row));
        }
        put(out, total)
    });
}

/// borsh reads no text where it lies.
fn read_with_borsh(rows: &mut Rows, bytes: &'static [u8], sum: fn(Player) -> u64) {
    use borsh::BorshDeserialize as _;
    rows.memory("borsh", move |out| {
        let mut rest = black_box(bytes);
        let mut total = 0_u64;
        for _ in 0..u32::deserialize(&mut rest).expect("a count") {
            let row = black_box(Player::deserialize(&mut rest).expect("a row"));
            total = total.wrapping_add(sum(row));
        }
        put(out, total)
    });
}

fn put(out: &mut [u8], sum: u64) -> usize {
    *out.first_chunk_mut().expect(ROOM) = sum.to_le_bytes();
    8
}
