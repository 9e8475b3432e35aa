//! Counting what passed and printing what did not.

use std::path::Path;
use std::process::ExitCode;

use serde_json::Value as Json;

/// Passed and failed checks, by name, in the form that libtest prints.
#[derive(Default)]
pub(crate) struct Report {
    passed: usize,
    failed: Vec<String>,
}

impl Report {
    /// Compares every case of `folder/file.json`; no case at all is a failure.
    pub(crate) fn run(
        &mut self,
        folder: &Path,
        file: &str,
        name: &str,
        compare: fn(&Json) -> Result<(), String>,
    ) {
        let cases = match load(&folder.join(file).with_extension("json")) {
            Ok(cases) => cases,
            Err(why) => {
                self.fail(&format!("{file} are there"), &why);
                return;
            }
        };
        let mut compared = 0;
        for (index, case) in cases.iter().enumerate() {
            let name = case[name].as_str().unwrap_or("without a name");
            match compare(case) {
                Ok(()) => compared += 1,
                Err(why) => self.fail(&format!("{file} {index} ({name})"), &why),
            }
        }
        self.passed += compared;
        println!("{compared} {file}");
    }

    /// Counts what passed and was printed elsewhere.
    pub(crate) fn pass(&mut self, passed: usize) {
        self.passed += passed;
    }

    pub(crate) fn fail(&mut self, name: &str, why: &str) {
        println!("test {name} ... FAILED\n    {why}");
        self.failed.push(name.to_owned());
    }

    /// Prints libtest's closing line.
    pub(crate) fn close(self) -> ExitCode {
        let failed = self.failed.len();
        if failed == 0 {
            println!("\ntest result: ok. {} passed; 0 failed; 0 ignored", self.passed);
            return ExitCode::SUCCESS;
        }
        println!("\nfailures:");
        for name in &self.failed {
            println!("    {name}");
        }
        println!("\ntest result: FAILED. {} passed; {failed} failed; 0 ignored", self.passed);
        ExitCode::FAILURE
    }
}

/// The cases in a file; none at all is an error.
pub(crate) fn load(path: &Path) -> Result<Vec<Json>, String> {
    let text = std::fs::read_to_string(path).map_err(|why| format!("{}: {why}", path.display()))?;
    // Types nest a hundred levels deep.
    let mut json = serde_json::Deserializer::from_str(&text);
    json.disable_recursion_limit();
    let value: Json = serde::Deserialize::deserialize(&mut json)
        .map_err(|why| format!("{}: {why}", path.display()))?;
    match value {
        Json::Array(cases) if !cases.is_empty() => Ok(cases),
        _ => Err(format!("{}: no cases", path.display())),
    }
}

/// The bytes of hexadecimal digits.
pub(crate) fn hex(json: &Json) -> Result<Vec<u8>, String> {
    let text = json.as_str().ok_or_else(|| format!("{json} is no hex"))?;
    let digits: Option<Vec<u8>> =
        text.chars().map(|c| c.to_digit(16)?.try_into().ok()).collect::<Option<_>>();
    let digits = digits.ok_or_else(|| format!("{text} is no hex"))?;
    if digits.len() % 2 != 0 {
        return Err(format!("{text} has half a byte"));
    }
    Ok(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}
