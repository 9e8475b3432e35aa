//! Arguments, files, exit codes.

use std::io::{Error, ErrorKind, Write};

use super::{Run, data, read, report, run};

#[test]
fn exit_codes_tell_sound_from_unsound_and_wrong_usage() {
    let code = |arguments: &[&str], input: &[u8]| run(arguments, input).code;
    assert_eq!(code(&["--hex", "0006 07000000 0000000000000000 01"], b""), 0);
    assert_eq!(code(&["--hex", "0006 07000000 0000000000000000 01 00"], b""), 1);
    assert_eq!(code(&["--help"], b""), 0);
    for wrong in [
        &[][..],
        &["--no-such-option"],
        &["--hex", "0", "file"],
        &["--hex", "0"],
        &["--hex", "zz"],
        &["--depth", "1000", "-"],
        &["--as", "bsatn", "-"],
        &["no such file"],
        &["--schema", "no such file", "-"],
        &["--max-input", "3", "-"],
    ] {
        let run = run(wrong, b"\0\x01\x02\x03");
        assert_eq!((run.code, &*run.stdout), (2, ""), "{wrong:?}: {run:?}");
        assert!(!run.stderr.is_empty(), "{wrong:?}");
    }
}

/// Takes some bytes, and then nobody reads any more.
struct Closed(usize);

