//! Which of a machine's package sources are Debian's own, in both formats of `sources.list(5)`.

/// The names Debian gives its releases; `VERSION_CODENAME` of this machine counts as well.
const SUITES: [&str; 10] = [
    "bullseye",
    "bookworm",
    "trixie",
    "forky",
    "sid",
    "oldoldstable",
    "oldstable",
    "stable",
    "testing",
    "unstable",
];

/// The stanzas of a `.sources` file that name a Debian suite, with every architecture allowed.
///
/// Stanzas that are switched off or trusted without a signature are left out.
pub(crate) fn debian_stanzas(text: &str, codename: &str) -> String {
    let mut kept = String::new();
    // A comment is dropped, a line of blanks ends a stanza.
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    for stanza in lines.split(|line| line.trim().is_empty()) {
        if !stanza_is_debian(stanza, codename) {
            continue;
        }
        let mut skipping = false;
        for line in stanza {
            let continued = line.starts_with([' ', '\t']);
            if !continued {
                skipping = ["architectures", "types"].contains(&key(line).as_str());
            }
            if !skipping {
                kept.push_str(line);
                kept.push('\n');
            }
        }
        kept.push_str("Types: deb\n\n");
    }
    kept
}

/// The lines of a `.list` file that name a Debian suite, with every architecture allowed.
///
/// Sources of source packages and those trusted without a signature are left out.
pub(crate) fn debian_lines(text: &str, codename: &str) -> String {
    let mut kept = String::new();
    for line in text.lines() {
        if let Some(line) = debian_line(line, codename) {
            kept.push_str(&line);
            kept.push('\n');
        }
    }
    kept
}

/// The sources that are left, with one component more; none where it is empty.
///
/// In both formats the components stand at the end of their line.
pub(crate) fn with_component(kept: &str, component: &str) -> String {
    let mut text = String::new();
    for line in kept.lines() {
        text.push_str(line);
        let lists = line.starts_with("deb ") || key(line) == "components";
        if lists && !component.is_empty() {
            text.push(' ');
            text.push_str(component);
        }
        text.push('\n');
    }
    text
}

fn debian_line(line: &str, codename: &str) -> Option<String> {
    let rest = line.trim().strip_prefix("deb")?;
    let rest = rest.strip_prefix([' ', '\t'])?.trim_start();
    let (options, rest) = match rest.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?,
        None => ("", rest),
    };
    if options.split_whitespace().any(is_unsigned_option) {
        return None;
    }
    let mut words = rest.split_whitespace();
    let (uri, suite) = (words.next()?, words.next()?);
    let components: Vec<&str> = words.take_while(|word| !word.starts_with('#')).collect();
    if !is_debian(suite, codename) || !components.contains(&"main") {
        return None;
    }
    let kept: Vec<&str> =
        options.split_whitespace().filter(|option| !option.starts_with("arch")).collect();
    let options = if kept.is_empty() { String::new() } else { format!("[{}] ", kept.join(" ")) };
    Some(format!("deb {options}{uri} {suite} {}", components.join(" ")))
}

fn is_unsigned_option(option: &str) -> bool {
    let Some((name, value)) = option.split_once('=') else { return false };
    let name = name.to_ascii_lowercase();
    UNSIGNED.contains(&name.as_str()) && is_yes(value)
}

/// The options that switch a source's signature off.
const UNSIGNED: [&str; 3] = ["trusted", "allow-insecure", "allow-weak"];

fn stanza_is_debian(stanza: &[&str], codename: &str) -> bool {
    let value = |name: &str| {
        let line = stanza.iter().find(|line| key(line) == name)?;
        line.split_once(':').map(|(_, value)| value.trim())
    };
    let has = |name, word| {
        value(name).is_some_and(|value| value.split_whitespace().any(|found| found == word))
    };
    has("types", "deb")
        && has("components", "main")
        && value("enabled").is_none_or(is_yes)
        && !UNSIGNED.iter().any(|name| value(name).is_some_and(is_yes))
        && value("suites")
            .is_some_and(|suites| suites.split_whitespace().all(|suite| is_debian(suite, codename)))
}

