//! The bytes of a card: a partition table, and behind it one FAT32 volume with files.

use std::fs;
use std::io::{self, Cursor, Seek as _, SeekFrom, Write as _};

use anyhow::{Context as _, Result, bail};
use fatfs::{
    Date, DateTime, FatType, FileSystem, FormatVolumeOptions, FsOptions, Time, TimeProvider,
};
use sha2::{Digest as _, Sha256};

use super::File;

const SECTOR: usize = 512;
/// Where the partition begins, in sectors: at 1 MiB, as is usual, so that it is aligned to
/// whatever the card erases at once.
const FIRST: u32 = 2048;
const MIB: usize = 1 << 20;

/// "FAT32 with LBA". With any other type the Pi's loader finds no partition to start from.
const FAT32_LBA: u8 = 0x0c;

/// Bytes that are written at once; those that are all zero are left out.
const BLOCK: usize = 4096;

/// A whole card in memory.
#[derive(Debug)]
pub(crate) struct Volume(Vec<u8>);

/// Makes a card of `mib` MiB with these files in its root.
///
/// The same files make the same bytes: no clock and no chance is asked, so all files are from
/// 1980, and the ids of disk and volume are a part of the hash of all files.
pub(crate) fn make(mib: u32, files: &[File]) -> Result<Volume> {
    let size = mib as usize * MIB;
    let first = FIRST as usize * SECTOR;
    let sectors = u32::try_from(size / SECTOR)?;
    let id = id(files);
    let mut bytes = vec![0; size];
    let (head, partition) = bytes.split_at_mut_checked(first).context("no room for a partition")?;
    let table = master_boot_record(id, FIRST, sectors - FIRST);
    head.get_mut(..SECTOR).context("no room for a partition table")?.copy_from_slice(&table);
    format(partition, sectors - FIRST, id)?;
    let full = fill(partition, files)?;
    if full {
        let (all, given) = (files.iter().map(|file| file.bytes.len()).sum::<usize>(), mib);
        bail!("the files have {all} bytes and do not fit an image of {given} MiB: use --size");
    }
    Ok(Volume(bytes))
}

impl Volume {
    /// Writes it to an empty file; what is all zero becomes a hole, where files have such.
    pub(crate) fn write(&self, file: &mut fs::File) -> io::Result<()> {
        file.set_len(self.0.len() as u64)?;
        for (at, block) in (0..).step_by(BLOCK).zip(self.0.chunks(BLOCK)) {
            if block.iter().any(|&byte| byte != 0) {
                file.seek(SeekFrom::Start(at))?;
                file.write_all(block)?;
            }
        }
        Ok(())
    }
}

/// A number that differs where any file differs.
fn id(files: &[File]) -> u32 {
    let mut hash = Sha256::new();
    for file in files {
        hash.update(file.name);
        hash.update(Sha256::digest(&file.bytes));
    }
    let hash: [u8; 32] = hash.finalize().into();
    let [a, b, c, d, ..] = hash;
    u32::from_le_bytes([a, b, c, d])
}

/// The first sector of the card, with one entry in its table.
///
/// | bytes | what |
/// |---|---|
/// | 0..440 | code for PCs; none |
/// | 440..444 | id of the disk |
/// | 446..462 | the entry: status `0x80`, first cylinder/head/sector, type, last, first sector, sectors |
/// | 462..510 | three empty entries |
/// | 510..512 | `55 aa` |
///
/// Cylinders say "beyond what they can count": only the sector numbers are read today.
fn master_boot_record(id: u32, first: u32, sectors: u32) -> [u8; SECTOR] {
    let [id, first, sectors] = [id, first, sectors].map(u32::to_le_bytes);
    let beyond = [0xfe, 0xff, 0xff];
    let mut record = [0; SECTOR];
    let entry = [&id[..], &[0; 2], &[0x80], &beyond, &[FAT32_LBA], &beyond, &first, &sectors];
    let (_, rest) = record.split_at_mut(440);
    for (place, byte) in rest.iter_mut().zip(entry.concat()) {
        *place = byte;
    }
    if let Some(end) = record.last_chunk_mut() {
        *end = [0x55, 0xaa];
    }
    record
}

