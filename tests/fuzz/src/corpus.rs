//! The programs of this repository: all that carries one of our attributes.

use crate::entry::Entry;
use proc_macro2::TokenStream;
use std::fs;
use std::path::{Path, PathBuf};
use syn::visit::Visit;
use syn::{Attribute, Meta};

/// An item, and what the macro on it is given, as text: tokens belong to one thread.
#[derive(Clone, Debug)]
pub struct Program {
    /// The macro.
    pub entry: Entry,
    /// Its argument.
    pub attribute: String,
    /// What it stands on.
    pub item: String,
}

/// All programs, in the order of their files.
pub fn programs() -> Vec<Program> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["benches", "crates", "examples", "guide", "tests"] {
        collect(&root.join(folder), &mut files);
    }
    files.push(root.join("README.md"));
    files.sort();
    let mut found = Found(Vec::new());
    for file in files {
        let text = fs::read_to_string(&file).expect("a file of the repository can be read");
        for text in sources(&file, &text) {
            if let Ok(file) = syn::parse_file(&text) {
                found.visit_file(&file);
            }
        }
    }
    found.0
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.expect("a folder of the repository can be read").path();
        if path.is_dir() && !path.ends_with("target") {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs" || e == "md") {
            files.push(path);
        }
    }
}

/// A file of Rust, or the examples of a text.
fn sources(file: &Path, text: &str) -> Vec<String> {
    if file.extension().is_some_and(|e| e == "rs") {
        return vec![text.to_string()];
    }
    let mut sources: Vec<String> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line.trim_start().strip_prefix("```") {
            Some(kind) => {
                inside = !inside && kind.starts_with("rust");
                if inside {
                    sources.push("fn example() {\n".to_string());
                }
            }
            None if inside => {
                // Hidden lines begin with `# `.
                let line = line.strip_prefix("# ").unwrap_or(line);
                let source = sources.last_mut().expect("an example has begun");
                source.push_str(if line == "#" { "" } else { line });
                source.push('\n');
            }
            None => {}
        }
    }
    sources.iter().map(|source| format!("{source}}}")).collect()
}

struct Found(Vec<Program>);

impl Found {
    fn attributes(&mut self, attributes: &[Attribute], item: &dyn Fn(&[Attribute]) -> String) {
        for (i, attribute) in attributes.iter().enumerate() {
            let name = attribute.path().segments.last().map(|s| s.ident.to_string());
            let entry = match name.as_deref() {
                Some("reversible") => Entry::Reversible,
                Some("differentiable") => Entry::Differentiable,
                Some("instruction") => Entry::Instruction,
                Some("unchecked") => Entry::Unchecked,
                Some("derive") => {
                    self.derives(attribute, &item(attributes));
                    continue;
                }
                _ => continue,
            };
            let argument = match &attribute.meta {
                Meta::List(list) => list.tokens.to_string(),
                _ => String::new(),
            };
            let others = [&attributes[..i], &attributes[i + 1..]].concat();
            self.0.push(Program { entry, attribute: argument, item: item(&others) });
        }
    }

    fn derives(&mut self, attribute: &Attribute, item: &str) {
        let Meta::List(list) = &attribute.meta else { return };
        let names = list.tokens.to_string();
        for (name, entry) in [
            ("AdditiveGroup", Entry::DeriveAdditiveGroup),
            ("Differentiable", Entry::DeriveDifferentiable),
            ("Device", Entry::DeriveDevice),
        ] {
            if names.contains(name) {
                self.0.push(Program { entry, attribute: String::new(), item: item.to_string() });
            }
        }
    }
}

/// The text of an item with other attributes.
fn text<T: Clone>(
    item: &T,
    attributes: fn(&mut T) -> &mut Vec<Attribute>,
    tokens: fn(&T) -> TokenStream,
) -> impl Fn(&[Attribute]) -> String {
    move |others| {
        let mut item = item.clone();
        *attributes(&mut item) = others.to_vec();
        tokens(&item).to_string()
    }
}

macro_rules! visit_items {
    ($($visit:ident: $item:ident),*) => {$(
        fn $visit(&mut self, item: &'a syn::$item) {
            let text = text(item, |item| &mut item.attrs, quote::ToTokens::to_token_stream);
            self.attributes(&item.attrs, &text);
            syn::visit::$visit(self, item);
        }
    )*};
}

impl<'a> Visit<'a> for Found {
    visit_items!(
        visit_item_fn: ItemFn,
        visit_impl_item_fn: ImplItemFn,
        visit_trait_item_fn: TraitItemFn,
        visit_item_struct: ItemStruct,
        visit_item_enum: ItemEnum
    );

    fn visit_macro(&mut self, called: &'a syn::Macro) {
        let name = called.path.segments.last().map(|segment| segment.ident.to_string());
        let entry = match name.as_deref() {
            Some("assert_reversible") => Entry::AssertReversible,
            Some("assert_gradient") => Entry::AssertGradient,
            _ => return,
        };
        let (attribute, item) = (String::new(), called.tokens.to_string());
        self.0.push(Program { entry, attribute, item });
    }
}