fn key(line: &str) -> String {
    line.split(':').next().unwrap_or("").trim().to_ascii_lowercase()
}

fn is_yes(value: &str) -> bool {
    matches!(value.trim().to_ascii_lowercase().as_str(), "yes" | "true" | "on" | "1")
}

/// `bookworm`, `bookworm-security`, `stable-updates`: a Debian release and its parts.
fn is_debian(suite: &str, codename: &str) -> bool {
    let name = suite.split(['-', '/']).next().unwrap_or("");
    let part = suite.strip_prefix(name).unwrap_or("");
    let known = SUITES.contains(&name) || (!codename.is_empty() && name == codename);
    let parts = ["", "-security", "-updates", "-backports", "-proposed-updates", "/updates"];
    known && parts.contains(&part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_debian_stanza_keeps_its_key_and_loses_its_architectures() {
        let text = "# comment\nTypes: deb deb-src\nURIs: http://mirror/debian\n# note\n\
            Suites: bookworm bookworm-updates\nComponents: main\nArchitectures: amd64\n i386\n\
            Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg\n";
        let kept = "URIs: http://mirror/debian\nSuites: bookworm bookworm-updates\n\
            Components: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n\
            Types: deb\n\n";
        assert_eq!(debian_stanzas(text, ""), kept);
    }

    #[test]
    fn other_peoples_disabled_and_unsigned_stanzas_are_left_out() {
        let stanza = |more: &str| {
            format!("Types: deb\nURIs: http://m/d\nSuites: bookworm\nComponents: main\n{more}")
        };
        assert_ne!(debian_stanzas(&stanza(""), ""), "");
        for more in ["Enabled: no\n", "Trusted: yes\n", "Allow-Insecure: yes\n"] {
            assert_eq!(debian_stanzas(&stanza(more), ""), "", "{more}");
        }
        let other =
            "Types: deb\nURIs: https://deb.example.org/node\nSuites: nodistro\nComponents: main\n";
        assert_eq!(debian_stanzas(other, ""), "");
    }

    #[test]
    fn a_debian_line_keeps_its_key_and_loses_its_architectures() {
        let line = "deb [arch=amd64 signed-by=/k.gpg] http://m/debian bookworm main contrib # us\n";
        assert_eq!(
            debian_lines(line, ""),
            "deb [signed-by=/k.gpg] http://m/debian bookworm main contrib\n"
        );
        assert_eq!(debian_lines("deb\thttp://m/d trixie main", ""), "deb http://m/d trixie main\n");
    }

    #[test]
    fn other_peoples_and_unsigned_lines_are_left_out() {
        for line in [
            "# deb http://m/debian bookworm main",
            "deb-src http://m/debian bookworm main",
            "deb [trusted=yes] http://m/debian bookworm main",
            "deb https://download.example.org/linux/debian bookworm stable",
            "deb https://apt.example.org/pub bookworm-pgdg main",
            "deb https://archive.example.org/ubuntu noble main",
        ] {
            assert_eq!(debian_lines(line, ""), "", "{line}");
        }
    }

    #[test]
    fn a_component_is_added_in_both_formats() {
        let lines = debian_lines("deb [arch=amd64] http://m/debian bookworm main # us\n", "");
        assert_eq!(with_component(&lines, "x"), "deb http://m/debian bookworm main x\n");
        let stanza = "URIs: http://m/d\nSuites: trixie\nComponents: main\nTypes: deb\n";
        let kept = debian_stanzas(stanza, "");
        assert_eq!(with_component(&kept, ""), kept);
        let more = with_component(&kept, "x");
        assert!(more.contains("\nComponents: main x\nTypes: deb\n"), "{more}");
    }

    #[test]
    fn the_machines_own_release_counts_whatever_its_name() {
        let line = "deb http://m/debian duke-security main";
        assert_eq!(debian_lines(line, ""), "");
        assert_eq!(debian_lines(line, "duke"), format!("{line}\n"));
    }
}
