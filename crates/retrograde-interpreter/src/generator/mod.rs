//! Random programs: whole files, each with a reversible function `f` to be judged.
//!
//! A program is made of forms. Forms belong to categories, which can be switched on and
//! off by name: see [`Category`].

mod classic;
mod expression;
mod functions;
mod lists;
mod loops;
pub mod reals;
mod statement;
mod structs;
mod troubles;
mod writer;

use crate::arguments::{Manner, random_arguments};
use crate::judge::Case;
use crate::random::Random;
use writer::Writer;

/// What programs may be made of, beside sums, names, ancillas, computing, branches on
/// inputs, loops over indices and items, views, instructions, calls and uncalls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// Programs of the generator [`reals`], which the tests compile with `rustc`, too.
    Reals,
    /// Functions of any number: `<T: Real>`.
    Generic,
    /// Slices so long that sums are made in lanes.
    Long,
    /// Slices of no element and of one.
    Short,
    /// Structs with fields and methods, and with operators field by field.
    Structs,
    /// Functions that call themselves.
    Recursion,
    /// `floor` and its like, and casts of floats to indices.
    Casts,
    /// `#[differentiable]` functions.
    Pure,
    /// `#[reversible(fused)]`.
    Fused,
    /// Operators of structs that are not field by field: `-`, `+`, `+=`, `-=`.
    OwnOperators,
    /// Methods of the user's own that are named as those of std are: `len`, `floor`,
    /// `is_big`, `size`, `dim`, `row`, `iter`.
    StdNames,
    /// Branches on sums of floats that are still growing, at their very edges.
    RunningSums,
    /// Functions that bring numbers together, so that floats forget them.
    Contractions,
    /// Two names for one part of a list, and two elements of a list by indices that may meet.
    Aliases,
    /// Vectors with as many elements as something else, each of which depends on those before.
    Vectors,
}

impl Category {
    /// All of them.
    pub const ALL: [Category; 15] = [
        Category::Reals,
        Category::Generic,
        Category::Long,
        Category::Short,
        Category::Structs,
        Category::Recursion,
        Category::Casts,
        Category::Pure,
        Category::Fused,
        Category::OwnOperators,
        Category::StdNames,
        Category::RunningSums,
        Category::Contractions,
        Category::Aliases,
        Category::Vectors,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Category::Reals => "reals",
            Category::Generic => "generic",
            Category::Long => "long",
            Category::Short => "short",
            Category::Structs => "structs",
            Category::Recursion => "recursion",
            Category::Casts => "casts",
            Category::Pure => "pure",
            Category::Fused => "fused",
            Category::OwnOperators => "own-operators",
            Category::StdNames => "std-names",
            Category::RunningSums => "running-sums",
            Category::Contractions => "contractions",
            Category::Aliases => "aliases",
            Category::Vectors => "vectors",
        }
    }

    /// The category of a name.
    pub fn named(name: &str) -> Option<Self> {
        Category::ALL.into_iter().find(|category| category.name() == name)
    }
}

/// A random program, made of the forms of some categories, and where it is run.
pub fn program(seed: u64, categories: &[Category]) -> Case {
    let mut random = Random::new(seed);
    // Not everything at once, so that a program is about something.
    let mut chosen: Vec<Category> =
        categories.iter().copied().filter(|_| random.chance(18)).collect();
    if let (true, false) = (chosen.is_empty(), categories.is_empty()) {
        chosen.push(categories[random.below(categories.len())]);
    }
    if chosen.contains(&Category::Reals) && (chosen.len() == 1 || random.chance(20)) {
        return classic::case(seed, &mut random);
    }
    let length = match random.below(10) {
        0 if chosen.contains(&Category::Short) => 0,
        1 if chosen.contains(&Category::Short) => 1,
        2 | 3 if chosen.contains(&Category::Long) => 32 + random.below(9),
        4 if chosen.contains(&Category::Long) => 8 + random.below(4),
        _ => 2 + random.below(4),
    };
    let mut writer = Writer::new(random, chosen, length);
    let source = writer.file();
    let manner = Manner { length, decimal: writer.has(Category::RunningSums) };
    let arguments = random_arguments(&source, "f", manner, seed).unwrap_or_default();
    let made = &writer.made;
    let about = Category::ALL.into_iter().filter(|category| made.contains(category));
    let about = about.map(Category::name).collect();
    Case { source, function: "f".into(), arguments, seed, length, about }
}
