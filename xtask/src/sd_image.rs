//! `cargo xtask sd-image`: a file that, written to a card, starts an example on a Pi Zero 2W.
//!
//! Nothing here needs root and nothing is written to a card: the image is a file. It and the ELF
//! file beside it are made under other names and renamed when both are whole.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use tempfile::NamedTempFile;

use crate::firmware::{self, Build};
use crate::progress::say;
use crate::report::output;
use crate::toolchain::{Place, Toolchain};
use crate::{setup, workspace};

mod blobs;
pub(crate) mod inspect;
mod volume;

pub(crate) use blobs::Blobs;

/// What to put on the card.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// Where the firmware of the Pi's GPU is: a folder, a Debian package file, or `debian`.
    #[arg(long, value_name = "DIR|DEB|debian")]
    firmware: PathBuf,
    /// The example, of the package onewrite.
    #[arg(long, value_name = "NAME", default_value = "throughput")]
    example: String,
    /// The image; onewrite-NAME.img in the build folder by default.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Size of the image in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 64,
          value_parser = clap::value_parser!(u32).range(MIN_MIB..=MAX_MIB))]
    size: u32,
}

/// FAT32 has at least 65,525 clusters (FAT specification 1.03, section 3.5), here of 512 bytes.
const MIN_MIB: i64 = 40;
/// It is made in memory. The rest of a larger card is simply not used.
const MAX_MIB: i64 = 1024;

const HELP: &str = "\
The image has one partition, FAT32, MBR type 0x0c, with six files: bootcode.bin, start.elf and
fixup.dat of the GPU's firmware, its licence, config.txt, and kernel8.img. The ELF file that reads
the log is put beside the image.

The firmware is not part of this project. `debian` fetches Debian's package raspi-firmware (component
non-free-firmware). Its licence allows redistribution only unmodified, with its notice, and only for
use with a Raspberry Pi; this holds for the image too.

docs/raspberry-pi-zero-2w.md says how to write the image to a card and how to check it.

Exit code: 0 made, 1 failed (an older image and its ELF file are left as they were), 2 wrong usage.";

/// The command itself.
pub(crate) fn command(arguments: &Arguments, yes: bool) -> Result<()> {
    let Arguments { firmware, example, output, size } = arguments;
    let image = match output {
        Some(file) => file.clone(),
        None => workspace::target_folder().join(format!("onewrite-{example}.img")),
    };
    // What can be known early is said before anything is fetched or built.
    let elf = image.with_extension("elf");
    check_output(&image, &elf)?;
    let blobs = Blobs::find(firmware)?;
    setup::ensure(&[setup::Need::BareCompiler], yes)?;
    let toolchain = Toolchain::for_place(Place::Bare)?;
    let program = Build::example(example).build(&toolchain, Place::Bare)?;
    let kernel = fs::read(firmware::write_image(&program)?)?;

    say(format_args!(
        "{} goes into the image. Redistribution is allowed only unmodified, with its notice, and \
         only for use with a Raspberry Pi; {LICENCE} in the image is its licence",
        blobs.source
    ));
    write_both(&image, *size, &files(&blobs, &kernel)?, &elf, &program)?;
    say(format_args!("{} reads its log", elf.display()));
    output::print(&format!("{} ({size} MiB)\n", image.display()))
}

/// The name of the licence in the image.
const LICENCE: &str = "LICENCE.broadcom";

/// A file of the card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct File {
    pub(crate) name: &'static str,
    pub(crate) bytes: Vec<u8>,
}

/// Everything that goes on the card.
pub(crate) fn files(blobs: &Blobs, kernel: &[u8]) -> Result<Vec<File>> {
    let config = workspace::root().join("boards/rpi-zero-2w/config.txt");
    let config = fs::read(&config).with_context(|| format!("cannot read {}", config.display()))?;
    let mut files = blobs.files.clone();
    let mut add = |name, bytes: &[u8]| files.push(File { name, bytes: bytes.to_vec() });
    add(LICENCE, &blobs.licence);
    add("config.txt", &config);
    add("kernel8.img", kernel);
    Ok(files)
}

/// Whether an image and its ELF file may be written there.
fn check_output(image: &Path, elf: &Path) -> Result<()> {
    if image == elf {
        bail!("{} is the name for the ELF file beside the image: take another", elf.display());
    }
    for file in [image, elf] {
        if file.metadata().is_ok_and(|data| !data.is_file()) {
            bail!(
                "{} is no ordinary file, and this command writes nothing else: make the image as \
                 a file and write it to the card as docs/raspberry-pi-zero-2w.md says",
                file.display()
            );
        }
    }
    Ok(())
}

/// Makes the image under a name of its own and renames it when it is whole.
pub(crate) fn write(image: &Path, mib: u32, files: &[File]) -> Result<()> {
    let volume = volume::make(mib, files)?;
    Unfinished::new(image, |file| volume.write(file))?.finish()
}

/// The same, with a copy of the program beside it: neither replaces an older one before both are
/// whole.
///
/// The ELF file comes first: should the image then fail, the older one still names its build when
/// it runs, so that nobody reads its log with the wrong tables.
fn write_both(image: &Path, mib: u32, files: &[File], elf: &Path, program: &Path) -> Result<()> {
    let volume = volume::make(mib, files)?;
    let image = Unfinished::new(image, |file| volume.write(file))?;
    let program =
        fs::read(program).with_context(|| format!("cannot read {}", program.display()))?;
    let elf = Unfinished::new(elf, |file| file.write_all(&program))?;
    elf.finish()?;
    image.finish()
}