/// Makes an empty FAT32 volume.
fn format(partition: &mut [u8], sectors: u32, id: u32) -> Result<()> {
    let options = FormatVolumeOptions::new()
        .fat_type(FatType::Fat32)
        .total_sectors(sectors)
        .volume_id(id)
        .volume_label(*b"ONEWRITE   ");
    fatfs::format_volume(Cursor::new(&mut *partition), options)
        .context("cannot make a FAT32 volume")?;
    // "Hidden sectors" are those in front of the partition, which the crate does not know (FAT
    // specification 1.03, section 3.1). The copy of the boot sector is the sixth.
    for boot_sector in [0, 6] {
        let at = boot_sector * SECTOR + 28;
        let hidden = partition.get_mut(at..at + 4).context("no boot sector")?;
        hidden.copy_from_slice(&FIRST.to_le_bytes());
    }
    Ok(())
}

/// Puts the files into the volume's root; returns whether there was too little room.
fn fill(partition: &mut [u8], files: &[File]) -> Result<bool> {
    let volume = FileSystem::new(Cursor::new(partition), FsOptions::new().time_provider(&EPOCH))
        .context("cannot read the volume just made")?;
    // Counted here, so that the volume says how much of it is free.
    let stats = volume.stats()?;
    let cluster = u64::from(stats.cluster_size());
    let needed: u64 = files.iter().map(|file| (file.bytes.len() as u64).div_ceil(cluster)).sum();
    // Their directory takes a cluster more at most.
    if needed + 1 > u64::from(stats.free_clusters()) {
        return Ok(true);
    }
    for file in files {
        let context = || format!("cannot put {} into the volume", file.name);
        let mut place = volume.root_dir().create_file(file.name).with_context(context)?;
        place.write_all(&file.bytes).with_context(context)?;
        place.flush().with_context(context)?;
    }
    volume.unmount().context("cannot finish the volume")?;
    Ok(false)
}

/// A clock that always says the first moment that FAT can express.
#[derive(Debug)]
struct Epoch;

static EPOCH: Epoch = Epoch;

impl TimeProvider for Epoch {
    fn get_current_date(&self) -> Date {
        Date { year: 1980, month: 1, day: 1 }
    }

    fn get_current_date_time(&self) -> DateTime {
        let time = Time { hour: 0, min: 0, sec: 0, millis: 0 };
        DateTime { date: self.get_current_date(), time }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn the_partition_table_has_one_entry_of_the_type_that_boots() {
        let record = master_boot_record(0x0403_0201, 2048, 0x0001_f800);
        assert_eq!(record[440..446], [1, 2, 3, 4, 0, 0]);
        assert_eq!(record[446..454], [0x80, 0xfe, 0xff, 0xff, 0x0c, 0xfe, 0xff, 0xff]);
        assert_eq!(record[454..462], [0, 8, 0, 0, 0, 0xf8, 1, 0]);
        assert!(record[..440].iter().chain(&record[462..510]).all(|&byte| byte == 0));
        assert_eq!(record[510..], [0x55, 0xaa]);
    }

    #[test]
    fn a_volume_may_be_filled_to_the_last_cluster_but_one() {
        let mut partition = vec![0; 39 << 20];
        let sectors = u32::try_from(partition.len() / SECTOR).unwrap();
        format(&mut partition, sectors, 7).unwrap();
        let empty = FileSystem::new(Cursor::new(&mut partition[..]), FsOptions::new()).unwrap();
        let stats = empty.stats().unwrap();
        let room = (stats.free_clusters() - 1) * stats.cluster_size();
        drop(empty);
        let file = |bytes: u32| File { name: "kernel8.img", bytes: vec![0xa5; bytes as usize] };
        assert!(fill(&mut partition, &[file(room + 1)]).unwrap());
        assert!(!fill(&mut partition, &[file(room)]).unwrap());
    }
}