impl Write for Closed {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self.0.min(bytes.len()) {
            0 => Err(Error::from(ErrorKind::BrokenPipe)),
            some => {
                self.0 -= some;
                Ok(some)
            }
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_pipe_is_quiet() {
    for (digits, code) in [("00020102030405", 1), ("0006 07000000 0000000000000000 01", 0)] {
        let mut stderr = Vec::new();
        let words = ["inspect", "--hex", digits].map(std::ffi::OsString::from);
        let found = super::tool::run(words, &mut &b""[..], Closed(10), &mut stderr);
        assert_eq!((found, stderr.as_slice()), (code, &b""[..]));
    }
}

/// The report without its first line, which says where the bytes are from.
fn body(run: &Run) -> &str {
    run.stdout.split_once('\n').unwrap().1
}

#[test]
fn hex_dumps_are_the_bytes_that_they_show() {
    let bytes = read("spacetimedb/messages/v2-tx-mixed-1.none.bin");
    let raw = run(&["-"], &bytes);
    assert_eq!(raw.code, 0, "{raw:?}");
    let (mut plain, mut commas, mut xxd, mut hexdump) =
        (String::new(), String::new(), String::new(), String::new());
    for (index, line) in bytes.chunks(16).enumerate() {
        let at = index * 16;
        let letters: String = line
            .iter()
            .map(|byte| if byte.is_ascii_graphic() { char::from(*byte) } else { '.' })
            .collect();
        let (mut pairs, mut spaced) = (String::new(), String::new());
        for (index, byte) in line.iter().enumerate() {
            plain += &format!("{byte:02x}");
            commas += &format!("0x{byte:02X}, ");
            pairs += &format!("{byte:02x}{}", if index % 2 == 1 { " " } else { "" });
            spaced += &format!("{byte:02x} {}", if index == 7 { " " } else { "" });
        }
        plain.push('\n');
        xxd += &format!("{at:08x}: {:<40} {letters}\n", pairs.trim_end());
        hexdump += &format!("{at:08x}  {spaced:<50}|{letters}|\n");
    }
    hexdump += &format!("{:08x}\n", bytes.len());
    for (form, text) in [plain, commas, xxd, hexdump].iter().enumerate() {
        let found = run(&["-"], text.as_bytes());
        assert_eq!(body(&found), body(&raw), "form {form}: {text}");
        assert!(found.stdout.starts_with("standard input, hexadecimal: "), "{}", found.stdout);
    }
}

/// A dump need not begin at the start of a file, and leaves lines out that are like the last one.
#[test]
fn lines_left_out_of_a_dump_are_put_back() {
    let dump = "00000100  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n\
                *\n\
                00000130  01 00                                             |..|\n\
                00000132\n";
    let found = report_of_text(dump);
    assert_eq!(found, Ok(0x32));
    let again = dump.replace("00000132", "00000133");
    assert_eq!(report_of_text(&again), Err("line 4: offset 0x132 expected, 0x133 found".into()));
    let bomb = dump.replace("00000130", "ffffff00");
    assert!(report_of_text(&bomb).unwrap_err().contains("--max-input"));
    let odd = "00000000: 0001 0203 0\n";
    assert!(report_of_text(odd).unwrap_err().starts_with("line 1: \"0\" has an odd number"));
}

/// How many bytes the tool takes from a dump, or what it says about it.
fn report_of_text(dump: &str) -> Result<usize, String> {
    let run = run(&["-", "--as", "row-list"], dump.as_bytes());
    if run.code == 2 {
        let message = run.stderr.trim_end().strip_prefix("inspect: standard input: ").unwrap();
        return Err(message.to_owned());
    }
    let (_, rest) = run.stdout.split_once("hexadecimal: ").unwrap();
    Ok(rest.split_once(' ').unwrap().0.parse().unwrap())
}

#[test]
fn bytes_that_are_no_digits_are_taken_as_they_are() {
    assert_eq!(report(&[], b"\0\x06\x07\0\0\0\0\0\0\0\0\0\0\0\x01")["sound"], true);
    let run = run(&["-", "--input", "hex"], b"\0\x06");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("line 1: "), "{run:?}");
}

/// A message without the byte for its compression.
#[test]
fn a_body_begins_with_its_tag() {
    let whole = [0, 6, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    let found = report(&["--body"], &whole[1..]);
    assert_eq!((&found["kind"], &found["sound"]), (&"server-v2".into(), &true.into()));
    assert_eq!(found["tree"][0]["at"], 0);
}

const SCHEMA: &str = "inspect/player.json";

#[test]
fn rows_are_read_by_their_schema() {
    let schema = data(SCHEMA);
    let schema = schema.to_str().unwrap();
    let message = read("spacetimedb/messages/v2-tx-mixed-1.none.bin");
    let found = report(&["--schema", schema], &message);
    let text = found.to_string();
    assert!(text.contains(r#""name":"score""#) && text.contains(r#""value":"p-ea4fff2925fed5b""#));
    // Another table has no type: its rows stay bytes.
    let run = run(&["--schema", schema, "--table", "nobody", "-"], &message);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("no table \"nobody\"; there are [\"player\", \"other\"]"),
        "{run:?}"
    );
}

/// A row of the table `other`, and a byte behind its only column.
#[test]
fn bytes_behind_the_last_column_are_a_note_or_an_error() {
    let schema = data(SCHEMA);
    let arguments = ["--schema", schema.to_str().unwrap(), "--table", "other", "--as", "row-list"];
    let list = bytes_of_list(&[7, 0, 9]);
    let found = report(&arguments, &list);
    assert_eq!((&found["errors"], &found["notes"]), (&0.into(), &1.into()), "{found:#}");
    assert_eq!(found["complaints"][0]["at"], 9);
    let found = report(&[&arguments[..], &["--strict"]].concat(), &list);
    assert_eq!((&found["errors"], &found["notes"]), (&1.into(), &0.into()), "{found:#}");
    // A row that is too short is an error in any case.
    let found = report(&arguments, &bytes_of_list(&[7]));
    assert_eq!(found["complaints"][0]["message"], "input ends early: 2 bytes needed, 1 left");
    assert_eq!(found["complaints"][0]["in"], "message.rows[0]");
}

/// A row list with one row.
fn bytes_of_list(row: &[u8]) -> Vec<u8> {
    let len = u8::try_from(row.len()).unwrap();
    [&[0, len, 0, len, 0, 0, 0], row].concat()
}

#[test]
fn schemas_that_are_none_are_refused_with_the_place() {
    let folder = std::env::temp_dir().join(format!("onewrite-inspect-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("schema.json");
    for (text, complaint) in [
        ("{", "EOF while parsing"),
        ("[]", "the whole is no type"),
        (r#"{"U33": []}"#, "/U33 is no type of BSATN"),
        (r#"{"Product": {}}"#, "no /Product/elements"),
        (r#"{"Product": {"elements": [{"name": null}]}}"#, "no /Product/elements/0/algebraic_type"),
        (r#"{"Array": {"Ref": -1}}"#, "/Array/Ref is no number"),
        (r#"{"sections": []}"#, "version=9"),
        (
            r#"{"typespace": {"types": []}, "tables": [{"name": "t", "product_type_ref": 0}]}"#,
            "/tables/0/product_type_ref is 0, and there are 0 types",
        ),
    ] {
        std::fs::write(&file, text).unwrap();
        let run = run(&["--schema", file.to_str().unwrap(), "--hex", "00"], b"");
        assert_eq!(run.code, 2, "{text}");
        assert!(run.stderr.contains(complaint), "{text}: {}", run.stderr);
    }
    // Types that go round in circles end at the walker's depth.
    let circle = r#"{"typespace": {"types": [{"Array": {"Ref": 0}}, {"Ref": 1}]},
        "tables": [{"name": "deep", "product_type_ref": 0}, {"name": "round", "product_type_ref": 1}]}"#;
    std::fs::write(&file, circle).unwrap();
    let file = file.to_str().unwrap();
    for table in ["deep", "round"] {
        let deep = [1, 0, 0, 0].repeat(200);
        let found = report(&["--schema", file, "--table", table, "--as", "bsatn"], &deep);
        assert_eq!(found["errors"], 1, "{table}: {found:#}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
