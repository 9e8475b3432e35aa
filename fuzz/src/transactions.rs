//! Transactions that a table goes through, one after the other, as a server tells of them.

use onewrite::bsatn::{Encode as _, RowListWriter};

/// Keys, each with something else.
type Rows = &'static [(u8, u8)];

/// What went and what came, for each query that sees it.
type Transaction = &'static [(Rows, Rows)];

/// What becomes of a table; see `spacetimedb::multi_dictionary`.
const TRANSACTIONS: [Transaction; 17] = {
    const A: Rows = &[(1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0)];
    const B: Rows = &[(2, 0), (3, 0), (21, 0), (34, 0), (55, 0)];
    [
        // Rows come, some of them to two queries.
        &[(&[], A), (&[], B)],
        // One that both see changes, and one that only one sees.
        &[(&[(2, 0)], &[(2, 1)]), (&[(2, 0)], &[(2, 1)])],
        &[(&[(1, 0)], &[(1, 1)])],
        // One query lets go of a row, and then there is none.
        &[(&[(3, 0)], &[])],
        &[(&[], &[]), (&[(3, 0), (21, 0)], &[(99, 0)])],
        // What comes and goes at once changes nothing, also in two steps.
        &[(&[(7, 0)], &[(7, 0)]), (&[(4, 0)], &[(4, 0)])],
        &[(&[(5, 0)], &[(5, 1)]), (&[(5, 1)], &[(5, 0)])],
        // What goes is not there, or another row is.
        &[(&[(200, 0)], &[])],
        &[(&[(4, 9)], &[])],
        // More copies go than there are, or fewer.
        &[(&[(4, 0), (4, 0)], &[])],
        &[(&[(4, 0), (4, 0)], &[(4, 1)])],
        &[(&[(2, 1)], &[(2, 2)])],
        // A row that is not there is replaced by another one.
        &[(&[(201, 0)], &[(201, 1)])],
        // Two rows of one key, and three.
        &[(&[], &[(8, 0), (8, 1)])],
        &[(&[(6, 0)], &[(6, 1), (6, 2)])],
        // More keys than the table has room for, and more than a delta has.
        &[(
            &[],
            &[(10, 0), (11, 0), (12, 0), (13, 0), (14, 0), (15, 0), (16, 0), (17, 0), (18, 0)],
        )],
        &[(A, &[(30, 0), (31, 0), (32, 0), (33, 0), (35, 0), (36, 0), (37, 0), (38, 0), (39, 0)])],
    ]
};

/// The payloads that tell of them, not compressed: in version 1 where `version` is 0, else as in
/// the later ones.
pub fn payloads(version: u8) -> Vec<Vec<u8>> {
    TRANSACTIONS.iter().map(|of| transaction(version, of)).collect()
}

/// One of them.
fn transaction(version: u8, of: Transaction) -> Vec<u8> {
    fn count(len: usize) -> [u8; 4] {
        (len as u32).to_le_bytes()
    }
    let list = |rows: Rows| {
        let mut room = [0; 200];
        let len = RowListWriter::new(rows).encode_to_slice(&mut room).expect("room");
        room[..len].to_vec()
    };
    let mut bytes = vec![0];
    match version {
        0 => {
            let rows: usize = of.iter().map(|(went, came)| went.len() + came.len()).sum();
            // `TransactionUpdateLight`: of request 7, in one table.
            bytes
                .extend([&[2, 7, 0, 0, 0], &count(1)[..], &[9, 0, 0, 0], &count(1), b"t"].concat());
            bytes.extend((rows as u64).to_le_bytes());
            bytes.extend(count(of.len()));
            for (went, came) in of {
                bytes.extend([&[0], &list(went)[..], &list(came)].concat());
            }
        }
        _ => {
            // `TransactionUpdate`: for one set of queries, in one table.
            bytes.extend([&[4], &count(1)[..], &[1, 0, 0, 0], &count(1), &count(1), b"t"].concat());
            bytes.extend(count(of.len()));
            for (went, came) in of {
                bytes.extend([&[0], &list(came)[..], &list(went)].concat());
            }
        }
    }
    bytes
}
