//! The image that cross's commands run in: on cross's own, or on one made of Debian's packages.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use super::engine::{self, Engine, Kind};
use crate::progress::say;
use crate::setup::{self, Need};
use crate::{hash, process, workspace};

/// Where the base image comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Source {
    /// The image that cross publishes.
    Public,
    /// Made here from Debian's packages.
    Debian,
}

/// A base image from which the engine has started a container.
#[derive(Clone, Debug)]
pub(super) struct Base {
    pub(super) engine: Engine,
    /// What the engine's build command has to be told, in cross's own variable.
    pub(super) build_options: Option<String>,
    pub(super) source: Source,
}

/// The registry that cross's images come from, and the image's name there without its tag.
const REGISTRY: &str = "ghcr.io";
const PUBLIC: &str = "ghcr.io/cross-rs/aarch64-unknown-linux-gnu";
/// The image is about 1 GB; a connection that takes longer is as good as none.
const PULL_LIMIT: Duration = Duration::from_secs(900);

/// A base image from the wanted source, or from cross's registry before Debian's packages.
///
/// `tag` is that of the images which belong to the installed cross.
pub(super) fn ready(engine: Engine, tag: &str, wanted: Option<Source>, yes: bool) -> Result<Base> {
    match wanted {
        Some(Source::Debian) => debian(engine, yes),
        Some(Source::Public) => public(engine, tag, yes),
        None => match public(engine.clone(), tag, yes) {
            Ok(base) => Ok(base),
            Err(error) => {
                say(format_args!("{error:#}: taking Debian's packages"));
                debian(engine, yes)
            }
        },
    }
}

fn public(engine: Engine, tag: &str, yes: bool) -> Result<Base> {
    let image = format!("{PUBLIC}:{tag}");
    if !engine.has(&image)? {
        if !setup::answers(&format!("https://{REGISTRY}")) {
            bail!("no image {image}: {REGISTRY} is out of reach (--base debian makes one here)");
        }
        say(format_args!("fetching {image}"));
        engine::within(engine.command().args(["pull", "--quiet", &image]), PULL_LIMIT)
            .with_context(|| format!("no image {image} (--base debian makes one here)"))?;
    }
    let engine = started(engine, &image, yes)?;
    Ok(Base { engine, build_options: None, source: Source::Public })
}

fn debian(mut engine: Engine, yes: bool) -> Result<Base> {
    let recipe = workspace::root().join("boards/cross/base-image.sh");
    let text = fs::read(&recipe).with_context(|| recipe.display().to_string())?;
    let cache = workspace::cache_folder()?;
    if engine.kind == Kind::Podman {
        keep_in(&cache.join("containers"), &mut engine)?;
    }
    let image = image_name(&text, &setup::debian_release());
    if !engine.has(&image)? {
        setup::ensure(&[Need::ImageBuilder], yes)?;
        let _lock = setup::lock()?;
        // Somebody else may have made it while we waited.
        if !engine.has(&image)? {
            make(&engine, &recipe, &image, &cache)?;
        }
    }
    let engine = started(engine, &image, yes)?;
    let build_options = Some(format!("--build-arg BASE={image}"));
    Ok(Base { engine, build_options, source: Source::Debian })
}

/// Another recipe or another release is another image.
fn image_name(recipe: &[u8], release: &str) -> String {
    let hash = hash::sha256(recipe);
    format!("localhost/onewrite-cross-base:{release}-{hash:.12}")
}

/// Runs the recipe, with the machine's own Debian sources.
fn make(engine: &Engine, recipe: &Path, image: &str, cache: &Path) -> Result<()> {
    say(format_args!("making {image} from Debian's packages"));
    let sources = setup::debian_sources(&cache.join("cross/sources"))?;
    let mut command = Command::new(recipe);
    command.envs(engine.variables.iter().map(|(name, value)| (name, value)));
    command.arg(engine.kind.program()).arg(image).arg(setup::debian_release()).args(sources);
    let output = process::capture(&mut command).context("cannot make the base image")?;
    if !engine.has(image)? {
        bail!("{}: no image {image}\n{output}", process::show(&command));
    }
    Ok(())
}

