//! Writes the seeds of the targets to `corpus/TARGET`.

use std::path::Path;
use std::{fs, io};

use onewrite_fuzz::{TARGETS, seeds};

fn main() -> io::Result<()> {
    for (name, _) in TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
        fs::create_dir_all(&folder)?;
        let seeds = seeds::of(name);
        for (number, seed) in seeds.iter().enumerate() {
            fs::write(folder.join(format!("seed-{number:04}")), seed)?;
        }
        println!("{name}: {} seeds", seeds.len());
    }
    Ok(())
}
