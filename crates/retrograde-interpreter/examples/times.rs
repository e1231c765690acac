//! Where the time goes.
use quote::ToTokens;
use retrograde_interpreter::expansion::expand;
use retrograde_interpreter::generator::{Category, program};
use retrograde_interpreter::judge::judge_file;
use retrograde_interpreter::program::Program;
use std::time::Instant;

fn main() {
    let mut t = [0.0; 7];
    let mut n = 0;
    for seed in 0..100 {
        let now = Instant::now();
        let case = program(seed, &Category::SOUND);
        t[0] += now.elapsed().as_secs_f64();
        let now = Instant::now();
        let file = syn::parse_file(&case.source).unwrap();
        t[1] += now.elapsed().as_secs_f64();
        let now = Instant::now();
        let expanded = expand(&file, &[]);
        t[2] += now.elapsed().as_secs_f64();
        if let Ok(expanded) = &expanded {
            let now = Instant::now();
            std::hint::black_box(Program::new(expanded));
            t[3] += now.elapsed().as_secs_f64();
            let tokens = expanded.to_token_stream();
            let now = Instant::now();
            let _: syn::File = syn::parse2(tokens).unwrap();
            t[5] += now.elapsed().as_secs_f64();
        }
        for item in &file.items {
            if let syn::Item::Fn(f) = item {
                if f.attrs[0].path().is_ident("reversible") {
                    n += 1;
                    let mut f = f.clone();
                    f.attrs.clear();
                    let tokens = f.to_token_stream();
                    let now = Instant::now();
                    std::hint::black_box(retrograde_compiler::expand::reversible(
                        Default::default(),
                        tokens,
                        Default::default(),
                    ));
                    t[6] += now.elapsed().as_secs_f64();
                }
            }
        }
        let now = Instant::now();
        judge_file(&file, &case, &[]);
        t[4] += now.elapsed().as_secs_f64();
    }
    println!(
        "ms: generate {:.2} parse {:.2} expand {:.2} (parse again {:.2}; {n} functions compiled {:.2}) tables {:.2} judge {:.2}",
        t[0] * 10.0,
        t[1] * 10.0,
        t[2] * 10.0,
        t[5] * 10.0,
        t[6] * 10.0,
        t[3] * 10.0,
        t[4] * 10.0
    );
}