/// The engine with the settings that it needs to start a container on this machine.
fn started(engine: Engine, image: &str, yes: bool) -> Result<Engine> {
    let Err(first) = engine.start(image) else { return Ok(engine) };
    if engine.kind != Kind::Podman || std::env::var_os("CONTAINERS_CONF").is_some() {
        return Err(first);
    }
    say(format_args!("{first:#}: again with boards/cross/containers.conf"));
    setup::ensure(&[Need::ContainerRuntime], yes)?;
    let mut engine = engine;
    let settings = workspace::root().join("boards/cross/containers.conf");
    engine.variables.push(("CONTAINERS_CONF", settings.into_os_string()));
    engine.start(image)?;
    Ok(engine)
}

/// Has podman keep images in a folder of ours, so that the user's own are left alone.
///
/// Where there is no place for its state, and where somebody has decided already, it keeps them
/// where it always does.
fn keep_in(folder: &Path, engine: &mut Engine) -> Result<()> {
    if std::env::var_os("CONTAINERS_STORAGE_CONF").is_some() {
        return Ok(());
    }
    let Some(state) = state_folder() else { return Ok(()) };
    // As the machine's own images are kept: it wants to be told.
    let mut question = engine.command();
    let driver =
        process::capture(question.args(["info", "--format", "{{.Store.GraphDriverName}}"]))?;
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let settings = folder.join("storage.conf");
    // Podman reads it whenever it starts, and others may start it now.
    let fresh = folder.join(format!("storage-{}.conf", std::process::id()));
    fs::write(&fresh, storage_settings(driver.trim(), &folder.join("storage"), &state)?)?;
    fs::rename(&fresh, &settings)?;
    engine.variables.push(("CONTAINERS_STORAGE_CONF", settings.into_os_string()));
    Ok(())
}

/// What podman forgets when the machine is started anew; it wants a short path for that.
fn state_folder() -> Option<PathBuf> {
    let name = "onewrite-containers";
    if setup::is_root() {
        return Some(Path::new("/run").join(name));
    }
    let runtime: OsString = std::env::var_os("XDG_RUNTIME_DIR").filter(|path| !path.is_empty())?;
    Some(PathBuf::from(runtime).join(name))
}

fn storage_settings(driver: &str, images: &Path, state: &Path) -> Result<String> {
    let quoted = |path: &Path| {
        let path = path.to_str().context("a path that is not UTF-8")?;
        if path.contains(['"', '\\', '\n']) {
            bail!("podman cannot keep images in {path:?}");
        }
        Ok(format!("\"{path}\""))
    };
    let (images, state) = (quoted(images)?, quoted(state)?);
    let driver = quoted(Path::new(driver))?;
    Ok(format!("[storage]\ndriver = {driver}\ngraphroot = {images}\nrunroot = {state}\n"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn another_recipe_or_release_is_another_image() {
        let name = image_name(b"abc", "bookworm");
        assert_eq!(name, "localhost/onewrite-cross-base:bookworm-ba7816bf8f01");
        assert_ne!(name, image_name(b"abd", "bookworm"));
        assert_ne!(name, image_name(b"abc", "trixie"));
    }

    #[test]
    fn a_path_that_would_end_the_string_is_refused() {
        let settings = |path| storage_settings("vfs", Path::new(path), Path::new("/run/x"));
        let wanted = "[storage]\ndriver = \"vfs\"\ngraphroot = \"/c a/ü\"\nrunroot = \"/run/x\"\n";
        assert_eq!(settings("/c a/ü").unwrap(), wanted);
        assert!(settings("/c\"d").is_err());
    }
}
