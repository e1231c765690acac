//! Prints a random program, `show 17`, or a file, `show path`, as the compiler expands it,
//! and what the judge says. Further words are passes that do not run.
use retrograde_interpreter::arguments::{Manner, random_arguments};
use retrograde_interpreter::expansion::expand;
use retrograde_interpreter::generator::{Category, program};
use retrograde_interpreter::judge::{Case, judge};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next().expect("a number or a path");
    let words: Vec<String> = arguments.collect();
    let quiet = words.iter().any(|word| word == "-q");
    let off: Vec<&str> =
        words.iter().map(String::as_str).filter(|word| !word.starts_with('-')).collect();
    if let Ok(seed) = what.parse() {
        let case = program(seed, &Category::ALL);
        println!("{}", case.source);
        if !quiet {
            show(&case.source, &off);
        }
        return println!("{:?}", judge(&case, &off));
    }
    let source = std::fs::read_to_string(what).expect("a file");
    if !quiet {
        show(&source, &off);
    }
    let file = syn::parse_file(&source).expect("Rust");
    for item in &file.items {
        if let syn::Item::Fn(function) = item
            && function.attrs.iter().any(|attribute| attribute.path().is_ident("reversible"))
        {
            for (length, seed) in [(0, 1), (1, 1), (2, 2), (5, 3), (40, 4)] {
                let function = function.sig.ident.to_string();
                let manner = Manner { length, decimal: false };
                let arguments =
                    random_arguments(&source, &function, manner, seed).expect("known types");
                let case = Case {
                    source: source.clone(),
                    function,
                    arguments,
                    length,
                    seed,
                    about: vec![],
                };
                println!("{} {length}: {:?}", case.function, judge(&case, &off));
            }
        }
    }
}

fn show(source: &str, off: &[&str]) {
    let file = syn::parse_file(source).expect("Rust");
    match expand(&file, off) {
        Ok(expanded) => println!("{}", prettyplease::unparse(&expanded)),
        Err(diagnostic) => println!("{diagnostic}"),
    }
}