/// A file that is whole but not in its place; gone with its value.
struct Unfinished<'a> {
    file: NamedTempFile,
    place: &'a Path,
}

impl<'a> Unfinished<'a> {
    fn new(place: &'a Path, write: impl FnOnce(&mut fs::File) -> io::Result<()>) -> Result<Self> {
        let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or_else(|| Path::new("."));
        let mut builder = tempfile::Builder::new();
        let builder = builder.prefix(".onewrite-").suffix(".unfinished");
        // Readable like any file that is made; the umask has its say.
        #[cfg(unix)]
        let builder = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder
            .tempfile_in(folder)
            .with_context(|| format!("cannot write into {}", folder.display()))?;
        let context = || format!("cannot write {}", place.display());
        write(file.as_file_mut()).with_context(context)?;
        file.as_file().sync_all().with_context(context)?;
        Ok(Self { file, place })
    }

    /// Puts it in its place.
    fn finish(self) -> Result<()> {
        let Self { file, place } = self;
        let context = || format!("cannot write {}", place.display());
        file.persist(place).map_err(|error| error.error).with_context(context)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn kernel() -> [File; 1] {
        [File { name: "kernel8.img", bytes: b"kernel".to_vec() }]
    }

    /// The names in a folder.
    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn an_image_replaces_an_older_one_whole_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("card.img");
        fs::write(&output, "older").unwrap();
        write(&output, 40, &kernel()).unwrap();
        assert_eq!(fs::metadata(&output).unwrap().len(), 40 << 20);
        assert_eq!(names(folder.path()), ["card.img"]);
    }

    #[test]
    fn an_image_that_fails_leaves_the_older_one() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("card.img");
        fs::write(&output, "older").unwrap();
        let large = [File { name: "kernel8.img", bytes: vec![1; 50 << 20] }];
        let error = format!("{:#}", write(&output, 40, &large).unwrap_err());
        assert!(error.contains("--size"), "{error}");
        assert_eq!(fs::read(&output).unwrap(), b"older");
        assert_eq!(names(folder.path()), ["card.img"]);
    }

    #[test]
    fn the_image_and_its_elf_file_are_replaced_together() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        let [image, elf, program] = ["card.img", "card.elf", "program"].map(file);
        fs::write(&image, "older image").unwrap();
        fs::write(&elf, "older program").unwrap();
        // The program is gone when the image is whole.
        let error = write_both(&image, 40, &kernel(), &elf, &program).unwrap_err().to_string();
        assert!(error.contains("cannot read"), "{error}");
        // The place of the ELF file is taken, which shows last of all.
        fs::write(&program, "program").unwrap();
        fs::create_dir(file("folder.elf")).unwrap();
        let taken = write_both(&image, 40, &kernel(), &file("folder.elf"), &program);
        assert!(taken.unwrap_err().to_string().contains("folder.elf"));
        assert_eq!(fs::read(&image).unwrap(), b"older image");
        assert_eq!(fs::read(&elf).unwrap(), b"older program");
        write_both(&image, 40, &kernel(), &elf, &program).unwrap();
        assert_eq!(fs::metadata(&image).unwrap().len(), 40 << 20);
        assert_eq!(fs::read(&elf).unwrap(), b"program");
        let mut names = names(folder.path());
        names.sort();
        assert_eq!(names, ["card.elf", "card.img", "folder.elf", "program"]);
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let error = write(Path::new("/no/such/folder/card.img"), 40, &kernel()).unwrap_err();
        assert!(error.to_string().contains("/no/such/folder"), "{error:#}");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_refused() {
        let check = |image: &str, elf: &str| check_output(Path::new(image), Path::new(elf));
        for (image, elf) in [("/dev/null", "x"), ("x", "/dev/null")] {
            let error = check(image, elf).unwrap_err().to_string();
            assert!(error.contains("/dev/null is no ordinary file"), "{error}");
        }
        check("/no/such/file", "/no/such/other").unwrap();
        let error = check("card.elf", "card.elf").unwrap_err().to_string();
        assert!(error.contains("beside the image"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn an_image_takes_no_more_room_than_its_files() {
        use std::os::unix::fs::MetadataExt as _;
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("card.img");
        write(&output, 64, &kernel()).unwrap();
        let data = fs::metadata(&output).unwrap();
        // Blocks of 512 bytes; what is not written takes none.
        assert!(data.blocks() * 512 < 1 << 20, "{} blocks", data.blocks());
    }

    #[test]
    fn the_same_files_make_the_same_image() {
        let folder = tempfile::tempdir().unwrap();
        let image = |name, files: &[File]| {
            let output = folder.path().join(name);
            write(&output, 40, files).unwrap();
            fs::read(output).unwrap()
        };
        let (one, two) = (image("1", &kernel()), image("2", &kernel()));
        assert!(one == two);
        let other = [File { name: "kernel8.img", bytes: b"kernem".to_vec() }];
        assert!(one != image("3", &other));
    }
}
