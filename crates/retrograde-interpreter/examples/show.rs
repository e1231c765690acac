//! Prints a file as the compiler expands it, and what the judge says of its functions.
use retrograde_interpreter::expansion::expand;
use retrograde_interpreter::judge::{Case, judge};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("the path of a file");
    let off: Vec<String> = arguments.collect();
    let quiet = off.first().is_some_and(|word| word == "-q");
    let off: Vec<&str> = off.iter().map(String::as_str).filter(|word| *word != "-q").collect();
    let source = std::fs::read_to_string(path).expect("a file");
    let file = syn::parse_file(&source).expect("Rust");
    if !quiet {
        match expand(&file, &off) {
            Ok(expanded) => println!("{}", prettyplease::unparse(&expanded)),
            Err(diagnostic) => println!("{diagnostic}"),
        }
    }
    for item in &file.items {
        if let syn::Item::Fn(function) = item
            && function.attrs.iter().any(|attribute| attribute.path().is_ident("reversible"))
        {
            for (length, seed) in [(0, 1), (1, 1), (2, 2), (5, 3), (40, 4)] {
                let function = function.sig.ident.to_string();
                let case = Case { source: source.clone(), function, length, seed };
                println!("{} {length}: {:?}", case.function, judge(&case, &off));
            }
        }
    }
}
