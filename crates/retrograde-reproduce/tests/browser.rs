//! The report in a browser: everything is there, nothing lies over anything else, and no page is
//! wider than its window, on a desk and on a phone.
//!
//! Needs Chromium and a report: `cargo run --release`, then
//! `cargo test -p retrograde-reproduce --test browser -- --ignored`. The report is that of
//! `RETROGRADE_REPORT`, or `retrograde-report` in the root of the workspace.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Looks at the page from the inside, and leaves what it finds in it.
const LOOK: &str = include_str!("look.js");

fn report() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    env::var_os("RETROGRADE_REPORT").map_or(root.join("retrograde-report"), PathBuf::from)
}

fn browser() -> &'static str {
    let works = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    names.into_iter().find(works).expect("Chromium is installed")
}

/// What is found in a window of a width.
fn look(width: u32) -> Value {
    let page = report().join("index.html");
    let text = fs::read_to_string(&page).unwrap_or_else(|error| panic!("{page:?}: {error}"));
    let marked = text.replace("</body>", &format!("<script>{LOOK}</script></body>"));
    let copy = env::temp_dir().join(format!("retrograde-{}-{width}.html", std::process::id()));
    fs::write(&copy, marked).expect("a copy of the report");
    // Chromium makes no window narrower than 500, but a frame may be.
    let frame =
        env::temp_dir().join(format!("retrograde-{}-{width}-frame.html", std::process::id()));
    let framed = format!(
        "<body style='margin:0'><iframe id=f style='width:{width}px;height:900px;border:0' \
         src='{}'></iframe><script>f.onload = () => document.body.append(Object.assign(\
         document.createElement('pre'), {{ id: 'found', textContent: \
         f.contentDocument.getElementById('found').textContent }}))</script>",
        copy.file_name().expect("a name").to_string_lossy()
    );
    fs::write(&frame, framed).expect("a frame for it");
    let output = Command::new(browser())
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files"])
        .args([&format!("--window-size={},900", width.max(500)), "--virtual-time-budget=5000"])
        .arg("--dump-dom")
        .arg(format!("file://{}", frame.display()))
        .output()
        .expect("Chromium starts");
    let dom = String::from_utf8_lossy(&output.stdout);
    let (_, found) = dom.split_once("<pre id=\"found\">").unwrap_or_else(|| panic!("{dom}"));
    let (found, _) = found.split_once("</pre>").expect("the end of what was found");
    let found = found.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    for file in [copy, frame] {
        fs::remove_file(file).expect("the copy goes");
    }
    serde_json::from_str(&found).unwrap_or_else(|error| panic!("{error}: {found}"))
}

#[test]
#[ignore = "needs Chromium and a report"]
fn the_report_is_whole_at_every_width() {
    let text = fs::read_to_string(report().join("report.json")).expect("the numbers of the report");
    let numbers: Value = serde_json::from_str(&text).expect("they are JSON");
    let results = numbers["results"].as_array().expect("results");
    let count = |what: &str| -> usize {
        let of = |result: &Value| result[1]["findings"][what].as_array().map_or(0, Vec::len);
        results.iter().map(of).sum()
    };
    for width in [1200, 390] {
        let found = look(width);
        assert_eq!(found["width"], width, "the window");
        assert_eq!(found["sections"], results.len(), "sections at {width}");
        assert_eq!(found["figures"], count("figures"), "figures at {width}");
        // One table is that of the claims.
        assert_eq!(found["tables"], count("tables") + 1, "tables at {width}");
        assert_eq!(found["faults"], Value::Array(Vec::new()), "at {width}");
    }
}
