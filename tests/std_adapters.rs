//! Files and sockets of the standard library, through embedded-io's adapters.
#![cfg(feature = "embedded-io-07")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Seek};
use std::net::{TcpListener, TcpStream};
use std::thread;

use embedded_io_adapters::std::FromStd;
use onewrite::error::{ReadErrorKind, WriteErrorKind};
use onewrite::sink::{Producer, Sink, embedded_io::StreamSink};
use onewrite::source::{SourceExt, embedded_io::StreamSource};

const RECORDS: [[u8; 20]; 3] = [[1; 20], [2; 20], [3; 20]];

/// 100,000 bytes that count up.
struct Counter(usize);

impl Producer for Counter {
    type Error = core::convert::Infallible;

    fn next_chunk(&mut self, scratch: &mut [u8]) -> Result<usize, Self::Error> {
        let len = scratch.len().min(100_000 - self.0);
        for byte in &mut scratch[..len] {
            *byte = u8::try_from(self.0 % 251).unwrap();
            self.0 += 1;
        }
        Ok(len)
    }
}

fn scratch_file(name: &str) -> (std::path::PathBuf, File) {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let file =
        OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&path).unwrap();
    (path, file)
}

#[test]
fn file_is_a_sink_and_a_source() {
    let (path, mut file) = scratch_file("std_adapters_file");
    let mut sink = StreamSink::new(FromStd::new(&file));
    for record in &RECORDS {
        sink.write(record).unwrap();
    }
    assert_eq!(sink.pump(&mut Counter(0)).unwrap(), 100_000);
    sink.flush().unwrap();
    assert_eq!(sink.written(), 100_060);
    let bytes = fs::read(&path).unwrap();
    assert_eq!(bytes[..60], *RECORDS.as_flattened());
    assert_eq!(bytes.len(), 100_060);
    assert!(bytes[60..].iter().enumerate().all(|(at, byte)| usize::from(*byte) == at % 251));

    file.set_len(50).unwrap();
    file.rewind().unwrap();
    let mut source = StreamSource::new(FromStd::new(&file));
    let mut records = [[0; 20]; 4];
    assert_eq!(source.records(&mut records).unwrap(), 2);
    assert_eq!(records[..2], RECORDS[..2]);
    let cut = source.record::<20>().unwrap_err();
    assert!(matches!(cut.kind, ReadErrorKind::EndOfInput { got: 10, wanted: 20 }), "{cut:?}");
    fs::remove_file(path).unwrap();
}

#[test]
fn error_of_a_file_comes_through_untouched() {
    let (path, _) = scratch_file("std_adapters_read_only");
    let read_only = File::open(&path).unwrap();
    let mut sink = StreamSink::new(FromStd::new(&read_only));
    let error = sink.write(&RECORDS[0]).unwrap_err();
    assert_eq!(error.written, 0);
    let WriteErrorKind::Sink(error) = error.kind else { unreachable!() };
    assert!(error.raw_os_error().is_some() || error.kind() == ErrorKind::PermissionDenied);
    assert!(!sink.is_poisoned());
    fs::remove_file(path).unwrap();
}

#[test]
fn tcp_stream_is_a_sink_and_a_source() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap();
    let writer = thread::spawn(move || {
        let mut sink = StreamSink::new(FromStd::new(TcpStream::connect(address).unwrap()));
        for record in &RECORDS {
            sink.write(record).unwrap();
        }
        let sent = sink.write_from(&mut Counter(0), &mut [0; 1_000]).unwrap();
        assert_eq!(sent, 100_000);
        sink.flush().unwrap();
        assert_eq!(sink.written(), 100_060);
    });
    let (socket, _) = listener.accept().unwrap();
    let mut source = StreamSource::new(FromStd::new(socket));
    assert_eq!(source.record().unwrap(), Some(RECORDS[0]));
    let mut records = [[0; 20]; 2];
    assert_eq!(source.records(&mut records).unwrap(), 2);
    assert_eq!(records, RECORDS[1..]);
    for at in (0..100_000).step_by(1_000) {
        let block = source.record::<1_000>().unwrap().unwrap();
        let counts = |(i, byte): (usize, &u8)| usize::from(*byte) == (at + i) % 251;
        assert!(block.iter().enumerate().all(counts));
    }
    assert_eq!(source.record::<1_000>().unwrap(), None);
    assert_eq!(source.bytes_read(), 100_060);
    writer.join().unwrap();
}
