//! x

fn main() {
    use retrograde_compiler::*;
    let path = std::env::args().nth(1).unwrap();
    let t = std::fs::read_to_string(path).unwrap();
    for f in find::reversible(&syn::parse_file(&t).unwrap()) {
        let d = match f.compile(expand::Options { readable: true, ..Default::default() }) {
            Ok(d) => d,
            Err(e) => {
                println!("{e}");
                continue;
            }
        };
        println!("== {}", f.name);
        if let Some(b) = &d.function.body {
            println!("{}", print::function(&d.function, b));
        }
        if let Some(b) = &d.inverse {
            println!("{}", print::function(&d.function, b));
        }
        for i in [false, true] {
            let t = d.emit_one(i);
            match syn::parse2::<syn::File>(t.clone()) {
                Ok(f) => println!("{}", prettyplease::unparse(&f)),
                Err(e) => println!("!!! {e} {t}"),
            }
        }
    }
}
