//! The name that a user's crate has for `retrograde`: generated code says `::retrograde`, which a
//! dependency that was renamed in `Cargo.toml` does not answer to.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};

/// The name of the crate and of its package.
const OWN: &str = "retrograde";

/// Generated code, with the name that the user's crate has for ours: the path that was `said`, or
/// the name of the dependency.
pub fn renamed(code: TokenStream, said: Option<TokenStream>) -> TokenStream {
    match said.or_else(dependency) {
        Some(path) => with_path(code, &path),
        None => code,
    }
}

/// The path of the dependency, if it is not `::retrograde`.
fn dependency() -> Option<TokenStream> {
    let directory = std::env::var_os("CARGO_MANIFEST_DIR")?;
    let name = name_in(Path::new(&directory))?;
    let name = Ident::new(&name, Span::call_site());
    Some(quote!(::#name))
}

/// Takes `crate = path` out of the words of an attribute.
pub fn take_path(words: TokenStream) -> (TokenStream, Option<TokenStream>) {
    let mut path = None;
    let words: Vec<TokenTree> = words.into_iter().collect();
    let is_comma = |tree: &TokenTree| matches!(tree, TokenTree::Punct(p) if p.as_char() == ',');
    let kept: Vec<TokenStream> = words
        .split(is_comma)
        .filter(|word| match word {
            [TokenTree::Ident(name), TokenTree::Punct(equals), said @ ..]
                if name == "crate" && equals.as_char() == '=' && !said.is_empty() =>
            {
                path = Some(said.iter().cloned().collect());
                false
            }
            _ => true,
        })
        .map(|word| word.iter().cloned().collect())
        .collect();
    (quote!(#(#kept),*), path)
}

/// The path in `#[retrograde(crate = path)]` on an item.
pub fn path_on(item: TokenStream) -> Option<TokenStream> {
    item.into_iter().find_map(|tree| {
        let TokenTree::Group(attribute) = tree else { return None };
        let trees: Vec<TokenTree> = attribute.stream().into_iter().collect();
        match trees.as_slice() {
            [TokenTree::Ident(name), TokenTree::Group(words)] if name == OWN => {
                take_path(words.stream()).1
            }
            _ => None,
        }
    })
}

/// The name in the package of a folder, if it is another. A manifest is read once: cargo starts
/// the compiler again when it has changed.
fn name_in(directory: &Path) -> Option<String> {
    static KNOWN: LazyLock<Mutex<HashMap<PathBuf, Option<String>>>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    known
        .entry(directory.to_owned())
        .or_insert_with(|| {
            let manifest = std::fs::read_to_string(directory.join("Cargo.toml")).ok()?;
            let workspace = || {
                let mut above = directory.ancestors();
                above.find_map(|folder| {
                    let text = std::fs::read_to_string(folder.join("Cargo.toml")).ok()?;
                    has_table(&text, "workspace").then_some(text)
                })
            };
            new_name(&manifest, workspace)
        })
        .clone()
}

/// Whether a manifest has a table of this name, or one inside it.
fn has_table(manifest: &str, name: &str) -> bool {
    let inside = |table: &str| table == name || table.starts_with(&format!("{name}."));
    manifest.lines().filter_map(header).any(|table| inside(&table))
}

/// The name that a manifest gives to our package, if it is another. `workspace` is asked for the
/// manifest that dependencies may be inherited from.
fn new_name(manifest: &str, workspace: impl FnOnce() -> Option<String>) -> Option<String> {
    let dependencies = |table: &str| {
        let last = table.rsplit('.').next().unwrap_or(table);
        !table.starts_with("workspace.")
            && matches!(last, "dependencies" | "dev-dependencies" | "build-dependencies")
    };
    let entries = entries(manifest, dependencies);
    // A package that has both names for it may go on with the plain one.
    if entries.iter().any(|entry| entry.name == OWN && entry.package.is_none()) {
        return None;
    }
    let named = |entries: &[Entry]| {
        let ours = entries.iter().find(|entry| entry.package.as_deref() == Some(OWN));
        ours.map(|entry| entry.name.replace('-', "_"))
    };
    named(&entries).or_else(|| {
        if !entries.iter().any(|entry| entry.inherited) {
            return None;
        }
        let mut shared = self::entries(&workspace()?, |table| table == "workspace.dependencies");
        shared.retain(|entry| entries.iter().any(|own| own.inherited && own.name == entry.name));
        named(&shared)
    })
}

/// A dependency of a manifest.
#[derive(Debug, Default)]
struct Entry {
    name: String,
    /// Which package it is, where that is said.
    package: Option<String>,
    /// Whether the manifest of the workspace says the rest.
    inherited: bool,
}

/// The dependencies in those tables of a manifest that are `wanted`. Cargo has read the manifest
/// before us, so it is right, and only the ways to write a dependency are told apart.
fn entries(manifest: &str, wanted: impl Fn(&str) -> bool) -> Vec<Entry> {
    let mut found: Vec<Entry> = Vec::new();
    let mut tell = |name: &str, text: &str| {
        let entry = match found.iter().position(|entry| entry.name == name) {
            Some(at) => &mut found[at],
            None => {
                found.push(Entry { name: name.to_owned(), ..Entry::default() });
                found.last_mut().expect("one was pushed")
            }
        };
        for (key, value) in
            text.split(['{', '}', ',', '\n']).filter_map(|part| part.split_once('='))
        {
            match (unquoted(key), unquoted(value)) {
                ("package", package) => entry.package = Some(package.to_owned()),
                ("workspace", "true") => entry.inherited = true,
                _ => {}
            }
        }
    };
    let mut table = String::new();
    let mut lines = manifest.lines();
    while let Some(line) = lines.next() {
        if let Some(name) = header(line) {
            table = name;
            continue;
        }
        let Some((key, value)) = line.trim_start().split_once('=') else { continue };
        // An inline table may go on in the next lines.
        let mut value = uncommented(value).to_owned();
        while value.matches('{').count() > value.matches('}').count() {
            let Some(line) = lines.next() else { break };
            value.push('\n');
            value.push_str(uncommented(line));
        }
        if wanted(&table) {
            match key.trim().split_once('.') {
                Some((name, key)) => tell(unquoted(name), &format!("{key}={value}")),
                None => tell(unquoted(key), &value),
            }
        } else if let Some((above, name)) = table.rsplit_once('.')
            && wanted(above)
        {
            tell(unquoted(name), &format!("{key}={value}"));
        }
    }
    found
}

/// The name of a table, if this line begins one: `[dependencies.rg]`.
fn header(line: &str) -> Option<String> {
    let line = uncommented(line).trim();
    let name = line.strip_prefix('[')?.strip_suffix(']')?;
    Some(name.trim_matches(['[', ']', ' ']).to_owned())
}

/// A line without the comment at its end.
fn uncommented(line: &str) -> &str {
    let mut quote = None;
    let end = line.char_indices().find(|&(_, c)| {
        match quote {
            None if matches!(c, '"' | '\'') => quote = Some(c),
            Some(open) if open == c => quote = None,
            _ => {}
        }
        c == '#' && quote.is_none()
    });
    end.map_or(line, |(at, _)| &line[..at])
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['"', '\''])
}

/// Code with `path` where it says `::retrograde`.
fn with_path(code: TokenStream, path: &TokenStream) -> TokenStream {
    let mut written: Vec<TokenTree> = Vec::new();
    for tree in code {
        match tree {
            TokenTree::Ident(ident) if ident == OWN && begins_path(&written) => {
                written.truncate(written.len() - 2);
                // Errors stay where they were.
                written.extend(path.clone().into_iter().map(|mut part| {
                    part.set_span(ident.span());
                    part
                }));
            }
            TokenTree::Group(group) => {
                let mut inside = Group::new(group.delimiter(), with_path(group.stream(), path));
                inside.set_span(group.span());
                written.push(inside.into());
            }
            other => written.push(other),
        }
    }
    written.into_iter().collect()
}

/// Whether what was written ends in the `::` that begins a path: `as ::`, but not `module::`.
fn begins_path(written: &[TokenTree]) -> bool {
    let is_colon = |tree: &TokenTree| matches!(tree, TokenTree::Punct(p) if p.as_char() == ':');
    let [before @ .., first, second] = written else { return false };
    is_colon(first)
        && is_colon(second)
        && match before.last() {
            // After the name of a module or type the path goes on; after a keyword or the label of
            // a `break` it begins.
            Some(TokenTree::Ident(ident)) => {
                let tick =
                    |tree: &TokenTree| matches!(tree, TokenTree::Punct(p) if p.as_char() == '\'');
                KEYWORDS.contains(&ident.to_string().as_str())
                    || before.len() > 1 && tick(&before[before.len() - 2])
            }
            _ => true,
        }
}

/// The keywords after which a path can begin.
const KEYWORDS: [&str; 18] = [
    "as", "break", "const", "dyn", "else", "for", "if", "impl", "in", "let", "match", "move",
    "mut", "pub", "ref", "return", "use", "while",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn name(manifest: &str) -> Option<String> {
        new_name(manifest, || None)
    }

    #[test]
    fn each_way_to_rename_is_found() {
        for manifest in [
            "[dependencies]\nrg = { package = \"retrograde\", version = \"1\" }",
            "[dependencies]\nserde = \"1\"\nrg = { path = \"a,b\", package = 'retrograde' } # ours",
            "[dependencies]\nrg.package = \"retrograde\"\nrg.version = \"1\"",
            "[dependencies.rg]\nversion = \"1\"\npackage = \"retrograde\"",
            "[dev-dependencies]\n\"rg\" = { version = \"1\", package = \"retrograde\" }",
            "[target.'cfg(unix)'.dependencies]\nrg = { package = \"retrograde\", version = \"1\" }",
            "[dependencies]\nrg = {\n  version = \"1\", # new\n  package = \"retrograde\",\n}",
        ] {
            assert_eq!(name(manifest).as_deref(), Some("rg"), "{manifest}");
        }
        let dashed = "[dependencies]\nmy-rg = { package = \"retrograde\", version = \"1\" }";
        assert_eq!(name(dashed).as_deref(), Some("my_rg"));
    }

    #[test]
    fn an_own_name_stays() {
        for manifest in [
            "[dependencies]\nretrograde = \"1\"",
            "[dependencies]\nretrograde = { path = \"x\" }\nrg = { package = \"regex\" }",
            "[dependencies.retrograde]\nversion = \"1\"",
            "[package]\nname = \"retrograde\"",
            "[package.metadata]\nrg = { package = \"retrograde\" }",
            "[dependencies]\n# rg = { package = \"retrograde\" }\nretrograde = \"1\"",
        ] {
            assert_eq!(name(manifest), None, "{manifest}");
        }
    }

    #[test]
    fn a_name_is_inherited_from_the_workspace() {
        let shared = "[workspace]\n[workspace.dependencies]\n\
                      rg = { package = \"retrograde\", version = \"1\" }\nretrograde = \"1\"";
        let of = |manifest: &str| new_name(manifest, || Some(shared.to_owned()));
        assert_eq!(of("[dependencies]\nrg.workspace = true").as_deref(), Some("rg"));
        assert_eq!(of("[dependencies]\nrg = { workspace = true }").as_deref(), Some("rg"));
        assert_eq!(of("[dependencies]\nretrograde.workspace = true"), None);
    }

    #[test]
    fn a_path_is_taken_out_of_an_attribute() {
        let parse = |text: &str| text.parse::<TokenStream>().expect("tokens");
        let (words, path) = take_path(parse("inverse_only, crate = physics::rg, fused"));
        assert_eq!(words.to_string(), parse("inverse_only, fused").to_string());
        assert_eq!(path.expect("a path").to_string(), parse("physics::rg").to_string());
        let on = path_on(parse("#[retrograde(crate = a::b)] struct S { x: f64 }"));
        assert_eq!(on.expect("a path").to_string(), parse("a::b").to_string());
    }

    #[test]
    fn only_paths_that_begin_are_renamed() {
        let code = "use ::retrograde::num::Zero; impl<T> ::retrograde::Adjoint<T> for f { fn f() { \
                    mine::retrograde::g(&::retrograde::check::of(retrograde)) } }";
        let expected = "use ::rg::num::Zero; impl<T> ::rg::Adjoint<T> for f { fn f() { \
                        mine::retrograde::g(&::rg::check::of(retrograde)) } }";
        let parse = |text: &str| text.parse::<TokenStream>().expect("tokens");
        assert_eq!(with_path(parse(code), &parse("::rg")).to_string(), parse(expected).to_string());
    }
}
